//! Where the values of a variable come from, as it is written in a plan.

use crate::notation::written::{At, Field, Given, Written};
use crate::plan::now::{Offset, TimeFormat};
use crate::plan::table::RowOrder;
use crate::plan::variable::UuidKind;
use schemars::JsonSchema;
use serde::Deserialize;

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
