//! Writing whole texts to streams that others opened, standard output and standard error above all.
//!
//! Whoever started this program may have made them non-blocking: a pipe that is full refuses then instead of making us wait.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::io;
use std::time::Duration;

/// Writes all of it. Waits for a reader that is slow; where the stream does not block, no longer than what is `left` each
/// time it is asked, and without an end where that is `None`.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] when nothing is left, else when it cannot be written.
pub fn write_all(stream: impl AsFd, mut bytes: &[u8], left: impl Fn() -> Option<Duration>) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(&stream, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => bytes = &bytes[length..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(&stream, left())?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Until it takes more; a reader that goes is seen by whoever writes next.
fn wait(stream: &impl AsFd, left: Option<Duration>) -> io::Result<()> {
    if left.is_some_and(|left| left.is_zero()) {
        return Err(io::ErrorKind::TimedOut.into());
    }
    let timeout = left.and_then(|left| Timespec::try_from(left).ok());
    match poll(&mut [PollFd::new(stream, PollFlags::OUT)], timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::io::Read as _;
    use std::os::unix::net::UnixStream;
    use std::thread;

    #[test]
    fn a_full_stream_that_does_not_block_is_waited_for() {
        let (ours, mut theirs) = UnixStream::pair().expect("a pair");
        ours.set_nonblocking(true).expect("set");
        let text = vec![b'x'; 4 << 20];
        let read = thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut read = Vec::new();
                theirs.read_to_end(&mut read).expect("read");
                read
            });
            write_all(&ours, &text, || None).expect("written");
            drop(ours);
            reader.join().expect("read")
        });
        assert_eq!(read.len(), text.len());
    }

    #[test]
    fn patience_ends_and_so_does_a_stream() {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        ours.set_nonblocking(true).expect("set");
        let text = vec![b'x'; 4 << 20];
        let left = Cell::new(Duration::from_millis(10));
        let error = write_all(&ours, &text, || Some(left.take())).expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
        let error = write_all(&ours, &text, || None).expect_err("nobody is there");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
