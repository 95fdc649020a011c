//! Any lines as messages of a fleet: refused, or taken by an agent or a coordinator, which say what they say.
#![no_main]

#[path = "../../crates/fleet/tests/messages/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::lines_are_taken_or_refused(input));
