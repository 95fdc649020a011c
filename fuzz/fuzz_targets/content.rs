//! Any bytes as a body in any coding: refused, or opened to no more than was asked for.
#![no_main]

#[path = "../../crates/protocol/tests/http1/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::opened_body_has_its_bounds(input));
