//! Places for values in words of a shell: variables, and what commands print.

use super::changes::{Change, Part, SIGNS};
use super::{
    ChangedText, Command, DefaultText, Expansion, Reader, Word, ansi, deeper, expansions, is_of_name, unclosed,
};
use crate::error::ImportError;
use crate::text::{Piece, Text};
use std::rc::Rc;

impl Reader<'_, '_> {
    /// `$NAME`, `${NAME}` and `${NAME:-default}`, `$(…)`, and outside of quotes `$'…'`.
    pub(super) fn dollar(&mut self, word: &mut Word, is_quoted: bool) -> Result<(), ImportError> {
        let line = self.letters.line();
        self.next();
        let name = match self.letters.peek() {
            Some('\'') if !is_quoted => {
                self.next();
                let text = ansi::quoted(&mut self.letters).ok_or_else(|| unclosed(line, '\''))?;
                word.text.push_str(&text);
                return Ok(());
            }
            // Text to be translated, which here is text.
            Some('"') if !is_quoted => {
                self.next();
                return self.double_quoted(word);
            }
            Some('{') => self.braces(is_quoted)?,
            Some('(') if self.letters.starts_with("((") => self.arithmetic()?,
            Some('(') => {
                self.next();
                let before = self.letters.clone();
                self.depth = deeper(line, self.depth)?;
                let (commands, is_closed) = self.commands(true)?;
                self.depth -= 1;
                if !is_closed {
                    return Err(unclosed(line, '('));
                }
                let text = self.letters.since(&before);
                let text = text.strip_suffix(')').unwrap_or(text).trim();
                self.push_commands(word, is_quoted, text, commands);
                return Ok(());
            }
            Some(c) if is_of_name(c) && !c.is_ascii_digit() => {
                let mut name = String::new();
                while let Some(c) = self.letters.next_if(is_of_name) {
                    name.push(c);
                }
                name
            }
            // What a function or the script itself is called with, and what the shell knows.
            Some(c) if c.is_ascii_digit() || "@*#?!$".contains(c) => {
                self.next();
                c.to_string()
            }
            _ => {
                word.text.push_str("$");
                return Ok(());
            }
        };
        push_variable(word, is_quoted, name);
        Ok(())
    }

    /// `` `…` ``, an older way to write `$(…)`.
    pub(super) fn backticks(&mut self, word: &mut Word, is_quoted: bool) -> Result<(), ImportError> {
        let line = self.letters.line();
        self.next();
        let mut text = String::new();
        loop {
            match self.next().ok_or_else(|| unclosed(line, '`'))? {
                '`' => break,
                '\\' => {
                    let escaped = self.letters.next_if(|c| matches!(c, '`' | '\\' | '$'));
                    text.push(escaped.unwrap_or('\\'));
                }
                c => text.push(c),
            }
        }
        let depth = deeper(line, self.depth)?;
        let (commands, _) = Reader::of(&text, line, self.expansions, depth).commands(false)?;
        self.push_commands(word, is_quoted, text.trim(), commands);
        Ok(())
    }

    /// The text that commands print, or a place for it.
    fn push_commands(&mut self, word: &mut Word, is_quoted: bool, text: &str, commands: Vec<Command>) {
        if let Some(printed) = expansions::printed(&commands) {
            word.text.append(&printed);
            return;
        }
        let called = expansions::called(&commands);
        let commands = Expansion::Commands(Rc::from(commands));
        let name = self.expansions.add(&format!("$({text})"), called, commands);
        push_variable(word, is_quoted, name);
    }

    /// `$((…))`, which nobody computes here.
    fn arithmetic(&mut self) -> Result<String, ImportError> {
        let before = self.letters.clone();
        let mut open = 0_usize;
        loop {
            match self.next().ok_or_else(|| unclosed(before.line(), '('))? {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let text = self.letters.since(&before);
                // Names stand for values here without a dollar.
                let inside = self.inside(text, before.line())?.map(|literal| {
                    let mut names = Text::default();
                    let words = literal.split(|c| !is_of_name(c));
                    let is_one = |word: &&str| word.starts_with(|c: char| !c.is_ascii_digit());
                    words
                        .filter(is_one)
                        .for_each(|name| names.push(Piece::Variable(name.to_owned())));
                    names
                });
                let changed = Expansion::Changed(ChangedText::from(inside));
                return Ok(self.expansions.add(text, "$((…))".to_owned(), changed));
            }
        }
    }

    /// A text that stands in a place, with the places in it.
    fn inside(&mut self, text: &str, line: usize) -> Result<Text, ImportError> {
        if !text.contains(['$', '`']) {
            return Ok(Text::literal(text));
        }
        self.depth = deeper(line, self.depth)?;
        let inside = self.expanded(text, line)?;
        self.depth -= 1;
        Ok(inside)
    }

    /// `{NAME}`, a variable with a default, or an expression with one.
    fn braces(&mut self, is_quoted: bool) -> Result<String, ImportError> {
        self.next();
        let before = self.letters.clone();
        // Of each that is open, whether this is between double quotes in it.
        let mut open = vec![false];
        while let Some(in_quotes) = open.last_mut() {
            match self.letters.next().ok_or_else(|| unclosed(before.line(), '{'))? {
                '\\' => {
                    self.next();
                }
                '\'' if !is_quoted && !*in_quotes => {
                    self.until('\'')?;
                }
                '"' if !is_quoted => *in_quotes = !*in_quotes,
                '$' if self.letters.next_if_eq('{').is_some() => open.push(false),
                '}' if !*in_quotes => {
                    open.pop();
                }
                _ => {}
            }
        }
        let text = self.letters.since(&before);
        let text = text.strip_suffix('}').unwrap_or(text);
        let name = &text[..text.find(|c| !is_of_name(c)).unwrap_or(text.len())];
        let name = match text.chars().next() {
            Some('@' | '*') => &text[..1],
            _ => name,
        };
        let rest = &text[name.len()..];
        let default = ["-", "="]
            .iter()
            .find_map(|sign| rest.trim_start_matches(':').strip_prefix(sign));
        match (rest, default) {
            _ if name.is_empty() => {}
            ("" | ":-" | "-", _) => return Ok(name.to_owned()),
            ("[@]" | "[*]", _) => return Ok(format!("{name}[@]")),
            (rest, _) if rest.trim_start_matches(':').starts_with('?') => return Ok(name.to_owned()),
            (_, Some(default)) => {
                let unquoted = ['"', '\'']
                    .iter()
                    .find_map(|quote| default.strip_prefix(*quote)?.strip_suffix(*quote));
                let default = self.inside(unquoted.unwrap_or(default), before.line())?;
                let default = Expansion::Default(DefaultText {
                    of: name.to_owned(),
                    text: default,
                    is_of_empty: rest.starts_with(':'),
                    is_set: rest.trim_start_matches(':').starts_with('='),
                });
                return Ok(self
                    .expansions
                    .add(&format!("${{{text}}}"), format!("{name}…"), default));
            }
            _ => {}
        }
        let changed = self.changed(text, name, before.line())?;
        let called = format!("{}…", changed.of);
        Ok(self
            .expansions
            .add(&format!("${{{text}}}"), called, Expansion::Changed(changed)))
    }

    /// What stands between braces and changes the variable with this name, or the one behind a sign: `${#NAME}` and `${!NAME}`.
    fn changed(&mut self, text: &str, name: &str, line: usize) -> Result<ChangedText, ImportError> {
        let of = if name.is_empty() { name_in(text) } else { name };
        let (front, behind) = text.split_once(of).unwrap_or_default();
        let (sign, behind) = Change::signs(behind);
        let parts = self.parts(behind, line)?;
        let change = match (front, sign, parts.is_empty()) {
            ("", ..) => Change::read(sign, &parts),
            ("!", "", true) => Some(Change::Name),
            _ => None,
        };
        let mut inside = Text::variable(of);
        parts.iter().for_each(|part| match part {
            Part::Text(text) => inside.append(text),
            Part::Sign(_) => {}
        });
        Ok(ChangedText {
            inside,
            of: of.to_owned(),
            change,
            shown: Some(format!("${{{front}{of}{sign}…}}")).filter(|_| !of.is_empty() && front.len() < 2),
        })
    }

    /// The text of a change: what stands in quotes or behind a backslash is a text, and so is what variables stand for.
    fn parts(&mut self, text: &str, line: usize) -> Result<Vec<Part>, ImportError> {
        let depth = match text.contains(['$', '`']) {
            true => deeper(line, self.depth)?,
            false => self.depth,
        };
        let mut reader = Reader::of(text, line, self.expansions, depth);
        let (mut parts, mut word, mut in_quotes) = (Vec::new(), Word::default(), false);
        while let Some(c) = reader.letters.peek() {
            match c {
                '$' => reader.dollar(&mut word, true)?,
                '`' => reader.backticks(&mut word, true)?,
                '\'' if !in_quotes && reader.letters.closes('\'') => {
                    reader.next();
                    let text = reader.until('\'')?;
                    word.text.push_str(&text);
                }
                c => {
                    reader.next();
                    match c {
                        '"' => in_quotes = !in_quotes,
                        '\\' => {
                            let is_sign = |c| !in_quotes || matches!(c, '$' | '`' | '"' | '\\');
                            word.text.push_char(reader.letters.next_if(is_sign).unwrap_or(c));
                        }
                        c if !in_quotes && SIGNS.contains(&c) => {
                            parts.push(Part::Text(std::mem::take(&mut word.text)));
                            parts.push(Part::Sign(c));
                        }
                        c => word.text.push_char(c),
                    }
                }
            }
        }
        parts.push(Part::Text(word.text));
        parts.retain(|part| *part != Part::Text(Text::default()));
        Ok(parts)
    }
}

/// The first name in a text.
fn name_in(text: &str) -> &str {
    let name = text.trim_start_matches(|c| !is_of_name(c));
    &name[..name.find(|c| !is_of_name(c)).unwrap_or(name.len())]
}

fn push_variable(word: &mut Word, is_quoted: bool, name: String) {
    if !is_quoted {
        word.bare.push(name.clone());
    }
    word.text.push(Piece::Variable(name));
}
