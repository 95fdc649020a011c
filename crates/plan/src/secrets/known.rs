//! The values that a plan is known to hold, taken out of text that somebody else wrote: the last lines of a service, a
//! failed response, what a probe reports.

use super::{REDACTED, Secret, is_harmless_header};
use crate::{Plan, Template, Values};
use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A shorter value is in too many texts that have nothing to do with it …
const SHORTEST: usize = 6;
/// … unless its name says that it is a secret.
const SHORTEST_NAMED: usize = 4;
/// More are no secrets but data, and would cost more memory than they are worth.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of a stream that are searched at a time.
const STREAM_PIECE: u64 = 1 << 20;
/// Values that say nothing, and stand in many lines.
const COMMON: [&str; 8] = [
    "development",
    "localhost",
    "127.0.0.1",
    "production",
    "staging",
    "silent",
    "0.0.0.0",
    "application/json",
];
/// What `encodeURI` leaves in addition to `encodeURIComponent`.
const IN_URLS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'%')
    .add(b'{')
    .add(b'}');

/// Replaces known secret values in foreign text. Cheap to clone; prints nothing of what it knows.
#[derive(Clone, Default)]
pub struct KnownSecrets {
    finder: Option<Arc<AhoCorasick>>,
    count: usize,
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KnownSecrets({})", self.count)
    }
}

impl KnownSecrets {
    /// Those of a plan: values of its environment, of lists, of headers that are not known to be harmless, of queries and
    /// bodies, and the hidden words of its command.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self::of_plans([plan])
    }

    /// Those of several plans.
    pub fn of_plans<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Self {
        let mut gathered = Gathered::default();
        plans.into_iter().for_each(|plan| gathered.plan(plan));
        gathered.into_known()
    }

    /// Values of an environment, by name.
    pub fn of_settings<'a>(settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut gathered = Gathered::default();
        settings
            .into_iter()
            .for_each(|(name, value)| gathered.setting(name, value));
        gathered.into_known()
    }

    /// `text` with a placeholder for each value that is known, as it is, escaped as in JSON, percent-encoded or in base64.
    #[must_use]
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.finder {
            Some(finder) if finder.is_match(text) => {
                let replacements = vec![REDACTED; finder.patterns_len()];
                Cow::Owned(finder.replace_all(text, &replacements))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// As [`KnownSecrets::hide`], for bytes that may be no text.
    #[must_use]
    pub fn hide_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        match &self.finder {
            Some(finder) => finder.replace_all_bytes(bytes, &vec![REDACTED; finder.patterns_len()]),
            None => bytes.to_vec(),
        }
    }

    /// As [`KnownSecrets::hide`], from one file to another; says whether anything was hidden.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn hide_stream(&self, mut from: impl Read, mut to: impl Write) -> io::Result<bool> {
        let Some(finder) = &self.finder else {
            return Ok(false);
        };
        let (mut buffer, mut found) = (Vec::new(), false);
        loop {
            let more = from.by_ref().take(STREAM_PIECE).read_to_end(&mut buffer)? > 0;
            // What begins behind this may go on in the next piece.
            let settled = if more {
                buffer.len().saturating_sub(finder.max_pattern_len())
            } else {
                buffer.len()
            };
            let mut at = 0;
            for secret in finder.find_iter(&buffer).take_while(|secret| secret.start() < settled) {
                to.write_all(&buffer[at..secret.start()])?;
                to.write_all(REDACTED.as_bytes())?;
                (at, found) = (secret.end(), true);
            }
            to.write_all(buffer.get(at..settled).unwrap_or_default())?;
            buffer.drain(..at.max(settled));
            if !more {
                return Ok(found);
            }
        }
    }

    /// Whether nothing is known that has to be hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finder.is_none()
    }

    /// [`KnownSecrets::hide`] for text that is owned.
    #[must_use]
    pub fn hide_in(&self, text: String) -> String {
        match self.hide(&text) {
            Cow::Owned(hidden) => hidden,
            Cow::Borrowed(_) => text,
        }
    }
}

#[derive(Default)]
struct Gathered {
    values: BTreeSet<String>,
    bytes: usize,
}

impl Gathered {
    fn plan(&mut self, plan: &Plan) {
        if let Some(command) = &plan.target.command {
            for (name, value) in &command.env {
                self.setting(name, value.reveal());
            }
            for (word, shown) in command.argv.iter().zip(super::shown_words(&command.argv)) {
                self.hidden_word(word, &shown);
            }
            if let Some(path) = &command.ready.path {
                self.query(path.reveal());
            }
        }
        for variable in &plan.scenario.variables {
            if let Values::List(texts) = &variable.values {
                texts
                    .iter()
                    .for_each(|text| self.setting(&variable.name, text.reveal()));
            }
        }
        for request in &plan.scenario.requests {
            for (name, value) in &request.headers {
                if !is_harmless_header(name) {
                    self.each_literal(value, Self::header);
                }
            }
            self.each_literal(&request.path, Self::query);
            self.each_literal(&request.body, Self::body);
            self.sealed(&request.path);
            request.headers.iter().for_each(|(_, value)| self.sealed(value));
            self.sealed(&request.body);
        }
    }

    fn each_literal(&mut self, template: &Template, mut take: impl FnMut(&mut Self, &str)) {
        for literal in template.literals() {
            take(self, &String::from_utf8_lossy(literal));
        }
    }

    fn sealed(&mut self, template: &Template) {
        for span in &template.spans {
            if let crate::template::Span::Sealed(bytes) = span {
                self.add(&String::from_utf8_lossy(bytes), SHORTEST_NAMED);
            }
        }
    }

    fn setting(&mut self, name: &str, value: &str) {
        let shortest = if super::words::sounds_secret(name) {
            SHORTEST_NAMED
        } else {
            SHORTEST
        };
        self.add(value, shortest);
        // The password of a URL is one by itself.
        for url in value.split("://").skip(1) {
            if let Some((user, _)) = url.rsplit_once('@') {
                user.split(':').for_each(|part| self.add(part, SHORTEST_NAMED));
                user.split_once(':')
                    .into_iter()
                    .for_each(|(_, password)| self.add(password, SHORTEST_NAMED));
            }
            self.query(url);
        }
    }

    fn hidden_word(&mut self, word: &Secret, shown: &str) {
        let text = word.reveal();
        if text == shown {
            return;
        }
        let value = text.split_once('=').map_or(text, |(_, value)| value);
        let shortest = if word.is_sealed() { SHORTEST_NAMED } else { SHORTEST };
        self.setting("", value);
        self.add(value, shortest);
        // A URL with a query has a `=` as well.
        self.setting("", text);
        // `-phunter2`.
        if let (Some(rest), true) = (text.get(2..), text.starts_with('-') && !text.starts_with("--")) {
            self.add(rest, shortest);
        }
    }

    /// `Bearer …`, `Basic …`, `a=b; c=d`.
    fn header(&mut self, value: &str) {
        self.add(value.trim(), SHORTEST_NAMED);
        for part in value.split([' ', ';', ',']) {
            let part = part.trim();
            self.add(part, SHORTEST);
            if let Some((_, value)) = part.split_once('=') {
                self.add(value.trim_matches('"'), SHORTEST_NAMED);
            }
            if let Some(user) = STANDARD
                .decode(part)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())
                && let Some((_, password)) = user.split_once(':')
            {
                self.add(password, SHORTEST_NAMED);
                self.add(&user, SHORTEST_NAMED);
            }
        }
    }

    fn query(&mut self, path: &str) {
        let Some((_, query)) = path.split_once('?') else { return };
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or(("", parameter));
            let shortest = if super::words::sounds_secret(name) {
                SHORTEST_NAMED
            } else {
                SHORTEST
            };
            self.add(value, shortest);
            let decoded = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
            self.add(&decoded, shortest);
        }
    }

    /// The texts of a JSON body, the values of a form, and any other body as a whole.
    fn body(&mut self, text: &str) {
        if let Ok(json) = serde_json::from_str::<serde_json::Value>(text) {
            self.json("", &json);
            return;
        }
        self.add(text.trim(), SHORTEST);
        // A form, or a piece of JSON between two variables.
        for part in text.split(['&', '"', '\n']) {
            let value = part.split_once('=').map_or(part, |(_, value)| value);
            self.add(value.trim(), SHORTEST + 2);
        }
    }

    fn json(&mut self, name: &str, value: &serde_json::Value) {
        match value {
            serde_json::Value::String(text) => {
                let shortest = if super::words::sounds_secret(name) {
                    SHORTEST_NAMED
                } else {
                    SHORTEST
                };
                self.add(text, shortest);
            }
            serde_json::Value::Number(number) => self.add(&number.to_string(), SHORTEST),
            serde_json::Value::Array(items) => items.iter().for_each(|item| self.json(name, item)),
            serde_json::Value::Object(entries) => entries.iter().for_each(|(name, item)| self.json(name, item)),
            serde_json::Value::Null | serde_json::Value::Bool(_) => {}
        }
    }

    fn add(&mut self, value: &str, shortest: usize) {
        let value = value.trim();
        if value.chars().count() < shortest || COMMON.contains(&value) || value.starts_with("[redacted") {
            return;
        }
        let json = serde_json::Value::from(value).to_string();
        let forms = [
            value.to_owned(),
            json[1..json.len() - 1].to_owned(),
            utf8_percent_encode(value, NON_ALPHANUMERIC).to_string(),
            utf8_percent_encode(value, IN_URLS).to_string(),
            STANDARD.encode(value),
            URL_SAFE_NO_PAD.encode(value),
        ];
        for form in forms {
            if self.bytes + form.len() <= MOST_BYTES && self.values.insert(form.clone()) {
                self.bytes += form.len();
            }
        }
    }

    fn into_known(self) -> KnownSecrets {
        if self.values.is_empty() {
            return KnownSecrets::default();
        }
        let count = self.values.len();
        // Fails on more patterns than memory holds, which the bound keeps away.
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(self.values)
            .ok();
        KnownSecrets {
            finder: finder.map(Arc::new),
            count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
target:
  url: http://me:basic-pass@h/
  command: [node, server.js, --key, word-secret, "redis://:redis-pass@h"]
  env: { DB: "mysql://u:env-pass@h/x", PIN: "4711", PORT: "3000", NODE_ENV: production }
scenario:
  variables: { user: { values: [variable-1] } }
  requests:
    - path: /a?token=query%20pass
      headers: { x-auth: "Bearer header-pass", cookie: "sid=cookie-pass; a=b", accept: text/plain }
      json: { password: 'body "pass"', n: 1 }
"#;

    #[test]
    fn values_of_a_plan_are_known() {
        let plan = Plan::parse(PLAN, "/plans/a.yaml").expect("a plan");
        let known = KnownSecrets::of(&plan);
        for text in [
            "basic-pass",
            "word-secret",
            "redis-pass",
            "env-pass",
            "4711",
            "variable-1",
            "query%20pass",
            "query pass",
            "header-pass",
            "cookie-pass",
            "body \"pass\"",
            "body \\\"pass\\\"",
            &STANDARD.encode("header-pass"),
            &STANDARD.encode("me:basic-pass"),
        ] {
            let line = format!("it said {text}.");
            assert_eq!(known.hide(&line), "it said [redacted].", "{text}");
        }
        for text in ["listening on port 3000", "production", "text/plain", "server.js"] {
            assert_eq!(known.hide(text), text);
        }
        assert!(!format!("{known:?}").contains("pass"));
        assert_eq!(KnownSecrets::default().hide("anything"), "anything");
    }
    #[test]
    fn a_stream_hides_what_lies_across_its_pieces() {
        let known = KnownSecrets::of_settings([("A_TOKEN", "abcdef"), ("B_TOKEN", "abcdefghij")]);
        for before in 0..=12 {
            let filler = "-".repeat(STREAM_PIECE as usize - before);
            for (text, hidden, found) in [
                ("abcdefghij.", "[redacted].", true),
                ("abcdefghi.", "[redacted]ghi.", true),
                ("abcdefghijabcdef", "[redacted][redacted]", true),
                ("abcde", "abcde", false),
                ("", "", false),
            ] {
                let mut out = Vec::new();
                let any = known
                    .hide_stream(format!("{filler}{text}").as_bytes(), &mut out)
                    .expect("hidden");
                assert!(out == format!("{filler}{hidden}").as_bytes(), "{before} {text}");
                assert_eq!(any, found);
            }
        }
    }
}
