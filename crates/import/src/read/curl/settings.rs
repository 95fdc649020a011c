//! What a script sets: which variables, and where that does not take the place of what they have.

use super::printed::Printed;
use super::script::{Script, is_argument};
use super::variables::{Manner, Setting, Value, is_name, setting};
use crate::error::ImportError;
use crate::left_out::Place;
use crate::read::shell::{Expansion, Word};
use crate::text::Text;

/// Words in front of variables that are set.
const SETTING: [&str; 5] = ["export", "local", "readonly", "declare", "typeset"];

/// How much is known of the value of a variable. What is set on a condition does not take the place of one of which more is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Unknown,
    /// It stands in the script.
    Written,
    /// It is taken out of a response.
    Taken,
}

impl Script {
    /// Keeps what `NAME=value` sets, and gives the words behind it. In front of a command it is for that command alone.
    pub(super) fn set_variables<'w>(
        &mut self,
        words: &'w [Word],
        manner: Manner,
        place: &Place,
    ) -> Result<&'w [Word], ImportError> {
        let first = words.first().and_then(|word| word.text.as_literal());
        if let Some(first) = first.filter(|word| SETTING.contains(word)) {
            let manner = match first {
                "local" | "declare" | "typeset" if self.depth > 0 => Manner::Local,
                _ => manner,
            };
            for word in &words[1..] {
                match word.text.as_literal() {
                    // A name alone has its value from elsewhere.
                    Some(name) if manner == Manner::Local && is_name(name) => self.variables.localize(name),
                    _ => self.set_variable(word, manner, place)?,
                }
            }
            return Ok(&[]);
        }
        let (set, behind) = words.split_at(words.iter().take_while(|word| setting(word).is_some()).count());
        let scopes = self.variables.open_scopes();
        if !behind.is_empty() && !set.is_empty() {
            self.variables.open(true);
        }
        for word in set {
            self.set_variable(word, manner, place)?;
        }
        self.variables.close(scopes);
        Ok(behind)
    }

    fn set_variable(&mut self, word: &Word, manner: Manner, place: &Place) -> Result<(), ImportError> {
        let Some(setting) = setting(word) else {
            return Ok(());
        };
        match &word.list {
            Some(list) => self.set_list(&setting, list, manner, place),
            None => self.set(&setting, manner, place),
        }
    }

    fn set_list(&mut self, setting: &Setting, list: &[Word], manner: Manner, place: &Place) -> Result<(), ImportError> {
        self.ask_inside(list.iter().map(|word| &word.text), place)?;
        let words = self.variables.words(list, &mut self.journeys.values);
        let words = words.into_iter().map(|word| word.text).collect();
        if manner == Manner::Local {
            self.variables.localize(&setting.name);
        }
        if !setting.is_more {
            return self.keep(&setting.name, Value::List(words), manner, place);
        }
        let was_set = self.variables.get(&setting.name).is_some();
        self.variables.add(&setting.name, words)?;
        if was_set && self.is_on_condition(manner) {
            self.variables.doubt(&setting.name, place, true);
        }
        Ok(())
    }

    fn set(&mut self, setting: &Setting, manner: Manner, place: &Place) -> Result<(), ImportError> {
        let (name, written) = (setting.name.as_str(), &setting.value);
        let inner = written
            .as_variable()
            .and_then(|variable| match self.variables.expansions.get(variable) {
                Some(Expansion::Commands(commands)) => Some(commands.clone()),
                _ => None,
            });
        let printed = match &inner {
            Some(commands) => self.inside(commands)?,
            None => {
                self.ask_inside([written], place)?;
                self.printed_text(written)
            }
        };
        let value = match printed {
            Printed::Response(_) | Printed::Lined(_) => Value::Printed(printed),
            Printed::Part(of, from) => {
                let variable = self.variables.named(name, Text::variable(name));
                self.take(of, from, variable.clone(), place);
                Value::Text(Text::variable(variable))
            }
            // What a command prints has to be given under the name that the script has for it.
            Printed::Matches(..) | Printed::Other if inner.is_some() => {
                let given = self.variables.text(written, &mut self.journeys.values);
                let variable = self.variables.named(name, given);
                self.variables.outputs.insert(variable.clone());
                Value::Text(Text::variable(variable))
            }
            Printed::Matches(..) | Printed::Other => {
                let mut value = Text::default();
                if setting.is_more {
                    self.variables.use_of(name);
                    if let Some(Value::Text(before)) = self.variables.get(name) {
                        value = before.clone();
                    }
                }
                value.append(&self.variables.text(written, &mut self.journeys.values));
                let is_argument = !self.is_in_function() && value.as_variable().is_some_and(is_argument);
                Value::Text(match is_argument {
                    true => {
                        let given = self.variables.named(name, value);
                        self.variables.arguments.insert(given.clone());
                        Text::variable(given)
                    }
                    false => value,
                })
            }
        };
        if manner == Manner::Local {
            self.variables.localize(name);
        }
        self.keep(name, value, manner, place)
    }

    /// Has a variable this value from here on. What is set on a condition does not take the place of a value of which more is known;
    /// where both are the script's own, one of them is lost.
    fn keep(&mut self, name: &str, value: Value, manner: Manner, place: &Place) -> Result<(), ImportError> {
        let is_set = self.replaces(name, &value, manner);
        // Nothing in the place of what commands print is for where they fail.
        let is_other = |before: &Value| {
            let is_failure = is_nothing(&value) && self.known(before) != Known::Written;
            *before != value && !self.is_from_outside(before) && !is_failure
        };
        let is_in_doubt = self.is_on_condition(manner)
            && !self.is_from_outside(&value)
            && self.variables.get(name).is_some_and(is_other);
        if is_set {
            self.variables.set(name.to_owned(), value)?;
        }
        if is_in_doubt {
            self.variables.doubt(name, place, is_set);
        }
        Ok(())
    }

    /// Whether a value is not known here at all, and is nothing that a command prints.
    fn is_from_outside(&self, value: &Value) -> bool {
        let Value::Text(text) = value else { return false };
        let variable = text
            .as_variable()
            .filter(|name| !self.variables.outputs.contains(*name));
        variable.is_some() && self.known(value) == Known::Unknown
    }

    /// Has a variable be without a value that is known here.
    pub(super) fn forget(&mut self, name: &str, manner: Manner) {
        if self.replaces(name, &Value::Text(Text::variable(name)), manner) {
            self.variables.unset(name);
        }
    }

    /// Whether a variable has this value from here on.
    fn replaces(&self, name: &str, value: &Value, manner: Manner) -> bool {
        let is_given = matches!(value, Value::Text(text) if text.variables().any(is_argument));
        let is_certain = !(self.is_on_condition(manner) || is_given && self.is_in_function());
        let before = self.variables.get(name);
        let is_better = |before| !is_nothing(value) && self.known(before) <= self.known(value);
        is_certain || before.is_none_or(is_better)
    }

    /// How much is known of a value.
    fn known(&self, value: &Value) -> Known {
        let Value::Text(text) = value else {
            return match value {
                Value::Printed(_) => Known::Taken,
                _ => Known::Written,
            };
        };
        let mut names = text.variables();
        match text.variables().any(|name| self.taken.contains(name)) {
            true => Known::Taken,
            false if !text.is_empty() && names.all(|name| self.journeys.values.contains_key(name)) => Known::Written,
            false => Known::Unknown,
        }
    }

    /// Whether a variable is set here in some cases alone.
    fn is_on_condition(&self, manner: Manner) -> bool {
        let is_condition = |word: &str| matches!(word, "if" | "case");
        manner == Manner::Optional || self.around.iter().any(|(word, _)| is_condition(word))
    }
}

/// Whether a variable is set to an empty text.
fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.is_empty())
}
