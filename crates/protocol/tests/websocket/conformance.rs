//! What RFC 6455 asks of who receives, case by case. The cases are those of the Autobahn test suite for clients, written anew: the number
//! of each row is its section there. Left out are those that ask for an echo, for speed, or for compression.

use crate::frames::{BINARY, CLOSE, CONTINUATION, LAST, PING, PONG, TEXT, frame};
use crate::invariants::{Meant, meaning};
use plimsoll_protocol::websocket::{CloseCode, Fault, FrameReader};

fn message(payload: impl AsRef<[u8]>) -> Meant {
    Meant::Message(payload.as_ref().to_vec())
}

fn ping(payload: impl AsRef<[u8]>) -> Meant {
    Meant::Ping(payload.as_ref().to_vec())
}

fn close(code: Option<u16>, reason: &str) -> Meant {
    let code = code.map(|code| CloseCode::new(code).expect("a code that may be sent"));
    Meant::Close(code, reason.to_owned())
}

/// The payload of a close.
fn code(code: u16, reason: &[u8]) -> Vec<u8> {
    [&code.to_be_bytes(), reason].concat()
}

/// A case: its number, frames, what they mean, and the fault that they end in.
type Row = (&'static str, Vec<Vec<u8>>, Vec<Meant>, Option<Fault>);

/// What these frames mean before a fault, if there is one, in one piece, byte by byte and in pieces that fit nothing.
fn check(case: &str, frames: &[Vec<u8>], expected: &[Meant], fault: Option<Fault>) {
    let bytes = frames.concat();
    let expected = (expected, fault);
    for size in [bytes.len().max(1), 1, 7] {
        let (meant, _, outcome) = meaning(FrameReader::default(), bytes.chunks(size));
        assert_eq!(
            (meant.as_slice(), outcome.err()),
            expected,
            "{case}, in pieces of {size}"
        );
    }
}

#[test]
fn messages_of_every_length_are_read() {
    for (kind, sections) in [(TEXT, "1.1"), (BINARY, "1.2")] {
        for length in [0, 125, 126, 127, 128, 65_535, 65_536] {
            let payload = vec![b'*'; length];
            check(
                &format!("{sections}, {length} bytes"),
                &[frame(LAST | kind, &payload)],
                &[message(&payload)],
                None,
            );
        }
    }
    // Where they are longer than they need to be, and where they are cut short.
    check(
        "1, 16 bits",
        &[vec![LAST | TEXT, 126, 0, 125]],
        &[],
        Some(Fault::Length),
    );
    check(
        "1, 64 bits",
        &[vec![LAST | TEXT, 127, 0, 0, 0, 0, 0, 0, 255, 255]],
        &[],
        Some(Fault::Length),
    );
    check(
        "1, sign",
        &[vec![LAST | TEXT, 127, 0x80, 0, 0, 0, 0, 1, 0, 0]],
        &[],
        Some(Fault::Length),
    );
}

#[test]
fn pings_are_seen_and_pongs_are_passed_over() {
    let longest = [0xfe; 125];
    check("2.1", &[frame(PING, b"")], &[ping("")], None);
    check("2.2", &[frame(PING, b"Hello")], &[ping("Hello")], None);
    check("2.3", &[frame(PING, b"\x00\xff\xfe")], &[ping(b"\x00\xff\xfe")], None);
    check("2.4", &[frame(PING, &longest)], &[ping(longest)], None);
    check("2.5", &[frame(PING, &[0xfe; 126])], &[], Some(Fault::Control));
    check(
        "2.7 to 2.9",
        &[frame(PONG, b""), frame(PONG, b"unasked"), frame(PING, b"asked")],
        &[ping("asked")],
        None,
    );
    let ten = |payload: u8| [b'0' + payload];
    let frames: Vec<_> = (0..10).map(|number| frame(PING, &ten(number))).collect();
    let expected: Vec<_> = (0..10).map(|number| ping(ten(number))).collect();
    check("2.10", &frames, &expected, None);
}

#[test]
fn reserved_bits_are_a_fault_wherever_they_are() {
    for (case, bits) in [
        ("3.1", 0x10),
        ("3.2", 0x20),
        ("3.3", 0x30),
        ("3.4", 0x40),
        ("3.5", 0x50),
        ("3.6", 0x60),
        ("3.7", 0x70),
    ] {
        for kind in [LAST | TEXT, LAST | BINARY, PING, CLOSE] {
            let frames = [
                frame(LAST | TEXT, b"before"),
                frame(bits | kind, b"*"),
                frame(PING, b""),
            ];
            check(case, &frames, &[message("before")], Some(Fault::ReservedBits));
        }
    }
}

#[test]
fn unknown_kinds_are_a_fault_wherever_they_are() {
    for kind in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
        let frames = [frame(LAST | TEXT, b"before"), frame(LAST | kind, b""), frame(PING, b"")];
        let section = if kind < 8 { "4.1" } else { "4.2" };
        check(
            &format!("{section}, {kind}"),
            &frames,
            &[message("before")],
            Some(Fault::UnknownKind(kind)),
        );
    }
}

#[test]
fn what_is_masked_is_a_fault() {
    for kind in [LAST | TEXT, LAST | BINARY, PING, PONG, CLOSE] {
        let masked = vec![kind, 0x80 | 1, 1, 2, 3, 4, b'x' ^ 1];
        check("5.1 of the standard", &[masked], &[], Some(Fault::Masked));
    }
}

#[test]
fn fragments_are_put_together_and_control_frames_come_between_them() {
    let begun = frame(TEXT, b"frag");
    let on = frame(CONTINUATION, b"me");
    let done = frame(LAST | CONTINUATION, b"nt");
    let all = || message("fragment");
    let begin_twice = [begun.clone(), begun.clone()];
    let rows: Vec<Row> = vec![
        ("5.1", vec![frame(0x09, b"frag")], vec![], Some(Fault::Control)),
        ("5.2", vec![frame(0x0a, b"frag")], vec![], Some(Fault::Control)),
        (
            "5.3 to 5.5",
            vec![begun.clone(), on.clone(), done.clone()],
            vec![all()],
            None,
        ),
        (
            "5.6 to 5.8",
            vec![begun.clone(), frame(PING, b"?"), on.clone(), done.clone()],
            vec![ping("?"), all()],
            None,
        ),
        ("5.9", vec![done.clone()], vec![], Some(Fault::Fragments)),
        ("5.12", vec![on.clone()], vec![], Some(Fault::Fragments)),
        (
            "5.15",
            vec![begun.clone(), on.clone(), done.clone(), on.clone()],
            vec![all()],
            Some(Fault::Fragments),
        ),
        ("5.18", begin_twice.to_vec(), vec![], Some(Fault::Fragments)),
        (
            "5.18, another message",
            vec![begun.clone(), frame(LAST | BINARY, b"whole")],
            vec![],
            Some(Fault::Fragments),
        ),
        (
            "5.19, 5.20",
            vec![
                begun.clone(),
                frame(PING, b"1"),
                frame(PONG, b"1"),
                on.clone(),
                frame(PING, b"2"),
                done.clone(),
                frame(LAST | TEXT, b"next"),
            ],
            vec![ping("1"), ping("2"), all(), message("next")],
            None,
        ),
        (
            "5, empty fragments",
            vec![
                frame(TEXT, b""),
                frame(CONTINUATION, b""),
                frame(LAST | CONTINUATION, b""),
            ],
            vec![message("")],
            None,
        ),
        (
            "5, a close between fragments",
            vec![begun, frame(CLOSE, &code(1001, b"")), done],
            vec![close(Some(1001), "")],
            None,
        ),
    ];
    for (case, frames, expected, fault) in rows {
        check(case, &frames, &expected, fault);
    }
}

/// Where texts of UTF-8 end and what is none, most of them after M. Kuhn's stress test.
const TEXTS: &[(&str, &[u8])] = &[
    ("6.1", b""),
    (
        "6.2",
        "Hello-\u{b5}@\u{df}\u{f6}\u{e4}\u{fc}\u{e0}\u{e1}-UTF-8!!".as_bytes(),
    ),
    ("6.5", "\u{3ba}\u{1f79}\u{3c3}\u{3bc}\u{3b5}".as_bytes()),
    ("6.7, one byte", b"\x00"),
    ("6.7, two bytes", b"\xc2\x80"),
    ("6.7, three bytes", b"\xe0\xa0\x80"),
    ("6.7, four bytes", b"\xf0\x90\x80\x80"),
    ("6.9, one byte", b"\x7f"),
    ("6.9, two bytes", b"\xdf\xbf"),
    ("6.9, three bytes", b"\xef\xbf\xbf"),
    ("6.9, four bytes", b"\xf4\x8f\xbf\xbf"),
    ("6.11, below surrogates", b"\xed\x9f\xbf"),
    ("6.11, above surrogates", b"\xee\x80\x80"),
    ("6.11, replacement character", b"\xef\xbf\xbd"),
    ("6.22, no characters", b"\xef\xb7\x90\xef\xb7\xaf\xf0\x9f\xbf\xbf"),
];
const NO_TEXTS: &[(&str, &[u8])] = &[
    ("6.3", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited"),
    ("6.6, cut in two bytes", b"\xce"),
    ("6.6, cut in three bytes", b"\xce\xba\xe1\xbd"),
    ("6.8, five bytes", b"\xf8\x88\x80\x80\x80"),
    ("6.8, six bytes", b"\xfc\x84\x80\x80\x80\x80"),
    ("6.10, longest of five bytes", b"\xfb\xbf\xbf\xbf\xbf"),
    ("6.11, above all", b"\xf4\x90\x80\x80"),
    ("6.12, continuation alone", b"\x80"),
    ("6.12, two of them", b"\x80\xbf"),
    ("6.13, two bytes without an end", b"\xc3 "),
    ("6.13, three bytes without an end", b"\xe4 "),
    ("6.14, four bytes cut off", b"\xf0\x90\x80"),
    ("6.16, never in a text", b"\xfe"),
    ("6.16, never in a text", b"\xff"),
    ("6.17, two bytes for one", b"\xc0\xaf"),
    ("6.17, three bytes for one", b"\xe0\x80\xaf"),
    ("6.17, four bytes for one", b"\xf0\x80\x80\xaf"),
    ("6.18, longest of them", b"\xc1\xbf"),
    ("6.18, longest of them", b"\xe0\x9f\xbf"),
    ("6.18, longest of them", b"\xf0\x8f\xbf\xbf"),
    ("6.19, two bytes for nothing", b"\xc0\x80"),
    ("6.20, first surrogate", b"\xed\xa0\x80"),
    ("6.20, last surrogate", b"\xed\xbf\xbf"),
    ("6.21, a pair of surrogates", b"\xed\xa0\x80\xed\xb0\x80"),
];

#[test]
fn texts_are_utf_8_however_they_are_cut() {
    for (case, text) in TEXTS {
        check(case, &[frame(LAST | TEXT, text)], &[message(text)], None);
        for cut in 0..text.len() {
            let (first, rest) = text.split_at(cut);
            let frames = [frame(TEXT, first), frame(PING, b""), frame(LAST | CONTINUATION, rest)];
            check(case, &frames, &[ping(""), message(text)], None);
        }
    }
    for (case, text) in NO_TEXTS {
        check(case, &[frame(LAST | TEXT, text)], &[], Some(Fault::NotUtf8));
        // Of anything else it is not asked.
        check(case, &[frame(LAST | BINARY, text)], &[message(text)], None);
        let fragments: Vec<_> = std::iter::once(frame(TEXT, b""))
            .chain(text.iter().map(|byte| frame(CONTINUATION, &[*byte])))
            .chain([frame(LAST | CONTINUATION, b"")])
            .collect();
        check(case, &fragments, &[], Some(Fault::NotUtf8));
    }
}

#[test]
fn what_is_no_text_is_a_fault_before_its_end() {
    // 6.4: a surrogate in the middle, and no end to come.
    let begun = [
        frame(TEXT, b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5"),
        frame(CONTINUATION, b"\xf4\x90"),
    ];
    check("6.4", &begun, &[], Some(Fault::NotUtf8));
    let mut half = frame(LAST | TEXT, b"\xce\xba\xed\xa0\x80 and more");
    half.truncate(7);
    check("6.4, in one frame", &[half], &[], Some(Fault::NotUtf8));
}

#[test]
fn a_close_ends_everything() {
    let behind = frame(LAST | TEXT, b"behind");
    for (case, payload, expected) in [
        ("7.3.1", vec![], close(None, "")),
        ("7.3.3", code(1000, b""), close(Some(1000), "")),
        ("7.3.4", code(1000, b"Hello World!"), close(Some(1000), "Hello World!")),
        ("7.3.5", code(1000, &[b'*'; 123]), close(Some(1000), &"*".repeat(123))),
    ] {
        // 7.1: what comes behind is not read, whatever it is.
        for rest in [behind.clone(), frame(PING, b""), frame(CLOSE, b""), vec![0xff; 3]] {
            check(
                case,
                &[frame(CLOSE, &payload), rest],
                std::slice::from_ref(&expected),
                None,
            );
        }
    }
    check("7.3.2", &[frame(CLOSE, b"\x03")], &[], Some(Fault::CloseCode));
    check(
        "7.3.6",
        &[frame(CLOSE, &code(1000, &[b'*'; 124]))],
        &[],
        Some(Fault::Control),
    );
    check(
        "7.5.1",
        &[frame(CLOSE, &code(1000, b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80"))],
        &[],
        Some(Fault::NotUtf8),
    );
}

#[test]
fn codes_of_a_close_are_those_that_may_be_sent() {
    for valid in [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
    ] {
        let frames = [frame(CLOSE, &code(valid, b""))];
        check(&format!("7.7, {valid}"), &frames, &[close(Some(valid), "")], None);
    }
    for invalid in [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] {
        let frames = [frame(CLOSE, &code(invalid, b""))];
        check(&format!("7.9, {invalid}"), &frames, &[], Some(Fault::CloseCode));
    }
}
