//! Findings as one page that needs nothing but a browser.

use crate::json::{self, Texts};
use plimsoll_findings::Findings;
use serde::Serialize;

/// Built by `npm run build -w report-ui`.
const PAGE: &str = include_str!("../assets/report.html");

/// Stands once in the page, inside a `<script type="application/json">`.
const PLACEHOLDER: &str = "\"plimsoll:findings\"";

/// The report page with the findings inside.
#[must_use]
pub fn html(findings: &Findings) -> String {
    page(findings)
}

/// The page with `findings` of any kind inside; their format tells it what to draw.
pub(crate) fn page(findings: &(impl Serialize + Texts)) -> String {
    PAGE.replacen(PLACEHOLDER, &inert(&json::compact(findings)), 1)
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
    fn the_page_has_one_place_for_the_findings() {
        assert_eq!(PAGE.matches(PLACEHOLDER).count(), 1);
    }

    #[test]
    fn markup_in_data_is_inert_and_survives() {
        let hostile = serde_json::json!({"</script>": "<!-- <script> ]]> & \u{2028}"}).to_string();
        let safe = inert(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        let back: serde_json::Value = serde_json::from_str(&safe).expect("still JSON");
        assert_eq!(back.to_string(), hostile);
    }
}
