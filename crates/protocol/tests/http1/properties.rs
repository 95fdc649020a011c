//! Properties of responses and requests made at random.

use crate::invariants::{self, Event, events};
use plimsoll_protocol::RequestKind;
use plimsoll_protocol::http1::Completed;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// One response that keeps its connection, as bytes, and what has to be read from it.
fn response() -> impl Strategy<Value = (Vec<u8>, Completed)> {
    let status = prop_oneof![Just(200_u16), Just(204), Just(304), Just(404), 100_u16..=599]
        .prop_filter("interim responses come before others", |status| *status >= 200);
    let filler = prop::collection::vec(("[A-Za-z][A-Za-z0-9-]{0,20}", "[ -~]{0,40}"), 0..6);
    let chunks = prop::option::of(prop::collection::vec(prop::collection::vec(any::<u8>(), 1..300), 0..5));
    let body = prop::collection::vec(any::<u8>(), 0..600);
    let interim = prop::collection::vec(select(vec![100_u16, 102, 103]), 0..3);
    let name = |plain: &str| select(vec![plain.to_owned(), plain.to_uppercase(), plain.replace('t', "T")]);
    let names = (name("content-length"), name("transfer-encoding"));
    (status, filler, chunks, body, interim, names, any::<bool>()).prop_map(
        |(status, filler, chunks, body, interim, (length_name, coding_name), trailer)| {
            let mut head = String::new();
            for status in interim {
                head += &format!("HTTP/1.1 {status} Wait\r\nx: y\r\n\r\n");
            }
            head += &format!("HTTP/1.1 {status} Reason\r\n");
            for (name, value) in filler {
                head += &format!("x-{name}: {value}\r\n");
            }
            let (framed, body_bytes) = match chunks {
                Some(chunks) => {
                    head += &format!("{coding_name}: chunked\r\n\r\n");
                    (chunked(&chunks, trailer), chunks.concat().len())
                }
                None => {
                    head += &format!("{length_name}: {}\r\n\r\n", body.len());
                    let body_bytes = body.len();
                    (body, body_bytes)
                }
            };
            let head_bytes = head.len() as u64;
            let mut bytes = head.into_bytes();
            let bodiless = matches!(status, 204 | 304);
            if !bodiless {
                bytes.extend(framed);
            }
            let body_bytes = if bodiless { 0 } else { body_bytes as u64 };
            (
                bytes,
                Completed {
                    status,
                    keep_alive: true,
                    keep_alive_s: None,
                    head_bytes,
                    body_bytes,
                },
            )
        },
    )
}

fn chunked(chunks: &[Vec<u8>], trailer: bool) -> Vec<u8> {
    let mut framed = Vec::new();
    for (place, chunk) in chunks.iter().enumerate() {
        let extension = if place % 2 == 1 { " ;place=1" } else { "" };
        framed.extend(format!("{:03X}{extension}\r\n", chunk.len()).bytes());
        framed.extend(chunk);
        framed.extend(b"\r\n");
    }
    framed.extend(if trailer {
        &b"0\r\nx-sum: 1\r\n\r\n"[..]
    } else {
        b"0\r\n\r\n"
    });
    framed
}

/// `stream` in pieces that end at `cuts`.
fn pieces<'a>(stream: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
    places.extend([0, stream.len()]);
    places.sort_unstable();
    places.windows(2).map(|ends| &stream[ends[0]..ends[1]]).collect()
}

/// Bytes in which the marks of HTTP are frequent.
fn nearly_http() -> impl Strategy<Value = Vec<u8>> {
    let token = select(vec![
        &b"HTTP/1.1 200 OK\r\n"[..],
        b"HTTP/1.0 304 \n",
        b"HTTP/1.1 100 C\r\n\r\n",
        b"content-length: ",
        b"Content-Length: 3",
        b"transfer-encoding: chunked",
        b"connection: close",
        b"connection: keep-alive",
        b"\r\n",
        b"\r\n\r\n",
        b"\n",
        b"\r",
        b": ",
        b",",
        b";",
        b"0\r\n",
        b"5\r\nhello\r\n",
        b"0",
        b"12",
        b"ffffffffffffffff",
        b"\0",
        b"\xff",
    ]);
    let piece = prop_oneof![8 => token.prop_map(<[u8]>::to_vec), 1 => prop::collection::vec(any::<u8>(), 0..8)];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn responses_are_read_as_they_were_written(
        responses in prop::collection::vec(response(), 1..4),
        cuts in prop::collection::vec(any::<Index>(), 0..8),
    ) {
        let stream = responses.iter().flat_map(|(bytes, _)| bytes).copied().collect::<Vec<u8>>();
        let mut expected: Vec<Event> = responses.iter().map(|(_, response)| Event::Response(*response)).collect();
        expected.push(Event::Closed);
        let requests = vec![RequestKind::Other; responses.len()];
        prop_assert_eq!(events(&requests, pieces(&stream, &cuts)), expected);
    }

    #[test]
    fn a_stream_means_the_same_however_it_is_cut(
        stream in nearly_http(),
        kinds in any::<u8>(),
        seed in any::<u8>(),
    ) {
        invariants::response_means_the_same_however_it_is_cut(&[&[kinds, seed], stream.as_slice()].concat());
    }

    #[test]
    fn a_damaged_response_is_never_a_panic(
        (mut bytes, _) in response(),
        place in any::<Index>(),
        byte in any::<u8>(),
        seed in any::<u8>(),
    ) {
        let place = place.index(bytes.len());
        bytes[place] = byte;
        invariants::response_means_the_same_however_it_is_cut(&[&[0xff, seed], bytes.as_slice()].concat());
    }

    #[test]
    fn requests_read_back(
        method in prop_oneof![3 => select(vec!["GET", "POST", "HEAD"]).prop_map(str::to_owned), 1 => ".{0,4}"],
        target in "/?[a-z$?=& \r]{0,12}",
        name in "(host|Accept|content-length|[a-z: -]{0,8})",
        header in "[a-z$ \r\n]{0,12}",
        variable in "[a-z /\n]{0,8}",
        body in "[a-z$\r\n]{0,20}",
    ) {
        let fields = [method, target, name, header, variable, body].map(String::into_bytes);
        invariants::encoded_request_reads_back(&fields.join(&0xff));
    }

    #[test]
    fn opening_any_bytes_has_its_bounds(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        invariants::opened_body_has_its_bounds(&body);
    }
}
