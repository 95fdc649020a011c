//! Conditions, as they are written in a plan.

use crate::notation::written::{At, Field, Given, Written};
use crate::plan::condition::{NumberText, Relation};
use schemars::JsonSchema;
use serde::Deserialize;

/// Something that is so or not: a `value` compares with another one, or what `all`, `any` or `not` says.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "condition", extend("minProperties" = 1, "maxProperties" = 2))]
pub(crate) struct ConditionDocument {
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
}

/// What a condition consists of, wherever it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConditionFields<'a> {
    pub(crate) value: &'a Field<String>,
    pub(crate) compared: ComparisonFields<'a>,
    pub(crate) all: &'a Given<At<Vec<At<ConditionDocument>>>>,
    pub(crate) any: &'a Given<At<Vec<At<ConditionDocument>>>>,
    pub(crate) not: &'a Given<Box<At<ConditionDocument>>>,
}

/// What a comparison consists of, wherever it is written: one of these, in the order of [`Relation::ALL`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComparisonFields<'a> {
    /// `is` and `is not`.
    pub(crate) texts: [&'a Field<String>; 2],
    /// `below`, `at most`, `at least` and `above`.
    pub(crate) numbers: [&'a Field<NumberText>; 4],
}

impl ComparisonFields<'_> {
    /// Those that are given.
    pub(crate) fn given(self) -> impl Iterator<Item = (Relation, Written<String>)> {
        let texts = self.texts.map(|field| field.0.as_ref().map(Written::to_text));
        let numbers = self.numbers.map(|field| field.0.as_ref().map(Written::to_text));
        let fields = Relation::ALL.into_iter().zip(texts.into_iter().chain(numbers));
        fields.filter_map(|(relation, written)| Some((relation, written?)))
    }
}

impl<'a> From<&'a ConditionDocument> for ConditionFields<'a> {
    fn from(condition: &'a ConditionDocument) -> Self {
        let ConditionDocument {
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
        } = condition;
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
