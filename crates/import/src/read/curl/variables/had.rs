//! What stands for a value that is not known here: one variable for each value of all that it may follow from.

use super::{MOST_WORD_BYTES, Value, Variables, bytes};
use crate::read::curl::functions::Function;
use crate::read::shell::{Command, Expansion};
use crate::text::{Piece, Text};
use std::collections::BTreeSet;

/// More functions that call each other are not looked at.
const MOST_FUNCTIONS: usize = 64;

/// What variables have at a moment, one behind the other.
#[derive(Default)]
struct Had {
    values: Text,
    bytes: usize,
    /// Functions whose commands were looked at.
    functions: BTreeSet<usize>,
    /// Variables that were looked at and are in doubt.
    in_doubt: BTreeSet<String>,
}

impl Had {
    fn push(&mut self, value: &Text) {
        self.bytes += bytes(value);
        self.values.append(value);
        // No value of a shell has one.
        self.values.push_char('\0');
    }
}

impl Variables {
    /// A variable in the place of a value, the same where the value is the same.
    pub(super) fn unknown(&mut self, name: &str) -> Text {
        let mut had = Had::default();
        self.look(name, &mut had);
        self.count(had.bytes);
        had.in_doubt.iter().for_each(|name| self.use_of(name));
        Text::variable(self.named(name, had.values))
    }

    /// Looks at what a variable has, or all that a place follows from.
    fn look(&self, name: &str, had: &mut Had) {
        if had.bytes > MOST_WORD_BYTES {
            return;
        }
        let held = self.values.get(name);
        if held.is_some_and(|held| held.doubt.is_some()) {
            had.in_doubt.insert(name.to_owned());
        }
        match (held.map(|held| &held.value), self.expansions.get(name)) {
            (Some(Value::Text(text)), _) => had.push(text),
            (Some(Value::List(words)), _) => {
                had.push(&Text::literal(words.len().to_string()));
                words.iter().for_each(|word| had.push(word));
            }
            (Some(Value::Printed(printed)), _) => had.push(&Text::variable(format!("{printed:?}"))),
            (None, Some(Expansion::Commands(commands))) => self.look_at_commands(commands, had),
            (None, Some(Expansion::Changed(changed))) => {
                changed.inside.variables().for_each(|name| self.look(name, had));
            }
            (None, Some(Expansion::Default(default))) => {
                self.look(&default.of, had);
                default.text.variables().for_each(|name| self.look(name, had));
            }
            (None, None) => had.push(&Text::variable(name)),
        }
    }

    fn look_at_commands(&self, commands: &[Command], had: &mut Had) {
        for text in commands.iter().flat_map(Command::texts) {
            had.bytes += bytes(&Text::default());
            if had.bytes > MOST_WORD_BYTES {
                return;
            }
            let function = text.as_literal().and_then(|name| self.functions.named(name));
            if let Some(at) = function.filter(|at| had.functions.len() < MOST_FUNCTIONS && had.functions.insert(*at)) {
                let Function { body, .. } = &self.functions.all[at];
                self.look_at_commands(body, had);
            }
            for piece in text.pieces() {
                if let Piece::Variable(name) = piece {
                    self.look(name, had);
                }
            }
        }
    }
}
