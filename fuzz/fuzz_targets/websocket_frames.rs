//! Any bytes as what a service sends on one WebSocket: no panic, no standstill, the same messages however they are cut.
#![no_main]

#[path = "../../crates/protocol/tests/websocket/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::frames_mean_the_same_however_they_are_cut(input));
