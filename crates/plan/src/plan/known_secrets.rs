//! The values that a plan is known to hold, taken out of text that somebody else wrote: the log of a service and the names of
//! its processes, a failed response.

use crate::plan::auth::Auth;
use crate::plan::table::Table;
use crate::plan::target::{Neighbour, Sign};
use crate::secrets::{REDACTED, Secret, is_harmless_header, is_plain, pieces, shown_words, sounds_secret};
use crate::{Command, Plan, Template, Values};
use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// A shorter value is in too many texts that have nothing to do with it …
const SHORTEST: usize = 6;
/// … unless its name says that it is a secret.
const SHORTEST_NAMED: usize = 4;
/// More are no secrets but data, and would cost more memory than they are worth.
const MOST_BYTES: usize = 4 << 20;
/// In the same way of a table, of which columns whose names sound like secrets come first.
const MOST_TABLE_BYTES: usize = 1 << 20;
/// Bytes of a stream that are searched at a time.
const STREAM_PIECE: u64 = 1 << 20;
/// Bytes that Linux keeps of the name of a process.
const LONGEST_TITLE: usize = 15;
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
    /// As the system cuts the names of processes.
    titles: Arc<BTreeSet<String>>,
    count: usize,
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KnownSecrets({})", self.count)
    }
}

impl KnownSecrets {
    /// Those of a plan: values of its environment, of lists and tables, of headers that are not known to be harmless, of queries and
    /// bodies, and the hidden words of its command.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let mut gathered = Gathered::default();
        gathered.plan(plan);
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

    /// Gives `found` each place of a stream where something is that has to be hidden, as bytes from its beginning.
    ///
    /// # Errors
    /// Those of reading, and of `found`.
    pub fn find_in_stream(
        &self,
        mut from: impl Read,
        mut found: impl FnMut(Range<u64>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(finder) = &self.finder else {
            return Ok(());
        };
        let (mut buffer, mut passed) = (Vec::new(), 0);
        loop {
            let more = from.by_ref().take(STREAM_PIECE).read_to_end(&mut buffer)? > 0;
            // What begins behind this may go on in the next piece.
            let settled = match more {
                true => buffer.len().saturating_sub(finder.max_pattern_len()),
                false => buffer.len(),
            };
            let mut at = settled;
            for secret in finder.find_iter(&buffer).take_while(|secret| secret.start() < settled) {
                found(passed + secret.start() as u64..passed + secret.end() as u64)?;
                at = settled.max(secret.end());
            }
            buffer.drain(..at);
            passed += at as u64;
            if !more {
                return Ok(());
            }
        }
    }

    /// As [`KnownSecrets::hide`], for the name of a process, which any program can choose and the system cuts.
    #[must_use]
    pub fn hide_title(&self, title: &str) -> String {
        match self.titles.iter().find(|cut| title.starts_with(cut.as_str())) {
            Some(cut) => format!("{REDACTED}{}", &title[cut.len()..]),
            None => self.hide(title).into_owned(),
        }
    }

    /// Whether nothing is known that has to be hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finder.is_none()
    }
}

fn shortest(name: &str) -> usize {
    if sounds_secret(name) { SHORTEST_NAMED } else { SHORTEST }
}

#[derive(Default)]
struct Gathered {
    values: BTreeSet<String>,
    bytes: usize,
}

impl Gathered {
    fn plan(&mut self, plan: &Plan) {
        for beside in &plan.target().beside {
            self.neighbour(&beside.neighbour);
        }
        plan.target().command.iter().for_each(|command| self.command(command));
        match &plan.target().auth {
            Some(Auth::Basic { user, password }) => {
                self.add(user.reveal(), SHORTEST);
                self.add(password.reveal(), SHORTEST_NAMED);
            }
            Some(Auth::Bearer(token)) => self.add(token.reveal(), SHORTEST_NAMED),
            None => {}
        }
        if let Some(user) = plan.target().proxy.as_ref().and_then(|proxy| proxy.url().user.as_ref()) {
            let (name, password) = user.reveal().split_once(':').unwrap_or((user.reveal(), ""));
            self.add(name, SHORTEST);
            self.add(password, SHORTEST_NAMED);
            self.add(user.reveal(), SHORTEST_NAMED);
        }
        for variable in &plan.scenario().variables {
            if let Values::List(texts) = variable.values.in_turn() {
                texts
                    .iter()
                    .for_each(|text| self.setting(&variable.name, text.reveal()));
            }
        }
        plan.scenario().tables().for_each(|table| self.table(table));
        for check in plan
            .scenario()
            .written_actions()
            .into_iter()
            .flat_map(|action| &action.checks)
        {
            // Nothing of an expression is shown.
            check.text().into_iter().for_each(|text| self.sealed(text));
        }
        for request in plan.scenario().written_requests() {
            self.message(&request.headers, Some(&request.body));
            self.each_literal(&request.path, Self::query);
            for text in request.grpc.iter().flat_map(|grpc| &grpc.texts) {
                self.each_literal(text, Self::body);
                self.sealed(text);
            }
            self.sealed(&request.path);
        }
    }

    fn neighbour(&mut self, neighbour: &Neighbour) {
        match neighbour {
            Neighbour::Program { command, ready } => {
                if let Sign::Url(url) = ready {
                    self.query(url.path.reveal());
                }
                self.command(command);
            }
            Neighbour::StandIn(stand_in) => {
                let responses = stand_in.responses.iter();
                responses.for_each(|response| self.message(&response.headers, response.body.same()));
            }
        }
    }

    fn command(&mut self, command: &Command) {
        for (name, value) in &command.env {
            self.setting(name, value.reveal());
        }
        for (word, shown) in command.argv.iter().zip(shown_words(&command.argv)) {
            self.hidden_word(word, &shown);
        }
        if let Some(path) = &command.ready.path {
            self.query(path.reveal());
        }
    }

    /// Of a request or a response.
    fn message(&mut self, headers: &[(String, Template)], body: Option<&Template>) {
        for (name, value) in headers {
            if !is_harmless_header(name) {
                self.each_literal(value, Self::header);
            }
            self.sealed(value);
        }
        if let Some(body) = body {
            self.each_literal(body, Self::body);
            self.sealed(body);
        }
    }

    fn table(&mut self, table: &Table) {
        let most_bytes = self.bytes + MOST_TABLE_BYTES;
        let mut columns: Vec<(usize, &String)> = table.rows.columns.iter().enumerate().collect();
        columns.sort_by_key(|(_, name)| !sounds_secret(name));
        for (column, name) in columns {
            let shortest = shortest(name);
            for row in 0..table.rows.count() {
                if self.bytes > most_bytes {
                    return;
                }
                self.add(table.rows.value(row, column).unwrap_or_default(), shortest);
            }
        }
    }

    fn each_literal(&mut self, template: &Template, mut take: impl FnMut(&mut Self, &str)) {
        for literal in template.literals() {
            take(self, &String::from_utf8_lossy(literal));
        }
    }

    fn sealed(&mut self, template: &Template) {
        for span in &template.spans {
            if let crate::plan::template::Span::Sealed(bytes) = span {
                self.add(&String::from_utf8_lossy(bytes), SHORTEST_NAMED);
            }
        }
    }

    fn setting(&mut self, name: &str, value: &str) {
        self.add(value, shortest(name));
        // The password of a URL is one by itself, whatever is in it.
        for url in value.split("://").skip(1) {
            if let Some((user, _)) = url.rsplit_once('@') {
                user.split(':').for_each(|part| self.add(part, SHORTEST_NAMED));
                user.split_once(':')
                    .into_iter()
                    .for_each(|(_, password)| self.add(password, SHORTEST_NAMED));
            }
            self.query(url);
        }
        self.pieces(value);
    }

    /// The parts of a text that may be secrets by themselves, but for those that would be shown anyway.
    fn pieces(&mut self, text: &str) {
        pieces(text, &mut |name, value| {
            if !is_plain(value) {
                self.add(value, shortest(name));
            }
        });
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
                && let Some((name, password)) = user.split_once(':')
            {
                // An API key often is a user without a password.
                self.add(name, if password.is_empty() { SHORTEST_NAMED } else { SHORTEST });
                self.add(password, SHORTEST_NAMED);
                self.add(&user, SHORTEST_NAMED);
            }
        }
    }

    /// Of a path and its query, what stands behind a name: parameters of segments, and of the query.
    fn query(&mut self, path: &str) {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let of_segments = path.split('/').flat_map(|segment| segment.split(';').skip(1));
        for parameter in of_segments.chain(query.split('&')) {
            let (name, value) = parameter.split_once('=').unwrap_or(("", parameter));
            self.add(value, shortest(name));
            let decoded = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
            self.add(&decoded, shortest(name));
        }
    }

    /// The texts of a JSON body, the values of a form, and any other body as a whole.
    fn body(&mut self, text: &str) {
        self.pieces(text);
        if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
            return;
        }
        self.add(text.trim(), SHORTEST);
        // A form, or a piece of JSON between two variables.
        for part in text.split(['&', '"', '\n']) {
            let value = part.split_once('=').map_or(part, |(_, value)| value);
            self.add(value.trim(), SHORTEST + 2);
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
        let cut = |value: &String| Some(value.get(..LONGEST_TITLE)?.to_owned()).filter(|_| value.len() > LONGEST_TITLE);
        let titles = self.values.iter().filter_map(cut).collect();
        // Fails on more patterns than memory holds, which the bound keeps away.
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(self.values)
            .ok();
        KnownSecrets {
            finder: finder.map(Arc::new),
            titles: Arc::new(titles),
            count,
        }
    }
}

#[cfg(test)]
mod tests;
