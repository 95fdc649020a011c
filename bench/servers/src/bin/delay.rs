//! Responds to every request after the same time.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    delay_ms: f64,
}

struct Delay {
    delay_ns: u64,
}

impl Service for Delay {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.push(Piece::whole(arrived_ns + self.delay_ns));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        Delay {
            delay_ns: ns_of_ms(args.delay_ms),
        },
    )
}
