//! Properties of connections made at random.

use crate::invariants;
use crate::service::{
    CONTINUATION, DATA, GOAWAY, HEADERS, PING, PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE, block,
    frame,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The payload of a frame of this kind, mostly one that it may have.
fn payload(kind: u8) -> BoxedStrategy<Vec<u8>> {
    let number = select(vec![
        0_u32,
        1,
        2,
        3,
        5,
        7,
        8,
        11,
        100,
        65_535,
        1 << 16,
        i32::MAX as u32,
        u32::MAX,
    ]);
    let any_bytes = prop::collection::vec(any::<u8>(), 0..12);
    let usual = match kind {
        HEADERS | CONTINUATION => fields().boxed(),
        RST_STREAM | WINDOW_UPDATE => number.prop_map(|number| number.to_be_bytes().to_vec()).boxed(),
        SETTINGS => prop::collection::vec((0_u16..8, number), 0..3)
            .prop_map(|settings| {
                let setting =
                    |(setting, value): &(u16, u32)| [&setting.to_be_bytes()[..], &value.to_be_bytes()].concat();
                settings.iter().flat_map(setting).collect()
            })
            .boxed(),
        GOAWAY => (select(vec![0_u32, 1, 3, 5, 9, i32::MAX as u32]), number)
            .prop_map(|(last, code)| [last.to_be_bytes(), code.to_be_bytes()].concat())
            .boxed(),
        PING => Just(b"12345678".to_vec()).boxed(),
        _ => any_bytes.clone().boxed(),
    };
    prop_oneof![9 => usual, 1 => any_bytes].boxed()
}

/// A header block, mostly one of a response.
fn fields() -> impl Strategy<Value = Vec<u8>> {
    let status = prop_oneof![
        4 => Just(vec![0x88]),
        2 => select(vec!["200", "100", "404", "2", "101"]).prop_map(|status| block(&[(":status", status)])),
        1 => Just(Vec::new()),
    ];
    let field = prop_oneof![
        2 => Just(block(&[("content-length", "2")])),
        1 => Just(block(&[("server", "x")])),
        1 => Just(vec![0x5c, 1, b'0']),
        1 => (0xb0_u8..0xc4).prop_map(|indexed| vec![indexed]),
        1 => Just(vec![0x40, 1, b'a', 1, b'b']),
        1 => (0x20_u8..0x40).prop_map(|size| vec![size]),
        1 => Just(block(&[("Upper", "x")])),
    ];
    (status, prop::collection::vec(field, 0..4)).prop_map(|(status, fields)| [status, fields.concat()].concat())
}

/// What a service might send, if it is neither careful nor quite mad.
fn frames() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![
        6 => Just(HEADERS),
        6 => Just(DATA),
        8 => select(vec![RST_STREAM, SETTINGS, WINDOW_UPDATE, PING, PRIORITY, GOAWAY, 0x42]),
        1 => select(vec![CONTINUATION, PUSH_PROMISE]),
    ];
    let one = (kind, any::<u8>()).prop_flat_map(|(kind, flags)| {
        let usual = match kind {
            HEADERS => vec![4, 5, 4, 5, 0, 4, flags],
            DATA => vec![0, 1, 1, flags],
            _ => vec![0, 0, 0, flags],
        };
        let stream = match kind {
            SETTINGS | PING | GOAWAY => vec![0, 0, 0, 0, 0, 0, 1],
            WINDOW_UPDATE => vec![0, 1, 3, 5],
            _ => vec![1, 3, 5, 7, 9, 1, 3, 5, 0, 2],
        };
        (select(usual), select(stream), payload(kind))
            .prop_map(move |(flags, stream, payload)| frame(kind, flags, stream, &payload))
    });
    prop::collection::vec(one, 0..30).prop_map(|frames| frames.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 1024, ..Default::default() })]

    #[test]
    fn a_connection_means_the_same_however_it_is_cut(options in any::<u8>(), cuts in any::<u8>(), stream in frames()) {
        invariants::connection_means_the_same_however_it_is_cut(&[&[options, cuts & 0xfe], stream.as_slice()].concat());
    }

    #[test]
    fn any_bytes_are_refused_or_read(options in any::<u8>(), cuts in any::<u8>(), stream in prop::collection::vec(any::<u8>(), 0..300)) {
        invariants::connection_means_the_same_however_it_is_cut(&[&[options, cuts], stream.as_slice()].concat());
    }
}
