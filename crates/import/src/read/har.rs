//! HAR: what a browser recorded.

use crate::error::ImportError;
use crate::journey::{Body, Journeys, Request, Sequence, Step};
use crate::left_out::{Place, counted};
use crate::read::json::{list, scalar};
use crate::read::query;
use crate::text::Text;
use serde_json::Value;

/// Kinds of resources, as Chrome and Firefox name them, that are files and not the service's work.
const STATIC_KINDS: [&str; 8] = [
    "stylesheet",
    "script",
    "image",
    "font",
    "media",
    "manifest",
    "texttrack",
    "imageset",
];
const STATIC_MEDIA: [&str; 8] = [
    "image/",
    "font/",
    "video/",
    "audio/",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
];
const STATIC_ENDINGS: [&str; 18] = [
    ".css", ".js", ".mjs", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".woff",
    ".woff2", ".ttf", ".mp4", ".webm", ".wasm",
];

pub(crate) fn read(document: &Value) -> Result<Journeys, ImportError> {
    let log = &document["log"];
    if !log["entries"].is_array() {
        return Err(ImportError::new(
            Some(&Place::Path("log.entries".to_owned())),
            "no list",
            "the entries of a HAR file",
        ));
    }
    let place = Place::Path("log.entries".to_owned());
    let mut journeys = Journeys {
        is_ordered: true,
        ..Journeys::default()
    };
    let mut sequence = Sequence {
        name: list(&log["pages"])
            .find_map(|page| scalar(&page["title"]))
            .unwrap_or_default(),
        place: place.clone(),
        weight: 1.0,
        steps: Vec::new(),
    };
    let mut versions = 0;
    for (index, entry) in list(&log["entries"]).enumerate() {
        let place = place.index(index);
        let recorded = &entry["request"];
        let (Some(method), Some(url)) = (recorded["method"].as_str(), recorded["url"].as_str()) else {
            journeys.leave_out(&place, "an entry", "it has no method or no URL");
            continue;
        };
        let what = format!("{method} {url}");
        if !url.starts_with("http://") && !url.starts_with("https://") {
            journeys.leave_out(&place, what, "plans send requests of HTTP alone");
        } else if entry["_webSocketMessages"].is_array() || entry["_resourceType"] == "websocket" {
            journeys.leave_out(&place, what, "it opens a WebSocket, which plans do not");
        } else if is_static(entry, url) {
            journeys.leave_out(&place, what, "a static file");
        } else {
            versions += usize::from(
                recorded["httpVersion"]
                    .as_str()
                    .is_some_and(|version| version.contains('2') || version.contains("h3")),
            );
            let request = request(&mut journeys, &place, entry, method, url);
            sequence.steps.push(Step::Request(Box::new(request)));
        }
    }
    if versions > 0 {
        journeys.leave_out(
            &place,
            format!("{} over HTTP/2 or HTTP/3", counted(versions, "request")),
            "the plan speaks HTTP/1.1; write `http: 2` below `target` for HTTP/2",
        );
    }
    journeys.sequences.push(sequence);
    Ok(journeys)
}

fn is_static(entry: &Value, url: &str) -> bool {
    let kind = entry["_resourceType"].as_str().unwrap_or_default();
    let media = entry["response"]["content"]["mimeType"].as_str().unwrap_or_default();
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_read = entry["request"]["method"] == "GET";
    let is_called = matches!(kind, "xhr" | "fetch" | "document");
    is_read
        && (STATIC_KINDS.contains(&kind)
            || !is_called
                && (STATIC_MEDIA.iter().any(|known| media.starts_with(known))
                    || STATIC_ENDINGS.iter().any(|ending| path.ends_with(ending))))
}

fn request(journeys: &mut Journeys, place: &Place, entry: &Value, method: &str, url: &str) -> Request {
    let recorded = &entry["request"];
    let mut request = Request::new(place.clone(), method, Text::literal(url));
    for header in list(&recorded["headers"]) {
        let (Some(name), Some(value)) = (header["name"].as_str(), header["value"].as_str()) else {
            continue;
        };
        // Those of HTTP/2 that stand for the first line of a request.
        if !name.starts_with(':') {
            request.headers.push((name.to_owned(), Text::literal(value)));
        }
    }
    let cookies: Vec<String> = list(&recorded["cookies"])
        .filter_map(|cookie| Some(format!("{}={}", cookie["name"].as_str()?, cookie["value"].as_str()?)))
        .collect();
    if !cookies.is_empty() {
        request.default_header("cookie", cookies.join("; ").as_str());
    }
    let data = &recorded["postData"];
    let pairs: Vec<(Text, Text)> = list(&data["params"])
        .filter_map(|pair| {
            Some((
                Text::literal(scalar(&pair["name"])?),
                Text::literal(scalar(&pair["value"])?),
            ))
        })
        .collect();
    match data["text"].as_str() {
        Some(text) if !text.is_empty() => request.body = Body::Text(Text::literal(text)),
        _ if !pairs.is_empty() => {
            request.body = Body::Text(query::form(pairs.iter().map(|(name, value)| (name, value))));
        }
        _ if recorded["bodySize"].as_i64().is_some_and(|bytes| bytes > 0) => {
            journeys.leave_out(place, "the body", "the recording does not have it");
        }
        _ => {}
    }
    if let Some(media) = data["mimeType"].as_str()
        && request.body != Body::None
    {
        request.default_header("content-type", media);
    }
    // What failed when it was recorded is expected to fail in the same way.
    if let Some(status) = entry["response"]["status"]
        .as_u64()
        .filter(|status| (400..600).contains(status))
    {
        request.statuses.push(status.to_string());
    }
    request
}
