//! One worker and a queue: serves requests one by one, each for an exponentially distributed time.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Piece, Service, serve};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    /// Requests that the worker serves per second while it is busy
    service_rate_per_s: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

struct Worker {
    service_time_mean_ns: f64,
    random: ChaCha8Rng,
    free_at_ns: u64,
}

impl Service for Worker {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        // By inversion. 1 − u lies in (0, 1], so its logarithm is finite.
        let service_time_ns = -self.service_time_mean_ns * (1.0 - self.random.random::<f64>()).ln();
        self.free_at_ns = self.free_at_ns.max(arrived_ns) + service_time_ns as u64;
        pieces.push(Piece::whole(self.free_at_ns));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        Worker {
            service_time_mean_ns: 1e9 / args.service_rate_per_s,
            random: ChaCha8Rng::seed_from_u64(args.seed),
            free_at_ns: 0,
        },
    )
}
