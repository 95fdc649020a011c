//! Any files as the directory of a comparison, a sweep or a study: findings, or an error in words.
#![no_main]

#[path = "../../crates/lab/tests/directories/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::a_series_is_reported_or_refused(input));
