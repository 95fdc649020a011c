//! WebSocket behind the face that all protocols have.

use super::close_code::CloseCode;
use super::frame::{FrameKind, write_frame};
use super::frame_reader::{FrameReader, Incoming};
use super::handshake::{self, Key, Opening};
use super::message::MessageLayout;
use crate::http1::{LastHead, ResponseReader, Whole};
use crate::{Came, Client, Completions, Failure, Response, Standing, StreamEnd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is sent on a WebSocket.
#[derive(Debug, Clone)]
pub enum WebSocketRequest {
    /// The opening handshake, once and before all else.
    Opening(Opening),
    /// A message, which has no response.
    Message(MessageLayout),
}

/// Where the connections of one generator have their keys from. Each is used once. They keep caches out (RFC 6455, section 10.3) and
/// are no secrets, so that they need not be unpredictable here.
#[derive(Debug)]
pub struct Keys {
    seed: u64,
    drawn: AtomicU64,
}

impl Keys {
    /// Those that follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self {
            seed,
            drawn: AtomicU64::new(0),
        })
    }

    fn draw(&self) -> [u8; 16] {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        let (high, low) = (mixed(self.seed ^ mixed(number)), mixed(self.seed.wrapping_add(number)));
        (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
    }
}

/// Spreads the bits of a number over all of them (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA
/// 2014).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The client side of one WebSocket.
#[derive(Debug, Clone)]
pub struct WebSocket<T> {
    keys: Arc<Keys>,
    /// State of what makes masks.
    masks: u32,
    stage: Stage<T>,
}

#[derive(Debug, Clone)]
enum Stage<T> {
    /// Nothing was said.
    Fresh,
    /// The response to the opening handshake is awaited.
    Opening(Box<Handshake<T>>),
    Open(FrameReader),
    /// The service has closed it, and said why.
    Closed(Option<CloseCode>, Box<str>),
    /// The service has refused it, the client has closed it, or it cannot be used any further.
    Over,
}

#[derive(Debug, Clone)]
struct Handshake<T> {
    token: T,
    key: Key,
    protocols: Option<Vec<String>>,
    offers_deflate: bool,
    reader: ResponseReader,
}

const _: () = assert!(size_of::<WebSocket<[u64; 4]>>() <= 96, "a million connections must fit");

impl<T> WebSocket<T> {
    /// For a connection of which nothing has come yet.
    #[must_use]
    pub fn new(keys: Arc<Keys>) -> Self {
        Self {
            keys,
            masks: 0,
            stage: Stage::Fresh,
        }
    }
}

/// The next mask. It keeps what a script says from being taken for HTTP by a proxy (RFC 6455, section 10.3); here nobody's script
/// speaks, so that it has to be no more than different each time.
fn next_mask(state: &mut u32) -> [u8; 4] {
    *state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let bits = (*state >> ((*state >> 28) + 4) ^ *state).wrapping_mul(277_803_737);
    ((bits >> 22) ^ bits).to_be_bytes()
}

/// Writes a control frame, or a message of one frame.
fn write_whole(kind: FrameKind, payload: &[u8], masks: &mut u32, out: &mut Vec<u8>) {
    let append = |out: &mut Vec<u8>| out.extend_from_slice(payload);
    write_frame(kind, payload.len(), next_mask(masks), append, out);
}

fn malformed_by(fault: &impl ToString) -> Failure {
    Failure::Malformed {
        reason: fault.to_string(),
    }
}

impl<T: Copy> WebSocket<T> {
    /// Asks for the connection to be opened.
    pub(crate) fn begin<'v>(
        &mut self,
        opening: &Opening,
        value: impl Fn(usize) -> &'v [u8],
        token: T,
        out: &mut Vec<u8>,
    ) {
        let bytes = self.keys.draw();
        self.masks = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let key = handshake::key(bytes);
        opening.encode(&key, value, out);
        self.stage = Stage::Opening(Box::new(Handshake {
            token,
            key,
            protocols: opening.protocols().map(<[String]>::to_vec),
            offers_deflate: opening.offers_deflate(),
            reader: ResponseReader::expecting(opening.kind()),
        }));
    }

    /// Sends a message, on an open connection.
    pub(crate) fn send<'v>(&mut self, layout: &MessageLayout, value: impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        layout.encode(value, next_mask(&mut self.masks), out);
    }

    /// Sends a text that is no request, on an open connection.
    pub(crate) fn say(&mut self, text: &[u8], out: &mut Vec<u8>) {
        write_whole(FrameKind::Text, text, &mut self.masks, out);
    }

    /// Closes it in order (RFC 6455, section 7.1.2), if it is open. What still comes says nothing, and it is for the service to end the
    /// connection.
    pub(crate) fn close(&mut self, out: &mut Vec<u8>) {
        if matches!(self.stage, Stage::Open(_)) {
            let code = CloseCode::NORMAL.get().to_be_bytes();
            write_whole(FrameKind::Close, &code, &mut self.masks, out);
            self.stage = Stage::Over;
        }
    }

    /// Reads on in the response to the opening handshake. Gives what is behind it once it has opened the connection.
    fn shake_hands<'b>(
        &mut self,
        bytes: &'b [u8],
        last_head: &mut LastHead,
        completions: &mut impl Completions<T>,
    ) -> Result<Result<&'b [u8], Standing>, Failure> {
        let Stage::Opening(handshake) = &mut self.stage else {
            return Ok(Err(Standing::Open));
        };
        let Handshake {
            token,
            key,
            protocols,
            offers_deflate,
            reader,
        } = &mut **handshake;
        let keeps = |status| completions.keeps_beginning(token, status);
        let Whole {
            consumed,
            completed,
            response,
        } = match reader.feed_whole(bytes, last_head, keeps, |_| {}) {
            Err(malformed) => return Err(malformed_by(&malformed)),
            Ok(None) => return Ok(Err(Standing::Open)),
            Ok(Some(whole)) => whole,
        };
        if response.status == 101 {
            let agreed = handshake::check(response.bytes, key, protocols.as_deref(), *offers_deflate)
                .map_err(|reason| Failure::Malformed { reason })?;
            completions.response(token, &response);
            self.stage =
                Stage::Open(agreed.map_or_else(FrameReader::default, |agreed| FrameReader::inflating(agreed.keeps)));
            Ok(Ok(&bytes[consumed..]))
        } else {
            completions.response(token, &response);
            self.stage = Stage::Over;
            // A service that says that it ends the connection is left the time to: not every one bears a reset there.
            Ok(Err(match completed.keep_alive {
                true => Standing::Closing,
                false => Standing::Open,
            }))
        }
    }

    fn frames(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        let Stage::Open(reader) = &mut self.stage else {
            // What comes behind a close says nothing.
            return Ok(Standing::Open);
        };
        let mut closed = None;
        let masks = &mut self.masks;
        let fed = reader.feed(bytes, |incoming| match incoming {
            Incoming::Piece { bytes, ends } => completions.message(bytes, ends),
            Incoming::Ping(payload) => write_whole(FrameKind::Pong, payload, masks, out),
            Incoming::Close { code, reason } => {
                let echo = code.map(|code| code.get().to_be_bytes());
                let payload = echo.as_ref().map_or(&[][..], |code| &code[..]);
                write_whole(FrameKind::Close, payload, masks, out);
                closed = Some((code, reason.into()));
            }
        });
        if let Err(fault) = fed {
            return Err(malformed_by(&fault));
        }
        match closed {
            None => Ok(Standing::Open),
            Some((code, reason)) => {
                self.stage = Stage::Closed(code, reason);
                Ok(Standing::Leaving)
            }
        }
    }
}

impl<T: Copy> Client for WebSocket<T> {
    type Request = WebSocketRequest;
    type Token = T;
    type Shared = LastHead;

    const NAME: &'static str = "WebSocket";
    const INDEPENDENT: bool = false;
    const OPENED_BY_REQUEST: bool = true;

    fn open(&mut self, _out: &mut Vec<u8>) {}

    fn start<'v>(
        &mut self,
        request: &WebSocketRequest,
        value: impl Fn(usize) -> &'v [u8],
        token: T,
        out: &mut Vec<u8>,
    ) {
        match request {
            WebSocketRequest::Opening(opening) => self.begin(opening, value, token, out),
            WebSocketRequest::Message(layout) => self.send(layout, value, out),
        }
    }

    fn capacity(&self) -> u32 {
        match self.stage {
            Stage::Open(_) => u32::MAX,
            _ => 0,
        }
    }

    fn in_flight(&self) -> u32 {
        u32::from(self.oldest().is_some())
    }

    fn oldest(&self) -> Option<&T> {
        match &self.stage {
            Stage::Opening(handshake) => Some(&handshake.token),
            _ => None,
        }
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        last_head: &mut LastHead,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        match &self.stage {
            Stage::Fresh => Err(Failure::Unrequested { bytes: bytes.len() }),
            Stage::Opening(_) => match self.shake_hands(bytes, last_head, completions)? {
                Ok(behind) => self.frames(behind, out, completions),
                Err(standing) => Ok(standing),
            },
            Stage::Open(_) => self.frames(bytes, out, completions),
            Stage::Closed(..) | Stage::Over => Ok(Standing::Open),
        }
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Closed(code, reason) => Err(Failure::Closed { code, reason }),
            Stage::Opening(mut handshake) => {
                let beginning = handshake.reader.beginning().to_vec();
                let completed = match handshake.reader.ended_by(end) {
                    Ok(completed) => completed,
                    Err(failure) => {
                        // It is still to be given up.
                        self.stage = Stage::Opening(handshake);
                        return Err(failure);
                    }
                };
                let response = Response {
                    status: completed.status,
                    bytes: &beginning,
                    in_one_piece: false,
                };
                completions.response(&handshake.token, &response);
                Ok(())
            }
            Stage::Fresh | Stage::Open(_) | Stage::Over => Ok(()),
        }
    }

    fn give_up(&mut self, _out: &mut Vec<u8>) -> Option<T> {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Opening(handshake) => Some(handshake.token),
            stage => {
                self.stage = stage;
                None
            }
        }
    }

    fn came(&self) -> Came {
        match &self.stage {
            Stage::Opening(handshake) => handshake.reader.came(),
            _ => Came::Nothing,
        }
    }

    fn beginning(&self) -> &[u8] {
        match &self.stage {
            Stage::Opening(handshake) => handshake.reader.beginning(),
            _ => &[],
        }
    }

    fn idle_limit_ns(&self) -> u64 {
        u64::MAX
    }
}

#[cfg(test)]
mod autobahn;
#[cfg(test)]
mod tests;
