//! Sends a response in two packets, cut in the middle of a header, the second after a gap.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Part, Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    gap_ms: f64,
}

struct TwoPackets {
    gap_ns: u64,
}

impl Service for TwoPackets {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.extend(
            [(0, Part::Begin), (self.gap_ns, Part::Rest)].map(|(after_ns, part)| Piece {
                at_ns: arrived_ns + after_ns,
                part,
            }),
        );
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        TwoPackets {
            gap_ns: ns_of_ms(args.gap_ms),
        },
    )
}
