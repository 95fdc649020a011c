//! The program as its users run it: real services, real sockets, exit codes and messages.
//!
//! A test belongs into `words` unless its assertions need a machine that does nothing else: those in `measure` run alone
//! (`.config/nextest.toml`), so each of them costs its whole time.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod bench;
mod checkout;
mod measure;
#[path = "../../../target/tests/ports/mod.rs"]
mod ports;
mod words;
