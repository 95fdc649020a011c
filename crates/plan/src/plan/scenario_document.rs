//! What is sent, as it is written in a plan.

use crate::notation::json::Json;
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, Written};
use crate::plan::grpc::GrpcStatus;
use crate::plan::request::{Method, StatusRange};
use crate::plan::url::Url;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

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
        Self {
            name: &request.name,
            method: &request.method,
            path: &request.path,
            headers: &request.headers,
            body: &request.body,
            json: &request.json,
            body_file: &request.body_file,
            body_base64: &request.body_base64,
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
            body: &request.body,
            json: &request.json,
            body_file: &request.body_file,
            body_base64: &request.body_base64,
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
