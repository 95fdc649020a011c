//! What a request over HTTP/2 costs from its start to its response, 64 at a time:
//! `cargo run --release -p plimsoll-protocol --example http2_cost`. With a number as argument it sends so many requests to the
//! first of the services once, to be counted by valgrind.

#![expect(clippy::disallowed_methods, reason = "it measures time")]

use plimsoll_protocol::http2::{Common, Http2, RequestLayout, Scheme};
use plimsoll_protocol::{Client, Completions, Part, RequestFailure, RequestParts, Response};
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

const ROUNDS: usize = 7;
const BATCHES_PER_ROUND: u32 = 20_000;
const STREAMS: u32 = 64;

/// What the engine keeps with a request.
type Token = [u64; 4];

#[derive(Default)]
struct Count(u64);

impl Completions<Token> for Count {
    fn response(&mut self, _token: &Token, response: &Response<'_>) {
        self.0 += u64::from(response.status == 200);
    }

    fn keeps_beginning(&mut self, _token: &Token, status: u16) -> bool {
        status >= 300
    }

    fn failed(&mut self, _token: &Token, _failure: &RequestFailure<'_>) {}

    fn unseen(&mut self, _token: &Token, _words: &str) {}
}

fn literal(first: u8, name: &str, value: &str, block: &mut Vec<u8>) {
    block.push(first);
    if !name.is_empty() {
        block.push(name.len() as u8);
        block.extend(name.bytes());
    }
    block.push(value.len() as u8);
    block.extend(value.bytes());
}

/// A block as nginx sends it: literals after a table of no size.
fn nginx() -> [Vec<u8>; 2] {
    let mut fields = vec![0x88];
    literal(0x76, "", "nginx/1.22.1", &mut fields);
    literal(0x61, "", "Mon, 19 Jan 2026 08:12:31 GMT", &mut fields);
    literal(0x5f, "", "application/octet-stream", &mut fields);
    literal(0x5c, "", "2", &mut fields);
    [[&[0x20], &fields[..]].concat(), fields]
}

/// A block as Node.js sends it: indices of what it sent first.
fn node() -> [Vec<u8>; 2] {
    let mut first = vec![0x88];
    literal(0x61, "", "Mon, 19 Jan 2026 08:12:31 GMT", &mut first);
    literal(0x5f, "", "text/plain", &mut first);
    [first, vec![0x88, 0xbf, 0xbe]]
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend([0, 0, payload.len() as u8, kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
}

/// The responses of one batch after another.
struct Service {
    blocks: [Vec<u8>; 2],
    next: u32,
    bytes: Vec<u8>,
}

impl Service {
    fn new(blocks: [Vec<u8>; 2]) -> Self {
        Self {
            blocks,
            next: 1,
            bytes: Vec::new(),
        }
    }

    fn respond(&mut self) -> &[u8] {
        self.bytes.clear();
        if self.next == 1 {
            frame(4, 0, 0, &[], &mut self.bytes);
        }
        for _ in 0..STREAMS {
            let block = &self.blocks[usize::from(self.next > 1)];
            frame(1, 4, self.next, block, &mut self.bytes);
            frame(0, 1, self.next, b"ok", &mut self.bytes);
            self.next += 2;
        }
        &self.bytes
    }

    /// The same responses with the ids of the next batch, which costs less than to write them anew.
    fn again(&mut self) -> &[u8] {
        let response = self.blocks[1].len() + 20;
        for response in self.bytes.chunks_exact_mut(response) {
            let id = self.next.to_be_bytes();
            response[5..9].copy_from_slice(&id);
            let data = response.len() - 11;
            response[data + 5..data + 9].copy_from_slice(&id);
            self.next += 2;
        }
        &self.bytes
    }
}

/// Sends so many batches, and says how long one request took, ns, with and without the responses.
fn run(blocks: [Vec<u8>; 2], request: &RequestLayout, batches: u32) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let mut client = Http2::<Token>::new(STREAMS, true);
    let (mut common, mut out, mut count) = (Common::default(), Vec::new(), Count::default());
    client.open(&mut out);
    let mut service = Service::new(blocks);
    let item = b"12345";
    let mut batch = |client: &mut Http2<Token>, bytes: &[u8]| {
        let start = Instant::now();
        out.clear();
        for nth in 0..STREAMS {
            client.start(black_box(request), |_| item, [nth.into(); 4], &mut out);
        }
        black_box(&out);
        let started = Instant::now();
        out.clear();
        client
            .receive(black_box(bytes), &mut common, &mut out, &mut count)
            .map_err(|failure| format!("{failure:?}"))?;
        Ok::<_, String>((started - start, started.elapsed()))
    };
    batch(&mut client, service.respond())?;
    batch(&mut client, service.respond())?;
    let (mut starts, mut responses) = (0.0, 0.0);
    for _ in 0..batches {
        let (start, response) = batch(&mut client, service.again())?;
        starts += start.as_secs_f64();
        responses += response.as_secs_f64();
    }
    let requests = f64::from(batches * STREAMS);
    if count.0 != u64::from(batches + 2) * u64::from(STREAMS) {
        return Err(format!("{} responses came", count.0).into());
    }
    Ok((starts * 1e9 / requests, responses * 1e9 / requests))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let get = RequestParts {
        method: "GET",
        authority: "shop.example:8080",
        target: &[Part::Literal(b"/items/list")],
        headers: &[],
        body: &[],
        keep_alive: true,
    };
    let fixed = RequestLayout::new(&get, Scheme::Http)?;
    let varying = RequestParts {
        target: &[Part::Literal(b"/items/"), Part::Variable(0)],
        ..get
    };
    let varying = RequestLayout::new(&varying, Scheme::Http)?;
    if let Some(requests) = std::env::args().nth(1) {
        run(nginx(), &fixed, requests.parse::<u32>()? / STREAMS)?;
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    for (service, blocks) in [("nginx", nginx()), ("Node.js", node())] {
        for (kind, request) in [("the same request", &fixed), ("a path that varies", &varying)] {
            let mut rounds = Vec::new();
            for _ in 0..ROUNDS {
                rounds.push(run(blocks.clone(), request, BATCHES_PER_ROUND)?);
            }
            let median = |of: fn(&(f64, f64)) -> f64| {
                let mut all: Vec<f64> = rounds.iter().map(of).collect();
                all.sort_by(f64::total_cmp);
                all[ROUNDS / 2]
            };
            writeln!(
                out,
                "{service}, {kind}: {:.0} ns to start, {:.0} ns to read the response",
                median(|round| round.0),
                median(|round| round.1)
            )?;
        }
    }
    Ok(())
}
