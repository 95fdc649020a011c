//! Any text as a line of `latency.hlog`: refused, or a histogram no larger than ours.
#![no_main]

#[path = "../../crates/lab/tests/directories/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::a_histogram_is_read_or_refused(input));
