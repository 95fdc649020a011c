//! Calls of gRPC: what is sent instead of a body, and what makes a response correct.

use crate::notation::mismatch::Mismatch;
use crate::notation::{Notation, keyword};
use crate::plan::template::Template;
use schemars::{Schema, json_schema};
use std::fmt;
use std::sync::Arc;

/// The most bytes that all messages of a call have together.
pub(crate) const MOST_MESSAGES_BYTES: usize = 64 << 20;
/// In front of each message: that it is not compressed, and its length.
const PREFIX_BYTES: usize = 5;

/// A call with one request and one response. It is a POST to the path of its method.
#[derive(Clone)]
pub struct Grpc {
    /// Service and method, such as `shop.Cart/Add`.
    pub call: String,
    /// What is sent, in turn.
    pub messages: Messages,
    /// Statuses that count as successes.
    pub accepted: Vec<GrpcStatus>,
    /// What the messages were made from; nothing where they were encoded already.
    pub(crate) texts: Vec<Template>,
}

impl Grpc {
    /// The same call, as far as can be seen of it.
    fn seen(&self) -> (&str, &Messages, &[GrpcStatus]) {
        (&self.call, &self.messages, &self.accepted)
    }
}

impl PartialEq for Grpc {
    fn eq(&self, other: &Self) -> bool {
        self.seen() == other.seen()
    }
}

impl fmt::Debug for Grpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grpc({}, {:?})", self.call, self.messages)
    }
}

/// Encoded messages, each behind its length as it is sent. They may be secrets, so that nothing prints them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Messages {
    bytes: Arc<Vec<u8>>,
    /// Where each of them ends.
    ends: Arc<Vec<usize>>,
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Messages({} of {} bytes)", self.count(), self.bytes())
    }
}

impl Messages {
    /// These messages, which have their lengths in front of them.
    pub(crate) fn framed(messages: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for message in messages {
            bytes.extend_from_slice(&message);
            ends.push(bytes.len());
        }
        Self {
            bytes: Arc::new(bytes),
            ends: Arc::new(ends),
        }
    }

    /// How many there are; at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// How long all of them are together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The one that the `nth` call sends.
    #[must_use]
    pub fn reveal(&self, nth: u64) -> &[u8] {
        let index = (nth % self.ends.len().max(1) as u64) as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.get(index).map_or(&[], |&end| &self.bytes[begin..end])
    }

    /// Each without the length in front of it.
    pub(crate) fn bare(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len() as u64).map(|nth| &self.reveal(nth)[PREFIX_BYTES..])
    }
}

/// A message that is encoded already, behind its length.
pub(crate) fn framed(message: &[u8]) -> Vec<u8> {
    let mut framed = vec![0; PREFIX_BYTES];
    // A plan is not that long.
    framed[1..].copy_from_slice(&(message.len() as u32).to_be_bytes());
    framed.extend_from_slice(message);
    framed
}

/// How a call ends, as `grpc-status` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrpcStatus(u32);

/// Those that gRPC knows, by their numbers.
const STATUSES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

impl GrpcStatus {
    /// Success.
    pub const OK: Self = Self(0);

    /// The status with this number; `None` where gRPC knows none.
    #[must_use]
    pub fn of(code: u32) -> Option<Self> {
        Some(Self(code)).filter(|status| (status.0 as usize) < STATUSES.len())
    }

    /// Its number.
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        STATUSES[self.0 as usize]
    }
}

impl Notation for GrpcStatus {
    const EXPECTED: &'static str = "a status of gRPC such as `OK` or `NOT_FOUND`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mut known = [("", Self::OK); STATUSES.len()];
        for (code, name) in STATUSES.into_iter().enumerate() {
            known[code] = (name, Self(code as u32));
        }
        keyword(text, &known)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": STATUSES })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_take_turns() {
        let messages = Messages::framed([framed(b"ab"), framed(b""), framed(b"c")]);
        assert_eq!((messages.count(), messages.bytes()), (3, 18));
        let expected = [&b"\0\0\0\0\x02ab"[..], b"\0\0\0\0\0", b"\0\0\0\0\x01c"];
        for nth in 0..7_u64 {
            assert_eq!(messages.reveal(nth), expected[nth as usize % 3]);
        }
        assert_eq!(messages.bare().collect::<Vec<_>>(), [&b"ab"[..], b"", b"c"]);
    }

    #[test]
    fn statuses_have_the_numbers_of_grpc() {
        for (name, code) in [
            ("OK", 0),
            ("NOT_FOUND", 5),
            ("UNAVAILABLE", 14),
            ("UNAUTHENTICATED", 16),
        ] {
            let status = GrpcStatus::read(name).expect("a status");
            assert_eq!((status.code(), status.as_str()), (code, name));
        }
        assert!(GrpcStatus::read("5").is_err());
        assert_eq!((GrpcStatus::of(0), GrpcStatus::of(17)), (Some(GrpcStatus::OK), None));
    }
}
