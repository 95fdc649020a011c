//! Responds at once, but sends nothing in the last part of each period. The first period begins with the first request.
//!
//! It keeps reading meanwhile, so that what is left to do when it thaws is to send. It begins with those that came last:
//! the time that this takes then falls on requests that have waited for long, where it matters least.

use anyhow::Result;
use clap::Parser;
use plimsoll_bench_servers::{Door, Piece, Service, ns_of_ms, serve};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    door: Door,
    /// From the beginning of a freeze to that of the next
    period_ms: f64,
    freeze_ms: f64,
}

struct Freeze {
    period_ns: u64,
    freeze_ns: u64,
    first_ns: Option<u64>,
    /// Requests that came in the freeze that ends then.
    frozen: (u64, u64),
}

impl Service for Freeze {
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>) {
        let first_ns = *self.first_ns.get_or_insert(arrived_ns);
        let into_period_ns = (arrived_ns - first_ns) % self.period_ns;
        if into_period_ns < self.period_ns - self.freeze_ns {
            return pieces.push(Piece::whole(arrived_ns));
        }
        let thaw_ns = arrived_ns - into_period_ns + self.period_ns;
        let before = if self.frozen.0 == thaw_ns { self.frozen.1 } else { 0 };
        self.frozen = (thaw_ns, before + 1);
        // A nanosecond earlier than the one before it.
        pieces.push(Piece::whole(thaw_ns - before));
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    serve(
        &args.door,
        Freeze {
            period_ns: ns_of_ms(args.period_ms),
            freeze_ns: ns_of_ms(args.freeze_ms),
            first_ns: None,
            frozen: (0, 0),
        },
    )
}
