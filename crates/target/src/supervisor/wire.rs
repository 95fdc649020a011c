//! What a process and its supervisors say to each other: JSON, one message a line, over a socket. And what it tells the
//! keeper of its directories, over a pipe: a letter and a path, with a zero byte behind.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The environment variable in which agents find the URL of their broker, which may hold a password: nothing that is started here inherits it.
pub const BROKER_VARIABLE: &str = "PLIMSOLL_FLEET";

/// The first message to a supervisor: what it starts. The end of the keeper's pipe comes with it, if there is a keeper.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The program and its arguments.
    pub(crate) argv: Vec<OsString>,
    /// Added to the environment.
    pub(crate) env: Vec<(String, String)>,
    /// Where it runs, if not here.
    pub(crate) dir: Option<OsString>,
    /// Where it is pinned to, if anywhere.
    pub(crate) cpus: Vec<usize>,
    /// From SIGTERM to SIGKILL, ms, when the other side is gone.
    pub(crate) orphan_grace_ms: u64,
    /// The control group in which it runs, if it has one.
    pub(crate) group: Option<OrderedGroup>,
}

/// A control group, which the supervisor enters, leaves once the program runs, and removes when that is over.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct OrderedGroup {
    /// Its directories.
    pub(crate) own: Vec<PathBuf>,
    /// Those of the groups that the supervisor comes from.
    pub(crate) outside: Vec<PathBuf>,
}

/// What a supervisor is asked later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// SIGTERM to everything, SIGKILL to what is left after so many milliseconds.
    Stop {
        /// From the one to the other.
        grace_ms: u64,
    },
    /// SIGKILL to everything.
    Kill,
}

/// What a supervisor says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The program runs.
    Started {
        /// Its process.
        pid: u32,
    },
    /// It may not run on these cpus.
    Unpinned,
    /// It cannot be moved into its control group.
    Unlimited {
        /// Why not.
        message: String,
    },
    /// It cannot be run.
    Refused {
        /// As the system has it.
        errno: Option<i32>,
        /// The same in words.
        message: String,
    },
    /// Its first process ended, with this wait status.
    Ended {
        /// As wait(2) has it.
        status: i32,
    },
    /// And so did everything that it started.
    AllEnded {
        /// How the last one ended.
        status: i32,
    },
    /// Everything was ended, and the supervisor ends.
    Gone {
        /// Names and pids of those that had to be killed.
        killed: Vec<String>,
        /// Those that could not be.
        left: Vec<String>,
    },
}

/// Says `message`.
pub(crate) fn say(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    to.write_all(&line(message)?)
}

/// A message as it is sent.
pub(crate) fn line(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Takes the first whole message out of what was received.
pub(crate) fn take<T: DeserializeOwned>(received: &mut Vec<u8>) -> Option<io::Result<T>> {
    let end = received.iter().position(|&byte| byte == b'\n')?;
    let line: Vec<u8> = received.drain(..=end).collect();
    Some(serde_json::from_slice(&line).map_err(io::Error::from))
}

/// Before the path of a directory that is to be kept an eye on.
pub(crate) const ADDED: u8 = b'+';
/// Before that of one that was removed.
pub(crate) const REMOVED: u8 = b'-';
/// Alone: there is nothing left to keep an eye on.
const OVER: u8 = b'.';
/// What ends a path.
pub(crate) const END: u8 = 0;

/// What the keeper is told of a new directory.
pub(crate) fn added(path: &Path) -> Vec<u8> {
    [&[ADDED], path.as_os_str().as_bytes(), &[END]].concat()
}

/// What it is told of one that is gone.
pub(crate) fn removed(path: &Path) -> Vec<u8> {
    [&[REMOVED], path.as_os_str().as_bytes(), &[END]].concat()
}

/// What it is told when there are none.
pub(crate) const fn over() -> [u8; 2] {
    [OVER, END]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    #[test]
    fn words_that_are_no_text_arrive_as_they_are() {
        let word = OsString::from_vec(vec![b'a', 0xff, b'\n']);
        let order = Order {
            argv: vec![word.clone()],
            env: Vec::new(),
            dir: Some(word.clone()),
            cpus: vec![3],
            orphan_grace_ms: 7,
            group: None,
        };
        let mut received = line(&order).expect("sent");
        received.extend(line(&Request::Kill).expect("sent"));
        let found: Order = take(&mut received).expect("whole").expect("valid");
        assert_eq!((found.argv, found.dir), (vec![word.clone()], Some(word)));
        assert_eq!(
            take::<Request>(&mut received).expect("whole").expect("valid"),
            Request::Kill
        );
        assert!(take::<Request>(&mut received).is_none());
    }
}
