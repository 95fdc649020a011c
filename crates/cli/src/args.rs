//! The command line.

mod compare;
mod scale;
mod study;

pub(crate) use compare::{CompareArgs, Setting};
pub(crate) use scale::ScaleArgs;
use scale::size_place;
pub(crate) use study::StudyArgs;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use plimsoll_lab::Io;
use plimsoll_plan::{Objective, Park, Rate, Share, Stdout};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Exit codes: 0 every objective holds · 99 an objective is breached · 104 invalid plan or arguments ·
105 interrupted, partial result written · 106 generator was the bottleneck, result invalid ·
1 nothing measured or judged, or any other failure";

/// Find how much load a Node.js service carries within its objectives, and what limits it.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, styles = STYLES, after_help = AFTER_HELP, max_term_width = 100)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the load line: the highest rate at which every objective holds
    #[command(after_long_help = "\
Examples:
  plimsoll capacity -- node server.js              the service listens on $PORT or 3000
  plimsoll capacity plan.yaml
  plimsoll capacity http://127.0.0.1:3000/ --pid 4711 --objective 'p95 <= 50ms'")]
    Capacity(CapacityArgs),
    /// Explain what limits the service: ranked causes with file and line
    #[command(after_long_help = "\
Examples:
  plimsoll diagnose -- node server.js              searches the load line first
  plimsoll diagnose plan.yaml -R 500               at this rate, without a search
  plimsoll diagnose plan.yaml -R 500 --json | jq '.diagnosis.causes[0]'")]
    Diagnose(DiagnoseArgs),
    /// Run the load of a plan and judge its objectives
    #[command(after_long_help = "\
Examples:
  plimsoll run plan.yaml
  plimsoll run plan.yaml -R 500 -d 2m              another constant rate
  plimsoll run http://127.0.0.1:3000/ --stage 30s:1000 --stage 1m:1000 -- node server.js")]
    Run(RunArgs),
    /// Load a single URL, with flags as in wrk, oha and autocannon
    #[command(after_long_help = "\
Examples:
  plimsoll bench http://127.0.0.1:3000/            50 connections for 10 s, closed model
  plimsoll bench http://127.0.0.1:3000/ -c 64 -n 100000
  plimsoll bench http://127.0.0.1:3000/ -R 1000 -d 30s
  plimsoll bench http://127.0.0.1:3000/users -m POST -H 'content-type: application/json' -b '{\"n\":1}'")]
    Bench(BenchArgs),
    /// Hold idle connections open, count losses and measure what each costs
    #[command(after_long_help = "\
Examples:
  plimsoll hold http://127.0.0.1:3000/poll -c 10000          each waits for a response (long poll)
  plimsoll hold http://127.0.0.1:3000/ -c 10000 --park nothing --ping 30s
  plimsoll hold http://127.0.0.1:3000/poll -c 15000 -d 5m -- node server.js
  plimsoll hold http://127.0.0.1:8080/poll -c 1000000 --pace 10k/s -d 10m")]
    Hold(HoldArgs),
    /// Compare variants of a service: what differs, by how much, how certainly
    #[command(after_long_help = "\
Examples:
  plimsoll compare --a 'node server.js' --b 'node --max-semi-space-size=64 server.js'
  plimsoll compare plan.yaml --b-env LOG_LEVEL=silent --fail-if-worse 5%
  plimsoll compare plan.yaml --rev main..HEAD      each revision in a git worktree of its own
  plimsoll compare plan.yaml --rev main            what you have not committed, against main
  plimsoll compare http1.yaml http2.yaml -R 500    two plans, or more
  plimsoll compare --rev HEAD --diagnosis runs/…   the predicted gain beside the measured one

Each round starts the service anew; rounds of the variants alternate. See docs/guides/compare.md.")]
    Compare(Box<CompareArgs>),
    /// Fit the Universal Scalability Law to throughput over connections or workers
    #[command(after_long_help = concat!("\
Examples:
  plimsoll scale -- node server.js                 1 to 64 connections
  plimsoll scale plan.yaml --at 1,2,4,8,16,32
  plimsoll scale plan.yaml --env WORKERS --at 1,2,3,4
  plimsoll scale -- node cluster.js --workers ", size_place!(), "  ", size_place!(), " is the size

See docs/guides/scale.md."))]
    Scale(Box<ScaleArgs>),
    /// Measure a published case here and compare it with the published results
    #[command(after_long_help = "\
Examples:
  plimsoll study list                              the studies, and how long each takes
  plimsoll study blocking-log
  plimsoll study all --rounds 4 -d 2s              shorter, with wider intervals

Run studies inside a checkout of plimsoll: they start its services. See docs/guides/studies.md.")]
    Study(Box<StudyArgs>),
    /// Render a recorded run again, even one that was cut off
    #[command(after_long_help = "\
Examples:
  plimsoll report runs/2026-11-21T12-00-00-capacity
  plimsoll report runs/2026-11-21T12-00-00-capacity --json | jq .load_line")]
    Report(ReportArgs),
    /// Write a first plan for the service in this directory
    #[command(after_long_help = "\
Examples:
  plimsoll init                                    looks at package.json, writes plimsoll.yaml
  plimsoll init --url http://127.0.0.1:8080/ -- npm start")]
    Init(InitArgs),
    /// Check the limits of this machine and print the commands that raise them
    #[command(after_long_help = "\
Examples:
  plimsoll doctor
  plimsoll doctor --connections 100000")]
    Doctor(DoctorArgs),
    /// Print a shell completion script
    #[command(after_long_help = "\
Example:
  plimsoll completions bash > /etc/bash_completion.d/plimsoll")]
    Completions {
        /// Shell to write the script for
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CapacityArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// End the search after this time [default: 90s].
    ///
    /// Overrides `search.budget` of the plan.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) budget: Option<Duration>,
    /// Narrow the bracket around the load line to this share of it [default: 5%].
    ///
    /// Overrides `search.bracket` of the plan.
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Search")]
    pub(crate) bracket: Option<Share>,
    /// Start the search at this rate [default: 100/s].
    ///
    /// Overrides `search.start` of the plan.
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) start_rate: Option<Rate>,
    /// Never offer more than this rate [default: 1M/s].
    ///
    /// Overrides `search.max` of the plan.
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) max_rate: Option<Rate>,
    /// Hold each judged step for this time [default: 5s].
    ///
    /// Overrides `search.step` of the plan.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) step: Option<Duration>,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Offer this arrival rate in each pass [default: 70 % of the load line, found first]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Diagnosis")]
    pub(crate) rate: Option<Rate>,
    /// Run each of the three passes for this time
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, default_value = "15s", help_heading = "Diagnosis")]
    pub(crate) duration: Duration,
    /// End the search for the load line after this time [default: 90s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Diagnosis", conflicts_with = "rate")]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// URL to load
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HoldArgs {
    /// URL to connect to
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    /// Hold this many connections
    #[arg(short, long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Load")]
    pub(crate) connections: u32,
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
    /// Watch this running process instead of starting a service; it must listen at the URL
    #[arg(long, value_name = "PID", help_heading = "Service")]
    pub(crate) pid: Option<u32>,
    /// Pin the service to these cores, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
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
    pub(crate) output: OutputArgs,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

/// What is tested.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// Plan file, `-` for standard input, or URL of the service [default: plimsoll.yaml, if it exists]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// Objective to judge, such as 'p99 <= 100ms'; repeatable, most important first.
    ///
    /// Others: 'cpu <= 80%', 'max <= 1s', 'errors = 0', 'rate >= 99%', and of one request of the plan 'p99(log in) <= 50ms',
    /// 'errors(log in) = 0'. Replaces the objectives of the plan.
    #[arg(long = "objective", value_name = "EXPR", value_parser = objective)]
    pub(crate) objectives: Vec<Objective>,
    /// Watch this running process instead of starting a service; it must listen at the URL
    #[arg(long, value_name = "PID", help_heading = "Service")]
    pub(crate) pid: Option<u32>,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

/// The service and its request, for every command that offers load.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServiceArgs {
    /// Pin the service to these cores, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
    /// Send the output of the service here [default: file]
    #[arg(long, value_name = "WHERE", help_heading = "Service")]
    pub(crate) stdout: Option<StdoutArg>,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
}

/// The one request of a test without a plan file.
#[derive(Debug, Clone, Args)]
pub(crate) struct RequestArgs {
    /// Use this HTTP method [default: GET, or POST with a body]
    #[arg(short, long, value_name = "METHOD", help_heading = "Request (without a plan file)")]
    pub(crate) method: Option<String>,
    /// Send this header, as 'name: value'; repeatable
    #[arg(
        short = 'H',
        long = "header",
        value_name = "HEADER",
        help_heading = "Request (without a plan file)"
    )]
    pub(crate) headers: Vec<String>,
    /// Send this body
    #[arg(short, long, value_name = "TEXT", help_heading = "Request (without a plan file)")]
    pub(crate) body: Option<String>,
}

/// When requests are sent.
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Offer this total arrival rate, without waiting for responses (open model)
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Load")]
    pub(crate) rate: Option<Rate>,
    /// Ramp to a rate within a time, such as 30s:1000; repeatable (open model)
    #[arg(long = "stage", value_name = "TIME:RATE", value_parser = stage, help_heading = "Load", conflicts_with = "rate")]
    pub(crate) stages: Vec<Stage>,
    /// Space arrivals at random, like independent users (open model)
    #[arg(long, help_heading = "Load")]
    pub(crate) poisson: bool,
    /// Run for this time
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Option<Duration>,
    /// Stop after this many requests (closed model)
    #[arg(short = 'n', long, value_name = "N", help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) requests: Option<u64>,
    /// Pause between a response and the next request (closed model)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) think_time: Option<Duration>,
}

/// How the generator works.
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
    /// Open a new connection for each request
    #[arg(long, help_heading = "Generator")]
    pub(crate) no_keepalive: bool,
    /// Keep this many requests in flight on each connection [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Generator")]
    pub(crate) pipelining: Option<u32>,
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
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// Keep run directories here [default: runs; bench keeps none]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) runs_dir: Option<PathBuf>,
    /// Print the result only, without progress
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// What is made of findings.
#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// Print the findings as JSON instead of the summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write a JUnit XML report to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a Markdown summary to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) markdown: Option<PathBuf>,
    /// Control the use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: ColorWhen,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Run directory to render
    #[arg(value_name = "DIR", value_parser = directory(), value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) form: FormArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write the plan to this file
    #[arg(long, value_name = "FILE", default_value = "plimsoll.yaml", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// URL of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000/")]
    pub(crate) url: String,
    /// Overwrite an existing plan
    #[arg(long)]
    pub(crate) force: bool,
    /// Command that starts the service; everything after -- [default: the start script of package.json]
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Check that this many connections can be open at once
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<u64>,
    /// Print the checks as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Control the use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// The interface that drives sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IoArg {
    /// epoll or kqueue
    Mio,
    /// Linux 6.1 and newer
    #[cfg(target_os = "linux")]
    #[value(name = "io_uring")]
    IoUring,
}

impl From<IoArg> for Io {
    fn from(io: IoArg) -> Self {
        match io {
            IoArg::Mio => Self::Mio,
            #[cfg(target_os = "linux")]
            IoArg::IoUring => Self::IoUring,
        }
    }
}

/// Where the output of the service goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StdoutArg {
    /// A file in the run directory; writes block, as with a redirect in production
    File,
    /// A pipe, drained into that file
    Pipe,
    /// Discard it
    Null,
    /// This terminal
    Inherit,
}

impl From<StdoutArg> for Stdout {
    fn from(stdout: StdoutArg) -> Self {
        match stdout {
            StdoutArg::File => Self::File,
            StdoutArg::Pipe => Self::Pipe,
            StdoutArg::Null => Self::Null,
            StdoutArg::Inherit => Self::Inherit,
        }
    }
}

/// A list of cores; its own type, because clap takes a bare `Vec` for a repeated flag.
#[derive(Debug, Clone)]
pub(crate) struct Cpus(pub(crate) Vec<usize>);

/// A list of ports, for the same reason.
#[derive(Debug, Clone)]
pub(crate) struct Ports(pub(crate) Vec<u16>);

/// A ramp to a rate.
pub(crate) type Stage = plimsoll_plan::Stage;

fn duration(text: &str) -> Result<Duration, String> {
    plimsoll_plan::parse_duration(text).map_err(|error| error.to_string())
}

/// A URL may have a password, and is no directory.
fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_string_lossy().contains("://") {
        true => Err("found a URL, expected a directory"),
        false => Ok(path),
    })
}

fn rate(text: &str) -> Result<Rate, String> {
    match plimsoll_plan::parse_rate(text) {
        Ok(Rate::ZERO) => Err("found a rate of zero, expected a rate above zero such as 100/s".to_owned()),
        outcome => outcome.map_err(|error| error.to_string()),
    }
}

fn share(text: &str) -> Result<Share, String> {
    plimsoll_plan::parse_share(text).map_err(|error| error.to_string())
}

fn stage(text: &str) -> Result<Stage, String> {
    plimsoll_plan::parse_stage(text).map_err(|error| error.to_string())
}

fn cpus(text: &str) -> Result<Cpus, String> {
    plimsoll_plan::parse_cpus(text)
        .map(Cpus)
        .map_err(|error| error.to_string())
}

fn objective(text: &str) -> Result<Objective, String> {
    text.parse::<Objective>().map_err(|error| error.to_string())
}

fn park(text: &str) -> Result<Park, String> {
    text.parse::<Park>().map_err(|error| error.to_string())
}

fn ports(text: &str) -> Result<Ports, String> {
    plimsoll_plan::parse_ports(text)
        .map(Ports)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    /// clap takes `{n}` in a help text for the end of a line, so a placeholder of ours would be lost.
    #[test]
    fn help_with_placeholder_keeps_it() {
        fn look(command: &clap::Command) {
            let of_command = [
                command.get_about(),
                command.get_long_about(),
                command.get_after_help(),
                command.get_after_long_help(),
            ];
            let of_arguments = command
                .get_arguments()
                .flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
            for text in of_command.into_iter().chain(of_arguments).flatten() {
                assert!(
                    !text.ansi().to_string().contains("{n}"),
                    "{}: {text}",
                    command.get_name()
                );
            }
            command.get_subcommands().for_each(look);
        }
        let mut cli = Cli::command();
        look(&cli);
        let scale = cli.find_subcommand_mut("scale").expect("a command");
        for help in [scale.render_help(), scale.render_long_help()] {
            assert!(help.to_string().matches("{n}").count() >= 2, "{help}");
        }
    }
}
