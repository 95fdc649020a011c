//! A whole response, as users look at it: what is taken from it, and whether it is what is checked.

use super::cookies;
use super::json;
use super::session::{Session, VALUE_BYTES_MAX};
use memchr::memmem;
use plimsoll_measure::ErrorClass;
use plimsoll_plan::{Check, Comparison, JsonPath, Piece, Relation, Take, TakeFrom, Template, Values, duration_text};
use plimsoll_protocol::content::{NotOpened, opened, opened_whole};
use plimsoll_protocol::http1::field;
use std::borrow::Cow;
use std::time::Duration;

/// Most bytes of a body that a user looks at.
pub(crate) const BODY_BYTES_MAX: usize = 1 << 20;

/// What came.
#[derive(Debug)]
pub(crate) struct Received<'a> {
    /// Status line and fields.
    pub(crate) head: &'a [u8],
    /// The body, or as much of it as is looked at.
    pub(crate) body: &'a [u8],
    /// How long the body is.
    pub(crate) body_bytes: u64,
    /// From when its request was due to its last byte.
    pub(crate) took_ns: u64,
}

/// Why a response is not correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) class: ErrorClass,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// What is asked of the responses to a request.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    takes: Vec<Take>,
    checks: Vec<Check>,
    wants_body: bool,
}

impl Asked {
    pub(super) fn of(takes: &[Take], checks: &[Check]) -> Self {
        Self {
            takes: takes.to_vec(),
            checks: checks.to_vec(),
            wants_body: takes.iter().any(|take| is_in_body(&take.from)) || checks.iter().any(is_about_body),
        }
    }

    /// Whether it is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.takes.is_empty() && self.checks.is_empty()
    }

    /// Whether it is about the body.
    pub(crate) fn wants_body(&self) -> bool {
        self.wants_body
    }
}

fn is_in_body(from: &TakeFrom) -> bool {
    match from {
        TakeFrom::Json(_) | TakeFrom::Between { .. } | TakeFrom::Regex { .. } => true,
        TakeFrom::Header(_) | TakeFrom::Cookie(_) => false,
    }
}

fn is_about_body(check: &Check) -> bool {
    match check {
        Check::Json(..) | Check::Body(_) | Check::Lacks(_) | Check::Matches(_) => true,
        Check::Header(..) | Check::Size { .. } | Check::Time(_) => false,
    }
}

/// A response behind those that are interim (RFC 9110, section 15.2).
pub(crate) fn final_response(mut response: &[u8]) -> &[u8] {
    const INTERIM: &[u8] = b"HTTP/1.1 1";
    while response.starts_with(INTERIM)
        && let Some(end) = memmem::find(response, b"\r\n\r\n")
    {
        response = &response[end + 4..];
    }
    response
}

impl Received<'_> {
    /// Checks a response, and has the user keep what is taken from it.
    pub(super) fn take(&self, asked: &Asked, variables: &[Values], user: &mut Session) -> Result<(), Fault> {
        if asked.is_empty() {
            return Ok(());
        }
        let content = match asked.wants_body {
            true => self.content(),
            false => Ok(Cow::Borrowed(&[][..])),
        };
        for check in &asked.checks {
            self.check(check, &content, |template| user.text(template, variables))?;
        }
        for take in &asked.takes {
            let value = self.value(&take.from, &content).and_then(|value| match value.len() {
                ..=VALUE_BYTES_MAX => Ok(value),
                long => Err(format!("one of {long} bytes, which are more than {VALUE_BYTES_MAX}")),
            });
            let value = value.map_err(|found| Fault {
                class: ErrorClass::Take,
                expected: expected(&take.from),
                found,
            })?;
            user.keep(take.variable, value.into_owned());
        }
        Ok(())
    }

    /// The body, out of its content coding; or why it cannot be read.
    fn content(&self) -> Result<Cow<'_, [u8]>, String> {
        let Some(coding) = field(self.head, "content-encoding") else {
            return Ok(Cow::Borrowed(self.body));
        };
        let why = |error| match error {
            NotOpened::UnknownCoding => "a body in a content coding that is not supported".to_owned(),
            NotOpened::NotOfCoding => "a body that is not in the content coding that it names".to_owned(),
        };
        let open = match self.body_bytes > self.body.len() as u64 {
            true => opened,
            false => opened_whole,
        };
        // One byte more than is looked at says that there is more.
        open(coding, self.body, BODY_BYTES_MAX + 1).map(Cow::Owned).map_err(why)
    }

    fn value<'c>(
        &'c self,
        from: &TakeFrom,
        content: &'c Result<Cow<'_, [u8]>, String>,
    ) -> Result<Cow<'c, [u8]>, String> {
        match from {
            TakeFrom::Header(name) => self.header(name).map(Cow::Borrowed),
            TakeFrom::Cookie(name) => {
                let value = cookies::value(self.head, name);
                value.map(Cow::Borrowed).ok_or_else(|| "no such cookie".to_owned())
            }
            TakeFrom::Json(path) => self
                .json(path, content.as_deref()?)
                .map(|text| text.into_bytes().into()),
            TakeFrom::Regex {
                pattern,
                group,
                all: true,
            } => Ok(list(pattern.find_all(content.as_deref()?, *group)).into()),
            TakeFrom::Regex { pattern, group, .. } => {
                let content = content.as_deref()?;
                let found = pattern.find(content, *group);
                found.map(Cow::Borrowed).ok_or_else(|| self.nowhere("a match", content))
            }
            TakeFrom::Between { after, before } => {
                let content = content.as_deref()?;
                let after = after.reveal().as_bytes();
                let begin = memmem::find(content, after)
                    .ok_or_else(|| self.nowhere("the text in front of it", content))?
                    + after.len();
                let rest = &content[begin..];
                let end = memmem::find(rest, before.reveal().as_bytes());
                let end = end.ok_or_else(|| self.nowhere("the text behind it", content))?;
                Ok(rest[..end].into())
            }
        }
    }

    fn header(&self, name: &str) -> Result<&[u8], String> {
        field(self.head, name).ok_or_else(|| "no such header".to_owned())
    }

    fn json(&self, path: &JsonPath, content: &[u8]) -> Result<String, String> {
        if self.is_cut(content) {
            return Err(match content.len() > BODY_BYTES_MAX {
                true => format!(
                    "a body of more than {BODY_BYTES_MAX} bytes without its content coding, which is too long to be read"
                ),
                false => format!("a body of {} bytes, which is too long to be read", self.body_bytes),
            });
        }
        json::at(path.steps(), content)
    }

    fn nowhere(&self, what: &str, content: &[u8]) -> String {
        match self.is_cut(content) {
            true => format!("{what} is not in the first {BODY_BYTES_MAX} bytes of the body"),
            false => format!("{what} is not in the body"),
        }
    }

    /// Whether there is more of the body than this content.
    fn is_cut(&self, content: &[u8]) -> bool {
        self.body_bytes > self.body.len() as u64 || content.len() > BODY_BYTES_MAX
    }

    fn check(
        &self,
        check: &Check,
        content: &Result<Cow<'_, [u8]>, String>,
        text: impl Fn(&Template) -> Vec<u8>,
    ) -> Result<(), Fault> {
        let fault = |expected: String, found: String| {
            Err(Fault {
                class: ErrorClass::Check,
                expected,
                found,
            })
        };
        match check {
            Check::Json(path, expected) => {
                let found = content.as_deref().map_err(Clone::clone);
                let found = found.and_then(|content| self.json(path, content));
                match is_as(found.as_deref().map(str::as_bytes), expected.as_ref(), text) {
                    Ok(()) => Ok(()),
                    Err(found) => fault(format!("{} at {path}", what(expected.as_ref())), found),
                }
            }
            Check::Header(name, expected) => {
                let found = self.header(name);
                match is_as(found.as_ref().map(|found| *found), expected.as_ref(), text) {
                    Ok(()) => Ok(()),
                    Err(found) => fault(format!("the header {name}: {}", what(expected.as_ref())), found),
                }
            }
            Check::Body(part) => {
                let found = match content.as_deref() {
                    Ok(content) if memmem::find(content, &text(part)).is_some() => return Ok(()),
                    Ok(content) => self.nowhere("it", content),
                    Err(found) => found.clone(),
                };
                fault(format!("{} in the body", shown(part)), found)
            }
            Check::Lacks(part) => {
                let found = match content.as_deref() {
                    Ok(content) if memmem::find(content, &text(part)).is_none() => return Ok(()),
                    Ok(_) => "it is in the body".to_owned(),
                    Err(found) => found.clone(),
                };
                fault(format!("no {} in the body", shown(part)), found)
            }
            Check::Matches(pattern) => {
                let found = match content.as_deref() {
                    Ok(content) if pattern.find(content, Some(0)).is_some() => return Ok(()),
                    Ok(content) => self.nowhere("one", content),
                    Err(found) => found.clone(),
                };
                fault("a match of a regular expression".to_owned(), found)
            }
            Check::Time(most) => match u128::from(self.took_ns) <= most.as_nanos() {
                true => Ok(()),
                false => {
                    let took = Duration::from_micros(self.took_ns.div_ceil(1_000));
                    let expected = format!("a response within {}", duration_text(*most));
                    fault(expected, format!("one after {}", duration_text(took)))
                }
            },
            Check::Size { at_least, at_most } => match (*at_least..=*at_most).contains(&self.body_bytes) {
                true => Ok(()),
                false => {
                    let expected = match (at_least, at_most) {
                        (0, most) => format!("a body of at most {most} bytes"),
                        (least, &u64::MAX) => format!("a body of at least {least} bytes"),
                        (least, most) => format!("a body of {least} to {most} bytes"),
                    };
                    fault(expected, format!("one of {} bytes", self.body_bytes))
                }
            },
        }
    }
}

/// Texts as a list in JSON, up to one that is longer than users keep.
fn list<'b>(texts: impl Iterator<Item = &'b [u8]>) -> Vec<u8> {
    let mut list = vec![b'['];
    for text in texts {
        if list.len() > VALUE_BYTES_MAX {
            break;
        }
        let comma = if list.len() > 1 { "," } else { "" };
        let text = serde_json::Value::from(String::from_utf8_lossy(text));
        list.extend_from_slice(format!("{comma}{text}").as_bytes());
    }
    list.push(b']');
    list
}

/// A text of the plan as it is shown: what a user has taken may be a secret.
fn shown(template: &Template) -> String {
    let pieces = template.reveal().map(|piece| match piece {
        Piece::Literal(bytes) => String::from_utf8_lossy(bytes),
        Piece::Variable(_) => "${…}".into(),
    });
    format!("`{}`", pieces.collect::<String>())
}

/// What a value is to be, in words.
fn what(expected: Option<&Comparison>) -> String {
    let Some(Comparison { relation, with }) = expected else {
        return "a value".to_owned();
    };
    let with = shown(with);
    match relation {
        Relation::Is => with,
        Relation::IsNot => format!("anything but {with}"),
        Relation::Below | Relation::AtMost | Relation::AtLeast | Relation::Above => {
            format!("a number {} {with}", relation.word())
        }
    }
}

/// Whether a value that was found is as it is to be; else what was found.
fn is_as(
    found: Result<&[u8], &String>,
    expected: Option<&Comparison>,
    text: impl Fn(&Template) -> Vec<u8>,
) -> Result<(), String> {
    let found = found.map_err(Clone::clone)?;
    match expected {
        Some(Comparison { relation, with }) if !relation.holds(found, &text(with)) => Err(match relation {
            Relation::IsNot => "that".to_owned(),
            _ => other_than(with, found),
        }),
        _ => Ok(()),
    }
}

/// What was found instead of it, shown if no secret was looked for.
fn other_than(template: &Template, found: &[u8]) -> String {
    let is_literal = template.reveal().all(|piece| matches!(piece, Piece::Literal(_)));
    match is_literal {
        true => format!("`{}`", String::from_utf8_lossy(found)),
        false => "another value".to_owned(),
    }
}

fn expected(from: &TakeFrom) -> String {
    match from {
        TakeFrom::Json(path) => format!("a value at {path}"),
        TakeFrom::Header(name) => format!("the header `{name}`"),
        TakeFrom::Cookie(name) => format!("the cookie `{name}`"),
        TakeFrom::Between { .. } => "a value between two texts of the body".to_owned(),
        TakeFrom::Regex { .. } => "a value that matches a regular expression".to_owned(),
    }
}

#[cfg(test)]
mod tests;
