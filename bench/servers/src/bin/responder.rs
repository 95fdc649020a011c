//! Answers every request at once, with two bytes: the cheapest server that a generator can have.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Piece, Service, serve};

#[derive(Debug, Parser)]
struct Args {
    port: u16,
}

struct Responder;

impl Service for Responder {
    const SEEN: bool = false;

    fn answer(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        pieces.push(Piece::whole(arrived_ns));
    }
}

fn main() -> Result<()> {
    serve(Args::parse().port, Responder)
}
