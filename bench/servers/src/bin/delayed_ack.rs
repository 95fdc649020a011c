//! Writes head and body by two calls and leaves Nagle's algorithm on, as a service does that does not know better: the
//! body waits until the client acknowledges the head, and a client delays that.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Piece, RESPONSE, Service, serve};

#[derive(Debug, Parser)]
struct Args {
    port: u16,
}

const BODY_BYTES: usize = 2;

struct TwoWrites;

impl Service for TwoWrites {
    const NAGLE: bool = true;

    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        let (head, body) = RESPONSE.split_at(RESPONSE.len() - BODY_BYTES);
        pieces.extend([head, body].map(|bytes| Piece {
            at_ns: arrived_ns,
            bytes,
        }));
    }
}

fn main() -> Result<()> {
    serve(Args::parse().port, TwoWrites)
}
