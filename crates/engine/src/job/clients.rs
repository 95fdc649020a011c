//! How a job speaks to its service: the client that each connection begins with.

use super::Job;
use crate::laid_out::LaidOut;
use plimsoll_plan::{Load, Park};
use plimsoll_protocol::http1::Http1;
use plimsoll_protocol::http2::Http2;
use plimsoll_protocol::socket_io::SocketIo;
use plimsoll_protocol::websocket::{Exchange, Keys, WebSocket};

/// Requests in flight on one connection of HTTP/2, where nobody says how many and they are not made by users: as many as most
/// services allow (RFC 9113, section 6.5.2).
const STREAMS: u32 = 100;

impl Job {
    /// Requests that a connection takes at a time.
    pub(super) fn at_once(&self) -> u32 {
        match (&self.requests, &self.load) {
            _ if !self.connections.keep_alive || self.connections.per_user => 1,
            (LaidOut::Http2(_), Load::Hold(hold)) if hold.park == Park::Request => {
                self.connections.streams.unwrap_or(1)
            }
            (_, Load::Hold(_)) => 1,
            (LaidOut::Http1(_) | LaidOut::Exchange(_) | LaidOut::SocketIo(_), _) => self.connections.pipelining.max(1),
            (LaidOut::WebSocket(_), _) => 1,
            (LaidOut::Http2(_), Load::Open(_)) => self.connections.streams.unwrap_or(STREAMS),
            (LaidOut::Http2(_), Load::Closed(_)) => self.connections.streams.unwrap_or(1),
        }
    }

    /// What is held is held by keep-alive.
    pub(super) fn keep_alive(&self) -> bool {
        self.connections.keep_alive || matches!(self.load, Load::Hold(_))
    }

    /// A client of HTTP/1.1.
    pub(super) fn http1<T: Copy + Default>(&self) -> Http1<T> {
        Http1::new(self.at_once().min(u16::MAX.into()) as u16, self.keep_alive())
    }

    /// A client of HTTP/2.
    pub(super) fn http2<T: Copy>(&self) -> Http2<T> {
        Http2::new(self.at_once(), self.keep_alive())
    }

    /// A client of WebSocket.
    pub(super) fn web_socket<T: Copy>(&self) -> WebSocket<T> {
        WebSocket::new(Keys::new(self.seed ^ self.zero_ns))
    }

    /// A client of WebSocket whose messages have responses.
    pub(super) fn exchange<T: Copy>(&self) -> Exchange<T> {
        Exchange::new(self.web_socket(), self.at_once(), self.keep_alive())
    }

    /// A client of Socket.IO.
    pub(super) fn socket_io<T: Copy>(&self) -> SocketIo<T> {
        SocketIo::new(self.web_socket(), self.at_once(), self.keep_alive())
    }
}
