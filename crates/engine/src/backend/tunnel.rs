//! A tunnel through a proxy (RFC 9110, section 9.3.6): what asks for it, and what the proxy says.

use super::Fault;
use plimsoll_measure::ErrorClass;
use plimsoll_plan::Secret;
use plimsoll_protocol::RequestKind;
use plimsoll_protocol::http1::{LastHead, Progress, ResponseReader};
use std::fmt;
use std::sync::Arc;

/// A wish for a tunnel, which each connection to the proxy begins with.
#[derive(Clone)]
pub struct Tunnel {
    to: Arc<str>,
    request: Arc<[u8]>,
}

impl Tunnel {
    /// To host and port of the service, with the value of a `proxy-authorization` header.
    #[must_use]
    pub fn new(to: &str, authorization: Option<&Secret>) -> Self {
        let authorization = authorization.map_or_else(String::new, |value| {
            format!("proxy-authorization: {}\r\n", value.reveal())
        });
        let request = format!("CONNECT {to} HTTP/1.1\r\nhost: {to}\r\n{authorization}\r\n");
        Self {
            to: to.into(),
            request: request.into_bytes().into(),
        }
    }

    pub(super) fn request(&self) -> &[u8] {
        &self.request
    }

    /// A tunnel that cannot be had, and why.
    pub(super) fn fault(&self, why: &str) -> Fault {
        Fault {
            class: ErrorClass::Unreachable,
            errno: None,
            words: Some(format!("{why} for a tunnel to {}", self.to).into()),
        }
    }
}

impl fmt::Debug for Tunnel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tunnel({})", self.to)
    }
}

/// The response to that.
pub(super) struct Opening(ResponseReader);

impl Opening {
    pub(super) fn new() -> Self {
        // To this reader a response ends with its head, and so does one to CONNECT, if it succeeds.
        Self(ResponseReader::expecting(RequestKind::Head))
    }

    /// How many of the bytes belong to the response once it has opened the tunnel; `None` as long as more is needed.
    pub(super) fn receive(&mut self, tunnel: &Tunnel, bytes: &[u8]) -> Option<Result<usize, Fault>> {
        Some(match self.0.feed(bytes, &mut LastHead::default()) {
            Ok(Progress::NeedMore) => return None,
            Ok(Progress::Done { consumed, response }) => match response.status {
                200..=299 => Ok(consumed),
                407 => Err(tunnel.fault("the proxy asks for a user and password (http://USER:PASSWORD@HOST:PORT)")),
                status => Err(tunnel.fault(&format!("the proxy responded with status {status} when asked"))),
            },
            Err(malformed) => Err(tunnel.fault(&format!("the proxy sent no HTTP response ({malformed}) when asked"))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(response: &[u8]) -> Option<Result<usize, String>> {
        let tunnel = Tunnel::new("shop:443", None);
        let opened = Opening::new().receive(&tunnel, response)?;
        Some(opened.map_err(|fault| fault.words.expect("words").into()))
    }

    #[test]
    fn what_asks_for_a_tunnel_is_no_more_than_that() {
        let secret = Secret::sealed("Basic bWU6cGFzcw==");
        let tunnel = Tunnel::new("shop:443", Some(&secret));
        let expected = "CONNECT shop:443 HTTP/1.1\r\nhost: shop:443\r\nproxy-authorization: Basic bWU6cGFzcw==\r\n\r\n";
        assert_eq!(tunnel.request(), expected.as_bytes());
        assert_eq!(format!("{tunnel:?}"), "Tunnel(shop:443)");
    }

    #[test]
    fn a_proxy_opens_or_refuses_in_words() {
        assert_eq!(words(b"HTTP/1.1 200 Conn"), None);
        assert_eq!(words(b"HTTP/1.1 200 Connection established\r\n\r\n\x16"), Some(Ok(39)));
        for (response, said) in [
            (
                &b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 5\r\n\r\n"[..],
                "the proxy asks for a user and password (http://USER:PASSWORD@HOST:PORT) for a tunnel to shop:443",
            ),
            (
                b"HTTP/1.1 403 Forbidden\r\n\r\n",
                "the proxy responded with status 403 when asked for a tunnel to shop:443",
            ),
        ] {
            assert_eq!(words(response), Some(Err(said.to_owned())));
        }
        let other = words(b"SSH-2.0-OpenSSH_9.2\r\n")
            .expect("an outcome")
            .expect_err("no response");
        assert!(other.starts_with("the proxy sent no HTTP response ("), "{other}");
    }
}
