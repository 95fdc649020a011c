//! Header compression against another implementation of it.

use crate::invariants::{self, Read};
use crate::service::{Connection, END_HEADERS, END_STREAM, HEADERS, frame, frames, laid_out};
use plimsoll_protocol::{Part, RequestParts, Standing};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Blocks that this decoder reads mean the same to another one.
pub(crate) fn agree(input: &[u8]) {
    let mut decoder = fluke_hpack::Decoder::new();
    let read = |block: &[u8]| match catch_unwind(AssertUnwindSafe(|| decoder.decode(block))) {
        Ok(Ok(fields)) => Read::Fields(
            fields
                .into_iter()
                .map(|(name, value)| (name.to_vec(), value.to_vec()))
                .collect(),
        ),
        Ok(Err(_)) => Read::Refused,
        // It panics where its table is set to a size that it cannot have.
        Err(_) => Read::Failed,
    };
    // It takes changes of the table's size wherever they are and however large.
    let is_laxer = |refusal: &str| refusal.contains("the size of the header table");
    invariants::header_blocks_mean_the_same_to(read, is_laxer, input);
}

/// Fields of a response of which some come again.
fn fields() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop_oneof![
        4 => select(vec!["server", "date", "content-type", "set-cookie", "x-a", "x-b"]).prop_map(str::to_owned),
        1 => "[a-z][a-z0-9-]{0,20}".prop_filter("it means nothing", |name| {
            !["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"].contains(&name.as_str())
        }),
    ];
    let value = prop_oneof![
        2 => select(vec!["", "nginx", "text/html", "a=b; path=/"]).prop_map(str::to_owned),
        2 => "[!-~][ -~]{0,60}[!-~]",
        1 => "[!-~]{300,900}",
    ];
    prop::collection::vec((name, value), 0..12)
}

/// Parts of header blocks, sound and unsound.
fn nearly_blocks() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        4 => (0x80_u8..=0xff).prop_map(|indexed| vec![indexed]),
        2 => (0x20_u8..0x40).prop_map(|size| vec![size]),
        2 => Just(vec![0x40, 1, b'a', 1, b'b']),
        2 => Just(vec![0x40, 0x82, 0x64, 0x02, 0x82, 0x10, 0x85]),
        1 => Just([&[0x40, 1, b'l', 0x7f, 0xd9, 0x0f], &[b'v'; 2008][..]].concat()),
        2 => prop::collection::vec(any::<u8>(), 1..6),
        1 => Just(vec![0x3f, 0xe1, 0x1f]),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_another_encoder_writes_is_read(responses in prop::collection::vec(fields(), 1..12)) {
        let mut encoder = fluke_hpack::Encoder::new();
        let mut connection = Connection::with_requests(responses.len() as u32);
        connection.log.keeps_from = Some(0);
        for (nth, fields) in responses.iter().enumerate() {
            let status = (":status", "200");
            let all = std::iter::once(status).chain(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            let block = encoder.encode(all.map(|(name, value)| (name.as_bytes(), value.as_bytes())));
            let mut stream = Vec::new();
            for (place, piece) in block.chunks(100).enumerate() {
                let kind = if place == 0 { HEADERS } else { 9 };
                let ends = if (place + 1) * 100 >= block.len() { END_HEADERS } else { 0 };
                let end = if place == 0 { END_STREAM } else { 0 };
                stream.extend(frame(kind, ends | end, 2 * nth as u32 + 1, piece));
            }
            prop_assert_eq!(connection.receives(&stream), Ok(Standing::Open));
            let lines: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let text = format!("HTTP/2 200\r\n{lines}\r\n");
            let (_, outcome) = connection.outcomes().pop().expect("it is whole");
            let crate::service::Outcome::Response(200, kept, whole) = outcome else {
                panic!("{outcome:?}");
            };
            prop_assert!(whole && kept == text, "{:?} {:?}", kept, text);
        }
    }

    #[test]
    fn what_is_written_another_decoder_reads(
        kinds in prop::collection::vec(fields(), 1..6),
        order in prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(select(vec![0_u32, 60, 200, 4096]))), 1..30),
    ) {
        let layouts: Vec<_> = kinds.iter().map(|fields| {
            let values: Vec<[Part<'_>; 1]> = fields.iter().map(|(_, value)| [Part::Literal(value.as_bytes())]).collect();
            let headers: Vec<(&str, &[Part<'_>])> =
                fields.iter().zip(&values).map(|((name, _), value)| (name.as_str(), &value[..])).collect();
            laid_out(&RequestParts { headers: &headers, ..crate::service::GET })
        }).collect();
        let mut connection = Connection::new(1000);
        connection.receives(&crate::service::settings(&[])).expect("they are in order");
        let mut decoder = fluke_hpack::Decoder::new();
        for (kind, table) in order {
            if let Some(bytes) = table {
                connection.receives(&crate::service::settings(&[(1, bytes)])).expect("it is in order");
            }
            connection.sent();
            let kind = kind.index(kinds.len());
            connection.start(&layouts[kind]);
            let block: Vec<u8> = frames(&connection.sent()).into_iter().flat_map(|sent| sent.payload).collect();
            let read = decoder.decode(&block).expect("it is in order");
            let read: Vec<_> = read
                .into_iter()
                .map(|(name, value)| (String::from_utf8(name.to_vec()).unwrap(), String::from_utf8(value.to_vec()).unwrap()))
                .skip(4)
                .collect();
            prop_assert_eq!(&read[..kinds[kind].len()], &kinds[kind][..]);
        }
    }

    #[test]
    fn both_decoders_agree(blocks in prop::collection::vec(nearly_blocks(), 1..6)) {
        let mut input = Vec::new();
        for block in blocks {
            input.extend((block.len() as u16).to_be_bytes());
            input.extend(block);
        }
        agree(&input);
    }
}
