//! Which targets an agent sends to. Its own user says so; a plan cannot widen it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// Targets that may be loaded: addresses and ports, never names, because those who serve a name could point it anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowList(Vec<Allowance>);

/// Addresses that share the first bits, and one port or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Allowance {
    address: IpAddr,
    prefix: u8,
    port: Option<u16>,
}

/// A text that allows nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found `{found}`, expected an address and a port, such as 127.0.0.1:3000, 10.1.0.0/16:* or [::1]:*")]
pub struct NoAllowance {
    found: String,
}

impl Default for AllowList {
    /// This machine alone.
    fn default() -> Self {
        let any_port = |address, prefix| Allowance {
            address,
            prefix,
            port: None,
        };
        Self(vec![
            any_port(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), 8),
            any_port(IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
        ])
    }
}

impl AllowList {
    /// What these texts allow; nothing else.
    ///
    /// # Errors
    /// When one of them is not of the form `ADDRESS[/BITS]:PORT`, with `*` for every port.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, NoAllowance> {
        texts.into_iter().map(str::parse).collect::<Result<_, _>>().map(Self)
    }

    /// Whether connections may go there.
    #[must_use]
    pub fn permits(&self, to: SocketAddr) -> bool {
        // An IPv4 address may be written as one of IPv6.
        let address = to.ip().to_canonical();
        self.0.iter().any(|allowed| allowed.permits(address, to.port()))
    }

    /// Its blocks of addresses in CIDR notation, and the port, where it is one alone.
    #[must_use]
    pub fn blocks(&self) -> Vec<(String, Option<u16>)> {
        let block = |allowed: &Allowance| (format!("{}/{}", allowed.address, allowed.prefix), allowed.port);
        self.0.iter().map(block).collect()
    }

    /// As it is told to others.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for AllowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts().join(", "))
    }
}

impl Allowance {
    fn permits(self, address: IpAddr, port: u16) -> bool {
        if self.port.is_some_and(|allowed| allowed != port) {
            return false;
        }
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0);
                (u32::from(own) ^ u32::from(other)) & mask == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.prefix)).unwrap_or(0);
                (u128::from(own) ^ u128::from(other)) & mask == 0
            }
            _ => false,
        }
    }
}

impl FromStr for Allowance {
    type Err = NoAllowance;

    fn from_str(text: &str) -> Result<Self, NoAllowance> {
        let read = || {
            let (hosts, port) = text.rsplit_once(':')?;
            let port = match port {
                "*" => None,
                port => Some(port.parse().ok().filter(|port| *port > 0)?),
            };
            let hosts = match hosts.strip_prefix('[') {
                Some(rest) => rest.strip_suffix(']')?,
                // Without brackets nobody knows where an address of IPv6 ends.
                None if hosts.contains(':') => return None,
                None => hosts,
            };
            let (address, prefix) = match hosts.split_once('/') {
                Some((address, bits)) => (address, Some(bits.parse::<u8>().ok()?)),
                None => (hosts, None),
            };
            let written: IpAddr = address.parse().ok()?;
            let most = if written.is_ipv4() { 32 } else { 128 };
            let prefix = prefix.unwrap_or(most);
            let address = written.to_canonical();
            // One of IPv4 that is written as one of IPv6 is what it is: connections are looked up as that.
            let (address, prefix) = match prefix.checked_sub(96) {
                Some(prefix) if address != written => (address, prefix),
                _ => (written, prefix),
            };
            let most = if address.is_ipv4() { 32 } else { 128 };
            (prefix <= most).then_some(Self { address, prefix, port })
        };
        read().ok_or_else(|| NoAllowance { found: text.to_owned() })
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close, most) = match self.address {
            IpAddr::V4(_) => ("", "", 32),
            IpAddr::V6(_) => ("[", "]", 128),
        };
        write!(f, "{open}{}", self.address)?;
        if self.prefix < most {
            write!(f, "/{}", self.prefix)?;
        }
        match self.port {
            Some(port) => write!(f, "{close}:{port}"),
            None => write!(f, "{close}:*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_permits_what_it_names() {
        for (allowed, address, expected) in [
            ("127.0.0.1:*", "127.0.0.1:80", true),
            ("127.0.0.1:*", "127.0.0.2:80", false),
            ("127.0.0.1:80", "127.0.0.1:81", false),
            ("127.0.0.1:*", "[::ffff:127.0.0.1]:80", true),
            ("10.1.0.0/16:443", "10.1.255.3:443", true),
            ("10.1.0.0/16:443", "10.2.0.1:443", false),
            ("0.0.0.0/0:*", "8.8.8.8:53", true),
            ("0.0.0.0/0:*", "[::1]:53", false),
            ("[::1]:*", "[::1]:1", true),
            ("[2001:db8::/32]:80", "[2001:db8:5::1]:80", true),
            ("[2001:db8::/32]:80", "[2001:db9::1]:80", false),
        ] {
            let list = AllowList::parse([allowed]).expect("a list");
            let to = address.parse().expect("an address");
            assert_eq!(list.permits(to), expected, "{allowed} {address}");
            assert_eq!(list.texts(), [allowed]);
        }
    }

    #[test]
    fn address_of_ipv4_may_be_written_as_one_of_ipv6() {
        for (allowed, text, address, expected) in [
            ("[::ffff:10.0.0.1]:80", "10.0.0.1:80", "10.0.0.1:80", true),
            ("[::ffff:10.1.0.0/112]:*", "10.1.0.0/16:*", "10.1.2.3:80", true),
            ("[::ffff:10.1.0.0/112]:*", "10.1.0.0/16:*", "10.2.2.3:80", false),
            ("[::/0]:*", "[::/0]:*", "10.2.2.3:80", false),
        ] {
            let list = AllowList::parse([allowed]).expect("a list");
            assert_eq!(list.texts(), [text]);
            let to = address.parse().expect("an address");
            assert_eq!(list.permits(to), expected, "{allowed} {address}");
        }
        assert!(AllowList::parse(["[::ffff:10.0.0.1/129]:80"]).is_err());
    }

    #[test]
    fn default_list_permits_this_machine_alone() {
        let list = AllowList::default();
        for (address, expected) in [
            ("127.0.0.1:1", true),
            ("127.9.9.9:9", true),
            ("[::1]:1", true),
            ("192.168.0.1:80", false),
            ("169.254.169.254:80", false),
        ] {
            assert_eq!(
                list.permits(address.parse().expect("an address")),
                expected,
                "{address}"
            );
        }
        assert_eq!(list.to_string(), "127.0.0.0/8:*, [::1]:*");
    }

    #[test]
    fn text_without_address_or_port_is_refused() {
        for text in [
            "localhost:80",
            "127.0.0.1",
            "::1:80",
            "127.0.0.1:0",
            "10.0.0.0/33:*",
            "",
            ":*",
            "[::1:80",
        ] {
            assert!(AllowList::parse([text]).is_err(), "{text}");
        }
    }
}
