//! Text with places for variables: `/profiles/${user}`. Two dollar signs in front of a brace stand for one that is
//! meant: `$${` sends `${`. Other tools write `{{user}}`, which is refused where it names a variable; `${'{{'}` sends `{{`.

use crate::notation::environment::{self, ENVIRONMENT, Environment};
use crate::notation::mismatch::{Mismatch, quoted};
use std::fmt;
use std::ops::Range;

/// Stands for two braces, as a text that is named in the place of a variable.
const BRACES: &str = "'{{'";

/// Text with places for variables. It may be a secret, so that it prints how much there is of it and not what.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// In order. No literal is empty, and no two of a kind stand side by side.
    pub(crate) spans: Vec<Span>,
}

/// A piece of a template.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Span {
    /// Bytes copied as they are.
    Literal(Vec<u8>),
    /// The same, of which nothing may be shown.
    Sealed(Vec<u8>),
    /// Index into [`Scenario::variables`](crate::Scenario::variables).
    Variable(usize),
}

/// A piece of a template, as it is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes copied as they are.
    Literal(&'a [u8]),
    /// Index into [`Scenario::variables`](crate::Scenario::variables).
    Variable(usize),
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Template({} pieces)", self.spans.len())
    }
}

impl Template {
    /// `bytes`, with nothing to fill in.
    #[must_use]
    pub fn literal(bytes: impl Into<Vec<u8>>) -> Self {
        let mut template = Self::default();
        template.push_literal(&bytes.into());
        template
    }

    /// Of these pieces.
    #[must_use]
    pub fn of<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Self {
        let mut template = Self::default();
        for piece in pieces {
            match piece {
                Piece::Literal(bytes) => template.push_literal(bytes),
                Piece::Variable(index) => template.spans.push(Span::Variable(index)),
            }
        }
        template
    }

    /// Its pieces in order, for whoever encodes a request.
    pub fn reveal(&self) -> impl Iterator<Item = Piece<'_>> {
        self.spans.iter().map(|span| match span {
            Span::Literal(bytes) | Span::Sealed(bytes) => Piece::Literal(bytes),
            Span::Variable(index) => Piece::Variable(*index),
        })
    }

    /// Reads `text` with places for the variables in `names`, by index.
    ///
    /// # Errors
    /// When a `${` is not closed, or names no variable, and when a variable is written as other tools do, `{{user}}`.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, Mismatch> {
        Self::parse_in(text, names, &|_| None)
    }

    /// As [`Template::parse`], with the values of `${env.NAME}` from `environment`.
    pub(crate) fn parse_in(text: &str, names: &[&str], environment: Environment<'_>) -> Result<Self, Mismatch> {
        let is_name = |name: &str| names.contains(&name);
        if let Some((place, name)) = in_braces(text, &is_name).next() {
            let mismatch = Mismatch::new(
                quoted(&format!("{{{{{name}}}}}")),
                format!("`${{{name}}}` for the variable"),
            );
            let hint = format!("write `${{{BRACES}}}{name}}}}}` to send `{{{{{name}}}}}`");
            return Err(mismatch.at(place).hint(hint));
        }
        let mut template = Self::default();
        let mut position = 0;
        while let Some(brace) = text[position..].find("${").map(|found| position + found + 1) {
            // A run of dollar signs up to the brace: each pair is one that is meant; an odd one opens a variable.
            let run = text[..brace].len() - text[..brace].trim_end_matches('$').len();
            let run = run.min(brace - position);
            template.push_literal(&text.as_bytes()[position..brace - run]);
            template.push_literal("$".repeat(run / 2).as_bytes());
            position = brace;
            if run % 2 == 0 {
                template.push_literal(b"{");
                position += 1;
                continue;
            }
            let rest = &text[brace + 1..];
            let Some(length) = rest.find('}') else {
                return Err(Mismatch::new("an unclosed `${`", "a `}` after the name of a variable")
                    .at(brace - 1..brace + 1)
                    .hint("write `$${` to send `${`")
                    .plain());
            };
            let name = &rest[..length];
            let whole = brace - 1..brace + length + 2;
            if let Some(name) = name.strip_prefix(ENVIRONMENT) {
                let value = environment::value(name, environment).map_err(|mismatch| mismatch.at(whole.clone()))?;
                template.push_sealed(value.as_bytes());
                position = whole.end;
                continue;
            }
            if name == BRACES {
                template.push_literal(b"{{");
                position = whole.end;
                continue;
            }
            let Some(index) = names.iter().position(|known| *known == name) else {
                return Err(unknown(name, names).at(whole));
            };
            template.spans.push(Span::Variable(index));
            position = whole.end;
        }
        template.push_literal(&text.as_bytes()[position..]);
        Ok(template)
    }

    /// Text that [`Template::parse`] reads as this template; `None` when a literal is not UTF-8. A variable without
    /// a name in `names` becomes `${?}`.
    #[must_use]
    pub(crate) fn to_text(&self, names: &[&str]) -> Option<String> {
        let mut text = String::new();
        let whole = Self::of(self.reveal());
        for (index, span) in whole.spans.iter().enumerate() {
            match span {
                Span::Literal(bytes) | Span::Sealed(bytes) => {
                    let literal = std::str::from_utf8(bytes).ok()?;
                    let opens = matches!(whole.spans.get(index + 1), Some(Span::Variable(_)));
                    push_escaped(&mut text, literal, opens);
                }
                Span::Variable(index) => {
                    text.push_str("${");
                    text.push_str(names.get(*index).copied().unwrap_or("?"));
                    text.push('}');
                }
            }
        }
        Some(escape_braces(&text, &|name| names.contains(&name)))
    }

    /// Whether it is nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Its bytes when there is nothing to fill in.
    #[must_use]
    pub(crate) fn as_literal(&self) -> Option<&[u8]> {
        match self.spans.as_slice() {
            [] => Some(&[]),
            [Span::Literal(bytes) | Span::Sealed(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// The variables it needs, by index; once for each place.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.spans.iter().filter_map(|span| match span {
            Span::Literal(_) | Span::Sealed(_) => None,
            Span::Variable(index) => Some(*index),
        })
    }

    /// Whether it begins with text and not with a variable.
    pub(crate) fn starts_with_literal(&self) -> bool {
        matches!(self.spans.first(), Some(Span::Literal(_) | Span::Sealed(_)))
    }

    /// Whether there is something in it of which nothing may be shown.
    pub(crate) fn is_sealed(&self) -> bool {
        self.spans.iter().any(|span| matches!(span, Span::Sealed(_)))
    }

    /// The bytes outside its variables.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().filter_map(|span| match span {
            Span::Literal(bytes) | Span::Sealed(bytes) => Some(bytes.as_slice()),
            Span::Variable(_) => None,
        })
    }

    pub(crate) fn push_literal(&mut self, bytes: &[u8]) {
        match self.spans.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Span::Literal(last)) => last.extend_from_slice(bytes),
            _ => self.spans.push(Span::Literal(bytes.to_vec())),
        }
    }

    pub(crate) fn push_sealed(&mut self, bytes: &[u8]) {
        match self.spans.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Span::Sealed(last)) => last.extend_from_slice(bytes),
            _ => self.spans.push(Span::Sealed(bytes.to_vec())),
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        for span in &other.spans {
            match span {
                Span::Literal(bytes) => self.push_literal(bytes),
                Span::Sealed(bytes) => self.push_sealed(bytes),
                Span::Variable(_) => self.spans.push(span.clone()),
            }
        }
    }
}

/// The names in two braces, as other tools write variables, and where they stand. What is behind a dollar sign is escaped already.
fn in_braces<'a>(text: &'a str, is_name: &dyn Fn(&str) -> bool) -> impl Iterator<Item = (Range<usize>, &'a str)> {
    let mut before = 0;
    let found = text.match_indices("}}").filter_map(move |(end, _)| {
        let from = std::mem::replace(&mut before, end + 2);
        let begin = from + text[from..end].rfind("{{")?;
        Some((begin..end + 2, text[begin + 2..end].trim()))
    });
    found.filter(|(place, name)| !text[..place.start].ends_with('$') && is_name(name))
}

/// A text with places for variables that sends two braces as they are, also where a name of a variable is in them.
#[must_use]
pub fn escape_braces(text: &str, is_name: &dyn Fn(&str) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut position = 0;
    for (place, _) in in_braces(text, is_name) {
        escaped.push_str(&text[position..place.start]);
        escaped.push_str("${");
        escaped.push_str(BRACES);
        escaped.push('}');
        position = place.start + 2;
    }
    escaped.push_str(&text[position..]);
    escaped
}

fn unknown(name: &str, names: &[&str]) -> Mismatch {
    let expected = match names {
        [] => "a name from `scenario.variables`, which is empty".to_owned(),
        names => format!("one of the variables {}", names.join(", ")),
    };
    let mismatch = Mismatch::new(format!("the variable {}", quoted(name)), expected).plain();
    // A table without a column, or a column without its table.
    let is_part = |known: &&&str| {
        let (before, behind) = (known.strip_suffix(name), known.strip_prefix(name));
        before.is_some_and(|rest| rest.ends_with('.'))
            || behind.is_some_and(|rest| rest.starts_with('.') && rest != ".json")
    };
    match names.iter().find(is_part) {
        Some(known) => mismatch.hint(format!("did you mean `{known}`?")),
        None => mismatch
            .hint("write `$${` to send `${`")
            .nearest(name, names.iter().copied()),
    }
}

/// `literal` with each run of dollar signs doubled that a brace follows, in it or (`opens`) behind it.
fn push_escaped(text: &mut String, literal: &str, opens: bool) {
    let mut run = 0;
    for c in literal.chars() {
        match c {
            '$' => run += 1,
            c => {
                text.push_str(&"$".repeat(if c == '{' { 2 * run } else { run }));
                text.push(c);
                run = 0;
            }
        }
    }
    text.push_str(&"$".repeat(if opens { 2 * run } else { run }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn literal(text: &str) -> Span {
        Span::Literal(text.as_bytes().to_vec())
    }

    #[test]
    fn variables_stand_between_literals() {
        for (text, spans) in [
            ("", vec![]),
            ("/plain", vec![literal("/plain")]),
            (
                "/${a}/${b}x",
                vec![
                    literal("/"),
                    Span::Variable(0),
                    literal("/"),
                    Span::Variable(1),
                    literal("x"),
                ],
            ),
            ("${a}${a}", vec![Span::Variable(0), Span::Variable(0)]),
            ("$${a}", vec![literal("${a}")]),
            ("$$${a}", vec![literal("$"), Span::Variable(0)]),
            ("$5 $$ {a} $", vec![literal("$5 $$ {a} $")]),
            ("${a}$${b}", vec![Span::Variable(0), literal("${b}")]),
            (
                "{{c}} {{}} {{a b}} {{a} { {a}} {{",
                vec![literal("{{c}} {{}} {{a b}} {{a} { {a}} {{")],
            ),
            ("${'{{'}a}} $${{a}}", vec![literal("{{a}} ${{a}}")]),
            (
                "{{c}}${'{{'}${a}}}",
                vec![literal("{{c}}{{"), Span::Variable(0), literal("}}")],
            ),
        ] {
            assert_eq!(Template::parse(text, &["a", "b"]), Ok(Template { spans }), "{text}");
        }
        for text in [
            "${c}",
            "${",
            "${a",
            "${}",
            "${ a}",
            "{{a}}",
            "x{{ b }}",
            "{{{a}}}",
            "{{c}}{{a}}",
            "${a}{{b}}",
            "${'{'}",
            "${{a}}",
        ] {
            assert!(Template::parse(text, &["a", "b"]).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn templates_read_back_as_they_are_written(pieces in proptest::collection::vec(prop_oneof!["([${}a]|[{][{]a[}][}]){0,6}".prop_map(Ok), (0_usize..2).prop_map(Err)], 0..8)) {
            let mut template = Template::default();
            for piece in pieces {
                match piece {
                    Ok(text) => template.push_literal(text.as_bytes()),
                    Err(index) => template.spans.push(Span::Variable(index)),
                }
            }
            let text = template.to_text(&["a", "b"]).unwrap();
            prop_assert_eq!(Template::parse(&text, &["a", "b"]), Ok(template));
        }
    }
}
