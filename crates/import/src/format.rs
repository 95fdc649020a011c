//! Whose file it is.

use crate::error::ImportError;
use crate::read::http_file;
use std::fmt;
use std::str::FromStr;

/// A format that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Command lines of curl.
    Curl,
    /// `.http` and `.rest` files of VS Code and JetBrains.
    Http,
    /// What a browser recorded.
    Har,
    /// A collection of Postman.
    Postman,
    /// An API that is described by OpenAPI 3.
    OpenApi,
    /// A script of Artillery.
    Artillery,
    /// A test plan of JMeter.
    Jmx,
}

/// Names of the formats, and what they are called in messages.
const NAMES: [(&str, Format, &str); 7] = [
    ("curl", Format::Curl, "command lines of curl"),
    ("http", Format::Http, "a .http file"),
    ("har", Format::Har, "HAR"),
    ("postman", Format::Postman, "a collection of Postman"),
    ("openapi", Format::OpenApi, "OpenAPI"),
    ("artillery", Format::Artillery, "a script of Artillery"),
    ("jmx", Format::Jmx, "a test plan of JMeter"),
];

impl Format {
    /// As `--from` takes them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, ..)| *name)
    }

    /// The format of a file, by what is in it.
    pub(crate) fn detect(text: &str) -> Result<Self, ImportError> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let head = &text[..text.char_indices().nth(20_000).map_or(text.len(), |(at, _)| at)];
        if text.starts_with('<') {
            return if head.contains("<jmeterTestPlan") {
                Ok(Self::Jmx)
            } else {
                Err(Self::unknown())
            };
        }
        let has = |key: &str| has_key(text, head, key);
        if has("openapi") || has("swagger") {
            return Ok(Self::OpenApi);
        }
        if has("scenarios") && (has("config") || head.contains("flow")) {
            return Ok(Self::Artillery);
        }
        if text.starts_with('{') {
            return match () {
                () if has("log") && text.contains("\"entries\"") => Ok(Self::Har),
                () if text.contains("\"_postman_id\"") || text.contains("schema.getpostman.com") || has("item") => {
                    Ok(Self::Postman)
                }
                () => Err(Self::unknown()),
            };
        }
        if head.contains("from 'k6") || head.contains("from \"k6") || head.contains("require('k6") {
            return Err(ImportError::new(None, "a script of k6", "a file of requests")
                .hint("a script is a program and has to be run to know what it sends: record it as HAR, or write the plan from its requests"));
        }
        // The first line that is one of a format decides.
        // In a script it may stand within others, such as `TOKEN=$(curl …)`.
        let ends_word = |c: char| c.is_whitespace() || "$()`\"'=|;&".contains(c);
        let is_curl = |line: &str| {
            let mut words = line.split(ends_word);
            words.any(|word| word == "curl" || word.ends_with("/curl") || word == "curl.exe")
        };
        for line in head.lines().map(str::trim) {
            if line.starts_with("###") || http_file::request_line(line).is_some() {
                return Ok(Self::Http);
            }
            if is_curl(line) && !line.starts_with('#') && !line.starts_with("//") {
                return Ok(Self::Curl);
            }
        }
        Err(Self::unknown())
    }

    fn unknown() -> ImportError {
        let names = Self::names().collect::<Vec<_>>().join(", ");
        ImportError::new(None, "a file of no format that is known", format!("one of {names}"))
            .hint("name the format with --from")
    }
}

/// Whether a key stands in JSON before anything long, or is one of the first of YAML.
fn has_key(text: &str, head: &str, key: &str) -> bool {
    match text.starts_with('{') {
        true => head.contains(&format!("\"{key}\"")),
        false => text
            .lines()
            .any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))),
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let called = NAMES.iter().find(|(_, format, _)| format == self);
        f.write_str(called.map_or("", |(_, _, called)| called))
    }
}

impl FromStr for Format {
    type Err = ImportError;

    fn from_str(name: &str) -> Result<Self, ImportError> {
        let known = NAMES.iter().find(|(known, ..)| *known == name);
        known.map(|(_, format, _)| *format).ok_or_else(|| {
            let names = Self::names().collect::<Vec<_>>().join(", ");
            ImportError::new(None, format!("the format `{name}`"), format!("one of {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_found_by_what_is_in_the_file() {
        for (text, format) in [
            ("curl 'http://h/'", Some(Format::Curl)),
            ("# how\n$ curl -s \\\n  http://h/", Some(Format::Curl)),
            ("GET http://h/\n", Some(Format::Http)),
            ("### one\n{{base}}/x\n", Some(Format::Http)),
            ("@base = http://h\n\nPOST {{base}}/x HTTP/1.1\n", Some(Format::Http)),
            ("{\"log\": {\"entries\": []}}", Some(Format::Har)),
            (
                "{\"info\": {\"_postman_id\": \"x\"}, \"item\": []}",
                Some(Format::Postman),
            ),
            ("openapi: 3.0.0\npaths: {}\n", Some(Format::OpenApi)),
            ("{\"openapi\": \"3.1.0\"}", Some(Format::OpenApi)),
            ("config:\n  target: x\nscenarios: []\n", Some(Format::Artillery)),
            ("<?xml version=\"1.0\"?>\n<jmeterTestPlan>", Some(Format::Jmx)),
            ("import http from 'k6/http';", None),
            ("hello", None),
            ("", None),
            ("{}", None),
        ] {
            assert_eq!(Format::detect(text).ok(), format, "{text}");
        }
    }
}
