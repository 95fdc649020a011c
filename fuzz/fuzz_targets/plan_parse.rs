//! Any text as a plan: refused at a place that exists, or read as a plan that reads back from what is printed of it.
#![no_main]

#[path = "../../crates/plan/tests/invariants/mod.rs"]
#[expect(dead_code, reason = "the other target uses the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::a_plan_reads_back(input));
