//! What a user takes from a response and keeps, and what makes the response correct.

use crate::plan::condition::Comparison;
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
        /// Whether it is the list of what every match has there.
        all: bool,
    },
}

impl TakeFrom {
    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        match self {
            Self::Json(path) => path.is_of_several(),
            Self::Regex { all, .. } => *all,
            Self::Header(_) | Self::Cookie(_) | Self::Between { .. } => false,
        }
    }
}

/// What makes a response correct besides its status.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// There is a value in a body that is JSON, which compares so where that matters.
    Json(JsonPath, Option<Comparison>),
    /// There is a header of this name, and the value of the first compares so where that matters.
    Header(String, Option<Comparison>),
    /// The body contains this text.
    Body(Template),
    /// The body does not contain this text.
    Lacks(Template),
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

impl Check {
    /// The text that it is about, if it is about one.
    pub(crate) fn text(&self) -> Option<&Template> {
        match self {
            Self::Json(_, expected) | Self::Header(_, expected) => expected.as_ref().map(|expected| &expected.with),
            Self::Body(text) | Self::Lacks(text) => Some(text),
            Self::Matches(_) | Self::Time(_) | Self::Size { .. } => None,
        }
    }
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
