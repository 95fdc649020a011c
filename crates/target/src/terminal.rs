//! A terminal as developers have one: a pseudo-terminal that is read as fast as a terminal emulator draws.
//!
//! What a write to it costs a service is the kernel's own work for terminals, which is done in the writer's system call, and
//! the wait for a reader that is slower than a pipe's. It is nobody's controlling terminal: no signal comes from it, and Ctrl-C
//! reaches whoever it reached before.

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

/// What an emulator draws is 79 MB of short lines in 2.5 to 3.4 s: foot, Alacritty and Ghostty, end of 2024.
/// <https://www.reddit.com/r/linux/comments/1hmxpg1/ghostty_terminal_is_out/>
const NS_PER_BYTE: u64 = 40;
/// Shorter waits are put together: a thread does not wake up sooner.
const LEAST_WAIT: Duration = Duration::from_millis(1);
/// Of a window as it opens.
const SIZE: Winsize = Winsize {
    ws_row: 24,
    ws_col: 80,
    ws_xpixel: 0,
    ws_ypixel: 0,
};

/// The end that an emulator has: what is written to the other one.
#[derive(Debug)]
pub(crate) struct Screen {
    controller: File,
    /// What is still to be drawn of what was read.
    drawing: Duration,
}

/// The emulator's end, and the one that a service writes to.
pub(crate) fn open() -> io::Result<(Screen, OwnedFd)> {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&controller)?;
    unlockpt(&controller)?;
    let name = ptsname(&controller, Vec::new())?;
    let user = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    tcsetwinsize(&user, SIZE)?;
    let screen = Screen {
        controller: controller.into(),
        drawing: Duration::ZERO,
    };
    Ok((screen, user))
}

impl Read for Screen {
    /// Reads what there is, once what was read before is drawn. The end comes when nobody has the terminal open any more.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.drawing >= LEAST_WAIT {
                thread::sleep(self.drawing);
                self.drawing = Duration::ZERO;
            }
            let length = match self.controller.read(buffer) {
                // Linux says so of the end.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => 0,
                read => read?,
            };
            self.drawing += Duration::from_nanos(NS_PER_BYTE * length as u64);
            let kept = without_returns(&mut buffer[..length]);
            if length == 0 || kept > 0 {
                return Ok(kept);
            }
        }
    }
}

/// Moves what is no carriage return to the front, and says how much that is: a terminal gets one before each line feed, and a log
/// has none.
fn without_returns(bytes: &mut [u8]) -> usize {
    let mut kept = 0;
    for at in 0..bytes.len() {
        if bytes[at] != b'\r' {
            bytes[kept] = bytes[at];
            kept += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn what_is_written_comes_without_returns_and_then_the_end() {
        let (mut screen, user) = open().expect("a terminal");
        assert!(rustix::termios::isatty(&user));
        let size = rustix::termios::tcgetwinsize(&user).expect("a size");
        assert_eq!((size.ws_row, size.ws_col), (24, 80));
        // More than the kernel holds, so the writer waits for the reader.
        let lines: String = (0..100_000).map(|n| format!("line {n}\n")).collect();
        let written = lines.clone();
        let writer = thread::spawn(move || File::from(user).write_all(written.as_bytes()));
        let mut read = String::new();
        screen.read_to_string(&mut read).expect("text, and an end");
        writer.join().expect("no panic").expect("written");
        assert!(read == lines, "{} of {} bytes", read.len(), lines.len());
    }

    #[test]
    fn terminal_without_its_reader_is_no_place_to_write() {
        let (screen, user) = open().expect("a terminal");
        drop(screen);
        let error = File::from(user).write_all(b"line").expect_err("it is gone");
        assert_eq!(error.raw_os_error(), Some(Errno::IO.raw_os_error()));
    }
}
