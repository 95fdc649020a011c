//! WebSocket as its users see it: properties of any bytes and of messages made at random, and the corpus of the fuzz target.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod corpus;
mod invariants;
mod properties;
#[path = "../replay/mod.rs"]
mod replay;
