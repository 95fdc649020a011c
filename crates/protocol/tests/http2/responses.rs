//! What comes of responses that are in order, and of streams and connections that a service ends.

use crate::service::{
    Connection, END_STREAM, GET, HEADERS, Outcome, PING, PUSH_PROMISE, RST_STREAM, data, frame, frames, get, go_away,
    head, laid_out, ok, reset, settings,
};
use plimsoll_protocol::http2::{Common, Http2};
use plimsoll_protocol::{BodyEnd, Came, Client, Failure, RequestParts, Standing, StreamEnd};

const OPEN: Result<Standing, Failure> = Ok(Standing::Open);

fn plain(status: u16) -> Outcome {
    Outcome::Response(status, String::new(), false)
}

#[test]
fn responses_come_in_any_order() {
    let mut connection = Connection::with_requests(3);
    let bytes = [
        head(5, 0, &[(":status", "200")]),
        head(1, END_STREAM, &[(":status", "204"), ("server", "x")]),
        data(5, 0, "ab"),
        ok(3),
        data(5, END_STREAM, ""),
    ];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    assert_eq!(
        connection.outcomes(),
        [(0, plain(204)), (1, plain(200)), (2, plain(200))]
    );
    assert_eq!(connection.client.in_flight(), 0);
    assert!(connection.sent().is_empty());
}

#[test]
fn a_response_that_is_wanted_reads_as_text() {
    let mut connection = Connection::with_requests(5);
    connection.log.keeps_from = Some(400);
    let fields = [(":status", "404"), ("content-type", "text/plain"), ("x-id", "7")];
    for stream in [1, 3] {
        let bytes = [
            head(stream, 0, &fields),
            data(stream, 0, "not "),
            data(stream, END_STREAM, "here"),
        ];
        assert_eq!(connection.receives(&bytes.concat()), OPEN);
    }
    let text = "HTTP/2 404\r\ncontent-type: text/plain\r\nx-id: 7\r\n\r\nnot here".to_owned();
    let kept = Outcome::Response(404, text, true);
    assert_eq!(connection.outcomes(), [(0, kept.clone()), (1, kept)]);
    let long = "x".repeat(5000);
    let bytes = [head(5, 0, &[(":status", "500")]), data(5, END_STREAM, &long)];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    let text = format!("HTTP/2 500\r\n\r\n{}", &long[..4096 - 14]);
    assert_eq!(connection.outcomes(), [(2, Outcome::Response(500, text, false))]);
    let many = [("x-many", &long[..100]); 60];
    let fields_of_long = [&[(":status", "500")], &many[..], &[("set-cookie", "a=1")]].concat();
    let bytes = [head(7, 0, &fields_of_long), data(7, END_STREAM, "not here")];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    let lines = format!("x-many: {}\r\n", &long[..100]).repeat(60);
    let text = format!("HTTP/2 500\r\n{lines}set-cookie: a=1\r\n\r\n");
    assert_eq!(connection.outcomes(), [(3, Outcome::Response(500, text, false))]);
    connection.log.heads_alone = true;
    let bytes = [head(9, 0, &fields), data(9, END_STREAM, "not here")];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    let text = "HTTP/2 404\r\ncontent-type: text/plain\r\nx-id: 7\r\n\r\n".to_owned();
    assert_eq!(connection.outcomes(), [(4, Outcome::Response(404, text, false))]);
}

#[test]
fn interim_responses_and_trailers_are_passed_over() {
    let mut connection = Connection::with_requests(1);
    let bytes = [
        head(1, 0, &[(":status", "100")]),
        head(1, 0, &[(":status", "103"), ("link", "x")]),
        head(1, 0, &[(":status", "200")]),
        data(1, 0, "ab"),
        head(1, END_STREAM, &[("grpc-status", "0")]),
    ];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    assert_eq!(connection.outcomes(), [(0, plain(200))]);
}

#[test]
fn responses_without_content_may_say_how_long_it_would_be() {
    let mut connection = Connection::with_requests(1);
    connection.start(&laid_out(&RequestParts { method: "HEAD", ..GET }));
    let length = |status| [(":status", status), ("content-length", "10")];
    let bytes = [head(1, END_STREAM, &length("304")), head(3, END_STREAM, &length("200"))];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    assert_eq!(connection.outcomes(), [(0, plain(304)), (1, plain(200))]);
}

#[test]
fn a_malformed_response_fails_alone() {
    let with = |fields: &[(&str, &str)], content: &str| [head(1, 0, fields), data(1, END_STREAM, content)].concat();
    let length = [(":status", "200"), ("content-length", "3")];
    for (bytes, reason) in [
        (with(&length, "ab"), "the content ended after 2 of 3 bytes"),
        (
            with(&length, "abcd"),
            "the content is longer than content-length says: 3 bytes",
        ),
        (
            with(&[(":status", "204")], "a"),
            "a response to which no content belongs has some",
        ),
        (with(&[("server", "x")], ""), "the response has no :status"),
        (
            with(&[(":status", "200"), ("Server", "x")], ""),
            "header name `Server` has an upper-case letter or a byte that no name may have",
        ),
        (
            head(1, END_STREAM, &[(":status", "100")]),
            "an interim response (1xx) ends the stream",
        ),
        (
            head(1, 0, &[(":status", "101")]),
            "the response has status 101, which HTTP/2 does not have",
        ),
        (data(1, 0, "a"), "content came before the headers of the response"),
        (
            [head(1, 0, &[(":status", "200")]), head(1, 0, &[("a", "b")])].concat(),
            "trailers came without the end of the stream",
        ),
        (
            [
                head(1, 0, &[(":status", "200")]),
                head(1, END_STREAM, &[(":status", "200")]),
            ]
            .concat(),
            "the response has the pseudo-header `:status`, which none may have",
        ),
    ] {
        let mut connection = Connection::with_requests(2);
        assert_eq!(connection.receives(&[bytes, ok(3)].concat()), OPEN, "{reason}");
        assert_eq!(
            connection.outcomes(),
            [(0, Outcome::Malformed(reason.to_owned())), (1, plain(200))]
        );
    }
}

#[test]
fn streams_that_the_service_resets_fail_alone() {
    let mut connection = Connection::with_requests(5);
    let bytes = [
        reset(3, 7),
        head(1, 0, &[(":status", "200")]),
        data(1, 0, "ab"),
        reset(1, 2),
        reset(9, 0x77),
        // It may still be on its way when the service resets the stream, and what follows it too.
        data(9, END_STREAM, "late"),
        ok(5),
        reset(5, 0),
    ];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    assert_eq!(
        connection.outcomes(),
        [
            (1, Outcome::Refused),
            (0, Outcome::Reset("INTERNAL_ERROR".to_owned())),
            (4, Outcome::Reset("error code 0x77".to_owned())),
            (2, plain(200)),
        ]
    );
    assert_eq!(connection.client.oldest(), Some(&3));
    assert!(connection.sent().is_empty());
}

#[test]
fn a_request_that_is_given_up_leaves_the_others_alone() {
    let mut connection = Connection::with_requests(3);
    assert_eq!(connection.receives(&head(1, 0, &[(":status", "200")])), OPEN);
    let end = BodyEnd::Stream;
    let came = Came::Body {
        status: 200,
        received_bytes: 0,
        end,
    };
    assert_eq!(connection.client.came(), came);
    assert_eq!(connection.client.give_up(&mut connection.out), Some(0));
    assert_eq!(connection.client.came(), Came::Nothing);
    assert_eq!(connection.sent(), frame(RST_STREAM, 0, 1, &[0, 0, 0, 8]));
    let bytes = [
        data(1, 0, "on its way"),
        head(1, END_STREAM, &[("a", "b")]),
        ok(5),
        ok(3),
    ];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    assert_eq!(connection.outcomes(), [(2, plain(200)), (1, plain(200))]);
}

#[test]
fn a_service_that_leaves_loses_no_request() {
    let mut connection = Connection::with_requests(4);
    let graceful = go_away(0x7fff_ffff, 0, "");
    assert_eq!(connection.receives(&graceful), Ok(Standing::Leaving));
    assert_eq!((connection.client.capacity(), connection.client.in_flight()), (0, 4));
    assert_eq!(
        connection.receives(&[ok(3), go_away(5, 0, "bye")].concat()),
        Ok(Standing::Leaving)
    );
    assert_eq!(
        connection.outcomes(),
        [
            (1, plain(200)),
            (3, Outcome::Unseen("GOAWAY with NO_ERROR, `bye`".to_owned()))
        ]
    );
    assert_eq!(connection.client.farewell(), Some("GOAWAY with NO_ERROR, `bye`"));
    assert_eq!(connection.receives(&ok(1)), Ok(Standing::Leaving));
    assert_eq!(connection.receives(&[ok(5), ok(7)].concat()), Ok(Standing::Closing));
    assert_eq!(connection.outcomes(), [(0, plain(200)), (2, plain(200))]);
}

#[test]
fn a_service_that_leaves_with_an_error_says_why() {
    let mut connection = Connection::with_requests(2);
    assert_eq!(
        connection.receives(&go_away(3, 11, "too_many_pings")),
        Ok(Standing::Leaving)
    );
    let end = connection
        .client
        .end_of_stream(StreamEnd::Finished, &mut connection.log);
    assert_eq!(end, Ok(()));
    let why = Outcome::Reset("GOAWAY with ENHANCE_YOUR_CALM, `too_many_pings`".to_owned());
    assert_eq!(connection.outcomes(), [(0, why.clone()), (1, why)]);
    let mut connection = Connection::with_requests(2);
    assert_eq!(connection.receives(&go_away(3, 0, "")), Ok(Standing::Leaving));
    let end = connection
        .client
        .end_of_stream(StreamEnd::Finished, &mut connection.log);
    assert_eq!(end, Err(Failure::CutOff));
    let out = &mut connection.out;
    assert_eq!(
        (connection.client.give_up(out), connection.client.give_up(out)),
        (Some(0), Some(1))
    );
    assert!(out.is_empty(), "nobody hears it");
}

#[test]
fn capacity_is_what_both_ends_allow() {
    let mut connection = Connection::new(250);
    assert_eq!(
        connection.client.capacity(),
        100,
        "before the service has said anything"
    );
    assert_eq!(connection.receives(&settings(&[])), OPEN);
    assert_eq!(connection.client.capacity(), 250);
    assert_eq!(connection.receives(&settings(&[(3, 2)])), OPEN);
    (0..2).for_each(|_| connection.start(&get()));
    assert_eq!(connection.client.capacity(), 0);
    assert_eq!(connection.receives(&settings(&[(3, 1)])), OPEN);
    assert_eq!(connection.receives(&ok(1)), OPEN);
    assert_eq!(connection.client.capacity(), 0);
    assert_eq!(connection.receives(&ok(3)), OPEN);
    assert_eq!(connection.client.capacity(), 1);
}

#[test]
fn without_keep_alive_a_connection_carries_one_request() {
    let mut client = Http2::<u32>::new(100, false);
    let mut connection = Connection::new(1);
    client.open(&mut Vec::new());
    client.start(&get(), |_| b"", 0, &mut Vec::new());
    assert_eq!(client.capacity(), 0);
    let bytes = [settings(&[]), ok(1)].concat();
    let common = &mut Common::default();
    let standing = client.receive(&bytes, common, &mut connection.out, &mut connection.log);
    assert_eq!(standing, Ok(Standing::Closing));
    assert_eq!(connection.outcomes(), [(0, plain(200))]);
}

#[test]
fn what_has_to_be_acknowledged_is() {
    let mut connection = Connection::new(1);
    let bytes = [
        settings(&[(0x99, 7)]),
        frame(4, 1, 0, &[]),
        frame(PING, 0, 0, b"12345678"),
        frame(PING, 1, 0, b"87654321"),
        frame(0x42, 0xff, 9, b"whatever"),
    ];
    assert_eq!(connection.receives(&bytes.concat()), OPEN);
    let kinds: Vec<_> = frames(&connection.sent())
        .into_iter()
        .map(|sent| (sent.kind, sent.flags, sent.payload))
        .collect();
    assert_eq!(kinds, [(4, 1, Vec::new()), (PING, 1, b"12345678".to_vec())]);
}

#[test]
fn a_connection_error_is_said_to_both_sides() {
    let mut connection = Connection::with_requests(2);
    let outcome = connection.receives(&frame(PUSH_PROMISE, 4, 1, &[0, 0, 0, 2, 0x82]));
    let reason = "the service pushes a response, which was turned off".to_owned();
    assert_eq!(outcome, Err(Failure::Malformed { reason }));
    assert_eq!(connection.sent(), go_away(0, 1, ""));
    let words = "PUSH_PROMISE frame of 5 bytes with flags 0x4 on stream 1";
    assert_eq!(connection.client.beginning(), words.as_bytes());
    assert_eq!(connection.client.capacity(), 0);
    let out = &mut connection.out;
    assert_eq!(
        (connection.client.give_up(out), connection.client.give_up(out)),
        (Some(0), Some(1))
    );
    assert!(out.is_empty());
}

#[test]
fn a_head_in_pieces_has_come_in_part() {
    let mut connection = Connection::with_requests(1);
    let bytes = frame(HEADERS, 0, 1, &[0x88]);
    assert_eq!(connection.receives(&bytes), OPEN);
    assert_eq!(connection.client.came(), Came::Head(1));
}
