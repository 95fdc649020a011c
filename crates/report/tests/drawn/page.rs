//! What is inside of the page.

use plimsoll_report::Report;
use serde_json::Value;

/// Where the page holds its findings, or what it says: from the end of the opening tag to the first thing that a browser takes for
/// the closing one.
pub(crate) fn data_range(page: &str, id: &str) -> std::ops::Range<usize> {
    let open = format!(r#"<script type="application/json" id="{id}">"#);
    let start = page.find(&open).expect("the page has a place for it") + open.len();
    let length = page[start..].find("</script").expect("that place ends");
    start..start + length
}

/// What the page says, as JSON to be read.
pub(crate) fn document(report: &impl Report) -> String {
    let (_, page) = report.page();
    let document: Value = serde_json::from_str(&page[data_range(&page, "document")]).expect("JSON");
    format!("{document:#}\n")
}
