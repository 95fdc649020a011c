//! What tells agents and runs apart.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Longest name of an agent.
const NAME_MAX: usize = 40;

/// One agent, from its start to its end: its name, and a number that no other one has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(String);

impl AgentId {
    /// The agent with this name and `number`, which is drawn at its start. Of the name only letters, digits and hyphens are kept.
    #[must_use]
    pub fn new(name: &str, number: u64) -> Self {
        Self(format!("{}-{number:08x}", plain(name), number = number & 0xffff_ffff))
    }

    /// The one with this name and number, which are the parts of its address; `None` where they cannot be.
    #[must_use]
    pub fn of_parts(name: &str, number: &str) -> Option<Self> {
        let id = Self(format!("{name}-{number}"));
        (is_plain(name) && is_plain(number) && id.is_plain() && id.parts() == (name, number)).then_some(id)
    }

    /// The one that is written like this; `None` where it cannot be.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let (name, number) = text.rsplit_once('-')?;
        Self::of_parts(name, number)
    }

    /// As it is written, with its number.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        self.parts().0
    }

    /// Its name and its number, each as a part of an address on the bus.
    #[must_use]
    pub fn parts(&self) -> (&str, &str) {
        self.0.rsplit_once('-').unwrap_or((&self.0, ""))
    }

    /// Whether it can be a part of an address. What comes from elsewhere may be anything.
    pub(crate) fn is_plain(&self) -> bool {
        is_plain(&self.0)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One run of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// The run with this `number`, which is drawn at its start.
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self(format!("{number:016x}"))
    }

    /// The one of which this is a part of the address; `None` where it cannot be.
    #[must_use]
    pub fn of_part(text: &str) -> Option<Self> {
        is_plain(text).then(|| Self(text.to_owned()))
    }

    /// As a part of an address on the bus.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_plain(&self) -> bool {
        is_plain(&self.0)
    }
}

fn plain(name: &str) -> String {
    let mut kept: String = name.chars().filter(|c| is_plain_char(*c)).take(NAME_MAX).collect();
    if kept.is_empty() {
        kept.push_str("agent");
    }
    kept
}

/// Whether a text is a name as agents and zones have them: letters, digits and hyphens.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() <= NAME_MAX && is_plain(text)
}

/// Whether a text is a version of this program, and may be a part of the name of a file.
#[must_use]
pub fn is_version(text: &str) -> bool {
    let is_of_version = |c: char| is_plain_char(c) || matches!(c, '.' | '+');
    text.len() <= NAME_MAX && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_of_version)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.len() <= NAME_MAX + 9 && text.chars().all(is_plain_char)
}

const fn is_plain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_an_agent_is_a_part_of_an_address() {
        for (name, id, shown) in [
            ("eu-west", "eu-west-0000002a", "eu-west"),
            ("a.b.> *", "ab-0000002a", "ab"),
            ("", "agent-0000002a", "agent"),
        ] {
            let agent = AgentId::new(name, 42);
            assert_eq!((agent.0.as_str(), agent.name()), (id, shown));
            assert!(agent.is_plain());
            let (name, number) = agent.parts();
            assert_eq!(AgentId::of_parts(name, number), Some(agent.clone()));
            assert_eq!(AgentId::of_text(agent.as_str()), Some(agent));
        }
        assert!(!AgentId("a.b".to_owned()).is_plain());
        for (name, number) in [("a.b", "1"), ("a", "1-2"), ("a", ""), ("", "1"), ("*", ">")] {
            assert_eq!(AgentId::of_parts(name, number), None, "{name} {number}");
        }
        assert!(AgentId::new(&"x".repeat(100), u64::MAX).is_plain());
    }
}
