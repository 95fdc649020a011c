//! The lines of a function with their times, as the page draws them.

use crate::words;
use plimsoll_findings::Listing;
use schemars::JsonSchema;
use serde::Serialize;

/// A function with the time of its lines.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ListingText {
    /// File, line and name.
    pub(crate) title: String,
    /// What it costs.
    pub(crate) costs: String,
    /// Heads of the time, of the number of the line, and of its text, for screen readers.
    pub(crate) heads: [String; 3],
    /// The lines.
    pub(crate) lines: Vec<ListingLine>,
}

/// A line of a function.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ListingLine {
    /// Its time; empty where it took none.
    pub(crate) time: String,
    /// Its number.
    pub(crate) line: String,
    /// Its text.
    pub(crate) text: String,
    /// Its time as a share of that of the costliest line, 0 to 1.
    pub(crate) heat: f64,
    /// Lines before it are left out.
    pub(crate) after_gap: bool,
}

pub(super) fn listing(of: &Listing) -> ListingText {
    let [ms, line] = words::LISTING_HEADS;
    let lines = words::listing_rows(of).into_iter().map(|row| ListingLine {
        time: row.ms,
        line: row.line,
        text: row.text,
        // As fine as it can be drawn.
        heat: (row.heat * 100.0).round() / 100.0,
        after_gap: row.after_gap,
    });
    ListingText {
        title: words::listing_title(of),
        costs: words::listing_costs(of),
        heads: [ms, line, "text"].map(str::to_owned),
        lines: lines.collect(),
    }
}
