//! What failed, in words: the one place where what a service sent becomes text that a report shows.
//!
//! Called once for each class of failure in a step, so that it may allocate; the path of a request that passes does not come
//! here.

use crate::backend::{ConnectStage, End, Fault};
use crate::redirects::NotFollowed;
use percent_encoding::percent_decode;
use plimsoll_measure::{Example, Sight};
use plimsoll_plan::{GrpcStatus, KnownSecrets};
use plimsoll_protocol::content::NotOpened;
use plimsoll_protocol::http1::Glimpse;
use plimsoll_protocol::websocket::{CloseCode, WebSocket};
use plimsoll_protocol::{BodyEnd, Came, Client as _};
use std::borrow::Cow;
use std::io;

/// What is looked at of what a service sent. Much more than is shown, so that a hidden value that is cut off by the end of what
/// is shown is seen whole.
const LOOKED_AT_BYTES: usize = 4096;

/// Values of the plan that no report may show, even where a service sends them back.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    known: KnownSecrets,
    /// Responses have secrets that nobody knows beforehand: tokens that users are given.
    in_responses: bool,
}

impl Hidden {
    /// Hides these values wherever they stand in what a service sent.
    #[must_use]
    pub fn new(known: KnownSecrets) -> Self {
        Self {
            known,
            in_responses: false,
        }
    }

    /// Hides besides all that services send, but for statuses and types, where `responses` have secrets of their own.
    #[must_use]
    pub fn with_responses(self, responses: bool) -> Self {
        Self {
            in_responses: responses,
            ..self
        }
    }

    /// An example that is safe to keep.
    pub(crate) fn example(&self, of: Sight, at_ns: u64, seen: &Seen<'_>) -> Example {
        let (found, received) = match self.in_responses {
            true => (seen.discreet.as_ref().unwrap_or(&seen.found), &[][..]),
            false => (&seen.found, &*seen.received),
        };
        let looked_at = &received[..received.len().min(LOOKED_AT_BYTES)];
        let found = self.known.hide(found);
        let expected = self.known.hide(&seen.expected);
        let example = Example::new(of, at_ns, &expected, &found, &self.known.hide_bytes(looked_at));
        example.of_request(&self.known.hide(seen.request))
    }
}

/// What was seen of a failure.
#[derive(Debug, Default)]
pub(crate) struct Seen<'a> {
    /// Name of the request; empty where that goes without saying.
    pub(crate) request: &'a str,
    pub(crate) expected: String,
    pub(crate) found: String,
    /// The same without what may be a secret of a response, where that is in it.
    discreet: Option<String>,
    pub(crate) received: Cow<'a, [u8]>,
}

impl<'a> Seen<'a> {
    pub(crate) fn found(found: impl Into<String>) -> Self {
        Self {
            found: found.into(),
            ..Self::default()
        }
    }

    pub(crate) fn expecting(self, expected: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            ..self
        }
    }

    /// Of the request with this name.
    pub(crate) fn of(self, request: &'a str) -> Self {
        Self { request, ..self }
    }

    /// A response: its status line, what it is, where it leads to, how its body begins.
    pub(crate) fn response(status: u16, bytes: &'a [u8]) -> Self {
        let Some(seen) = Glimpse::of(bytes) else {
            return Self::found(format!("status {status}"));
        };
        let to = seen
            .location
            .map_or_else(String::new, |to| format!(", to {}", text(to)));
        let mut kind = String::new();
        if let Some(content_type) = seen.content_type {
            kind += &format!(", {}", text(content_type));
        }
        let received = match seen.content_encoding {
            None => seen.body.into(),
            Some(coding) => {
                kind += &format!(", {}", text(coding));
                match seen.opened(LOOKED_AT_BYTES) {
                    Ok(opened) => opened.into(),
                    Err(NotOpened::UnknownCoding) => seen.body.into(),
                    Err(NotOpened::NotOfCoding) => {
                        kind += ", but its body is something else";
                        seen.body.into()
                    }
                }
            }
        };
        Self {
            received,
            discreet: Some(format!("status {}{kind}", text(seen.status))),
            ..Self::found(format!("status {}{to}{kind}", text(seen.status)))
        }
    }

    /// A redirect, and why it is not followed.
    pub(crate) fn redirect(status: u16, bytes: &'a [u8], why: &NotFollowed) -> Self {
        let seen = Self::response(status, bytes);
        let (expected, found) = match why {
            NotFollowed::Elsewhere => (
                "a redirect to the service itself".to_owned(),
                format!("{}: load goes nowhere else", seen.found),
            ),
            NotFollowed::TooMany { most: 1 } => (
                "one redirect at most".to_owned(),
                format!("{}, after another one", seen.found),
            ),
            NotFollowed::TooMany { most } => (
                format!("at most {most} redirects"),
                format!("{}, after {most} others", seen.found),
            ),
            NotFollowed::Invalid { reason } => ("a redirect to a URL".to_owned(), format!("{}: {reason}", seen.found)),
        };
        Self { found, ..seen }.expecting(expected)
    }

    /// Bytes that are no response, and why not. Of what looks like one no header is shown.
    pub(crate) fn malformed(reason: &impl std::fmt::Display, bytes: &'a [u8]) -> Self {
        Self {
            received: match Glimpse::of(bytes) {
                Some(seen) => seen.status.into(),
                None => bytes.into(),
            },
            // The reason quotes it.
            discreet: Some("something else".to_owned()),
            ..Self::found(reason.to_string())
        }
        .expecting("a response")
    }

    /// The response was to be one of this protocol.
    pub(crate) fn in_protocol(self, name: &str) -> Self {
        let article = if name.starts_with('H') { "an" } else { "a" };
        self.expecting(format!("{article} {name} response"))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the operating system says of it.
fn os_error(errno: Option<i32>) -> Option<String> {
    errno.map(|errno| io::Error::from_raw_os_error(errno).to_string())
}

/// Why no connection could be made.
pub(crate) fn not_connected(fault: &Fault) -> Seen<'static> {
    let said = match &fault.words {
        Some(words) => words.clone().into_string(),
        None => os_error(fault.errno).unwrap_or_else(|| "the operating system gave no reason".to_owned()),
    };
    Seen::found(said).expecting("a connection")
}

pub(crate) fn connect_timeout(timeout_ns: u64, stage: ConnectStage) -> Seen<'static> {
    let found = match stage {
        ConnectStage::Queueing => "the queue of new connections of the unix socket stayed full",
        ConnectStage::Accepting => "the service's machine neither accepted nor refused it",
        ConnectStage::Tunnelling => "the proxy accepted the connection, and did not open the tunnel",
        ConnectStage::Handshaking => "the TCP connection was there, and the service did not end the TLS handshake",
    };
    Seen::found(found).expecting(format!("a connection within {}", duration(timeout_ns)))
}

/// A connection that was there, and whose protocol was not agreed.
pub(crate) fn opening_timeout(timeout_ns: u64, came: Came) -> Seen<'static> {
    let found = format!(
        "the connection was there, and the opening handshake had no response: {}",
        so_far(came)
    );
    Seen::found(found).expecting(format!("an open connection within {}", duration(timeout_ns)))
}

/// A WebSocket that the service closed.
pub(crate) fn web_socket_closed(code: Option<CloseCode>, reason: &str) -> Seen<'static> {
    let why = match code {
        None => "without a code".to_owned(),
        Some(code) => match code.meaning() {
            Some(meaning) => format!("with the code {}, {meaning}", code.get()),
            None => format!("with the code {}", code.get()),
        },
    };
    let words = match reason {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    Seen::found(format!("the service closed the WebSocket {why}{words}")).expecting("a connection that stays open")
}

/// A client that the service does not let in.
pub(crate) fn not_admitted(reason: &str) -> Seen<'static> {
    let found = match reason {
        "" => "the service refused the client (CONNECT_ERROR) and did not say why".to_owned(),
        reason => format!("the service refused the client (CONNECT_ERROR): {reason}"),
    };
    Seen::found(found).expecting("a connection to the namespace")
}

/// How the peer ended a connection.
fn end(end: &End) -> String {
    match end {
        End::Finished => "the service closed the connection".to_owned(),
        End::Truncated => "the service closed the connection without ending the TLS session".to_owned(),
        End::Failed(words) => words.clone().into_string(),
        End::Reset { errno } => os_error(*errno).unwrap_or_else(|| "the connection was reset".to_owned()),
    }
}

/// A connection that ended before its time, and what had come of the response. `perhaps_tls` is
/// whether the service may have expected TLS.
pub(crate) fn cut_off(how: &End, came: Came, perhaps_tls: bool) -> Seen<'static> {
    let perhaps = if perhaps_tls && came == Came::Nothing {
        PERHAPS_TLS
    } else {
        ""
    };
    Seen::found(format!("{}, {}{perhaps}", end(how), so_far(came))).expecting("a whole response")
}

/// A held connection that the service closed. `perhaps_tls` is whether the service may have expected TLS.
pub(crate) fn closed(how: &End, perhaps_tls: bool) -> Seen<'static> {
    let perhaps = if perhaps_tls { PERHAPS_TLS } else { "" };
    Seen::found(format!("{}{perhaps}", end(how))).expecting("a connection that stays open")
}

/// A held connection whose service said that it ends with the response.
pub(crate) fn response_ends_connection() -> Seen<'static> {
    Seen::found("the response ends its connection").expecting("a connection that stays open")
}

/// A request that is held, on a connection that the service ends in these words.
pub(crate) fn farewell(words: &str) -> Seen<'static> {
    Seen::found(format!("the service ended the connection: {words}")).expecting("a connection that is held")
}

/// The service gave up one request, with this code.
pub(crate) fn stream_reset(code: &str, came: Came) -> Seen<'static> {
    Seen::found(format!("the service reset the stream: {code}; {}", so_far(came))).expecting("a whole response")
}

/// A call that ended with this status and these words, percent-encoded, or without a status.
pub(crate) fn call(code: Option<u32>, message: &[u8], accepted: &[GrpcStatus]) -> Seen<'static> {
    let status = match code {
        None => "a response without grpc-status".to_owned(),
        Some(code) => match GrpcStatus::of(code) {
            None => format!("grpc-status {code}"),
            Some(status) => format!("grpc-status {}", status.as_str()),
        },
    };
    let words = match percent_decode(message).decode_utf8_lossy().as_ref() {
        "" => String::new(),
        message => format!(": {message}"),
    };
    let accepted: Vec<&str> = accepted.iter().map(|status| status.as_str()).collect();
    Seen::found(status + &words).expecting(format!("grpc-status {}", accepted.join(" or ")))
}

/// The service declined a request twice.
pub(crate) fn declined() -> Seen<'static> {
    Seen::found("the service refused the stream twice, before it did anything for the request")
        .expecting("a whole response")
}

/// Bytes that no request had asked for.
pub(crate) fn unrequested(bytes: &[u8]) -> Seen<'_> {
    let reason = format!("{} bytes came that no request had asked for", bytes.len());
    Seen {
        expected: String::new(),
        ..Seen::malformed(&reason, bytes)
    }
}

/// How a port for https meets a request without TLS: some, Node.js among them, close without an alert.
const PERHAPS_TLS: &str = "; the service may expect TLS (use https:// instead of http://)";

pub(crate) fn timed_out(timeout_ns: u64, came: Came) -> Seen<'static> {
    Seen::found(so_far(came)).expecting(within(timeout_ns))
}

/// A message in this protocol whose response has not come.
pub(crate) fn unanswered(protocol: &str, timeout_ns: u64) -> Seen<'static> {
    let what = match protocol == WebSocket::<()>::NAME {
        true => "a message with its `${message}`",
        false => "its acknowledgement",
    };
    let within = duration(timeout_ns);
    Seen::found("none had come on its connection").expecting(format!("{what} within {within} of the scheduled start"))
}

/// A request that found no connection.
pub(crate) fn never_sent(timeout_ns: u64) -> Seen<'static> {
    Seen::found("no connection was free, so the request was never sent").expecting(within(timeout_ns))
}

/// A request that found no connection to follow a redirect on.
pub(crate) fn not_sent_on(timeout_ns: u64) -> Seen<'static> {
    Seen::found("no connection was free to follow a redirect on").expecting(within(timeout_ns))
}

fn within(timeout_ns: u64) -> String {
    format!(
        "a whole response within {} of the scheduled start",
        duration(timeout_ns)
    )
}

fn so_far(came: Came) -> String {
    match came {
        Came::Nothing => "not one byte of the response had come".to_owned(),
        Came::Head(bytes) => format!("{bytes} bytes of status line and headers had come"),
        Came::Body {
            status,
            received_bytes,
            end,
        } => match end {
            BodyEnd::Length(bytes) => {
                format!("status {status} and {received_bytes} of {bytes} bytes of the body had come")
            }
            BodyEnd::LastChunk => {
                format!("status {status} and {received_bytes} bytes of a chunked body had come, before its last chunk")
            }
            BodyEnd::Stream => {
                format!("status {status} and {received_bytes} bytes of the body had come, before the end of its stream")
            }
            BodyEnd::Connection => format!(
                "status {status} and {received_bytes} bytes of a body had come that has no length and lasts until the connection ends"
            ),
        },
    }
}

/// A request that met a connection which the service was ending.
pub(crate) fn race(how: &End, rested_ns: u64) -> Seen<'static> {
    let rested = if rested_ns == 0 {
        String::new()
    } else {
        format!(", after {} without a request", duration(rested_ns))
    };
    Seen::found(format!("{}{rested}, as the request was sent", end(how)))
}

/// Statuses as a plan writes them.
pub(crate) fn statuses(accepted: &[(u16, u16)]) -> String {
    let one = |&(low, high): &(u16, u16)| match (low, high) {
        (low, high) if low == high => low.to_string(),
        (low, high) if low % 100 == 0 && high % 100 == 99 => {
            let classes = (low / 100..=high / 100).map(|class| format!("{class}xx"));
            classes.collect::<Vec<_>>().join(" or ")
        }
        (low, high) => format!("{low}-{high}"),
    };
    format!("status {}", accepted.iter().map(one).collect::<Vec<_>>().join(" or "))
}

fn duration(ns: u64) -> String {
    match ns {
        0..1_000_000 => format!("{} µs", ns / 1000),
        1_000_000..1_000_000_000 => format!("{} ms", ns / 1_000_000),
        _ if ns.is_multiple_of(1_000_000_000) => format!("{} s", ns / 1_000_000_000),
        _ => format!("{:.1} s", ns as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests;
