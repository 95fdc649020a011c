//! Any text as a file of each tool that plans are imported from: refused, or a plan that is read.
#![no_main]

#[path = "../../crates/import/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::a_file_becomes_a_valid_plan(input));
