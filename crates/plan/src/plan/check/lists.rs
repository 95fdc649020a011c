//! The rules about lists that users take: a name is a list everywhere or nowhere, and rounds are for each value of one.

use super::{Checked, flaw};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::action::{Action, Each, EachOf, RoundsBy};
use crate::plan::scenario::Scenario;
use crate::plan::variable::{Values, Variable};
use crate::secrets::{REDACTED, Secret};
use std::collections::HashMap;

pub(super) fn check_lists(scenario: &Scenario) -> Checked {
    let mut kept = Kept {
        variables: &scenario.variables,
        lists: HashMap::new(),
        gone_through: Vec::new(),
    };
    kept.actions("scenario.before", &scenario.before)?;
    for (index, journey) in scenario.journeys.iter().enumerate() {
        kept.actions(&format!("scenario.journeys[{index}].actions"), &journey.actions)?;
    }
    kept.actions("scenario.after", &scenario.after)?;
    kept.gone_through
        .iter()
        .try_for_each(|(key, list)| kept.check(key, *list))
}

/// What users keep.
struct Kept<'s> {
    variables: &'s [Variable],
    /// Whether it is a list, by the place of the variable.
    lists: HashMap<usize, bool>,
    /// Where there are rounds for each value of which variable.
    gone_through: Vec<(String, usize)>,
}

impl Kept<'_> {
    fn actions(&mut self, key: &str, actions: &[Action]) -> Checked {
        for (index, action) in actions.iter().enumerate() {
            let key = format!("{key}[{index}]");
            match action {
                Action::Request(request) => {
                    for take in &request.takes {
                        let key = format!("{key}.request.take.{}", self.name(take.variable));
                        self.keep(&key, take.variable, take.from.is_list())?;
                    }
                }
                Action::Set(sets) => {
                    for set in sets {
                        self.keep(&format!("{key}.set.{}", self.name(set.variable)), set.variable, false)?;
                    }
                }
                Action::Rounds(rounds) => {
                    if let RoundsBy::Each(Each { variable, of }) = &rounds.by {
                        let key = format!("{key}.repeat.for each");
                        self.keep(&key, *variable, false)?;
                        if let EachOf::Variable(list) = of {
                            self.gone_through
                                .push((format!("{key}.{}", self.name(*variable)), *list));
                        }
                    }
                    if let Some(count) = rounds.count {
                        self.keep(&format!("{key}.repeat.count"), count.variable, false)?;
                    }
                }
                Action::Send(_)
                | Action::Pause(_)
                | Action::Repeat(_)
                | Action::Chance(_)
                | Action::When(_)
                | Action::Once(_) => {}
            }
            self.actions(&format!("{key}.{}.actions", action.word()), action.inner())?;
        }
        Ok(())
    }

    fn name(&self, variable: usize) -> &str {
        self.variables.get(variable).map_or("", |variable| &variable.name)
    }

    fn keep(&mut self, key: &str, variable: usize, is_list: bool) -> Checked {
        if *self.lists.entry(variable).or_insert(is_list) == is_list {
            return Ok(());
        }
        let (this, other) = match is_list {
            true => ("a list", "one value"),
            false => ("one value", "a list"),
        };
        let found = format!("{}, {this} here and {other} elsewhere", quoted(self.name(variable)));
        flaw(key, Mismatch::new(found, "a name of its own for each").plain())
    }

    /// Whether there can be a round for each value of a variable.
    fn check(&self, key: &str, list: usize) -> Checked {
        let is_list = match self.variables.get(list).map(|variable| &variable.values) {
            Some(Values::Kept { in_json: false }) => self.lists.get(&list).copied().unwrap_or_default(),
            Some(Values::List(values)) => values.iter().all(is_list),
            _ => false,
        };
        if is_list {
            return Ok(());
        }
        let found = format!("{}, which is no list", quoted(self.name(list)));
        let expected = "what is taken by a path with `[*]`, or by a `regex` with `all: true`";
        let mismatch = Mismatch::new(found, expected).plain();
        flaw(key, mismatch.hint("or write the list here, such as [red, blue]"))
    }
}

/// Whether a text is a list in JSON, as is what was taken before the load. Of what is redacted nobody knows.
fn is_list(text: &Secret) -> bool {
    text.reveal() == REDACTED || serde_json::from_str::<Vec<serde::de::IgnoredAny>>(text.reveal()).is_ok()
}
