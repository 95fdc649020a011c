//! Command lines of curl: one or many, from a terminal, a script or the menu of a browser.

mod options;
mod printed;
mod script;

use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Request};
use crate::left_out::Place;
use crate::read::{multipart, query};
use crate::text::Text;
use options::{QUIET, QUIET_WITH_VALUE, WITH_VALUE};

const REDIRECTS: u32 = 50;

pub(crate) fn read(text: &str) -> Result<Journeys, ImportError> {
    script::read(text)
}

fn is_curl(word: &Text) -> bool {
    word.as_literal()
        .is_some_and(|word| matches!(word.rsplit(['/', '\\']).next(), Some("curl" | "curl.exe")))
}

/// What the options of one request say.
#[derive(Default)]
struct Given {
    method: Option<String>,
    urls: Vec<Text>,
    headers: Vec<(String, Text)>,
    /// Names of headers that curl would send and was told not to.
    data: Vec<Text>,
    json: bool,
    in_query: bool,
    head: bool,
    more_query: Vec<Text>,
    parts: Vec<(Text, Text)>,
    file: Option<String>,
    upload: bool,
    authorization: Option<Authorization>,
    compressed: bool,
    unsent: bool,
    /// What the script gives it to read.
    input: Option<Text>,
}

/// The requests of a command line with these words, which may read `input`.
fn requests(journeys: &mut Journeys, place: &Place, words: &[Text], input: Option<&Text>) {
    let mut given = Given {
        input: input.cloned(),
        ..Given::default()
    };
    let mut words = words.iter();
    let mut verbatim = false;
    while let Some(word) = words.next() {
        let beginning = word.beginning();
        if verbatim || !beginning.starts_with('-') || beginning == "-" {
            given.urls.push(word.clone());
            continue;
        }
        if beginning == "--" {
            verbatim = true;
            continue;
        }
        if let ("--next" | "-:", true) = (beginning, word.as_literal().is_some()) {
            finish(journeys, place, &std::mem::take(&mut given));
            continue;
        }
        if beginning.starts_with("--") {
            // curl has no `--name=value`; one that is written so is meant so.
            match word.split_once('=') {
                Some((name, value)) => {
                    let name = name.as_literal().unwrap_or_default().to_owned();
                    option(journeys, place, &mut given, &name, &mut || Some(value.clone()));
                }
                None => option(journeys, place, &mut given, beginning, &mut || words.next().cloned()),
            }
        } else {
            short_options(journeys, place, &mut given, word, &mut words);
        }
    }
    finish(journeys, place, &given);
}

/// `-sXPOST` is `-s -X POST`.
fn short_options(
    journeys: &mut Journeys,
    place: &Place,
    given: &mut Given,
    word: &Text,
    words: &mut std::slice::Iter<'_, Text>,
) {
    let mut rest = word.clone();
    let first = rest.beginning().chars().next().unwrap_or_default();
    rest = rest.without_first(first.len_utf8());
    while let Some(letter) = rest.beginning().chars().next() {
        rest = rest.without_first(letter.len_utf8());
        let name = format!("-{letter}");
        let attached = (!rest.is_empty()).then(|| rest.clone());
        let mut took = false;
        option(journeys, place, given, &name, &mut || {
            took = true;
            attached.clone().or_else(|| words.next().cloned())
        });
        if took {
            return;
        }
    }
}

fn option(
    journeys: &mut Journeys,
    place: &Place,
    given: &mut Given,
    name: &str,
    value: &mut dyn FnMut() -> Option<Text>,
) {
    let mut text = || value().unwrap_or_default();
    match name {
        "-X" | "--request" => given.method = Some(text().as_literal().unwrap_or_default().to_owned()),
        "--url" => given.urls.push(text()),
        "-H" | "--header" => header(journeys, place, given, &text()),
        "-d" | "--data" | "--data-ascii" => {
            let value = text();
            if let (Some("@-"), Some(input)) = (value.as_literal(), &given.input) {
                // curl takes its line breaks out.
                given
                    .data
                    .push(input.map(|text| Text::literal(text.replace(['\r', '\n'], ""))));
                return;
            }
            if value.beginning().starts_with('@') {
                journeys.leave_out(
                    place,
                    format!("-d {}", value.as_literal().unwrap_or("@…")),
                    "curl takes the line breaks out of this file; the plan sends it as it is",
                );
            }
            data(journeys, place, given, value);
        }
        "--data-binary" => data(journeys, place, given, text()),
        "--data-raw" => given.data.push(text()),
        "--json" => {
            given.json = true;
            data(journeys, place, given, text());
        }
        "--data-urlencode" => given.data.push(urlencoded(&text())),
        "--url-query" => given.more_query.push(urlencoded(&text())),
        "-G" | "--get" => given.in_query = true,
        "-I" | "--head" => given.head = true,
        "-F" | "--form" => part(journeys, place, given, &text(), false),
        "--form-string" => part(journeys, place, given, &text(), true),
        "-T" | "--upload-file" => {
            given.upload = true;
            given.file = text().as_literal().map(str::to_owned);
        }
        "-u" | "--user" => {
            let value = text();
            let (user, password) = value.split_once(':').unwrap_or((value, Text::default()));
            given.authorization = Some(Authorization::Basic { user, password });
        }
        "--oauth2-bearer" => given.authorization = Some(Authorization::Bearer(text())),
        "-A" | "--user-agent" => given.headers.push(("user-agent".to_owned(), text())),
        "-e" | "--referer" => given.headers.push(("referer".to_owned(), text())),
        "-r" | "--range" => {
            let mut range = Text::literal("bytes=");
            range.append(&text());
            given.headers.push(("range".to_owned(), range));
        }
        "-b" | "--cookie" => {
            let value = text();
            if value.as_literal().is_some_and(|text| !text.contains('=')) {
                journeys.leave_out(place, "-b with a file", "cookies of a file are not sent");
            } else {
                given.headers.push(("cookie".to_owned(), value));
            }
        }
        "--compressed" => given.compressed = true,
        "-k" | "--insecure" => journeys.insecure = true,
        "-L" | "--location" => journeys.redirects = REDIRECTS,
        "--max-redirs" => {
            journeys.redirects = text()
                .as_literal()
                .and_then(|n| n.parse().ok())
                .unwrap_or(REDIRECTS)
                .min(REDIRECTS);
        }
        "--http2" | "--http2-prior-knowledge" | "--http3" => {
            journeys.leave_out(
                place,
                name,
                "the plan speaks HTTP/1.1; write `http: 2` below `target` for HTTP/2",
            );
        }
        _ if QUIET.contains(&name) => {}
        _ if QUIET_WITH_VALUE.contains(&name) => {
            text();
        }
        _ => {
            if WITH_VALUE.contains(&name) {
                text();
            }
            journeys.leave_out(place, name, "plans have no such option of a request");
        }
    }
}

fn header(journeys: &mut Journeys, place: &Place, given: &mut Given, text: &Text) {
    if text.beginning().starts_with('@') {
        journeys.leave_out(place, "-H with a file", "headers of a file are not read");
        return;
    }
    let Some((name, value)) = text.split_once(':') else {
        match text.as_literal().and_then(|text| text.strip_suffix(';')) {
            // Sent without a value.
            Some(name) => given.headers.push((name.to_owned(), Text::default())),
            None => journeys.leave_out(place, "-H", "it is not `name: value`"),
        }
        return;
    };
    let name = name.as_literal().unwrap_or_default().trim().to_owned();
    let value = value.trim_start();
    // `-H 'Accept:'` keeps curl from sending what a plan does not send either.
    if !value.is_empty() {
        given.headers.push((name, value));
    }
}

fn data(journeys: &mut Journeys, place: &Place, given: &mut Given, value: Text) {
    let Some(file) = value.as_literal().and_then(|text| text.strip_prefix('@')) else {
        given.data.push(value);
        return;
    };
    if let (true, Some(input)) = (file == "-", &given.input) {
        given.data.push(input.clone());
    } else if file == "-" || !given.data.is_empty() {
        journeys.leave_out(
            place,
            "a body of several sources or of standard input",
            "the request has to be completed by hand",
        );
        given.unsent = true;
    } else {
        given.file = Some(file.to_owned());
    }
}

/// `name=content`, `=content` and `content`, with the content encoded.
fn urlencoded(text: &Text) -> Text {
    match text.split_once('=') {
        Some((name, value)) if name.is_empty() => query::encoded(&value),
        Some((name, value)) => {
            let mut pair = name;
            pair.push_str("=");
            pair.append(&query::encoded(&value));
            pair
        }
        None => query::encoded(text),
    }
}

fn part(journeys: &mut Journeys, place: &Place, given: &mut Given, text: &Text, verbatim: bool) {
    match text.split_once('=') {
        Some((name, value)) if verbatim || !value.beginning().starts_with(['@', '<']) => {
            given.parts.push((name, value));
        }
        Some((name, _)) => {
            let name = name.as_literal().unwrap_or_default();
            journeys.leave_out(
                place,
                format!("-F {name}=@…"),
                "plans do not put files into parts; the request is left out",
            );
            given.unsent = true;
        }
        None => journeys.leave_out(place, "-F", "it is not `name=value`"),
    }
}

fn finish(journeys: &mut Journeys, place: &Place, given: &Given) {
    if given.unsent {
        return;
    }
    if given.urls.is_empty() {
        journeys.leave_out(place, "curl without a URL", "there is nothing to send to");
        return;
    }
    for url in &given.urls {
        journeys.push_alone(request(place, given, url));
    }
}

fn request(place: &Place, given: &Given, url: &Text) -> Request {
    let mut url = url.clone();
    let mut data = Text::default();
    for (index, piece) in given.data.iter().enumerate() {
        data.push_str(if index == 0 { "" } else { "&" });
        data.append(piece);
    }
    for query in &given.more_query {
        url = query::with_query(&url, query);
    }
    if given.in_query {
        url = query::with_query(&url, &data);
        data = Text::default();
    }
    let has_body = !data.is_empty()
        || given.file.is_some()
        || !given.parts.is_empty()
        || (!given.data.is_empty() && !given.in_query);
    let usual = match (given.head, given.upload, has_body) {
        (true, ..) => "HEAD",
        (_, true, _) => "PUT",
        (_, _, true) => "POST",
        _ => "GET",
    };
    let mut request = Request::new(place.clone(), given.method.as_deref().unwrap_or(usual), url);
    request.headers.clone_from(&given.headers);
    request.authorization.clone_from(&given.authorization);
    if given.json {
        request.default_header("content-type", "application/json");
        request.default_header("accept", "application/json");
    }
    if given.compressed {
        request.default_header("accept-encoding", "deflate, gzip, br");
    }
    if !given.parts.is_empty() {
        multipart::put(&mut request, &given.parts);
    } else if let Some(file) = &given.file {
        request.body = Body::File(file.clone());
    } else if !data.is_empty() {
        request.body = Body::Text(data);
    }
    if request.body != Body::None && !given.upload {
        request.default_header("content-type", "application/x-www-form-urlencoded");
    }
    request
}
