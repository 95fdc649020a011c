//! One face for every protocol: what a client does on one connection, without the connection.
//!
//! The order of calls: [`Client::open`] once when the connection stands; then, in any order, [`Client::start`] while
//! [`Client::capacity`] allows, and [`Client::receive`] with whatever has come. What a call appends to `out` is to be sent, in
//! that order. After [`Client::end_of_stream`], a failure or [`Standing::Closing`] the connection carries nothing more:
//! [`Client::give_up`] yields the requests that are still on it, and the client is dropped.
//!
//! A layer below a protocol, such as encryption, is a client around a client: it has the same face.

use crate::websocket::CloseCode;

/// What a protocol does on one connection.
pub trait Client {
    /// Name of the protocol.
    const NAME: &'static str;

    /// A request that is laid out once and sent many times.
    type Request;
    /// What the caller keeps with a request from its start to its outcome.
    type Token: Copy;
    /// What the connections to one service have in common. It changes nothing but the cost.
    type Shared: Default;

    /// Whether the requests of a connection are independent of each other: where one fails or is given up, the others go on.
    const INDEPENDENT: bool;

    /// Whether the first request is what opens the connection: it is started while there is no capacity yet, and there is some once
    /// its response has come.
    const OPENED_BY_REQUEST: bool = false;

    /// The connection stands: says what comes before the first request.
    fn open(&mut self, out: &mut Vec<u8>);

    /// Starts a request; `value` gives the value of a variable. To be called while [`Self::capacity`] is not 0.
    fn start<'v>(
        &mut self,
        request: &Self::Request,
        value: impl Fn(usize) -> &'v [u8],
        token: Self::Token,
        out: &mut Vec<u8>,
    );

    /// How many more requests may be started now.
    fn capacity(&self) -> u32;

    /// How many requests have been started and have no outcome.
    fn in_flight(&self) -> u32;

    /// The request among them that was started first.
    fn oldest(&self) -> Option<&Self::Token>;

    /// Takes what has come, and hands on each response that is whole.
    ///
    /// # Errors
    /// When the connection cannot be used any further, and not in order. See [`Failure`] for who is to blame.
    fn receive(
        &mut self,
        bytes: &[u8],
        shared: &mut Self::Shared,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<Self::Token>,
    ) -> Result<Standing, Failure>;

    /// Takes notice that the peer has ended the connection, which may be what ends a response.
    ///
    /// # Errors
    /// When the response to the oldest request is not whole.
    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<Self::Token>)
    -> Result<(), Failure>;

    /// Takes back the oldest request, whose response is not awaited any longer. Where requests are
    /// [independent](Self::INDEPENDENT), the peer is told.
    fn give_up(&mut self, out: &mut Vec<u8>) -> Option<Self::Token>;

    /// What has come of the response to the oldest request.
    fn came(&self) -> Came;

    /// The words in which the peer has said that it ends the connection, where it has.
    fn farewell(&self) -> Option<&str> {
        None
    }

    /// How that begins which a [`Failure::Malformed`] is about; empty where it began with the bytes received last.
    fn beginning(&self) -> &[u8];

    /// After how long without a request the connection is better not used again, ns: the service may be closing it.
    fn idle_limit_ns(&self) -> u64;
}

/// Where responses go.
pub trait Completions<T> {
    /// Whether [`Self::content`] takes notice of anything: else nothing is spent on it.
    const TAKES_CONTENT: bool = false;

    /// A whole response.
    fn response(&mut self, token: &T, response: &Response<'_>);

    /// The response to the request that [opens](Client::OPENED_BY_REQUEST) a connection, where that is no request like others.
    fn opened(&mut self, token: &T, response: &Response<'_>) {
        self.response(token, response);
    }

    /// A piece of the content of a response, as it comes and without its framing; before the response is whole, if it ever is.
    #[inline]
    fn content(&mut self, _token: &T, _piece: &[u8]) {}

    /// A piece of a message that came by itself, and not in response to a request; whether the message ends with it.
    #[inline]
    fn message(&mut self, _piece: &[u8], _ends: bool) {}

    /// What time it is, ns; for a client that follows what the service has said it would do when.
    fn now_ns(&self) -> u64 {
        0
    }

    /// The service has pinged, so long after the moment at which it had said that it would.
    fn pinged(&mut self, _late_ns: u64) {}

    /// Whether the beginning of a response with this status is worth keeping until it is whole. Asked once for a response in
    /// pieces.
    fn keeps_beginning(&mut self, token: &T, status: u16) -> bool;

    /// Whether that beginning is worth more than its head. Asked only where responses may be many and without an end: HTTP/2.
    fn keeps_content(&mut self, _token: &T, _status: u16) -> bool {
        true
    }

    /// A request failed, and its connection goes on.
    fn failed(&mut self, token: &T, failure: &RequestFailure<'_>);

    /// The service ends the connection and has not processed this request, nor will it: it may be sent on another one. `words` are
    /// those in which it said so, in the terms of the protocol.
    fn unseen(&mut self, token: &T, words: &str);
}

/// A whole response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response<'a> {
    /// Status code as sent; three digits, but not necessarily one that RFC 9110 knows. 0 where responses have none.
    pub status: u16,
    /// The response as it came or, if it came in pieces, as much of it as was kept, perhaps nothing.
    pub bytes: &'a [u8],
    /// Whether `bytes` is all of it.
    pub in_one_piece: bool,
}

impl Response<'_> {
    /// Of what has no status: a message.
    pub(crate) const OF_MESSAGE: Self = Self::without_content(0);

    pub(crate) const fn without_content(status: u16) -> Self {
        Self {
            status,
            bytes: &[],
            in_one_piece: false,
        }
    }
}

/// What can be expected of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It carries further requests.
    Open,
    /// It carries no further requests; those on it, which are [independent](Client::INDEPENDENT), go on. [`Self::Closing`] follows
    /// the last of them.
    Leaving,
    /// It carried its last response and is to be closed. The service has not seen the requests that are still on it.
    Closing,
}

/// How a peer ended a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEnd {
    /// In order.
    Finished,
    /// By a reset.
    Reset,
}

/// Why a connection cannot be used any further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// What came is no response. The oldest request fails.
    Malformed {
        /// In the parser's words; fits after a colon.
        reason: String,
    },
    /// Something came that no request had asked for. No request fails.
    Unrequested {
        /// How many bytes.
        bytes: usize,
    },
    /// The connection ended before the response to the oldest request was whole.
    CutOff,
    /// The service closed the connection in order, by the means of the protocol.
    Closed {
        /// Why; `None` where it did not say.
        code: Option<CloseCode>,
        /// The same in the words of the service; perhaps none.
        reason: Box<str>,
    },
    /// The service refuses the client, by the means of the protocol.
    Refused {
        /// Why, in the words of the service; perhaps nothing.
        reason: Box<str>,
    },
}

/// Why one of several independent requests fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFailure<'a> {
    /// What came is no response.
    Malformed {
        /// In the parser's words; fits after a colon.
        reason: &'a str,
        /// How it begins.
        beginning: &'a [u8],
    },
    /// The service gave it up.
    Reset {
        /// The code that it gave for it, by the name of the protocol.
        code: &'a str,
        /// What had come of the response.
        came: Came,
    },
    /// It was a call of gRPC, and its response is whole and does not say that the call went well.
    Call {
        /// As in [`Response::status`].
        status: u16,
        /// Value of `grpc-status`, which is not 0; `None` where there is none.
        code: Option<u32>,
        /// Value of `grpc-message` as it was sent, percent-encoded, or the beginning of it.
        message: &'a [u8],
    },
    /// The service declined it before it did anything for it, so that it may be sent again.
    Refused,
}

/// What has come of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Came {
    /// Not one byte.
    Nothing,
    /// So many bytes, of status line and headers or of interim responses.
    Head(u64),
    /// The head and some of the body.
    Body {
        /// As in [`Response::status`].
        status: u16,
        /// Bytes of the body without framing.
        received_bytes: u64,
        /// What the head says about the end of the body.
        end: BodyEnd,
    },
}

/// What ends a body (RFC 9112, section 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// The last of so many bytes.
    Length(u64),
    /// The last chunk.
    LastChunk,
    /// The end of the connection: the response has no length.
    Connection,
    /// The end of its stream (RFC 9113, section 8.1).
    Stream,
}
