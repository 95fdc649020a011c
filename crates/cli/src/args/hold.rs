//! What `plimsoll hold` takes.

use super::values::{Cpus, Ports, cpus, duration, park, ports, rate};
use super::{FleetArgs, IoArg, LimitArgs, OutputArgs, ReachArgs, RequestArgs, WatchedArgs};
use clap::{Args, ValueHint};
use plimsoll_plan::{Park, Rate};
use std::net::IpAddr;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct HoldArgs {
    /// URL to connect to
    ///
    /// ws:// and wss:// open WebSockets. A unix socket is written http+unix://%2Frun%2Fapp.sock/path, with %2F for each `/` of its own path.
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    /// Hold this many connections, or over HTTP/2 this many streams
    #[arg(short, long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Load")]
    pub(crate) connections: u32,
    /// Share each connection of HTTP/2 among this many streams, fewer where the service allows fewer [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_535), help_heading = "Load")]
    pub(crate) streams: Option<u32>,
    /// Hold them for this time, counted from when the last connection is due
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", default_value = "30s", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Duration,
    /// Open connections at this rate
    #[arg(long, value_name = "RATE", default_value = "1000/s", value_parser = rate, help_heading = "Load")]
    pub(crate) pace: Rate,
    /// Choose what a held connection does: `request` or `nothing`.
    ///
    /// With `request`, it sends the request, waits for the response as long as the service likes, and sends it again. With `nothing`, it stays idle.
    #[arg(long, value_name = "WHAT", default_value = "request", value_parser = park, help_heading = "Load")]
    pub(crate) park: Park,
    /// Check every connection this often, such as 2m [default: never].
    ///
    /// While a request waits, by TCP keep-alive. With `--park nothing`, by sending the request; its response must arrive within --timeout.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub(crate) ping: Option<Duration>,
    /// Connect to these ports in turn, such as 8080,9000-9015 [default: the port of the URL]
    #[arg(long, value_name = "PORTS", value_parser = ports, help_heading = "Load")]
    pub(crate) ports: Option<Ports>,
    #[command(flatten)]
    pub(crate) watched: WatchedArgs,
    /// Pin the service to these cores, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Fail a connection attempt, or a ping, that takes longer than this
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) timeout: Option<Duration>,
    /// Use at least this many generator threads; more start if their descriptors run out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Generator")]
    pub(crate) threads: Option<u32>,
    /// Keep all connections in one descriptor table, within the limit of the process
    #[arg(long, help_heading = "Generator")]
    pub(crate) one_table: bool,
    /// Pin the generator to these cores, such as 1 or 2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Generator")]
    pub(crate) generator_cpus: Option<Cpus>,
    /// Drive sockets with this interface [default: mio, which uses less memory for idle connections]
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) io: Option<IoArg>,
    /// Connect from these local addresses in turn [default: as many of 127.0.0.0/8 as needed, if the service is there]
    #[arg(long, value_name = "ADDRS", value_delimiter = ',', help_heading = "Generator")]
    pub(crate) local_addrs: Vec<IpAddr>,
    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}
