//! Which service the requests of a file are for, and which of them a plan can send to it.

use crate::journey::{Authorization, Journeys, Request, Sequence, Step, When};
use crate::left_out::{Place, shown};
use crate::text::{Piece, Text};
use plimsoll_plan::{Server, Url};
use std::net::IpAddr;

/// Where a plan goes whose file names no service of this machine.
pub(crate) const ELSEWHERE: &str = "http://127.0.0.1:3000";

/// What stands for the service in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// What most requests of the file are for, where the plan goes elsewhere.
    pub(crate) instead_of: Option<String>,
}

/// Whether a URL has a scheme, such as `http://` or `${scheme}://`.
fn has_scheme(url: &Text) -> bool {
    let first = url.pieces().iter().find_map(|piece| match piece {
        Piece::Literal(text) => text.find(['/', '?', '#']).map(|at| (text, at)),
        _ => None,
    });
    first.is_some_and(|(text, at)| text[..at].ends_with(':') && text[at..].starts_with("//"))
}

/// A URL that begins with its host, such as `localhost:8080/a`, with the scheme that every tool takes it to have.
pub(crate) fn with_scheme(url: &Text) -> Text {
    let begins_with_host = !url.beginning().is_empty() && !url.beginning().starts_with(['/', '?', '#']);
    if !begins_with_host || has_scheme(url) {
        return url.clone();
    }
    let mut with_scheme = Text::literal("http://");
    with_scheme.append(url);
    with_scheme
}

/// Whether scheme and host of a URL have no variable.
pub(crate) fn has_known_origin(url: &Text) -> bool {
    parts(url).0.as_literal().is_some()
}

/// Scheme and host of a URL, and what is behind them.
fn parts(url: &Text) -> (Text, Text) {
    let mut origin = Text::default();
    let mut path = Text::default();
    // Slashes of a scheme are no end of it.
    let mut slashes = if has_scheme(url) { 2 } else { 0 };
    let mut is_path = url.beginning().starts_with('/');
    for piece in url.pieces() {
        match piece {
            piece if is_path => path.push(piece.clone()),
            Piece::Literal(text) => {
                let end = text.char_indices().find(|&(_, c)| match c {
                    '/' if slashes > 0 => {
                        slashes -= 1;
                        false
                    }
                    c => matches!(c, '/' | '?' | '#'),
                });
                match end {
                    Some((end, _)) => {
                        origin.push_str(&text[..end]);
                        path.push_str(&text[end..]);
                        is_path = true;
                    }
                    None => origin.push_str(text),
                }
            }
            variable => origin.push(variable.clone()),
        }
    }
    (origin, path)
}

/// A request taken apart.
struct Origin {
    /// Scheme, host and port; with places for variables that have no value.
    text: String,
    /// None of the file: the default of the format, or this machine.
    is_known: bool,
}

/// Leaves in the requests for the service that most of them are for, each with its path as its URL.
pub(crate) fn choose(journeys: &mut Journeys, given: Option<&str>) -> Target {
    let mut origins: Vec<(String, usize, Place)> = Vec::new();
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let mut count = |request: &mut Request| {
        let origin = origin_of(request);
        match origins.iter_mut().find(|(text, ..)| *text == origin.text) {
            Some((_, count, _)) => *count += 1,
            None if origin.is_known => origins.push((origin.text, 1, request.place.clone())),
            None => {}
        }
        true
    };
    // What is done before and after the load may be elsewhere, such as a log-in.
    for sequence in sequences.iter_mut().filter(|sequence| sequence.when == When::Load) {
        each_request(std::slice::from_mut(sequence), &mut count);
    }
    // Of several with as many, the first of the file.
    let most = origins.iter().map(|(_, count, _)| *count).max();
    let main = origins.into_iter().find(|(_, count, _)| Some(*count) == most);
    let (main, place) = main.map_or((String::new(), None), |(text, _, place)| (text, Some(place)));
    let is_request = |step: Option<&Step>| matches!(step, Some(Step::Request(_)));
    let edges = |sequence: &Sequence| (is_request(sequence.steps.first()), is_request(sequence.steps.last()));
    let edges: Vec<(bool, bool)> = sequences.iter().map(edges).collect();
    each_request(&mut sequences, &mut |request| {
        let origin = origin_of(request);
        let stays = !origin.is_known || origin.text == main;
        if stays {
            take_user(request);
            (_, request.url) = parts(&request.url);
            let authority = main.split_once("://").map_or(main.as_str(), |(_, authority)| authority);
            request.headers.retain(|(name, value)| {
                !(name.eq_ignore_ascii_case("host")
                    && value
                        .as_literal()
                        .is_some_and(|host| host.eq_ignore_ascii_case(authority)))
            });
        } else {
            let what = format!("{} {}", request.method, plain(&request.url));
            let why = format!("it goes to another service than {}, and a plan has one", called(&main));
            journeys.leave_out(&request.place, what, why);
        }
        stays
    });
    // What a client waited for was another service.
    for (sequence, (begins, ends)) in sequences.iter_mut().zip(edges) {
        let is_pause = |step: Option<&Step>| matches!(step, Some(Step::Pause(..)));
        while begins && is_pause(sequence.steps.first()) {
            sequence.steps.remove(0);
        }
        while ends && is_pause(sequence.steps.last()) {
            sequence.steps.pop();
        }
    }
    journeys.sequences = sequences;
    let here = Url::parse(&main).is_ok_and(|url| is_loopback(&url));
    match given {
        Some(url) => Target {
            url: url.to_owned(),
            instead_of: None,
        },
        None if here => Target {
            url: main,
            instead_of: None,
        },
        None => {
            if let Some(place) = place {
                let named = called(&main);
                let is_url = !main.contains("{{");
                let what = match is_url {
                    true => format!("the service {named}"),
                    false => named.clone(),
                };
                let why = match Url::parse(&main) {
                    Ok(_) if is_url => format!(
                        "it may be another machine, so the plan is for {ELSEWHERE}; where its owner allows load, import with --url {named}"
                    ),
                    _ => format!(
                        "it has no value in the file, so the plan is for {ELSEWHERE}; name the service with --url"
                    ),
                };
                journeys.leave_out(&place, what, why);
            }
            Target {
                url: ELSEWHERE.to_owned(),
                instead_of: Some(main).filter(|main| !main.is_empty()).map(|main| called(&main)),
            }
        }
    }
}

/// What a service is called: by its URL, or by the variables that stand for it where they have no value.
fn called(origin: &str) -> String {
    let behind = origin.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    let names: Vec<String> = behind.map(|(name, _)| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => shown(origin),
        [name] => format!("the service of {name}"),
        [names @ .., last] => format!("the service of {} and {last}", names.join(", ")),
    }
}

/// Calls `keep` for each request and leaves in those that it keeps.
pub(crate) fn each_request(sequences: &mut [Sequence], keep: &mut dyn FnMut(&mut Request) -> bool) {
    for sequence in sequences {
        each_step(&mut sequence.steps, keep);
    }
}

fn each_step(steps: &mut Vec<Step>, keep: &mut dyn FnMut(&mut Request) -> bool) {
    steps.retain_mut(|step| {
        step.inner_mut().iter_mut().for_each(|steps| each_step(steps, keep));
        match step {
            Step::Request(request) => keep(request),
            _ => true,
        }
    });
}

fn origin_of(request: &Request) -> Origin {
    let (origin, _) = parts(&request.url);
    let text = plain(&origin.map(|literal| Text::literal(literal.to_ascii_lowercase())));
    // Without user and password.
    let text = match text.split_once("://") {
        Some((scheme, authority)) => {
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            format!("{scheme}://{host}")
        }
        None => text,
    };
    Origin {
        is_known: !text.is_empty(),
        text,
    }
}

/// Makes credentials of a URL credentials of the request.
fn take_user(request: &mut Request) {
    let (origin, _) = parts(&request.url);
    let Some((scheme, authority)) = origin.as_literal().and_then(|origin| origin.split_once("://")) else {
        return;
    };
    if request.has_header("authorization") || request.authorization.is_some() || !scheme.starts_with("http") {
        return;
    }
    if let Some((user, _)) = authority.rsplit_once('@') {
        let (user, password) = user.split_once(':').unwrap_or((user, ""));
        let decoded = |text: &str| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8_lossy()
                .into_owned()
        };
        request.authorization = Some(Authorization::Basic {
            user: Text::literal(decoded(user)),
            password: Text::literal(decoded(password)),
        });
    }
}

/// With the names of variables in their places.
fn plain(text: &Text) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => text.clone(),
        Piece::Variable(name) | Piece::Environment(name) => format!("{{{{{name}}}}}"),
    };
    text.pieces().iter().map(piece).collect()
}

fn is_loopback(url: &Url) -> bool {
    match &url.server {
        Server::Unix(_) => true,
        Server::Tcp { host, .. } => host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_split_behind_its_host() {
        for (url, origin, path) in [
            ("http://h:1/a/b?c", "http://h:1", "/a/b?c"),
            ("http://h?c", "http://h", "?c"),
            ("{{base}}/a", "{{base}}", "/a"),
            (
                "http://{{host}}:{{port}}/a/{{id}}",
                "http://{{host}}:{{port}}",
                "/a/{{id}}",
            ),
            ("/a", "", "/a"),
            ("h.example/a", "h.example", "/a"),
        ] {
            let (found, rest) = parts(&Text::with_braces(url));
            assert_eq!((plain(&found).as_str(), plain(&rest).as_str()), (origin, path), "{url}");
        }
    }

    #[test]
    fn url_without_a_scheme_gets_one() {
        for (url, expected) in [
            ("localhost:8080/a", "http://localhost:8080/a"),
            ("localhost:{{port}}/a", "http://localhost:{{port}}/a"),
            ("me:pw@127.0.0.1?to=https://h/", "http://me:pw@127.0.0.1?to=https://h/"),
            ("[::1]:1/a", "http://[::1]:1/a"),
            ("https://h/a", "https://h/a"),
            ("http{{s}}://h/a", "http{{s}}://h/a"),
            ("{{base}}/a", "{{base}}/a"),
            ("/a", "/a"),
            ("", ""),
        ] {
            let with_scheme = with_scheme(&Text::with_braces(url));
            assert_eq!(plain(&with_scheme), expected, "{url}");
        }
    }

    #[test]
    fn requests_to_others_are_left_out_and_a_foreign_host_is_replaced() {
        let mut journeys = Journeys::default();
        for url in [
            "https://shop.example/a",
            "https://other.example/x",
            "https://shop.example/b",
        ] {
            journeys.push_alone(Request::new(Place::Line(1), "GET", Text::literal(url)));
        }
        let target = choose(&mut journeys, None);
        assert_eq!(target.url, ELSEWHERE);
        assert_eq!(target.instead_of.as_deref(), Some("https://shop.example"));
        assert_eq!(journeys.left_out.len(), 2);
        assert_eq!(
            journeys
                .sequences
                .iter()
                .filter(|sequence| !sequence.steps.is_empty())
                .count(),
            2
        );
    }

    #[test]
    fn service_of_this_machine_stays_and_a_given_one_wins() {
        let journeys = || {
            let mut journeys = Journeys::default();
            journeys.push_alone(Request::new(
                Place::Line(1),
                "GET",
                Text::literal("http://127.0.0.1:8080/a"),
            ));
            journeys
        };
        assert_eq!(choose(&mut journeys(), None).url, "http://127.0.0.1:8080");
        let mut given = journeys();
        assert_eq!(choose(&mut given, Some("http://[::1]:1")).url, "http://[::1]:1");
        assert!(given.left_out.is_empty());
    }
}
