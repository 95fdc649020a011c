//! Responds to most requests after a short time, and each nth after a long one.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    short_ms: f64,
    long_ms: f64,
    nth: u64,
}

struct Bimodal {
    short_ns: u64,
    long_ns: u64,
    nth: u64,
    requests: u64,
}

impl Service for Bimodal {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        self.requests += 1;
        let long = self.requests.is_multiple_of(self.nth);
        pieces.push(Piece::whole(
            arrived_ns + if long { self.long_ns } else { self.short_ns },
        ));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        Bimodal {
            short_ns: ns_of_ms(args.short_ms),
            long_ns: ns_of_ms(args.long_ms),
            nth: args.nth,
            requests: 0,
        },
    )
}
