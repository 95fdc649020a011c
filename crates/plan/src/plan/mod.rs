//! A plan: a draft whose parts fit together.

pub(crate) mod action;
pub(crate) mod address;
pub(crate) mod around;
pub(crate) mod auth;
pub(crate) mod check;
pub(crate) mod condition;
pub(crate) mod condition_document;
pub(crate) mod connections;
pub(crate) mod cycle;
pub(crate) mod destination;
pub(crate) mod document;
pub(crate) mod draft;
pub(crate) mod flaw;
pub(crate) mod fleet;
pub(crate) mod grpc;
pub(crate) mod hold;
pub(crate) mod http;
pub(crate) mod journey;
pub(crate) mod json_path;
pub(crate) mod judging;
pub(crate) mod known_secrets;
pub(crate) mod limit;
pub(crate) mod limits;
pub(crate) mod load;
pub(crate) mod masks;
pub(crate) mod now;
pub(crate) mod objective;
pub(crate) mod pattern;
pub(crate) mod print;
pub(crate) mod print_actions;
pub(crate) mod print_request;
pub(crate) mod print_stand_in;
pub(crate) mod proxied;
pub(crate) mod proxy;
pub(crate) mod read_actions;
pub(crate) mod read_auth;
pub(crate) mod read_command;
pub(crate) mod read_condition;
pub(crate) mod read_grpc;
pub(crate) mod read_journeys;
pub(crate) mod read_load;
pub(crate) mod read_messages;
pub(crate) mod read_neighbours;
pub(crate) mod read_rounds;
pub(crate) mod read_scenario;
pub(crate) mod read_stand_in;
pub(crate) mod read_table;
pub(crate) mod read_variable;
pub(crate) mod reader;
pub(crate) mod request;
pub(crate) mod resolution;
pub(crate) mod rows_sent;
pub(crate) mod running;
pub(crate) mod scenario;
pub(crate) mod scenario_document;
pub(crate) mod scheme;
pub(crate) mod search;
pub(crate) mod sizing;
pub(crate) mod socket_url;
pub(crate) mod stand_in;
pub(crate) mod stand_in_document;
pub(crate) mod table;
pub(crate) mod take;
pub(crate) mod take_document;
pub(crate) mod target;
pub(crate) mod template;
pub(crate) mod tls;
pub(crate) mod url;
pub(crate) mod variable;
pub(crate) mod variable_document;
pub(crate) mod zone;
pub(crate) mod zoned;

use crate::notation::environment;
use crate::notation::error::{PlanError, Source};
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::ReadFile;
use crate::schema;
use crate::secrets::Shown;
use auth::Auth;
use connections::Connections;
use draft::{MOST_BODIES_BYTES, PlanDraft};
use flaw::Flaw;
use fleet::FleetPlan;
use hold::HoldLoad;
use judging::Judging;
use load::Load;
use objective::Objective;
use plimsoll_files::{found, given};
use print_request::Secrets;
use scenario::Scenario;
use search::Search;
use sizing::Sizing;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;
use target::Target;
use url::Url;

/// A complete description of one experiment that can be run: whoever has one need not check it. To change it, take its
/// [`draft`](Plan::draft), change that, and [`validate`](PlanDraft::validate) it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan(PlanDraft);

/// The largest plan that a person writes, bytes.
const MOST_PLAN_BYTES: usize = 1 << 20;
/// The largest plan that [`Plan::to_json`] makes of one: the bodies of files are inside it, as text with escapes or
/// in base64.
const MOST_SAVED_BYTES: usize = MOST_PLAN_BYTES + 4 * MOST_BODIES_BYTES;
impl Plan {
    /// What the plan is called in reports.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The service under test. The path of its URL is `/`.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.0.target
    }

    /// What must hold, most important first. Only where connections are held may there be none.
    #[must_use]
    pub fn objectives(&self) -> &[Objective] {
        &self.0.objectives
    }

    /// How windows are judged.
    #[must_use]
    pub const fn judging(&self) -> Judging {
        self.0.judging
    }

    /// What is sent: at least one request, each with a name of its own, or at least one journey.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.0.scenario
    }

    /// When it is sent. `capacity` replaces it by the steps of its search.
    #[must_use]
    pub const fn load(&self) -> &Load {
        &self.0.load
    }

    /// Bounds of the capacity search.
    #[must_use]
    pub const fn search(&self) -> Search {
        self.0.search
    }

    /// How long a user does something else than wait for responses before it begins anew, on average: pauses of its journey and
    /// the think time of a closed load.
    #[must_use]
    pub fn cycle(&self) -> Duration {
        cycle::cycle(&self.0)
    }

    /// What is asked about the number of instances that a demand needs.
    #[must_use]
    pub const fn sizing(&self) -> &Sizing {
        &self.0.sizing
    }

    /// The machines that make the load; `None` is this one.
    #[must_use]
    pub const fn fleet(&self) -> Option<&FleetPlan> {
        self.0.fleet.as_ref()
    }

    /// How connections are used.
    #[must_use]
    pub const fn connections(&self) -> Connections {
        self.0.connections
    }

    /// Whether connections resume TLS sessions of earlier ones. Users with connections of their own have no earlier ones.
    #[must_use]
    pub const fn resumes_sessions(&self) -> bool {
        self.0.target.tls.resume && !self.0.connections.per_user
    }

    /// Seed of every random choice in the run.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.0.seed
    }

    /// Its parts, to be changed.
    #[must_use]
    pub fn draft(&self) -> PlanDraft {
        self.0.clone()
    }

    /// The same plan but for what `change` does.
    ///
    /// # Errors
    /// When the plan would break a rule; the error names the key.
    pub fn with(&self, change: impl FnOnce(&mut PlanDraft)) -> Result<Self, PlanError> {
        let mut draft = self.draft();
        change(&mut draft);
        draft.validate()
    }

    /// Reads a plan in YAML or JSON. `file_name` is what errors call it; what the plan refers to lies beside it.
    ///
    /// # Errors
    /// When `text` is no valid plan, or longer than 1 MiB, or refers to a file that cannot be read or is no table where one is asked for.
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
                match url::with_port(&name) {
                    Some(url) => format!("did you mean `{url}`?"),
                    None if socket_url::is_meant(&name) => socket_url::hint(&name),
                    None => "check the path, or write a first plan with `plimsoll init`".to_owned(),
                },
            ),
            _ if socket_url::is_meant(&name) => unreadable("no readable file", socket_url::hint(&name)),
            _ => unreadable("no readable file", error.to_string()),
        })?;
        let text = String::from_utf8(bytes).map_err(|error| unreadable("no text", error.to_string()))?;
        Self::parse(&text, &name)
    }

    /// A GET of `url`, 100 times a second for 30 s, with the defaults of a plan for everything else. On a WebSocket a message that is nothing
    /// but its mark.
    ///
    /// # Errors
    /// When `url` is no URL of HTTP or WebSockets.
    pub fn for_url(url: &str) -> Result<Self, Mismatch> {
        let url = Url::parse(url)?;
        let mut scenario = Scenario::default();
        if url.scheme.is_socket_io() {
            let expected = "a plan with `emit`, which says what is sent, or `plimsoll hold`";
            return Err(Mismatch::new("a URL of Socket.IO alone", expected));
        }
        if url.scheme.is_web_socket() {
            scenario.say("${message}")?;
        }
        Self::of_url(&url, scenario, Load::default())
    }

    /// Connections that a GET of `url` is parked on, or that it opens where they are WebSockets, held for 30 s.
    ///
    /// # Errors
    /// As [`Plan::for_url`].
    pub fn holding(url: &str) -> Result<Self, Mismatch> {
        let load = Load::Hold(HoldLoad::usual());
        Self::of_url(&Url::parse(url)?, Scenario::default(), load)
    }

    fn of_url(url: &Url, scenario: Scenario, load: Load) -> Result<Self, Mismatch> {
        let target = Target::at(url.clone());
        let draft = PlanDraft {
            name: url.to_string(),
            objectives: Objective::defaults(&target),
            target,
            judging: load.duration().map_or_else(Judging::default, Judging::for_run),
            scenario,
            load,
            search: Search::default(),
            sizing: Sizing::default(),
            fleet: None,
            connections: Connections::default(),
            seed: 0,
        };
        draft.validated().map_err(|flaw| flaw.mismatch)
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
        print::plan(&self.0, secrets).to_pretty_text() + "\n"
    }

    fn read(
        text: &str,
        file_name: &str,
        most_bytes: usize,
        files: ReadFile<'_>,
        environment: Option<environment::Environment<'_>>,
    ) -> Result<Self, PlanError> {
        if text.len() > most_bytes {
            let mismatch = Mismatch::new(format!("{} bytes", text.len()), format!("at most {most_bytes} bytes"));
            return Err(PlanError::new(file_name, mismatch));
        }
        // A byte order mark is no part of the text; places are counted without it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (draft, reader) = reader::read(
            Source {
                kind: "plan",
                keys: schema::keys,
                file: file_name,
                text,
            },
            files,
            environment,
        )?;
        draft
            .validated()
            .map_err(|Flaw { key, mismatch }| reader.error_about(&key, mismatch))
    }
}

impl PlanDraft {
    /// The plan of these parts, if they fit together. Puts the path of the target's URL in front of the paths of the requests, names
    /// a request that has no name, and puts headers of one name side by side.
    ///
    /// # Errors
    /// When they break a rule; the error names the key.
    pub fn validate(self) -> Result<Plan, PlanError> {
        self.validated()
            .map_err(|Flaw { key, mismatch }| PlanError::new(key, mismatch))
    }

    /// Authorizes the requests by `auth` instead of by what the target says. A request with an `authorization` header of its own
    /// keeps it.
    pub fn authorize(&mut self, auth: Auth) {
        if let Some(old) = self.target.auth.replace(auth) {
            self.scenario.forget(&old);
        }
        self.target.url.user = None;
    }

    fn validated(mut self) -> Result<Plan, Flaw> {
        self.scenario.complete(&mut self.target)?;
        self.scenario.shuffle_by(self.seed);
        check::check(&self)?;
        Ok(Plan(self))
    }
}
