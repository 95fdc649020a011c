//! HAR: what a browser recorded.

use crate::error::ImportError;
use crate::journey::{Body, Journeys, Request, Sequence, Step, When};
use crate::left_out::{Place, counted};
use crate::read::json::{list, scalar};
use crate::read::{multipart, query};
use crate::text::Text;
use plimsoll_plan::Pause;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::Duration;

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

/// Shorter times in which nothing was under way are the browser's.
const LEAST_PAUSE_MS: f64 = 500.0;

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
        when: When::Load,
        weight: 1.0,
        steps: Vec::new(),
    };
    let mut versions = 0;
    let mut clock = Clock::default();
    let mut cookies = Cookies::default();
    for (index, entry) in in_order_of_time(&log["entries"]) {
        let place = place.index(index);
        let recorded = &entry["request"];
        clock.see(entry);
        let (Some(method), Some(url)) = (recorded["method"].as_str(), recorded["url"].as_str()) else {
            journeys.leave_out(&place, "an entry", "it has no method or no URL");
            continue;
        };
        let what = format!("{method} {url}");
        if !url.starts_with("http://") && !url.starts_with("https://") {
            journeys.leave_out(&place, what, "plans send requests of HTTP alone");
        } else if entry["_webSocketMessages"].is_array() || entry["_resourceType"] == "websocket" {
            journeys.leave_out(&place, what, "it opens a WebSocket, which plans do not");
        } else if let Some(why) = without_response(entry) {
            journeys.leave_out(&place, what, why);
        } else if is_static(entry, url) {
            journeys.leave_out(&place, what, "a static file");
        } else {
            versions += usize::from(
                recorded["httpVersion"]
                    .as_str()
                    .is_some_and(|version| version.contains('2') || version.contains("h3")),
            );
            let mut request = request(&mut journeys, &place, entry, method, url);
            cookies.see(&mut request, entry);
            let paused = clock.take_idle();
            if !sequence.steps.is_empty() && !paused.is_zero() {
                sequence.steps.push(Step::Pause(place, Pause::always(paused)));
            }
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
    for (name, place) in cookies.others {
        let why = "no response of the recording set it, and users have the cookies that responses set alone";
        journeys.leave_out(&place, format!("the cookie `{name}`"), why);
    }
    journeys.cookies = cookies.kept;
    journeys.sequences.push(sequence);
    Ok(journeys)
}

/// Entries with their numbers, as they were sent: not all recorders write them so.
fn in_order_of_time(entries: &Value) -> Vec<(usize, &Value)> {
    let began_ms = |entry: &Value| entry["startedDateTime"].as_str().and_then(moment_ms);
    let mut all: Vec<(usize, &Value)> = list(entries).enumerate().collect();
    if all.iter().all(|(_, entry)| began_ms(entry).is_some()) {
        all.sort_by(|(_, one), (_, other)| began_ms(one).partial_cmp(&began_ms(other)).unwrap_or(Ordering::Equal));
    }
    all
}

/// Why a user of the plan would wait in vain for the response to a recorded request.
fn without_response(entry: &Value) -> Option<&'static str> {
    let media = entry["response"]["content"]["mimeType"].as_str().unwrap_or_default();
    if entry["_fromCache"].is_string() {
        Some("it came out of the cache of the browser, and was not sent")
    } else if entry["response"]["status"] == 0 && entry["_error"].is_string() {
        Some("the browser broke it off or did not send it")
    } else if entry["_resourceType"] == "eventsource" || media.starts_with("text/event-stream") {
        Some("its response is a stream that stays open; hold such connections with `load: { model: hold }`")
    } else {
        None
    }
}

/// Cookies that responses of the recording set: users of a plan have their own.
#[derive(Default)]
struct Cookies {
    set: BTreeSet<String>,
    /// Where a request has one of these.
    kept: Option<Place>,
    /// Cookies that no response set and that stood beside these, each with the first such place.
    others: Vec<(String, Place)>,
}

impl Cookies {
    /// Takes the cookies out of a request that has one of an earlier response: a header of its own would keep out those of the user.
    fn see(&mut self, request: &mut Request, entry: &Value) {
        let name_of = |pair: &str| pair.split('=').next().unwrap_or_default().trim().to_owned();
        let of_cookies = request
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("cookie"));
        let pairs = of_cookies.flat_map(|(_, value)| value.as_literal().unwrap_or_default().split(';'));
        let sent: Vec<String> = pairs.map(name_of).filter(|name| !name.is_empty()).collect();
        if sent.iter().any(|name| self.set.contains(name)) {
            request.remove_header("cookie");
            self.kept.get_or_insert_with(|| request.place.clone());
            for name in sent.into_iter().filter(|name| !self.set.contains(name)) {
                if !self.others.iter().any(|(known, _)| *known == name) {
                    self.others.push((name, request.place.clone()));
                }
            }
        }
        let headers = list(&entry["response"]["headers"]);
        let set = headers.filter(|header| {
            header["name"]
                .as_str()
                .is_some_and(|name| name.eq_ignore_ascii_case("set-cookie"))
        });
        // Firefox has several in one, by lines.
        let lines = set.filter_map(|header| header["value"].as_str()).flat_map(str::lines);
        self.set.extend(lines.map(name_of));
        // Some recorders have them apart from the headers alone.
        let listed = list(&entry["response"]["cookies"]);
        self.set
            .extend(listed.filter_map(|cookie| cookie["name"].as_str()).map(str::to_owned));
    }
}

/// When nothing was under way in a recording: then its user did something else.
#[derive(Default)]
struct Clock {
    /// When the last of what was sent had come, ms.
    quiet_from_ms: Option<f64>,
    idle_ms: f64,
}

impl Clock {
    fn see(&mut self, entry: &Value) {
        let Some(begin_ms) = entry["startedDateTime"].as_str().and_then(moment_ms) else {
            return;
        };
        if let Some(quiet_ms) = self
            .quiet_from_ms
            .filter(|quiet_ms| begin_ms - quiet_ms >= LEAST_PAUSE_MS)
        {
            self.idle_ms += begin_ms - quiet_ms;
        }
        let end_ms = begin_ms + entry["time"].as_f64().filter(|ms| *ms > 0.0).unwrap_or_default();
        self.quiet_from_ms = Some(self.quiet_from_ms.map_or(end_ms, |quiet_ms| quiet_ms.max(end_ms)));
    }

    /// What has added up, in tenths of a second.
    fn take_idle(&mut self) -> Duration {
        let tenths = (std::mem::take(&mut self.idle_ms) / 100.0).round();
        Duration::from_millis((tenths as u64).saturating_mul(100))
    }
}

/// A date and time as RFC 3339 has them, in ms since some moment.
fn moment_ms(text: &str) -> Option<f64> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute) = (number(11..13)?, number(14..16)?);
    let rest = text.get(17..)?;
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(rest.len());
    let seconds: f64 = rest[..end].parse().ok()?;
    let zone = &rest[end..];
    let zone_minutes = match zone.get(..1) {
        Some(sign @ ("+" | "-")) => {
            let hours: i64 = zone.get(1..3)?.parse().ok()?;
            let minutes: i64 = zone.get(zone.len() - 2..)?.parse().ok()?;
            (hours * 60 + minutes) * if sign == "-" { -1 } else { 1 }
        }
        _ => 0,
    };
    // Days since March of the year 0, as in every calendar that begins its years there.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    let minutes = (days * 24 + hour) * 60 + minute - zone_minutes;
    Some(minutes as f64 * 60_000.0 + seconds * 1_000.0)
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
    body(journeys, place, recorded, &mut request);
    // What failed when it was recorded is expected to fail in the same way.
    if let Some(status) = entry["response"]["status"]
        .as_u64()
        .filter(|status| (400..600).contains(status))
    {
        request.statuses.push(status.to_string());
    }
    request
}

/// The body: its text, or the parameters of a form where the recording has these alone.
fn body(journeys: &mut Journeys, place: &Place, recorded: &Value, request: &mut Request) {
    let data = &recorded["postData"];
    let media = data["mimeType"].as_str();
    let is_file = |pair: &&Value| !pair["fileName"].is_null();
    let pair = |pair: &Value| {
        let value = scalar(&pair["value"]).unwrap_or_default();
        Some((Text::literal(scalar(&pair["name"])?), Text::literal(value)))
    };
    let (files, fields): (Vec<&Value>, Vec<&Value>) = list(&data["params"]).partition(is_file);
    let fields: Vec<(Text, Text)> = fields.into_iter().filter_map(pair).collect();
    let text = data["text"].as_str().filter(|text| !text.is_empty());
    if let Some(text) = text {
        request.body = Body::Text(Text::literal(text));
        if has_empty_file(text) {
            let why = "the recording does not have what is in them; the plan sends them empty";
            journeys.leave_out(place, "files in a form", why);
        }
    } else if media.is_some_and(multipart::is_media) && !fields.is_empty() {
        multipart::put(request, &fields);
    } else if !fields.is_empty() {
        request.body = Body::Text(query::form(fields.iter().map(|(name, value)| (name, value))));
    } else if files.is_empty() && recorded["bodySize"].as_i64().is_some_and(|bytes| bytes > 0) {
        journeys.leave_out(place, "the body", "the recording does not have it");
    }
    if text.is_none() && !files.is_empty() {
        let why = "plans do not put files into parts; the form has its other parts";
        journeys.leave_out(place, "files in a form", why);
    }
    if let Some(media) = media.filter(|_| request.body != Body::None) {
        request.default_header("content-type", media);
    }
}

/// Whether a part of a form is a file without content, as Chrome records all of them.
fn has_empty_file(form: &str) -> bool {
    let mut files = form.split("filename=\"").skip(1);
    files.any(|part| {
        part.split_once("\r\n\r\n")
            .is_some_and(|(_, content)| content.starts_with("\r\n--"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_as_far_apart_as_they_are() {
        let apart = |one: &str, other: &str| moment_ms(other).expect(other) - moment_ms(one).expect(one);
        for (one, other, ms) in [
            ("2024-02-28T23:59:59.500Z", "2024-02-29T00:00:00Z", 500.0),
            ("2023-12-31T23:00:00-01:00", "2024-01-01T00:00:01+00:00", 1_000.0),
            ("2024-03-01T10:00:00.000+0200", "2024-03-01T08:30:00Z", 1_800_000.0),
            ("2023-02-28T00:00:00Z", "2023-03-01T00:00:00Z", 86_400_000.0),
        ] {
            assert!((apart(one, other) - ms).abs() < 1e-3, "{one} {other}");
        }
        for text in [
            "",
            "yesterday",
            "2024-01-01",
            "2024-01-01T1:2:3Z",
            "2024-01-01T00:00:00+é",
        ] {
            let _ = moment_ms(text);
        }
        assert_eq!(moment_ms("2024-01-01T00:00"), None);
    }

    #[test]
    fn a_recording_pauses_where_nothing_was_under_way() {
        let entry = |at: &str, time: u32, path: &str| {
            serde_json::json!({
                "startedDateTime": format!("2024-01-01T00:00:{at}Z"), "time": time,
                "request": { "method": "GET", "url": format!("http://h{path}") }, "response": { "status": 200 },
            })
        };
        let entries = [
            entry("01.000", 900, "/"),
            entry("01.100", 100, "/a"),
            // Both are under way until 2.3 s; then nobody does anything until a file is fetched at 4.3 s, and until 5.8 s.
            entry("02.100", 200, "/b"),
            entry("04.300", 500, "/x.css"),
            entry("05.800", 100, "/c"),
        ];
        let journeys = read(&serde_json::json!({ "log": { "entries": entries } })).expect("a recording");
        let steps: Vec<String> = journeys.sequences[0]
            .steps
            .iter()
            .map(|step| match step {
                Step::Request(request) => request.url.beginning().trim_start_matches("http://h").to_owned(),
                Step::Pause(_, pause) => format!("{} ms", pause.mean().as_millis()),
                Step::Repeat(..) | Step::Rounds(..) => "rounds".to_owned(),
                Step::OneOf(..) | Step::When(..) | Step::Once(..) => "a choice".to_owned(),
            })
            .collect();
        assert_eq!(steps, ["/", "/a", "/b", "3000 ms", "/c"]);
    }
}
