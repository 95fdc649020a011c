//! What has to be so for steps to be done, whatever the tool.

use crate::text::{Text, Values};
use plimsoll_plan::{Relation, is_number};

/// What has to be so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Holds {
    /// It is so in any case.
    Always,
    /// It never is.
    Never,
    /// A text compares so with another one. There is a variable in at least one of them.
    Compared(Text, Relation, Text),
    /// All of these, at least two.
    All(Vec<Holds>),
    /// One of these, at least two.
    Any(Vec<Holds>),
    Not(Box<Holds>),
}

impl Holds {
    /// A comparison, decided where nothing in it can change.
    pub(crate) fn compared(left: Text, relation: Relation, right: Text) -> Self {
        let is_none = |text: &Text| text.as_literal().is_some_and(|text| !is_number(text.as_bytes()));
        if relation.is_of_numbers() && (is_none(&left) || is_none(&right)) {
            return Self::Never;
        }
        match (left.as_literal(), right.as_literal()) {
            (Some(found), Some(with)) => Self::decided(relation.holds(found.as_bytes(), with.as_bytes())),
            // What changes comes first in a plan.
            (Some(_), None) => Self::Compared(right, turned(relation), left),
            _ => Self::Compared(left, relation, right),
        }
    }

    pub(crate) const fn decided(is_so: bool) -> Self {
        if is_so { Self::Always } else { Self::Never }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, rest) | (rest, Self::Always) => rest,
            (Self::All(mut all), other) => {
                all.push(other);
                Self::All(all)
            }
            (one, other) => Self::All(vec![one, other]),
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, rest) | (rest, Self::Never) => rest,
            (Self::Any(mut any), other) => {
                any.push(other);
                Self::Any(any)
            }
            (one, other) => Self::Any(vec![one, other]),
        }
    }

    /// That it is not so. What is no number is neither below a bound nor at or above it, so these are not turned around.
    pub(crate) fn not(self) -> Self {
        match self {
            Self::Always => Self::Never,
            Self::Never => Self::Always,
            Self::Compared(left, Relation::Is, right) => Self::Compared(left, Relation::IsNot, right),
            Self::Compared(left, Relation::IsNot, right) => Self::Compared(left, Relation::Is, right),
            Self::Not(one) => *one,
            other => Self::Not(Box::new(other)),
        }
    }

    /// How many comparisons are in it.
    pub(crate) fn comparisons(&self) -> usize {
        match self {
            Self::Always | Self::Never => 0,
            Self::Compared(..) => 1,
            Self::All(several) | Self::Any(several) => several.iter().map(Self::comparisons).sum(),
            Self::Not(one) => one.comparisons(),
        }
    }

    /// Names of the variables in it.
    pub(crate) fn variables(&self) -> Vec<&str> {
        match self {
            Self::Always | Self::Never => Vec::new(),
            Self::Compared(left, _, right) => left.variables().chain(right.variables()).collect(),
            Self::All(several) | Self::Any(several) => several.iter().flat_map(Self::variables).collect(),
            Self::Not(one) => one.variables(),
        }
    }

    /// Has `change` change each of its texts.
    pub(crate) fn each_text(&mut self, change: &mut dyn FnMut(&Text) -> Text) {
        match self {
            Self::Always | Self::Never => {}
            Self::Compared(left, _, right) => {
                *left = change(left);
                *right = change(right);
            }
            Self::All(several) | Self::Any(several) => several.iter_mut().for_each(|one| one.each_text(change)),
            Self::Not(one) => one.each_text(change),
        }
    }

    /// The same with these values for their variables, decided where nothing else is in it.
    pub(crate) fn with(self, values: &Values) -> Self {
        match self {
            Self::Compared(left, relation, right) => {
                Self::compared(left.resolved(values), relation, right.resolved(values))
            }
            Self::All(all) => all
                .into_iter()
                .map(|one| one.with(values))
                .fold(Self::Always, Self::and),
            Self::Any(any) => any.into_iter().map(|one| one.with(values)).fold(Self::Never, Self::or),
            Self::Not(one) => one.with(values).not(),
            decided => decided,
        }
    }

    /// Whether it is so for one who has none of the values that `is_known` does not know: what nobody has is no value that is asked for, and no number.
    /// `None` where it depends on one that is known.
    pub(crate) fn without(&self, is_known: &impl Fn(&str) -> bool) -> Option<bool> {
        let decided = |several: &[Self], ends: bool| {
            let several: Option<Vec<bool>> = several.iter().map(|one| one.without(is_known)).collect();
            several.map(|several| several.contains(&ends) == ends)
        };
        match self {
            Self::Always => Some(true),
            Self::Never => Some(false),
            Self::Compared(left, relation, right) => {
                let mut variables = left.variables().chain(right.variables());
                variables
                    .any(|name| !is_known(name))
                    .then_some(*relation == Relation::IsNot)
            }
            Self::All(several) => decided(several, false),
            Self::Any(several) => decided(several, true),
            Self::Not(one) => one.without(is_known).map(|is_so| !is_so),
        }
    }
}

/// The relation of the right one to the left one.
const fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Is => Relation::Is,
        Relation::IsNot => Relation::IsNot,
        Relation::Below => Relation::Above,
        Relation::AtMost => Relation::AtLeast,
        Relation::AtLeast => Relation::AtMost,
        Relation::Above => Relation::Below,
    }
}
