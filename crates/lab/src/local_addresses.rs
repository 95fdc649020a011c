//! Whether connections can leave from the addresses that the user names.

use crate::LabError;
use std::io::ErrorKind;
use std::net::{IpAddr, TcpListener};

/// Looks before the service is started, or else each connection would fail as if the ports had run out.
pub(crate) fn check(local_addrs: &[IpAddr]) -> Result<(), LabError> {
    for &address in local_addrs {
        TcpListener::bind((address, 0)).map_err(|error| LabError::LocalAddress {
            address,
            found: match error.kind() {
                ErrorKind::AddrNotAvailable => "this machine does not have that address".to_owned(),
                _ => error.to_string(),
            },
        })?;
    }
    Ok(())
}

/// An address of one family leads to none of the other.
pub(crate) fn check_family(local_addrs: &[IpAddr], remote: IpAddr) -> Result<(), LabError> {
    match local_addrs.iter().find(|local| local.is_ipv4() != remote.is_ipv4()) {
        None => Ok(()),
        Some(&address) => Err(LabError::LocalAddress {
            address,
            found: format!("the service is at {remote}, an address of the other family"),
        }),
    }
}

/// A connection to a unix socket leaves from no address.
pub(crate) fn check_none(local_addrs: &[IpAddr]) -> Result<(), LabError> {
    match local_addrs.first() {
        None => Ok(()),
        Some(&address) => Err(LabError::LocalAddress {
            address,
            found: "the service is at a unix socket, which no address leads to".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_host_are_taken_and_others_named() {
        let local = |text: &str| {
            vec![
                "127.0.0.1".parse().expect("an address"),
                text.parse().expect("an address"),
            ]
        };
        check(&local("127.0.0.2")).expect("loopback is here");
        // Kept for documentation (RFC 5737), so nobody's.
        let message = check(&local("192.0.2.1")).expect_err("not here").to_string();
        assert!(
            message.starts_with("send from 192.0.2.1: this machine does not have"),
            "{message}"
        );

        let here = "127.0.0.1".parse().expect("an address");
        check_family(&local("127.0.0.2"), here).expect("of one family");
        let message = check_family(&local("::1"), here).expect_err("of two").to_string();
        assert!(
            message.starts_with("send from ::1: the service is at 127.0.0.1"),
            "{message}"
        );
    }
}
