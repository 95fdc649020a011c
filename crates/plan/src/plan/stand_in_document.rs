//! What responds in the place of a neighbour, as it is written in a plan.

use crate::notation::json::Json;
use crate::notation::units::Share;
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, ShortOr};
use crate::plan::limits::ByteSize;
use crate::plan::request::Method;
use crate::plan::scenario_document::BodyFields;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// A server of plimsoll's own in the place of an upstream, so that the service is measured without it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "stand_in", extend("required" = ["port", "responses"]))]
pub(crate) struct StandInDocument {
    /// Port of 127.0.0.1 on which it listens. Required.
    pub(crate) port: Field<u16>,
    /// What requests are given; the first one that fits. What fits none has status 404. Required.
    pub(crate) responses: Given<At<Vec<At<StandInResponseDocument>>>>,
}

/// What the requests to a stand-in are given.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "stand_in_response", extend("required" = ["response_time"]))]
pub(crate) struct StandInResponseDocument {
    /// For requests of this method. Default: any.
    pub(crate) method: Field<Method>,
    /// For requests of this path, whatever their query is; `*` at the end stands for anything. Default: all.
    pub(crate) path: Field<String>,
    /// From the end of the request to the beginning of the response: always as long, spread, or as in a run. Required.
    pub(crate) response_time: Given<ShortOr<Duration, ResponseTimeDocument>>,
    /// Default 200.
    pub(crate) status: Field<u16>,
    /// Header fields. A list sends one several times.
    pub(crate) headers: Given<At<Entries<OneOrMany<String>>>>,
    /// Body as text.
    pub(crate) body: Field<String>,
    /// Body as JSON, with `content-type: application/json` unless given.
    pub(crate) json: Given<At<Json>>,
    /// File with the body, relative to the directory of the plan.
    pub(crate) body_file: Field<String>,
    /// Body in base64.
    pub(crate) body_base64: Field<String>,
    /// A body of so many bytes that mean nothing: always as many, or `from` some `to` others.
    pub(crate) size: Given<ShortOr<ByteSize, BodySizeDocument>>,
    /// The share of the responses with status 503 and no body. Default 0%.
    pub(crate) errors: Field<Share>,
}

/// How response times are spread: between two of these evenly.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "response_time", extend("minProperties" = 1))]
pub(crate) struct ResponseTimeDocument {
    /// The shortest. Default 0s.
    pub(crate) from: Field<Duration>,
    /// Half of the responses take at most so long.
    pub(crate) p50: Field<Duration>,
    /// 75 % take at most so long.
    pub(crate) p75: Field<Duration>,
    /// 90 % take at most so long.
    pub(crate) p90: Field<Duration>,
    /// 95 % take at most so long.
    pub(crate) p95: Field<Duration>,
    /// 99 % take at most so long.
    pub(crate) p99: Field<Duration>,
    /// 99.9 % take at most so long.
    #[serde(rename = "p99.9")]
    pub(crate) p999: Field<Duration>,
    /// The longest. Required, unless there is a `run`.
    pub(crate) to: Field<Duration>,
    /// A run directory, relative to the directory of the plan: as response times were in it. Instead of all others.
    pub(crate) run: Field<String>,
    /// With `run`: the name of one of its requests. Default: all of them.
    pub(crate) request: Field<String>,
}

/// How long a body is, each time another length between two.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "body_size", extend("required" = ["from", "to"]))]
pub(crate) struct BodySizeDocument {
    /// The shortest. Required.
    pub(crate) from: Field<ByteSize>,
    /// The longest. Required.
    pub(crate) to: Field<ByteSize>,
}

impl<'a> From<&'a StandInResponseDocument> for BodyFields<'a> {
    fn from(response: &'a StandInResponseDocument) -> Self {
        Self {
            text: &response.body,
            json: &response.json,
            file: &response.body_file,
            base64: &response.body_base64,
        }
    }
}
