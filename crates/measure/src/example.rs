//! What one failure looked like: the first of its kind.

use crate::error_class::ErrorClass;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Most bytes of a text of an example.
pub const EXAMPLE_BYTES_MAX: usize = 200;

/// What an example is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sight {
    /// A failure of this class.
    Failure(ErrorClass),
    /// A request that met a kept connection which the service was ending.
    KeepAliveRace,
    /// Bytes that no request had asked for.
    Unrequested,
    /// A redirect.
    Redirect,
}

impl Sight {
    const OTHERS: [Self; 3] = [Self::KeepAliveRace, Self::Unrequested, Self::Redirect];

    /// Name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failure(class) => class.as_str(),
            Self::KeepAliveRace => "keep_alive_race",
            Self::Unrequested => "unrequested",
            Self::Redirect => "redirect",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        let mut all = ErrorClass::ALL.into_iter().map(Self::Failure).chain(Self::OTHERS);
        all.find(|sight| sight.as_str() == name)
    }
}

/// One example, in words that are safe to show: short, and of printable characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Of what.
    pub of: Sight,
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// The name of the request in the plan; empty where it belongs to none, or the scenario has only one.
    pub request: String,
    /// What was expected; empty where that goes without saying.
    pub expected: String,
    /// What was found instead.
    pub found: String,
    /// How that begins which the service sent; empty where it sent nothing.
    pub received: String,
}

impl Example {
    /// Made safe to show, whatever is in the texts.
    #[must_use]
    pub fn new(of: Sight, at_ns: u64, expected: &str, found: &str, received: &[u8]) -> Self {
        Self {
            of,
            at_ns,
            request: String::new(),
            expected: printable(expected.as_bytes()),
            found: printable(found.as_bytes()),
            received: printable(received),
        }
    }

    /// The same, of the request with this name.
    #[must_use]
    pub fn of_request(self, name: &str) -> Self {
        Self {
            request: printable(name.as_bytes()),
            ..self
        }
    }
}

/// The beginning of `bytes` as one short line: no control characters, nothing that is not printable, blanks for line ends.
#[must_use]
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::new();
    // A character has at most four bytes, and those that are left out may be more.
    let looked_at = &bytes[..bytes.len().min(4 * EXAMPLE_BYTES_MAX)];
    for c in String::from_utf8_lossy(looked_at).trim().chars() {
        let shown = match c {
            '\r' | '\n' | '\t' | ' ' if text.ends_with(' ') => continue,
            '\r' | '\n' | '\t' => ' ',
            // What has an escape is a control character, changes the direction of writing, is not seen or joins others.
            c if !c.is_ascii() && c.escape_debug().count() > 1 => '\u{fffd}',
            c if c.is_ascii_control() => '\u{fffd}',
            c => c,
        };
        if text.len() + shown.len_utf8() > EXAMPLE_BYTES_MAX {
            text.push('…');
            return text;
        }
        text.push(shown);
    }
    if looked_at.len() < bytes.len() {
        text.push('…');
    }
    text
}

/// The first example of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Examples(Vec<Example>);

impl Examples {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The example of this kind.
    #[must_use]
    pub fn get(&self, of: Sight) -> Option<&Example> {
        self.0.iter().find(|example| example.of == of)
    }

    /// Keeps an example unless there is an earlier one of its kind.
    pub fn add(&mut self, example: Example) {
        match self.0.iter_mut().find(|mine| mine.of == example.of) {
            Some(mine) if example.at_ns < mine.at_ns => *mine = example,
            Some(_) => {}
            None => self.0.push(example),
        }
    }

    /// Adds those of `other`.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|example| self.add(example.clone()));
    }
}

/// As the run directory has it.
#[derive(Serialize, Deserialize)]
struct Line {
    of: String,
    at_ns: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    request: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    expected: String,
    found: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    received: String,
}

impl Serialize for Examples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|example| Line {
            of: example.of.as_str().to_owned(),
            at_ns: example.at_ns,
            request: example.request.clone(),
            expected: example.expected.clone(),
            found: example.found.clone(),
            received: example.received.clone(),
        }))
    }
}

impl<'de> Deserialize<'de> for Examples {
    /// A directory may come from anywhere, so its texts are made safe again. Kinds that a later version added are left out.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut examples = Self::default();
        for line in Vec::<Line>::deserialize(deserializer)? {
            if let Some(of) = Sight::of_name(&line.of) {
                let example = Example::new(of, line.at_ns, &line.expected, &line.found, line.received.as_bytes());
                examples.add(example.of_request(&line.request));
            }
        }
        Ok(examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_bytes_become_one_short_printable_line() {
        for (bytes, text) in [
            (&b"HELO there\r\n\r\n"[..], "HELO there"),
            (b" a\t\tb\r\n c ", "a b c"),
            (b"\x1b[31mred\x07", "\u{fffd}[31mred\u{fffd}"),
            (b"\xff\xfe", "\u{fffd}\u{fffd}"),
            (
                "gr\u{fc}\u{df}e \u{202e}evil\u{200b} \u{9b}1m".as_bytes(),
                "gr\u{fc}\u{df}e \u{fffd}evil\u{fffd} \u{fffd}1m",
            ),
            (b"", ""),
        ] {
            assert_eq!(printable(bytes), text);
        }
        assert_eq!(printable(&[b'a'; 200]), "a".repeat(200));
        assert_eq!(printable(&[b'a'; 201]), format!("{}…", "a".repeat(200)));
        assert_eq!(
            printable(&[0xff; 100_000]).chars().filter(|&c| c == '\u{fffd}').count(),
            66
        );
        let printed = printable("\u{fc}".repeat(300).as_bytes());
        assert_eq!(
            printable(printed.as_bytes()),
            printed,
            "made safe twice is made safe once"
        );
    }

    fn example(of: Sight, at_ns: u64) -> Example {
        Example::new(of, at_ns, "", &format!("at {at_ns}"), b"")
    }

    #[test]
    fn the_earliest_of_each_kind_is_kept() {
        let reset = Sight::Failure(ErrorClass::Reset);
        let (mut one, mut other) = (Examples::default(), Examples::default());
        one.add(example(reset, 5));
        one.add(example(reset, 7));
        one.add(example(Sight::Redirect, 9));
        other.add(example(reset, 3));
        other.add(example(Sight::KeepAliveRace, 1));
        one.merge(&other);
        let at = |of| one.get(of).map(|example| example.at_ns);
        assert_eq!(at(reset), Some(3));
        assert_eq!(at(Sight::Redirect), Some(9));
        assert_eq!(at(Sight::KeepAliveRace), Some(1));
        assert_eq!(at(Sight::Unrequested), None);
    }

    #[test]
    fn what_is_read_back_is_what_was_written_and_safe() {
        let mut examples = Examples::default();
        let status = Sight::Failure(ErrorClass::Status);
        examples.add(Example::new(
            status,
            12,
            "status 2xx",
            "status 404 Not Found",
            b"Cannot GET /",
        ));
        examples.add(example(Sight::Redirect, 3).of_request("log in"));
        let json = serde_json::to_string(&examples).expect("strings");
        assert_eq!(
            serde_json::from_str::<Examples>(&json).expect("what was written"),
            examples
        );

        let foreign = r#"[{"of":"of_a_later_version","at_ns":1,"found":"x"},
                          {"of":"reset","at_ns":2,"found":"a\u001b[2Jb","later":1}]"#;
        let read: Examples = serde_json::from_str(foreign).expect("an array");
        let reset = read.get(Sight::Failure(ErrorClass::Reset)).expect("the second");
        assert_eq!(reset.found, "a\u{fffd}[2Jb");
        assert_eq!(read.0.len(), 1);
    }
}
