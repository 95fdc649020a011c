//! Any bytes as a file with a table: refused in a line that it has, or read as rows of text.
#![no_main]

#[path = "../../crates/plan/tests/invariants/mod.rs"]
#[expect(dead_code, reason = "the other target uses the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::a_table_is_read_or_refused(input));
