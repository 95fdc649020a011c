//! Command lines of curl: one or many, from a terminal, a script or the menu of a browser.

mod bodies;
mod functions;
mod globs;
mod options;
mod printed;
mod program;
mod script;
mod settings;
mod variables;

use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Request};
use crate::left_out::Place;
use crate::read::multipart::{self, Part};
use crate::read::query;
use crate::secrets::is_secret_value;
use crate::text::{Piece, Text};
use bodies::Data;
use options::{QUIET, QUIET_WITH_VALUE, WITH_VALUE};
use variables::Argument;

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
    /// What is no option, or several, by its value, which is not known.
    open: Vec<Text>,
    headers: Vec<(String, Text)>,
    /// Which of the headers has cookies.
    cookies: Option<usize>,
    data: Vec<Data>,
    json: bool,
    in_query: bool,
    /// Braces and brackets of URLs stand for themselves.
    is_globoff: bool,
    head: bool,
    more_query: Vec<Text>,
    parts: Vec<Part>,
    upload: Option<String>,
    authorization: Option<Authorization>,
    compressed: bool,
    unsent: bool,
    /// What the script gives it to read.
    input: Option<Text>,
}

/// The requests of a command line with these words, which may read `input`.
fn requests(journeys: &mut Journeys, place: &Place, words: &[Argument], input: Option<Text>) {
    let mut given = Given {
        input,
        ..Given::default()
    };
    let mut words = words.iter();
    let mut verbatim = false;
    while let Some(Argument { text: word, is_open }) = words.next() {
        if *is_open {
            given.open.push(word.clone());
            continue;
        }
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
            finish(journeys, place, std::mem::take(&mut given));
            continue;
        }
        if beginning.starts_with("--") {
            // curl has no `--name=value`; one that is written so is meant so.
            match word.split_once('=') {
                Some((name, value)) => {
                    let name = name.as_literal().unwrap_or_default().to_owned();
                    option(journeys, place, &mut given, &name, &mut || Some(value.clone()));
                }
                None => option(journeys, place, &mut given, beginning, &mut || {
                    words.next().map(|word| word.text.clone())
                }),
            }
        } else {
            short_options(journeys, place, &mut given, word, &mut words);
        }
    }
    finish(journeys, place, given);
}

/// `-sXPOST` is `-s -X POST`.
fn short_options(
    journeys: &mut Journeys,
    place: &Place,
    given: &mut Given,
    word: &Text,
    words: &mut std::slice::Iter<'_, Argument>,
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
            attached.clone().or_else(|| words.next().map(|word| word.text.clone()))
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
        "-X" | "--request" => match opened(journeys, &text()).as_literal() {
            Some(method) => given.method = Some(method.to_owned()),
            None => {
                journeys.leave_out(place, name, "the method is not known here; the request is left out");
                given.unsent = true;
            }
        },
        "--url" => given.urls.push(text()),
        "-H" | "--header" => header(journeys, place, given, &text()),
        "-d" | "--data" | "--data-ascii" => {
            let value = text();
            if let (Some("@-"), Some(input)) = (value.as_literal(), &given.input) {
                // curl takes its line breaks out.
                let input = input.map(|text| Text::literal(text.replace(['\r', '\n'], "")));
                given.data.push(Data::Text(input));
                return;
            }
            data(journeys, given, value);
            if let Some(Data::File(path)) = given.data.last() {
                let why = "curl takes the line breaks out of this file; the plan sends it as it is";
                journeys.leave_out(place, format!("-d @{path}"), why);
            }
        }
        "--data-binary" => data(journeys, given, text()),
        "--data-raw" => given.data.push(Data::Text(text())),
        "--json" => {
            given.json = true;
            data(journeys, given, text());
        }
        "--data-urlencode" => given.data.push(Data::urlencoded(&text())),
        "--url-query" => match Data::urlencoded(&text()) {
            Data::Text(query) => given.more_query.push(query),
            Data::File(_) | Data::Unknown => given.data.push(Data::Unknown),
        },
        "-g" | "--globoff" => given.is_globoff = true,
        "-G" | "--get" => given.in_query = true,
        "-I" | "--head" => given.head = true,
        "-F" | "--form" => part(journeys, place, given, &text(), false),
        "--form-string" => part(journeys, place, given, &text(), true),
        "-T" | "--upload-file" => match opened(journeys, &text()).as_literal() {
            Some(path) if !matches!(path, "" | "-" | ".") => given.upload = Some(path.to_owned()),
            _ => given.data.push(Data::Unknown),
        },
        "-u" | "--user" => {
            let value = opened(journeys, &text());
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
            match opened(journeys, &value).as_literal() {
                Some(text) if !text.contains('=') => {
                    journeys.leave_out(place, "-b with a file", "cookies of a file are not sent");
                }
                _ => match given.cookies {
                    Some(at) => {
                        given.headers[at].1.push_str("; ");
                        given.headers[at].1.append(&value);
                    }
                    None => {
                        given.cookies = Some(given.headers.len());
                        given.headers.push(("cookie".to_owned(), value));
                    }
                },
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

/// With the values of secrets, where an option is known by what is in them.
fn opened(journeys: &Journeys, text: &Text) -> Text {
    text.resolved(&journeys.values)
}

fn header(journeys: &mut Journeys, place: &Place, given: &mut Given, text: &Text) {
    if text.beginning().starts_with('@') {
        journeys.leave_out(place, "-H with a file", "headers of a file are not read");
        return;
    }
    let Some((name, value)) = text.split_once(':').or_else(|| opened_header(journeys, text)) else {
        match opened(journeys, text)
            .as_literal()
            .and_then(|text| text.strip_suffix(';'))
        {
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

/// A header that begins with the value of a secret. Its own value is one as well, whatever the header is called.
fn opened_header(journeys: &mut Journeys, text: &Text) -> Option<(Text, Text)> {
    let [Piece::Variable(secret), rest @ ..] = text.pieces() else {
        return opened(journeys, text).split_once(':');
    };
    let (name, begin) = opened(journeys, &Text::variable(secret)).split_once(':')?;
    let begin = begin.trim_start();
    let is_hidden = |value: &str| name.as_literal().is_some_and(|name| is_secret_value(name, value));
    let mut value = match begin.as_literal() {
        Some(literal) if !literal.is_empty() && !is_hidden(literal) => {
            let key = format!("{secret}_VALUE");
            journeys.values.insert(key.clone(), begin);
            Text::variable(key)
        }
        _ => begin,
    };
    rest.iter().for_each(|piece| value.push(piece.clone()));
    Some((name, value))
}

/// A body or a part of one.
fn data(journeys: &Journeys, given: &mut Given, value: Text) {
    let opened = opened(journeys, &value);
    given.data.push(match (opened.as_literal(), given.input.take()) {
        (Some("@-"), Some(input)) => Data::Text(input),
        (_, input) => {
            given.input = input;
            match opened.beginning().starts_with('@') {
                true => Data::of(opened),
                false => Data::Text(value),
            }
        }
    });
}

fn part(journeys: &mut Journeys, place: &Place, given: &mut Given, text: &Text, is_verbatim: bool) {
    let text = match text.split_once('=') {
        Some(_) => text.clone(),
        None => opened(journeys, text),
    };
    match bodies::part(&text, is_verbatim) {
        Ok(part) => given.parts.push(part),
        Err((what, why)) => {
            journeys.leave_out(place, what, why);
            given.unsent = true;
        }
    }
}

fn finish(journeys: &mut Journeys, place: &Place, mut given: Given) {
    // Where nothing else is one, the last of what is not known is the URL.
    if given.urls.is_empty() {
        given.urls.extend(given.open.pop());
    }
    for open in &given.open {
        let name = open.variables().next().unwrap_or_default();
        let why = "its value is not known here, and options may be in it: write them into the plan";
        journeys.leave_out(place, format!("`{name}`"), why);
    }
    if given.unsent {
        return;
    }
    let is_one_text = |data: &Data| matches!(data, Data::Text(_));
    let is_file = given.data.len() == 1 && matches!(given.data[0], Data::File(_)) && !given.in_query;
    if !given.data.iter().all(is_one_text) && !is_file {
        let what = "a body of several sources, of a file that is encoded or of standard input";
        journeys.leave_out(place, what, "the request has to be completed by hand; it is left out");
        return;
    }
    if given.urls.is_empty() {
        journeys.leave_out(place, "curl without a URL", "there is nothing to send to");
        return;
    }
    for url in &given.urls {
        let one = match given.is_globoff {
            true => Some(url.clone()),
            false => globs::one(url),
        };
        match one {
            Some(url) if is_url(&url) => journeys.push_alone(request(place, &given, &url)),
            Some(_) => {
                let why = "it has blanks, and curl sends nothing there; the request is left out";
                journeys.leave_out(place, "a URL", why);
            }
            None => {
                let why = "it stands for several, and they are left out: write one for each, or `--globoff`";
                journeys.leave_out(place, "a URL with `{…,…}` or `[…-…]`", why);
            }
        }
    }
}

/// Whether there are no blanks in scheme and host.
fn is_url(url: &Text) -> bool {
    let beginning = url.beginning();
    let origin = beginning.split_once("://").map_or(beginning, |(_, rest)| rest);
    !origin
        .split('/')
        .next()
        .unwrap_or_default()
        .contains(char::is_whitespace)
}

fn request(place: &Place, given: &Given, url: &Text) -> Request {
    let file = given.data.iter().find_map(|data| match data {
        Data::File(path) => Some(path),
        Data::Text(_) | Data::Unknown => None,
    });
    let file = given.upload.as_ref().or(file);
    let mut url = url.clone();
    let mut data = Text::default();
    let texts = given.data.iter().filter_map(|data| match data {
        Data::Text(text) => Some(text),
        Data::File(_) | Data::Unknown => None,
    });
    for (index, text) in texts.enumerate() {
        // Pieces of JSON are put together as they are.
        data.push_str(if index == 0 || given.json { "" } else { "&" });
        data.append(text);
    }
    // Behind a slash the path ends with the name of the file.
    if let (Some(path), true) = (&given.upload, ends_with_slash(&url)) {
        url.push_str(path.rsplit('/').next().unwrap_or_default());
    }
    for query in &given.more_query {
        url = query::with_query(&url, query);
    }
    if given.in_query {
        url = query::with_query(&url, &data);
        data = Text::default();
    }
    let has_body =
        !data.is_empty() || file.is_some() || !given.parts.is_empty() || (!given.data.is_empty() && !given.in_query);
    let usual = match (given.head, given.upload.is_some(), has_body) {
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
        multipart::put_parts(&mut request, &given.parts);
    } else if let Some(file) = file {
        request.body = Body::File(file.clone());
    } else if !data.is_empty() {
        request.body = Body::Text(data);
    }
    if request.body != Body::None && given.upload.is_none() {
        request.default_header("content-type", "application/x-www-form-urlencoded");
    }
    request
}

fn ends_with_slash(url: &Text) -> bool {
    matches!(url.pieces().last(), Some(Piece::Literal(text)) if text.ends_with('/'))
}
