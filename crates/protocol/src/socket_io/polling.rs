//! How a session begins by long polling, until a WebSocket takes over.
//!
//! A browser spreads this over up to three connections at a time: a poll that waits, what it says meanwhile, and the WebSocket that it
//! tries. Here it all goes over the connection that becomes the WebSocket, one request after the other.

use super::request::{LENGTH, SESSION, UpgradeLayout};
use crate::Failure;
use crate::http1::ResponseReader;
use crate::request::{RequestKind, push_decimal};
use crate::websocket::WebSocket;
use serde::Deserialize;

/// What is between the packets of one response or request.
pub(super) const SEPARATOR: u8 = 0x1e;
/// Stands in a request for what is not known when the session begins. No head may contain it.
const UNKNOWN: &[u8] = b"\0";

/// A session that is not on a WebSocket yet.
#[derive(Debug, Clone)]
pub(super) struct Polling {
    /// Requests of this client, but for what stands for the [`UNKNOWN`].
    poll: Vec<u8>,
    post: Vec<u8>,
    upgrade: Vec<u8>,
    pub(super) reader: ResponseReader,
    pub(super) asked: Asked,
    /// The identifier of the session, as it stands in a query; empty until there is one.
    id: Vec<u8>,
    /// Whether the service has let the client in.
    pub(super) is_joined: bool,
}

/// What was asked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// What the service has to say. The first time it opens the session.
    Packets,
    /// To take what the client has to say.
    Take,
    /// To go on over a WebSocket: no more HTTP is spoken.
    Upgrade,
}

/// What a service says of a session as it opens it.
#[derive(Deserialize)]
struct Opened {
    sid: String,
    #[serde(default)]
    upgrades: Vec<String>,
}

impl Polling {
    /// Asks for a session.
    pub(super) fn begin<'v, T: Copy>(
        layout: &UpgradeLayout,
        value: impl Fn(usize) -> &'v [u8],
        web_socket: &mut WebSocket<T>,
        token: T,
        out: &mut Vec<u8>,
    ) -> Self {
        let value = |variable| match variable {
            SESSION | LENGTH => UNKNOWN,
            _ => value(variable),
        };
        let (mut poll, mut post, mut upgrade) = (Vec::new(), Vec::new(), Vec::new());
        layout.begin.encode(value, out);
        layout.poll.encode(value, &mut poll);
        layout.post.encode(value, &mut post);
        web_socket.begin(&layout.upgrade, value, token, &mut upgrade);
        Self {
            poll,
            post,
            upgrade,
            reader: ResponseReader::expecting(RequestKind::Other),
            asked: Asked::Packets,
            id: Vec::new(),
            is_joined: false,
        }
    }

    /// The session is open, and this is what the service says of it.
    pub(super) fn opened(&mut self, handshake: &[u8]) -> Result<(), Failure> {
        let malformed = |reason: &str| Failure::Malformed {
            reason: reason.to_owned(),
        };
        let opened: Opened =
            serde_json::from_slice(handshake).map_err(|_| malformed("a session of Engine.IO without an identifier"))?;
        if !opened.upgrades.iter().any(|transport| transport == "websocket") {
            return Err(malformed(
                "a session of Engine.IO that offers no upgrade to a WebSocket",
            ));
        }
        self.id = in_query(&opened.sid);
        Ok(())
    }

    /// Asks for what comes next: says what there is to say, in these packets, then polls until the client is let in, and then
    /// upgrades.
    pub(super) fn go_on(&mut self, to_say: &[Vec<u8>], out: &mut Vec<u8>) -> Result<(), Failure> {
        if self.id.is_empty() {
            let reason = "a response to a poll that opens no session of Engine.IO".to_owned();
            return Err(Failure::Malformed { reason });
        }
        self.asked = match (to_say.is_empty(), self.is_joined) {
            (false, _) => Asked::Take,
            (true, false) => Asked::Packets,
            (true, true) => Asked::Upgrade,
        };
        match self.asked {
            Asked::Packets => fill(&self.poll, &[&self.id], out),
            Asked::Take => {
                let said = to_say.join(&SEPARATOR);
                let mut length = Vec::new();
                push_decimal(said.len(), &mut length);
                fill(&self.post, &[&self.id, &length], out);
                out.extend_from_slice(&said);
            }
            Asked::Upgrade => {
                fill(&self.upgrade, &[&self.id], out);
                return Ok(());
            }
        }
        self.reader.expect(RequestKind::Other);
        Ok(())
    }
}

/// Appends a request in which `values` stand for what was unknown, in this order.
fn fill(request: &[u8], values: &[&[u8]], out: &mut Vec<u8>) {
    let mut values = values.iter();
    for (place, piece) in request.split(|byte| UNKNOWN.contains(byte)).enumerate() {
        if place > 0 {
            out.extend_from_slice(values.next().copied().unwrap_or_default());
        }
        out.extend_from_slice(piece);
    }
}

/// A value as it stands in a query (RFC 3986, section 2.1).
fn in_query(value: &str) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => encoded.push(byte),
            _ => encoded.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_unknown_is_filled_in_where_it_belongs() {
        for (request, values, expected) in [
            (&b"a\0b"[..], &[&b"1"[..]][..], &b"a1b"[..]),
            (b"a\0b\0c", &[b"1", b"22"], b"a1b22c"),
            (b"\0", &[b"1"], b"1"),
            (b"abc", &[b"1"], b"abc"),
        ] {
            let mut out = Vec::new();
            fill(request, values, &mut out);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn identifiers_cannot_leave_their_query() {
        assert_eq!(in_query("lv_VI97-x.~"), b"lv_VI97-x.~");
        assert_eq!(in_query("a b&c\r\n\u{fc}"), b"a%20b%26c%0D%0A%C3%BC");
    }
}
