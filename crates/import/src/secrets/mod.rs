//! What a recording holds that nobody else is to see, and the variables of the environment that take its place.

mod bodies;
mod names;

use crate::error::ImportError;
use crate::left_out::{Place, shown};
use crate::text::{Piece, Text, Values};
use aho_corasick::{AhoCorasick, MatchKind};
use bodies::named_secrets;
pub(crate) use names::FreeNames;
use names::environment_name;
use plimsoll_plan::secret_names::{is_of_secret, is_token};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A shorter secret is not looked for where it is not named.
const SHORTEST_KNOWN: usize = 8;
/// Fewer letters and digits between the variables of a secret are none of it.
const SHORTEST_PART: usize = 4;
/// Schemes of an `authorization` header, and what their secret is called.
const SCHEMES: [(&str, &str); 5] = [
    ("basic", "BASIC_CREDENTIALS"),
    ("bearer", "BEARER_TOKEN"),
    ("token", "TOKEN"),
    ("apikey", "API_KEY"),
    ("digest", "DIGEST_CREDENTIALS"),
];

/// Whether a variable with this value has a secret: its name sounds so, or it is a token.
pub(crate) fn is_secret_value(name: &str, value: &str) -> bool {
    !value.is_empty() && (is_of_secret(name) && !value.contains("://") || is_token(value))
}

/// A value in which what `hide` gives has the place of what is secret, where the variable with this value has a secret. Of a value
/// with other variables in it that is the text between them, but for what only says where it goes.
pub(crate) fn without_secrets(name: &str, value: &Text, mut hide: impl FnMut(&str) -> Text) -> Text {
    if let Some(text) = value.as_literal() {
        return match is_secret_value(name, text) {
            true => hide(text),
            false => value.clone(),
        };
    }
    let has_url = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains("://"));
    if !is_of_secret(name) || value.pieces().iter().any(has_url) {
        return value.clone();
    }
    let ends_word = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
    let has_options = value.beginning().trim_start().starts_with('-');
    value.map(|literal| {
        let mut made = Text::default();
        // Options have their secrets in words of their own.
        let parts: Vec<&str> = match has_options {
            true => literal.split_inclusive(ends_word).collect(),
            false => vec![literal],
        };
        for part in parts {
            let (part, end) = part.split_at(if has_options {
                part.trim_end_matches(ends_word).len()
            } else {
                part.len()
            });
            let (plain, rest) = part.split_at(where_it_goes(part));
            made.push_str(plain);
            match is_between(rest) {
                true => made.push_str(rest),
                false => made.append(&hide(rest)),
            }
            made.push_str(end);
        }
        made
    })
}

/// How many bytes of a text are an option, or the name of a header and a scheme.
fn where_it_goes(text: &str) -> usize {
    let is_flag = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_scheme = |text: &str| SCHEMES.iter().any(|(known, _)| text.eq_ignore_ascii_case(known));
    match text.strip_prefix('-') {
        Some(option) if option.starts_with('-') || is_flag(option) => return text.len(),
        Some(option) => return 1 + option.chars().next().map_or(0, char::len_utf8),
        None if is_scheme(text) || text.ends_with(':') && !text.contains(' ') => return text.len(),
        None => {}
    }
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let behind_name = match text.split_once(": ") {
        Some((name, rest)) if is_name(name) => rest,
        _ => text,
    };
    let behind_scheme = match behind_name.split_once(' ') {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        _ => behind_name,
    };
    text.len() - behind_scheme.len()
}

/// Whether a text between variables is no secret: a sign, or a name in front of a value, such as `; sid=`.
fn is_between(text: &str) -> bool {
    if text.chars().filter(char::is_ascii_alphanumeric).count() < SHORTEST_PART {
        return true;
    }
    let name = text.trim_start_matches([';', '&', ' ']).strip_suffix('=');
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)))
}

/// Where the password of a URL stands that has a user, such as of a database.
fn password_in_url(text: &str) -> Option<Range<usize>> {
    let begin = text.find("://")? + 3;
    let rest = &text[begin..];
    let end = rest.find(|c: char| c.is_whitespace() || "/?#\"'<>\\".contains(c));
    let authority = &rest[..end.unwrap_or(rest.len())];
    let (user, behind) = authority
        .split_once(':')
        .filter(|(user, _)| !user.contains(['@', '[']))?;
    let password = match (behind.rsplit_once('@'), end) {
        (Some((password, _)), _) => password,
        // A variable stands behind it, and what is no port is the beginning of a password.
        (None, None) if !behind.bytes().all(|byte| byte.is_ascii_digit()) => behind,
        (None, _) => "",
    };
    let from = begin + user.len() + 1;
    (!password.is_empty()).then(|| from..from + password.len())
}

/// Whether a URL with a password stands in a text.
pub(crate) fn has_password(text: &str) -> bool {
    password_in_url(text).is_some()
}

/// A variable of the environment that a plan needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Its name.
    pub name: String,
    /// What it stands for, and where that is written.
    pub why: String,
}

/// The variables of the environment that a plan needs so far.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    needed: Vec<Needed>,
    taken: FreeNames,
    /// What stands for cookies, and how many times others were sent.
    cookies: Option<Text>,
    other_cookies: usize,
    /// Secrets, by their values.
    secrets: BTreeMap<String, String>,
    /// What the file calls them.
    called: BTreeSet<String>,
    /// Variables of the file without a value, by their names.
    variables: BTreeMap<String, String>,
}

impl Environment {
    pub(crate) fn into_needed(self) -> Vec<Needed> {
        self.needed
    }

    /// The names so far.
    pub(crate) fn names(&self) -> Vec<String> {
        self.needed.iter().map(|needed| needed.name.clone()).collect()
    }

    fn add(&mut self, name: &str, why: String) -> String {
        let free = self.taken.free(&environment_name(name));
        self.needed.push(Needed {
            name: free.clone(),
            why,
        });
        free
    }

    /// What stands for something of the file that cannot be computed here.
    pub(crate) fn named(&mut self, name: &str, what: &str, place: &Place) -> Text {
        Text::environment(self.add(name, format!("{what}, {}", at(place))))
    }

    /// Whether values that are taken in turn are secrets, which no plan has.
    pub(crate) fn hides_list(name: &str, values: &[String]) -> bool {
        is_of_secret(name) || values.iter().any(|value| is_token(value))
    }

    /// What stands for `secret`: the same for the same secret.
    pub(crate) fn secret(&mut self, secret: &str, name: &str, what: &str, place: &Place) -> Text {
        self.called.insert(name.to_ascii_lowercase());
        let known = self.secrets.get(secret).cloned();
        let name = known.unwrap_or_else(|| self.add(name, format!("{what}, {}", at(place))));
        self.secrets.insert(secret.to_owned(), name.clone());
        Text::environment(name)
    }

    /// What stands for a variable of the file that has no value there.
    pub(crate) fn variable(&mut self, variable: &str, place: &Place) -> Text {
        let known = self.variables.get(variable).cloned();
        let name = known.unwrap_or_else(|| {
            // What a script or a client takes from the environment itself.
            let own = ["$processEnv ", "$dotenv ", "$env.", "$processEnvironment."];
            let plain = own
                .iter()
                .find_map(|prefix| variable.strip_prefix(prefix))
                .unwrap_or(variable);
            self.add(
                plain.trim_start_matches('%'),
                format!("the variable `{}`, {}", shown(variable), at(place)),
            )
        });
        self.variables.insert(variable.to_owned(), name.clone());
        Text::environment(name)
    }

    /// Replaces the values of variables whose names sound secret, or that are tokens.
    pub(crate) fn veil_values(&mut self, values: &mut Values) {
        for (name, value) in values.iter_mut() {
            let what = format!("the variable `{name}`");
            let place = Place::Path("of the file".to_owned());
            *value = without_secrets(name, value, |secret| self.secret(secret, name, &what, &place));
        }
    }

    /// The value of a header.
    pub(crate) fn veil_header(&mut self, name: &str, value: &Text, place: &Place) -> Text {
        let lower = name.to_ascii_lowercase();
        let what = format!("the header `{lower}`");
        if matches!(lower.as_str(), "authorization" | "proxy-authorization") {
            let beginning = value.beginning();
            let scheme = beginning.split_once(' ').map(|(scheme, _)| scheme.to_ascii_lowercase());
            if let Some((scheme, variable)) = SCHEMES.iter().find(|(known, _)| scheme.as_deref() == Some(known)) {
                let mut veiled = Text::literal(&beginning[..=scheme.len()]);
                veiled.append(&self.veil_all(&value.without_first(scheme.len() + 1), variable, &what, place));
                return veiled;
            }
        }
        if lower == "cookie" {
            return self.veil_cookies(value, place);
        }
        if is_of_secret(&lower) {
            return self.veil_all(value, &lower, &what, place);
        }
        self.veil_words(value, &what, place)
    }

    /// Everything but the variables.
    pub(crate) fn veil_all(&mut self, text: &Text, name: &str, what: &str, place: &Place) -> Text {
        text.map(|literal| match literal.trim() {
            "" => Text::literal(literal),
            // Between variables stand words such as `;` or `id=`.
            _ if text.as_literal().is_none() && is_between(literal) => Text::literal(literal),
            _ => self.secret(literal, name, what, place),
        })
    }

    /// Path and query.
    pub(crate) fn veil_path(&mut self, path: &Text, place: &Place) -> Text {
        let Some((path, query)) = path.split_once('?') else {
            return self.veil_words(path, "a part of the path", place);
        };
        let mut veiled = self.veil_words(&path, "a part of the path", place);
        for (index, pair) in query.split('&').into_iter().enumerate() {
            veiled.push_str(if index == 0 { "?" } else { "&" });
            match pair.split_once('=') {
                Some((name, value)) => {
                    let called = name.as_literal().unwrap_or_default().to_owned();
                    let what = format!("`{called}` in the query");
                    veiled.append(&name);
                    veiled.push_str("=");
                    veiled.append(&match is_of_secret(&called) {
                        true => self.veil_all(&value, &called, &what, place),
                        false => self.veil_words(&value, &what, place),
                    });
                }
                None => veiled.append(&self.veil_words(&pair, "the query", place)),
            }
        }
        veiled
    }

    /// Values of names that sound secret, in JSON, in a form, in XML and in parts; and tokens.
    pub(crate) fn veil_body(&mut self, body: &Text, place: &Place) -> Text {
        let named = body.map(|literal| {
            let mut veiled = Text::default();
            let mut from = 0;
            for (name, range) in named_secrets(literal) {
                veiled.push_str(&literal[from..range.start]);
                veiled.append(&self.secret(&literal[range.clone()], name, &format!("`{name}` in the body"), place));
                from = range.end;
            }
            veiled.push_str(&literal[from..]);
            veiled
        });
        self.veil_words(&named, "a part of the body", place)
    }

    /// Tokens, and passwords in URLs.
    fn veil_words(&mut self, text: &Text, what: &str, place: &Place) -> Text {
        let without_passwords = text.map(|literal| {
            let mut veiled = Text::default();
            let mut rest = literal;
            while let Some(begin) = rest.find("://") {
                let range = password_in_url(rest).unwrap_or(begin + 3..begin + 3);
                veiled.push_str(&rest[..range.start]);
                if !range.is_empty() {
                    veiled.append(&self.secret(&rest[range.clone()], "url password", what, place));
                }
                rest = &rest[range.end..];
            }
            veiled.push_str(rest);
            veiled
        });
        without_passwords.map(|literal| {
            let mut veiled = Text::default();
            let in_token = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            let mut rest = literal;
            while !rest.is_empty() {
                let end = rest.find(|c| !in_token(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if is_token(word) {
                    veiled.append(&self.secret(word, "token", what, place));
                } else {
                    veiled.push_str(word);
                }
                let next = after.find(in_token).unwrap_or(after.len());
                veiled.push_str(&after[..next]);
                rest = &after[next..];
            }
            veiled
        })
    }

    /// The cookies of a request. They differ from one to the next in a recording, by marks that nobody could set by hand: all requests have the first ones.
    fn veil_cookies(&mut self, cookies: &Text, place: &Place) -> Text {
        let literal = match cookies.as_literal() {
            Some(literal) if !literal.is_empty() => literal.to_owned(),
            _ => return self.veil_all(cookies, "cookie", "the header `cookie`", place),
        };
        if let Some(known) = &self.cookies {
            let known = known.clone();
            if !self.secrets.contains_key(&literal) {
                self.other_cookies += 1;
            }
            return known;
        }
        let veiled = self.secret(&literal, "cookie", "the header `cookie`", place);
        self.cookies = Some(veiled.clone());
        veiled
    }

    /// How many requests have other cookies than the first one.
    pub(crate) const fn other_cookies(&self) -> usize {
        self.other_cookies
    }

    /// Secrets that are known by now, to be found wherever else they stand. Elsewhere `password` is what a field or a path is called,
    /// also where it is the password.
    pub(crate) fn known(&self) -> Result<Known, ImportError> {
        let is_name = |secret: &str| self.called.contains(&secret.to_ascii_lowercase());
        let long = self
            .secrets
            .iter()
            .filter(|(secret, _)| secret.len() >= SHORTEST_KNOWN && !is_name(secret));
        let (secrets, names): (Vec<&String>, Vec<String>) = long.map(|(secret, name)| (secret, name.clone())).unzip();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(secrets);
        let automaton = automaton.map_err(|_| ImportError::new(None, "too many secrets", "a smaller file"))?;
        Ok(Known { automaton, names })
    }
}

/// Secrets, and the variables of the environment that stand for them.
pub(crate) struct Known {
    automaton: AhoCorasick,
    names: Vec<String>,
}

impl Known {
    pub(crate) fn veil(&self, text: &Text) -> Text {
        text.map(|literal| {
            let mut veiled = Text::default();
            let mut from = 0;
            for found in self.automaton.find_iter(literal) {
                veiled.push_str(&literal[from..found.start()]);
                veiled.push(Piece::Environment(self.names[found.pattern().as_usize()].clone()));
                from = found.end();
            }
            veiled.push_str(&literal[from..]);
            veiled
        })
    }

    /// Whether a secret stands in `text`.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.automaton.is_match(text)
    }
}

fn at(place: &Place) -> String {
    match place {
        Place::Line(line) => format!("line {line}"),
        Place::Path(path) => path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_secret_gets_same_variable_everywhere() {
        let mut environment = Environment::default();
        let place = Place::Line(1);
        let header = environment.veil_header("Authorization", &Text::literal("Bearer abcdefgh"), &place);
        assert_eq!(header.pieces().len(), 2);
        let body = environment.veil_body(&Text::literal(r#"{"token":"abcdefgh"}"#), &place);
        assert!(
            body.pieces().contains(&Piece::Environment("BEARER_TOKEN".to_owned())),
            "{body:?}"
        );
        assert_eq!(
            environment
                .known()
                .expect("few")
                .veil(&Text::literal("/x/abcdefgh/y"))
                .pieces()
                .len(),
            3
        );
        assert_eq!(environment.into_needed().len(), 1);
    }
}
