//! Text to a validated, immutable [`Plan`].
//!
//! A plan that [`Plan::parse`], [`Plan::open`] or [`Plan::validate`] returned is valid. This crate must not know
//! sockets, clocks, or how a plan is carried out; the only files it reads are a plan and the bodies that it names.

mod check;
mod command_line;
mod document;
mod environment;
mod error;
mod hold;
mod json;
mod load;
mod mismatch;
mod notation;
mod objective;
mod print;
mod read_load;
mod read_scenario;
mod reader;
mod scenario;
mod secrets;
mod study;
mod syntax;
mod target;
mod template;
mod units;
mod url;
mod written;

pub use command_line::split_command;
pub use error::PlanError;
pub use hold::{HoldLoad, Park, parse_ports};
pub use load::{Arrivals, ClosedLoad, Load, OpenLoad, Segment, Stage, parse_stage};
pub use mismatch::Mismatch;
pub use objective::{Judging, Objective, Search};
pub use scenario::{Expect, Method, Request, Scenario, Values, Variable};
pub use secrets::{KnownSecrets, REDACTED, Secret, Shown};
pub use study::{
    Bound, Direction, Effect, Figure, Measurement, MeasurementKind, MeasurementLoad, Published, Service, Study,
    StudyTexts, StudyVariant, Value, study_schemas,
};
pub use target::{Command, Readiness, Stdout, Target, cpus_text, parse_cpus};
pub use template::{Piece, Template};
pub use units::{Rate, Share, duration_text, parse_duration, parse_rate, parse_share};
pub use url::{Scheme, Url};

use check::Flaw;
use error::Source;
use plimsoll_files::{found, given};
use print::Secrets;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

/// A complete, validated description of one experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the plan is called in reports.
    pub name: String,
    /// The service under test.
    pub target: Target,
    /// What must hold, most important first.
    pub objectives: Vec<Objective>,
    /// How windows are judged.
    pub judging: Judging,
    /// What is sent.
    pub scenario: Scenario,
    /// When it is sent. `capacity` replaces it by the steps of its search.
    pub load: Load,
    /// Bounds of the capacity search.
    pub search: Search,
    /// How connections are used.
    pub connections: Connections,
    /// Seed of every random choice in the run.
    pub seed: u64,
}

/// The largest plan that a person writes, bytes.
const MOST_PLAN_BYTES: usize = 1 << 20;
/// The largest plan that [`Plan::to_json`] makes of one: the bodies of files are inside it, as text with escapes or
/// in base64.
const MOST_SAVED_BYTES: usize = MOST_PLAN_BYTES + 4 * MOST_BODIES_BYTES;
/// The most bytes that all bodies of a plan have together.
const MOST_BODIES_BYTES: usize = 16 << 20;

impl Plan {
    /// Reads a plan in YAML or JSON. `file_name` is what errors call it; what the plan refers to lies beside it.
    ///
    /// # Errors
    /// When `text` is no valid plan, or longer than 1 MiB, or refers to a file that cannot be read.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, PlanError> {
        Self::parse_with(text, file_name, &found::bytes, &|name| std::env::var(name).ok())
    }

    /// As [`Plan::parse`], with `read_file` for the files that the plan refers to: a path and the most bytes it may
    /// return; and with `environment` for the variables in `${env.NAME}`.
    ///
    /// # Errors
    /// As [`Plan::parse`].
    pub fn parse_with(
        text: &str,
        file_name: &str,
        read_file: &dyn Fn(&Path, u64) -> std::io::Result<Vec<u8>>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, PlanError> {
        Self::read(text, file_name, MOST_PLAN_BYTES, read_file, Some(environment))
    }

    /// Reads a plan that is written to us, as on standard input. It is called `name`, and what it refers to lies in the
    /// current directory.
    ///
    /// # Errors
    /// As [`Plan::parse`], and when `reader` fails.
    pub fn read_from(reader: impl Read, name: &str) -> Result<Self, PlanError> {
        let unreadable =
            |found: &str, hint: String| PlanError::new(name, Mismatch::new(found, "a plan in YAML or JSON").hint(hint));
        let mut bytes = Vec::new();
        reader
            .take(MOST_PLAN_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable("no readable text", error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| unreadable("no text", error.to_string()))?;
        Self::parse(&text, name)
    }

    /// Reads what [`Plan::to_json`] wrote, which contains the bodies of files and so may be longer than a plan that
    /// someone writes. It refers to no files.
    ///
    /// # Errors
    /// When `text` is no valid plan, or longer than 65 MiB, or refers to a file.
    pub fn parse_saved(text: &str, file_name: &str) -> Result<Self, PlanError> {
        let refuse = |_: &Path, _| Err(std::io::Error::other("a saved plan refers to no file"));
        Self::read(text, file_name, MOST_SAVED_BYTES, &refuse, None)
    }

    /// Reads the plan in the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read or holds no valid plan.
    pub fn open(path: &Path) -> Result<Self, PlanError> {
        let name = path.to_string_lossy();
        // Whoever forgot `http://` wrote no name of a file.
        let name = match ["@", "?", "://"].iter().any(|mark| name.contains(mark)) {
            true => Cow::Owned(Shown::of_text(&name).into()),
            false => name,
        };
        let unreadable = |found: &str, hint: String| {
            PlanError::new(name.clone(), Mismatch::new(found, "a plan in YAML or JSON").hint(hint))
        };
        let bytes = given::bytes(path, MOST_PLAN_BYTES as u64).map_err(|error| match error.kind() {
            ErrorKind::NotFound => unreadable(
                "no such file",
                url::with_port(&name).map_or_else(
                    || "check the path, or write a first plan with `plimsoll init`".to_owned(),
                    |url| format!("did you mean `{url}`?"),
                ),
            ),
            _ => unreadable("no readable file", error.to_string()),
        })?;
        let text = String::from_utf8(bytes).map_err(|error| unreadable("no text", error.to_string()))?;
        Self::parse(&text, &name)
    }

    /// A GET of `url`, 100 times a second for 30 s, with the defaults of a plan for everything else. After changing
    /// its fields, pass it through [`Plan::validate`].
    ///
    /// # Errors
    /// When `url` is no `http` URL.
    pub fn for_url(url: &str) -> Result<Self, Mismatch> {
        let url = Url::parse(url)?;
        let load = Load::default();
        let target = Target::at(url.clone());
        let plan = Self {
            name: url.to_string(),
            objectives: Objective::defaults(&target),
            target,
            judging: load.duration().map_or_else(Judging::default, Judging::for_run),
            scenario: Scenario::default(),
            load,
            search: Search::default(),
            connections: Connections::default(),
            seed: 0,
        };
        plan.validated().map_err(|flaw| flaw.mismatch)
    }

    /// The plan, if it is a valid one. Puts the path of the target's URL in front of the paths of the requests, names
    /// a request that has no name, and puts headers of one name side by side.
    ///
    /// # Errors
    /// When the plan breaks a rule; the error names the key.
    pub fn validate(self) -> Result<Self, PlanError> {
        self.validated()
            .map_err(|Flaw { key, mismatch }| PlanError::new(key, mismatch))
    }

    /// The plan as JSON that [`Plan::parse_saved`] reads back as the same plan.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.print(Secrets::Kept)
    }

    /// As [`Plan::to_json`], with `[redacted]` for every value that may be a secret: those of environment variables and
    /// lists, of headers that are not known to be harmless, of queries; words of the command other than program, script
    /// and plain flags. Of a body only the length is left.
    #[must_use]
    pub fn to_json_redacted(&self) -> String {
        self.print(Secrets::Redacted)
    }

    fn print(&self, secrets: Secrets) -> String {
        print::plan(self, secrets).to_pretty_text() + "\n"
    }

    fn read(
        text: &str,
        file_name: &str,
        most_bytes: usize,
        files: reader::ReadFile<'_>,
        environment: Option<environment::Environment<'_>>,
    ) -> Result<Self, PlanError> {
        if text.len() > most_bytes {
            let mismatch = Mismatch::new(format!("{} bytes", text.len()), format!("at most {most_bytes} bytes"));
            return Err(PlanError::new(file_name, mismatch));
        }
        // A byte order mark is no part of the text; places are counted without it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (plan, reader) = reader::read(
            Source {
                kind: "plan",
                file: file_name,
                text,
            },
            files,
            environment,
        )?;
        plan.validated()
            .map_err(|Flaw { key, mismatch }| reader.error_about(&key, mismatch))
    }

    fn validated(mut self) -> Result<Self, Flaw> {
        self.scenario.complete(&mut self.target.url)?;
        check::check(&self)?;
        Ok(self)
    }
}

/// The JSON Schema of the files that [`Plan::parse`] reads.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(document::PlanDocument);
    schema.insert("title".to_owned(), "plimsoll plan".into());
    schema.to_value()
}

/// How the generator uses connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Most connections open at once (open model); exact number (closed model comes with its own).
    pub max: u32,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// Requests in flight on one connection; 1 is no pipelining.
    pub pipelining: u32,
    /// From the start of the connect call to an established connection.
    pub connect_timeout: Duration,
    /// From the intended start to the last byte of the answer.
    pub response_timeout: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            max: 256,
            keep_alive: true,
            pipelining: 1,
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(10),
        }
    }
}
