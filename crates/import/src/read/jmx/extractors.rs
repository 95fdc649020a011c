//! What extractors of JMeter take out of a response.

use super::assertions::escaped;
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

/// What is otherwise where entities of HTML are characters for an extractor.
pub(super) const AS_IS: &str = "the plan looks at it as it is written: `&amp;` stays `&amp;`";

pub(super) fn is_unescaped(element: &Element) -> bool {
    property(element, "RegexExtractor.useHeaders") == Some("unescaped")
}

/// Of an extractor by an expression: matches in the body, and one group of them.
pub(super) fn expression(element: &Element) -> TakeFrom {
    let of = |name: &str| property(element, &format!("RegexExtractor.{name}")).unwrap_or_default();
    let group = of("template").strip_prefix('$').and_then(|rest| rest.strip_suffix('$'));
    let is_known = matches!(of("match_number"), "" | "0" | "1" | "-1");
    let headers = if is_unescaped(element) { "" } else { of("useHeaders") };
    match (headers, group.and_then(|group| group.parse().ok())) {
        ("" | "false", Some(group)) if is_known => TakeFrom::Regex(of("regex").to_owned(), group),
        ("true", Some(1)) if matches!(of("match_number"), "" | "1") => header(of("regex")),
        _ => TakeFrom::Other,
    }
}

/// `Location: (.*)` is all that a header has.
fn header(expression: &str) -> TakeFrom {
    let all = ["(.*)", "(.+)", "(.*)$", "(.+)$", "(.+?)$", "(.*?)$"];
    let of_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match expression.trim_start_matches('^').split_once(':') {
        Some((name, value)) if of_name(name) => {
            let value = ["\\s*", "\\s+", "\\s"]
                .iter()
                .find_map(|blank| value.strip_prefix(blank))
                .unwrap_or(value);
            match all.contains(&value.trim()) {
                true => TakeFrom::Header(name.to_owned()),
                false => TakeFrom::Other,
            }
        }
        _ => TakeFrom::Other,
    }
}

/// Of an extractor of a plugin by a path of JSON.
pub(super) fn path(element: &Element) -> TakeFrom {
    let path = property(element, "JSONPATH").filter(|path| !path.is_empty());
    match (property(element, "SUBJECT"), path) {
        (None | Some("" | "BODY"), Some(path)) if path.starts_with('$') => TakeFrom::Json(path.to_owned()),
        (None | Some("" | "BODY"), Some(path)) => TakeFrom::Json(format!("$.{path}")),
        _ => TakeFrom::Other,
    }
}

/// How a plan takes what is found by XPath.
pub(super) const AS_WRITTEN: &str = "the plan finds it by an expression, as it is written: `&amp;` stays `&amp;`, and attributes are in the order of the path";

/// Of an extractor by XPath, for one value of a page.
pub(super) fn of_xpath(element: &Element) -> TakeFrom {
    let of = |name: &str| {
        let found = ["XPathExtractor", "XPathExtractor2"].iter();
        let mut found = found.filter_map(|kind| property(element, &format!("{kind}.{name}")));
        found.next().unwrap_or_default()
    };
    match of("matchNumber") {
        "" | "-1" | "0" | "1" if of("fragment") != "true" => xpath(of("xpathQuery")),
        _ => TakeFrom::Other,
    }
}

/// Of an extractor by XPath, where it is the text of the first element of a name or one of its attributes: by an expression that finds it as it is written.
pub(super) fn xpath(query: &str) -> TakeFrom {
    let Some(rest) = query.trim().strip_prefix("//") else {
        return TakeFrom::Other;
    };
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let attribute = |of: &str| format!(r#"<{of}\b[^>]*?"#);
    let is = |name: &str| format!(r#"\s{name}\s*=\s*["']"#);
    let (element, found) = rest.split_once('/').unwrap_or((rest, "text()"));
    let (element, with) = match element.strip_suffix("']").or_else(|| element.strip_suffix("\"]")) {
        None => (element, String::new()),
        Some(condition) => {
            let parts = condition.split_once("[@").and_then(|(element, with)| {
                let (name, value) = with.split_once('=')?;
                Some((element, name.trim(), value.trim().get(1..)?))
            });
            match parts {
                Some((element, name, value)) if is_name(name) && is_plain(value) => {
                    (element, format!(r#"{}{}["'][^>]*?"#, is(name), escaped(value)))
                }
                _ => return TakeFrom::Other,
            }
        }
    };
    if !is_name(element) {
        return TakeFrom::Other;
    }
    match found.strip_prefix('@') {
        Some(name) if is_name(name) => {
            TakeFrom::Regex(format!(r#"(?i){}{with}{}([^"']*)"#, attribute(element), is(name)), 1)
        }
        None if found == "text()" && with.is_empty() => {
            TakeFrom::Regex(format!(r"<{element}(?:\s[^>]*)?>([^<]*)</{element}>"), 1)
        }
        _ => TakeFrom::Other,
    }
}

/// Whether a value is the same in a page as in an expression on it.
fn is_plain(value: &str) -> bool {
    !value.is_empty() && !value.contains(['&', '<', '>', '"', '\'', '$', '[', ']'])
}
