//! Sends the head at once and the body in pieces, one after each gap.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    port: u16,
    pieces: u64,
    gap_ms: f64,
}

const PIECE: &[u8] = b"a piece of a body, as a database cursor or a slow disk would give it\n";

struct SlowBody {
    head: &'static [u8],
    pieces: u64,
    gap_ns: u64,
}

impl Service for SlowBody {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.push(Piece {
            at_ns: arrived_ns,
            bytes: self.head,
        });
        pieces.extend((1..=self.pieces).map(|nth| Piece {
            at_ns: arrived_ns + nth * self.gap_ns,
            bytes: PIECE,
        }));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let length = args.pieces * PIECE.len() as u64;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
    serve(
        args.port,
        SlowBody {
            // Once, and needed for as long as the server runs.
            head: head.leak().as_bytes(),
            pieces: args.pieces,
            gap_ns: ns_of_ms(args.gap_ms),
        },
    )
}
