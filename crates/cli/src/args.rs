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
Exit codes: 0 objectives hold · 99 objective breached · 104 bad plan or arguments · 105 interrupted,
partial result written · 106 the generator was the bottleneck, result invalid · 1 nothing measured or judged, or anything else";

/// Finds the load line of a Node.js service: the load it carries inside its objectives.
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
    /// Search the load line: the greatest rate at which every objective holds
    #[command(after_long_help = "\
Examples:
  plimsoll capacity -- node server.js              the service listens on $PORT or 3000
  plimsoll capacity plan.yaml
  plimsoll capacity http://127.0.0.1:3000/ --pid 4711 --objective 'p95 <= 50ms'")]
    Capacity(CapacityArgs),
    /// Say why the service stops where it stops: ranked causes with file and line
    #[command(after_long_help = "\
Examples:
  plimsoll diagnose -- node server.js              searches the load line first
  plimsoll diagnose plan.yaml -R 500               at this rate, without a search
  plimsoll diagnose plan.yaml -R 500 --json | jq '.diagnosis.causes[0]'")]
    Diagnose(DiagnoseArgs),
    /// Make the load of a plan and judge its objectives per window
    #[command(after_long_help = "\
Examples:
  plimsoll run plan.yaml
  plimsoll run plan.yaml -R 500 -d 2m              another constant rate
  plimsoll run http://127.0.0.1:3000/ --stage 30s:1000 --stage 1m:1000 -- node server.js")]
    Run(RunArgs),
    /// Load one URL, with flags as in wrk, oha and autocannon
    #[command(after_long_help = "\
Examples:
  plimsoll bench http://127.0.0.1:3000/            50 connections for 10 s, closed model
  plimsoll bench http://127.0.0.1:3000/ -c 64 -n 100000
  plimsoll bench http://127.0.0.1:3000/ -R 1000 -d 30s
  plimsoll bench http://127.0.0.1:3000/users -m POST -H 'content-type: application/json' -b '{\"n\":1}'")]
    Bench(BenchArgs),
    /// Hold connections open, most of them idle, and count what is lost and what each costs
    #[command(after_long_help = "\
Examples:
  plimsoll hold http://127.0.0.1:3000/poll -c 10000          a parked request on each (long poll)
  plimsoll hold http://127.0.0.1:3000/ -c 10000 --park nothing --ping 30s
  plimsoll hold http://127.0.0.1:3000/poll -c 15000 -d 5m -- node server.js
  plimsoll hold http://127.0.0.1:8080/poll -c 1000000 --pace 10k/s -d 10m")]
    Hold(HoldArgs),
    /// Tell whether two variants of a service differ, by how much, and how sure that is
    #[command(after_long_help = "\
Examples:
  plimsoll compare --a 'node server.js' --b 'node --max-semi-space-size=64 server.js'
  plimsoll compare plan.yaml --b-env LOG_LEVEL=silent --fail-if-worse 5%
  plimsoll compare plan.yaml --rev main..HEAD      each revision in a git worktree of its own
  plimsoll compare plan.yaml --rev main            what you have not committed, against main
  plimsoll compare http1.yaml http2.yaml -R 500    two plans, or more
  plimsoll compare --rev HEAD --diagnosis runs/…   what was predicted, beside what mending gave

Rounds of the variants take turns, each with the service started anew, and an interval says how sure the
difference is. See docs/compare.md.")]
    Compare(Box<CompareArgs>),
    /// Fit the Universal Scalability Law to throughput over connections or workers
    #[command(after_long_help = concat!("\
Examples:
  plimsoll scale -- node server.js                 1 to 64 connections
  plimsoll scale plan.yaml --at 1,2,4,8,16,32
  plimsoll scale plan.yaml --env WORKERS --at 1,2,3,4
  plimsoll scale -- node cluster.js --workers ", size_place!(), "  ", size_place!(), " is the size

See docs/scale.md."))]
    Scale(Box<ScaleArgs>),
    /// Measure a published case here, side by side with its published figures
    #[command(after_long_help = "\
Examples:
  plimsoll study list                              what there is, and how long each takes
  plimsoll study blocking-log
  plimsoll study all --rounds 4 -d 2s              shorter, with wider intervals

A study starts the services of a checkout of plimsoll and is run in one. See docs/studies.md.")]
    Study(Box<StudyArgs>),
    /// Render a run folder again, also one that was cut off
    #[command(after_long_help = "\
Examples:
  plimsoll report runs/2026-11-21T12-00-00-capacity
  plimsoll report runs/2026-11-21T12-00-00-capacity --json | jq .load_line")]
    Report(ReportArgs),
    /// Write a first plan
    #[command(after_long_help = "\
Examples:
  plimsoll init                                    looks at package.json, writes plimsoll.yaml
  plimsoll init --url http://127.0.0.1:8080/ -- npm start")]
    Init(InitArgs),
    /// Check the limits of this host and print what fixes them
    #[command(after_long_help = "\
Examples:
  plimsoll doctor
  plimsoll doctor --connections 100000")]
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    #[command(after_long_help = "\
Example:
  plimsoll completions bash > /etc/bash_completion.d/plimsoll")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CapacityArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// The search ends after this long
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) budget: Option<Duration>,
    /// Wanted width of the bracket around the line
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Search")]
    pub(crate) bracket: Option<Share>,
    /// Rate of the first step
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) start_rate: Option<Rate>,
    /// Never offer more than this
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) max_rate: Option<Rate>,
    /// Length of a judged step
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
    /// Arrival rate of the passes [default: 70 % of the load line, which is searched first]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Diagnosis")]
    pub(crate) rate: Option<Rate>,
    /// Length of each of the three passes
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, default_value = "15s", help_heading = "Diagnosis")]
    pub(crate) duration: Duration,
    /// The search of the load line ends after this long
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
    /// Address to load
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
    /// Address to connect to
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    /// Connections to hold
    #[arg(short, long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Load")]
    pub(crate) connections: u32,
    /// How long, from the moment at which the last connection is due
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", default_value = "30s", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Duration,
    /// Connections opened per second
    #[arg(long, value_name = "RATE", default_value = "1000/s", value_parser = rate, help_heading = "Load")]
    pub(crate) pace: Rate,
    /// What each does meanwhile: a request waits for its answer and is sent again, or nothing
    #[arg(long, value_name = "WHAT", default_value = "request", value_parser = park, help_heading = "Load")]
    pub(crate) park: Park,
    /// How often each shows that it is alive, such as 2m: by TCP keep-alive, or by the request where nothing is parked
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub(crate) ping: Option<Duration>,
    /// Destination ports, used in turn, such as 8080,9000-9015 [default: the port of the URL]
    #[arg(long, value_name = "PORTS", value_parser = ports, help_heading = "Load")]
    pub(crate) ports: Option<Ports>,
    /// Watch this process, which listens at the URL, instead of starting a service
    #[arg(long, value_name = "PID", help_heading = "Service")]
    pub(crate) pid: Option<u32>,
    /// Cores of the service, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
    /// For a connection, and for the answer to a ping
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) timeout: Option<Duration>,
    /// Generator threads, at least; there are more where one has no room for its descriptors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Generator")]
    pub(crate) threads: Option<u32>,
    /// All connections in the one descriptor table of the process, with its limit
    #[arg(long, help_heading = "Generator")]
    pub(crate) one_table: bool,
    /// Cores of the generator, such as 1 or 2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Generator")]
    pub(crate) generator_cpus: Option<Cpus>,
    /// How sockets are driven [default: mio, which costs less memory for idle connections]
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) io: Option<IoArg>,
    /// Addresses that connections leave from, in turn [default: enough of 127.0.0.0/8, if the service is there]
    #[arg(long, value_name = "ADDRS", value_delimiter = ',', help_heading = "Generator")]
    pub(crate) local_addrs: Vec<IpAddr>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

/// What is tested.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// A plan file or the URL of the service [default: plimsoll.yaml, if there is one]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// Something that must hold, most important first: 'cpu <= 80%', 'p99 <= 100ms', 'errors = 0', 'rate >= 99%'
    #[arg(long = "objective", value_name = "EXPR", value_parser = objective)]
    pub(crate) objectives: Vec<Objective>,
    /// Watch this process, which listens at the URL, instead of starting a service
    #[arg(long, value_name = "PID", help_heading = "Service")]
    pub(crate) pid: Option<u32>,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    /// Starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

/// What is said of the service and its request by every command that offers load to one.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServiceArgs {
    /// Cores of the service, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
    /// Where the output of the service goes
    #[arg(long, value_name = "WHERE", help_heading = "Service")]
    pub(crate) stdout: Option<StdoutArg>,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
}

/// The one request of a test without a plan file.
#[derive(Debug, Clone, Args)]
pub(crate) struct RequestArgs {
    /// HTTP method [default: GET]
    #[arg(short, long, value_name = "METHOD", help_heading = "Request (without a plan file)")]
    pub(crate) method: Option<String>,
    /// Header, as 'name: value'
    #[arg(
        short = 'H',
        long = "header",
        value_name = "HEADER",
        help_heading = "Request (without a plan file)"
    )]
    pub(crate) headers: Vec<String>,
    /// Body
    #[arg(short, long, value_name = "TEXT", help_heading = "Request (without a plan file)")]
    pub(crate) body: Option<String>,
}

/// When requests are sent.
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Total arrival rate (open model): arrivals do not wait for answers
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Load")]
    pub(crate) rate: Option<Rate>,
    /// Ramp to a rate within a time, such as 30s:1000; may be repeated (open model)
    #[arg(long = "stage", value_name = "TIME:RATE", value_parser = stage, help_heading = "Load", conflicts_with = "rate")]
    pub(crate) stages: Vec<Stage>,
    /// Arrivals at random, as independent users make them (open model)
    #[arg(long, help_heading = "Load")]
    pub(crate) poisson: bool,
    /// How long
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Option<Duration>,
    /// Number of requests (closed model)
    #[arg(short = 'n', long, value_name = "N", help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) requests: Option<u64>,
    /// Pause between an answer and the next request (closed model)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) think_time: Option<Duration>,
}

/// How the generator works.
#[derive(Debug, Args)]
pub(crate) struct GeneratorArgs {
    /// Connections: the number of the closed model, the most of the open model
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Generator")]
    pub(crate) connections: Option<u32>,
    /// Generator threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Generator")]
    pub(crate) threads: Option<u32>,
    /// From the intended start to the last byte
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) timeout: Option<Duration>,
    /// A connection for each request
    #[arg(long, help_heading = "Generator")]
    pub(crate) no_keepalive: bool,
    /// Requests in flight on one connection
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Generator")]
    pub(crate) pipelining: Option<u32>,
    /// Cores of the generator, such as 1 or 2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Generator")]
    pub(crate) generator_cpus: Option<Cpus>,
    /// A wakeup for every arrival, and in the closed model for every answer, also where they are dense
    #[arg(long, help_heading = "Generator", conflicts_with = "coalesce")]
    pub(crate) precise: bool,
    /// At most one wakeup in this time, such as 1ms: cheaper and later (open model)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Generator")]
    pub(crate) coalesce: Option<Duration>,
    /// Never sleep: the most exact, and each generator thread takes a core for itself
    #[arg(long, help_heading = "Generator", conflicts_with_all = ["precise", "coalesce"])]
    pub(crate) spin: bool,
    /// How sockets are driven [default: io_uring where it works]
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) io: Option<IoArg>,
    /// Addresses that connections leave from, in turn
    #[arg(long, value_name = "ADDRS", value_delimiter = ',', help_heading = "Generator")]
    pub(crate) local_addrs: Vec<IpAddr>,
    /// Seed of every random choice
    #[arg(long, value_name = "N", help_heading = "Generator")]
    pub(crate) seed: Option<u64>,
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// Where run folders are kept [default: runs; bench keeps none]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) runs_dir: Option<PathBuf>,
    /// No progress, only the result
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// What is made of findings.
#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// Print the findings as JSON instead of the summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write a JUnit XML report for a build server
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a Markdown summary
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) markdown: Option<PathBuf>,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: ColorWhen,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A run folder
    #[arg(value_name = "FOLDER", value_parser = directory(), value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) form: FormArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Where to write the plan
    #[arg(long, value_name = "FILE", default_value = "plimsoll.yaml", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Address of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000/")]
    pub(crate) url: String,
    /// Overwrite a plan that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Starts the service; everything after -- [default: the start script of package.json]
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Check for this many connections at once
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<u64>,
    /// Print the checks as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Colours
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

/// How sockets are driven.
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
    /// A file in the run folder; writes block, as under a redirect in production
    File,
    /// A pipe that is drained into that file
    Pipe,
    /// Nowhere
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

/// A list of ports, likewise.
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
        Ok(Rate::ZERO) => Err("found no load at all, expected a rate above zero such as 100/s".to_owned()),
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
    fn no_help_text_loses_a_placeholder() {
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
