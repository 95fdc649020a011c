//! What users take out of responses, and what makes these correct, as a plan has it.

use super::taken::{keep_last, read, seconds};
use super::yaml::{quoted, template};
use crate::journey::{CheckOf, Expected, Journeys, Sequence, Take, TakeFrom};
use crate::left_out::LeftOut;
use crate::target::each_request;
use crate::text::{Piece, Text};
use std::collections::BTreeMap;

/// Leaves out what no plan checks in a response, or takes out of it.
pub(super) fn settle(journeys: &mut Journeys, sequences: &mut [Sequence]) {
    each_request(sequences, &mut |request| {
        request.checks.retain(|one| {
            let mut of = one.of.clone();
            // Which names variables have in the plan is known only later.
            if let Some(text) = of.text_mut() {
                *text = with_any_values(text);
            }
            let alone = format!(
                "target: http://127.0.0.1:1\nscenario:\n  journeys:\n    - actions: [request: {{ path: /, check: [{}] }}]\n",
                check(&of, &BTreeMap::new())
            );
            let refused = read(&alone).err();
            if let Some(error) = &refused {
                let why = format!("a plan refuses it: {}", error.mismatch().message());
                journeys.left_out.push(LeftOut::new(&one.place, one.what.clone(), why));
            }
            refused.is_none()
        });
        for take in &mut request.takes {
            let why = match value(take) {
                None => Some(
                    "plans take values of JSON and headers, and of texts by what is around them or by an expression"
                        .to_owned(),
                ),
                Some(value) => {
                    let alone = format!(
                        "target: http://127.0.0.1:1\nscenario:\n  journeys:\n    - actions: [request: {{ path: /, take: {{ x: {value} }} }}]\n"
                    );
                    read(&alone)
                        .err()
                        .map(|error| format!("a plan refuses it: {}", error.mismatch().message()))
                }
            };
            if let Some(why) = why {
                take.from = TakeFrom::Other;
                let what = format!("`{}` from a response", take.variable);
                journeys.left_out.push(LeftOut::new(&take.place, what, why));
            }
        }
        keep_last(journeys, &mut request.takes);
        true
    });
}

/// Where a plan has a value from; `None` of what it cannot take.
pub(super) fn value(take: &Take) -> Option<String> {
    match &take.from {
        TakeFrom::Json(path) => Some(format!("{{ json: {} }}", quoted(path))),
        TakeFrom::Header(name) => Some(format!("{{ header: {} }}", quoted(name))),
        TakeFrom::Between(after, before) => Some(format!(
            "{{ between: {{ after: {}, before: {} }} }}",
            quoted(after),
            quoted(before)
        )),
        TakeFrom::Regex(expression, group) => {
            let all = if take.all { ", all: true" } else { "" };
            Some(format!("{{ regex: {}, group: {group}{all} }}", quoted(expression)))
        }
        TakeFrom::Other => None,
    }
}

/// A text with something in the place of each variable.
fn with_any_values(text: &Text) -> Text {
    let mut made = Text::default();
    for piece in text.pieces() {
        match piece {
            Piece::Variable(_) => made.push_str("x"),
            piece => made.push(piece.clone()),
        }
    }
    made
}

/// A check as a plan has it.
pub(super) fn check(of: &CheckOf, names: &BTreeMap<String, String>) -> String {
    let text = |text: &Text| quoted(&template(text, names));
    let is = |expected: &Expected| match expected {
        Expected::Any => String::new(),
        Expected::Is(is) => format!(", is: {}", text(is)),
        Expected::IsNot(is) => format!(", is not: {}", text(is)),
    };
    match of {
        CheckOf::Json(path, expected) => format!("{{ json: {}{} }}", quoted(path), is(expected)),
        CheckOf::Header(name, expected) => format!("{{ header: {}{} }}", quoted(name), is(expected)),
        CheckOf::Body(part) => format!("{{ body: {} }}", text(part)),
        CheckOf::Lacks(part) => format!("{{ lacks: {} }}", text(part)),
        CheckOf::Matches(expression) => format!("{{ matches: {} }}", quoted(expression)),
        CheckOf::Time(most) => format!("{{ time: {} }}", seconds(*most)),
        CheckOf::Size(least, most) => {
            let bound = |key: &str, bytes: Option<u64>| bytes.map(|bytes| format!("{key}: {bytes}"));
            let bounds: Vec<String> = bound("at least", *least)
                .into_iter()
                .chain(bound("at most", *most))
                .collect();
            format!("{{ size: {{ {} }} }}", bounds.join(", "))
        }
    }
}
