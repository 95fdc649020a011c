//! Values of scripts of Artillery: durations, shares, and what an expression takes.

use crate::expression::{Syntax, read};
use crate::holds::Holds;
use crate::journey::TakeFrom;
use crate::made;
use crate::read::json::{entries, list, scalar};
use crate::secrets::Environment;
use crate::text::{Piece, Text, Values};
use plimsoll_plan::{Pause, Relation};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// Whether a text has no variables.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains("{{")
}

/// A value as texts: one, or those of a list.
pub(super) fn texts(of: &Value) -> Option<Vec<Text>> {
    let text = |value: &Value| scalar(value).map(|text| Text::with_braces(&text));
    match of {
        Value::Array(values) => values.iter().map(text).collect(),
        value => text(value).map(|text| vec![text]),
    }
}

/// Variables with one text, where nothing in the script gives them another one. Functions may do that to any.
pub(super) fn constants(document: &Value) -> Values {
    fn set(of: &Value, names: &mut BTreeSet<String>) {
        for (key, value) in entries(of) {
            if matches!(key, "as" | "fields" | "loopElement" | "loopValue") {
                names.extend(list(value).filter_map(scalar).chain(scalar(value)));
            }
            set(value, names);
        }
        list(of).for_each(|inner| set(inner, names));
    }
    let config = &document["config"];
    let mut names = BTreeSet::new();
    set(document, &mut names);
    let text = |(name, value): (&str, &Value)| Some((name.to_owned(), Text::literal(scalar(value)?)));
    let is_constant = |name: &String, text: &Text| {
        let value = text.as_literal().unwrap_or_default();
        !names.contains(name) && is_plain(value) && !Environment::hides_list(name, &[value.to_owned()])
    };
    match config["processor"].is_null() {
        true => entries(&config["variables"])
            .filter_map(text)
            .filter(|(name, text)| is_constant(name, text))
            .collect(),
        false => Values::new(),
    }
}

/// A share of users in per cent, as a number or with its sign.
pub(super) fn percent(of: &Value) -> Option<f64> {
    let text = scalar(of)?;
    let percent: f64 = text.trim().trim_end_matches('%').parse().ok()?;
    (percent > 0.0 && percent <= 100.0).then_some(percent)
}

/// What a request is sent on; a value alone has to be one that counts as true. `None` of a condition that no plan has.
pub(super) fn condition(of: &Value) -> Option<Holds> {
    let is_true = |value: Text| {
        let falsy = ["", "0", "false"].into_iter();
        let each = falsy.map(|text| Holds::compared(value.clone(), Relation::IsNot, Text::literal(text)));
        each.fold(Holds::Always, Holds::and)
    };
    read(scalar(of)?.trim(), Syntax::Names, &is_true)
}

/// What a capture by an expression takes: all of the first match, unless it names a group.
pub(super) fn expression(capture: &Value) -> TakeFrom {
    let flags = match capture["flags"].as_str().unwrap_or_default() {
        // What is searched for more than once is found the first time.
        "" | "g" => "",
        "i" | "gi" | "ig" => "(?i)",
        _ => return TakeFrom::Other,
    };
    let group = match &capture["group"] {
        Value::Null => Some(0),
        group => scalar(group).and_then(|group| group.parse().ok()),
    };
    match (capture["regexp"].as_str(), group) {
        (Some(expression), Some(group)) => TakeFrom::Regex(format!("{flags}{expression}"), group),
        _ => TakeFrom::Other,
    }
}

/// `{{ $randomNumber(1, 5) }}` seconds.
pub(super) fn random_seconds(of: &Value) -> Option<Pause> {
    let text = Text::with_braces(of.as_str()?.trim());
    let [Piece::Variable(call)] = text.pieces() else {
        return None;
    };
    let (from, to) = made::artillery(call)?.numbers()?;
    Some(Pause::Between {
        from: Duration::from_secs(from),
        to: Duration::from_secs(to),
    })
}

/// Seconds, or a number and its unit.
pub(super) fn duration(of: &Value) -> Option<Duration> {
    let text = scalar(of)?;
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = match text[end..].trim() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "milliseconds" => 0.001,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3_600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * unit).ok()
}
