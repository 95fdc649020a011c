//! `.http` and `.rest` files, as the REST client of VS Code and the HTTP client of JetBrains write them.

use crate::fill::each_text;
use crate::journey::{Body, Journeys, Request, Step, Take, TakeFrom};
use crate::left_out::Place;
use crate::made;
use crate::read::script::{self, Bodies, Line, argument};
use crate::target::each_request;
use crate::text::Text;

/// Protocols of requests that are none of HTTP.
const OTHER_PROTOCOLS: [&str; 4] = ["GRAPHQL", "GRPC", "RSOCKET", "WEBSOCKET"];
const METHODS: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"];

/// Method and URL of the line that begins a request.
pub(crate) fn request_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let line = match line.rsplit_once(' ') {
        Some((rest, version)) if version.starts_with("HTTP/") => rest.trim(),
        _ => line,
    };
    if let Some((method, url)) = line.split_once(char::is_whitespace) {
        let url = url.trim();
        let is_method = METHODS.contains(&method) || OTHER_PROTOCOLS.contains(&method);
        // In small letters it may be a sentence.
        let is_small = METHODS.iter().any(|known| known.eq_ignore_ascii_case(method)) && begins_as_url(url);
        if is_method || is_small {
            return Some((method, url));
        }
    }
    let is_url = line.starts_with("http://") || line.starts_with("https://") || line.starts_with("{{");
    (is_url && !line.contains(char::is_whitespace)).then_some(("GET", line))
}

fn begins_as_url(text: &str) -> bool {
    ["http://", "https://", "{{", "/"]
        .iter()
        .any(|begin| text.starts_with(begin))
}

pub(crate) fn read(text: &str) -> Journeys {
    let mut journeys = Journeys {
        functions: Some(made::http),
        ..Journeys::default()
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut begin = 0;
    while begin <= lines.len() {
        let end = (begin..lines.len())
            .find(|&at| is_separator(lines[at]))
            .unwrap_or(lines.len());
        let title = begin.checked_sub(1).map(|at| lines[at].trim_start_matches('#').trim());
        block(
            &mut journeys,
            &lines[begin..end],
            begin + 1,
            title.filter(|title| !title.is_empty()),
        );
        begin = end + 1;
    }
    take_references(&mut journeys);
    in_order_of_takes(&mut journeys);
    journeys
}

/// `{{login.response.body.token}}` takes the value out of the response to the request that is called so.
fn take_references(journeys: &mut Journeys) {
    let mut references: Vec<String> = Vec::new();
    let mut sequences = std::mem::take(&mut journeys.sequences);
    each_request(&mut sequences, &mut |request| {
        each_text(request, &mut |text| {
            references.extend(
                text.variables()
                    .filter(|name| name.contains(".response."))
                    .map(str::to_owned),
            );
            text.clone()
        });
        true
    });
    // A variable of the file may stand for one.
    let named = journeys.values.values().flat_map(Text::variables);
    references.extend(named.filter(|name| name.contains(".response.")).map(str::to_owned));
    references.sort_unstable();
    references.dedup();
    each_request(&mut sequences, &mut |request| {
        for reference in &references {
            let Some((_, path)) = reference
                .split_once(".response.")
                .filter(|(name, _)| request.name.as_deref() == Some(name))
            else {
                continue;
            };
            let from = match (path.strip_prefix("body"), path.strip_prefix("headers.")) {
                (Some(path), _) => TakeFrom::json_of_script(path.trim_start_matches(".$")),
                (_, Some(name)) => TakeFrom::Header(name.to_owned()),
                _ => TakeFrom::Other,
            };
            request.takes.push(Take {
                all: false,
                place: request.place.clone(),
                variable: reference.clone(),
                from,
            });
        }
        true
    });
    journeys.sequences = sequences;
}

/// Requests of a file stand side by side, unless one takes something for those behind it.
fn in_order_of_takes(journeys: &mut Journeys) {
    let takes = |step: &Step| matches!(step, Step::Request(request) if !request.takes.is_empty());
    journeys.is_ordered = journeys
        .sequences
        .iter()
        .any(|sequence| sequence.steps.iter().any(takes));
    if journeys.is_ordered && journeys.sequences.len() > 1 {
        let others = journeys.sequences.split_off(1);
        let all = &mut journeys.sequences[0];
        all.name = String::new();
        all.steps.extend(others.into_iter().flat_map(|sequence| sequence.steps));
    }
}

fn is_separator(line: &str) -> bool {
    line.starts_with("###")
}

fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("//")
        .or_else(|| line.strip_prefix('#'))
        .map(str::trim)
}

/// What stands between two lines of `###`.
fn block(journeys: &mut Journeys, lines: &[&str], first: usize, title: Option<&str>) {
    let mut name = title.map(str::to_owned);
    let mut at = 0;
    // Before the request: comments, variables, scripts.
    while at < lines.len() {
        let (line, place) = (lines[at], Place::Line(first + at));
        if line.trim().is_empty() {
        } else if let Some(comment) = comment(line) {
            directive(journeys, &place, comment, &mut name);
        } else if let Some((variable, value)) = line.strip_prefix('@').and_then(|line| line.split_once('=')) {
            journeys
                .values
                .insert(variable.trim().to_owned(), Text::with_braces(value.trim()));
        } else if line.starts_with('<') {
            at += skip_script(journeys, &lines[at..], &place, "a script that runs before the request");
            continue;
        } else {
            break;
        }
        at += 1;
    }
    let Some(line) = lines.get(at) else { return };
    let place = Place::Line(first + at);
    let Some((method, url)) = request_line(line) else {
        journeys.leave_out(&place, *line, "it is no request: `METHOD URL`");
        return;
    };
    if OTHER_PROTOCOLS.contains(&method) {
        journeys.leave_out(
            &place,
            format!("a request of {method}"),
            "plans send requests of HTTP alone",
        );
        return;
    }
    let mut url = url.to_owned();
    at += 1;
    while let Some(next) = (at..lines.len())
        .find(|&next| comment(lines[next]).is_none())
        .filter(|&next| goes_on(&url, lines[next]))
    {
        url.push_str(lines[next].trim());
        at = next + 1;
    }
    let mut request = Request::new(place.clone(), method, Text::with_braces(&url));
    while let Some(line) = lines.get(at).filter(|line| !line.trim().is_empty()) {
        let place = Place::Line(first + at);
        at += 1;
        if let Some(comment) = comment(line) {
            directive(journeys, &place, comment, &mut name);
        } else if let Some((header, value)) = line.split_once(':') {
            request
                .headers
                .push((header.trim().to_owned(), Text::with_braces(value.trim())));
        } else {
            journeys.leave_out(&place, "a header", "it is not `name: value`");
        }
    }
    body(journeys, &mut request, &lines[at.min(lines.len())..], first + at);
    if request
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("x-request-type"))
    {
        journeys.leave_out(
            &place,
            "a request of GraphQL",
            "its query is not put into JSON; the request is left out",
        );
        return;
    }
    take_host(&mut request);
    basic(&mut request);
    request.name = name;
    journeys.push_alone(request);
}

/// Whether a long URL goes on in a line of its own: by what it begins with, behind what waits for more, or indented where it is no header.
fn goes_on(url: &str, line: &str) -> bool {
    let text = line.trim();
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_header = text.split_once(':').is_some_and(|(name, _)| is_name(name));
    let waits = url.ends_with(['?', '&', '=']);
    text.starts_with(['?', '&', '/']) || !text.is_empty() && !is_header && (waits || line.starts_with([' ', '\t']))
}

/// `# @name login` and other notes to the client.
fn directive(journeys: &mut Journeys, place: &Place, comment: &str, name: &mut Option<String>) {
    let Some(directive) = comment.strip_prefix('@') else {
        return;
    };
    let (word, rest) = directive.split_once([' ', '=', '\t']).unwrap_or((directive, ""));
    match word {
        "name" => *name = Some(rest.trim().to_owned()),
        // A plan neither follows redirects nor keeps cookies.
        "no-redirect" | "no-cookie-jar" | "no-log" | "note" | "title" | "description" | "prompt" => {}
        _ => journeys.leave_out(place, format!("@{word}"), "plans have nothing like it"),
    }
}

/// Lines from here to the end of a script, which is left out.
fn skip_script(journeys: &mut Journeys, lines: &[&str], place: &Place, what: &str) -> usize {
    journeys.leave_out(place, what, "plans have no scripts");
    let opens = lines[0].contains("{%");
    let end = lines.iter().position(|line| line.contains("%}"));
    if opens {
        end.map_or(lines.len(), |end| end + 1)
    } else {
        1
    }
}

fn body(journeys: &mut Journeys, request: &mut Request, lines: &[&str], first: usize) {
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let (line, place) = (lines[at], Place::Line(first + at));
        if line.starts_with("> ") || line.starts_with(">{%") {
            at += handler(journeys, request, &lines[at..], first + at);
            continue;
        }
        // Scripts and checks of httpYac.
        if line.trim_end() == "{{" {
            let end = lines[at..].iter().position(|line| line.trim() == "}}");
            journeys.leave_out(&place, "a script", "plans have no scripts");
            at = end.map_or(lines.len(), |end| at + end + 1);
            continue;
        }
        at += 1;
        if let Some(wanted) = line.strip_prefix("??") {
            match status_wanted(wanted) {
                Some(status) => request.statuses.push(status),
                None => journeys.leave_out(&place, "a check of the response", "plans have no scripts"),
            }
            continue;
        }
        if line.starts_with("<> ") || line.starts_with(">> ") || line.starts_with(">>! ") {
            continue;
        }
        let file = line.strip_prefix("< ").or_else(|| line.strip_prefix("<@ "));
        match file {
            Some(file) if kept.iter().all(|line| line.trim().is_empty()) => {
                if line.starts_with("<@") {
                    journeys.leave_out(
                        &place,
                        "<@",
                        "the file is sent as it is, without values in the places of its variables",
                    );
                }
                request.body = Body::File(file.trim().to_owned());
            }
            Some(_) => journeys.leave_out(&place, "a file inside of a body", "plans send a file as a whole body"),
            // All clients leave out comments within a body as well.
            None if comment(line).is_some() => {}
            None => kept.push(line),
        }
    }
    if request.body != Body::None {
        return;
    }
    while kept.first().is_some_and(|line| line.trim().is_empty()) {
        kept.remove(0);
    }
    while kept.last().is_some_and(|line| line.trim().is_empty()) {
        kept.pop();
    }
    let media = request
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let media = media.map_or("", |(_, value)| value.beginning());
    let text = if media.starts_with("application/x-www-form-urlencoded") {
        kept.iter().map(|line| line.trim()).collect::<String>()
    } else if media.starts_with("multipart/") {
        kept.join("\r\n")
    } else {
        kept.join("\n")
    };
    if !text.is_empty() {
        request.body = Body::Text(Text::with_braces(&text));
    }
}

/// A script that gets the response: what it takes from there and what it checks. Gives the number of its lines.
fn handler(journeys: &mut Journeys, request: &mut Request, lines: &[&str], first: usize) -> usize {
    let opens = lines[0].contains("{%");
    let end = match opens {
        true => lines
            .iter()
            .position(|line| line.contains("%}"))
            .map_or(lines.len(), |end| end + 1),
        false => 1,
    };
    let script = lines[..end].join("\n");
    let mut bodies = Bodies::of(&["response.body", "JSON.parse(response.body)"]);
    for (at, line) in script::lines(&script, &["client.test("]).into_iter().enumerate() {
        let place = Place::Line(first + at);
        let Line { text, is_on_condition } = line;
        if let Some((_, rest)) = text.split_once("client.global.set(") {
            let name = rest.split(['"', '\'']).nth(1).unwrap_or_default();
            let value = rest.split_once(',').map_or("", |(_, value)| argument(value));
            let from = match value.strip_prefix("response.headers.valueOf(") {
                Some(name) => TakeFrom::Header(name.split(['"', '\'']).nth(1).unwrap_or_default().to_owned()),
                None => bodies.path(value).map_or(TakeFrom::Other, TakeFrom::Json),
            };
            request.takes.push(Take {
                all: false,
                place,
                variable: name.to_owned(),
                from,
            });
        } else if let Some(status) = asserted_status(text).filter(|_| !is_on_condition) {
            request.statuses.push(status);
        } else if text.contains("client.assert") || text.contains("client.test") && !text.ends_with('{') {
            journeys.leave_out(&place, "a check of the response", "plans have no scripts");
        } else {
            bodies.take_in(text);
        }
    }
    if request.takes.is_empty() && !lines[..end].iter().any(|line| line.contains("client.")) {
        journeys.leave_out(
            &Place::Line(first),
            "a script that gets the response",
            "plans have no scripts",
        );
    }
    end
}

/// The status in `client.assert(response.status === 200, "…")`.
fn asserted_status(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("client.assert(")?;
    let digits = rest
        .trim_start()
        .strip_prefix("response.status")?
        .trim_start_matches([' ', '=']);
    let status = digits
        .get(..3)
        .filter(|status| status.bytes().all(|byte| byte.is_ascii_digit()))?;
    // Nothing else is asserted with it.
    let ends = digits[3..].trim_start().starts_with([',', ')']);
    (ends && rest.contains("==")).then(|| status.to_owned())
}

/// The status in `?? status == 200`.
fn status_wanted(check: &str) -> Option<String> {
    let status = check.trim().strip_prefix("status")?.trim_start().strip_prefix("==")?;
    let status = status.trim_start_matches('=').trim();
    (status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit())).then(|| status.to_owned())
}

/// `GET /path` with a `Host` header.
fn take_host(request: &mut Request) {
    if !request.url.beginning().starts_with('/') {
        return;
    }
    if let Some(at) = request
        .headers
        .iter()
        .position(|(name, _)| name.eq_ignore_ascii_case("host"))
    {
        let (_, mut url) = request.headers.remove(at);
        url.append(&request.url);
        request.url = url;
    }
}

/// Both clients encode `Authorization: Basic user password`, and send what is encoded already as it is.
fn basic(request: &mut Request) {
    let at = request
        .headers
        .iter()
        .position(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let Some(at) = at else { return };
    let value = &request.headers[at].1;
    if !value
        .beginning()
        .get(..6)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic "))
    {
        return;
    }
    let credentials = value.without_first(6).trim_start();
    let parts = credentials.split_once(' ').or_else(|| credentials.split_once(':'));
    if let Some((user, password)) = parts {
        request.headers.remove(at);
        request.authorization = Some(crate::journey::Authorization::Basic { user, password });
    }
}
