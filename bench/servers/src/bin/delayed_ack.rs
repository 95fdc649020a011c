//! Writes head and body by two calls and leaves Nagle's algorithm on, as a service does that does not know better: the
//! body waits until the client acknowledges the head, and a client delays that.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Part, Piece, Service, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
}

const BODY: &[u8] = b"ok";

struct TwoWrites;

impl Service for TwoWrites {
    const NAGLE: bool = true;

    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.extend([Part::Head(BODY.len() as u64), Part::Body(BODY)].map(|part| Piece {
            at_ns: arrived_ns,
            part,
        }));
    }
}

fn main() -> Result<()> {
    serve(&Args::parse().door, TwoWrites)
}
