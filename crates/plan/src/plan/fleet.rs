//! The machines that make the load, where that is not this one alone.

use crate::notation::Notation;
use crate::notation::mismatch::Mismatch;
use crate::secrets::Secret;
use schemars::{Schema, json_schema};
use std::net::IpAddr;
use std::path::PathBuf;

/// A fleet that makes the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetPlan {
    /// Where its agents are.
    pub url: FleetUrl,
    /// The file with the key by which the broker knows the run.
    pub key: Option<PathBuf>,
    /// So many agents are waited for, and no more are used; `None` is all that respond.
    pub agents: Option<u32>,
    /// So many do if no more come; `None` is as many as are waited for.
    pub min_agents: Option<u32>,
}

/// The broker of a fleet, such as `nats://127.0.0.1:4222`, or `local` for agents that are started for a command and end with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetUrl(Secret);

impl FleetUrl {
    /// Agents that are started on this machine.
    pub const LOCAL: &'static str = "local";

    /// One that the command line has. Whether there may be a broker says who connects to it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Secret::new(text))
    }

    /// Whether its agents are started for the command.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.0.reveal() == Self::LOCAL
    }

    /// With its user and password.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// Without its user and password.
    #[must_use]
    pub fn shown(&self) -> String {
        let text = self.0.reveal();
        match (text.split_once("://"), text.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
            _ => text.to_owned(),
        }
    }

    /// With `text`, nothing of which may be repeated.
    pub(crate) fn of(text: Secret) -> Result<Self, Mismatch> {
        Self::read(text.reveal()).map(|_| Self(text))
    }
}

impl Notation for FleetUrl {
    const EXPECTED: &'static str = "`local`, or the URL of a broker such as nats://127.0.0.1:4222";
    /// There may be a password in it.
    const PLAIN: bool = false;

    fn read(text: &str) -> Result<Self, Mismatch> {
        // Not repeated: it may hold a password.
        let mismatch = |found: &str| Mismatch::new(found, Self::EXPECTED);
        if text == Self::LOCAL {
            return Ok(Self::new(text));
        }
        let Some((scheme @ ("nats" | "tls"), rest)) = text.split_once("://") else {
            let hint = "write tls://broker.example:4222 for a broker on another machine";
            return Err(mismatch("neither nats:// nor tls:// at its beginning").hint(hint));
        };
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        let host = match place.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => place.split([':', '/']).next().unwrap_or_default(),
        };
        if host.is_empty() {
            return Err(mismatch("no host"));
        }
        let is_here = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        if scheme == "nats" && !is_here {
            let found = "nats:// for another machine, and plans with their secrets would pass in clear text";
            return Err(mismatch(found).hint("use tls:// with a certificate that this machine trusts"));
        }
        Ok(Self::new(text))
    }

    fn schema() -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^(local|(nats|tls)://.+|.*\$\{.*)$",
            "examples": ["local", "nats://127.0.0.1:4222", "tls://broker.example:4222"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broker_is_shown_without_its_password() {
        for (text, shown) in [
            ("local", "local"),
            ("nats://127.0.0.1:4222", "nats://127.0.0.1:4222"),
            ("tls://user:p@ss@broker.example:4222", "tls://broker.example:4222"),
            ("nats://token@[::1]:4222", "nats://[::1]:4222"),
        ] {
            let url = FleetUrl::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((url.shown().as_str(), url.reveal()), (shown, text));
            assert!(!format!("{url:?}").contains("ss@"), "{url:?}");
        }
    }

    #[test]
    fn what_is_no_broker_is_refused_without_repeating_it() {
        for text in [
            "",
            "here",
            "http://u:hunter2@127.0.0.1",
            "nats://",
            "nats://u:hunter2@",
            "nats://u:hunter2@10.0.0.1:4222",
        ] {
            let error = FleetUrl::read(text).expect_err(text).to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }
}
