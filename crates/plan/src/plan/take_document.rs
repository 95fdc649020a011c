//! What users take from responses, check and wait for, as it is written in a plan.

use crate::notation::written::{At, Field, Given};
use crate::plan::condition::NumberText;
use crate::plan::condition_document::ComparisonFields;
use crate::plan::json_path::JsonPath;
use crate::plan::pattern::Pattern;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;

/// A pause of another length each time: between two, or by its mean.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "pause", extend("minProperties" = 1, "maxProperties" = 2))]
pub(crate) struct PauseDocument {
    /// The shortest; with `to`.
    pub(crate) from: Field<Duration>,
    /// The longest; with `from`.
    pub(crate) to: Field<Duration>,
    /// The mean, without `from` and `to`: of an exponential distribution, many short pauses and a few long ones, of which none is longer than ten
    /// times the mean.
    pub(crate) mean: Field<Duration>,
    /// With `mean`: of a normal distribution instead, with this standard deviation.
    pub(crate) deviation: Field<Duration>,
}

/// Where a value stands in a response, by one of its keys. Where there is none, the request has failed and the journey ends.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "take", extend("minProperties" = 1, "maxProperties" = 3))]
pub(crate) struct TakeDocument {
    /// Its path in a body that is JSON, such as `$.items[0].id`. With `[*]`, every element, it is a list.
    pub(crate) json: Field<JsonPath>,
    /// The header whose value it is.
    pub(crate) header: Field<String>,
    /// The cookie whose value it is, where the response sets it.
    pub(crate) cookie: Field<String>,
    /// The texts around it in the body.
    pub(crate) between: Given<At<BetweenDocument>>,
    /// A regular expression whose first match in the body has it.
    pub(crate) regex: Field<Pattern>,
    /// With `regex`: which group of the expression it is, 0 for all of the match. Default: the first group, or all where there is none.
    pub(crate) group: Field<u32>,
    /// With `regex`: `true` takes what every match has there, as a list, which may be empty. Default false.
    pub(crate) all: Field<bool>,
}

/// The texts around a value.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "between", extend("required" = ["after", "before"]))]
pub(crate) struct BetweenDocument {
    /// The text in front of it, where that occurs first. Required.
    pub(crate) after: Field<String>,
    /// The text behind it. Required.
    pub(crate) before: Field<String>,
}

/// What makes a response correct besides its status. Where it is not so, the request has failed, and the journey ends unless `on_failure` says
/// otherwise.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "check", extend("minProperties" = 1, "maxProperties" = 2))]
pub(crate) struct CheckDocument {
    /// The path of a value that there is in a body that is JSON, such as `$.state`; with a comparison such as `is` where it matters what it is.
    pub(crate) json: Field<JsonPath>,
    /// The name of a header that there is; with a comparison such as `is` where it matters what its value is.
    pub(crate) header: Field<String>,
    /// The text that the value is; `${name}` is replaced.
    pub(crate) is: Field<String>,
    /// A text that the value is not; `${name}` is replaced.
    #[serde(rename = "is not")]
    pub(crate) is_not: Field<String>,
    /// A number that the value is below. It never is where it is no number.
    pub(crate) below: Field<NumberText>,
    /// The highest number that the value may be. It never is where it is no number.
    #[serde(rename = "at most")]
    pub(crate) at_most: Field<NumberText>,
    /// The lowest number that the value may be. It never is where it is no number.
    #[serde(rename = "at least")]
    pub(crate) at_least: Field<NumberText>,
    /// A number that the value is above. It never is where it is no number.
    pub(crate) above: Field<NumberText>,
    /// A text that the body contains.
    pub(crate) body: Field<String>,
    /// A text that the body does not contain.
    pub(crate) lacks: Field<String>,
    /// A regular expression that has a match in the body.
    pub(crate) matches: Field<Pattern>,
    /// How long the body is.
    pub(crate) size: Given<At<SizeDocument>>,
    /// The longest response time, from when the request was due to the last byte.
    pub(crate) time: Field<Duration>,
}

impl<'a> From<&'a CheckDocument> for ComparisonFields<'a> {
    fn from(check: &'a CheckDocument) -> Self {
        Self {
            texts: [&check.is, &check.is_not],
            numbers: [&check.below, &check.at_most, &check.at_least, &check.above],
        }
    }
}

/// How long a body is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "size", extend("minProperties" = 1))]
pub(crate) struct SizeDocument {
    /// The fewest bytes. Default 0.
    #[serde(rename = "at least")]
    pub(crate) at_least: Field<u64>,
    /// The most bytes. Default: no limit.
    #[serde(rename = "at most")]
    pub(crate) at_most: Field<u64>,
}
