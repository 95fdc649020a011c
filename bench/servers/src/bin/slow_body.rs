//! Sends the head at once and the body in pieces, one after each gap.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Part, Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    pieces: u64,
    gap_ms: f64,
}

const PIECE: &[u8] = b"a piece of a body, as a database cursor or a slow disk would give it\n";

struct SlowBody {
    head: Part,
    pieces: u64,
    gap_ns: u64,
}

impl Service for SlowBody {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.push(Piece {
            at_ns: arrived_ns,
            part: self.head,
        });
        pieces.extend((1..=self.pieces).map(|nth| Piece {
            at_ns: arrived_ns + nth * self.gap_ns,
            part: Part::Body(PIECE),
        }));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        SlowBody {
            head: Part::Head(args.pieces * PIECE.len() as u64),
            pieces: args.pieces,
            gap_ns: ns_of_ms(args.gap_ms),
        },
    )
}
