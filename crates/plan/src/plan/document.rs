//! The plan as a file has it: every key that may be written, and how its value is written. The JSON Schema is made
//! from these types, so it cannot say anything else than what is read; their comments are its descriptions.

use crate::notation::json::Json;
use crate::notation::units::{Rate, Share};
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, ShortOr, Written};
use crate::notation::{Notation, keyword, mismatch::Mismatch};
use crate::plan::grpc::GrpcStatus;
use crate::plan::hold::{Park, Ports};
use crate::plan::http::HttpVersion;
use crate::plan::load::{Arrivals, Stage};
use crate::plan::objective::Objective;
use crate::plan::request::{Method, StatusRange};
use crate::plan::resolution::Resolution;
use crate::plan::sizing::Price;
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
    /// Where its output goes. Default `file`.
    pub(crate) stdout: Field<Stdout>,
    /// From SIGTERM to SIGKILL. Default 5s.
    pub(crate) stop_grace: Field<Duration>,
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

/// What is sent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "scenario", extend("required" = ["requests"]))]
pub(crate) struct ScenarioDocument {
    /// Named sources of values for `${name}` in paths, headers and bodies.
    pub(crate) variables: Given<At<Entries<At<VariableDocument>>>>,
    /// What is sent, each as often as its weight says. Required.
    pub(crate) requests: Given<At<Vec<At<RequestDocument>>>>,
    /// What each held connection does, one action after the other, from the moment at which the last one is due: one `repeat` with one
    /// `request` in it.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// An action, by the one key that names it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "action", extend("minProperties" = 1, "maxProperties" = 1))]
pub(crate) struct ActionDocument {
    /// Does actions again and again.
    pub(crate) repeat: Given<At<RepeatDocument>>,
    /// Sends a request and takes its response.
    pub(crate) request: Given<At<ActionRequestDocument>>,
}

/// Actions that are done again and again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "repeat", extend("required" = ["every", "actions"]))]
pub(crate) struct RepeatDocument {
    /// From one time to the next, for each connection; all connections together are spread evenly over it. Required.
    pub(crate) every: Field<Duration>,
    /// What is done, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// A request that is an action. `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes back in
/// a response on a held connection, the message has been delivered.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "action_request")]
pub(crate) struct ActionRequestDocument {
    /// Name of the request, different from all others. Default: method and path.
    pub(crate) name: Field<String>,
    /// Where it is sent, over connections of its own. Default: the target's URL. Only then it has the credentials of the target.
    pub(crate) url: Field<Url>,
    /// HTTP method. Default GET.
    pub(crate) method: Field<Method>,
    /// Path with query; `${name}` is replaced. Default: the path of the URL.
    pub(crate) path: Field<String>,
    /// Headers; `${name}` is replaced. A list sends a header several times.
    pub(crate) headers: Given<At<Entries<OneOrMany<String>>>>,
    /// Body as text; `${name}` is replaced.
    pub(crate) body: Field<String>,
    /// Body as JSON, with `content-type: application/json` unless given; `${name}` in texts is replaced.
    pub(crate) json: Given<At<Json>>,
    /// File with the body, relative to the directory of the plan, sent as it is.
    pub(crate) body_file: Field<String>,
    /// Body in base64, sent as it is.
    pub(crate) body_base64: Field<String>,
    /// What makes a response correct: with it the service has accepted the message.
    pub(crate) expect: Given<At<ExpectDocument>>,
}

/// The values of a variable: a range of whole numbers or a list of texts, taken in turn by each request, then again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "variable")]
pub(crate) struct VariableDocument {
    /// First number. Default 1.
    pub(crate) from: Field<u64>,
    /// Last number, included.
    pub(crate) to: Field<u64>,
    /// Texts.
    pub(crate) values: Given<At<Vec<Written<String>>>>,
}

/// One kind of request.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "request")]
pub(crate) struct RequestDocument {
    /// Name of the request, different from all others; no report shows it yet. Default: method and path.
    pub(crate) name: Field<String>,
    /// How often it is sent, relative to the other requests. Default 1.
    pub(crate) weight: Field<u32>,
    /// HTTP method. Default GET.
    pub(crate) method: Field<Method>,
    /// Path with query; `${name}` is replaced. Default: the path of the target's URL.
    pub(crate) path: Field<String>,
    /// Headers; `${name}` is replaced. A list sends a header several times.
    pub(crate) headers: Given<At<Entries<OneOrMany<String>>>>,
    /// Body as text; `${name}` is replaced.
    pub(crate) body: Field<String>,
    /// Body as JSON, with `content-type: application/json` unless given; `${name}` in texts is replaced, and a text
    /// that is nothing but `${name}` of a numeric variable becomes a number.
    pub(crate) json: Given<At<Json>>,
    /// File with the body, relative to the directory of the plan, sent as it is.
    pub(crate) body_file: Field<String>,
    /// Body in base64, sent as it is.
    pub(crate) body_base64: Field<String>,
    /// A call of gRPC, instead of a body.
    pub(crate) grpc: Given<At<GrpcDocument>>,
    /// What makes a response correct.
    pub(crate) expect: Given<At<ExpectDocument>>,
}

/// A call of gRPC with one request and one response.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "grpc", extend("required" = ["call"]))]
pub(crate) struct GrpcDocument {
    /// The `.proto` file that defines the service, relative to the directory of the plan.
    pub(crate) proto: Field<String>,
    /// Where it and others find what they import, besides the directory of the file. Relative to the directory of the plan.
    pub(crate) import_paths: Given<OneOrMany<String>>,
    /// Package, service and method, such as `shop.Cart/Add`. Required.
    pub(crate) call: Field<String>,
    /// The request as JSON, as protobuf maps it; `${name}` in texts is replaced. Default: an empty message.
    pub(crate) message: Given<At<Json>>,
    /// The request as it is encoded, in base64; those of a list are sent in turn.
    pub(crate) message_base64: Given<OneOrMany<String>>,
    /// Time that the service is told a call may take (`grpc-timeout`). Default: none.
    pub(crate) deadline: Field<Duration>,
}

/// What a request consists of, wherever it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestFields<'a> {
    pub(crate) name: &'a Field<String>,
    pub(crate) method: &'a Field<Method>,
    pub(crate) path: &'a Field<String>,
    pub(crate) headers: &'a Given<At<Entries<OneOrMany<String>>>>,
    pub(crate) body: &'a Field<String>,
    pub(crate) json: &'a Given<At<Json>>,
    pub(crate) body_file: &'a Field<String>,
    pub(crate) body_base64: &'a Field<String>,
    /// Of an action there is none.
    pub(crate) grpc: Option<&'a At<GrpcDocument>>,
    pub(crate) expect: &'a Given<At<ExpectDocument>>,
}

impl<'a> From<&'a RequestDocument> for RequestFields<'a> {
    fn from(request: &'a RequestDocument) -> Self {
        let RequestDocument {
            name,
            weight: _,
            method,
            path,
            headers,
            body,
            json,
            body_file,
            body_base64,
            grpc,
            expect,
        } = request;
        Self {
            name,
            method,
            path,
            headers,
            body,
            json,
            body_file,
            body_base64,
            grpc: grpc.0.as_ref(),
            expect,
        }
    }
}

impl<'a> From<&'a ActionRequestDocument> for RequestFields<'a> {
    fn from(request: &'a ActionRequestDocument) -> Self {
        let ActionRequestDocument {
            name,
            url: _,
            method,
            path,
            headers,
            body,
            json,
            body_file,
            body_base64,
            expect,
        } = request;
        Self {
            name,
            method,
            path,
            headers,
            body,
            json,
            body_file,
            body_base64,
            grpc: None,
            expect,
        }
    }
}

/// What makes a response correct.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "expect")]
pub(crate) struct ExpectDocument {
    /// Accepted status codes: `200`, `2xx`, `200-299`, or a list of these. Default 200-399.
    pub(crate) status: Given<OneOrMany<StatusRange>>,
    /// Accepted statuses of a call of gRPC, such as `[OK, NOT_FOUND]`; OK is always one. Default OK.
    pub(crate) grpc_status: Given<OneOrMany<GrpcStatus>>,
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
    /// Open: instead of `rate` and `duration`, stretches of time one after the other.
    pub(crate) stages: Given<At<Vec<ShortOr<Stage, StageDocument>>>>,
    /// Open: instead of `rate` and `duration`, rates held one after the other, each higher than the last.
    pub(crate) stepping: Given<At<SteppingDocument>>,
    /// Closed: how many connections send. Hold: how many are held.
    pub(crate) connections: Field<u32>,
    /// Closed: ends after this many requests.
    pub(crate) requests: Field<u64>,
    /// Closed: pause between a response and the next request of that connection. Default 0s.
    pub(crate) think_time: Field<Duration>,
    /// Closed: minimum distance between the starts of two requests of one connection. Default 0s, none.
    pub(crate) pacing: Field<Duration>,
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

/// A stretch of time with one rate, or with a rate that moves evenly. In short, `30s:100` is a ramp to 100/s.
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
    /// Whether a connection carries more than one request. Default true.
    pub(crate) keep_alive: Field<bool>,
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
    /// Rate of the first step. Default 100/s.
    pub(crate) start: Field<Rate>,
    /// The search never offers more. Default 1000000/s.
    pub(crate) max: Field<Rate>,
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
