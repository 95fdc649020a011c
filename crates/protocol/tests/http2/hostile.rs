//! A service that sends what it must not: every frame where it does not belong, of every wrong length, and too much of what is
//! allowed.

use crate::service::{
    CONTINUATION, Connection, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, Outcome, PING, PRIORITY, PUSH_PROMISE,
    RST_STREAM, SETTINGS, WINDOW_UPDATE, data, frame, frames, get, go_away, head, ok, reset, settings, window_update,
};
use plimsoll_protocol::{Client, Failure, Standing};

const PROTOCOL: u32 = 1;
const FLOW_CONTROL: u32 = 3;
const STREAM_CLOSED: u32 = 5;
const FRAME_SIZE: u32 = 6;
const COMPRESSION: u32 = 9;
const CALM: u32 = 11;

/// These bytes end a connection with three requests on streams 1, 3 and 5, of which the first two have had their responses; the
/// service is told `code`, and the request that is left is given up.
#[track_caller]
fn ends_connection(bytes: &[u8], code: u32, reason: &str) {
    let mut connection = Connection::with_requests(3);
    assert_eq!(connection.receives(&[ok(1), ok(3)].concat()), Ok(Standing::Open));
    assert_eq!(connection.outcomes().len(), 2);
    let reason = reason.to_owned();
    assert_eq!(connection.receives(bytes), Err(Failure::Malformed { reason }));
    assert_eq!(connection.outcomes(), []);
    let last = frames(&connection.sent()).pop().expect("the service is told");
    assert_eq!((last.kind, last.stream), (GOAWAY, 0));
    assert_eq!(last.payload, [[0; 4], code.to_be_bytes()].concat());
    assert_eq!(connection.client.capacity(), 0);
    assert_eq!(connection.client.give_up(&mut connection.out), Some(2));
    assert!(connection.out.is_empty());
}

/// These bytes end stream 1 alone, and the service is told `code`; stream 3 goes on.
#[track_caller]
fn ends_stream(bytes: &[u8], code: u32, reason: &str) {
    let mut connection = Connection::with_requests(2);
    let standing = connection.receives(&[bytes, &ok(3)].concat());
    assert_eq!(standing, Ok(Standing::Open), "{reason}");
    let malformed = Outcome::Malformed(reason.to_owned());
    let response = Outcome::Response(200, String::new(), false);
    assert_eq!(connection.outcomes(), [(0, malformed), (1, response)]);
    assert_eq!(connection.sent(), reset(1, code));
}

#[test]
fn frames_of_streams_do_not_come_on_the_connection() {
    for (kind, name) in [
        (DATA, "DATA"),
        (HEADERS, "HEADERS"),
        (PRIORITY, "PRIORITY"),
        (RST_STREAM, "RST_STREAM"),
    ] {
        let reason = format!("a {name} frame came on stream 0, where none belongs");
        ends_connection(&frame(kind, 4, 0, &[0; 5]), PROTOCOL, &reason);
    }
}

#[test]
fn frames_of_the_connection_do_not_come_on_streams() {
    for (kind, name) in [(SETTINGS, "SETTINGS"), (PING, "PING"), (GOAWAY, "GOAWAY")] {
        let reason = format!("a {name} frame came on stream 5, where none belongs");
        ends_connection(&frame(kind, 0, 5, &[0; 8]), PROTOCOL, &reason);
    }
}

#[test]
fn frames_do_not_come_on_streams_that_were_never_open() {
    for stream in [2, 4, 7, 9, 0x7fff_ffff] {
        for (kind, name, payload) in [
            (DATA, "DATA", &[0; 4][..]),
            (HEADERS, "HEADERS", &[0x88]),
            (RST_STREAM, "RST_STREAM", &[0; 4]),
            (WINDOW_UPDATE, "WINDOW_UPDATE", &[0, 0, 0, 1]),
        ] {
            let reason = format!("a {name} frame came on stream {stream}, which no request has opened");
            ends_connection(&frame(kind, END_HEADERS, stream, payload), PROTOCOL, &reason);
        }
    }
}

#[test]
fn nothing_comes_behind_the_end_of_a_response() {
    for (kind, name) in [(DATA, "DATA"), (HEADERS, "HEADERS")] {
        for stream in [1, 3] {
            let reason = format!("a {name} frame came on stream {stream} behind the end of its response");
            ends_connection(&frame(kind, END_HEADERS, stream, &[0x88]), STREAM_CLOSED, &reason);
        }
    }
    let mut connection = Connection::with_requests(2);
    let late = [
        ok(1),
        reset(1, 0),
        window_update(1, 7),
        frame(PRIORITY, 0, 1, &[0; 5]),
        ok(3),
    ];
    assert_eq!(connection.receives(&late.concat()), Ok(Standing::Open), "these may");
    assert!(connection.sent().is_empty());
}

#[test]
fn frames_have_the_lengths_that_they_have() {
    for (kind, name, flags, lengths) in [
        (RST_STREAM, "RST_STREAM", 0, &[0, 3, 5][..]),
        (WINDOW_UPDATE, "WINDOW_UPDATE", 0, &[0, 3, 5]),
        (SETTINGS, "SETTINGS", 0, &[1, 5, 7]),
        (SETTINGS, "SETTINGS", 1, &[6]),
        (PING, "PING", 0, &[0, 7, 9]),
        (PING, "PING", 1, &[7]),
        (GOAWAY, "GOAWAY", 0, &[0, 7]),
    ] {
        let stream = if kind == RST_STREAM { 5 } else { 0 };
        for &length in lengths {
            let reason = format!("a {name} frame has {length} bytes, which is not its length");
            ends_connection(&frame(kind, flags, stream, &vec![0; length]), FRAME_SIZE, &reason);
        }
    }
    let reason = "a HEADERS frame has 4 bytes, which is not its length";
    ends_connection(&frame(HEADERS, END_HEADERS | 0x20, 5, &[0; 4]), FRAME_SIZE, reason);
    for (kind, name) in [
        (DATA, "DATA frame"),
        (HEADERS, "HEADERS frame"),
        (0x42, "frame of kind 0x42"),
    ] {
        let reason = format!("a {name} has 16385 bytes, 16384 are allowed");
        ends_connection(&frame(kind, 0, 5, &vec![0; 16_385]), FRAME_SIZE, &reason);
    }
    ends_stream(
        &frame(PRIORITY, 0, 1, &[0; 4]),
        FRAME_SIZE,
        "a PRIORITY frame has 4 bytes, which is not its length",
    );
}

#[test]
fn padding_is_no_longer_than_its_frame() {
    for (kind, name) in [(DATA, "DATA"), (HEADERS, "HEADERS")] {
        let reason = format!("a {name} frame is padded with more bytes than it has");
        for payload in [&[][..], &[1], &[3, 0x88, 0]] {
            let begun = if kind == DATA {
                head(5, 0, &[(":status", "200")])
            } else {
                Vec::new()
            };
            ends_connection(
                &[begun, frame(kind, 8 | END_HEADERS, 5, payload)].concat(),
                PROTOCOL,
                &reason,
            );
        }
    }
}

#[test]
fn pushes_were_turned_off() {
    let push = frame(PUSH_PROMISE, END_HEADERS, 5, &[0, 0, 0, 2, 0x88]);
    ends_connection(&push, PROTOCOL, "the service pushes a response, which was turned off");
}

#[test]
fn a_header_block_is_not_interrupted() {
    let begun = frame(HEADERS, 0, 5, &[0x88]);
    for (kind, name, stream) in [
        (DATA, "DATA frame", 5),
        (HEADERS, "HEADERS frame", 5),
        (PING, "PING frame", 0),
        (SETTINGS, "SETTINGS frame", 0),
        (PUSH_PROMISE, "PUSH_PROMISE frame", 5),
        (CONTINUATION, "CONTINUATION frame", 3),
        (0x42, "frame of kind 0x42", 5),
    ] {
        let reason = format!("a {name} came on stream {stream} within the header block of stream 5");
        ends_connection(
            &[&begun[..], &frame(kind, 0, stream, &[0; 8])].concat(),
            PROTOCOL,
            &reason,
        );
    }
    let reason = "a CONTINUATION frame came on stream 5, where no header block goes on";
    ends_connection(&frame(CONTINUATION, END_HEADERS, 5, &[0x88]), PROTOCOL, reason);
}

#[test]
fn a_header_block_is_neither_endless_nor_scattered() {
    let begun = frame(HEADERS, 0, 5, &[0x88]);
    let large = frame(CONTINUATION, 0, 5, &[0; 16_384]).repeat(17);
    let reason = "a header block has more than 262144 bytes";
    ends_connection(&[&begun[..], &large].concat(), CALM, reason);
    let empty = frame(CONTINUATION, 0, 5, &[]).repeat(1025);
    ends_connection(
        &[&begun[..], &empty].concat(),
        CALM,
        "a header block has more than 1024 frames",
    );
}

#[test]
fn header_blocks_that_cannot_be_read_end_the_connection() {
    for (block, reason) in [
        (
            &[0xff, 0x00][..],
            "a header block refers to entry 127 of the header table, which has no such entry",
        ),
        (&[0x88, 0x40], "a header block ends within a field"),
        (
            &[0x88, 0x20],
            "a header block changes the size of the header table behind a field",
        ),
        (
            &[0x3f, 0xe2, 0x1f],
            "a header block sets the size of the header table to 4097 bytes, 4096 are allowed",
        ),
    ] {
        ends_connection(&frame(HEADERS, END_HEADERS, 5, block), COMPRESSION, reason);
    }
}

#[test]
fn a_header_block_that_nobody_waits_for_is_read_all_the_same() {
    let mut connection = Connection::with_requests(2);
    connection.client.give_up(&mut connection.out);
    let inserts = frame(HEADERS, END_HEADERS, 1, &[0x88, 0x40, 1, b'a', 1, b'b']);
    let refers = frame(HEADERS, END_HEADERS | END_STREAM, 3, &[0x88, 0xbe]);
    assert_eq!(connection.receives(&[inserts, refers].concat()), Ok(Standing::Open));
    assert_eq!(
        connection.outcomes(),
        [(1, Outcome::Response(200, String::new(), false))]
    );
}

#[test]
fn settings_have_values_that_they_can_have() {
    let reason = "the service allows pushes by setting ENABLE_PUSH to 1";
    ends_connection(&settings(&[(2, 1)]), PROTOCOL, reason);
    let reason = "the service sets INITIAL_WINDOW_SIZE to 2147483648, which is above 2^31 - 1";
    ends_connection(&settings(&[(4, 1 << 31)]), FLOW_CONTROL, reason);
    for value in [0, 16_383, 1 << 24] {
        let reason = format!("the service sets MAX_FRAME_SIZE to {value}, which is not between 2^14 and 2^24 - 1");
        ends_connection(&settings(&[(5, value)]), PROTOCOL, &reason);
    }
}

#[test]
fn windows_are_opened_by_something_and_not_too_far() {
    let reason = "the service opens a window of the connection by 0 bytes";
    ends_connection(&window_update(0, 0), PROTOCOL, reason);
    ends_connection(&window_update(0, 1 << 31), PROTOCOL, reason);
    let beyond = "the service opens a window beyond 2^31 - 1 bytes";
    ends_connection(&window_update(0, 0x7fff_ffff), FLOW_CONTROL, beyond);
    let by_settings = [window_update(5, 0x7fff_ffff - 65_535), settings(&[(4, 65_536)])].concat();
    ends_connection(&by_settings, FLOW_CONTROL, beyond);
    ends_stream(
        &window_update(1, 0),
        PROTOCOL,
        "the service opens the window of a stream by 0 bytes",
    );
    let beyond = "the service opens the window of a stream beyond 2^31 - 1 bytes";
    ends_stream(&window_update(1, 0x7fff_ffff), FLOW_CONTROL, beyond);
}

#[test]
fn content_does_not_exceed_its_windows() {
    let mut connection = Connection::with_requests(2);
    connection
        .receives(&head(1, 0, &[(":status", "200")]))
        .expect("it is in order");
    let block = frame(DATA, 0, 1, &[0; 16_384]).repeat(1024);
    let mut opened = Vec::new();
    for _ in 0..160 {
        assert_eq!(connection.receives(&block), Ok(Standing::Open));
        opened.extend(
            frames(&connection.sent())
                .into_iter()
                .map(|sent| (sent.kind, sent.stream)),
        );
    }
    // Each is opened when half of it is used, so a service that looks at its windows never has to wait.
    let of = |stream| opened.iter().filter(|sent| **sent == (WINDOW_UPDATE, stream)).count();
    assert_eq!((of(0), of(1), opened.len()), (5, 5, 10));
}

#[test]
fn the_last_stream_of_a_service_that_leaves_only_goes_down() {
    let reason =
        "the last stream of a GOAWAY frame is 5, which is no stream of this end or above the one that it said before";
    ends_connection(
        &[go_away(5, 0, ""), go_away(5, 0, ""), go_away(7, 0, "")].concat(),
        PROTOCOL,
        &reason.replace('5', "7"),
    );
    ends_connection(&go_away(4, 0, ""), PROTOCOL, &reason.replace('5', "4"));
}

#[test]
fn what_has_to_be_acknowledged_does_not_come_without_end() {
    let reason = "the service sent 10000 PING and SETTINGS frames and no response";
    let pings = frame(PING, 0, 0, &[0; 8]).repeat(10_001);
    ends_connection(&pings, CALM, reason);
    let mut connection = Connection::with_requests(0);
    for _ in 0..3 {
        let some = [settings(&[]), frame(PING, 0, 0, &[0; 8])].concat().repeat(4000);
        assert_eq!(
            connection.receives(&some),
            Ok(Standing::Open),
            "a request comes between them"
        );
        connection.start(&get());
    }
    // A stream that does not end goes on.
    let stream = head(1, 0, &[(":status", "200")]);
    assert_eq!(connection.receives(&stream), Ok(Standing::Open));
    for _ in 0..3 {
        let some = [data(1, 0, "tick"), frame(PING, 0, 0, &[0; 8]).repeat(8000)].concat();
        assert_eq!(
            connection.receives(&some),
            Ok(Standing::Open),
            "content comes between them"
        );
    }
}

#[test]
fn interim_responses_do_not_come_without_end() {
    let interim = head(1, 0, &[(":status", "103")]).repeat(101);
    ends_stream(
        &interim,
        CALM,
        "more than 100 interim responses (1xx) came without a final one",
    );
}

#[test]
fn a_head_that_unpacks_to_too_much_is_refused() {
    // A field of 4000 bytes in the table, and then a byte for each time that it comes again.
    let mut block = vec![0x88, 0x40, 1, b'a', 0x7f, 0xa1, 0x1e];
    block.extend([b'x'; 4000]);
    block.extend([0xbe; 100]);
    let bytes = frame(HEADERS, END_HEADERS, 1, &block);
    ends_stream(&bytes, CALM, "the headers are longer than 262144 bytes");
    let mut block = vec![0x88];
    block.extend([0xa1; 5001]);
    let bytes = frame(HEADERS, END_HEADERS, 1, &block);
    ends_stream(&bytes, CALM, "the response has more than 5000 headers");
}

#[test]
fn streams_that_are_reset_again_and_again_cost_nothing() {
    let mut connection = Connection::with_requests(1);
    let again = [reset(1, 8).repeat(1000), data(1, 0, "x").repeat(1000)].concat();
    assert_eq!(connection.receives(&again), Ok(Standing::Open));
    assert_eq!(connection.outcomes(), [(0, Outcome::Reset("CANCEL".to_owned()))]);
    assert!(connection.sent().is_empty());
}
