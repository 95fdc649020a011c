//! What is tested: a plan, or the service and the request that stand for one.

use super::values::{Cpus, byte_size, container, cpu_limit, cpus, objective, resolution, service_name};
use clap::{Args, ValueEnum, ValueHint};
use plimsoll_plan::{ByteSize, Container, CpuLimit, Objective, Resolution, ServiceName, Stdout};
use std::path::PathBuf;

/// What is tested.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// Plan file, `-` for standard input, or URL of the service [default: plimsoll.yaml, if it exists]
    ///
    /// A unix socket is written http+unix://%2Frun%2Fapp.sock/path, with %2F for each `/` of its own path.
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// Objective to judge, such as 'p99 <= 100ms'; repeatable, most important first.
    ///
    /// Others: 'cpu <= 80%', 'max <= 1s', 'errors = 0', 'rate >= 99%', and of one request of the plan 'p99(log in) <= 50ms',
    /// 'errors(log in) = 0'; over TLS 'handshake p99 <= 20ms'; of the service itself 'memory <= 400MiB', 'throttled <= 5%', 'loop delay p99 <= 50ms'. Replaces the objectives of the plan.
    #[arg(long = "objective", value_name = "EXPR", value_parser = objective)]
    pub(crate) objectives: Vec<Objective>,
    #[command(flatten)]
    pub(crate) watched: WatchedArgs,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

/// A service that runs already.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WatchedArgs {
    /// Watch this running process instead of starting a service; it must listen at the URL
    #[arg(long, value_name = "PID", help_heading = "Service")]
    pub(crate) pid: Option<u32>,
    /// Watch this running container instead: its name, its id or the beginning of one, or the path of its control group
    ///
    /// It is found by the kernel, without its runtime: all of its processes are sampled, and its control group says what they may use. The URL
    /// must lead to it: a port that it publishes, or its own address.
    #[arg(
        long,
        value_name = "CONTAINER",
        value_parser = container,
        help_heading = "Service",
        conflicts_with = "pid"
    )]
    pub(crate) container: Option<Container>,
    /// Have target agents of the fleet start this service on their machines, by the name that their configuration gives it
    ///
    /// Start them with `plimsoll fleet target`. The URL must lead to their service, or to a balancer before it.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = service_name,
        help_heading = "Service",
        conflicts_with_all = ["pid", "container"]
    )]
    pub(crate) fleet_target: Option<ServiceName>,
    /// Wait for this many target agents, and use no more [default: all that respond within 1.5s]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1000),
        help_heading = "Service"
    )]
    pub(crate) fleet_targets: Option<u32>,
}

/// The service and its request, for every command that offers load.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ServiceArgs {
    /// Pin the service to these cores, such as 0 or 0,2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Service")]
    pub(crate) target_cpus: Option<Cpus>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Send the output of the service here [default: file]
    #[arg(long, value_name = "WHERE", help_heading = "Service")]
    pub(crate) stdout: Option<StdoutArg>,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
}

/// What a started service may use, as in a container.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LimitArgs {
    /// Limit the CPU time of the service to so many cores, such as 0.5
    ///
    /// As a container does, by a control group. CPU objectives become a share of it, and the time for which it stops the service is
    /// recorded.
    #[arg(long, value_name = "CORES", value_parser = cpu_limit, help_heading = "Service")]
    pub(crate) cpu_limit: Option<CpuLimit>,
    /// Limit the memory of the service, such as 512MiB; the kernel ends it when it needs more
    #[arg(long, value_name = "SIZE", value_parser = byte_size, help_heading = "Service")]
    pub(crate) memory_limit: Option<ByteSize>,
    /// Limit the processes and threads of the service
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Service")]
    pub(crate) pids_limit: Option<u32>,
}

/// How the service is reached.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReachArgs {
    /// Connect to this address instead of where the host of the URL leads, as HOST:PORT:ADDRESS
    ///
    /// `Host` header, server name (SNI) and the name in the certificate stay those of the URL. HOST and PORT are those of the URL. Several
    /// addresses are written with commas; the first that accepts a connection is loaded.
    #[arg(long, value_name = "HOST:PORT:ADDRESS", value_parser = resolution, help_heading = "Service")]
    pub(crate) resolve: Vec<Resolution>,
    /// Connect through this proxy, such as http://127.0.0.1:3128
    ///
    /// Services with TLS are reached through a tunnel (CONNECT); requests to others are sent to the proxy. A user and password for it stand in
    /// the URL.
    #[arg(short = 'x', long, value_name = "URL", value_hint = ValueHint::Url, help_heading = "Service")]
    pub(crate) proxy: Option<String>,
    /// Speak HTTP/2: agreed on by ALPN over TLS, with prior knowledge in clear text
    #[arg(long, help_heading = "Service")]
    pub(crate) http2: bool,
    /// Follow redirects within the service, at most so many for a request [default without a number: 10]
    ///
    /// A request then ends with the last response, and its response time with it. A redirect that leads to another scheme, host or port
    /// is an error: load goes to the service of the URL alone.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        help_heading = "Service"
    )]
    pub(crate) follow: Option<u32>,
    #[command(flatten)]
    pub(crate) auth: AuthArgs,
    #[command(flatten)]
    pub(crate) tls: TlsArgs,
}

/// Credentials of every request. What an argument holds may be read by other users of the machine; a file may not.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct AuthArgs {
    /// Authorize requests by user and password, as NAME:PASSWORD or @FILE with that in it
    ///
    /// Neither is shown or kept. Other users of this machine may see arguments in its list of processes; use @FILE there.
    #[arg(
        short,
        long,
        value_name = "NAME:PASSWORD",
        help_heading = "Service",
        conflicts_with = "bearer"
    )]
    pub(crate) user: Option<String>,
    /// Authorize requests by a token, as TOKEN or @FILE with that in it
    ///
    /// It is not shown or kept. Other users of this machine may see arguments in its list of processes; use @FILE there.
    #[arg(long, value_name = "TOKEN", help_heading = "Service")]
    pub(crate) bearer: Option<String>,
}

/// How TLS is spoken to the service.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TlsArgs {
    /// Accept any certificate of the service
    #[arg(short = 'k', long, help_heading = "TLS", conflicts_with = "cacert")]
    pub(crate) insecure: bool,
    /// Accept certificates signed by the authorities in this PEM file [default: those of the system]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "TLS")]
    pub(crate) cacert: Option<PathBuf>,
    /// Identify with the certificate in this PEM file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "TLS")]
    pub(crate) cert: Option<PathBuf>,
    /// Use the key in this PEM file [default: the file of the certificate]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "TLS", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
}

/// The one request of a test without a plan file.
#[derive(Debug, Clone, Default, Args)]
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
    /// Send this body; on a WebSocket, this message with `${message}` in it [default there: `${message}`]
    #[arg(short, long, value_name = "TEXT", help_heading = "Request (without a plan file)")]
    pub(crate) body: Option<String>,
}

/// Where the output of the service goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StdoutArg {
    /// A file in the run directory; writes block, as with a redirect in production
    File,
    /// A pipe, drained into that file
    Pipe,
    /// A terminal, read into that file as fast as one draws; writes block, as where developers work
    Terminal,
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
            StdoutArg::Terminal => Self::Terminal,
            StdoutArg::Null => Self::Null,
            StdoutArg::Inherit => Self::Inherit,
        }
    }
}
