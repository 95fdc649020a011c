//! Any packets as what a service sends on one connection of Socket.IO: no panic, no standstill, the same outcome however they are cut.
#![no_main]

#[path = "../../crates/protocol/tests/socket_io/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::packets_come_to_the_same_however_they_are_cut(input));
