//! HTTP/2 behind the face that all protocols have.

use super::connection::Connection;
use super::connection_error::ConnectionError;
use super::request_layout::RequestLayout;
use super::responses::Common;
use crate::{Came, Client, Completions, Failure, Standing, StreamEnd};

/// For how long a connection without a request is used again. Services that close one which is idle say so before (GOAWAY), and
/// requests that cross that are sent again, so this only keeps connections from growing old.
const IDLE_LIMIT_NS: u64 = 60_000_000_000;

/// The client side of one HTTP/2 connection.
///
/// Small until the connection stands, because there may be many.
#[derive(Debug, Clone)]
pub struct Http2<T> {
    connection: Option<Box<Connection<T>>>,
    streams: u32,
    keep_alive: bool,
}

impl<T: Copy> Http2<T> {
    /// For connections that carry at most `streams` requests at a time, and without `keep_alive` one at all.
    #[must_use]
    pub fn new(streams: u32, keep_alive: bool) -> Self {
        Self {
            connection: None,
            streams,
            keep_alive,
        }
    }
}

#[cold]
fn malformed(error: &ConnectionError) -> Failure {
    Failure::Malformed {
        reason: error.to_string(),
    }
}

impl<T: Copy> Client for Http2<T> {
    type Request = RequestLayout;
    type Token = T;
    type Shared = Common;

    const NAME: &'static str = "HTTP/2";
    const INDEPENDENT: bool = true;

    fn open(&mut self, out: &mut Vec<u8>) {
        self.connection = Some(Box::new(Connection::begin(!self.keep_alive, out)));
    }

    #[inline]
    fn start<'v>(&mut self, request: &RequestLayout, value: impl Fn(usize) -> &'v [u8], token: T, out: &mut Vec<u8>) {
        debug_assert!(self.capacity() > 0, "no request may be started");
        if let Some(connection) = &mut self.connection {
            connection.start(request, &value, token, out);
        }
    }

    #[inline]
    fn capacity(&self) -> u32 {
        let connection = self.connection.as_ref();
        connection.map_or(0, |connection| connection.capacity(self.streams))
    }

    #[inline]
    fn in_flight(&self) -> u32 {
        self.connection.as_ref().map_or(0, |connection| connection.in_flight())
    }

    #[inline]
    fn oldest(&self) -> Option<&T> {
        self.connection.as_ref()?.oldest()
    }

    #[inline]
    fn receive(
        &mut self,
        bytes: &[u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        let Some(connection) = &mut self.connection else {
            return Err(Failure::Unrequested { bytes: bytes.len() });
        };
        connection.receive(bytes, common, out, completions).map_err(|error| {
            connection.die(&error, out);
            malformed(&error)
        })
    }

    fn end_of_stream(&mut self, _end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        if connection.in_flight() == 0 {
            return Ok(());
        }
        connection.end(completions).map_err(|error| malformed(&error))?;
        match connection.in_flight() {
            0 => Ok(()),
            _ => Err(Failure::CutOff),
        }
    }

    fn give_up(&mut self, out: &mut Vec<u8>) -> Option<T> {
        self.connection.as_mut()?.give_up(out)
    }

    fn came(&self) -> Came {
        self.connection
            .as_ref()
            .map_or(Came::Nothing, |connection| connection.came())
    }

    fn farewell(&self) -> Option<&str> {
        self.connection.as_ref()?.farewell()
    }

    fn beginning(&self) -> &[u8] {
        self.connection
            .as_ref()
            .map_or(&[], |connection| connection.beginning())
    }

    #[inline]
    fn idle_limit_ns(&self) -> u64 {
        match &self.connection {
            // A connection on which no request can be started is of no use.
            Some(connection) if connection.is_worn() => 0,
            _ => IDLE_LIMIT_NS,
        }
    }
}
