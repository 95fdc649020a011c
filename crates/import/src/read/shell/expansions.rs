//! What places for values in a script stand for, where that is more than a variable. Such a place has a name of its own, which has
//! nothing in it that may be a secret: of `$(curl -d "$(cat .password)" …)` it has the first word alone.

use super::Command;
use super::changes::Change;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What such a place stands for.
#[derive(Debug, Clone)]
pub(crate) enum Expansion {
    /// What these commands print.
    Commands(Rc<[Command]>),
    Default(DefaultText),
    Changed(ChangedText),
}

/// What an expression makes of variables and of what commands print.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangedText {
    /// All that stands in it.
    pub(crate) inside: Text,
    /// The variable that is changed.
    pub(crate) of: String,
    /// How, if that can be done here.
    pub(crate) change: Option<Change>,
    /// What it is called where it is listed.
    pub(crate) shown: Option<String>,
}

impl From<Text> for ChangedText {
    fn from(inside: Text) -> Self {
        Self {
            inside,
            ..Self::default()
        }
    }
}

/// A variable, or a text where nobody has set it.
#[derive(Debug, Clone)]
pub(crate) struct DefaultText {
    pub(crate) of: String,
    pub(crate) text: Text,
    /// The text stands for an empty value as well.
    pub(crate) is_of_empty: bool,
    /// The variable has the text from there on.
    pub(crate) is_set: bool,
}

/// All of a script, by the names of their places.
#[derive(Debug, Default)]
pub(crate) struct Expansions {
    by_name: BTreeMap<String, Expansion>,
    /// Names by what is written in these places: the same twice is one value.
    names: BTreeMap<String, String>,
    /// How many have been called so.
    called: BTreeMap<String, usize>,
}

impl Expansions {
    pub(crate) fn get(&self, name: &str) -> Option<&Expansion> {
        self.by_name.get(name)
    }

    /// The name of a place in which `text` is written.
    pub(super) fn add(&mut self, text: &str, called: String, expansion: Expansion) -> String {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let number = self.called.entry(called.clone()).or_default();
        *number += 1;
        let name = match number {
            1 => called,
            number => format!("{called} #{number}"),
        };
        self.names.insert(text.to_owned(), name.clone());
        self.by_name.insert(name.clone(), expansion);
        name
    }
}

/// What the output of commands is called: by the first of them, if its name is one of a program.
pub(super) fn called(commands: &[Command]) -> String {
    let words = commands.first().map_or(&[][..], |command| &command.words);
    let mut words = words.iter().map(|word| &word.text);
    let word = words.find(|word| word.split_once('=').is_none());
    let program = word.and_then(Text::as_literal).and_then(|word| word.rsplit('/').next());
    let is_name =
        |name: &&str| name.len() <= 20 && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    format!("$({} …)", program.filter(is_name).unwrap_or_default())
}

/// What commands print that only repeat text, without the ends of lines at its end.
pub(super) fn printed(commands: &[Command]) -> Option<Text> {
    match commands {
        [command] => Some(repeated(command)?.without_last_lines()),
        _ => None,
    }
}

/// What a command prints that only repeats text: `cat` with a text of the script itself, `echo` and `printf %s`.
pub(crate) fn repeated(Command { words, input, .. }: &Command) -> Option<Text> {
    let (first, words) = words.split_first()?;
    let is_plain = words.iter().all(|word| word.bare.is_empty() && word.list.is_none());
    let mut texts: Vec<&Text> = words.iter().map(|word| &word.text).collect();
    let mut printed = Text::default();
    match (first.text.as_literal()?, texts.as_slice(), input) {
        ("cat", [], Some(input)) => printed = input.clone(),
        ("printf", [form, text], _) if matches!(form.as_literal(), Some("%s" | "%s\\n")) && is_plain => {
            printed.append(text);
            printed.push_str(if form.as_literal() == Some("%s") { "" } else { "\n" });
        }
        ("echo", [option, ..], _) if is_plain => {
            let end = match option.as_literal() {
                Some("-n") => {
                    texts.remove(0);
                    ""
                }
                Some(option) if option.starts_with('-') => return None,
                _ => "\n",
            };
            for (index, text) in texts.into_iter().enumerate() {
                printed.push_str(if index == 0 { "" } else { " " });
                printed.append(text);
            }
            printed.push_str(end);
        }
        _ => return None,
    }
    Some(printed)
}
