//! The service under test.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::{Notation, keyword};
use crate::plan::auth::Auth;
use crate::plan::http::HttpVersion;
use crate::plan::limits::Limits;
use crate::plan::masks::masked_url_path;
use crate::plan::proxy::Proxy;
use crate::plan::resolution::Resolution;
use crate::plan::running::Running;
use crate::plan::stand_in::StandIn;
use crate::plan::tls::TlsOptions;
use crate::plan::url::Url;
use crate::secrets::{Secret, Shown, shown_words};
use schemars::{Schema, json_schema};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Where the service listens and how it is started.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Where it listens. In a valid plan its path is `/`: what it had as a path stands in front of the path of each
    /// request.
    pub url: Url,
    /// Where connections to its host and port go instead of where the name leads.
    pub resolve: Vec<Resolution>,
    /// How to start it; `None` when it runs already, or elsewhere.
    pub command: Option<Command>,
    /// What is watched when it is not started here.
    pub running: Option<Running>,
    /// Cores the service may use, as for `taskset -c`, in ascending order; empty is all.
    pub cpus: Vec<usize>,
    /// What connections to it go through.
    pub proxy: Option<Proxy>,
    /// What each request is authorized by that has no `authorization` header. In a valid plan they have one.
    pub auth: Option<Auth>,
    /// Version of HTTP that is spoken to it.
    pub http: HttpVersion,
    /// Most redirects that a request follows, one after the other; 0 is none.
    pub follow_redirects: u32,
    /// How TLS is spoken to it, where its URL begins with `https`.
    pub tls: TlsOptions,
    /// What it needs: started before it, stopped after it.
    pub beside: Vec<NeighbourPlan>,
}

impl Target {
    /// A service that runs already and is only talked to.
    #[must_use]
    pub fn at(url: Url) -> Self {
        Self {
            url,
            resolve: Vec::new(),
            command: None,
            running: None,
            cpus: Vec::new(),
            proxy: None,
            auth: None,
            http: HttpVersion::default(),
            follow_redirects: 0,
            tls: TlsOptions::default(),
            beside: Vec::new(),
        }
    }

    /// Whether it is started for a run, here or by target agents.
    #[must_use]
    pub const fn is_started(&self) -> bool {
        self.command.is_some() || matches!(self.running, Some(Running::Hosted(_)))
    }
}

/// How to start a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments; at least the program.
    pub argv: Vec<Secret>,
    /// Added to the environment.
    pub env: Vec<(String, Secret)>,
    /// Where it starts; `None` is the current directory.
    pub working_dir: Option<PathBuf>,
    /// When it counts as up.
    pub ready: Readiness,
    /// Where its standard output and error go.
    pub stdout: Stdout,
    /// From SIGTERM to SIGKILL.
    pub stop_grace: Duration,
    /// What it may use, with everything it starts.
    pub limits: Limits,
}

impl Command {
    /// `argv`, started in the current directory with nothing added to the environment; up when its port is open, within
    /// 30 s; 5 s to stop.
    #[must_use]
    pub fn new(argv: impl IntoIterator<Item = impl Into<Secret>>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            working_dir: None,
            ready: Readiness::default(),
            stdout: Stdout::default(),
            stop_grace: Duration::from_secs(5),
            limits: Limits::default(),
        }
    }

    /// The same, starting `argv` instead.
    #[must_use]
    pub fn with(self, argv: impl IntoIterator<Item = impl Into<Secret>>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            ..self
        }
    }

    /// The command as it is shown: program, script and plain flags. Every other word is hidden.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown::of_command(&self.argv)
    }

    /// The program as it is shown.
    #[must_use]
    pub fn shown_program(&self) -> Shown {
        Shown::new(shown_words(&self.argv[..self.argv.len().min(1)]).concat())
    }

    /// Sets a variable of the environment, or sets it anew.
    pub fn set_env(&mut self, name: &str, value: impl Into<Secret>) {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.into()));
    }
}

/// What the service needs. It is started before the service and stopped after it.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighbourPlan {
    /// What it is called in reports, and in the name of the file of its output.
    pub name: String,
    /// What it is.
    pub neighbour: Neighbour,
    /// Cores it may use, in ascending order; empty is all but those of the generator.
    pub cpus: Vec<usize>,
}

/// What stands beside the service.
#[derive(Debug, Clone, PartialEq)]
pub enum Neighbour {
    /// A program.
    Program {
        /// How to start it. When it is ready, `ready` says.
        command: Box<Command>,
        /// When the service can be started.
        ready: Sign,
    },
    /// What responds in the place of one.
    StandIn(StandIn),
}

impl Neighbour {
    /// As reports call it, without secrets.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Program { command, .. } => command.shown().into(),
            Self::StandIn(stand_in) => format!("stand-in on port {}", stand_in.port),
        }
    }
}

/// By what it is known that a neighbour is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// It listens on this port of 127.0.0.1.
    Port(u16),
    /// This URL responds with 2xx.
    Url(Url),
    /// A line of its output contains this.
    Line(String),
}

impl Sign {
    /// The port on which it is expected to listen.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        match self {
            Self::Port(port) => Some(*port),
            Self::Url(url) => url.port(),
            Self::Line(_) => None,
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(port) => write!(f, "port {port}"),
            Self::Url(url) => url.fmt(f),
            Self::Line(text) => write!(f, "a line with `{text}`"),
        }
    }
}

/// When a started service is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// A path that must respond with 2xx; `None` is an open port.
    pub path: Option<Secret>,
    /// The run fails when it takes longer.
    pub timeout: Duration,
}

impl Readiness {
    /// The path as it is shown: without the values of its query.
    #[must_use]
    pub fn shown_path(&self) -> Shown {
        Shown::new(self.path.as_ref().map(masked_url_path).unwrap_or_default())
    }
}

impl Default for Readiness {
    fn default() -> Self {
        Self {
            path: None,
            timeout: Duration::from_secs(30),
        }
    }
}

/// Where a service's output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdout {
    /// A file in the run directory; writes block, as in production under a redirect.
    #[default]
    File,
    /// A pipe that we drain into that file.
    Pipe,
    /// A terminal that we read as fast as one draws, into that file; writes block and are processed, as where developers work.
    Terminal,
    /// `/dev/null`.
    Null,
    /// Our own.
    Inherit,
}

const STDOUTS: [(&str, Stdout); 5] = [
    ("file", Stdout::File),
    ("pipe", Stdout::Pipe),
    ("terminal", Stdout::Terminal),
    ("null", Stdout::Null),
    ("inherit", Stdout::Inherit),
];

impl Stdout {
    /// As in a plan: `file`, `pipe`, `terminal`, `null` or `inherit`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Pipe => "pipe",
            Self::Terminal => "terminal",
            Self::Null => "null",
            Self::Inherit => "inherit",
        }
    }
}

impl std::str::FromStr for Stdout {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Stdout {
    const EXPECTED: &'static str = "`file`, `pipe`, `terminal`, `null` or `inherit`";
    const NULL_IS_A_WORD: bool = true;

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &STDOUTS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["file", "pipe", "terminal", "null", "inherit", null] })
    }
}

/// Cores, as for `taskset -c`.
#[derive(Debug)]
pub(crate) struct Cpus(pub(crate) Vec<usize>);

/// Reads a list of cores such as `0,2-3`, as for `taskset -c`. Ascending, each once.
///
/// # Errors
/// When `text` is no such list, or names a core above 4095.
pub fn parse_cpus(text: &str) -> Result<Vec<usize>, Mismatch> {
    Cpus::read(text).map(|cpus| cpus.0)
}

/// `cpus`, in ascending order, as [`parse_cpus`] reads them.
#[must_use]
pub fn cpus_text(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [only] => only.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
}

impl Notation for Cpus {
    const EXPECTED: &'static str = "a list of cores such as `0,2-3`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        const LAST: usize = 4095;
        let core = |text: &str| text.trim().parse::<usize>().map_err(|_| Self::mismatch(text));
        let mut cpus = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (core(first)?, core(last)?),
                None => (core(part)?, core(part)?),
            };
            if first > last || last > LAST {
                return Err(Mismatch::new(
                    quoted(part),
                    format!("cores from 0 to {LAST}, the lower one first"),
                ));
            }
            cpus.extend(first..=last);
        }
        cpus.sort_unstable();
        cpus.dedup();
        Ok(Self(cpus))
    }

    fn schema() -> Schema {
        json_schema!({ "type": ["string", "integer"], "pattern": "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_ranges_and_lists() {
        for (text, cpus, again) in [
            ("0,2-3", vec![0, 2, 3], "0,2-3"),
            ("5", vec![5], "5"),
            ("3,1,2,2", vec![1, 2, 3], "1-3"),
            ("0, 2", vec![0, 2], "0,2"),
        ] {
            assert_eq!(parse_cpus(text).as_ref(), Ok(&cpus), "{text}");
            assert_eq!(cpus_text(&cpus), again);
        }
        for text in ["", "a", "3-1", "0-", "1,,2", "5000", "-1"] {
            assert!(parse_cpus(text).is_err(), "{text}");
        }
    }
}
