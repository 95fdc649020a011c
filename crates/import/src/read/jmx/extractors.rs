//! What extractors of JMeter take out of a response.

use super::properties::property;
use crate::journey::TakeFrom;
use crate::read::xml::Element;

/// Of an extractor by boundaries; both have to be there.
pub(super) fn between(element: &Element) -> TakeFrom {
    let bound = |name| {
        property(element, name)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    match (
        bound("BoundaryExtractor.lboundary"),
        bound("BoundaryExtractor.rboundary"),
    ) {
        (Some(after), Some(before)) => TakeFrom::Between(after, before),
        _ => TakeFrom::Other,
    }
}

/// Which match an extractor takes: by chance at 0, and all of them at -1.
pub(super) fn match_number(element: &Element) -> Option<&str> {
    let names = ["RegexExtractor.match_number", "JSONPostProcessor.match_numbers"];
    names.iter().find_map(|name| property(element, name)).map(str::trim)
}

/// Of an extractor by an expression: matches in the body, and one group of them.
pub(super) fn expression(element: &Element) -> TakeFrom {
    let of = |name: &str| property(element, &format!("RegexExtractor.{name}")).unwrap_or_default();
    let group = of("template").strip_prefix('$').and_then(|rest| rest.strip_suffix('$'));
    let is_known = matches!(of("match_number"), "" | "0" | "1" | "-1");
    let is_of_body = matches!(of("useHeaders"), "" | "false");
    match group.and_then(|group| group.parse().ok()) {
        Some(group) if is_known && is_of_body => TakeFrom::Regex(of("regex").to_owned(), group),
        _ => TakeFrom::Other,
    }
}
