//! What a machine can do at best: a thread that sleeps to each of the times at which a generator would have to send, and
//! does nothing. How late it wakes and what that costs is the part of a generator's that is not its own.

use clap::Parser;
use hdrhistogram::Histogram;
use plimsoll_bench_servers::now_ns;
use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec};
use std::io::{self, Write as _};
use std::num::NonZeroU64;

/// A second, ns.
const SECOND_NS: u64 = 1_000_000_000;

#[derive(Parser)]
#[command(version)]
struct Args {
    /// Wakeups per second
    rate: NonZeroU64,
    /// For how long
    seconds: u64,
}

fn sleep_until(ns: u64) {
    let until = Timespec {
        tv_sec: (ns / SECOND_NS).cast_signed(),
        tv_nsec: (ns % SECOND_NS).cast_signed(),
    };
    while clock_nanosleep_absolute(ClockId::Monotonic, &until) == Err(Errno::INTR) {}
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    rustix::thread::set_current_timer_slack(NonZeroU64::new(1))?;
    let mut late_ns: Histogram<u64> = Histogram::new(3)?;
    let wakes = args.rate.get() * args.seconds;
    let start_ns = now_ns();
    for number in 1..=wakes {
        let due_ns = start_ns + number * SECOND_NS / args.rate;
        sleep_until(due_ns);
        late_ns += now_ns().saturating_sub(due_ns);
    }
    let ms = |quantile| late_ns.value_at_quantile(quantile) as f64 / 1e6;
    writeln!(
        io::stdout(),
        r#"{{"wakes": {wakes}, "late_p50_ms": {}, "late_p99_ms": {}}}"#,
        ms(0.5),
        ms(0.99)
    )?;
    Ok(())
}
