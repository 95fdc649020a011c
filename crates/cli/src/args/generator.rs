//! How the generator works.

use super::values::{Cpus, cpus, duration};
use super::{FleetArgs, IoArg};
use clap::Args;
use std::net::IpAddr;
use std::time::Duration;

/// How the generator works, and on which machines.
#[derive(Debug, Args)]
pub(crate) struct GeneratorArgs {
    /// Use this many connections in the closed model, at most this many in the open model
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Generator")]
    pub(crate) connections: Option<u32>,
    /// Use this many generator threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Generator")]
    pub(crate) threads: Option<u32>,
    /// Fail a request that has not completed within this time of its scheduled start [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) timeout: Option<Duration>,
    /// Open a new connection for each request, or message
    #[arg(long, help_heading = "Generator")]
    pub(crate) no_keepalive: bool,
    /// Keep this many requests in flight on each connection of HTTP/1.1 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Generator")]
    pub(crate) pipelining: Option<u32>,
    /// Keep at most this many requests in flight on each connection of HTTP/2 [default: 100, in the closed model 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_535), help_heading = "Generator")]
    pub(crate) streams: Option<u32>,
    /// Pin the generator to these cores, such as 1 or 2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Generator")]
    pub(crate) generator_cpus: Option<Cpus>,
    /// Wake up for every arrival, even at high rates.
    ///
    /// In the closed model, wake up for every response. Sends more exactly and costs more CPU.
    #[arg(long, help_heading = "Generator", conflicts_with = "coalesce")]
    pub(crate) precise: bool,
    /// Wake up at most once in this time, such as 1ms: costs less CPU, sends later (open model)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) coalesce: Option<Duration>,
    /// Never sleep: sends most exactly, and needs a dedicated core for each generator thread
    #[arg(long, help_heading = "Generator", conflicts_with_all = ["precise", "coalesce"])]
    pub(crate) spin: bool,
    /// Drive sockets with this interface [default: io_uring if available, else mio]
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) io: Option<IoArg>,
    /// Connect from these local addresses in turn
    #[arg(long, value_name = "ADDRS", value_delimiter = ',', help_heading = "Generator")]
    pub(crate) local_addrs: Vec<IpAddr>,
    /// Seed every random choice with this number [default: 0]
    #[arg(long, value_name = "N", help_heading = "Generator")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
}
