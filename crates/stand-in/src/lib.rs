//! Responds in the place of an upstream: in given times, with given sizes and errors.
//!
//! It is a program of its own, so that what it costs is not charged to the generator: [`enter`] is called first in `main`, and the
//! program that the lab starts beside the service is this one once more, with [`COMMAND`] and a file that holds a [`Behaviour`]. It must not
//! know plans, load, or who asks.

mod alarm;
mod behaviour;
mod server;

pub use behaviour::{Behaviour, Body, Content, Response, Times};

use std::ffi::OsStr;
use std::path::Path;

/// The argument by which this program is a stand-in; the next one is the file with its behaviour.
pub const COMMAND: &str = "__stand-in";
/// Bodies are in it, in base64.
const MOST_BYTES: u64 = 32 << 20;

/// To be called first in `main`. Where this process is a stand-in it responds until it is ended, or returns the reason why it cannot.
#[must_use]
pub fn enter() -> Option<String> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(COMMAND)) {
        return None;
    }
    let file = arguments.next().unwrap_or_default();
    Some(match read(Path::new(&file)) {
        Ok(behaviour) => server::serve(behaviour),
        Err(reason) => reason,
    })
}

fn read(file: &Path) -> Result<Behaviour, String> {
    let bytes = plimsoll_files::given::bytes(file, MOST_BYTES).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}
