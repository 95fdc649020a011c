//! Any bytes as the responses of one connection: no panic, no standstill, and the same meaning however they are cut.
#![no_main]

#[path = "../../crates/protocol/tests/http1/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::response_means_the_same_however_it_is_cut(input));
