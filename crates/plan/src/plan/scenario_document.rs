//! What is sent, as it is written in a plan.

use crate::notation::json::Json;
use crate::notation::units::Share;
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, ShortOr, Written};
use crate::plan::action::{OnFailure, Receivers};
use crate::plan::condition::NumberText;
use crate::plan::condition_document::{ComparisonFields, ConditionDocument, ConditionFields};
use crate::plan::grpc::GrpcStatus;
use crate::plan::request::{Method, StatusRange, Transport};
use crate::plan::take_document::{CheckDocument, PauseDocument, TakeDocument};
use crate::plan::url::Url;
use crate::plan::variable_document::VariableDocument;
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
    /// Does actions where something is so. In a journey.
    pub(crate) when: Given<At<WhenDocument>>,
    /// Does actions on the first journey of a user alone, such as to log in. At the top of a journey.
    pub(crate) once: Given<At<OnceDocument>>,
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

/// Actions that a user does on its first journey alone. In the open model each user has one; in the closed model the others begin with what these have
/// taken, and with the cookies.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "once", extend("required" = ["actions"]))]
pub(crate) struct OnceDocument {
    /// What is done, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

/// Actions that are done where something is so: a `value` compares with another one, or what `all`, `any` or `not` says.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "when", extend("required" = ["actions"], "minProperties" = 2))]
pub(crate) struct WhenDocument {
    /// What is looked at, with one of the comparisons.
    pub(crate) value: Field<String>,
    /// The text that it has to be; `${name}` is replaced.
    pub(crate) is: Field<String>,
    /// The text that it must not be; `${name}` is replaced.
    #[serde(rename = "is not")]
    pub(crate) is_not: Field<String>,
    /// A number that it has to be below. It never is where it is no number.
    pub(crate) below: Field<NumberText>,
    /// The highest number that it may be. It never is where it is no number.
    #[serde(rename = "at most")]
    pub(crate) at_most: Field<NumberText>,
    /// The lowest number that it may be. It never is where it is no number.
    #[serde(rename = "at least")]
    pub(crate) at_least: Field<NumberText>,
    /// A number that it has to be above. It never is where it is no number.
    pub(crate) above: Field<NumberText>,
    /// Conditions that all have to be so.
    pub(crate) all: Given<At<Vec<At<ConditionDocument>>>>,
    /// Conditions of which at least one has to be so.
    pub(crate) any: Given<At<Vec<At<ConditionDocument>>>>,
    /// A condition that must not be so.
    pub(crate) not: Given<Box<At<ConditionDocument>>>,
    /// What is done then, in order. Required.
    pub(crate) actions: Given<At<Vec<At<ActionDocument>>>>,
}

impl<'a> From<&'a WhenDocument> for ConditionFields<'a> {
    fn from(when: &'a WhenDocument) -> Self {
        let WhenDocument {
            value,
            is,
            is_not,
            below,
            at_most,
            at_least,
            above,
            all,
            any,
            not,
            actions: _,
        } = when;
        Self {
            value,
            compared: ComparisonFields {
                texts: [is, is_not],
                numbers: [below, at_most, at_least, above],
            },
            all,
            any,
            not,
        }
    }
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
