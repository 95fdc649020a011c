//! The cases of Autobahn|Testsuite 25.10 that a client meets which gives nothing back, by their numbers: what a service sends, and what
//! comes of it. Each is sent in one go, octet by octet and in pieces between, which the suite has as cases of their own. What the
//! client sends back is checked as well. Left out are 12 and 13, compression, which is not offered, and what 9.7, 9.8 and 10 say of messages that a
//! client sends.

#[path = "../../../tests/frame/mod.rs"]
mod frame;
mod texts;

use super::tests::{asked, receive};
use super::*;
use frame::frame;
use std::fmt::Write as _;

const FINAL: u8 = 0x80;
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The text of the suite: valid, but for what is appended.
const GREEK: &[u8] = b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
const RESERVED: &str = "a frame with reserved bits, although no extension was agreed";
const FRAGMENTS: &str = "fragments of messages out of order";
const CONTROL: &str = "a ping, pong or close that is in fragments or longer than 125 bytes";
const NOT_UTF8: &str = "a text that is not UTF-8";
const CLOSE_CODE: &str = "a close with a code that may not be sent";

fn text(payload: &[u8]) -> Vec<u8> {
    frame(FINAL | TEXT, payload)
}

fn close(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(FINAL | CLOSE, &[&code.to_be_bytes(), reason].concat())
}

/// A message in fragments of these first bytes.
fn fragments(of: &[(u8, &str)]) -> Vec<u8> {
    of.iter()
        .flat_map(|(first, payload)| frame(*first, payload.as_bytes()))
        .collect()
}

/// What the client makes of it: messages that are whole, then the pongs that it sends.
#[derive(Default)]
struct Story {
    messages: String,
    pongs: String,
    begun: Vec<u8>,
}

fn tell(story: &mut String, what: &str, payload: &[u8]) {
    let payload = match payload.len() {
        0..=125 => String::from_utf8_lossy(payload).into_owned(),
        length => format!("{length} octets"),
    };
    writeln!(story, "{what} {payload}").unwrap();
}

impl Completions<u8> for Story {
    fn response(&mut self, _token: &u8, response: &Response<'_>) {
        assert_eq!(response.status, 101);
    }

    fn message(&mut self, piece: &[u8], ends: bool) {
        self.begun.extend_from_slice(piece);
        if ends {
            let message = std::mem::take(&mut self.begun);
            tell(&mut self.messages, "message", &message);
        }
    }

    fn keeps_beginning(&mut self, _token: &u8, _status: u16) -> bool {
        true
    }

    fn failed(&mut self, _token: &u8, failure: &crate::RequestFailure<'_>) {
        unreachable!("{failure:?}");
    }

    fn unseen(&mut self, _token: &u8, words: &str) {
        unreachable!("{words}");
    }
}

/// Takes the mask off the frames that a client sent.
fn unmasked(mut sent: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut frames = Vec::new();
    while let [first, second, rest @ ..] = sent {
        let (mask, rest) = rest.split_at(4);
        let (payload, rest) = rest.split_at(usize::from(second & 0x7f));
        let payload = payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask);
        frames.push((*first, payload.collect()));
        sent = rest;
    }
    frames
}

fn story(said: &[u8], octets: usize) -> String {
    let (mut client, head) = asked();
    let mut story = Story::default();
    receive(&mut client, &head, &mut story).0.unwrap();
    let mut end = "open".to_owned();
    for piece in said.chunks(octets) {
        let (outcome, out) = receive(&mut client, piece, &mut story);
        for (first, payload) in unmasked(&out) {
            match first & !FINAL {
                PONG => tell(&mut story.pongs, "pong", &payload),
                CLOSE => {
                    let code = payload.first_chunk().map(|code| u16::from_be_bytes(*code));
                    end = format!("closes {code:?}");
                }
                other => unreachable!("{other}"),
            }
        }
        if let Err(failure) = outcome {
            end = match failure {
                Failure::Malformed { reason } => reason,
                other => format!("{other:?}"),
            };
            break;
        }
    }
    story.messages + &story.pongs + &end
}

/// Whether a client that is sent `said` ends as `expected`, the lines of its story.
#[track_caller]
fn check(case: &str, said: &[u8], expected: &[&str]) {
    let pieces: &[usize] = match said.len() {
        0..=1000 => &[usize::MAX, 1, 2, 3, 7],
        _ => &[usize::MAX, 997],
    };
    for &octets in pieces {
        let octets = octets.min(said.len());
        assert_eq!(
            story(said, octets),
            expected.join("\n"),
            "case {case} in pieces of {octets} octets"
        );
    }
}

#[test]
fn case_1_frames_of_all_lengths_are_messages() {
    for (case, length) in [0, 125, 126, 127, 128, 65_535, 65_536, 65_536].into_iter().enumerate() {
        let payload = vec![b'*'; length];
        for (kind, first) in [(1, TEXT), (2, BINARY)] {
            let expected = match length {
                0..=125 => format!("message {}", "*".repeat(length)),
                _ => format!("message {length} octets"),
            };
            let case = format!("1.{kind}.{}", case + 1);
            check(&case, &frame(FINAL | first, &payload), &[&expected, "open"]);
        }
    }
}

#[test]
fn case_2_pings_get_their_pongs() {
    let ping = |payload: &[u8]| frame(FINAL | PING, payload);
    let ten: Vec<String> = (0..10).map(|number| format!("payload-{number}")).collect();
    let pings: Vec<u8> = ten.iter().flat_map(|payload| ping(payload.as_bytes())).collect();
    let mut pongs: Vec<String> = ten.iter().map(|payload| format!("pong {payload}")).collect();
    pongs.push("open".to_owned());
    let bytes = b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff";
    let longest = [0xfe; 125];
    let lossy = |payload| format!("pong {}", String::from_utf8_lossy(payload));
    check("2.1", &ping(b""), &["pong ", "open"]);
    check("2.2", &ping(b"Hello, world!"), &["pong Hello, world!", "open"]);
    check("2.3", &ping(bytes), &[&lossy(bytes), "open"]);
    check("2.4, 2.6", &ping(&longest), &[&lossy(&longest), "open"]);
    check("2.5", &ping(&[0xfe; 126]), &[CONTROL]);
    check("2.7", &frame(FINAL | PONG, b""), &["open"]);
    check("2.8", &frame(FINAL | PONG, b"unsolicited pong payload"), &["open"]);
    let both = [frame(FINAL | PONG, b"unsolicited"), ping(b"ping payload")].concat();
    check("2.9", &both, &["pong ping payload", "open"]);
    let pongs: Vec<&str> = pongs.iter().map(String::as_str).collect();
    check("2.10, 2.11", &pings, &pongs);
}

#[test]
fn case_3_reserved_bits_are_refused() {
    let hello = text(b"Hello, world!");
    check("3.1", &frame(FINAL | 0x10 | TEXT, b"Hello, world!"), &[RESERVED]);
    for (case, bits) in [("3.2", 0x20), ("3.3", 0x30), ("3.4", 0x40)] {
        let bad = frame(FINAL | bits | TEXT, b"Hello, world!");
        let said = [&hello[..], &bad, &frame(FINAL | PING, b"")].concat();
        check(case, &said, &["message Hello, world!", RESERVED]);
    }
    for (case, first) in [("3.5", 0x50 | BINARY), ("3.6", 0x60 | PING), ("3.7", 0x70 | CLOSE)] {
        check(
            case,
            &frame(FINAL | first, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff"),
            &[RESERVED],
        );
    }
}

#[test]
fn case_4_unknown_kinds_are_refused() {
    let hello = text(b"Hello, world!");
    for (group, kinds) in [(1, 3..=7), (2, 11..=15)] {
        for (case, kind) in kinds.enumerate() {
            let fault = format!("a frame of the unknown kind {kind}");
            let payload: &[u8] = if case % 2 == 1 { b"reserved opcode payload" } else { b"" };
            let said = [frame(FINAL | kind, payload), frame(FINAL | PING, b"")].concat();
            let case = format!("4.{group}.{}", case + 1);
            check(&case, &said, &[&fault]);
            check(&case, &[&hello[..], &said].concat(), &["message Hello, world!", &fault]);
        }
    }
}

#[test]
fn case_5_fragments_are_put_together() {
    let whole = "message fragment1fragment2";
    let ping = (FINAL | PING, "ping payload");
    check(
        "5.1",
        &fragments(&[(PING, "fragment1"), (FINAL, "fragment2")]),
        &[CONTROL],
    );
    check(
        "5.2",
        &fragments(&[(PONG, "fragment1"), (FINAL, "fragment2")]),
        &[CONTROL],
    );
    let two = [(TEXT, "fragment1"), (FINAL | CONTINUATION, "fragment2")];
    check("5.3 to 5.5", &fragments(&two), &[whole, "open"]);
    check(
        "5.6 to 5.8",
        &fragments(&[two[0], ping, two[1]]),
        &[whole, "pong ping payload", "open"],
    );
    for (case, first) in [("5.9 to 5.11", FINAL | CONTINUATION), ("5.12 to 5.14", CONTINUATION)] {
        let said = fragments(&[(first, "non-continuation payload"), (FINAL | TEXT, "Hello, world!")]);
        check(case, &said, &[FRAGMENTS]);
    }
    let behind = [two[0], two[1], (CONTINUATION, "fragment3"), (FINAL | TEXT, "fragment4")];
    check("5.15", &fragments(&behind), &[whole, FRAGMENTS]);
    for (case, first) in [("5.16", CONTINUATION), ("5.17", FINAL | CONTINUATION)] {
        let said = fragments(&[
            (first, "fragment1"),
            (TEXT, "fragment2"),
            (FINAL | CONTINUATION, "fragment3"),
        ]);
        check(case, &said.repeat(2), &[FRAGMENTS]);
    }
    check(
        "5.18",
        &fragments(&[(TEXT, "fragment1"), (FINAL | TEXT, "fragment2")]),
        &[FRAGMENTS],
    );
    let five = fragments(&[
        (TEXT, "fragment1"),
        (CONTINUATION, "fragment2"),
        (FINAL | PING, "pongme 1!"),
        (CONTINUATION, "fragment3"),
        (CONTINUATION, "fragment4"),
        (FINAL | PING, "pongme 2!"),
        (FINAL | CONTINUATION, "fragment5"),
    ]);
    let all = "message fragment1fragment2fragment3fragment4fragment5";
    check("5.19, 5.20", &five, &[all, "pong pongme 1!", "pong pongme 2!", "open"]);
}

#[test]
fn case_7_closes_are_answered_and_nothing_comes_behind() {
    let normal = close(1000, b"");
    let hello = text(b"Hello World!");
    let closed = "closes Some(1000)";
    check(
        "7.1.1",
        &[&hello[..], &normal].concat(),
        &["message Hello World!", closed],
    );
    check("7.1.2", &normal.repeat(2), &[closed]);
    check("7.1.3", &[&normal[..], &frame(FINAL | PING, b"")].concat(), &[closed]);
    check("7.1.4", &[&normal[..], &hello].concat(), &[closed]);
    let between = [&frame(TEXT, b"fragment1")[..], &normal, &frame(FINAL, b"fragment2")].concat();
    check("7.1.5", &between, &[closed]);
    let long = text(&b"BAsd7&jh23"[..].repeat(256 * 1024 / 10));
    let said = [&long[..], &hello, &normal, &frame(FINAL | PING, b"")].concat();
    check(
        "7.1.6",
        &said,
        &["message 262140 octets", "message Hello World!", closed],
    );
    check("7.3.1", &frame(FINAL | CLOSE, b""), &["closes None"]);
    check("7.3.2", &frame(FINAL | CLOSE, b"a"), &[CLOSE_CODE]);
    check("7.3.3", &normal, &[closed]);
    check("7.3.4", &close(1000, b"Hello World!"), &[closed]);
    check("7.3.5", &close(1000, &[b'*'; 123]), &[closed]);
    check("7.3.6", &close(1000, &[b'*'; 124]), &[CONTROL]);
    check(
        "7.5.1",
        &close(1000, &[GREEK, b"\xed\xa0\x80edited"].concat()),
        &[NOT_UTF8],
    );
    for code in [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
    ] {
        check("7.7", &close(code, b""), &[&format!("closes Some({code})")]);
    }
    for code in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999] {
        check("7.9", &close(code, b""), &[CLOSE_CODE]);
    }
    // Undefined by the standard.
    for code in [5000, 65_535] {
        check("7.13", &close(code, b""), &[CLOSE_CODE]);
    }
}

#[test]
fn case_9_messages_of_megabytes_are_read() {
    for (group, first) in [(1, TEXT), (2, BINARY)] {
        for (case, kib) in [64, 256, 1024, 4096, 8192, 16_384].into_iter().enumerate() {
            let octets = kib << 10;
            let expected = format!("message {octets} octets");
            let case = format!("9.{group}.{}", case + 1);
            check(&case, &frame(FINAL | first, &vec![b'*'; octets]), &[&expected, "open"]);
        }
    }
    let octets = 4 << 20;
    let expected = format!("message {octets} octets");
    for (case, shift) in (6..=22).step_by(2).enumerate() {
        let fragment = vec![b'*'; 1 << shift];
        let count = octets >> shift;
        for (group, kind) in [(3, TEXT), (4, BINARY)] {
            let first = if count == 1 { FINAL | kind } else { kind };
            let mut said = frame(first, &fragment);
            (2..count).for_each(|_| said.extend(frame(CONTINUATION, &fragment)));
            if count > 1 {
                said.extend(frame(FINAL | CONTINUATION, &fragment));
            }
            check(&format!("9.{group}.{}", case + 1), &said, &[&expected, "open"]);
        }
    }
    // 9.5 and 9.6 have a megabyte in pieces of 64 to 2,048 octets.
    let said = text(&vec![b'*'; 1 << 20]);
    for octets in [64, 128, 256, 512, 1024, 2048] {
        assert_eq!(
            story(&said, octets),
            format!("message {} octets\nopen", 1 << 20),
            "{octets}"
        );
    }
}
