//! Finds messages in the bytes that a service sends on one WebSocket.

use super::close_code::CloseCode;
use super::deflate::Inflater;
use super::fault::Fault;
use super::frame::{FrameHead, FrameKind, HEAD_BYTES_MAX};
use super::limits::MAX_MESSAGE_BYTES;
use super::text::TextCheck;

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incoming<'a> {
    /// A piece of a message, perhaps an empty one.
    Piece {
        /// What it says.
        bytes: &'a [u8],
        /// Whether the message ends with it.
        ends: bool,
    },
    /// A ping, whose pong has the same bytes.
    Ping(&'a [u8]),
    /// The service closes the connection. Nothing comes behind that.
    Close {
        /// Why; `None` where it does not say.
        code: Option<CloseCode>,
        /// The same in words.
        reason: &'a str,
    },
}

/// Reads the frames of one connection, in whatever pieces they come.
#[derive(Debug, Clone, Default)]
pub struct FrameReader {
    /// The beginning of a head or of a control frame, where it came in pieces.
    held: Vec<u8>,
    stage: Stage,
    /// What has come of a message in fragments, or is announced of one; `None` between messages.
    message: Option<Message>,
    /// Opens compressed messages, where those were agreed.
    inflater: Option<Box<Inflater>>,
}

// A million connections must fit.
const _: () = assert!(size_of::<FrameReader>() <= 72);

#[derive(Debug, Clone, Copy, Default)]
enum Stage {
    #[default]
    Head,
    /// In a fragment of a message.
    Fragment {
        is_last: bool,
        remaining: u64,
    },
    Control {
        kind: FrameKind,
        length: u8,
    },
    /// The service has closed the connection.
    Closed,
}

#[derive(Debug, Clone, Copy)]
struct Message {
    bytes: u64,
    /// Of a text.
    text: Option<TextCheck>,
    is_compressed: bool,
}

impl FrameReader {
    /// Of a connection whose service compresses messages (RFC 7692), where `keeps` such as may refer to those before them.
    #[must_use]
    pub fn inflating(keeps: bool) -> Self {
        Self {
            inflater: Some(Box::new(Inflater::new(keeps))),
            ..Self::default()
        }
    }

    /// Takes bytes, and gives `take` what they are.
    ///
    /// # Errors
    /// When they are not what a service may send. The connection is of no use then.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(Incoming<'_>)) -> Result<(), Fault> {
        loop {
            match self.stage {
                Stage::Head if bytes.is_empty() => return Ok(()),
                Stage::Head => match self.head(&mut bytes)? {
                    None => return Ok(()),
                    Some(head) => self.begin(head)?,
                },
                Stage::Fragment { is_last, remaining } => {
                    // No more than the length of a slice.
                    let taken = remaining.min(bytes.len() as u64) as usize;
                    if taken == 0 && remaining > 0 {
                        return Ok(());
                    }
                    let (piece, rest) = bytes.split_at(taken);
                    bytes = rest;
                    let remaining = remaining - taken as u64;
                    let ends = is_last && remaining == 0;
                    if self.message.is_some_and(|message| message.is_compressed) {
                        self.inflate(piece, ends, &mut take)?;
                    } else {
                        self.check_text(piece, ends)?;
                        if ends || !piece.is_empty() {
                            take(Incoming::Piece { bytes: piece, ends });
                        }
                    }
                    if ends {
                        self.message = None;
                    }
                    self.stage = match remaining {
                        0 => Stage::Head,
                        _ => Stage::Fragment { is_last, remaining },
                    };
                }
                Stage::Control { kind, length } => {
                    let length = usize::from(length);
                    if self.held.is_empty() && bytes.len() >= length {
                        let (payload, rest) = bytes.split_at(length);
                        bytes = rest;
                        self.stage = control(kind, payload, &mut take)?;
                        continue;
                    }
                    let taken = bytes.len().min(length - self.held.len());
                    self.held.extend_from_slice(&bytes[..taken]);
                    bytes = &bytes[taken..];
                    if self.held.len() < length {
                        return Ok(());
                    }
                    let payload = std::mem::take(&mut self.held);
                    self.stage = control(kind, &payload, &mut take)?;
                }
                Stage::Closed => return Ok(()),
            }
        }
    }

    /// Whether the service has closed the connection.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    /// Takes the next head off `bytes`; `None` where they are at an end before it is.
    fn head(&mut self, bytes: &mut &[u8]) -> Result<Option<FrameHead>, Fault> {
        if self.held.is_empty() {
            let head = FrameHead::parse(bytes)?;
            match head {
                Some(head) => *bytes = &bytes[head.bytes..],
                None => self.held.extend_from_slice(bytes),
            }
            return Ok(head);
        }
        let before = self.held.len();
        let taken = bytes.len().min(HEAD_BYTES_MAX - before);
        self.held.extend_from_slice(&bytes[..taken]);
        let head = FrameHead::parse(&self.held)?;
        if let Some(head) = head {
            *bytes = &bytes[head.bytes - before..];
            self.held = Vec::new();
        }
        Ok(head)
    }

    /// A frame begins.
    fn begin(&mut self, head: FrameHead) -> Result<(), Fault> {
        let may_be_compressed = self.inflater.is_some() && matches!(head.kind, FrameKind::Text | FrameKind::Binary);
        if head.is_compressed && !may_be_compressed {
            return Err(Fault::ReservedBits);
        }
        let message = match (head.kind, self.message) {
            (FrameKind::Close | FrameKind::Ping | FrameKind::Pong, _) => {
                self.stage = Stage::Control {
                    kind: head.kind,
                    // At most 125.
                    length: head.length as u8,
                };
                return Ok(());
            }
            (FrameKind::Continuation, Some(message)) => message,
            (FrameKind::Text, None) => Message {
                bytes: 0,
                text: Some(TextCheck::default()),
                is_compressed: head.is_compressed,
            },
            (FrameKind::Binary, None) => Message {
                bytes: 0,
                text: None,
                is_compressed: head.is_compressed,
            },
            (FrameKind::Continuation, None) | (FrameKind::Text | FrameKind::Binary, Some(_)) => {
                return Err(Fault::Fragments);
            }
        };
        let bytes = message.bytes.saturating_add(head.length);
        if bytes > MAX_MESSAGE_BYTES {
            return Err(Fault::TooLong(bytes));
        }
        self.message = Some(Message { bytes, ..message });
        self.stage = Stage::Fragment {
            is_last: head.is_last,
            remaining: head.length,
        };
        Ok(())
    }

    /// Gives what is in a piece of a compressed message.
    #[inline(never)]
    fn inflate(&mut self, piece: &[u8], ends: bool, take: &mut impl FnMut(Incoming<'_>)) -> Result<(), Fault> {
        let Some(mut inflater) = self.inflater.take() else {
            return Err(Fault::ReservedBits);
        };
        inflater.open(piece, ends, |bytes| {
            self.check_text(bytes, false)?;
            take(Incoming::Piece { bytes, ends: false });
            Ok(())
        })?;
        self.inflater = Some(inflater);
        if ends {
            self.check_text(b"", true)?;
            take(Incoming::Piece { bytes: b"", ends });
        }
        Ok(())
    }

    fn check_text(&mut self, piece: &[u8], ends: bool) -> Result<(), Fault> {
        let Some(text) = self.message.as_mut().and_then(|message| message.text.as_mut()) else {
            return Ok(());
        };
        let is_text = text.take(piece) && (!ends || text.is_whole());
        is_text.then_some(()).ok_or(Fault::NotUtf8)
    }
}

/// A whole control frame; says what comes next.
fn control(kind: FrameKind, payload: &[u8], take: &mut impl FnMut(Incoming<'_>)) -> Result<Stage, Fault> {
    match kind {
        FrameKind::Ping => take(Incoming::Ping(payload)),
        FrameKind::Close => {
            let (code, reason) = match payload.split_first_chunk::<2>() {
                None if payload.is_empty() => (None, &b""[..]),
                None => return Err(Fault::CloseCode),
                Some((code, reason)) => {
                    let code = CloseCode::new(u16::from_be_bytes(*code)).ok_or(Fault::CloseCode)?;
                    (Some(code), reason)
                }
            };
            let reason = std::str::from_utf8(reason).map_err(|_| Fault::NotUtf8)?;
            take(Incoming::Close { code, reason });
            return Ok(Stage::Closed);
        }
        // Nobody asked for it, and nobody has to react (RFC 6455, section 5.5.3).
        FrameKind::Pong => {}
        FrameKind::Continuation | FrameKind::Text | FrameKind::Binary => {}
    }
    Ok(Stage::Head)
}
