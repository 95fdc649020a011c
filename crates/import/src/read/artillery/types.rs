//! Types of values in JSON: a text that is nothing but a variable is sent as what the variable has, such as a number.

use super::Reader;
use crate::left_out::Place;
use crate::read::json::{entries, list};
use crate::text::{Piece, Text};
use plimsoll_plan::is_number;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a variable has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Has {
    /// Numbers or truth values alone.
    Numbers,
    /// What a response has in its JSON.
    Any,
}

/// The variables of a script that may have something else than texts, by their names.
pub(super) fn of(document: &Value) -> BTreeMap<String, Has> {
    let of_config = entries(&document["config"]["variables"]).filter(|(_, value)| are_numbers(value));
    let mut found: BTreeMap<_, _> = of_config.map(|(name, _)| (name.to_owned(), Has::Numbers)).collect();
    given(document, &mut found);
    found
}

/// What captures and loops give values.
fn given(of: &Value, found: &mut BTreeMap<String, Has>) {
    if let (Some(name), true) = (of["as"].as_str(), of["json"].is_string()) {
        found.insert(name.to_owned(), Has::Any);
    }
    if of["loop"].is_array() {
        let named = |key: &str, usual: &str| of[key].as_str().unwrap_or(usual).to_owned();
        found.insert(named("loopValue", "$loopCount"), Has::Numbers);
        let has = match &of["over"] {
            over @ Value::Array(_) if are_numbers(over) => Some(Has::Numbers),
            Value::String(name) => found.get(name).copied(),
            _ => None,
        };
        if let Some(has) = has {
            found.insert(named("loopElement", "$loopElement"), has);
        }
    }
    entries(of).for_each(|(_, inner)| given(inner, found));
    list(of).for_each(|inner| given(inner, found));
}

/// Whether a value, or each of a list, is a number or a truth value.
fn are_numbers(value: &Value) -> bool {
    let is_one = |value: &Value| value.is_number() || value.is_boolean();
    is_one(value) || list(value).next().is_some() && list(value).all(is_one)
}

/// Whether texts of a table are numbers as JSON has them; `007` and `+1` are none.
pub(super) fn are_written_numbers(values: &[String]) -> bool {
    let is_one = |text: &String| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let begins = digits == "0" || digits.starts_with("0.") || digits.starts_with(|c| ('1'..='9').contains(&c));
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        begins && is_plain && !digits.ends_with('.') && is_number(text.as_bytes())
    };
    values.iter().all(is_one)
}

impl Reader {
    /// A body in JSON.
    pub(super) fn json(&mut self, place: &Place, of: &Value) -> Text {
        let mut alone = Vec::new();
        each_variable(of, &mut alone);
        let mut text = of.to_string();
        for (written, name) in alone {
            match self.types.get(&name) {
                Some(Has::Numbers) => text = text.replace(&format!("\"{written}\""), &written),
                Some(Has::Any) => self.journeys.leave_out(
                    &place.key("json"),
                    format!("the type of `{name}`"),
                    "the plan sends it as a text; where the response has a number, take the quotes away",
                ),
                None => {}
            }
        }
        Text::with_braces(&text)
    }
}

/// Texts that are nothing but a variable, with its name.
fn each_variable(of: &Value, found: &mut Vec<(String, String)>) {
    if let Some(written) = of.as_str()
        && let [Piece::Variable(name)] = Text::with_braces(written).pieces()
        && !found.iter().any(|(known, _)| known == written)
    {
        found.push((written.to_owned(), name.clone()));
    }
    entries(of).for_each(|(_, inner)| each_variable(inner, found));
    list(of).for_each(|inner| each_variable(inner, found));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tables_are_those_of_json() {
        for (text, is_number) in [
            ("0", true),
            ("-12", true),
            ("0.5", true),
            ("19.90", true),
            ("007", false),
            ("+1", false),
            (" 1", false),
            ("1.", false),
            ("1.2.3", false),
            ("", false),
            ("-", false),
        ] {
            assert_eq!(are_written_numbers(&[text.to_owned()]), is_number, "{text}");
        }
    }
}
