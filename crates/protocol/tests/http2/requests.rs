//! What requests look like on the wire, read by another implementation of HPACK.

use crate::service::{
    CONTINUATION, Connection, DATA, END_HEADERS, END_STREAM, GET, HEADERS, RST_STREAM, SETTINGS, Sent, WINDOW_UPDATE,
    frames, get, laid_out, ok, settings, window_update,
};
use plimsoll_protocol::http2::{Http2, RequestLayout};
use plimsoll_protocol::{Client, Part, RequestParts};

/// Reads heads of requests as a service would.
struct Reader(fluke_hpack::Decoder<'static>);

impl Reader {
    fn new() -> Self {
        Self(fluke_hpack::Decoder::new())
    }

    /// The fields of a block, a line each.
    fn fields(&mut self, block: &[u8]) -> String {
        let fields = self.0.decode(block).expect("the block is in order");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let lines = fields
            .iter()
            .map(|(name, value)| format!("{}: {}\n", text(name), text(value)));
        lines.collect()
    }
}

const AGENT: &str = concat!("user-agent: plimsoll/", env!("CARGO_PKG_VERSION"), "\naccept: */*\n");

fn sent(connection: &mut Connection) -> Vec<Sent> {
    frames(&connection.sent())
}

#[test]
fn a_connection_begins_with_preface_settings_and_a_large_window() {
    let mut out = Vec::new();
    let mut client = Http2::<u32>::new(10, true);
    assert_eq!(client.capacity(), 0);
    client.open(&mut out);
    assert_eq!(client.capacity(), 10);
    let rest = out
        .strip_prefix(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .expect("the preface");
    let kinds: Vec<_> = frames(rest).iter().map(|sent| (sent.kind, sent.stream)).collect();
    assert_eq!(kinds, [(SETTINGS, 0), (WINDOW_UPDATE, 0)]);
}

#[test]
fn a_request_that_comes_again_is_a_few_bytes() {
    let mut connection = Connection::new(100);
    let mut reader = Reader::new();
    let expected = format!(":method: GET\n:scheme: http\n:authority: shop\n:path: /\n{AGENT}");
    for round in 0..4 {
        connection.start(&get());
        let [head] = &sent(&mut connection)[..] else {
            panic!("one frame");
        };
        assert_eq!(
            (head.kind, head.flags, head.stream),
            (HEADERS, END_HEADERS | END_STREAM, 2 * round + 1)
        );
        assert_eq!(reader.fields(&head.payload), expected);
        assert_eq!(head.payload.len() == 6, round > 0, "{} bytes", head.payload.len());
    }
}

#[test]
fn requests_of_several_kinds_share_the_table() {
    let cookie: &[Part<'_>] = &[Part::Literal(b"id=5")];
    let secret: &[Part<'_>] = &[Part::Literal(b"Bearer s3cret")];
    let headers: &[(&str, &[Part<'_>])] = &[
        ("Host", &[Part::Literal(b"other")]),
        ("Cookie", cookie),
        ("Authorization", secret),
    ];
    let kinds = [
        get(),
        laid_out(&RequestParts { headers, ..GET }),
        laid_out(&RequestParts {
            target: &[Part::Literal(b"/items?page=2")],
            ..GET
        }),
    ];
    let lines = [
        format!(":method: GET\n:scheme: http\n:authority: shop\n:path: /\n{AGENT}"),
        format!(
            ":method: GET\n:scheme: http\n:authority: other\n:path: /\ncookie: id=5\nauthorization: Bearer s3cret\n{AGENT}"
        ),
        format!(":method: GET\n:scheme: http\n:authority: shop\n:path: /items?page=2\n{AGENT}"),
    ];
    let mut connection = Connection::new(100);
    let mut reader = Reader::new();
    for which in [0, 1, 2, 0, 0, 2, 1, 1, 2, 0] {
        connection.start(&kinds[which]);
        let [head] = &sent(&mut connection)[..] else {
            panic!("one frame");
        };
        assert_eq!(reader.fields(&head.payload), lines[which]);
        if which == 1 {
            // Never indexed: the first of the two has a name of the static table, index 32.
            assert!(head.payload.windows(2).any(|bytes| bytes == [0x1f, 0x11]));
        }
    }
}

#[test]
fn a_smaller_table_of_the_service_is_respected() {
    let mut connection = Connection::new(100);
    let mut reader = Reader::new();
    let expected = format!(":method: GET\n:scheme: http\n:authority: shop\n:path: /\n{AGENT}");
    let mut start = |connection: &mut Connection| {
        connection.start(&get());
        let head = sent(connection).pop().expect("a frame");
        assert_eq!(reader.fields(&head.payload), expected);
        head.payload.len()
    };
    start(&mut connection);
    assert_eq!(start(&mut connection), 6);
    connection.receives(&settings(&[(1, 0)])).expect("it is in order");
    assert!(start(&mut connection) > 20);
    assert!(start(&mut connection) > 20, "nothing is kept");
    connection.receives(&settings(&[(1, 65_536)])).expect("it is in order");
    start(&mut connection);
    assert_eq!(start(&mut connection), 6);
}

#[test]
fn variables_are_sent_in_full_and_the_length_of_the_body_with_them() {
    let headers: &[(&str, &[Part<'_>])] = &[("X-User", &[Part::Literal(b"u-"), Part::Variable(0)])];
    let request = laid_out(&RequestParts {
        method: "PUT",
        target: &[Part::Literal(b"/items/"), Part::Variable(1)],
        headers,
        body: &[Part::Variable(0), Part::Literal(b"-"), Part::Variable(1)],
        ..GET
    });
    let mut connection = Connection::new(100);
    let mut reader = Reader::new();
    for (user, item) in [("ann", "1"), ("bob", "1234567890"), ("", "")] {
        let values = [user.as_bytes(), item.as_bytes()];
        connection
            .client
            .start(&request, |variable| values[variable], 0, &mut connection.out);
        let [head, body] = &sent(&mut connection)[..] else {
            panic!("two frames");
        };
        let length = user.len() + item.len() + 1;
        assert_eq!(
            reader.fields(&head.payload),
            format!(
                ":method: PUT\n:scheme: http\n:authority: shop\n:path: /items/{item}\nx-user: u-{user}\n{AGENT}\
                 content-length: {length}\n"
            )
        );
        assert_eq!((head.flags, body.kind, body.flags), (END_HEADERS, DATA, END_STREAM));
        assert_eq!(body.payload, format!("{user}-{item}").into_bytes());
    }
}

#[test]
fn a_body_that_may_be_empty_ends_with_its_head() {
    let request = laid_out(&RequestParts {
        method: "POST",
        body: &[Part::Variable(0)],
        ..GET
    });
    let mut connection = Connection::new(100);
    connection.start(&request);
    let [head] = &sent(&mut connection)[..] else {
        panic!("one frame");
    };
    assert_eq!(head.flags, END_HEADERS | END_STREAM);
    assert!(Reader::new().fields(&head.payload).ends_with("content-length: 0\n"));
}

#[test]
fn a_head_that_is_too_long_for_a_frame_is_continued() {
    let value = vec![b'\\'; 20_000];
    let parts = [Part::Literal(&value[..])];
    let headers: &[(&str, &[Part<'_>])] = &[("x-long", &parts)];
    let mut connection = Connection::new(100);
    connection.start(&laid_out(&RequestParts { headers, ..GET }));
    let sent = sent(&mut connection);
    let shape: Vec<_> = sent
        .iter()
        .map(|sent| (sent.kind, sent.flags, sent.payload.len()))
        .collect();
    assert_eq!(shape[0], (HEADERS, END_STREAM, 16_384));
    assert!(matches!(shape[1..], [(CONTINUATION, END_HEADERS, 1..)]), "{shape:?}");
    let block: Vec<u8> = sent.into_iter().flat_map(|sent| sent.payload).collect();
    let fields = Reader::new().fields(&block);
    assert!(fields.contains(&format!("x-long: {}\n", "\\".repeat(20_000))));
}

/// A `POST` of so many bytes.
fn post(bytes: usize) -> RequestLayout {
    laid_out(&RequestParts {
        method: "POST",
        body: &[Part::Literal(&vec![b'x'; bytes])],
        ..GET
    })
}

/// Stream and length of DATA frames, and whether the last of them ends its stream.
fn content(sent: &[Sent]) -> Vec<(u32, usize, bool)> {
    let data = sent.iter().filter(|sent| sent.kind == DATA);
    data.map(|sent| (sent.stream, sent.payload.len(), sent.flags == END_STREAM))
        .collect()
}

#[test]
fn bodies_wait_for_the_windows_and_take_turns() {
    let mut connection = Connection::new(100);
    connection.start(&post(100_000));
    let first = [
        (1, 16_384, false),
        (1, 16_384, false),
        (1, 16_384, false),
        (1, 16_383, false),
    ];
    assert_eq!(content(&sent(&mut connection)), first);
    connection.start(&post(10));
    assert_eq!(
        content(&sent(&mut connection)),
        [],
        "the window of the connection is shut"
    );
    connection
        .receives(&[settings(&[]), window_update(0, 20_000)].concat())
        .expect("it is in order");
    assert_eq!(
        content(&sent(&mut connection)),
        [(3, 10, true)],
        "the window of stream 1 is shut"
    );
    connection.receives(&window_update(1, 5)).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), [(1, 5, false)]);
    connection.receives(&window_update(1, 100_000)).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), [(1, 16_384, false), (1, 3601, false)]);
    connection.receives(&window_update(0, 100_000)).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), [(1, 14_475, true)]);
    connection.start(&post(10));
    assert_eq!(content(&sent(&mut connection)), [(5, 10, true)]);
}

#[test]
fn settings_change_the_windows_of_open_streams() {
    let mut connection = Connection::new(100);
    connection.receives(&settings(&[(4, 10)])).expect("it is in order");
    connection.start(&post(25));
    assert_eq!(content(&sent(&mut connection)), [(1, 10, false)]);
    connection.receives(&settings(&[(4, 3)])).expect("it is in order");
    connection.receives(&window_update(1, 7)).expect("it is in order");
    assert_eq!(
        content(&sent(&mut connection)),
        [],
        "the window is no longer below 0, and shut"
    );
    connection.receives(&settings(&[(4, 8)])).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), [(1, 5, false)]);
    connection.receives(&settings(&[(4, 1000)])).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), [(1, 10, true)]);
}

#[test]
fn a_body_is_not_sent_on_once_its_response_is_there_or_given_up() {
    let mut connection = Connection::new(100);
    connection.receives(&settings(&[(4, 10)])).expect("it is in order");
    connection.start(&post(25));
    connection.start(&post(25));
    connection.sent();
    connection.receives(&ok(1)).expect("it is in order");
    let reset = |sent: &[Sent]| sent.iter().map(|sent| (sent.kind, sent.stream)).collect::<Vec<_>>();
    assert_eq!(reset(&sent(&mut connection)), [(RST_STREAM, 1)]);
    assert_eq!(connection.client.give_up(&mut connection.out), Some(1));
    assert_eq!(reset(&sent(&mut connection)), [(RST_STREAM, 3)]);
    let opened = [window_update(1, 100), window_update(3, 100), window_update(0, 100)].concat();
    connection.receives(&opened).expect("it is in order");
    assert_eq!(content(&sent(&mut connection)), []);
}
