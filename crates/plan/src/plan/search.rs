//! The bounds of the capacity search, and what it is a search for.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::{Level, Rate, Share};
use crate::notation::{Notation, keyword};
use schemars::{Schema, json_schema};
use std::time::Duration;

/// Bounds of the capacity search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// What is searched.
    pub unit: SearchUnit,
    /// What the first step offers.
    pub start: Level,
    /// The search never offers more.
    pub max: Level,
    /// Wanted width of the bracket, as a share of the load line.
    pub bracket: Share,
    /// The search ends after this long, whatever it knows by then.
    pub budget: Duration,
    /// Length of one judged step.
    pub step: Duration,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            unit: SearchUnit::default(),
            start: Level::whole(100),
            max: Level::whole(1_000_000),
            bracket: Share::percent(5),
            budget: Duration::from_secs(90),
            step: Duration::from_secs(5),
        }
    }
}

impl Search {
    /// The same in this unit. Bounds in another one say nothing of it.
    #[must_use]
    pub fn in_unit(self, unit: SearchUnit) -> Self {
        if unit == self.unit {
            return self;
        }
        let Self { start, max, .. } = Self::default();
        Self {
            unit,
            start,
            max,
            ..self
        }
    }
}

/// What a search finds the greatest one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchUnit {
    /// Arrivals per second: open model.
    #[default]
    Rate,
    /// Users at a time: closed model.
    Users,
    /// Connections that are held.
    Connections,
}

const UNITS: [(&str, SearchUnit); 3] = [
    ("rate", SearchUnit::Rate),
    ("users", SearchUnit::Users),
    ("connections", SearchUnit::Connections),
];

impl SearchUnit {
    /// As in a plan.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Users => "users",
            Self::Connections => "connections",
        }
    }

    /// The least distance between two levels.
    #[must_use]
    pub const fn grain(self) -> Level {
        match self {
            Self::Rate => Level::from_micro(1),
            Self::Users | Self::Connections => Level::whole(1),
        }
    }

    /// A level in this unit, as it is written.
    #[must_use]
    pub fn text(self, level: Level) -> String {
        match self {
            Self::Rate => level.rate().to_string(),
            Self::Users | Self::Connections => level.number().to_string(),
        }
    }

    /// An amount as a level of this unit.
    ///
    /// # Errors
    /// When it is an amount of something else.
    pub fn level(self, amount: Amount) -> Result<Level, Mismatch> {
        let is_whole = amount.level.micro().is_multiple_of(1_000_000);
        match self {
            Self::Users | Self::Connections if amount.is_rate || !is_whole => {
                let found = match amount.is_rate {
                    true => Self::Rate.text(amount.level),
                    false => amount.level.as_f64().to_string(),
                };
                Err(Mismatch::new(
                    quoted(&found),
                    format!("a number of {}, as these are searched", self.as_str()),
                ))
            }
            Self::Rate | Self::Users | Self::Connections => Ok(amount.level),
        }
    }
}

impl std::str::FromStr for SearchUnit {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for SearchUnit {
    const EXPECTED: &'static str = "`rate`, `users` or `connections`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &UNITS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["rate", "users", "connections"] })
    }
}

/// How much of what is searched, as it is written: `100/s`, or `100` of whatever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    level: Level,
    /// A rate is written out.
    is_rate: bool,
}

impl std::str::FromStr for Amount {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Amount {
    const EXPECTED: &'static str = "a rate such as 1000/s, or a number of users or connections";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let rate = Rate::read(text).map_err(|mismatch| match text.contains('/') {
            true => mismatch,
            false => Self::mismatch(text),
        })?;
        Ok(Self {
            level: rate.into(),
            is_rate: text.contains('/'),
        })
    }

    fn schema() -> Schema {
        Rate::schema()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn a_search_in_users_reads_back() {
        let text = "target: http://127.0.0.1/\nsearch: { in: users, start: 12, max: 3k }\n";
        let plan = Plan::parse(text, "plan.yaml").expect("a plan");
        let saved = Plan::parse_saved(&plan.to_json(), "plan.json").expect("what was saved");
        assert_eq!(saved.search(), plan.search());
        assert_eq!(
            (saved.search().start, saved.search().max),
            (Level::whole(12), Level::whole(3000))
        );
    }

    #[test]
    fn an_amount_is_a_level_of_its_own_unit_only() {
        let level = |unit: SearchUnit, text: &str| {
            let amount = Amount::read(text).map_err(|mismatch| mismatch.to_string())?;
            unit.level(amount).map_err(|mismatch| mismatch.to_string())
        };
        assert_eq!(level(SearchUnit::Rate, "2.5/s"), Ok(Level::from_micro(2_500_000)));
        assert_eq!(level(SearchUnit::Rate, "100"), Ok(Level::whole(100)));
        assert_eq!(level(SearchUnit::Users, "1k"), Ok(Level::whole(1000)));
        assert_eq!(level(SearchUnit::Connections, "20k"), Ok(Level::whole(20_000)));
        assert!(level(SearchUnit::Users, "100/s").is_err());
        assert!(level(SearchUnit::Connections, "100/s").is_err());
        assert!(level(SearchUnit::Users, "2.5").is_err());
        assert!(level(SearchUnit::Users, "many").is_err());
    }
}
