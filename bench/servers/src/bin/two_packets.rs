//! Sends a response in two packets, cut in the middle of a header, the second after a gap.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Piece, RESPONSE, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    port: u16,
    gap_ms: f64,
}

const CUT: usize = 25;

struct TwoPackets {
    gap_ns: u64,
}

impl Service for TwoPackets {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        let (first, second) = RESPONSE.split_at(CUT);
        pieces.extend([(0, first), (self.gap_ns, second)].map(|(after_ns, bytes)| Piece {
            at_ns: arrived_ns + after_ns,
            bytes,
        }));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        args.port,
        TwoPackets {
            gap_ns: ns_of_ms(args.gap_ms),
        },
    )
}
