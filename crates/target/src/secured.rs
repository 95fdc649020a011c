//! TLS over a connection that is open, for one request.

use crate::health::{Found, Stream, hasten, is_early};
use plimsoll_tls::{Connector, Failure};
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// A session on a stream. Its reads end at once where the stream has nothing, as the reads of the stream do.
pub(crate) struct Secured<'a> {
    stream: &'a mut dyn Stream,
    session: plimsoll_tls::Session,
    established: bool,
    ended: bool,
    /// The beginning of a record.
    incoming: Vec<u8>,
    /// Opened, and not read yet.
    plain: Vec<u8>,
}

impl<'a> Secured<'a> {
    /// Makes a session, until `deadline` or as long as `go_on` says so.
    pub(crate) fn establish(
        stream: &'a mut dyn Stream,
        connector: &Connector,
        deadline: Instant,
        go_on: &impl Fn() -> bool,
    ) -> Result<Self, Found> {
        hasten(stream)?;
        let begun = Instant::now();
        let mut secured = Self {
            stream,
            session: connector.session(),
            established: false,
            ended: false,
            incoming: Vec::new(),
            plain: Vec::new(),
        };
        let mut hello = Vec::new();
        secured.session.begin(&mut hello).map_err(refused)?;
        secured
            .stream
            .write_all(&hello)
            .map_err(|error| Found::talking(&error))?;
        while !secured.established {
            if Instant::now() >= deadline || !go_on() {
                return Err(Found::Shaking(begun.elapsed()));
            }
            match secured.gather() {
                Ok(0) => return Err(Found::NoHandshake),
                Ok(_) => {}
                Err(Broken::Stream(error)) if is_early(&error) => {}
                Err(Broken::Stream(error)) => return Err(Found::talking(&error)),
                Err(Broken::Session(failure)) => return Err(refused(failure)),
            }
        }
        Ok(secured)
    }

    /// Takes what has come on the stream; how many bytes, 0 at its end.
    fn gather(&mut self) -> Result<usize, Broken> {
        let mut chunk = [0; 4096];
        let length = self.stream.read(&mut chunk).map_err(Broken::Stream)?;
        self.incoming.extend_from_slice(&chunk[..length]);
        let mut wire = Vec::new();
        let received = self.session.receive(&mut self.incoming, &mut self.plain, &mut wire);
        // An alert goes out as well.
        self.stream.write_all(&wire).map_err(Broken::Stream)?;
        let received = received.map_err(Broken::Session)?;
        self.incoming.drain(..received.used);
        self.established |= received.established.is_some();
        self.ended |= received.ended;
        Ok(length)
    }
}

fn refused(failure: Failure) -> Found {
    Found::Handshake(Box::new(failure))
}

/// Why nothing was taken.
enum Broken {
    Stream(io::Error),
    Session(Failure),
}

impl Read for Secured<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.plain.is_empty() && !self.ended {
            match self.gather() {
                Ok(0) => self.ended = true,
                Ok(_) => {}
                Err(Broken::Stream(error)) => return Err(error),
                Err(Broken::Session(failure)) => return Err(io::Error::other(failure)),
            }
        }
        let length = self.plain.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.plain[..length]);
        self.plain.drain(..length);
        Ok(length)
    }
}

impl Write for Secured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut wire = Vec::new();
        self.session.seal(bytes, &mut wire);
        self.stream.write_all(&wire)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Secured<'_> {
    fn set_timeouts(&self, read: Duration, write: Duration) -> io::Result<()> {
        self.stream.set_timeouts(read, write)
    }
}
