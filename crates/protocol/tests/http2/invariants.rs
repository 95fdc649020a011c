//! What must hold for any bytes whatever. The property tests, the replayed corpus and the fuzz targets share it.

use plimsoll_protocol::http2::{Common, Http2, RequestLayout, Scheme};
use plimsoll_protocol::{
    Client, Completions, Failure, Part, RequestFailure, RequestParts, Response, Standing, StreamEnd,
};
use std::collections::{BTreeMap, BTreeSet};

/// What came of a request, in words.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Log {
    outcomes: Vec<(u32, String)>,
    /// All content, by the request that it belongs to.
    content: BTreeMap<u32, Vec<u8>>,
    keeps_from: u16,
}

impl Completions<u32> for Log {
    const TAKES_CONTENT: bool = true;

    fn response(&mut self, token: &u32, response: &Response<'_>) {
        let Response {
            status,
            bytes,
            in_one_piece,
        } = response;
        let outcome = format!("{status} {in_one_piece} {}", bytes.escape_ascii());
        self.outcomes.push((*token, outcome));
    }

    fn content(&mut self, token: &u32, piece: &[u8]) {
        self.content.entry(*token).or_default().extend_from_slice(piece);
    }

    fn keeps_beginning(&mut self, _token: &u32, status: u16) -> bool {
        status >= self.keeps_from
    }

    fn failed(&mut self, token: &u32, failure: &RequestFailure<'_>) {
        self.outcomes.push((*token, format!("{failure:?}")));
    }

    fn unseen(&mut self, token: &u32, _words: &str) {
        self.outcomes.push((*token, "unseen".to_owned()));
    }
}

/// A client at work, and what is done with it at places of the stream that do not depend on how it is cut.
struct Driver {
    client: Http2<u32>,
    common: Common,
    log: Log,
    out: Vec<u8>,
    started: u32,
    requests: [RequestLayout; 3],
}

/// All that can be seen of what a stream of bytes did.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    outcomes: Vec<(u32, String)>,
    /// Of whole responses: what came of another depends on where it was found to be wrong.
    content: BTreeMap<u32, Vec<u8>>,
    out: Vec<u8>,
    end: String,
}

/// So many bytes lie between the places where requests are started and given up.
const STEP: usize = 96;
/// Most bytes that a request takes on its way out, its body and RST_STREAM included.
const REQUEST_BYTES: usize = 71_000;

impl Driver {
    fn new(options: u8) -> Self {
        let get = RequestParts {
            method: "GET",
            authority: "shop",
            target: &[Part::Literal(b"/")],
            headers: &[],
            body: &[],
            keep_alive: true,
        };
        let head = RequestParts { method: "HEAD", ..get };
        let body = vec![b'x'; 70_000];
        let post = RequestParts {
            method: "POST",
            target: &[Part::Variable(0)],
            body: &[Part::Literal(&body)],
            ..get
        };
        let lay_out = if options & 32 == 0 {
            RequestLayout::new
        } else {
            RequestLayout::call
        };
        let requests = [
            RequestLayout::new(&get, Scheme::Http),
            RequestLayout::new(&head, Scheme::Http),
            lay_out(&post, Scheme::Http),
        ];
        let requests = requests.map(|layout| layout.expect("it is in order"));
        let mut driver = Self {
            client: Http2::new(4, options & 8 == 0),
            common: Common::default(),
            log: Log {
                keeps_from: if options & 16 == 0 { 300 } else { 0 },
                ..Log::default()
            },
            out: Vec::new(),
            started: 0,
            requests,
        };
        driver.client.open(&mut Vec::new());
        for _ in 0..options & 7 {
            driver.start();
        }
        driver
    }

    fn receive(&mut self, bytes: &[u8]) -> Result<Standing, Failure> {
        self.client
            .receive(bytes, &mut self.common, &mut self.out, &mut self.log)
    }

    fn start(&mut self) {
        if self.client.capacity() > 0 {
            let request = &self.requests[self.started as usize % 3];
            self.client.start(request, |_| b"/path", self.started, &mut self.out);
            self.started += 1;
        }
    }

    fn give_up(&mut self) {
        if let Some(token) = self.client.give_up(&mut self.out) {
            self.log.outcomes.push((token, "given up".to_owned()));
        }
    }

    /// Feeds a stream in pieces of these lengths, then ends the connection.
    fn run(mut self, stream: &[u8], mut lengths: impl FnMut() -> usize) -> Seen {
        let mut end = None;
        'steps: for (nth, step) in stream.chunks(STEP).enumerate() {
            let mut rest = step;
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(lengths().clamp(1, rest.len()));
                rest = behind;
                match self
                    .client
                    .receive(piece, &mut self.common, &mut self.out, &mut self.log)
                {
                    Ok(Standing::Open) => {}
                    Ok(Standing::Leaving) => assert_eq!(self.client.capacity(), 0),
                    Ok(Standing::Closing) => {
                        assert_eq!((self.client.capacity(), self.client.in_flight()), (0, 0));
                        end = Some("closing".to_owned());
                        break 'steps;
                    }
                    Err(failure) => {
                        assert_eq!(self.client.capacity(), 0, "after {failure:?}");
                        end = Some(unquoted(&failure));
                        break 'steps;
                    }
                }
            }
            match nth % 4 {
                1 => self.give_up(),
                _ => self.start(),
            }
        }
        let end = end.unwrap_or_else(|| {
            let end = self.client.end_of_stream(StreamEnd::Finished, &mut self.log);
            end.map_or_else(|failure| unquoted(&failure), |()| "ended".to_owned())
        });
        while self.client.in_flight() > 0 {
            self.give_up();
        }
        assert!(self.client.oldest().is_none() && self.client.give_up(&mut self.out).is_none());
        let mut tokens: Vec<u32> = self.log.outcomes.iter().map(|(token, _)| *token).collect();
        tokens.sort_unstable();
        let all: Vec<u32> = (0..self.started).collect();
        assert_eq!(tokens, all, "each request has one outcome");
        let most = self.started as usize * REQUEST_BYTES + 2 * stream.len() + 64;
        assert!(self.out.len() <= most, "{} bytes were sent", self.out.len());
        let mut content = self.log.content;
        let responses = self
            .log
            .outcomes
            .iter()
            .filter(|(_, outcome)| outcome.starts_with(|c: char| c.is_ascii_digit()));
        let whole: BTreeSet<u32> = responses.map(|&(token, _)| token).collect();
        content.retain(|token, content| whole.contains(token) && !content.is_empty());
        Seen {
            content,
            outcomes: self.log.outcomes,
            out: self.out,
            end,
        }
    }
}

/// A failure without what it quotes, which depends on how much had come.
fn unquoted(failure: &Failure) -> String {
    format!("{failure:?}").split('`').next().unwrap_or_default().to_owned()
}

/// Longest stream that is also read byte by byte.
const BYTE_BY_BYTE_MAX: usize = 4096;

/// However what a service sends is cut, it means the same, and each request has exactly one outcome. The first byte of `input` says
/// how many requests are in flight and how the client is used, the second how the stream is cut, and the rest is the stream;
/// before it the service says its settings where the second byte is even.
pub(crate) fn connection_means_the_same_however_it_is_cut(input: &[u8]) {
    let [options, cuts, stream @ ..] = input else {
        return;
    };
    let settings: &[u8] = match cuts % 2 {
        0 => &[0, 0, 0, 4, 0, 0, 0, 0, 0],
        _ => &[],
    };
    let stream = [settings, stream].concat();
    let whole = Driver::new(*options).run(&stream, || usize::MAX);
    let mut state = u32::from(*cuts);
    let cut = Driver::new(*options).run(&stream, || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % 24
    });
    assert_eq!(whole, cut, "cut by {cuts}");
    if stream.len() <= BYTE_BY_BYTE_MAX {
        assert_eq!(whole, Driver::new(*options).run(&stream, || 1), "byte by byte");
    }
}

/// Fields of a header block.
pub(crate) type FieldList = Vec<(Vec<u8>, Vec<u8>)>;

/// What another decoder makes of a header block.
#[derive(Debug)]
pub(crate) enum Read {
    Fields(FieldList),
    Refused,
    /// It cannot say, by a fault of its own.
    Failed,
}

/// Every header block means to another decoder what it means to ours, or is refused by both. Each block of `input` has its length
/// before it, in two bytes. `other` reads one block after another; `is_laxer` says where it
/// takes what ours refuses, by the words of ours.
pub(crate) fn header_blocks_mean_the_same_to(
    mut other: impl FnMut(&[u8]) -> Read,
    is_laxer: impl Fn(&str) -> bool,
    mut input: &[u8],
) {
    const MAX_BLOCKS: u32 = 64;
    let mut driver = Driver::new(16);
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    driver.receive(&settings).expect("the settings are in order");
    while let Some((&length, rest)) = input.split_first_chunk()
        && driver.started < MAX_BLOCKS
    {
        let length = usize::from(u16::from_be_bytes(length)).min(rest.len()).min(16_383);
        let (block, behind) = rest.split_at(length);
        input = behind;
        // With a status, so that the block is one of a response.
        let (sizes, fields) = with_size_updates_first(block);
        let block = [sizes, &[0x88], fields].concat();
        driver
            .client
            .start(&driver.requests[0], |_| b"/path", driver.started, &mut driver.out);
        driver.started += 1;
        let id = (2 * driver.started - 1).to_be_bytes();
        let length = (block.len() as u32).to_be_bytes();
        let received = driver.receive(&[&length[1..], &[1, 5], &id, &block].concat());
        let read = other(&block);
        let (fields, standing) = match (read, received) {
            (Read::Fields(fields), Ok(standing)) => (fields, standing),
            (Read::Refused, Err(_)) | (Read::Failed, _) => return,
            (read, received) => {
                let ours = format!("{received:?}");
                assert!(
                    matches!(read, Read::Fields(_)) && is_laxer(&ours),
                    "{block:x?} is {read:x?} and {ours}"
                );
                return;
            }
        };
        assert_eq!(standing, Standing::Open);
        let (_, outcome) = driver.log.outcomes.pop().expect("the stream has ended");
        let mut text = b"HTTP/2 200\r\n".to_vec();
        for (name, value) in &fields[1..] {
            text.extend([name, &b": "[..], value, b"\r\n"].concat());
        }
        text.extend(b"\r\n");
        if outcome.starts_with("200 true") {
            assert_eq!(outcome, format!("200 true {}", text.escape_ascii()));
        }
    }
}

/// The changes of the table's size with which a block begins, and the rest of it.
fn with_size_updates_first(block: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while block.get(at).is_some_and(|byte| byte & 0xe0 == 0x20) {
        let is_long = block[at] & 0x1f == 0x1f;
        at += 1;
        while is_long && block.get(at).is_some_and(|byte| byte & 0x80 != 0) {
            at += 1;
        }
        at += usize::from(is_long);
    }
    block.split_at(at.min(block.len()))
}
