//! What packets of a service come to in a session.

use super::packet::{self, HEAD_BYTES, PROBE, Packet};
use super::polling::{Asked, Polling, SEPARATOR};
use crate::{Completions, Failure, RequestFailure, Response};
use std::collections::VecDeque;

/// The status with which a WebSocket is opened.
pub(super) const SWITCHED: u16 = 101;

/// What is known of the session of one connection.
#[derive(Debug, Clone)]
pub(super) struct Session<T> {
    pub(super) stage: Stage<T>,
    /// Events that wait for their acknowledgements, in the order in which they were sent.
    pub(super) awaited: VecDeque<(u64, T)>,
    /// The number of the next one.
    pub(super) next: u64,
    /// The packet with which the client leaves its namespace; empty where it stays.
    pub(super) leave: Box<[u8]>,
    /// The beginning of a message that comes in pieces.
    begun: Vec<u8>,
    in_message: bool,
    /// Messages to come that are attachments of the last packet.
    attachments: u64,
    pings: Pings,
    /// Packets that are to be sent.
    pub(super) to_say: Vec<Vec<u8>>,
    /// Why the connection cannot go on.
    pub(super) failure: Option<Failure>,
}

#[derive(Debug, Clone)]
pub(super) enum Stage<T> {
    /// Not opened, or of no use any more.
    Closed,
    /// The service has still to let the client in.
    Joining(Box<Joining<T>>),
    Joined,
}

#[derive(Debug, Clone)]
pub(super) struct Joining<T> {
    pub(super) token: T,
    /// What the client says once the session is open.
    pub(super) join: Vec<u8>,
    /// A session that begins by long polling.
    pub(super) polling: Option<Polling>,
}

/// When the service is to ping: so long after the session was opened, and after the response to each ping.
#[derive(Debug, Clone, Copy, Default)]
struct Pings {
    /// 0 where the service has not said so.
    interval_ns: u64,
    due_ns: u64,
}

/// Takes what the WebSocket hands on.
pub(super) struct Received<'a, T, C> {
    pub(super) session: &'a mut Session<T>,
    pub(super) completions: &'a mut C,
}

impl<T, C: Completions<T>> Received<'_, T, C> {
    /// A message, or the beginning of a long one.
    fn packet(&mut self, message: &[u8]) {
        let session = &mut *self.session;
        if session.attachments > 0 {
            session.attachments -= 1;
            return;
        }
        let Some((packet, attachments)) = packet::read(message) else {
            session.failure = Some(Failure::Malformed {
                reason: "a message that is no packet of Socket.IO".to_owned(),
            });
            return;
        };
        session.attachments = attachments;
        match packet {
            Packet::Open(handshake) => {
                session.pings.interval_ns = packet::ping_interval_ns(handshake);
                session.pings.due_ns = self.completions.now_ns() + session.pings.interval_ns;
                if let Stage::Joining(joining) = &mut session.stage {
                    let opened = joining.polling.as_mut().map(|polling| polling.opened(handshake));
                    session.failure = opened.and_then(Result::err);
                    session.to_say.push(std::mem::take(&mut joining.join));
                }
            }
            Packet::Ping(payload) => {
                session.to_say.push([b"3", payload].concat());
                let (pings, now_ns) = (&mut session.pings, self.completions.now_ns());
                if pings.interval_ns > 0 {
                    self.completions.pinged(now_ns.saturating_sub(pings.due_ns));
                    pings.due_ns = now_ns + pings.interval_ns;
                }
            }
            Packet::Connect => match &mut session.stage {
                Stage::Joining(joining) => match &mut joining.polling {
                    Some(polling) => polling.is_joined = true,
                    None => self.opened(),
                },
                Stage::Closed | Stage::Joined => {}
            },
            Packet::Probed => {
                if session.polling().is_some_and(|polling| polling.asked == Asked::Upgrade) {
                    session.to_say.push(b"5".to_vec());
                    self.opened();
                }
            }
            Packet::ConnectError(why) => {
                let reason = String::from_utf8_lossy(why).into();
                session.failure = Some(Failure::Refused { reason });
            }
            Packet::Disconnect => session.end("it put the client out of the namespace (DISCONNECT)"),
            Packet::Close => session.end("it ended the session of Engine.IO"),
            Packet::Acknowledgement(number) => {
                let place = session.awaited.iter().position(|(awaited, _)| *awaited == number);
                if let Some((_, token)) = place.and_then(|place| session.awaited.remove(place)) {
                    self.completions.response(&token, &Response::OF_MESSAGE);
                }
            }
            Packet::Other => {}
        }
    }
}

impl<T, C: Completions<T>> Received<'_, T, C> {
    /// The client is in its namespace, on a WebSocket.
    fn opened(&mut self) {
        if let Stage::Joining(joining) = std::mem::replace(&mut self.session.stage, Stage::Joined) {
            let response = Response::without_content(SWITCHED);
            self.completions.opened(&joining.token, &response);
        }
    }

    /// The content of the response to a poll, or a piece of it: packets.
    pub(super) fn packets(&mut self, content: &[u8], ends: bool) {
        let mut packets = content.split(|&byte| byte == SEPARATOR).peekable();
        while let Some(packet) = packets.next()
            && self.session.failure.is_none()
        {
            self.message(packet, ends || packets.peek().is_some());
        }
    }
}

impl<T> Session<T> {
    /// Of a connection on which nothing was said.
    pub(super) fn new() -> Self {
        Self {
            stage: Stage::Closed,
            awaited: VecDeque::new(),
            next: 0,
            leave: Box::default(),
            begun: Vec::new(),
            in_message: false,
            attachments: 0,
            pings: Pings::default(),
            to_say: Vec::new(),
            failure: None,
        }
    }

    /// What is known of long polling, where the client has begun by it and is not on a WebSocket yet.
    pub(super) fn polling(&self) -> Option<&Polling> {
        match &self.stage {
            Stage::Joining(joining) => joining.polling.as_ref(),
            Stage::Closed | Stage::Joined => None,
        }
    }

    /// The service ends it in order.
    pub(super) fn end(&mut self, reason: &str) {
        let reason = reason.into();
        self.failure = Some(Failure::Closed { code: None, reason });
    }
}

impl<T, C: Completions<T>> Completions<T> for Received<'_, T, C> {
    /// Only what opens a WebSocket has a response of its own. Where it is opened, the client has still to be let in, or to see whether the
    /// WebSocket can take over.
    fn response(&mut self, token: &T, response: &Response<'_>) {
        if response.status != SWITCHED {
            self.session.stage = Stage::Closed;
            self.completions.opened(token, response);
        } else if self.session.polling().is_some() {
            self.session.to_say.push([b"2", PROBE].concat());
        }
    }

    fn message(&mut self, piece: &[u8], ends: bool) {
        if matches!(self.session.stage, Stage::Joined) {
            self.completions.message(piece, ends);
        }
        // Of a long message the beginning is read alone, however it comes.
        let beginning = &piece[..piece.len().min(HEAD_BYTES)];
        if ends && !self.session.in_message {
            return self.packet(beginning);
        }
        let session = &mut *self.session;
        let room = HEAD_BYTES - session.begun.len();
        session.begun.extend_from_slice(&beginning[..beginning.len().min(room)]);
        session.in_message = !ends;
        if ends {
            let message = std::mem::take(&mut session.begun);
            self.packet(&message);
        }
    }

    fn keeps_beginning(&mut self, token: &T, status: u16) -> bool {
        self.completions.keeps_beginning(token, status)
    }

    fn failed(&mut self, token: &T, failure: &RequestFailure<'_>) {
        self.completions.failed(token, failure);
    }

    fn unseen(&mut self, token: &T, words: &str) {
        self.completions.unseen(token, words);
    }
}
