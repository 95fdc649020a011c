//! Requests of Postman: URL, headers and body.

use super::auth::authorize;
use crate::journey::{Body, Journeys, Request};
use crate::left_out::Place;
use crate::read::json::{list, scalar};
use crate::read::{multipart, query};
use crate::text::Text;
use serde_json::Value;

pub(super) fn request(journeys: &mut Journeys, place: &Place, of: &Value, auth: Option<&Value>) -> Option<Request> {
    if let Some(url) = of.as_str() {
        return Some(Request::new(place.clone(), "GET", Text::with_braces(url)));
    }
    let url = match &of["url"] {
        Value::String(url) => Text::with_braces(url),
        url => url_of(url),
    };
    if url.is_empty() {
        journeys.leave_out(place, "a request", "it has no URL");
        return None;
    }
    let method = of["method"].as_str().unwrap_or("GET");
    let mut request = Request::new(place.clone(), method, url);
    for header in list(&of["header"]).filter(|header| header["disabled"] != true) {
        if let (Some(name), Some(value)) = (
            header["key"].as_str().filter(|name| !name.is_empty()),
            scalar(&header["value"]),
        ) {
            request
                .headers
                .push((name.trim().to_owned(), Text::with_braces(value.trim())));
        }
    }
    body(journeys, place, &mut request, &of["body"]);
    if let Some(auth) = auth {
        authorize(journeys, place, &mut request, auth);
    }
    Some(request)
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
            let parts: Vec<&Value> = list(&body["formdata"]).filter(|part| part["type"] != "file").collect();
            let parts = pairs(&Value::Array(parts.into_iter().cloned().collect()));
            // A form without fields is no body.
            if !parts.is_empty() {
                multipart::put(request, &parts);
            }
        }
        Some("graphql") => {
            let graphql = &body["graphql"];
            let variables = graphql["variables"]
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .unwrap_or("{}");
            let query = Value::from(graphql["query"].as_str().unwrap_or_default());
            request.body = Body::Text(Text::with_braces(&format!(
                "{{\"query\":{query},\"variables\":{variables}}}"
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
