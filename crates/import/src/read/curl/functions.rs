//! Functions of a script: where each is defined, and what it prints where it is called.

use super::printed::Printed;
use super::program::IN_FRONT;
use crate::read::shell::{Command, Word};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Functions that are defined or called inside of others.
pub(super) const DEEPEST: usize = 8;

#[derive(Debug)]
pub(super) struct Function {
    pub(super) body: Rc<[Command]>,
    /// In how many others it is defined.
    pub(super) depth: usize,
    /// What it prints, once its commands have been read.
    pub(super) printed: Option<Printed>,
}

/// All of a script, in their order.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pub(super) all: Vec<Function>,
    /// Which one a name stands for at the moment.
    by_name: BTreeMap<String, usize>,
}

impl Functions {
    pub(super) fn define(&mut self, name: &str, body: Vec<Command>, depth: usize) {
        self.by_name.insert(name.to_owned(), self.all.len());
        self.all.push(Function {
            body: Rc::from(body),
            depth,
            printed: None,
        });
    }

    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The next whose commands have not been read, from this place on.
    pub(super) fn unread(&self, from: usize) -> Option<usize> {
        let unread = self
            .all
            .iter()
            .skip(from)
            .position(|function| function.printed.is_none());
        unread.map(|at| from + at)
    }
}

/// The function that commands begin with: its name, its commands, and how many of these it is.
pub(super) fn defined(commands: &[Command]) -> Option<(&str, Vec<Command>, usize)> {
    let [first, name, rest @ ..] = commands.first()?.words.as_slice() else {
        return None;
    };
    let name = name
        .text
        .as_literal()
        .filter(|_| first.text.as_literal() == Some("function"))?;
    let mut body = Vec::new();
    let mut open = 0;
    for (at, command) in commands.iter().enumerate() {
        let words = if at == 0 { rest } else { &command.words };
        if words.is_empty() {
            continue;
        }
        open = open_behind(words, open);
        if body.is_empty() && open == 0 {
            return None;
        }
        body.push(Command {
            words: words.to_vec(),
            ..command.clone()
        });
        if open == 0 {
            return Some((name, body, at + 1));
        }
    }
    (open > 0).then_some((name, body, commands.len()))
}

/// How many braces and parentheses are open behind the words that a command begins with.
fn open_behind(words: &[Word], mut open: usize) -> usize {
    let mut words = words.iter().filter_map(|word| word.text.as_literal());
    while let Some(word) = words.next() {
        match word {
            "{" | "(" => open += 1,
            "}" | ")" => return open.saturating_sub(1),
            "function" => {
                words.next();
            }
            word if IN_FRONT.contains(&word) => {}
            _ => break,
        }
    }
    open
}
