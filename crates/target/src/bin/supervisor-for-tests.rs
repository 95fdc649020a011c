//! A supervisor and nothing else: what the tests of this crate use, as `plimsoll` uses itself.
//!
//! It must not know what is tested.

use std::process::ExitCode;

fn main() -> ExitCode {
    plimsoll_target::supervisor::enter().unwrap_or(ExitCode::FAILURE)
}
