//! A service that is not started here: one that runs already, and how it is told apart from others, or one that target agents start.

use crate::notation::Notation;
use crate::notation::mismatch::Mismatch;
use schemars::{Schema, json_schema};
use std::fmt;

/// Paths of control groups are longer than names.
const CHARACTERS_MAX: usize = 1024;
/// Longest name of a service.
const SERVICE_NAME_MAX: usize = 40;

/// Which service is watched that is not started here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Running {
    /// The process of this id, and its descendants.
    Process(u32),
    /// Whatever runs in a container.
    Container(Container),
    /// What target agents start on other machines.
    Hosted(Hosted),
}

/// A service on other machines, which is started there by the target agents of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosted {
    /// What the configuration of these agents calls it.
    pub service: ServiceName,
    /// On so many machines; `None` is all whose agents respond.
    pub machines: Option<u32>,
}

/// What the configuration of a target agent calls a service.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceName(String);

impl ServiceName {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads the name of a service.
///
/// # Errors
/// When `text` is none.
pub fn parse_service_name(text: &str) -> Result<ServiceName, Mismatch> {
    ServiceName::read(text)
}

impl Notation for ServiceName {
    const EXPECTED: &'static str = "the name of a service: letters, digits and hyphens, at most 40";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_plain && (1..=SERVICE_NAME_MAX).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Self::mismatch(text))
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[A-Za-z0-9-]{1,40}$",
            "examples": ["shop"],
        })
    }
}

/// A container, by its name, its id or the beginning of one, or by the path of its control group, which begins with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container(String);

impl Container {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of its control group, if that is what was given; without a slash at its end.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.0.starts_with('/').then(|| self.0.trim_end_matches('/'))
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads the name, the id or the control group of a container.
///
/// # Errors
/// When `text` can be none of them.
pub fn parse_container(text: &str) -> Result<Container, Mismatch> {
    Container::read(text)
}

impl Notation for Container {
    const EXPECTED: &'static str =
        "the name or id of a container, or the path of its control group such as `/docker/0f3c…`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !plimsoll_plain::is_unsafe(c);
        let begins_well = text.starts_with(|c: char| c.is_alphanumeric() || c == '/');
        // The group at the top holds every process.
        let is_top = text.starts_with('/') && text.trim_end_matches('/').is_empty();
        let climbs = text.split('/').any(|part| part == "..");
        let is_one = begins_well && !is_top && !climbs && text.chars().all(is_plain) && text.len() <= CHARACTERS_MAX;
        if is_one {
            Ok(Self(text.to_owned()))
        } else {
            Err(Self::mismatch(text))
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "minLength": 1,
            "maxLength": CHARACTERS_MAX,
            "examples": ["web", "3f1c9a20d4b7", "/system.slice/docker-<id>.scope"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_service_is_letters_digits_and_hyphens() {
        for (text, is_one) in [
            ("shop", true),
            ("shop-2", true),
            ("", false),
            ("a b", false),
            ("../x", false),
        ] {
            assert_eq!(parse_service_name(text).is_ok(), is_one, "{text}");
        }
    }

    #[test]
    fn container_is_a_name_an_id_or_a_path() {
        for (text, path) in [
            ("web", None),
            ("shop/web", None),
            ("3f1c9a20d4b7", None),
            ("/docker/3f1c", Some("/docker/3f1c")),
            ("/sys/fs/cgroup/a.slice/", Some("/sys/fs/cgroup/a.slice")),
        ] {
            let container = parse_container(text).expect(text);
            assert_eq!((container.as_str(), container.path()), (text, path));
        }
        for text in [
            "",
            "/",
            "//",
            "-f",
            "a b",
            "a\nb",
            "/a/../b",
            &"a".repeat(CHARACTERS_MAX + 1),
        ] {
            assert!(parse_container(text).is_err(), "{text}");
        }
    }
}
