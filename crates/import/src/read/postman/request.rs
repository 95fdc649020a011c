//! Requests of Postman: URL, headers and body.

use super::Around;
use super::auth::authorize;
use crate::journey::{Body, Journeys, Request};
use crate::left_out::Place;
use crate::read::json::{list, scalar};
use crate::read::multipart::{self, Part};
use crate::read::query;
use crate::text::Text;
use serde_json::Value;

/// Methods that Postman sends without a body, whatever a collection has left of one.
const WITHOUT_BODY: [&str; 5] = ["GET", "COPY", "HEAD", "PURGE", "UNLOCK"];

/// A request, which may be its URL alone.
pub(super) fn request(journeys: &mut Journeys, place: &Place, of: &Value, around: &Around<'_>) -> Option<Request> {
    let url = match of.as_str().or(of["url"].as_str()) {
        Some(url) => Text::with_braces(url),
        None => url_of(&of["url"]),
    };
    if url.is_empty() {
        journeys.leave_out(place, "a request", "it has no URL");
        return None;
    }
    let method = of["method"].as_str().unwrap_or("GET");
    let mut request = Request::new(place.clone(), method, url);
    request.headers = headers(&of["header"]);
    if around.prunes_bodies && WITHOUT_BODY.iter().any(|known| method.eq_ignore_ascii_case(known)) {
        if has_content(&of["body"]) {
            let why = format!("Postman sends no body with {method}");
            journeys.leave_out(&place.key("request.body"), "a body", why);
        }
    } else {
        body(journeys, place, &mut request, &of["body"]);
    }
    if let Some(auth) = around.auth {
        authorize(journeys, place, &mut request, auth);
    }
    Some(request)
}

/// Headers, as a list of names and values or in lines.
fn headers(of: &Value) -> Vec<(String, Text)> {
    let header = |name: &str, value: &str| {
        let name = name.trim();
        (!name.is_empty()).then(|| (name.to_owned(), Text::with_braces(value.trim())))
    };
    let listed = list(of).filter(|header| header["disabled"] != true);
    let listed = listed.filter_map(|entry| header(entry["key"].as_str()?, &scalar(&entry["value"])?));
    let lines = of.as_str().unwrap_or_default().lines();
    let in_lines = lines.filter_map(|line| line.split_once(':').and_then(|(name, value)| header(name, value)));
    listed.chain(in_lines).collect()
}

/// Whether there is something in a body.
fn has_content(body: &Value) -> bool {
    let content = body["mode"].as_str().map_or(&Value::Null, |mode| &body[mode]);
    let is_some = match content {
        Value::String(text) => !text.is_empty(),
        Value::Array(parts) => parts.iter().any(|part| part["disabled"] != true),
        Value::Object(parts) => parts.values().any(|part| part.as_str() != Some("")),
        _ => false,
    };
    is_some && body["disabled"] != true
}

/// `raw` without the queries that are switched off, and with the values of `:name` in its path.
fn url_of(url: &Value) -> Text {
    let raw = url["raw"].as_str().map_or_else(|| assembled(url), str::to_owned);
    let queries: Vec<&Value> = list(&url["query"]).collect();
    let raw = match raw.split_once('?') {
        Some((path, _)) if queries.iter().any(|query| query["disabled"] == true) => {
            let pair = |query: &&Value| {
                let name = query["key"].as_str().unwrap_or_default();
                match scalar(&query["value"]) {
                    Some(value) => format!("{name}={value}"),
                    None => name.to_owned(),
                }
            };
            let on: Vec<String> = queries
                .iter()
                .filter(|query| query["disabled"] != true)
                .map(pair)
                .collect();
            if on.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", on.join("&"))
            }
        }
        _ => raw,
    };
    let (path, query) = raw
        .split_once('?')
        .map_or((raw.as_str(), None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1) {
        let Some(name) = part.strip_prefix(':').filter(|name| !name.is_empty()) else {
            continue;
        };
        let value = list(&url["variable"]).find(|variable| variable["key"] == name || variable["id"] == name);
        let value = value
            .and_then(|variable| scalar(&variable["value"]))
            .filter(|value| !value.is_empty());
        *part = value.unwrap_or_else(|| format!("{{{{{name}}}}}"));
    }
    let path = parts.join("/");
    Text::with_braces(&query.map_or(path.clone(), |query| format!("{path}?{query}")))
}

/// A URL that is written in its parts alone.
fn assembled(url: &Value) -> String {
    let joined = |of: &Value, by: &str| match of {
        Value::String(text) => text.clone(),
        of => list(of)
            .filter_map(|part| scalar(part).or_else(|| scalar(&part["value"])))
            .collect::<Vec<_>>()
            .join(by),
    };
    let host = joined(&url["host"], ".");
    if host.is_empty() {
        return String::new();
    }
    let mut text = url["protocol"]
        .as_str()
        .map(|protocol| format!("{protocol}://"))
        .unwrap_or_default()
        + &host;
    if let Some(port) = scalar(&url["port"]) {
        text += &format!(":{port}");
    }
    let path = joined(&url["path"], "/");
    text += &format!("/{}", path.trim_start_matches('/'));
    let pairs = list(&url["query"])
        .filter_map(|query| Some(format!("{}={}", query["key"].as_str()?, scalar(&query["value"])?)));
    let pairs: Vec<String> = pairs.collect();
    if pairs.is_empty() {
        text
    } else {
        format!("{text}?{}", pairs.join("&"))
    }
}

fn body(journeys: &mut Journeys, place: &Place, request: &mut Request, body: &Value) {
    if body["disabled"] == true {
        return;
    }
    let place = place.key("request.body");
    let pairs = |of: &Value| -> Vec<(Text, Text)> {
        let is_on = |pair: &&Value| pair["disabled"] != true;
        let pair = |pair: &Value| {
            let name = Text::with_braces(pair["key"].as_str()?);
            Some((name, Text::with_braces(&scalar(&pair["value"]).unwrap_or_default())))
        };
        list(of).filter(is_on).filter_map(pair).collect()
    };
    match body["mode"].as_str() {
        Some("raw") => {
            let text = body["raw"].as_str().unwrap_or_default();
            if text.is_empty() {
                return;
            }
            request.body = Body::Text(Text::with_braces(text));
            let media = match body["options"]["raw"]["language"].as_str() {
                Some("json") => "application/json",
                Some("xml") => "application/xml",
                Some("html") => "text/html",
                Some("javascript") => "application/javascript",
                _ => "text/plain",
            };
            request.default_header("content-type", media);
        }
        Some("urlencoded") => {
            let pairs = pairs(&body["urlencoded"]);
            if pairs.is_empty() {
                return;
            }
            request.body = Body::Text(query::form(pairs.iter().map(|(name, value)| (name, value))));
            request.default_header("content-type", "application/x-www-form-urlencoded");
        }
        Some("formdata") => {
            if list(&body["formdata"]).any(|part| part["type"] == "file" && part["disabled"] != true) {
                journeys.leave_out(
                    &place,
                    "files in a form",
                    "plans do not put files into parts; the form has its other parts",
                );
            }
            let is_text = |part: &&Value| part["type"] != "file" && part["disabled"] != true;
            let part = |part: &Value| {
                let content_type = part["contentType"].as_str().filter(|media| !media.is_empty());
                Some(Part {
                    name: Text::with_braces(part["key"].as_str()?),
                    value: Text::with_braces(&scalar(&part["value"]).unwrap_or_default()),
                    content_type: content_type.map(Text::with_braces),
                })
            };
            let parts: Vec<Part> = list(&body["formdata"]).filter(is_text).filter_map(part).collect();
            // A form without fields is no body.
            if !parts.is_empty() {
                multipart::put_parts(request, &parts);
            }
        }
        Some("graphql") => {
            let graphql = &body["graphql"];
            // A text in JSON, which some tools write as an object.
            let variables = match &graphql["variables"] {
                Value::String(text) if !text.trim().is_empty() => text.clone(),
                variables @ Value::Object(_) => variables.to_string(),
                _ => "{}".to_owned(),
            };
            let query = Value::from(graphql["query"].as_str().unwrap_or_default());
            let name = graphql["operationName"].as_str().filter(|name| !name.is_empty());
            let name = name.map_or_else(String::new, |name| format!("\"operationName\":{},", Value::from(name)));
            request.body = Body::Text(Text::with_braces(&format!(
                "{{\"query\":{query},{name}\"variables\":{variables}}}"
            )));
            request.default_header("content-type", "application/json");
        }
        Some("file") => match body["file"]["src"].as_str() {
            Some(file) => request.body = Body::File(file.to_owned()),
            None => journeys.leave_out(&place, "a file as the body", "the collection does not say which"),
        },
        Some(mode) => journeys.leave_out(
            &place,
            format!("a body of the mode {mode}"),
            "plans have nothing like it",
        ),
        None => {}
    }
}
