//! What is wrong with a plan, and where.

use crate::notation::excerpt::seen;
use crate::notation::mismatch::{Mismatch, printable};
use crate::notation::written::Place;
use std::collections::BTreeSet;
use std::fmt;

/// Why a text or a set of values is no plan. Reads as "plan.yaml:4:13: found …, expected …", with the line and a
/// hint below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    /// File, or the key when there is no file.
    whence: String,
    spot: Option<Spot>,
    mismatch: Mismatch,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spot {
    line: usize,
    column: usize,
    /// The line, or a part of it.
    text: String,
    /// Where the part at fault begins in `text`, and how long it is, in characters.
    indent: usize,
    width: usize,
}

impl PlanError {
    /// Without a place: `whence` is a file or a key.
    #[must_use]
    pub fn new(whence: impl Into<String>, mismatch: Mismatch) -> Self {
        Self(Box::new(Inner {
            whence: whence.into(),
            spot: None,
            mismatch,
        }))
    }

    /// Line in the file, from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.0.spot.as_ref().map(|spot| spot.line)
    }

    /// Column in that line, in characters from 1.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.spot.as_ref().map(|spot| spot.column)
    }

    /// What was found and what was expected.
    #[must_use]
    pub fn mismatch(&self) -> &Mismatch {
        &self.0.mismatch
    }

    /// All of it but the hint.
    #[must_use]
    pub fn message(&self) -> String {
        let Inner { whence, spot, mismatch } = &*self.0;
        let place = spot.as_ref().map_or(String::new(), Spot::place);
        let excerpt = spot.as_ref().map_or(String::new(), Spot::excerpt);
        format!("{whence}:{place} {}{excerpt}", mismatch.message())
    }
}

impl Spot {
    fn place(&self) -> String {
        format!("{}:{}:", self.line, self.column)
    }

    /// The line with what is at fault marked, below the message.
    fn excerpt(&self) -> String {
        if self.text.trim().is_empty() {
            return String::new();
        }
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let (indent, caret) = (" ".repeat(self.indent), "^".repeat(self.width));
        format!("\n{margin} |\n{number} | {}\n{margin} | {indent}{caret}", self.text)
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match self.0.mismatch.hint_text() {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PlanError {}

/// The text of a plan and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the file is expected to hold: `plan`, `study`.
    pub kind: &'static str,
    /// What may be seen of it wherever it stands.
    pub keys: fn() -> &'static BTreeSet<String>,
    /// Its name in errors.
    pub file: &'a str,
    /// What is in it.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// What stands at `place`, quotes included.
    pub(crate) fn slice(&self, place: Option<Place>) -> &'a str {
        let bytes = place.and_then(|place| place.bytes);
        bytes
            .and_then(|(begin, length)| self.text.get(begin..begin + length))
            .unwrap_or_default()
    }

    /// An error at `place`. A mismatch about a part of the value points at that part, when the value stands in the
    /// file as it is and not in several lines or with escapes.
    pub(crate) fn error(&self, place: Option<Place>, value: &str, mismatch: Mismatch) -> PlanError {
        let spot = place.and_then(|place| self.spot(place, value, &mismatch));
        PlanError(Box::new(Inner {
            whence: self.file.to_owned(),
            spot,
            mismatch,
        }))
    }

    /// The line that `place` is on. A carriage return alone ends a line too, in YAML; the end of the file may lie on
    /// a line that has nothing on it.
    pub(crate) fn line(&self, place: Place) -> String {
        let text = self.text.replace("\r\n", "\n");
        text.split(['\n', '\r'])
            .nth(place.line.saturating_sub(1))
            .unwrap_or_default()
            .to_owned()
    }

    fn spot(&self, place: Place, value: &str, mismatch: &Mismatch) -> Option<Spot> {
        let slice = self.slice(Some(place));
        let quote = usize::from(slice.starts_with(['"', '\'']));
        let verbatim = slice.get(quote..).is_some_and(|rest| rest.starts_with(value));
        let (skip, width) = match &mismatch.part {
            Some(part) if verbatim => {
                let chars = |range| value.get(range).map_or(0, |text: &str| text.chars().count());
                (quote + chars(0..part.start), chars(part.clone()))
            }
            _ => (0, slice.lines().next().unwrap_or_default().chars().count()),
        };
        let begin = place.column.checked_sub(1)? + skip;
        let column = begin + 1;
        let (line, begin, width) = seen(&self.line(place), (self.keys)(), begin, width, mismatch.plain);
        let (text, indent) = excerpt(&line, begin);
        let rest = text.chars().count().saturating_sub(indent);
        Some(Spot {
            line: place.line,
            column,
            text,
            indent,
            width: width.min(rest).max(1),
        })
    }
}

/// What is shown of `line`, and where in it character `begin` stands: all of it, unless it is longer than a screen
/// is wide, as in a plan that a program wrote.
fn excerpt(line: &str, begin: usize) -> (String, usize) {
    const MOST_CHARS: usize = 160;
    const BEFORE: usize = 60;
    let chars: Vec<char> = line.chars().map(tame).collect();
    if chars.len() <= MOST_CHARS {
        return (chars.into_iter().collect(), begin);
    }
    let first = begin.saturating_sub(BEFORE).min(chars.len());
    let last = (first + MOST_CHARS).min(chars.len());
    let shown: String = chars[first..last].iter().collect();
    let (left, right) = (
        if first > 0 { "…" } else { "" },
        if last < chars.len() { "…" } else { "" },
    );
    (format!("{left}{shown}{right}"), begin - first + left.chars().count())
}

/// `c`, or a character of the same width that a terminal does not act on.
fn tame(c: char) -> char {
    match c {
        '\t' => ' ',
        c if printable(c).count() == 1 => c,
        _ => '\u{fffd}',
    }
}
