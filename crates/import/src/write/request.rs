//! A request in YAML.

use super::yaml::{block, is_seen, quoted, scalar, template};
use crate::journey::{Body, Request};
use crate::text::Text;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Value;
use std::collections::BTreeMap;

/// What cannot stand in the first line of a request.
const NOT_IN_PATH: &AsciiSet = &CONTROLS.add(b' ');
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"];
/// A value in braces that is longer is hard to read, and YAML has a limit for keys.
const LONGEST_FLOW: usize = 900;

/// The lines of a request; `names` are the names of variables in the plan. A line may be a block of several.
pub(super) fn lines(
    request: &Request,
    weight: u32,
    name: Option<&str>,
    names: &BTreeMap<String, String>,
    file: &dyn Fn(&str) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(name) = name {
        lines.push(format!("name: {}", scalar(name)));
    }
    if weight > 1 {
        lines.push(format!("weight: {weight}"));
    }
    let method = METHODS.iter().find(|known| known.eq_ignore_ascii_case(&request.method));
    let method = method.map_or(request.method.as_str(), |method| method);
    if method != "GET" {
        lines.push(format!("method: {}", scalar(method)));
    }
    lines.push(format!("path: {}", scalar(&template(&path(&request.url), names))));
    let mut body = body(&request.body, names, file);
    let headers = headers(request, names, &mut body);
    if !headers.is_empty() {
        lines.push("headers:".to_owned());
        lines.extend(headers);
    }
    lines.extend(body.map(|(key, value)| format!("{key}: {value}")));
    if !request.statuses.is_empty() {
        let statuses = request.statuses.join(", ");
        let statuses = if request.statuses.len() == 1 {
            statuses
        } else {
            format!("[{statuses}]")
        };
        lines.push(format!("expect: {{ status: {statuses} }}"));
    }
    lines
}

/// `lines` as an element of a list whose dashes stand behind `indent` blanks, or with `key` as a mapping under a key there.
pub(super) fn element(lines: &[String], indent: usize, key: Option<&str>) -> String {
    let blanks = " ".repeat(indent);
    let mut element = key.map_or_else(String::new, |key| format!("{blanks}- {key}:\n"));
    let deeper = if key.is_some() { "    " } else { "  " };
    for (index, line) in lines.iter().flat_map(|line| line.split('\n')).enumerate() {
        let lead = if index == 0 && key.is_none() { "- " } else { deeper };
        match line {
            "" => element.push('\n'),
            line => element.push_str(&format!("{blanks}{lead}{line}\n")),
        }
    }
    element
}

/// Without a fragment, and as it may stand in the first line of a request.
fn path(url: &Text) -> Text {
    let url = url.split_once('#').map_or_else(|| url.clone(), |(url, _)| url);
    let url = url.map(|literal| Text::literal(utf8_percent_encode(literal, NOT_IN_PATH).to_string()));
    match url.beginning().starts_with('/') {
        true => url,
        false => {
            let mut path = Text::literal("/");
            path.append(&url);
            path
        }
    }
}

/// Headers that the generator sends itself, as it has to.
pub(super) fn is_of_generator(name: &str) -> bool {
    ["content-length", "transfer-encoding", "connection"]
        .iter()
        .any(|own| name.eq_ignore_ascii_case(own))
}

/// Lines of headers; those of one name are one line.
fn headers(
    request: &Request,
    names: &BTreeMap<String, String>,
    body: &mut Option<(&'static str, String)>,
) -> Vec<String> {
    let mut gathered: Vec<(&str, Vec<String>)> = Vec::new();
    for (name, value) in &request.headers {
        let value = template(value, names);
        match gathered.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, values)) => values.push(value),
            None => gathered.push((name, vec![value])),
        }
    }
    // What `json` adds by itself.
    if let Some(("json", _)) = body {
        gathered
            .retain(|(name, values)| !(name.eq_ignore_ascii_case("content-type") && values == &["application/json"]));
    }
    let line = |(name, values): &(&str, Vec<String>)| {
        let values = match values.as_slice() {
            [value] => scalar(value),
            values => format!(
                "[{}]",
                values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", ")
            ),
        };
        format!("  {}: {values}", scalar(name))
    };
    gathered.iter().map(line).collect()
}

/// Its key and value.
fn body(
    body: &Body,
    names: &BTreeMap<String, String>,
    file: &dyn Fn(&str) -> String,
) -> Option<(&'static str, String)> {
    match body {
        Body::None => None,
        Body::File(path) => Some(("body_file", scalar(&file(path)))),
        Body::Text(text) if text.is_empty() => None,
        Body::Text(text) => {
            let written = template(text, names);
            Some(match as_json(&written, text) {
                Some(json) => ("json", json),
                None => ("body", block(&written).unwrap_or_else(|| scalar(&written))),
            })
        }
    }
}

/// JSON that `json` of a plan sends byte by byte as it is.
fn as_json(written: &str, text: &Text) -> Option<String> {
    let is_object = written.starts_with(['{', '[']) && written.len() <= LONGEST_FLOW;
    let json: Value = serde_json::from_str(written).ok().filter(|_| is_object)?;
    // A variable that is all of a text may become a number.
    let has_lists = text.variables().next().is_some();
    let again = json.to_string();
    let fits = again == written && !has_lists && written.chars().all(is_seen);
    fits.then(|| flow(&json))
}

/// JSON with blanks where a person puts them.
fn flow(json: &Value) -> String {
    match json {
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("{}: {}", key_text(key), flow(value));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

fn key_text(key: &str) -> String {
    let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word && scalar(key) == key {
        key.to_owned()
    } else {
        quoted(key)
    }
}
