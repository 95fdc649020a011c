//! Words for source lines and their times.

use crate::figures::{length_s, number, share};
use plimsoll_findings::{ListedLine, Listing, Listings};

/// Title of the listings.
pub(crate) const LISTINGS: &str = "Costliest functions, line by line";
/// Title of the costliest one alone.
pub(crate) const LISTING: &str = "Costliest function";
/// Heads of the columns before the text.
pub(crate) const LISTING_HEADS: [&str; 2] = ["ms", "line"];
/// What stands for lines that are left out.
pub(crate) const LEFT_OUT: &str = "⋯";

/// Lines of the costliest function that are worth their space where there is little.
const FEW: usize = 5;

/// What the figures are of.
pub(crate) fn listings_of(listings: &Listings) -> String {
    format!(
        "time of the main threads in each function by itself, over {} of the CPU profile; what a line calls has lines of its own, but \
         for builtins such as JSON.parse",
        length_s(listings.over_s)
    )
}

/// `app.js:12 (render)`.
pub(crate) fn listing_title(of: &Listing) -> String {
    let function = match of.function.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    format!("{}:{}{function}", of.file, of.line)
}

/// `143 ms, 23 % of the busy time`.
pub(crate) fn listing_costs(of: &Listing) -> String {
    format!("{} ms, {} of the busy time", number(of.ms), share(of.share))
}

/// A row of a listing.
pub(crate) struct ListingRow {
    /// Empty where the line took no time.
    pub(crate) ms: String,
    pub(crate) line: String,
    pub(crate) text: String,
    /// Its time as a share of that of the costliest line.
    pub(crate) heat: f64,
    /// Lines before it are left out.
    pub(crate) after_gap: bool,
}

/// The lines of a function, without the blanks that all of them begin with.
pub(crate) fn listing_rows(of: &Listing) -> Vec<ListingRow> {
    rows(&of.lines.iter().collect::<Vec<_>>())
}

/// The few costliest of them, in their order.
pub(crate) fn few_listing_rows(of: &Listing) -> Vec<ListingRow> {
    let mut costliest: Vec<&ListedLine> = of.lines.iter().filter(|line| line.ms > 0.0).collect();
    costliest.sort_by(|a, b| b.ms.total_cmp(&a.ms));
    costliest.truncate(FEW);
    costliest.sort_by_key(|line| line.line);
    rows(&costliest)
}

fn rows(lines: &[&ListedLine]) -> Vec<ListingRow> {
    let most_ms = lines.iter().map(|line| line.ms).fold(0.0, f64::max);
    let blank = |line: &ListedLine| line.text.len() - line.text.trim_start_matches(' ').len();
    let written = lines.iter().filter(|line| !line.text.trim().is_empty());
    let indent = written.map(|line| blank(line)).min().unwrap_or(0);
    let mut before: Option<u32> = None;
    let rows = lines.iter().map(|line| {
        let follows = before.is_none_or(|before| before.checked_add(1) == Some(line.line));
        before = Some(line.line);
        ListingRow {
            ms: if line.ms > 0.0 { number(line.ms) } else { String::new() },
            line: line.line.to_string(),
            text: line.text.get(indent..).unwrap_or_default().to_owned(),
            heat: if most_ms > 0.0 { line.ms / most_ms } else { 0.0 },
            after_gap: !follows,
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lose_what_all_lines_begin_with() {
        let line = |line, text: &str, ms| ListedLine {
            line,
            text: text.to_owned(),
            ms,
        };
        let listing = Listing {
            function: String::new(),
            file: "a.js".to_owned(),
            line: 3,
            package: None,
            ms: 5.0,
            share: 0.5,
            lines: vec![
                line(3, "  a(() => {", 0.0),
                line(4, "", 0.0),
                line(5, "    b();", 4.0),
                line(9, "    c();", 1.0),
            ],
        };
        let shown = |rows: Vec<ListingRow>| -> Vec<(String, String, f64, bool)> {
            let row = |row: ListingRow| (row.ms, row.text, row.heat, row.after_gap);
            rows.into_iter().map(row).collect()
        };
        let row = |ms: &str, text: &str, heat, gap| (ms.to_owned(), text.to_owned(), heat, gap);
        assert_eq!(
            shown(listing_rows(&listing)),
            [
                row("", "a(() => {", 0.0, false),
                row("", "", 0.0, false),
                row("4", "  b();", 1.0, false),
                row("1", "  c();", 0.25, true)
            ]
        );
        assert_eq!(
            shown(few_listing_rows(&listing)),
            [row("4", "b();", 1.0, false), row("1", "c();", 0.25, true)]
        );
        assert_eq!(listing_title(&listing), "a.js:3");
    }
}
