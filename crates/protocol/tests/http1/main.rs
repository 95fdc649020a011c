//! HTTP/1 as its users see it: a table of responses, properties of any bytes, and the corpora of the fuzz targets.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod corpus;
mod invariants;
mod malformed;
mod properties;
#[path = "../replay/mod.rs"]
mod replay;
mod responses;
