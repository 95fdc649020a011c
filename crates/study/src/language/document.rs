//! The two files of a study as they are written: every key, and how its value is written. Their JSON Schemas are made
//! from these types.

use crate::language::Direction;
use plimsoll_plan::Stdout;
use plimsoll_plan::notation::{
    At, Decimal, Entries, Field, Given, Mismatch, Notation, OneOrMany, Rate, Share, Written, keyword,
};
use schemars::{JsonSchema, Schema, json_schema};
use serde::Deserialize;
use std::time::Duration;

/// What is measured of a published case, and how it is compared with the published results.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "study", extend("required" = ["title", "question", "measurements", "effects"]))]
pub(crate) struct StudyDocument {
    /// What it is about, in a few words. Required.
    pub(crate) title: Field<String>,
    /// What it asks, one sentence. Required.
    pub(crate) question: Field<String>,
    /// What differs between the published case and here, a sentence each.
    pub(crate) differs: Given<At<Vec<Written<String>>>>,
    /// How large it is measured, where that can be chosen: what `--size` replaces. Its programs find it in `STUDY_SIZE`.
    pub(crate) size: Given<At<SizeDocument>>,
    /// How long a service takes to start and to stop, about, together. Default 900ms.
    pub(crate) starting: Field<Duration>,
    /// Run first, in the root of the checkout: gets ready what the study needs, and is quick where nothing is missing.
    pub(crate) prepare: Given<OneOrMany<String>>,
    /// Runs beside all that is measured, in the root of the checkout. When it is ready, it prints one line, a JSON object
    /// of environment variables for the services. On SIGTERM it ends, with all that it started.
    pub(crate) beside: Given<OneOrMany<String>>,
    /// What is measured, in this order. Required.
    pub(crate) measurements: Given<At<Entries<At<MeasurementDocument>>>>,
    /// What is looked for in it. Required.
    pub(crate) effects: Given<At<Entries<At<EffectDocument>>>>,
}

/// How large a study is measured.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "study_size", extend("required" = ["of", "default"]))]
pub(crate) struct SizeDocument {
    /// What is counted, such as clients. Required.
    pub(crate) of: Field<String>,
    /// Measured unless `--size` says otherwise. Required.
    pub(crate) default: Field<u32>,
}

/// One thing that is measured.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "measurement", extend("required" = ["kind"]))]
pub(crate) struct MeasurementDocument {
    /// Which command of plimsoll measures it, or `command` for a program of the study. Required.
    pub(crate) kind: Field<KindWord>,
    /// The plan, relative to the directory of the study.
    pub(crate) plan: Field<String>,
    /// Added to the environment of the plan's command.
    pub(crate) env: Given<At<Entries<Written<String>>>>,
    /// Started instead of the plan's command; with the kind `command`, what is run in the root of the checkout.
    pub(crate) command: Given<OneOrMany<String>>,
    /// Where the output of the plan's command goes.
    pub(crate) stdout: Field<Stdout>,
    /// Compare: the variants, each compared with the first. What one leaves out is taken from the measurement.
    pub(crate) variants: Given<At<Entries<At<VariantDocument>>>>,
    /// Compare, run: the rate of an open load.
    pub(crate) rate: Field<Rate>,
    /// Compare, run: the connections of a closed load. Scale: those of each round, where sizes are something else.
    pub(crate) connections: Field<u32>,
    /// Run: the measurement whose load line is offered …
    pub(crate) of_line: Field<String>,
    /// … this many times.
    pub(crate) times: Field<Number>,
    /// Compare, scale: rounds of each variant or size. Default 6, of searches 4; of sizes 3.
    pub(crate) rounds: Field<u32>,
    /// Judged part of each round. Default 4s; of sizes 3s; of a run 10s.
    pub(crate) duration: Field<Duration>,
    /// What comes before it. Default 2s; of sizes 1s.
    pub(crate) warm_up: Field<Duration>,
    /// Scale: at least four. Default 1, 2, 4, 8, 16, 32, 64.
    pub(crate) sizes: Given<At<Vec<Written<u32>>>>,
    /// Scale: the variable that holds the size. Default: sizes are connections.
    pub(crate) size_env: Field<String>,
    /// Capacity, and compare without a load: a search ends after this long. Default 60s.
    pub(crate) budget: Field<Duration>,
    /// Command: how long it takes, about. Default 10s.
    pub(crate) takes: Field<Duration>,
}

/// One of the things that are compared.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "study_variant")]
pub(crate) struct VariantDocument {
    /// Its plan, relative to the directory of the study.
    pub(crate) plan: Field<String>,
    /// Added to the environment of the plan's command.
    pub(crate) env: Given<At<Entries<Written<String>>>>,
    /// Started instead of the plan's command.
    pub(crate) command: Given<OneOrMany<String>>,
    /// Where the output of that goes.
    pub(crate) stdout: Field<Stdout>,
}

/// A published effect, and its value here.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "effect", extend("required" = ["here"]))]
pub(crate) struct EffectDocument {
    /// Its key in `published.json`. Without one it is shown and not judged.
    pub(crate) published: Field<String>,
    /// Its value here. A figure of a comparison is already a ratio to the first variant. Required.
    pub(crate) here: Given<At<ValueDocument>>,
    /// What `here` is divided by.
    pub(crate) against: Given<At<ValueDocument>>,
    /// The ratio here stands for this many equal steps, of which one was published. Default 1.
    pub(crate) steps: Field<u32>,
    /// Smallest effect that counts as reproduced, as a share of the published one. Default 50%; 0% asks for its
    /// direction alone.
    pub(crate) least: Field<Share>,
    /// Where the published ratio is 1: how much more or less it may be here. Default 25%.
    pub(crate) within: Field<Share>,
}

/// A figure of a measurement.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "value", extend("required" = ["of", "figure"]))]
pub(crate) struct ValueDocument {
    /// Name of the measurement. Required.
    pub(crate) of: Field<String>,
    /// Which figure; of a command, one that it prints. Required.
    pub(crate) figure: Field<String>,
    /// Compare: which variant. Default: the second of two.
    pub(crate) variant: Field<String>,
    /// Scale: at which size, for what is measured at a size.
    pub(crate) size: Field<u32>,
}

/// What was published.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "published", extend("required" = ["source", "figures"]))]
pub(crate) struct PublishedDocument {
    /// Where, a sentence each: author, title, place, date, address. Required.
    pub(crate) source: Given<At<Vec<Written<String>>>>,
    /// Every figure under a key of its own. Required.
    pub(crate) figures: Given<At<Entries<At<FigureDocument>>>>,
}

/// A published figure: `from` and `to`, `ratio`, `direction`, `at_least` or `at_most`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "figure", extend("required" = ["what"]))]
pub(crate) struct FigureDocument {
    /// What it is, in words and with its unit. Required.
    pub(crate) what: Field<String>,
    /// The figure that the other is divided by.
    pub(crate) from: Field<Number>,
    /// The figure that is divided.
    pub(crate) to: Field<Number>,
    /// A ratio that was published as such.
    pub(crate) ratio: Field<Number>,
    /// Which way it went, where no figure was published.
    pub(crate) direction: Field<Direction>,
    /// Lower limit.
    pub(crate) at_least: Field<Number>,
    /// Upper limit.
    pub(crate) at_most: Field<Number>,
}

/// Which kind of measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindWord {
    Compare,
    Scale,
    Capacity,
    Run,
    Command,
}

impl Notation for KindWord {
    const EXPECTED: &'static str = "`compare`, `scale`, `capacity`, `run` or `command`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let words = [
            ("compare", Self::Compare),
            ("scale", Self::Scale),
            ("capacity", Self::Capacity),
            ("run", Self::Run),
            ("command", Self::Command),
        ];
        keyword(text, &words)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["compare", "scale", "capacity", "run", "command"] })
    }
}

impl Notation for Direction {
    const EXPECTED: &'static str = "`more` or `less`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &[("more", Self::More), ("less", Self::Less)])
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["more", "less"] })
    }
}

/// A number above zero, such as `0.9` or `1250`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

impl Notation for Number {
    const EXPECTED: &'static str = "a number above zero, such as 0.9 or 1250";

    fn read(text: &str) -> Result<Self, Mismatch> {
        match Decimal::split_from(text) {
            Some((decimal, "")) if decimal.mantissa > 0 => text.parse().map(Self).map_err(|_| Self::mismatch(text)),
            _ => Err(Self::mismatch(text)),
        }
    }

    fn schema() -> Schema {
        json_schema!({ "type": "number", "exclusiveMinimum": 0 })
    }
}
