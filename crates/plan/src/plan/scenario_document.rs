//! What is sent, as it is written in a plan.

use crate::notation::json::Json;
use crate::notation::units::Share;
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, ShortOr, Written};
use crate::plan::action::{OnFailure, Receivers};
use crate::plan::grpc::GrpcStatus;
use crate::plan::now::{Offset, TimeFormat};
use crate::plan::request::{Method, StatusRange, Transport};
use crate::plan::table::RowOrder;
use crate::plan::take_document::{CheckDocument, PauseDocument, TakeDocument};
use crate::plan::url::Url;
use crate::plan::variable::UuidKind;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// What is sent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "scenario")]
pub(crate) struct ScenarioDocument {
    /// Named sources of values for `${name}` in paths, headers and bodies.
    pub(crate) variables: Given<At<Entries<At<VariableDocument>>>>,
    /// What is sent, each as often as its weight says. On WebSockets those with `send` or `emit` are sent, and the others open the connections; where
    /// these are held, all do. Required, unless there are journeys or `actions`: with these
    /// default is a GET of the target's URL.
    pub(crate) requests: Given<At<Vec<At<RequestDocument>>>>,
    /// What each held connection does, one action after the other, from the moment at which the last one is due: one `repeat` with one
    /// `request`, `send` or `emit` in it.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
    /// What users do, instead of `requests`: an arrival is a user, who takes a journey as often as its weight says.
    pub(crate) journeys: Given<At<Vec<At<JourneyDocument>>>>,
    /// What one user does once the service is ready and before the load, such as to log in: the actions of journeys. `${name}` of what it takes or
    /// sets is known to all requests and users. When it fails, nothing else is sent.
    pub(crate) before: Given<At<Vec<At<ActionDocument>>>>,
    /// What one user does after the load, also when it was interrupted: the actions of journeys.
    pub(crate) after: Given<At<Vec<At<ActionDocument>>>>,
}

/// What a user does, from arrival to departure.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "journey", extend("required" = ["actions"]))]
pub(crate) struct JourneyDocument {
    /// Name of the journey, different from all others. Default: `journey` and its number.
    pub(crate) name: Field<String>,
    /// How many users take it, relative to the other journeys. Default 1.
    pub(crate) weight: Field<u32>,
    /// What a user does, in order. Required.
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
    /// Does nothing for a while: always as long, `from` a time `to` another, or by its `mean`. In a journey.
    pub(crate) pause: Given<ShortOr<Duration, PauseDocument>>,
    /// Gives values to names, as `take` does: `${name}` from then on. In a journey.
    pub(crate) set: Given<At<Entries<Written<String>>>>,
    /// Does actions or leaves them out, by chance. In a journey.
    pub(crate) chance: Given<At<ChanceDocument>>,
    /// Does actions where a value is what it is to be. In a journey.
    pub(crate) when: Given<At<WhenDocument>>,
    /// Sends a message on the connection itself, a WebSocket.
    pub(crate) send: Given<At<SendDocument>>,
    /// Sends an event on the connection itself, of Socket.IO.
    pub(crate) emit: Given<At<EmitActionDocument>>,
}

/// Actions that are done again and again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "repeat", extend("required" = ["actions"]))]
pub(crate) struct RepeatDocument {
    /// From one time to the next. On held connections for each of them, all together spread evenly over it, and required. In a journey from the
    /// beginning of one round to that of the next. Default 0s.
    pub(crate) every: Field<Duration>,
    /// How many rounds there are. In a journey.
    pub(crate) times: Field<u32>,
    /// What ends the rounds when one is over. In a journey, with `at most`.
    pub(crate) until: Given<At<ConditionDocument>>,
    /// What has to be so for a round to begin. In a journey, with `at most`.
    #[serde(rename = "while")]
    pub(crate) while_so: Given<At<ConditionDocument>>,
    /// A name, which in each round is another value of a list: `{ id: "${ids}" }` for each value of what was taken as a list, or the list itself,
    /// `{ colour: [red, blue] }`. In a journey.
    #[serde(rename = "for each")]
    pub(crate) for_each: Given<At<Entries<OneOrMany<String>>>>,
    /// How many rounds there are at most; then the journey goes on. In a journey: with `until` or `while`, and with `for each`, where the default is
    /// 10,000.
    #[serde(rename = "at most")]
    pub(crate) at_most: Field<u32>,
    /// A name, which is the number of the round, and the number of the first one: `{ page: 1 }`. In a journey.
    pub(crate) count: Given<At<Entries<Written<u64>>>>,
    /// What is done, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// Actions that are done by chance.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "chance", extend("required" = ["of", "actions"]))]
pub(crate) struct ChanceDocument {
    /// The share of users who do them. Required.
    pub(crate) of: Field<Share>,
    /// What is done, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// Actions that are done where a value is what it is to be.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "when", extend("required" = ["value", "actions"]))]
pub(crate) struct WhenDocument {
    /// What is looked at, such as `${role}`. Required.
    pub(crate) value: Field<String>,
    /// What it has to be. This or `is not` is required.
    pub(crate) is: Field<String>,
    /// What it must not be.
    #[serde(rename = "is not")]
    pub(crate) is_not: Field<String>,
    /// What is done then, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// Something that is so or not.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "condition", extend("required" = ["value"]))]
pub(crate) struct ConditionDocument {
    /// What is looked at, such as `${state}`. Required.
    pub(crate) value: Field<String>,
    /// What it has to be. This or `is not` is required.
    pub(crate) is: Field<String>,
    /// What it must not be.
    #[serde(rename = "is not")]
    pub(crate) is_not: Field<String>,
}

/// A request that is an action. On a held connection `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes back in
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
    /// What the user keeps of the response, by name: `${name}` in requests from then on. In a journey.
    pub(crate) take: Given<At<Entries<At<TakeDocument>>>>,
    /// What makes a response correct besides its status. In a journey.
    pub(crate) check: Given<At<Vec<At<CheckDocument>>>>,
    /// What a user does when a response came and is not correct: `end` the journey, or `continue` with the next action, without what was to be
    /// taken. In a journey. Default `end`.
    pub(crate) on_failure: Field<OnFailure>,
    /// How many of the held connections the message comes to: a number, `all`, or `any` where nobody knows. Default 1.
    pub(crate) receivers: Field<Receivers>,
}

/// A message on a held connection. `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes
/// back on a held connection, the message has been delivered.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "send")]
pub(crate) struct SendDocument {
    /// Name of the message, different from those of all requests. Default `send`.
    pub(crate) name: Field<String>,
    /// What is sent; `${name}` is replaced.
    pub(crate) text: Field<String>,
    /// What is sent, as JSON; `${name}` in texts is replaced.
    pub(crate) json: Given<At<Json>>,
    /// How many of the held connections the message comes to: a number, `all`, `others` (all but the sender), or `any` where nobody
    /// knows. Default 1.
    pub(crate) receivers: Field<Receivers>,
}

/// An event on a held connection of Socket.IO. `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes
/// back on a held connection, the message has been delivered.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "emit_action")]
pub(crate) struct EmitActionDocument {
    /// Name of the message, different from those of all requests. Default: the event.
    pub(crate) name: Field<String>,
    /// Name of the event. Required, unless there is a `packet`.
    pub(crate) event: Field<String>,
    /// Its arguments, a list; `${name}` in texts is replaced. Default: none.
    pub(crate) args: Given<At<Json>>,
    /// Event and arguments as a list in JSON, as a saved plan has it.
    pub(crate) packet: Field<String>,
    /// How many of the held connections the message comes to: a number, `all`, `others` (all but the sender), or `any` where nobody
    /// knows. Default 1.
    pub(crate) receivers: Field<Receivers>,
}

/// The values of a variable: a range of whole numbers or a list of texts, taken in turn by each request, then again; what is made, such as a UUID, a text of
/// random characters or the time; or a table in a file, of which each user has a row: `${name.column}`.
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
    /// File with a table, relative to the directory of the plan: an object a line in JSON where its name ends in `.jsonl`, `.ndjson` or `.json`, else
    /// CSV.
    pub(crate) file: Field<String>,
    /// Names of the columns. Default: those in the first line of the file.
    pub(crate) columns: Given<At<Vec<Written<String>>>>,
    /// What stands between two fields of CSV, one character. Default: a comma, or a tab where the name of the file ends in `.tsv`.
    pub(crate) separator: Field<String>,
    /// `random`, alone: a UUID of version 4, each time another one that the seed of the plan decides.
    pub(crate) uuid: Field<UuidKind>,
    /// How many random characters a text has, by the seed of the plan.
    pub(crate) length: Field<u32>,
    /// The characters of such a text. Default: the small letters and digits of ASCII.
    pub(crate) characters: Field<String>,
    /// The time in UTC at which a request is due, in `seconds` or `milliseconds` since 1970, as `iso8601`, or in a format such as `%Y-%m-%d`.
    pub(crate) now: Field<TimeFormat>,
    /// How long after that time, such as `+1d`, or before it, such as `-90m`. Default `+0s`.
    pub(crate) offset: Field<Offset>,
    /// Whether a user on a journey has another UUID, text or random value in each request and each `set`, and not the same one from arrival to departure.
    /// Default false.
    pub(crate) anew: Field<bool>,
    /// In which order values or rows are given out, by the seed of the plan: `in turn`; `shuffled`, each once before any comes again; or `random`, each time
    /// any of them. Default in turn.
    pub(crate) order: Field<RowOrder>,
    /// Whether each row is given to one user of the run and no other; when all rows are used up, the load ends. With journeys. Default false: from
    /// the first row on again.
    pub(crate) once: Field<bool>,
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
    /// A message on a WebSocket, instead of all but name and weight.
    pub(crate) send: Given<At<MessageDocument>>,
    /// An event of Socket.IO that asks for an acknowledgement, instead of all but name and weight.
    pub(crate) emit: Given<At<EmitDocument>>,
    /// How a client of Socket.IO joins its namespace, where the request opens a connection.
    pub(crate) connect: Given<At<ConnectDocument>>,
}

/// An event of Socket.IO. Its response is its acknowledgement.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "emit")]
pub(crate) struct EmitDocument {
    /// Name of the event. Required, unless there is a `packet`.
    pub(crate) event: Field<String>,
    /// Its arguments, a list; `${name}` in texts is replaced. Default: none.
    pub(crate) args: Given<At<Json>>,
    /// Event and arguments as a list in JSON, as a saved plan has it.
    pub(crate) packet: Field<String>,
}

/// What an event consists of, wherever it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventFields<'a> {
    pub(crate) name: &'a Field<String>,
    pub(crate) event: &'a Field<String>,
    pub(crate) args: &'a Given<At<Json>>,
    pub(crate) packet: &'a Field<String>,
}

/// How a client of Socket.IO joins its namespace.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "connect")]
pub(crate) struct ConnectDocument {
    /// The namespace, the same for all connections. Default `/`.
    pub(crate) namespace: Field<String>,
    /// What the client says of itself: an object; `${name}` in texts is replaced. Default: nothing.
    pub(crate) auth: Given<At<Json>>,
    /// How its session begins: on a WebSocket, or as in browsers by long polling, which a WebSocket takes over from (`upgrade`). Default websocket.
    pub(crate) transport: Field<Transport>,
}

/// A message on a WebSocket that has a response. `${message}` in it is a text of 16 letters and digits, different for each sending; the first message
/// on the same connection with it is the response.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "message")]
pub(crate) struct MessageDocument {
    /// What is sent; `${name}` is replaced.
    pub(crate) text: Field<String>,
    /// What is sent, as JSON; `${name}` in texts is replaced.
    pub(crate) json: Given<At<Json>>,
}

/// What a message consists of, wherever it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageFields<'a> {
    pub(crate) name: &'a Field<String>,
    pub(crate) text: &'a Field<String>,
    pub(crate) json: &'a Given<At<Json>>,
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
    pub(crate) body: BodyFields<'a>,
    /// Of an action there is none.
    pub(crate) grpc: Option<&'a At<GrpcDocument>>,
    pub(crate) expect: &'a Given<At<ExpectDocument>>,
}

/// What a body consists of, wherever it is written: one of these.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyFields<'a> {
    pub(crate) text: &'a Field<String>,
    pub(crate) json: &'a Given<At<Json>>,
    pub(crate) file: &'a Field<String>,
    pub(crate) base64: &'a Field<String>,
}

impl BodyFields<'_> {
    /// How many of them are given.
    pub(crate) fn given(&self) -> usize {
        let Self {
            text,
            json,
            file,
            base64,
        } = self;
        let given = [text.0.is_some(), json.0.is_some(), file.0.is_some(), base64.0.is_some()];
        given.iter().filter(|given| **given).count()
    }
}

impl RequestDocument {
    /// Whether it is a message on a connection that others open.
    pub(crate) fn is_message(&self) -> bool {
        self.send.0.is_some() || self.emit.0.is_some()
    }

    /// Whether anything is given of which messages have nothing.
    pub(crate) fn is_request(&self) -> bool {
        self.method.0.is_some()
            || self.path.0.is_some()
            || self.headers.0.is_some()
            || self.body.0.is_some()
            || self.json.0.is_some()
            || self.body_file.0.is_some()
            || self.body_base64.0.is_some()
            || self.grpc.0.is_some()
            || self.expect.0.is_some()
            || self.connect.0.is_some()
    }
}

impl<'a> From<&'a RequestDocument> for RequestFields<'a> {
    fn from(request: &'a RequestDocument) -> Self {
        Self {
            name: &request.name,
            method: &request.method,
            path: &request.path,
            headers: &request.headers,
            body: BodyFields {
                text: &request.body,
                json: &request.json,
                file: &request.body_file,
                base64: &request.body_base64,
            },
            grpc: request.grpc.0.as_ref(),
            expect: &request.expect,
        }
    }
}

impl<'a> From<&'a ActionRequestDocument> for RequestFields<'a> {
    fn from(request: &'a ActionRequestDocument) -> Self {
        Self {
            name: &request.name,
            method: &request.method,
            path: &request.path,
            headers: &request.headers,
            body: BodyFields {
                text: &request.body,
                json: &request.json,
                file: &request.body_file,
                base64: &request.body_base64,
            },
            grpc: None,
            expect: &request.expect,
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
