//! Socket.IO behind the face that all protocols have.

use super::packet::{self, HEAD_BYTES, Packet};
use super::request::{NUMBER, SocketIoRequest};
use crate::http1::LastHead;
use crate::request::push_decimal;
use crate::websocket::WebSocket;
use crate::{Came, Client, Completions, Failure, RequestFailure, Response, Standing, StreamEnd};
use std::collections::VecDeque;

/// The status with which a WebSocket is opened.
const SWITCHED: u16 = 101;

/// The client side of one connection of Socket.IO.
#[derive(Debug, Clone)]
pub struct SocketIo<T> {
    web_socket: WebSocket<T>,
    session: Session<T>,
    at_once: u32,
}

#[derive(Debug, Clone)]
struct Session<T> {
    stage: Stage<T>,
    /// Events that wait for their acknowledgements, in the order in which they were sent.
    awaited: VecDeque<(u64, T)>,
    /// The number of the next one.
    next: u64,
    /// The beginning of a message that comes in pieces.
    begun: Vec<u8>,
    in_message: bool,
    /// Messages to come that are attachments of the last packet.
    attachments: u64,
    /// Packets that are to be sent.
    to_say: Vec<Vec<u8>>,
    /// Why the connection cannot go on.
    failure: Option<Failure>,
}

#[derive(Debug, Clone)]
enum Stage<T> {
    /// Not opened, or of no use any more.
    Closed,
    /// The service has still to let the client in.
    Joining(Box<Joining<T>>),
    Joined,
}

#[derive(Debug, Clone)]
struct Joining<T> {
    token: T,
    /// What the client says once the session is open.
    join: Vec<u8>,
}

impl<T> SocketIo<T> {
    /// On a WebSocket of which nothing has come yet; so many events wait for their acknowledgements at a time.
    #[must_use]
    pub fn new(web_socket: WebSocket<T>, at_once: u32) -> Self {
        Self {
            web_socket,
            session: Session {
                stage: Stage::Closed,
                awaited: VecDeque::new(),
                next: 0,
                begun: Vec::new(),
                in_message: false,
                attachments: 0,
                to_say: Vec::new(),
                failure: None,
            },
            at_once,
        }
    }
}

/// Takes what the WebSocket hands on.
struct Received<'a, T, C> {
    session: &'a mut Session<T>,
    completions: &'a mut C,
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
            Packet::Open => {
                if let Stage::Joining(joining) = &mut session.stage {
                    session.to_say.push(std::mem::take(&mut joining.join));
                }
            }
            Packet::Ping(payload) => session.to_say.push([b"3", payload].concat()),
            Packet::Connect => match std::mem::replace(&mut session.stage, Stage::Joined) {
                Stage::Joining(joining) => self
                    .completions
                    .opened(&joining.token, &Response::without_content(SWITCHED)),
                stage => session.stage = stage,
            },
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

impl<T> Session<T> {
    /// The service ends it in order.
    fn end(&mut self, reason: &str) {
        let reason = reason.into();
        self.failure = Some(Failure::Closed { code: None, reason });
    }
}

impl<T, C: Completions<T>> Completions<T> for Received<'_, T, C> {
    /// Only what opens a WebSocket has a response of its own. Where it is opened, the client has still to be let in.
    fn response(&mut self, token: &T, response: &Response<'_>) {
        if response.status != SWITCHED {
            self.session.stage = Stage::Closed;
            self.completions.opened(token, response);
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

impl<T: Copy> Client for SocketIo<T> {
    type Request = SocketIoRequest;
    type Token = T;
    type Shared = LastHead;

    const NAME: &'static str = "Socket.IO";
    const INDEPENDENT: bool = true;
    const OPENED_BY_REQUEST: bool = true;

    fn open(&mut self, out: &mut Vec<u8>) {
        self.web_socket.open(out);
    }

    fn start<'v>(&mut self, request: &SocketIoRequest, value: impl Fn(usize) -> &'v [u8], token: T, out: &mut Vec<u8>) {
        match request {
            SocketIoRequest::Opening(opening) => {
                let mut join = Vec::new();
                opening.join.append(&value, &mut join);
                self.session.stage = Stage::Joining(Box::new(Joining { token, join }));
                self.web_socket.start(&opening.opening, value, token, out);
            }
            SocketIoRequest::Event(event) => {
                let mut number = Vec::new();
                if event.asks {
                    push_decimal(self.session.next as usize, &mut number);
                    self.session.awaited.push_back((self.session.next, token));
                    self.session.next += 1;
                }
                let value = |variable| match variable {
                    NUMBER => number.as_slice(),
                    _ => value(variable),
                };
                self.web_socket.start(&event.message, value, token, out);
            }
        }
    }

    fn capacity(&self) -> u32 {
        match self.session.stage {
            Stage::Joined if self.web_socket.capacity() > 0 => {
                self.at_once.saturating_sub(self.session.awaited.len() as u32)
            }
            _ => 0,
        }
    }

    fn in_flight(&self) -> u32 {
        let joining = matches!(self.session.stage, Stage::Joining(_));
        u32::from(joining) + self.session.awaited.len() as u32
    }

    fn oldest(&self) -> Option<&T> {
        match &self.session.stage {
            Stage::Joining(joining) => Some(&joining.token),
            _ => self.session.awaited.front().map(|(_, token)| token),
        }
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        last_head: &mut LastHead,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        let session = &mut self.session;
        let mut received = Received { session, completions };
        let standing = self.web_socket.receive(bytes, last_head, out, &mut received)?;
        for packet in self.session.to_say.drain(..) {
            self.web_socket.say(&packet, out);
        }
        match self.session.failure.take() {
            None => Ok(standing),
            Some(failure) => Err(failure),
        }
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        let session = &mut self.session;
        let mut received = Received { session, completions };
        self.web_socket.end_of_stream(end, &mut received)?;
        match self.in_flight() {
            0 => Ok(()),
            _ => Err(Failure::CutOff),
        }
    }

    fn give_up(&mut self, out: &mut Vec<u8>) -> Option<T> {
        match std::mem::replace(&mut self.session.stage, Stage::Closed) {
            Stage::Joining(joining) => {
                self.web_socket.give_up(out);
                Some(joining.token)
            }
            stage => {
                self.session.stage = stage;
                self.session.awaited.pop_front().map(|(_, token)| token)
            }
        }
    }

    fn came(&self) -> Came {
        self.web_socket.came()
    }

    fn beginning(&self) -> &[u8] {
        self.web_socket.beginning()
    }

    fn idle_limit_ns(&self) -> u64 {
        self.web_socket.idle_limit_ns()
    }
}

#[cfg(test)]
mod tests;
