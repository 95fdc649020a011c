//! Connections that are opened and kept open.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::Rate;
use crate::notation::{Notation, keyword};
use schemars::{Schema, json_schema};
use std::time::Duration;

/// A number of connections, opened one after the other and then held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldLoad {
    /// At least one.
    pub connections: u32,
    /// How many are opened per second; above zero.
    pub pace: Rate,
    /// From the moment at which the last is due to the end.
    pub duration: Duration,
    /// What each does while it is held.
    pub park: Park,
    /// How often each shows that it is alive; at least a second. What is sent depends on `park`: with a parked request
    /// the kernel probes (TCP keep-alive), without one the request is sent.
    pub ping: Option<Duration>,
    /// Destination ports, used in turn; empty is the one of the target's URL.
    pub ports: Vec<u16>,
}

impl HoldLoad {
    /// Connections opened per second unless something else is asked for.
    pub const PACE: Rate = Rate::per_s(1000);

    /// What is held where nobody says how many.
    pub(crate) fn usual() -> Self {
        Self {
            connections: 100,
            pace: Self::PACE,
            duration: Duration::from_secs(30),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        }
    }

    /// The same of so many connections.
    #[must_use]
    pub fn of(&self, connections: u32) -> Self {
        Self {
            connections,
            ..self.clone()
        }
    }

    /// From the first connection to the moment at which the last is due.
    #[must_use]
    pub fn opening(&self) -> Duration {
        let ns = u128::from(self.connections) * 1_000_000_000_000_000 / u128::from(self.pace.micro_per_s().max(1));
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

/// What a connection does while it is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Park {
    /// A request waits for its response (long poll), and is sent again once its response has come.
    #[default]
    Request,
    /// Nothing is sent, but for pings.
    Nothing,
}

const PARKS: [(&str, Park); 2] = [("request", Park::Request), ("nothing", Park::Nothing)];

impl Park {
    /// As in a plan: `request` or `nothing`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Nothing => "nothing",
        }
    }
}

impl std::str::FromStr for Park {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Park {
    const EXPECTED: &'static str = "`request` or `nothing`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &PARKS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["request", "nothing"] })
    }
}

/// Ports, in the order in which they are used.
#[derive(Debug)]
pub(crate) struct Ports(pub(crate) Vec<u16>);

/// Reads a list of ports such as `8080,9000-9015`, in the order written.
///
/// # Errors
/// When `text` is no such list, or names a port outside 1 to 65535 or one twice.
pub fn parse_ports(text: &str) -> Result<Vec<u16>, Mismatch> {
    Ports::read(text).map(|ports| ports.0)
}

/// `ports` as [`parse_ports`] reads them.
pub(crate) fn ports_text(ports: &[u16]) -> String {
    let runs = ports
        .chunk_by(|a, b| a.checked_add(1) == Some(*b))
        .map(|run| match run {
            [only] => only.to_string(),
            run => format!("{}-{}", run[0], run[run.len() - 1]),
        });
    runs.collect::<Vec<_>>().join(",")
}

impl Notation for Ports {
    const EXPECTED: &'static str = "a list of ports such as `8080,9000-9015`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let port = |text: &str| match text.trim().parse::<u16>() {
            Ok(port) if port > 0 => Ok(port),
            _ => Err(Self::mismatch(text)),
        };
        let mut ports = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (port(first)?, port(last)?),
                None => (port(part)?, port(part)?),
            };
            if first > last {
                return Err(Mismatch::new(quoted(part), "ports with the lower one first"));
            }
            ports.extend(first..=last);
        }
        let mut seen = std::collections::HashSet::new();
        match ports.iter().find(|port| !seen.insert(**port)) {
            Some(twice) => Err(Mismatch::new(format!("port {twice} twice"), "each port once")),
            None => Ok(Self(ports)),
        }
    }

    fn schema() -> Schema {
        json_schema!({ "type": ["string", "integer"], "pattern": "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_and_printed() {
        let cases = [("8080", "8080"), ("8080,8081,8082", "8080-8082"), ("9,1-3", "9,1-3")];
        for (written, printed) in cases {
            assert_eq!(ports_text(&parse_ports(written).expect(written)), printed, "{written}");
        }
        for wrong in ["", "0", "65536", "9-8", "80,80", "80;81", "a"] {
            assert!(parse_ports(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_million_at_ten_thousand_a_second_take_a_hundred_seconds() {
        let load = HoldLoad {
            connections: 1_000_000,
            pace: Rate::per_s(10_000),
            duration: Duration::from_secs(1),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        };
        assert_eq!(load.opening(), Duration::from_secs(100));
    }
}
