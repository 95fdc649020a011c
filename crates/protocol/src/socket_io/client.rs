//! Socket.IO behind the face that all protocols have.

use super::polling::{Asked, Polling};
use super::request::{Beginning, NUMBER, SocketIoRequest};
use super::session::{Joining, Received, Session, Stage};
use crate::http1::LastHead;
use crate::request::push_decimal;
use crate::websocket::WebSocket;
use crate::{Came, Client, Completions, Failure, Response, Standing, StreamEnd};

/// The status of all responses to polls and to what is said.
const OK: u16 = 200;

/// The client side of one connection of Socket.IO.
#[derive(Debug, Clone)]
pub struct SocketIo<T> {
    web_socket: WebSocket<T>,
    session: Session<T>,
    at_once: u32,
    keep_alive: bool,
}

impl<T> SocketIo<T> {
    /// On a WebSocket of which nothing has come yet; so many events wait for their acknowledgements at a time, and without `keep_alive`
    /// there is one at all.
    #[must_use]
    pub fn new(web_socket: WebSocket<T>, at_once: u32, keep_alive: bool) -> Self {
        Self {
            web_socket,
            session: Session::new(),
            at_once,
            keep_alive,
        }
    }

    /// Whether it has carried an event, and is to carry no other one.
    fn is_used(&self) -> bool {
        !self.keep_alive && self.session.next > 0
    }

    /// Whether it has carried all that it is to carry.
    fn is_spent(&self) -> bool {
        self.is_used() && self.session.awaited.is_empty()
    }
}

impl<T: Copy> SocketIo<T> {
    /// Leaves the namespace, and closes the WebSocket.
    fn close(&mut self, out: &mut Vec<u8>) {
        if self.web_socket.capacity() > 0 {
            self.web_socket.say(&self.session.leave, out);
            self.web_socket.close(out);
        }
    }

    /// Reads a response of long polling, and asks for what comes next. Gives what is behind the last one where the WebSocket has taken
    /// over.
    fn poll<'b>(
        &mut self,
        mut bytes: &'b [u8],
        last_head: &mut LastHead,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Result<&'b [u8], Standing>, Failure> {
        let mut content = Vec::new();
        while let Stage::Joining(joining) = &mut self.session.stage
            && let Joining {
                token,
                polling: Some(polling),
                ..
            } = &mut **joining
            && polling.asked != Asked::Upgrade
        {
            content.clear();
            let (asked, reader) = (polling.asked, &mut polling.reader);
            let keeps = |status| status != OK && completions.keeps_beginning(token, status);
            let take = |piece: &[u8]| content.extend_from_slice(piece);
            let whole = reader
                .feed_whole(bytes, last_head, keeps, take)
                .map_err(|malformed| Failure::Malformed {
                    reason: malformed.to_string(),
                })?;
            let Some(whole) = whole else {
                let is_ok = matches!(reader.came(), Came::Body { status: OK, .. });
                if is_ok && asked == Asked::Packets && !content.is_empty() {
                    self.received(completions).packets(&content, false);
                }
                return Ok(Err(Standing::Open));
            };
            let (consumed, goes_on) = (whole.consumed, whole.completed.keep_alive);
            if whole.completed.status != OK {
                completions.opened(token, &whole.response);
                self.session.stage = Stage::Closed;
                return Ok(Err(match goes_on {
                    true => Standing::Closing,
                    false => Standing::Open,
                }));
            }
            if asked == Asked::Packets {
                self.received(completions).packets(&content, true);
            }
            if !goes_on && self.session.failure.is_none() {
                self.session.end(
                    "it ends the connection after each response of long polling, so that none can become the WebSocket",
                );
            }
            if let Some(failure) = self.session.failure.take() {
                return Err(failure);
            }
            let to_say = std::mem::take(&mut self.session.to_say);
            if let Stage::Joining(joining) = &mut self.session.stage
                && let Some(polling) = &mut joining.polling
            {
                polling.go_on(&to_say, out)?;
            }
            bytes = &bytes[consumed..];
            if bytes.is_empty() {
                return Ok(Err(Standing::Open));
            }
        }
        Ok(Ok(bytes))
    }

    fn end_of_polling(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        if let Stage::Joining(joining) = &mut self.session.stage
            && let Some(polling) = &mut joining.polling
        {
            let beginning = polling.reader.beginning().to_vec();
            let completed = polling.reader.ended_by(end)?;
            if completed.status == OK {
                return Err(Failure::CutOff);
            }
            let response = Response {
                status: completed.status,
                bytes: &beginning,
                in_one_piece: false,
            };
            completions.opened(&joining.token, &response);
            self.session.stage = Stage::Closed;
        }
        Ok(())
    }

    fn received<'a, C>(&'a mut self, completions: &'a mut C) -> Received<'a, T, C> {
        Received {
            session: &mut self.session,
            completions,
        }
    }

    /// Long polling, while it goes on.
    fn polling(&self) -> Option<&Polling> {
        self.session.polling().filter(|polling| polling.asked != Asked::Upgrade)
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
                let web_socket = &mut self.web_socket;
                let polling = match &opening.beginning {
                    Beginning::WebSocket(opening) => {
                        web_socket.begin(opening, value, token, out);
                        None
                    }
                    Beginning::Upgrade(layout) => Some(Polling::begin(layout, value, web_socket, token, out)),
                };
                if !self.keep_alive {
                    self.session.leave.clone_from(&opening.leave);
                }
                self.session.stage = Stage::Joining(Box::new(Joining { token, join, polling }));
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
                self.web_socket.send(&event.message, value, out);
            }
        }
    }

    fn capacity(&self) -> u32 {
        match self.session.stage {
            Stage::Joined if self.web_socket.capacity() > 0 && !self.is_used() => {
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
        let bytes = match self.poll(bytes, last_head, out, completions)? {
            Ok(bytes) => bytes,
            Err(standing) => return Ok(standing),
        };
        let session = &mut self.session;
        let mut received = Received { session, completions };
        let standing = self.web_socket.receive(bytes, last_head, out, &mut received)?;
        for packet in self.session.to_say.drain(..) {
            self.web_socket.say(&packet, out);
        }
        match self.session.failure.take() {
            // One that the service closes as well has carried what it was for.
            None | Some(Failure::Closed { .. }) if self.is_spent() => {
                self.close(out);
                Ok(Standing::Leaving)
            }
            None => Ok(standing),
            Some(failure) => Err(failure),
        }
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        if self.is_spent() {
            return Ok(());
        }
        if self.polling().is_some() {
            return self.end_of_polling(end, completions);
        }
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
                let given_up = self.session.awaited.pop_front().map(|(_, token)| token);
                if self.is_spent() {
                    self.close(out);
                }
                given_up
            }
        }
    }

    fn came(&self) -> Came {
        match self.polling() {
            Some(polling) => polling.reader.came(),
            None => self.web_socket.came(),
        }
    }

    fn beginning(&self) -> &[u8] {
        match self.polling() {
            Some(polling) => polling.reader.beginning(),
            None => self.web_socket.beginning(),
        }
    }

    fn idle_limit_ns(&self) -> u64 {
        match self.is_spent() {
            true => 0,
            false => self.web_socket.idle_limit_ns(),
        }
    }
}

#[cfg(test)]
mod tests;
