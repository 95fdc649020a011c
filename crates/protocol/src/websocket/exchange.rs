//! WebSocket whose messages have responses, behind the same face: a client around [`WebSocket`].
//!
//! A message has its response once all of the first message has come that brings its mark back on its connection. Messages are independent of
//! each other: whatever comes first, and however many wait. What else the service says is read and passed over, and so is a response that comes again, or late.

use super::client::{WebSocket, WebSocketRequest};
use crate::http1::LastHead;
use crate::mark::{Begun, Mark, MarkFinder};
use crate::{Came, Client, Completions, Failure, RequestFailure, Response, Standing, StreamEnd};
use std::collections::VecDeque;

/// The client side of one WebSocket whose messages have responses.
#[derive(Debug, Clone)]
pub struct Exchange<T> {
    web_socket: WebSocket<T>,
    awaited: Awaited<T>,
    at_once: u32,
    keep_alive: bool,
    /// A message was sent.
    is_used: bool,
}

impl<T> Exchange<T> {
    /// On a WebSocket of which nothing has come yet; so many messages wait for their responses at a time, and without `keep_alive` there is
    /// one at all.
    #[must_use]
    pub fn new(web_socket: WebSocket<T>, at_once: u32, keep_alive: bool) -> Self {
        Self {
            web_socket,
            awaited: Awaited::default(),
            at_once,
            keep_alive,
            is_used: false,
        }
    }

    /// Whether it has carried all that it is to carry.
    fn is_spent(&self) -> bool {
        self.is_used && !self.keep_alive && self.awaited.messages.is_empty()
    }
}

/// The messages that wait for their responses.
#[derive(Debug, Clone)]
struct Awaited<T> {
    /// In the order in which they were sent.
    messages: VecDeque<Message<T>>,
    /// How many of them have their mark back, in a message that has not ended yet.
    marked: usize,
    begun: Option<Begun>,
}

#[derive(Debug, Clone)]
struct Message<T> {
    mark: Mark,
    token: T,
    is_marked: bool,
}

impl<T> Default for Awaited<T> {
    fn default() -> Self {
        Self {
            messages: VecDeque::new(),
            marked: 0,
            begun: None,
        }
    }
}

impl<T> Awaited<T> {
    fn push(&mut self, mark: Mark, token: T) {
        self.messages.push_back(Message {
            mark,
            token,
            is_marked: false,
        });
    }

    /// Takes a piece of what the service says, and gives `responded` what has its response with it.
    fn take(&mut self, piece: &[u8], ends: bool, finder: &MarkFinder, mut responded: impl FnMut(&T)) {
        if self.messages.is_empty() {
            self.begun = None;
            return;
        }
        let (messages, marked) = (&mut self.messages, &mut self.marked);
        let found = |mark: &Mark| {
            // Mostly the first: services tend to respond in order.
            let place = messages.iter().position(|message| message.mark == *mark);
            match place {
                Some(place) if ends => {
                    if let Some(message) = messages.remove(place) {
                        *marked -= usize::from(message.is_marked);
                        responded(&message.token);
                    }
                }
                Some(place) => *marked += usize::from(!std::mem::replace(&mut messages[place].is_marked, true)),
                None => {}
            }
        };
        match self.begun {
            None if ends => finder.find_in(piece, found),
            begun => self.begun = finder.find(begun, piece, found).filter(|_| !ends),
        }
        if ends && self.marked > 0 {
            self.marked = 0;
            self.messages.retain(|message| {
                if message.is_marked {
                    responded(&message.token);
                }
                !message.is_marked
            });
        }
    }

    /// Takes out the message that has waited longest.
    fn give_up(&mut self) -> Option<T> {
        let message = self.messages.pop_front()?;
        self.marked -= usize::from(message.is_marked);
        Some(message.token)
    }
}

/// What the connections to one service have in common.
#[derive(Debug, Default)]
pub struct ExchangeShared {
    last_head: LastHead,
    finder: MarkFinder,
}

/// Takes what the WebSocket hands on.
struct Received<'a, T, C> {
    awaited: &'a mut Awaited<T>,
    finder: &'a MarkFinder,
    completions: &'a mut C,
}

impl<T, C: Completions<T>> Completions<T> for Received<'_, T, C> {
    /// Only what opens a WebSocket has a response of its own.
    fn response(&mut self, token: &T, response: &Response<'_>) {
        self.completions.opened(token, response);
    }

    #[inline]
    fn message(&mut self, piece: &[u8], ends: bool) {
        let completions = &mut *self.completions;
        self.awaited.take(piece, ends, self.finder, |token| {
            completions.response(token, &Response::OF_MESSAGE);
        });
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

impl<T: Copy> Client for Exchange<T> {
    type Request = WebSocketRequest;
    type Token = T;
    type Shared = ExchangeShared;

    const NAME: &'static str = WebSocket::<T>::NAME;
    const INDEPENDENT: bool = true;
    const OPENED_BY_REQUEST: bool = true;

    fn open(&mut self, out: &mut Vec<u8>) {
        self.web_socket.open(out);
    }

    fn start<'v>(
        &mut self,
        request: &WebSocketRequest,
        value: impl Fn(usize) -> &'v [u8],
        token: T,
        out: &mut Vec<u8>,
    ) {
        if let WebSocketRequest::Message(layout) = request
            && let Some(mark) = layout.mark().and_then(|variable| value(variable).first_chunk())
        {
            self.awaited.push(*mark, token);
            self.is_used = true;
        }
        self.web_socket.start(request, value, token, out);
    }

    fn capacity(&self) -> u32 {
        match self.web_socket.capacity() {
            0 => 0,
            _ if self.is_used && !self.keep_alive => 0,
            _ => self.at_once.saturating_sub(self.awaited.messages.len() as u32),
        }
    }

    fn in_flight(&self) -> u32 {
        self.web_socket.in_flight() + self.awaited.messages.len() as u32
    }

    fn oldest(&self) -> Option<&T> {
        let awaited = self.awaited.messages.front().map(|message| &message.token);
        self.web_socket.oldest().or(awaited)
    }

    #[inline]
    fn receive(
        &mut self,
        bytes: &[u8],
        shared: &mut ExchangeShared,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        let mut received = Received {
            awaited: &mut self.awaited,
            finder: &shared.finder,
            completions,
        };
        let standing = self
            .web_socket
            .receive(bytes, &mut shared.last_head, out, &mut received)?;
        if standing == Standing::Open && self.is_spent() {
            self.web_socket.close(out);
            return Ok(Standing::Leaving);
        }
        Ok(standing)
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        if self.is_spent() {
            return Ok(());
        }
        let mut received = Received {
            awaited: &mut self.awaited,
            // No message comes any more.
            finder: &MarkFinder::default(),
            completions,
        };
        self.web_socket.end_of_stream(end, &mut received)?;
        match self.awaited.messages.is_empty() {
            true => Ok(()),
            false => Err(Failure::CutOff),
        }
    }

    fn give_up(&mut self, out: &mut Vec<u8>) -> Option<T> {
        let opening = self.web_socket.give_up(out);
        let given_up = opening.or_else(|| self.awaited.give_up());
        if self.is_spent() {
            self.web_socket.close(out);
        }
        given_up
    }

    fn came(&self) -> Came {
        self.web_socket.came()
    }

    fn beginning(&self) -> &[u8] {
        self.web_socket.beginning()
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
