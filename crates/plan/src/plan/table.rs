//! Tables of values, which files hold: each user has a row.

use crate::notation::mismatch::Mismatch;
use crate::notation::{Notation, keyword};
use schemars::{Schema, json_schema};
use std::fmt;
use std::sync::Arc;

/// A table whose rows are given out. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What the plan calls it: its columns are `${name.column}`.
    pub(crate) name: String,
    /// The file, as the plan names it.
    pub(crate) file: String,
    /// Which of the tables of the scenario it is.
    pub(crate) place: usize,
    pub(crate) order: RowOrder,
    pub(crate) once: bool,
    /// That of the plan, by which rows are shuffled.
    pub(crate) seed: u64,
    pub(crate) rows: Arc<Rows>,
}

impl Table {
    /// The file that it was read from, as the plan names it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Which of the tables of its scenario it is, from 0.
    #[must_use]
    pub const fn place(&self) -> usize {
        self.place
    }

    /// In which order its rows are given out.
    #[must_use]
    pub const fn order(&self) -> RowOrder {
        self.order
    }

    /// Whether each row is given out once, and not again from the first on.
    #[must_use]
    pub const fn once(&self) -> bool {
        self.once
    }

    /// By which rows are shuffled.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How many rows it has; none in a plan that was saved.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.rows.count() as u64
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub(crate) table: Table,
    /// Which of its columns it is.
    pub(crate) place: usize,
    /// As it stands between the quotes of a JSON string.
    pub(crate) in_json: bool,
}

impl Column {
    /// The table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Whether the whole table is told by it: each has one such column.
    pub(crate) fn is_first(&self) -> bool {
        self.place == 0 && !self.in_json
    }

    /// Appends the value in this row, from 0; nothing where there is no such row.
    pub(crate) fn append(&self, row: u64, out: &mut Vec<u8>) {
        let row = usize::try_from(row).ok();
        let value = row
            .and_then(|row| self.table.rows.value(row, self.place))
            .unwrap_or_default();
        if !self.in_json {
            out.extend_from_slice(value.as_bytes());
            return;
        }
        let begin = out.len();
        // A Vec takes everything, and text is JSON.
        if serde_json::to_writer(&mut *out, value).is_ok() {
            out.pop();
            out.remove(begin);
        }
    }
}

/// In which order the rows of a table are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowOrder {
    /// From the first to the last.
    #[default]
    InTurn,
    /// In an order that the seed of the plan decides, another one each time that all were given out.
    Shuffled,
    /// Each time any of them, whichever came before, as the seed of the plan decides.
    Random,
}

impl RowOrder {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::InTurn => "in turn",
            Self::Shuffled => "shuffled",
            Self::Random => "random",
        }
    }
}

impl Notation for RowOrder {
    const EXPECTED: &'static str = "`in turn`, `shuffled` or `random`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(
            text,
            &[Self::InTurn, Self::Shuffled, Self::Random].map(|order| (order.as_str(), order)),
        )
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["in turn", "shuffled", "random"] })
    }
}

/// The rows of a table, in one text: a field costs four bytes besides what is in it. They may be secrets, so that it prints how many
/// there are.
#[derive(Clone, Default)]
pub(crate) struct Rows {
    /// Names; at least one.
    pub(crate) columns: Vec<String>,
    /// All fields, row by row.
    text: String,
    /// Where each of them ends.
    ends: Vec<u32>,
    /// In which line of the file each row begins.
    lines: Vec<u32>,
}

impl Rows {
    /// None yet, of these columns.
    pub(crate) fn of(columns: Vec<String>) -> Self {
        Self {
            columns,
            ..Self::default()
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// The line of the file in which a row begins, from 1.
    pub(crate) fn line(&self, row: usize) -> u32 {
        self.lines.get(row).copied().unwrap_or_default()
    }

    pub(crate) fn value(&self, row: usize, column: usize) -> Option<&str> {
        let index = row * self.columns.len() + column;
        let end = *self.ends.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(begin as usize..end as usize)
    }

    /// All fields, row by row.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        let columns = self.columns.len().max(1);
        (0..self.ends.len()).map(move |index| self.value(index / columns, index % columns).unwrap_or_default())
    }

    /// Adds a row that begins in this line, with a field for each column.
    pub(crate) fn push(&mut self, line: u32, fields: impl IntoIterator<Item = impl AsRef<str>>) {
        for field in fields {
            self.text.push_str(field.as_ref());
            // Files are shorter.
            self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        }
        self.lines.push(line);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.lines.shrink_to_fit();
    }
}

/// What is in the file is no part of the plan, but for its columns.
impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns
    }
}

impl Eq for Rows {}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({} of {} columns)", self.count(), self.columns.len())
    }
}
