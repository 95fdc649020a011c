//! Any bytes as a receive buffer with control messages: read within its bounds, and the bytes come out as they are.
#![no_main]

#[path = "../../crates/engine/tests/received/invariants.rs"]
mod invariants;
#[path = "../../crates/engine/src/backend/received.rs"]
mod received;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::any_buffer_is_read_within_its_bounds(input));
