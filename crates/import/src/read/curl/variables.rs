//! The variables of a script, and what each has at the moment.

mod changed;
mod had;
mod words;

use super::functions::Functions;
use super::printed::Printed;
use crate::error::ImportError;
use crate::left_out::Place;
use crate::read::shell::{DefaultText, Expansion, Expansions, Word};
use crate::secrets::{FreeNames, without_secrets};
use crate::text::{Piece, Text, Values};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes that values have in the words of all commands together.
const MOST_BYTES: usize = 64 << 20;
/// Most bytes of a word.
const MOST_WORD_BYTES: usize = 1 << 20;

/// What a variable has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Text),
    /// The words of `NAME=(…)`.
    List(Vec<Text>),
    /// The response to a request.
    Printed(Printed),
}

impl Value {
    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => bytes(text),
            Self::List(words) => words.iter().map(bytes).sum(),
            Self::Printed(_) => 0,
        }
    }
}

/// A value that a variable has, and where it may be another one.
#[derive(Debug, Clone)]
struct Held {
    value: Value,
    doubt: Option<Doubt>,
}

impl From<Value> for Held {
    fn from(value: Value) -> Self {
        Self { value, doubt: None }
    }
}

/// Where a variable is set to one of two values on a condition.
#[derive(Debug, Clone)]
pub(super) struct Doubt {
    pub(super) place: Place,
    /// Whether it has the value that it is set to there.
    pub(super) is_set: bool,
}

/// A word that a command is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) text: Text,
    /// Whether it is a value that is not known, and may be several words or none.
    pub(super) is_open: bool,
}

/// What gives variables back at its end: a subshell those that it sets, a function those of its own.
#[derive(Debug)]
struct Scope {
    is_subshell: bool,
    /// What variables had before.
    before: BTreeMap<String, Option<Held>>,
}

/// Variables, each with what it has at the moment.
#[derive(Debug, Default)]
pub(super) struct Variables {
    pub(super) expansions: Expansions,
    /// Which functions there are, since places stand for what they print.
    pub(super) functions: Functions,
    values: BTreeMap<String, Held>,
    /// Variables that were used while it was in doubt what they have.
    pub(super) doubts: Vec<(String, Doubt)>,
    /// What gives variables back, the innermost last.
    scopes: Vec<Scope>,
    /// Variables that are taken out of responses to the requests at these places, each all of one.
    pub(super) whole: BTreeMap<usize, String>,
    /// Names for what commands print that is not known here.
    pub(super) outputs: BTreeSet<String>,
    /// Changes of values that are not known here, by their variables: what each is called where it is listed, until it is.
    pub(super) changes: BTreeMap<String, Option<String>>,
    /// Names for what the script itself is called with, which it may not be.
    pub(super) arguments: BTreeSet<String>,
    /// Names under which requests have a value that is not in their texts, by the variable and what it has: a variable that
    /// is set again has another name from there on.
    names: BTreeMap<(String, Text), String>,
    free: FreeNames,
    bytes: usize,
    /// Whether values have been split into words that have quotes.
    has_quotes: bool,
}

/// How a variable is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Always,
    /// Where another command succeeds or fails.
    Optional,
    /// As one of a function's own.
    Local,
}

/// `NAME=value`, or `NAME+=value`.
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Text,
    pub(super) is_more: bool,
}

pub(super) fn setting(word: &Word) -> Option<Setting> {
    let (name, value) = word.text.split_once('=')?;
    let written = name.as_literal()?;
    let (name, is_more) = match written.strip_suffix('+') {
        Some(name) => (name, true),
        None => (written, false),
    };
    is_name(name).then(|| Setting {
        name: name.to_owned(),
        value,
        is_more,
    })
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Variables {
    /// Sets a variable; fails where values have become too large.
    pub(super) fn set(&mut self, name: String, value: Value) -> Result<(), ImportError> {
        self.count(value.bytes());
        self.keep(&name);
        self.values.insert(name, Held::from(value));
        self.check()
    }

    /// Begins what gives variables back.
    pub(super) fn open(&mut self, is_subshell: bool) {
        let before = BTreeMap::new();
        self.scopes.push(Scope { is_subshell, before });
    }

    /// How many have begun and not ended.
    pub(super) const fn open_scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Ends the innermost ones but for so many, and gives back what variables had before.
    pub(super) fn close(&mut self, but: usize) {
        while self.scopes.len() > but
            && let Some(scope) = self.scopes.pop()
        {
            for (name, value) in scope.before {
                match value {
                    Some(value) => self.values.insert(name, value),
                    None => self.values.remove(&name),
                };
            }
        }
    }

    /// Has a variable be one of the function's own, without a value.
    pub(super) fn localize(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut().filter(|scope| !scope.before.contains_key(name)) {
            scope.before.insert(name.to_owned(), self.values.remove(name));
        }
    }

    /// Keeps what a variable has, where it is to be given back.
    fn keep(&mut self, name: &str) {
        for scope in self.scopes.iter_mut().rev() {
            if scope.before.contains_key(name) {
                return;
            }
            if scope.is_subshell {
                let value = self.values.get(name).cloned();
                let size = value.as_ref().map_or(0, |held| held.value.bytes());
                scope.before.insert(name.to_owned(), value);
                self.count(size);
                return;
            }
        }
    }

    /// Adds words to a list; fails where values have become too large.
    pub(super) fn add(&mut self, name: &str, more: Vec<Text>) -> Result<(), ImportError> {
        self.count(more.iter().map(bytes).sum());
        self.keep(name);
        match self.values.get_mut(name).map(|held| &mut held.value) {
            Some(Value::List(words)) => words.extend(more),
            _ => {
                self.values.insert(name.to_owned(), Held::from(Value::List(more)));
            }
        }
        self.check()
    }

    const fn count(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).map(|held| &held.value)
    }

    /// Has a variable be in doubt until it is set again.
    pub(super) fn doubt(&mut self, name: &str, place: &Place, is_set: bool) {
        if let Some(held) = self.values.get_mut(name) {
            let place = place.clone();
            held.doubt = Some(Doubt { place, is_set });
        }
    }

    /// Keeps in mind that a variable is used, if it is in doubt.
    pub(super) fn use_of(&mut self, name: &str) {
        if let Some(doubt) = self.values.get_mut(name).and_then(|held| held.doubt.take()) {
            self.doubts.push((name.to_owned(), doubt));
        }
    }

    /// The name under which requests have what the variable `name` has.
    pub(super) fn named(&mut self, name: &str, value: Text) -> String {
        let free = &mut self.free;
        let known = self.names.entry((name.to_owned(), value));
        known.or_insert_with(|| free.free(name)).clone()
    }

    /// A text with what its variables have at the moment. What a plan must not have stays a variable, with its value in `secrets`.
    pub(super) fn text(&mut self, text: &Text, secrets: &mut Values) -> Text {
        let mut made = Text::default();
        let mut length = 0;
        for piece in text.pieces() {
            match piece {
                Piece::Variable(name) if length <= MOST_WORD_BYTES => {
                    let value = self.value(name, secrets);
                    length += bytes(&value);
                    made.append(&value);
                }
                other => made.push(other.clone()),
            }
        }
        made
    }

    /// Whether the text of a default is the value.
    pub(super) fn is_unset(&self, default: &DefaultText) -> bool {
        match self.get(&default.of) {
            None => true,
            Some(Value::Text(text)) => {
                let is_argument = text.as_variable().is_some_and(|name| self.arguments.contains(name));
                default.is_of_empty && (text.is_empty() || is_argument)
            }
            Some(Value::List(words)) => default.is_of_empty && words.is_empty(),
            Some(Value::Printed(_)) => false,
        }
    }

    /// Has a variable be without a value.
    pub(super) fn unset(&mut self, name: &str) {
        self.keep(name);
        self.values.remove(name);
    }

    fn value(&mut self, name: &str, secrets: &mut Values) -> Text {
        self.use_of(name);
        let text = match (self.get(name), self.expansions.get(name).cloned()) {
            (Some(Value::Text(text)), _) => text.clone(),
            (Some(Value::List(words)), _) => words.first().cloned().unwrap_or_default(),
            (Some(Value::Printed(printed)), _) => {
                let whole = printed.response_to().and_then(|of| self.whole.get(&of));
                return whole.map(Text::variable).unwrap_or_else(|| self.unknown(name));
            }
            (None, Some(Expansion::Default(default))) if self.is_unset(&default) => {
                let text = self.text(&default.text, secrets);
                return self.hidden(&default.of, &text, secrets);
            }
            (None, Some(Expansion::Default(default))) => return self.value(&default.of, secrets),
            (None, Some(Expansion::Commands(_))) => return self.unknown(name),
            (None, Some(Expansion::Changed(changed))) => return self.changed(name, &changed, secrets),
            (None, None) => match name.strip_suffix("[@]") {
                Some(name) => self.joined(name),
                None => return Text::variable(self.named(name, Text::variable(name))),
            },
        };
        self.count(bytes(&text));
        self.hidden(name, &text, secrets)
    }

    /// All words of a list.
    fn joined(&mut self, name: &str) -> Text {
        self.use_of(name);
        let Some(Value::List(words)) = self.get(name) else {
            return Text::variable(self.named(name, Text::variable(name)));
        };
        let mut joined = Text::default();
        for (index, word) in words.iter().enumerate() {
            joined.push_str(if index == 0 { "" } else { " " });
            joined.append(word);
        }
        joined
    }

    /// A value with variables in place of its secrets.
    fn hidden(&mut self, name: &str, value: &Text, secrets: &mut Values) -> Text {
        without_secrets(name, value, |secret| self.secret(name, Text::literal(secret), secrets))
    }

    /// A variable in the place of a secret.
    fn secret(&mut self, name: &str, secret: Text, secrets: &mut Values) -> Text {
        let name = self.named(name, secret.clone());
        secrets.insert(name.clone(), secret);
        Text::variable(name)
    }

    /// Fails where values have become too large.
    pub(super) fn check(&self) -> Result<(), ImportError> {
        if self.bytes <= MOST_BYTES {
            return Ok(());
        }
        let found = "values of variables that make the commands larger and larger";
        Err(ImportError::new(
            None,
            found,
            format!("at most {MOST_BYTES} bytes of them"),
        ))
    }
}

/// How many bytes a text is counted for: the places of its pieces as well, so that neither empty words nor names of a letter are free.
fn bytes(text: &Text) -> usize {
    text.length() + size_of_val(text.pieces()) + size_of::<Text>()
}
