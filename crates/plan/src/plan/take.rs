//! What a user takes from a response and keeps, and what makes the response correct.

use crate::plan::json_path::JsonPath;
use crate::plan::pattern::Pattern;
use crate::plan::template::Template;
use crate::plan::variable::{Values, Variable};
use crate::secrets::Secret;
use std::time::Duration;

/// A value that a user takes from the response to a request and keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// Index into [`Scenario::variables`](crate::Scenario::variables). The variable behind it is the same value as it stands in a
    /// JSON string.
    pub variable: usize,
    /// Where it stands.
    pub from: TakeFrom,
}

/// Where a value stands in a response.
#[derive(Debug, Clone, PartialEq)]
pub enum TakeFrom {
    /// In a body that is JSON.
    Json(JsonPath),
    /// In the first header of this name.
    Header(String),
    /// The cookie of this name, as the response sets it.
    Cookie(String),
    /// In the body, between the first place of one text and the next place of another.
    Between {
        /// In front of it.
        after: Secret,
        /// Behind it.
        before: Secret,
    },
    /// In the body, where an expression matches first.
    Regex {
        /// The expression.
        pattern: Pattern,
        /// Which of its groups; `None` is the first one, or all of the match where there is none.
        group: Option<u32>,
    },
}

/// What makes a response correct besides its status.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// A value of a body that is JSON is this text.
    Json(JsonPath, Template),
    /// The first header of this name has this value.
    Header(String, Template),
    /// The body contains this text.
    Body(Template),
    /// The body has a match of this expression.
    Matches(Pattern),
    /// The response has come within this time of when its request was due.
    Time(Duration),
    /// The body has so many bytes.
    Size {
        /// The fewest.
        at_least: u64,
        /// The most.
        at_most: u64,
    },
}

/// The variables of a value with this name that users keep: as it was taken, and as it stands in a JSON string.
pub(crate) fn kept(name: &str) -> [Variable; 2] {
    [(name.to_owned(), false), (format!("{name}.json"), true)].map(|(name, in_json)| Variable {
        name,
        values: Values::Kept { in_json },
    })
}

/// The first of the two variables of a value that users keep, from either of them; `None` of a variable that is none.
pub(crate) fn kept_place(variables: &[Variable], index: usize) -> Option<usize> {
    match variables.get(index)?.values {
        Values::Kept { in_json } => Some(index - usize::from(in_json)),
        Values::Range { .. }
        | Values::List(_)
        | Values::Shuffled { .. }
        | Values::Random { .. }
        | Values::Uuid(_)
        | Values::Text { .. }
        | Values::Now(_)
        | Values::Column(_)
        | Values::Message => None,
    }
}
