//! A service that says whatever it is told to, and what comes of it.

use plimsoll_protocol::http2::{Common, Http2, RequestLayout, Scheme};
use plimsoll_protocol::{Client, Completions, Failure, Part, RequestFailure, RequestParts, Response, Standing};

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const PRIORITY: u8 = 2;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PUSH_PROMISE: u8 = 5;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;

pub(crate) const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;

pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

pub(crate) fn settings(settings: &[(u16, u32)]) -> Vec<u8> {
    let payload: Vec<u8> = settings
        .iter()
        .flat_map(|(setting, value)| [&setting.to_be_bytes()[..], &value.to_be_bytes()].concat())
        .collect();
    frame(SETTINGS, 0, 0, &payload)
}

pub(crate) fn window_update(stream: u32, increment: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &increment.to_be_bytes())
}

pub(crate) fn reset(stream: u32, code: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &code.to_be_bytes())
}

pub(crate) fn go_away(last: u32, code: u32, words: &str) -> Vec<u8> {
    let payload = [&last.to_be_bytes()[..], &code.to_be_bytes(), words.as_bytes()].concat();
    frame(GOAWAY, 0, 0, &payload)
}

/// A block that uses no table: literals in plain text.
pub(crate) fn block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            assert!(text.len() < 127, "a longer text has a longer length");
            block.push(text.len() as u8);
            block.extend(text.bytes());
        }
    }
    block
}

pub(crate) fn head(stream: u32, flags: u8, fields: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | flags, stream, &block(fields))
}

pub(crate) fn data(stream: u32, flags: u8, content: &str) -> Vec<u8> {
    frame(DATA, flags, stream, content.as_bytes())
}

/// A whole response with status 200.
pub(crate) fn ok(stream: u32) -> Vec<u8> {
    [
        head(stream, 0, &[(":status", "200"), ("content-length", "2")]),
        data(stream, END_STREAM, "ok"),
    ]
    .concat()
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Status, what was kept of it, and whether that is all.
    Response(u16, String, bool),
    Malformed(String),
    Reset(String),
    Refused,
    /// Status, `grpc-status` and `grpc-message`.
    Call(u16, Option<u32>, String),
    /// In which words.
    Unseen(String),
}

/// All that came of requests, in order, by their tokens.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) outcomes: Vec<(u32, Outcome)>,
    /// Keep responses from this status on.
    pub(crate) keeps_from: Option<u16>,
    /// And of these the heads alone.
    pub(crate) heads_alone: bool,
}

impl Completions<u32> for Log {
    fn response(&mut self, token: &u32, response: &Response<'_>) {
        let kept = String::from_utf8_lossy(response.bytes).into_owned();
        let outcome = Outcome::Response(response.status, kept, response.in_one_piece);
        self.outcomes.push((*token, outcome));
    }

    fn keeps_beginning(&mut self, _token: &u32, status: u16) -> bool {
        self.keeps_from.is_some_and(|from| status >= from)
    }

    fn keeps_content(&mut self, _token: &u32, _status: u16) -> bool {
        !self.heads_alone
    }

    fn failed(&mut self, token: &u32, failure: &RequestFailure<'_>) {
        let outcome = match failure {
            RequestFailure::Malformed { reason, .. } => Outcome::Malformed((*reason).to_owned()),
            RequestFailure::Reset { code, .. } => Outcome::Reset((*code).to_owned()),
            RequestFailure::Refused => Outcome::Refused,
            RequestFailure::Call { status, code, message } => {
                Outcome::Call(*status, *code, String::from_utf8_lossy(message).into_owned())
            }
        };
        self.outcomes.push((*token, outcome));
    }

    fn unseen(&mut self, token: &u32, words: &str) {
        self.outcomes.push((*token, Outcome::Unseen(words.to_owned())));
    }
}

/// A connection that stands.
pub(crate) struct Connection {
    pub(crate) client: Http2<u32>,
    pub(crate) common: Common,
    pub(crate) log: Log,
    /// What the client has sent since this was last taken.
    pub(crate) out: Vec<u8>,
    pub(crate) started: u32,
}

impl Connection {
    /// On which nothing was sent but what every connection begins with.
    pub(crate) fn new(streams: u32) -> Self {
        let mut client = Http2::new(streams, true);
        client.open(&mut Vec::new());
        Self {
            client,
            common: Common::default(),
            log: Log::default(),
            out: Vec::new(),
            started: 0,
        }
    }

    /// On which the service has said its settings, and these requests are in flight, with tokens from 0.
    pub(crate) fn with_requests(requests: u32) -> Self {
        let mut connection = Self::new(100);
        connection.receives(&settings(&[])).expect("the settings are in order");
        (0..requests).for_each(|_| connection.start(&get()));
        connection.out.clear();
        connection
    }

    /// Starts a request with the next token.
    pub(crate) fn start(&mut self, request: &RequestLayout) {
        self.client.start(request, |_| b"", self.started, &mut self.out);
        self.started += 1;
    }

    pub(crate) fn receives(&mut self, bytes: &[u8]) -> Result<Standing, Failure> {
        self.client
            .receive(bytes, &mut self.common, &mut self.out, &mut self.log)
    }

    /// What came of the requests since this was last asked.
    pub(crate) fn outcomes(&mut self) -> Vec<(u32, Outcome)> {
        std::mem::take(&mut self.log.outcomes)
    }

    /// What the client has sent since this was last asked.
    pub(crate) fn sent(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

pub(crate) const GET: RequestParts<'_> = RequestParts {
    method: "GET",
    authority: "shop",
    target: &[Part::Literal(b"/")],
    headers: &[],
    body: &[],
    keep_alive: true,
};

pub(crate) fn laid_out(request: &RequestParts<'_>) -> RequestLayout {
    RequestLayout::new(request, Scheme::Http).expect("the request is in order")
}

/// A call whose message is this long.
pub(crate) fn call(message_bytes: usize) -> RequestLayout {
    let message = vec![0; message_bytes];
    let request = RequestParts {
        method: "POST",
        target: &[Part::Literal(b"/shop.Cart/Add")],
        body: &[Part::Literal(&message)],
        ..GET
    };
    RequestLayout::call(&request, Scheme::Http).expect("the call is in order")
}

pub(crate) fn get() -> RequestLayout {
    laid_out(&GET)
}

/// A frame that a client has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Vec<u8>,
}

/// The frames in these bytes.
pub(crate) fn frames(mut bytes: &[u8]) -> Vec<Sent> {
    let mut frames = Vec::new();
    while let Some((&[a, b, c, kind, flags, d, e, f, g], rest)) = bytes.split_first_chunk() {
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        let (payload, behind) = rest.split_at(length);
        frames.push(Sent {
            kind,
            flags,
            stream: u32::from_be_bytes([d, e, f, g]),
            payload: payload.to_vec(),
        });
        bytes = behind;
    }
    assert!(bytes.is_empty(), "{bytes:?} is no frame");
    frames
}
