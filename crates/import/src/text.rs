//! Text of another tool's plan, with places for its variables.

use std::collections::BTreeMap;

/// A piece of such a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    /// Sent as it is.
    Literal(String),
    /// The value of a variable, by its name in the file.
    Variable(String),
    /// The value of a variable of the environment, by its name there.
    Environment(String),
}

/// Text with places for variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Text {
    /// No literal is empty, and no two stand side by side.
    pieces: Vec<Piece>,
}

/// Values of variables, as text that may have variables again.
pub(crate) type Values = BTreeMap<String, Text>;

/// More substitutions, one inside the other, are a variable that stands for itself.
const MOST_SUBSTITUTIONS: usize = 20;
/// Most bytes of a text whose variables have been replaced.
const MOST_BYTES: usize = 1 << 20;
/// A longer call of a function is text.
const LONGEST_CALL: usize = 2_000;

impl Text {
    pub(crate) fn literal(text: impl Into<String>) -> Self {
        let mut made = Self::default();
        made.push(Piece::Literal(text.into()));
        made
    }

    pub(crate) fn variable(name: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Variable(name.into())],
        }
    }

    pub(crate) fn environment(name: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Environment(name.into())],
        }
    }

    /// `text` with `{{name}}` for variables, as Postman, REST clients and Artillery write them.
    pub(crate) fn with_braces(text: &str) -> Self {
        Self::between(text, "{{", "}}")
    }

    /// `text` with `${name}` for variables, as JMeter writes them. Calls of functions may have others inside.
    pub(crate) fn with_dollars(text: &str) -> Self {
        let mut made = Self::default();
        let mut rest = text;
        while let Some(begin) = rest.find("${") {
            let after = &rest[begin + 2..];
            let name = end_of_name(after).map(|end| (after[..end].trim(), end));
            let is_one = |name: &str| is_name(name) || name.starts_with("__") && name.len() <= LONGEST_CALL;
            let end = match name.filter(|(name, _)| is_one(name)) {
                Some((name, end)) => {
                    made.push(Piece::Literal(rest[..begin].to_owned()));
                    made.push(Piece::Variable(name.to_owned()));
                    begin + 2 + end + 1
                }
                None => {
                    made.push(Piece::Literal(rest[..=begin].to_owned()));
                    begin + 1
                }
            };
            rest = &rest[end..];
        }
        made.push(Piece::Literal(rest.to_owned()));
        made
    }

    /// `text` with `{name}` for variables, as OpenAPI writes them.
    pub(crate) fn with_curly(text: &str) -> Self {
        Self::between(text, "{", "}")
    }

    fn between(text: &str, opening: &str, closing: &str) -> Self {
        let mut made = Self::default();
        let mut rest = text;
        while let Some(begin) = rest.find(opening) {
            let after = &rest[begin + opening.len()..];
            // Braces that hold more than a name, such as those of nested objects, are text. No name has braces.
            let end = after.find(['{', '}']).filter(|end| after[*end..].starts_with(closing));
            match end.map(|end| (after[..end].trim(), end)) {
                Some((name, end)) if is_name(name) => {
                    made.push(Piece::Literal(rest[..begin].to_owned()));
                    made.push(Piece::Variable(name.to_owned()));
                    rest = &after[end + closing.len()..];
                }
                _ => {
                    let end = begin + 1;
                    made.push(Piece::Literal(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
            }
        }
        made.push(Piece::Literal(rest.to_owned()));
        made
    }

    pub(crate) fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), piece) {
            (_, Piece::Literal(text)) if text.is_empty() => {}
            (Some(Piece::Literal(last)), Piece::Literal(text)) => last.push_str(&text),
            (_, piece) => self.pieces.push(piece),
        }
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        self.push(Piece::Literal(text.to_owned()));
    }

    pub(crate) fn push_char(&mut self, c: char) {
        match self.pieces.last_mut() {
            Some(Piece::Literal(last)) => last.push(c),
            _ => self.pieces.push(Piece::Literal(c.to_string())),
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        for piece in &other.pieces {
            self.push(piece.clone());
        }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Its text when nothing is to be filled in.
    pub(crate) fn as_literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The variable that it is, if it is nothing else.
    pub(crate) fn as_variable(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Variable(name)] => Some(name),
            _ => None,
        }
    }

    /// What it begins with, up to the first variable.
    pub(crate) fn beginning(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Literal(text)) => text,
            _ => "",
        }
    }

    /// Without the first `bytes` of what it begins with.
    pub(crate) fn without_first(&self, bytes: usize) -> Self {
        let Some(Piece::Literal(text)) = self.pieces.first() else {
            return self.clone();
        };
        let mut made = Self::literal(&text[bytes.min(text.len())..]);
        for piece in &self.pieces[1..] {
            made.push(piece.clone());
        }
        made
    }

    /// Without the last `bytes` of what it ends with.
    pub(crate) fn without_end(&self, bytes: usize) -> Self {
        let mut made = self.clone();
        if let Some(Piece::Literal(text)) = made.pieces.last_mut() {
            text.truncate(text.len().saturating_sub(bytes));
            if text.is_empty() {
                made.pieces.pop();
            }
        }
        made
    }

    pub(crate) fn trim_start(&self) -> Self {
        let text = self.beginning();
        self.without_first(text.len() - text.trim_start().len())
    }

    pub(crate) fn trim_end(self) -> Self {
        self.without_last(char::is_whitespace)
    }

    /// Without the ends of lines at its end.
    pub(crate) fn without_last_lines(self) -> Self {
        self.without_last(|c| matches!(c, '\r' | '\n'))
    }

    fn without_last(mut self, fits: fn(char) -> bool) -> Self {
        if let Some(Piece::Literal(text)) = self.pieces.last_mut() {
            text.truncate(text.trim_end_matches(fits).len());
            if text.is_empty() {
                self.pieces.pop();
            }
        }
        self
    }

    /// Names of the variables in it.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Literal(_) | Piece::Environment(_) => None,
        })
    }

    /// With `change` made to each of its literals.
    pub(crate) fn map(&self, mut change: impl FnMut(&str) -> Self) -> Self {
        let mut made = Self::default();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => made.append(&change(text)),
                other => made.push(other.clone()),
            }
        }
        made
    }

    /// With other names for the variables that `rename` gives one.
    pub(crate) fn renamed(&self, rename: impl Fn(&str) -> Option<String>) -> Self {
        let piece = |piece: &Piece| match piece {
            Piece::Variable(name) => Piece::Variable(rename(name).unwrap_or_else(|| name.clone())),
            other => other.clone(),
        };
        Self {
            pieces: self.pieces.iter().map(piece).collect(),
        }
    }

    /// With the same text in place of whatever comes from the environment.
    pub(crate) fn hiding_environment(&self) -> Self {
        let mut made = Self::default();
        for piece in &self.pieces {
            match piece {
                Piece::Environment(_) => made.push_str("[redacted]"),
                other => made.push(other.clone()),
            }
        }
        made
    }

    /// With the values of the variables that have one, to any depth. A variable inside of its own value stays.
    pub(crate) fn resolved(&self, values: &Values) -> Self {
        let mut budget = MOST_BYTES;
        self.resolved_in(values, &mut Vec::new(), &mut budget)
    }

    fn resolved_in<'v>(&self, values: &'v Values, inside: &mut Vec<&'v str>, budget: &mut usize) -> Self {
        let mut made = Self::default();
        for piece in &self.pieces {
            let piece = &inside_resolved(piece, values, inside, budget);
            let known = match piece {
                Piece::Variable(name) if *budget > 0 && inside.len() < MOST_SUBSTITUTIONS => values.get_key_value(name),
                _ => None,
            };
            match known.filter(|(name, _)| !inside.contains(&name.as_str())) {
                Some((name, value)) => {
                    inside.push(name);
                    let value = value.resolved_in(values, inside, budget);
                    inside.pop();
                    *budget = budget.saturating_sub(1 + value.length());
                    made.append(&value);
                }
                None => made.push(piece.clone()),
            }
        }
        made
    }

    /// Bytes of its literals and names.
    pub(crate) fn length(&self) -> usize {
        let lengths = self.pieces.iter().map(|piece| match piece {
            Piece::Literal(text) | Piece::Variable(text) | Piece::Environment(text) => text.len(),
        });
        lengths.sum()
    }

    /// The part before and the part behind the first `mark` in a literal; the mark goes.
    pub(crate) fn split_once(&self, mark: char) -> Option<(Self, Self)> {
        let at = self.pieces.iter().position(|piece| match piece {
            Piece::Literal(text) => text.contains(mark),
            _ => false,
        })?;
        let Piece::Literal(text) = &self.pieces[at] else {
            return None;
        };
        let (before, after) = text.split_once(mark)?;
        let mut first = Self {
            pieces: self.pieces[..at].to_vec(),
        };
        first.push_str(before);
        let mut second = Self::literal(after);
        for piece in &self.pieces[at + 1..] {
            second.push(piece.clone());
        }
        Some((first, second))
    }

    /// The parts between each `mark` in its literals.
    pub(crate) fn split(&self, mark: char) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self.clone();
        while let Some((first, second)) = rest.split_once(mark) {
            parts.push(first);
            rest = second;
        }
        parts.push(rest);
        parts
    }
}

/// A call of a function with the values of the variables inside.
fn inside_resolved<'v>(piece: &Piece, values: &'v Values, inside: &mut Vec<&'v str>, budget: &mut usize) -> Piece {
    match piece {
        Piece::Variable(call) if call.contains("${") && *budget > 0 && inside.len() < MOST_SUBSTITUTIONS => {
            *budget = budget.saturating_sub(call.len());
            let resolved = Text::with_dollars(call).resolved_in(values, inside, budget);
            let literal = resolved.as_literal().filter(|literal| literal.len() <= LONGEST_CALL);
            Piece::Variable(literal.unwrap_or(call).to_owned())
        }
        piece => piece.clone(),
    }
}

/// Where the brace is that closes a name or a call.
fn end_of_name(text: &str) -> Option<usize> {
    let is_call = text.trim_start().starts_with("__");
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST_CALL + 2) {
        match c {
            '{' if is_call => depth += 1,
            '{' => return None,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether what stands between braces names a variable, or calls one of the functions that make a value.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "_.-$@ ()/,:|'\"[]*#+%".contains(c);
    !text.is_empty()
        && text.len() <= 200
        && text.chars().all(fits)
        && text.starts_with(|c: char| c.is_alphanumeric() || "_$@.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Values {
        let pair = |&(name, value): &(&str, &str)| (name.to_owned(), Text::with_braces(value));
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn variables_are_found_between_braces() {
        let text = Text::with_braces("{{base}}/a/{{ id }}?x={y}");
        let names: Vec<_> = text.variables().collect();
        assert_eq!(names, ["base", "id"]);
        assert_eq!(Text::with_braces("{{}} {{\n}} {").as_literal(), Some("{{}} {{\n}} {"));
        let json = Text::with_braces(r#"{"a":{"b":{{n}}}}"#);
        assert_eq!(json.variables().collect::<Vec<_>>(), ["n"]);
    }

    #[test]
    fn calls_have_variables_inside() {
        let text = Text::with_dollars("a${__Random(1,${most})}b${__groovy(x.each { it })}${c}{${d");
        let names: Vec<_> = text.variables().collect();
        assert_eq!(names, ["__Random(1,${most})", "__groovy(x.each { it })", "c"]);
        let values = values(&[("most", "9")]);
        let resolved = text.resolved(&values);
        assert_eq!(resolved.variables().next(), Some("__Random(1,9)"));
        // A variable in itself ends.
        let circle: Values = [("a".to_owned(), Text::with_dollars("${__x(${a})}"))].into();
        assert_eq!(Text::variable("a").resolved(&circle).variables().count(), 1);
    }

    #[test]
    fn values_are_resolved_to_any_depth_and_circles_end() {
        let values = values(&[
            ("base", "http://{{host}}"),
            ("host", "h:1"),
            ("a", "{{b}}"),
            ("b", "{{a}}"),
        ]);
        let text = Text::with_braces("{{base}}/x").resolved(&values);
        assert_eq!(text.as_literal(), Some("http://h:1/x"));
        assert_eq!(Text::variable("a").resolved(&values).variables().count(), 1);
    }

    #[test]
    fn values_in_a_circle_are_put_in_once() {
        let values = values(&[("day", "{{night}}{{night}}"), ("night", "{{day}}-{{day}}")]);
        let text = Text::variable("day").resolved(&values);
        assert_eq!(text, Text::with_braces("{{day}}-{{day}}{{day}}-{{day}}"));
    }

    #[test]
    fn doubling_values_stay_small() {
        let mut values = values(&[("v0", "0123456789")]);
        for depth in 1..20 {
            let twice = format!("{{{{v{}}}}}{{{{v{}}}}}", depth - 1, depth - 1);
            values.insert(format!("v{depth}"), Text::with_braces(&twice.repeat(4)));
        }
        assert!(Text::variable("v19").resolved(&values).length() <= 2 * MOST_BYTES);
    }

    #[test]
    fn parts_are_split_in_literals_alone() {
        let text = Text::with_braces("a={{x&y}}&b={{z}}");
        assert_eq!(text.split('&').len(), 3);
        let text = Text::with_braces("a={{x}}&b={{z}}");
        assert_eq!(
            text.split('&'),
            [Text::with_braces("a={{x}}"), Text::with_braces("b={{z}}")]
        );
    }
}
