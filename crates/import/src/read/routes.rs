//! Routes of frameworks: their methods, and paths with places for parameters as each framework writes them.

use crate::journey::{Journeys, Request};
use crate::left_out::Place;
use crate::read::openapi::Given;
use crate::text::{Piece, Text};

/// Methods that only read. What responds to any is asked to read.
const READS: [&str; 2] = ["GET", "ALL"];
const WRITES: [&str; 4] = ["POST", "PUT", "PATCH", "DELETE"];

/// A route of a framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Such as `GET`; `ALL` for any.
    pub method: String,
    /// Such as `/users/:id`.
    pub path: String,
    /// The path is a regular expression.
    pub expression: bool,
}

pub(crate) fn read(routes: &[Route], writes: bool, given: &Given) -> Journeys {
    let mut journeys = Journeys::default();
    let place = Place::Path("routes".to_owned());
    for Route {
        method,
        path,
        expression,
    } in routes
    {
        let what = format!("{method} {path}");
        let reads = READS.contains(&method.as_str());
        if !reads && !WRITES.contains(&method.as_str()) {
            continue;
        }
        let Some(url) = url(path).filter(|_| !expression) else {
            // Middleware is registered so, too.
            if method != "ALL" {
                journeys.leave_out(&place, what, "it is a pattern; add a path that it matches");
            }
            continue;
        };
        if !reads && !writes {
            journeys.leave_out(&place, what, "it may change data; propose it with --writes");
            continue;
        }
        for name in url.variables() {
            let known = given.iter().find(|(of, _)| of == name);
            journeys.add_list(name, known.map(|(_, values)| values.clone()).unwrap_or_default());
        }
        let method = if reads { "GET" } else { method };
        journeys.push_alone(Request::new(place.clone(), method, url));
    }
    journeys
}

/// A path with its parameters as variables, without optional parts; `None` for a pattern.
fn url(path: &str) -> Option<Text> {
    let mut url = Text::default();
    let mut rest = path;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            // Twice is one of Fastify.
            ':' if after.starts_with(':') => {
                url.push_str(":");
                &after[1..]
            }
            ':' => {
                let end = after
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(after.len());
                let (name, after) = after.split_at(end);
                if name.is_empty() {
                    return None;
                }
                let after = without_constraint(after)?;
                match after.strip_prefix('?') {
                    // May be left out, with the slash before it.
                    Some(after) => {
                        url = without_slash(&url);
                        after
                    }
                    None => {
                        url.push(Piece::Variable(name.to_owned()));
                        after
                    }
                }
            }
            // A part that may be left out, of Express 5.
            '{' => {
                let end = closing(after, '{', '}')?;
                if after[..end].contains('*') {
                    return None;
                }
                &after[end..]
            }
            '*' | '(' | ')' | '}' | '[' | ']' | '?' | '+' | '\\' | '^' | '$' | '|' => return None,
            c => {
                url.push_str(c.encode_utf8(&mut [0; 4]));
                after
            }
        };
    }
    match url.is_empty() {
        true => Some(Text::literal("/")),
        false => Some(url),
    }
}

/// What is behind the expression that a parameter has to match, if there is one.
fn without_constraint(text: &str) -> Option<&str> {
    let brackets = [('(', ')'), ('{', '}')];
    match brackets.into_iter().find(|(open, _)| text.starts_with(*open)) {
        // A slash in braces begins a part that may be left out.
        Some(('{', _)) if text.starts_with("{/") => Some(text),
        Some((open, close)) => Some(&text[1 + closing(&text[1..], open, close)?..]),
        None => Some(text),
    }
}

/// Where text ends that began behind an opening bracket, with its closing one.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            c if c == open => depth += 1,
            c if c == close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + close.len_utf8());
        }
    }
    None
}

fn without_slash(url: &Text) -> Text {
    let mut pieces = url.pieces().to_vec();
    if let Some(Piece::Literal(last)) = pieces.last_mut() {
        *last = last.strip_suffix('/').unwrap_or(last).to_owned();
    }
    let mut made = Text::default();
    for piece in pieces {
        made.push(piece);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn path_of_each_framework_becomes_one_with_variables() {
        for (path, expected) in [
            ("/", Some("/")),
            ("/users/:id", Some("/users/${id}")),
            ("/users/:id/", Some("/users/${id}/")),
            (r"/users/:id(\d+)", Some("/users/${id}")),
            (r"/users/:id((\d+)|me)/x", Some("/users/${id}/x")),
            ("/users/:id{[0-9]+}", Some("/users/${id}")),
            ("/users/:id?", Some("/users")),
            ("/:id?", Some("/")),
            ("/users{/:id}", Some("/users")),
            ("/users/:id{/:tab}", Some("/users/${id}")),
            ("/:from-:to", Some("/${from}-${to}")),
            ("/v1/a::b", Some("/v1/a:b")),
            ("/a.b/~c", Some("/a.b/~c")),
            ("/files/*", None),
            ("/files/*path", None),
            ("/files/{*path}", None),
            ("/files/(.*)", None),
            ("/ab?cd", None),
            ("/:", None),
            ("/:id(", None),
        ] {
            assert_eq!(url(path), expected.map(Text::with_dollars), "{path}");
        }
    }
}
