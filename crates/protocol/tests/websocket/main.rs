//! WebSocket as its users see it: what the standard asks case by case, properties of any bytes and of messages made at random, and the corpus of the fuzz target.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod conformance;
mod corpus;
mod frames;
mod invariants;
mod properties;
#[path = "../replay/mod.rs"]
mod replay;
