//! The plan as a file has it: every key that may be written, and how its value is written. The JSON Schema is made
//! from these types, so it cannot say anything else than what is read; their comments are its descriptions.

use crate::notation::units::{Rate, Share};
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, ShortOr, Written};
use crate::notation::{Notation, keyword, mismatch::Mismatch};
use crate::plan::fleet::FleetUrl;
use crate::plan::hold::{Park, Ports};
use crate::plan::http::HttpVersion;
use crate::plan::limits::{ByteSize, CpuLimit};
use crate::plan::load::{Arrivals, Stage};
use crate::plan::objective::Objective;
use crate::plan::resolution::Resolution;
use crate::plan::running::{Container, ServiceName};
use crate::plan::scenario_document::ScenarioDocument;
use crate::plan::search::{Amount, SearchUnit};
use crate::plan::sizing::Price;
use crate::plan::stand_in_document::StandInDocument;
use crate::plan::target::{Cpus, Stdout};
use crate::plan::tls::TlsVersions;
use crate::plan::url::Url;
use schemars::{JsonSchema, Schema, json_schema};
use serde::Deserialize;
use std::time::Duration;

/// One experiment: which service, what is sent, when, and which objectives must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "plan", extend("required" = ["target"]))]
pub(crate) struct PlanDocument {
    /// Name of the plan in reports. Default: the name of its file.
    pub(crate) name: Field<String>,
    /// Seed of every random choice. Default 0.
    pub(crate) seed: Field<u64>,
    /// The service: its URL, or more about it. Required.
    pub(crate) target: Given<ShortOr<Url, TargetDocument>>,
    /// Objectives to judge, most important first. Default: `cpu <= 80%`, `p99 <= 100ms`, `errors = 0`.
    pub(crate) objectives: Given<At<Vec<Written<Objective>>>>,
    /// How the run is cut into windows and judged.
    pub(crate) judging: Given<At<JudgingDocument>>,
    /// What is sent. Default: a GET of the target's URL.
    pub(crate) scenario: Given<At<ScenarioDocument>>,
    /// When it is sent. Default: 100/s for 30 s.
    pub(crate) load: Given<At<LoadDocument>>,
    /// How connections are used.
    pub(crate) connections: Given<At<ConnectionsDocument>>,
    /// Bounds of the capacity search.
    pub(crate) search: Given<At<SearchDocument>>,
    /// How many instances a demand needs, predicted from the load line.
    pub(crate) sizing: Given<At<SizingDocument>>,
    /// The machines that make the load: where they are, or more about them. Default: this one alone.
    pub(crate) fleet: Given<ShortOr<FleetUrl, FleetDocument>>,
}

/// The service under test.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "target", extend("required" = ["url"]))]
pub(crate) struct TargetDocument {
    /// URL, such as `http+unix://%2Frun%2Fapp.sock` for a unix socket. Required. Its path is prepended to that of each request.
    pub(crate) url: Field<Url>,
    /// Where connections to its host and port go instead of where the name leads: `HOST:PORT:ADDRESS`, as curl has it.
    pub(crate) resolve: Given<OneOrMany<Resolution>>,
    /// The proxy that connections to it go through, such as `http://127.0.0.1:3128`. Default: none.
    pub(crate) proxy: Field<Url>,
    /// Starts it: a line, split like a shell does but never expanded, or a list of words.
    pub(crate) command: Given<OneOrMany<String>>,
    /// Added to the environment of the command.
    pub(crate) env: Given<At<Entries<Written<String>>>>,
    /// Working directory of the command, relative to the directory of the plan. Default: the current directory.
    pub(crate) working_dir: Field<String>,
    /// When the service is ready. Default: when its port is open.
    pub(crate) ready: Given<At<ReadyDocument>>,
    /// Cores it may use, such as `0,2-3`. Default: all.
    pub(crate) cpus: Field<Cpus>,
    /// What it may use with everything it starts, as in a container. Default: no limits.
    pub(crate) limits: Given<At<LimitsDocument>>,
    /// Credentials of every request that has no `authorization` header.
    pub(crate) auth: Given<At<AuthDocument>>,
    /// Version of HTTP that is spoken to it: `1.1` or `2`. Default `1.1`.
    pub(crate) http: Field<HttpVersion>,
    /// Most redirects that a request follows, one after the other, as long as they lead to the service itself. Default 0: a redirect is a response.
    pub(crate) follow_redirects: Field<u32>,
    /// How TLS is spoken to it, where its URL begins with `https`.
    pub(crate) tls: Given<At<TlsDocument>>,
    /// The process to sample when it runs already, instead of a command.
    pub(crate) pid: Field<u32>,
    /// The container to sample instead: its name, its id or the beginning of one, or the path of its control group.
    pub(crate) container: Field<Container>,
    /// The service that target agents of the fleet start on their machines, by the name that their configuration gives it, and sample there.
    pub(crate) fleet_target: Field<ServiceName>,
    /// Wait for this many target agents, 1 to 1000, and use no more. Default: all that respond within 1.5 s.
    pub(crate) fleet_targets: Field<u32>,
    /// Where its output goes. Default `file`.
    pub(crate) stdout: Field<Stdout>,
    /// From SIGTERM to SIGKILL. Default 5s.
    pub(crate) stop_grace: Field<Duration>,
    /// What the service needs and is started before it, such as a database: its neighbours.
    pub(crate) beside: Given<At<Vec<At<NeighbourDocument>>>>,
}

/// What the service needs: a program, or a stand-in for one. It is started before the service, stopped after it, and watched like it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "neighbour", extend("required" = ["name"]))]
pub(crate) struct NeighbourDocument {
    /// What it is called in reports: letters, digits, `.`, `_` and `-`. Required.
    pub(crate) name: Field<String>,
    /// Starts it: a line, split like a shell does but never expanded, or a list of words. Required, unless there is a `stand_in`.
    pub(crate) command: Given<OneOrMany<String>>,
    /// What responds in its place, instead of a command.
    pub(crate) stand_in: Given<At<StandInDocument>>,
    /// When it is ready, so that the service can be started. Required with a `command`.
    pub(crate) ready: Given<At<SignDocument>>,
    /// Cores it may use, such as `0,2-3`. Default: all but those of the generator.
    pub(crate) cpus: Field<Cpus>,
    /// Added to the environment of the command.
    pub(crate) env: Given<At<Entries<Written<String>>>>,
    /// Working directory of the command, relative to the directory of the plan. Default: the current directory.
    pub(crate) working_dir: Field<String>,
    /// What it may use with everything it starts. Default: no limits.
    pub(crate) limits: Given<At<LimitsDocument>>,
    /// From SIGTERM to SIGKILL. Default 5s.
    pub(crate) stop_grace: Field<Duration>,
}

impl NeighbourDocument {
    /// Whether anything is given that only a program has.
    pub(crate) fn is_program(&self) -> bool {
        self.ready.0.is_some()
            || self.env.0.is_some()
            || self.working_dir.0.is_some()
            || self.limits.0.is_some()
            || self.stop_grace.0.is_some()
    }
}

/// When a neighbour is ready: either `port`, `url` or `line`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sign")]
pub(crate) struct SignDocument {
    /// It listens on this port of 127.0.0.1, which it also finds in its environment as PORT.
    pub(crate) port: Field<u16>,
    /// This URL, which begins with `http://`, responds with 2xx.
    pub(crate) url: Field<Url>,
    /// A line of its output contains this.
    pub(crate) line: Field<String>,
    /// The run fails when it takes longer. Default 30s.
    pub(crate) timeout: Field<Duration>,
}

/// Credentials of every request: either `basic`, `bearer` or `bearer_file`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "auth")]
pub(crate) struct AuthDocument {
    /// User and password.
    pub(crate) basic: Given<At<BasicDocument>>,
    /// A token, such as `${env.TOKEN}`.
    pub(crate) bearer: Field<String>,
    /// File with the token, relative to the directory of the plan.
    pub(crate) bearer_file: Field<String>,
}

/// User and password.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "basic", extend("required" = ["user"]))]
pub(crate) struct BasicDocument {
    /// Name of the user. Required.
    pub(crate) user: Field<String>,
    /// Password, such as `${env.PASSWORD}`. Default: empty.
    pub(crate) password: Field<String>,
    /// File with the password, relative to the directory of the plan.
    pub(crate) password_file: Field<String>,
}

/// How TLS is spoken to the service.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "tls")]
pub(crate) struct TlsDocument {
    /// PEM file of the authorities whose certificates are accepted, relative to the directory of the plan. Default: those of the system.
    pub(crate) ca: Field<String>,
    /// PEM file with the certificate of the client, and those up to an authority, relative to the directory of the plan.
    pub(crate) cert: Field<String>,
    /// PEM file with the key of that certificate, relative to the directory of the plan. Default: the file of the certificate.
    pub(crate) key: Field<String>,
    /// The name that the certificate must have, and that is sent as SNI. Default: the host of the URL.
    pub(crate) server_name: Field<String>,
    /// Accept any certificate. Default false.
    pub(crate) insecure: Field<bool>,
    /// Resume sessions of earlier connections where the service allows it. Default true.
    pub(crate) resume: Field<bool>,
    /// Versions that may be spoken: `1.2`, `1.3` or `any` of them. Default `any`.
    pub(crate) versions: Field<TlsVersions>,
}

/// When a started service is ready.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ready")]
pub(crate) struct ReadyDocument {
    /// Path that must respond with 2xx. Default: an open port is enough.
    pub(crate) path: Field<String>,
    /// The run fails when it takes longer. Default 30s.
    pub(crate) timeout: Field<Duration>,
}

/// What the service may use with everything it starts, as in a container.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "limits")]
pub(crate) struct LimitsDocument {
    /// CPU time in cores, such as `0.5` or `500m`; an objective on CPU is a share of it. Default: all of its cores.
    pub(crate) cpu: Field<CpuLimit>,
    /// Memory, such as `512MiB`; the kernel ends a service that needs more. Default: as much as the machine has.
    pub(crate) memory: Field<ByteSize>,
    /// Processes and threads. Default: as many as the machine allows.
    pub(crate) pids: Field<u32>,
}

/// How the run is cut into windows and judged.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "judging")]
pub(crate) struct JudgingDocument {
    /// Length of one window. Default 1s.
    pub(crate) window: Field<Duration>,
    /// Share of windows that must pass each objective. Default 90%.
    pub(crate) passing_windows: Field<Share>,
    /// Windows that begin earlier are not judged. Default: a tenth of the run, at most 2s.
    pub(crate) warm_up: Field<Duration>,
}

/// When requests are sent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "load")]
pub(crate) struct LoadDocument {
    /// `open`: arrivals do not wait for responses. `closed`: each connection waits for its response. `hold`: connections are
    /// opened and kept open. Default open.
    pub(crate) model: Field<Model>,
    /// Open: the rate, held for `duration`.
    pub(crate) rate: Field<Rate>,
    /// How long the load takes; hold: from the moment at which the last connection is due.
    pub(crate) duration: Field<Duration>,
    /// Open: how arrivals are spread. Default even.
    pub(crate) arrivals: Field<Arrivals>,
    /// Open: instead of `rate` and `duration`, stretches of time one after the other. Closed: instead of `connections` and
    /// `duration`, such stretches in numbers of users.
    pub(crate) stages: Given<At<Vec<ShortOr<Stage, StageDocument>>>>,
    /// Open: instead of `rate` and `duration`, rates held one after the other, each higher than the last.
    pub(crate) stepping: Given<At<SteppingDocument>>,
    /// Closed: how many connections, or users on journeys, there are. Hold: how many are held.
    pub(crate) connections: Field<u32>,
    /// Closed: ends after this many requests.
    pub(crate) requests: Field<u64>,
    /// Closed: pause between a response and the next request of that connection. Default 0s.
    pub(crate) think_time: Field<Duration>,
    /// Closed: minimum distance between the starts of two requests of one connection. Default 0s, none.
    pub(crate) pacing: Field<Duration>,
    /// Closed: time over which connections, or users on journeys, begin one after the other. Default 0s, all at once.
    pub(crate) ramp: Field<Duration>,
    /// Hold: connections opened per second. Default 1000/s.
    pub(crate) pace: Field<Rate>,
    /// Hold: `request` parks a request on each connection (long poll) and sends it again after its response, `nothing`
    /// sends nothing but pings. Default request.
    pub(crate) park: Field<Park>,
    /// Hold: how often each connection shows that it is alive, whole seconds. Default: never.
    pub(crate) ping: Field<Duration>,
    /// Hold: destination ports such as `8080,9000-9015`, used in turn. Default: the port of the target's URL.
    pub(crate) ports: Field<Ports>,
}

/// A stretch of time with one rate, or with a rate that moves evenly. In short, `30s:100` is a ramp to 100/s. In the closed model
/// numbers of users stand in place of rates.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "stage", extend("required" = ["duration"]))]
pub(crate) struct StageDocument {
    /// The rate at its end; it moves there from where the last stage ended.
    pub(crate) ramp_to: Field<Rate>,
    /// Where a ramp begins, when not where the last stage ended. The first begins at zero.
    pub(crate) from: Field<Rate>,
    /// The rate all through it, from its first moment.
    pub(crate) hold: Field<Rate>,
    /// Its length. Required.
    pub(crate) duration: Field<Duration>,
}

/// Rates held one after the other.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "stepping", extend("required" = ["start", "step", "every", "steps"]))]
pub(crate) struct SteppingDocument {
    /// The first rate. Required.
    pub(crate) start: Field<Rate>,
    /// What each rate adds to the last. Required.
    pub(crate) step: Field<Rate>,
    /// How long each is held. Required.
    pub(crate) every: Field<Duration>,
    /// How many rates there are. Required.
    pub(crate) steps: Field<u32>,
}

/// How the generator uses connections.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "connections")]
pub(crate) struct ConnectionsDocument {
    /// Most connections open at once in the open model. Default 256.
    pub(crate) max: Field<u32>,
    /// Connections that are opened at the start of each step, before any is needed: in a chat, those who listen. In the
    /// closed model at most as many as it has. Default 0, none.
    pub(crate) min: Field<u32>,
    /// Whether a connection carries more than one request. Default true.
    pub(crate) keep_alive: Field<bool>,
    /// Whether each user on a journey has a connection of its own, which is opened for its first request with a full handshake
    /// and closed at the end of the journey. Default false: a request goes out on whichever connection is free.
    pub(crate) per_user: Field<bool>,
    /// HTTP/1.1: requests in flight on one connection. Default 1.
    pub(crate) pipelining: Field<u32>,
    /// HTTP/2: most requests in flight on one connection, as far as the service allows them. Default: 100 in the open model, 1 in
    /// the closed one, where a connection has so many users.
    pub(crate) streams: Field<u32>,
    /// Time to establish a connection, after which the attempt fails. Default 5s.
    pub(crate) connect_timeout: Field<Duration>,
    /// Time from the scheduled start to the last byte of the response, after which a request fails. Default 10s.
    pub(crate) response_timeout: Field<Duration>,
}

/// Bounds of the capacity search.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "search")]
pub(crate) struct SearchDocument {
    /// What is searched: `rate`, the greatest arrival rate (open model), `users`, the greatest number of users at a time
    /// (closed model, with the think time and pacing of the load), or `connections`, the greatest number that is held as the load
    /// says. Default rate.
    #[serde(rename = "in")]
    pub(crate) unit: Field<SearchUnit>,
    /// Rate, or number of users or connections, of the first step. Default 100.
    pub(crate) start: Field<Amount>,
    /// The search never offers more. Default 1000000.
    pub(crate) max: Field<Amount>,
    /// Requested width of the bracket, as a share of the load line. Default 5%.
    pub(crate) bracket: Field<Share>,
    /// The search ends after this time. Default 90s.
    pub(crate) budget: Field<Duration>,
    /// Length of one step. Default 5s.
    pub(crate) step: Field<Duration>,
}

/// How many instances a demand needs, predicted from the load line.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sizing")]
pub(crate) struct SizingDocument {
    /// Arrival rate that all instances carry together. Default: none, and nothing is sized.
    pub(crate) demand: Field<Rate>,
    /// Share of the load line kept free in each instance, 0% to 99%. Default 30%.
    pub(crate) headroom: Field<Share>,
    /// Price of an instance per hour, such as `0.12/h`, `0.12 EUR/h` or `$0.12/h`. Default: no costs.
    pub(crate) price: Field<Price>,
}

/// Machines that make the load together. Options of the command line go before it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "fleet", extend("required" = ["url"]))]
pub(crate) struct FleetDocument {
    /// Where its agents are: the URL of their broker, such as `nats://127.0.0.1:4222`, or `local` for agents that are started on this machine
    /// and end with the command. A password in it is best a variable, `nats://${env.BROKER_USER}@127.0.0.1:4222`. Required.
    pub(crate) url: Field<FleetUrl>,
    /// File with the key by which the broker knows the run, as `plimsoll fleet keys` makes it, relative to the directory of the plan.
    pub(crate) key: Field<String>,
    /// Wait for this many agents, 1 to 1000, and use no more. Default: all that respond within 1.5 s, or 2 that are local.
    pub(crate) agents: Field<u32>,
    /// Make do with this many agents if no more come within 30 s. Default: as many as `agents`, or 1.
    pub(crate) min_agents: Field<u32>,
}

/// The load model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    Open,
    Closed,
    Hold,
}

impl Model {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Hold => "hold",
        }
    }
}

impl Notation for Model {
    const EXPECTED: &'static str = "`open`, `closed` or `hold`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(
            text,
            &[Self::Open, Self::Closed, Self::Hold].map(|model| (model.as_str(), model)),
        )
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["open", "closed", "hold"] })
    }
}
