//! HTTP/2 as its users see it: what is sent, what comes of what is received, properties of any bytes, and the corpora of the fuzz
//! targets.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod calls;
mod corpus;
mod hostile;
mod hpack;
mod invariants;
mod properties;
#[path = "../replay/mod.rs"]
mod replay;
mod requests;
mod responses;
mod service;
