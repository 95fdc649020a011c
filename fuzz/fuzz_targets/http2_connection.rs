//! Any bytes as what a service sends on one HTTP/2 connection: no panic, no standstill, the same meaning however they are cut, and one
//! outcome for each request.
#![no_main]

#[path = "../../crates/protocol/tests/http2/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::connection_means_the_same_however_it_is_cut(input));
