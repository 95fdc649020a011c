//! What an expression between braces makes of the value of a variable: `${NAME%/}`, `${NAME##*/}`, `${NAME//a/b}`, `${NAME^^}`.

use crate::text::{Piece, Text};

/// Most bytes of what a change makes.
const MOST_BYTES: usize = 1 << 20;

/// A part of a pattern, or of what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(Text),
    /// A character outside of quotes that means something in some of them.
    Sign(char),
}

pub(super) const SIGNS: [char; 5] = ['*', '?', '[', '&', '/'];

/// What becomes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// `#` and `##`: it loses what it begins with.
    Start(Pattern),
    /// `%` and `%%`: it loses what it ends with.
    End(Pattern),
    /// `/` and `//`
    Replaced { text: Text, with: Text, is_all: bool },
    /// `^`, `^^`, `,` and `,,`
    Letters { is_upper: bool, is_all: bool },
    /// `${!NAME}`: it is the name of the variable that is meant.
    Name,
}

/// A text, with any other in front of it or behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: Text,
    any_before: bool,
    any_behind: bool,
    /// As much as fits is meant, and not as little.
    is_longest: bool,
}

/// The value of a text that stands in a change.
pub(crate) type Known<'a> = &'a mut dyn FnMut(&Text) -> Option<String>;

impl Change {
    /// What stands behind the name of the variable, taken apart into the sign of a change and its own text.
    pub(super) fn signs(behind: &str) -> (&str, &str) {
        let signs = ["##", "#", "%%", "%", "//", "/", "^^", "^", ",,", ","];
        let sign = signs.iter().find(|sign| behind.starts_with(**sign));
        behind.split_at(sign.map_or(0, |sign| sign.len()))
    }

    /// The change that has this sign; `None` of one that is not done here.
    pub(super) fn read(sign: &str, parts: &[Part]) -> Option<Self> {
        let is_twice = sign.len() == 2;
        match sign {
            "#" | "##" => Some(Self::Start(Pattern::read(parts, is_twice)?)),
            "%" | "%%" => Some(Self::End(Pattern::read(parts, is_twice)?)),
            "/" | "//" => {
                let end = parts.iter().position(|part| *part == Part::Sign('/'));
                let (text, with) = parts.split_at(end.unwrap_or(parts.len()));
                // `/#` and `/%` are for one end of the value alone.
                let begins = text.first().and_then(|part| match part {
                    Part::Text(text) => text.beginning().chars().next(),
                    Part::Sign(_) => None,
                });
                if matches!(begins, None | Some('#' | '%')) {
                    return None;
                }
                Some(Self::Replaced {
                    text: plain(text, &['&'])?,
                    with: plain(with.get(1..).unwrap_or_default(), &['*', '?', '[', '/'])?,
                    is_all: is_twice,
                })
            }
            "^" | "^^" | "," | ",," if parts.is_empty() => Some(Self::Letters {
                is_upper: sign.starts_with('^'),
                is_all: is_twice,
            }),
            _ => None,
        }
    }

    /// What it makes of a value; `None` where that is not known here.
    pub(crate) fn of(&self, value: &Text, known: Known<'_>) -> Option<Text> {
        match self {
            Self::Start(pattern) => pattern.behind(value, &pattern.known(known)?),
            Self::End(pattern) => pattern.before(value, &pattern.known(known)?),
            Self::Replaced { text, with, is_all } => {
                let (value, text, with) = (value.as_literal()?, known_text(text, known)?, known(with)?);
                let count = value.matches(&text).count();
                let is_small = value.len() + count.saturating_mul(with.len()) <= MOST_BYTES;
                (is_small && !text.is_empty()).then(|| {
                    let most = if *is_all { count } else { 1 };
                    Text::literal(value.replacen(&text, &with, most))
                })
            }
            Self::Letters { is_upper, is_all } => {
                let value = value.as_literal().filter(|value| value.is_ascii())?;
                let (changed, rest) = value.split_at(if *is_all { value.len() } else { value.len().min(1) });
                let changed = match is_upper {
                    true => changed.to_ascii_uppercase(),
                    false => changed.to_ascii_lowercase(),
                };
                Some(Text::literal(changed + rest))
            }
            Self::Name => None,
        }
    }
}

impl Pattern {
    fn read(parts: &[Part], is_longest: bool) -> Option<Self> {
        let any = Part::Sign('*');
        let (parts, any_before) = match parts.split_first() {
            Some((first, rest)) if *first == any => (rest, true),
            _ => (parts, false),
        };
        let (parts, any_behind) = match parts.split_last() {
            Some((last, rest)) if *last == any => (rest, true),
            _ => (parts, false),
        };
        Some(Self {
            text: plain(parts, &['&', '/'])?,
            any_before,
            any_behind,
            is_longest,
        })
    }

    fn known(&self, known: Known<'_>) -> Option<String> {
        known_text(&self.text, known)
    }

    /// A value without what it begins with.
    fn behind(&self, value: &Text, text: &str) -> Option<Text> {
        let beginning = value.beginning();
        let literal = value.as_literal();
        if !(self.any_before || self.any_behind && self.is_longest) {
            return match beginning.starts_with(text) {
                true => Some(value.without_first(text.len())),
                // Of a shorter beginning it is not known how it goes on.
                false => (literal.is_some() || beginning.len() >= text.len()).then(|| value.clone()),
            };
        }
        let literal = literal?;
        let found = match (self.any_before, self.any_behind, self.is_longest) {
            (true, true, true) => literal.contains(text).then_some(literal.len()),
            (true, false, true) => literal.rfind(text).map(|at| at + text.len()),
            (true, _, false) => literal.find(text).map(|at| at + text.len()),
            (false, ..) => literal.starts_with(text).then_some(literal.len()),
        };
        Some(Text::literal(&literal[found.unwrap_or_default()..]))
    }

    /// A value without what it ends with.
    fn before(&self, value: &Text, text: &str) -> Option<Text> {
        let end = match value.pieces().last() {
            Some(Piece::Literal(end)) => end.as_str(),
            _ => "",
        };
        let literal = value.as_literal();
        if !(self.any_behind || self.any_before && self.is_longest) {
            return match end.ends_with(text) {
                true => Some(value.without_end(text.len())),
                false => (literal.is_some() || end.len() >= text.len()).then(|| value.clone()),
            };
        }
        let literal = literal?;
        let found = match (self.any_before, self.any_behind, self.is_longest) {
            (true, true, true) => literal.contains(text).then_some(0),
            (false, true, true) => literal.find(text),
            (_, true, false) => literal.rfind(text),
            (_, false, _) => literal.ends_with(text).then_some(0),
        };
        Some(Text::literal(&literal[..found.unwrap_or(literal.len())]))
    }
}

/// Parts as one text, in which only these signs stand for themselves.
fn plain(parts: &[Part], signs: &[char]) -> Option<Text> {
    let mut text = Text::default();
    for part in parts {
        match part {
            Part::Text(part) => text.append(part),
            Part::Sign(sign) if signs.contains(sign) => text.push_char(*sign),
            Part::Sign(_) => return None,
        }
    }
    Some(text)
}

/// The value of a text that has to fit. One that comes out of a variable may be a pattern of its own.
fn known_text(text: &Text, known: Known<'_>) -> Option<String> {
    let is_plain = text.as_literal().is_some();
    known(text).filter(|value| is_plain || !value.contains(['*', '?', '[', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What bash 5.2 makes of `value` by `${NAME` and `written`, and `}`.
    #[test]
    fn values_are_changed_as_bash_does() {
        for (value, written, expected) in [
            ("http://h:1/a/", "%/", Some("http://h:1/a")),
            ("http://h:1/a", "%/", Some("http://h:1/a")),
            ("http://h:1/a//", "%%/", Some("http://h:1/a/")),
            ("http://h:1/a", "#http://", Some("h:1/a")),
            ("http://h:1/a", "#*://", Some("h:1/a")),
            ("h:1/a/b", "%%/*", Some("h:1")),
            ("h:1/a/b", "%/*", Some("h:1/a")),
            ("h:1/a/b", "##*/", Some("b")),
            ("h:1/a/b", "#*/", Some("a/b")),
            ("h:1/a/b", "##h*", Some("")),
            ("h:1/a/b", "#h*", Some(":1/a/b")),
            ("h:1/a/b", "%%*b", Some("")),
            ("h:1/a/b", "%*b", Some("h:1/a/")),
            ("h:1/a/b", "#*/*", Some("a/b")),
            ("h:1/a/b", "%*/*", Some("h:1/a")),
            ("h:1/a/b", "##*1*", Some("")),
            ("h:1/a/b", "%%*x*", Some("h:1/a/b")),
            ("ab", "#*", Some("ab")),
            ("ab", "##*", Some("")),
            ("ab", "%*", Some("ab")),
            ("ab", "%%*", Some("")),
            ("a*b", "%'*b'", Some("a")),
            ("a*b", "%\"*\"b", Some("a")),
            ("a*b", "%\\*b", Some("a")),
            ("a}b", "%\\}b", Some("a")),
            ("a b c", "/ /%20", Some("a%20b c")),
            ("a b c", "// /%20", Some("a%20b%20c")),
            ("a/b/c", "//\\//-", Some("a-b-c")),
            ("a/b/c", "//[/]/-", None),
            ("say \"a\"", "//\\\"/\\\\\\\"", Some("say \\\"a\\\"")),
            ("a-b", "//-", Some("ab")),
            ("a-b", "/-/&", None),
            ("a-b", "/#a/x", None),
            ("a-b", "/", None),
            ("añb", "%%ñ*", Some("a")),
            ("abc", "%?", None),
            ("aB-c", "^^", Some("AB-C")),
            ("aB-c", ",,", Some("ab-c")),
            ("aB-c", "^", Some("AB-c")),
            ("AB", ",", Some("aB")),
            ("", "^", Some("")),
            ("ñ", "^^", None),
            ("abc", "^^[a]", None),
            ("abc", ":1", None),
        ] {
            let mut expansions = super::super::Expansions::default();
            let script = format!("a ${{NAME{written}}}");
            let commands = super::super::read(&script, &mut expansions).expect(&script);
            let place = commands[0].words[1].text.as_variable().expect(&script);
            let Some(super::super::Expansion::Changed(changed)) = expansions.get(place) else {
                panic!("{script}");
            };
            let mut known = |text: &Text| text.as_literal().map(str::to_owned);
            let value = Text::literal(value);
            let change = changed.change.as_ref();
            let made = change.and_then(|change| change.of(&value, &mut known));
            assert_eq!(made.as_ref().and_then(Text::as_literal), expected, "{script}");
        }
    }

    #[test]
    fn ends_of_values_with_variables_are_changed_where_they_are_known() {
        let value = Text::with_braces("http://{{HOST}}:1/");
        let pattern = |text: &str, is_longest| Pattern {
            text: Text::literal(text),
            any_before: false,
            any_behind: false,
            is_longest,
        };
        let expected = Text::with_braces("http://{{HOST}}:1");
        assert_eq!(pattern("/", false).before(&value, "/"), Some(expected.clone()));
        assert_eq!(pattern("/", true).before(&expected, "/"), Some(expected.clone()));
        assert_eq!(pattern("", false).before(&value, "x:1/"), None);
        assert_eq!(pattern("", false).before(&Text::variable("A"), "/"), None);
        let behind = Text::with_braces("{{HOST}}:1");
        assert_eq!(pattern("", false).behind(&expected, "http://"), Some(behind.clone()));
        assert_eq!(pattern("", false).behind(&behind, "http://"), None);
    }
}
