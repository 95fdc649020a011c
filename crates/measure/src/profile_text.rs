//! What the text of the service's code says of the lines in a profile.

use crate::compiler::Compiler;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Text of lines, by file and line; secrets in it are hidden.
pub type Texts = BTreeMap<String, BTreeMap<u32, String>>;

/// What the text says, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileText {
    /// Lines with time that make something costly. What they make has no frames, so its time is that of the line.
    pub makes: Vec<MakingLine>,
    /// Lines of the costliest functions.
    pub lines: Texts,
    /// Files of the service that were compiled and have no source map.
    pub compiled: BTreeMap<String, Compiler>,
}

impl ProfileText {
    /// Takes in what is said of another profile.
    pub(crate) fn merge(&mut self, other: &Self) {
        for line in &other.makes {
            if !self.makes.contains(line) {
                self.makes.push(line.clone());
            }
        }
        self.compiled
            .extend(other.compiled.iter().map(|(file, by)| (file.clone(), *by)));
        for (file, lines) in &other.lines {
            let mine = self.lines.entry(file.clone()).or_default();
            mine.extend(lines.iter().map(|(line, text)| (*line, text.clone())));
        }
    }
}

/// A line with time that makes something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MakingLine {
    /// Path, as in the frames of the profile.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What it makes.
    pub makes: Makes,
}

/// What a line makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Makes {
    /// A regular expression, by `RegExp`.
    Expression,
    /// The program of an expression that is used for the first time.
    ExpressionUse,
    /// An error with its stack, or the text of one.
    Stack,
    /// A formatter of `Intl`, or a text by one.
    Formatter,
    /// The first text by a formatter.
    FormatterUse,
    /// JSON, or what it says.
    Json,
    /// What a regular expression matches. Only expressions that V8 compiles while it profiles have frames.
    Match,
}
