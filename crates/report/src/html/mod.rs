//! Findings as one page that needs nothing but a browser.
//!
//! The page is given two things: the findings, which its charts draw, and what it says, as a [`Document`]. So it has no words and
//! no verdicts of its own.

mod comparison;
mod diagnosis;
mod document;
mod instances;
mod kinds;
mod listing;
mod neighbours;
mod parts;
mod run;
mod scaling;

use crate::json::{self, Texts};
use document::Document;
use plimsoll_findings::Findings;
use serde::Serialize;
use serde_json::Value;

/// Built by `npm run build -w report-ui`.
const PAGE: &str = include_str!("../../assets/report.html");

/// Each stands once in the page, inside a `<script type="application/json">`.
const FINDINGS: &str = "\"plimsoll:findings\"";
const DOCUMENT: &str = "\"plimsoll:document\"";

/// Findings that have a page.
pub(crate) trait Paged {
    /// What it says.
    fn document(&self) -> Document;
}

/// The report page with the findings inside.
#[must_use]
pub fn html(findings: &Findings) -> String {
    page(findings)
}

/// The page with `findings` of any kind inside.
pub(crate) fn page(findings: &(impl Serialize + Texts + Paged)) -> String {
    let document = json::line(&findings.document());
    // The document first: findings may hold any text.
    PAGE.replacen(DOCUMENT, &inert(&document), 1)
        .replacen(FINDINGS, &inert(&json::compact(findings)), 1)
}

/// The JSON Schema (draft 2020-12) of what a page says, by which the types of its script are written.
#[must_use]
pub fn document_schema() -> Value {
    schemars::schema_for!(Document).to_value()
}

/// JSON that an HTML parser cannot mistake for markup: `</script>` and `<!--` would end or change the element that
/// holds it. These characters occur only inside strings, where JSON allows their escapes.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_each_of_its_data() {
        assert_eq!(PAGE.matches(FINDINGS).count(), 1);
        assert_eq!(PAGE.matches(DOCUMENT).count(), 1);
    }

    #[test]
    fn markup_in_data_is_inert_and_survives() {
        let hostile = serde_json::json!({"</script>": "<!-- <script> ]]> & \u{2028}"}).to_string();
        let safe = inert(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        let back: Value = serde_json::from_str(&safe).expect("still JSON");
        assert_eq!(back.to_string(), hostile);
    }
}
