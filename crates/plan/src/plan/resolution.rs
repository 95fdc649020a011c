//! Names of hosts with the addresses that stand for them, as curl's `--resolve` has them.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::address::Server;
use crate::plan::url::tcp_host;
use crate::plan::zone::{ZONE, is_zone};
use schemars::{Schema, json_schema};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Where connections to a host and port go instead of where its name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// Name or address as a URL has it, IPv6 without brackets.
    host: String,
    port: u16,
    /// At least one; IPv6 perhaps with a zone.
    addresses: Vec<String>,
}

impl Resolution {
    /// What stands for the host, in the order of preference.
    pub(crate) fn addresses(&self) -> Vec<&str> {
        self.addresses.iter().map(String::as_str).collect()
    }

    /// Whether it is about `server`.
    pub(crate) fn is_of(&self, server: &Server) -> bool {
        matches!(server, Server::Tcp { host, port } if *host == self.host && *port == self.port)
    }

    /// Host and port that it is about.
    pub(crate) fn authority(&self) -> String {
        authority(&self.host, self.port)
    }
}

/// `host:port`, IPv6 in brackets.
pub(crate) fn authority(host: &str, port: u16) -> String {
    match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    }
}

impl fmt::Display for Resolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.authority())?;
        for (index, address) in self.addresses.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match address.contains(':') {
                true => write!(f, "{comma}[{address}]")?,
                false => write!(f, "{comma}{address}")?,
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for Resolution {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Resolution {
    const EXPECTED: &'static str = "HOST:PORT:ADDRESS, such as shop.example:443:127.0.0.1";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let end = if text.starts_with('[') {
            text.find(']').map(|bracket| bracket + 1)
        } else {
            text.find(':')
        };
        let (host, rest) = text.split_at(end.ok_or_else(mismatch)?);
        let (port, addresses) = rest
            .strip_prefix(':')
            .and_then(|rest| rest.split_once(':'))
            .ok_or_else(mismatch)?;
        let port = port.parse().ok().filter(|&port| port != 0).ok_or_else(mismatch)?;
        let host = tcp_host(host).map_err(|_| mismatch())?;
        let address = |address: &str| {
            let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let bare = bare.unwrap_or(address);
            is_address(bare)
                .then(|| bare.to_owned())
                .ok_or_else(|| Mismatch::new(quoted(address), "an address such as 127.0.0.1 or ::1, not a name"))
        };
        Ok(Self {
            host,
            port,
            addresses: addresses.split(',').map(address).collect::<Result<_, _>>()?,
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^.+:[0-9]+:.+$", "examples": ["shop.example:443:127.0.0.1"] })
    }
}

/// Whether `text` is an IP address, perhaps with a zone.
fn is_address(text: &str) -> bool {
    match text.split_once(ZONE) {
        Some((address, zone)) => address.parse::<Ipv6Addr>().is_ok() && is_zone(zone),
        None => text.parse::<IpAddr>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolutions_are_taken_apart_and_printed() {
        for (text, again) in [
            ("shop.example:443:127.0.0.1", "shop.example:443:127.0.0.1"),
            ("Shop.Example:80:::1", "shop.example:80:[::1]"),
            ("h:80:[::1],10.0.0.1", "h:80:[::1],10.0.0.1"),
            ("[::1]:80:127.0.0.1", "[::1]:80:127.0.0.1"),
            ("h:80:fe80::1%lo", "h:80:[fe80::1%lo]"),
            ("127.0.0.1:80:127.0.0.2", "127.0.0.1:80:127.0.0.2"),
        ] {
            let resolution = Resolution::read(text).expect(text);
            assert_eq!(resolution.to_string(), again, "{text}");
            assert_eq!(Resolution::read(again).as_ref(), Ok(&resolution), "{text}");
        }
        for text in [
            "",
            "h",
            "h:80",
            "h:80:",
            "h::127.0.0.1",
            "h:0:127.0.0.1",
            "h:65536:127.0.0.1",
            ":80:127.0.0.1",
            "[::1:80:127.0.0.1",
            "h/x:80:127.0.0.1",
            "me@h:80:127.0.0.1",
            "h:80:localhost",
            "h:80:127.0.0.1,",
            "h:80:127.0.0.1%lo",
            "h:80:fe80::1%",
            "h:80:fe80::1%a b",
        ] {
            assert!(Resolution::read(text).is_err(), "{text}");
        }
    }
}
