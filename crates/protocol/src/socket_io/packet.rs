//! What a service sends: packets of Engine.IO, and those of Socket.IO in them.
//!
//! <https://socket.io/docs/v4/engine-io-protocol/> and <https://socket.io/docs/v4/socket-io-protocol/> have the formats.

use serde::Deserialize;

/// So much of a packet is looked at: what it is, and why a client is refused.
pub(super) const HEAD_BYTES: usize = 512;

/// What is asked on a WebSocket that is to take over from long polling, as a ping.
pub(super) const PROBE: &[u8] = b"probe";

/// What a packet means to a client of one namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packet<'a> {
    /// The session is open: the client may join a namespace. What the service says of it, in JSON.
    Open(&'a [u8]),
    /// The session ends.
    Close,
    /// Whether the client is there. The pong has the same bytes.
    Ping(&'a [u8]),
    /// What was asked on a WebSocket that is to take over has come, and its response has come back.
    Probed,
    /// The client has joined its namespace.
    Connect,
    /// The client may not, for this reason in JSON.
    ConnectError(&'a [u8]),
    /// The client is put out of its namespace.
    Disconnect,
    /// The acknowledgement that the event with this number asked for.
    Acknowledgement(u64),
    /// An event, or what says nothing to a client.
    Other,
}

/// How often the service pings, as it says where it opens a session; 0 where it does not.
pub(super) fn ping_interval_ns(handshake: &[u8]) -> u64 {
    #[derive(Deserialize)]
    struct Opened {
        #[serde(rename = "pingInterval")]
        ping_interval_ms: u32,
    }
    let opened = serde_json::from_slice(handshake);
    opened.map_or(0, |Opened { ping_interval_ms }| u64::from(ping_interval_ms) * 1_000_000)
}

/// What a message begins with, and how many attachments follow it as messages of their own. `None` where it is no packet.
pub(super) fn read(message: &[u8]) -> Option<(Packet<'_>, u64)> {
    let (&kind, rest) = message.split_first()?;
    Some(match kind {
        b'0' => (Packet::Open(rest), 0),
        b'1' => (Packet::Close, 0),
        b'2' => (Packet::Ping(rest), 0),
        b'3' if rest == PROBE => (Packet::Probed, 0),
        b'3' | b'5' | b'6' | b'b' => (Packet::Other, 0),
        b'4' => return read_inner(rest),
        _ => return None,
    })
}

fn read_inner(packet: &[u8]) -> Option<(Packet<'_>, u64)> {
    let (&kind, rest) = packet.split_first()?;
    let (attachments, rest) = match kind {
        b'0'..=b'4' => (0, rest),
        b'5' | b'6' => {
            let (count, rest) = number(rest)?;
            (count, rest.strip_prefix(b"-")?)
        }
        _ => return None,
    };
    let rest = match rest.first() {
        Some(b'/') => {
            let comma = rest.iter().position(|&byte| byte == b',');
            comma.map_or(&[][..], |comma| &rest[comma + 1..])
        }
        _ => rest,
    };
    let packet = match kind {
        b'0' => Packet::Connect,
        b'1' => Packet::Disconnect,
        b'3' | b'6' => Packet::Acknowledgement(number(rest)?.0),
        b'4' => Packet::ConnectError(rest),
        _ => Packet::Other,
    };
    Some((packet, attachments))
}

/// A number in decimal digits, and what is behind it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(digits);
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

        /// Digits, slashes, commas and dashes more often than other bytes.
        #[test]
        fn any_bytes_are_read_or_no_packet(
            message in prop::collection::vec(prop_oneof![Just(b'4'), b'0'..=b'9', Just(b'/'), Just(b','), Just(b'-'), any::<u8>()], 0..30),
        ) {
            if let Some((_, 1..)) = read(&message) {
                prop_assert!(matches!(message[1], b'5' | b'6'));
            }
        }
    }

    #[test]
    fn packets_are_what_the_protocols_say() {
        for (message, expected) in [
            (&b"0{\"sid\":\"x\"}"[..], Some((Packet::Open(b"{\"sid\":\"x\"}"), 0))),
            (b"1", Some((Packet::Close, 0))),
            (b"2", Some((Packet::Ping(b""), 0))),
            (b"2probe", Some((Packet::Ping(b"probe"), 0))),
            (b"3", Some((Packet::Other, 0))),
            (b"3probe", Some((Packet::Probed, 0))),
            (b"6", Some((Packet::Other, 0))),
            (b"bAAEC", Some((Packet::Other, 0))),
            (b"40{\"sid\":\"x\"}", Some((Packet::Connect, 0))),
            (b"40/chat,{\"sid\":\"x\"}", Some((Packet::Connect, 0))),
            (b"41", Some((Packet::Disconnect, 0))),
            (b"41/chat,", Some((Packet::Disconnect, 0))),
            (b"42[\"news\",7]", Some((Packet::Other, 0))),
            (b"431[7]", Some((Packet::Acknowledgement(1), 0))),
            (b"43/chat,12[]", Some((Packet::Acknowledgement(12), 0))),
            (b"461-/chat,12[{}]", Some((Packet::Acknowledgement(12), 1))),
            (b"452-[\"picture\",{},{}]", Some((Packet::Other, 2))),
            (
                b"44{\"message\":\"no\"}",
                Some((Packet::ConnectError(b"{\"message\":\"no\"}"), 0)),
            ),
            (
                b"44/chat,{\"message\":\"no\"}",
                Some((Packet::ConnectError(b"{\"message\":\"no\"}"), 0)),
            ),
            (b"", None),
            (b"hello", None),
            (b"4", None),
            (b"47", None),
            (b"43[7]", None),
            (b"45-[]", None),
            (b"4399999999999999999999[]", None),
        ] {
            assert_eq!(read(message), expected, "{}", message.escape_ascii());
        }
    }
}
