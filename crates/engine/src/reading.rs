//! Reads what has come on a connection, records each answer, and keeps an example of what went wrong.

use crate::backend::Slot;
use crate::connection::{Connection, InFlight};
use crate::evidence::{self, Seen};
use crate::recorder::{Recorder, is_redirect};
use crate::requests::Requests;
use plimsoll_measure::{ErrorClass, Sight};
use plimsoll_protocol::http1::{Came, LastHead, Progress};

/// Most bytes that are kept of an answer in pieces, to show how it begins.
const CAPTURE_BYTES: usize = 4096;

/// Why a connection cannot be used any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// The last answer said so, or we do: what is behind it goes out again.
    Closing,
    /// Bytes came that are no answer: the request that they stand for fails.
    Malformed,
    /// Bytes came that no request had asked for.
    Unrequested,
}

/// How an answer in pieces begins, of which an example is wanted.
pub(crate) struct Capture {
    pub(crate) slot: Slot,
    bytes: Vec<u8>,
}

impl Capture {
    fn add(&mut self, bytes: &[u8]) {
        let room = CAPTURE_BYTES.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// Where the outcome of a request goes.
pub(crate) struct Done<'a> {
    pub(crate) slot: Slot,
    pub(crate) requests: &'a Requests,
    pub(crate) recorder: &'a mut Recorder,
    pub(crate) finished: &'a mut Vec<u64>,
    pub(crate) capture: &'a mut Option<Capture>,
    pub(crate) longest_rest_ns: &'a mut u64,
}

impl Done<'_> {
    /// `true` when somebody may want to see the answer.
    #[inline]
    pub(crate) fn answer(&mut self, request: &InFlight, status: u16, now_ns: u64) -> bool {
        let expected = self.requests.accepts(request.index, status);
        self.recorder.answer(
            now_ns.saturating_sub(request.intended_ns),
            now_ns.saturating_sub(request.sent_ns),
            status,
            expected,
        );
        self.finished.push(request.intended_ns);
        !expected || is_redirect(status)
    }

    /// What an answer is an example of, if one is wanted.
    #[cold]
    fn sights(&self, index: u32, status: u16) -> impl Iterator<Item = Sight> + use<> {
        let unexpected = !self.requests.accepts(index, status);
        let failure = Some(Sight::Failure(ErrorClass::Status)).filter(|_| unexpected);
        let redirect = Some(Sight::Redirect).filter(|_| is_redirect(status));
        let wanted = [failure, redirect].map(|sight| sight.filter(|&sight| self.recorder.wants(sight)));
        wanted.into_iter().flatten()
    }

    /// Shows an answer, by how it begins: what was captured of it and its last piece, or what its reader has kept.
    #[cold]
    pub(crate) fn show(&mut self, index: u32, status: u16, beginning: &[u8], piece: &[u8], now_ns: u64) {
        let captured = self
            .capture
            .take_if(|capture| capture.slot == self.slot)
            .map(|mut capture| {
                capture.add(piece);
                capture.bytes
            });
        let bytes = match &captured {
            Some(captured) => captured,
            None if beginning.is_empty() && piece.starts_with(b"HTTP/") => piece,
            // A part of it is missing, and that of another connection will be whole.
            None if self.capture.is_some() => return,
            None if beginning.is_empty() => piece,
            None => beginning,
        };
        for sight in self.sights(index, status) {
            let requests = self.requests;
            self.recorder.show(sight, now_ns, || {
                let seen = Seen::answer(status, bytes);
                match sight {
                    Sight::Failure(_) => seen.expecting(evidence::statuses(requests.accepted_status(index))),
                    _ => seen,
                }
            });
        }
    }

    /// Keeps how an answer begins that is not all there, if it may be wanted.
    #[cold]
    fn more_to_come(&mut self, connection: &Connection, bytes: &[u8]) {
        let Came::Body { status, .. } = connection.reader.came() else {
            return;
        };
        if let Some(capture) = self.capture.as_mut().filter(|capture| capture.slot == self.slot) {
            capture.add(bytes);
        } else if self.capture.is_none() && self.sights(connection.front.index, status).next().is_some() {
            let beginning = connection.reader.beginning();
            let mut capture = Capture {
                slot: self.slot,
                bytes: Vec::new(),
            };
            capture.add(if beginning.is_empty() { bytes } else { beginning });
            *self.capture = Some(capture);
        }
    }
}

/// Reads the answers in `bytes` and records them. `Err` when the connection cannot be used any
/// further.
#[inline]
pub(crate) fn read_answers(
    connection: &mut Connection,
    mut bytes: &[u8],
    now_ns: u64,
    keep_alive: bool,
    last_head: &mut LastHead,
    done: &mut Done<'_>,
) -> Result<(), Leave> {
    while !bytes.is_empty() {
        if connection.in_flight == 0 {
            return unrequested(bytes, now_ns, done);
        }
        match connection.reader.feed(bytes, last_head) {
            Ok(Progress::NeedMore) => {
                done.more_to_come(connection, bytes);
                return Ok(());
            }
            Ok(Progress::Done { consumed, answer }) => {
                if connection.served {
                    *done.longest_rest_ns = connection.rested_ns.max(*done.longest_rest_ns);
                }
                connection.served = true;
                connection.keep_alive_s = answer.keep_alive_s;
                let request = connection.pop();
                if done.answer(&request, answer.status, now_ns) {
                    let beginning = connection.reader.beginning();
                    done.show(request.index, answer.status, beginning, &bytes[..consumed], now_ns);
                }
                if !(keep_alive && answer.keep_alive) {
                    return Err(Leave::Closing);
                }
                bytes = &bytes[consumed..];
            }
            Err(malformed) => {
                let beginning = connection.reader.beginning();
                let seen = if beginning.is_empty() { bytes } else { beginning };
                done.recorder
                    .show_failure(ErrorClass::Malformed, now_ns, || Seen::malformed(&malformed, seen));
                return Err(Leave::Malformed);
            }
        }
    }
    Ok(())
}

/// Bytes that nobody asked for, such as a 408 before an idle connection is closed, or the rest of a body that is longer than it
/// said. Line ends alone are none (RFC 9112, section 2.2); with others nobody knows where the next answer begins (section 9.2).
#[cold]
fn unrequested(bytes: &[u8], now_ns: u64, done: &mut Done<'_>) -> Result<(), Leave> {
    if bytes.iter().all(|byte| b"\r\n".contains(byte)) {
        return Ok(());
    }
    done.recorder.show(Sight::Unrequested, now_ns, || {
        let reason = format!("{} bytes came that no request had asked for", bytes.len());
        Seen {
            expected: String::new(),
            ..Seen::malformed(&reason, bytes)
        }
    });
    Err(Leave::Unrequested)
}
