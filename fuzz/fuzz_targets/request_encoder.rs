//! Any text in any place of a request: what the encoder accepts is one request that holds exactly that text.
#![no_main]

#[path = "../../crates/protocol/tests/http1/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::encoded_request_reads_back(input));
