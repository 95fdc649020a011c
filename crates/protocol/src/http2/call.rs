//! What comes of a call of gRPC on its stream: one message behind its length, and a status behind that (gRPC over HTTP/2).

use super::hpack::Fields;
use super::meaning::Meaning;
use super::stream_error::StreamError;
use crate::quote::quote;

/// In front of a message: whether it is compressed, and its length.
const PREFIX_BYTES: usize = 5;
/// Most of a status that is kept, bytes: more than is quoted, so that a quote says that there is more.
const CODE_BYTES_MAX: usize = 64;
/// Longest number that a status may be.
const CODE_DIGITS_MAX: usize = 10;
/// Most of the words beside a status that are kept, bytes.
const MESSAGE_BYTES_MAX: usize = 1024;

/// A call that waits for its response.
#[derive(Debug, Clone, Default)]
pub(super) struct Call {
    /// The head says that the content is that of a call.
    pub(super) is_of_call: bool,
    prefix: [u8; PREFIX_BYTES],
    /// How much of it has come.
    prefix_bytes: usize,
    /// How much of the message is still to come, bytes.
    to_come: usize,
    /// Messages that have begun.
    messages: u32,
    pub(super) status: CallStatus,
}

/// How a call ended, as the service says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CallStatus {
    /// Value of `grpc-status`, as far as it is kept; of several, all of them.
    code: Option<Vec<u8>>,
    /// Value of the first `grpc-message`, as far as it is kept.
    message: Vec<u8>,
}

/// Why a response that has ended is none of success.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CallFailure<'a> {
    /// It says so, or does not say how the call went.
    Status { code: Option<u32>, message: &'a [u8] },
    /// It is no response to a call.
    Wrong(StreamError),
}

impl Call {
    /// Takes content of the response.
    pub(super) fn take(&mut self, mut content: &[u8]) -> Result<(), StreamError> {
        if !self.is_of_call {
            return Err(StreamError::ContentOfNoCall);
        }
        while !content.is_empty() {
            if self.to_come > 0 {
                let taken = self.to_come.min(content.len());
                self.to_come -= taken;
                content = &content[taken..];
                continue;
            }
            let (piece, rest) = content.split_at(content.len().min(PREFIX_BYTES - self.prefix_bytes));
            self.prefix[self.prefix_bytes..self.prefix_bytes + piece.len()].copy_from_slice(piece);
            self.prefix_bytes += piece.len();
            content = rest;
            if self.prefix_bytes == PREFIX_BYTES {
                self.begin_message()?;
            }
        }
        Ok(())
    }

    fn begin_message(&mut self) -> Result<(), StreamError> {
        let [flag, length @ ..] = self.prefix;
        match flag {
            0 => {}
            1 => return Err(StreamError::CompressedMessage),
            _ => return Err(StreamError::MessagePrefix { flag }),
        }
        self.messages += 1;
        if self.messages > 1 {
            return Err(StreamError::TwoMessages);
        }
        self.prefix_bytes = 0;
        self.to_come = u32::from_be_bytes(length) as usize;
        Ok(())
    }

    /// What is wrong with the response, now that it has ended with this status of HTTP; `None` where that says everything.
    pub(super) fn failure(&self, http_status: u16) -> Option<CallFailure<'_>> {
        match self.status.code() {
            Some(Err(wrong)) => Some(CallFailure::Wrong(wrong)),
            Some(Ok(code)) if code > 0 => Some(self.status.failure(Some(code))),
            _ if http_status != 200 => None,
            None if self.is_of_call => Some(self.status.failure(None)),
            _ => self.content_error().map(CallFailure::Wrong),
        }
    }

    fn content_error(&self) -> Option<StreamError> {
        if !self.is_of_call {
            Some(StreamError::ContentOfNoCall)
        } else if self.to_come > 0 || self.prefix_bytes > 0 {
            Some(StreamError::MessageCutOff)
        } else if self.messages == 0 {
            Some(StreamError::NoMessage)
        } else {
            None
        }
    }
}

impl CallStatus {
    /// Takes a field of the trailers, or of a head that has what trailers have.
    fn take(&mut self, name: &[u8], value: &[u8]) {
        match (name, &mut self.code) {
            (b"grpc-status", None) => {
                let mut code = Vec::new();
                append(&mut code, value, CODE_BYTES_MAX);
                self.code = Some(code);
            }
            (b"grpc-status", Some(code)) => {
                append(code, b", ", CODE_BYTES_MAX);
                append(code, value, CODE_BYTES_MAX);
            }
            (b"grpc-message", _) if self.message.is_empty() => append(&mut self.message, value, MESSAGE_BYTES_MAX),
            _ => {}
        }
    }

    fn failure(&self, code: Option<u32>) -> CallFailure<'_> {
        let message = &self.message;
        CallFailure::Status { code, message }
    }

    fn code(&self) -> Option<Result<u32, StreamError>> {
        let value = self.code.as_ref()?;
        let is_number = value.len() <= CODE_DIGITS_MAX && value.iter().all(u8::is_ascii_digit);
        let digits = std::str::from_utf8(value).ok().filter(|_| is_number);
        let code = digits.and_then(|digits| digits.parse().ok());
        Some(code.ok_or_else(|| StreamError::CallStatus { found: quote(value) }))
    }
}

/// Appends what there is room for.
fn append(to: &mut Vec<u8>, bytes: &[u8], bytes_max: usize) {
    let room = bytes_max.saturating_sub(to.len());
    to.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Gives fields to another reader, and takes the status of a call from them.
pub(super) struct WithStatus<'a, F> {
    fields: &'a mut F,
    pub(super) status: CallStatus,
}

impl<'a, F> WithStatus<'a, F> {
    pub(super) fn new(fields: &'a mut F) -> Self {
        Self {
            fields,
            status: CallStatus::default(),
        }
    }
}

impl<F: Fields<Meaning = Meaning>> Fields for WithStatus<'_, F> {
    type Meaning = Meaning;

    fn meaning(name: &[u8], value: &[u8]) -> Meaning {
        F::meaning(name, value)
    }

    fn field(&mut self, name: &[u8], value: &[u8], meaning: Meaning) {
        self.status.take(name, value);
        self.fields.field(name, value, meaning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a response of this content, in pieces of any length, and these fields behind it.
    fn failure(content: &[u8], fields: &[(&str, &str)]) -> Option<String> {
        let in_pieces = |length: usize| {
            let mut call = Call {
                is_of_call: true,
                ..Call::default()
            };
            let taken = content.chunks(length).try_for_each(|piece| call.take(piece));
            for (name, value) in fields {
                call.status.take(name.as_bytes(), value.as_bytes());
            }
            match (taken, call.failure(200)) {
                (Err(wrong), _) | (Ok(()), Some(CallFailure::Wrong(wrong))) => Some(wrong.to_string()),
                (Ok(()), Some(CallFailure::Status { code, message })) => {
                    let code = code.map_or("no status".to_owned(), |code| code.to_string());
                    Some(format!("{code} {}", String::from_utf8_lossy(message)))
                }
                (Ok(()), None) => None,
            }
        };
        let whole = in_pieces(content.len().max(1));
        (1..content.len()).for_each(|length| assert_eq!(in_pieces(length), whole, "pieces of {length}"));
        whole
    }

    #[test]
    fn a_call_ends_well_with_one_message_and_status_zero() {
        let ok = &[("grpc-status", "0"), ("grpc-message", "fine")];
        assert_eq!(failure(b"\0\0\0\0\x02ab", ok), None);
        assert_eq!(failure(b"\0\0\0\0\0", ok), None);
        let not_found = &[("grpc-status", "5"), ("grpc-message", "no%20stock")];
        for content in [&b""[..], b"\0\0\0\0\x02ab", b"\0\0\0"] {
            assert_eq!(failure(content, not_found).as_deref(), Some("5 no%20stock"));
        }
    }

    #[test]
    fn content_that_is_not_one_message_is_said() {
        for (content, said) in [
            (&b""[..], "grpc-status is 0, and there is no message"),
            (b"\0\0\0\0\x03ab", "the message is shorter than it says"),
            (b"\0\0\0", "the message is shorter than it says"),
            (
                b"\x01\0\0\0\x01a",
                "the message is compressed, although no compression was offered",
            ),
            (b"\x02\0\0\0\x01a", "the message begins with 2 instead of 0 or 1"),
            (b"\0\0\0\0\0\0\0\0\0\0", "there is more than one message"),
        ] {
            assert_eq!(failure(content, &[("grpc-status", "0")]).as_deref(), Some(said));
        }
        assert_eq!(failure(b"\0\0\0\0\x02ab", &[]).as_deref(), Some("no status "));
    }

    #[test]
    fn a_status_that_is_not_one_number_is_said() {
        let zeros = "0".repeat(100);
        for (fields, said) in [
            (&[("grpc-status", "")][..], "``"),
            (&[("grpc-status", "+1")], "`+1`"),
            (&[("grpc-status", "99999999999")], "`99999999999`"),
            (&[("grpc-status", "\u{1b}[2J")], "`\\x1b[2J`"),
            (&[("grpc-status", "0"), ("grpc-status", "14")], "`0, 14`"),
            (&[("grpc-status", &zeros)], &format!("`{}…`", &zeros[..60])),
        ] {
            let said = format!("grpc-status is no number: {said}");
            assert_eq!(failure(b"\0\0\0\0\0", fields), Some(said));
        }
    }

    #[test]
    fn words_beside_a_status_are_kept_within_a_limit() {
        let long = "a".repeat(MESSAGE_BYTES_MAX + 1);
        let fields = [("grpc-status", "8"), ("grpc-message", &long), ("grpc-message", "more")];
        let kept = format!("8 {}", &long[..MESSAGE_BYTES_MAX]);
        assert_eq!(failure(b"", &fields), Some(kept));
    }

    #[test]
    fn a_status_of_http_without_one_of_grpc_says_everything() {
        assert_eq!(Call::default().failure(502), None);
    }
}
