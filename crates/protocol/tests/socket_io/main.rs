//! Socket.IO as its users see it: properties of any packets, and the corpus of the fuzz target.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod invariants;
#[path = "../replay/mod.rs"]
mod replay;

use invariants::{outcome, packets_come_to_the_same_however_they_are_cut};
use plimsoll_protocol::Failure;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[test]
fn the_corpus_of_the_fuzz_target_is_replayed() {
    replay::replay(
        "fuzz/corpus/socket_io_packets",
        packets_come_to_the_same_however_they_are_cut,
    );
}

/// Packets as they are, and some that nobody sends.
fn packet() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        &b"0{\"sid\":\"x\"}"[..],
        b"2",
        b"2probe",
        b"3",
        b"6",
        b"40{\"sid\":\"x\"}",
        b"40/chat,",
        b"42[\"news\",7]",
        b"430[]",
        b"431[]",
        b"432[{}]",
        b"452-[{},{}]",
        b"461-0[{}]",
        b"0{\"sid\":\"x\",\"upgrades\":[\"websocket\"]}",
        b"3probe",
        b"6\x1e2\x1e42[]\x1e40",
        b"44{\"message\":\"no\"}",
        b"41",
        b"1",
    ]);
    let bytes = prop::collection::vec(prop_oneof![Just(b'4'), b'0'..=b'9', Just(b'-'), any::<u8>()], 0..20);
    prop_oneof![8 => known.prop_map(<[u8]>::to_vec), 1 => bytes]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_packets_come_to_the_same_however_they_are_cut(
        size in any::<u8>(), packets in prop::collection::vec(packet(), 0..20),
    ) {
        let input = [vec![size], packets.join(&0xff)].concat();
        packets_come_to_the_same_however_they_are_cut(&input);
    }
}

#[test]
fn a_session_comes_to_what_the_service_says() {
    let joined: [&[u8]; 2] = [b"0{\"sid\":\"x\"}", b"40{\"sid\":\"y\"}"];
    let of = |rest: &[&'static [u8]]| outcome(joined.iter().chain(rest).copied(), usize::MAX);
    let talk = of(&[b"2", b"42[\"news\"]", b"431[7]", b"430[]", b"431[]"]);
    assert_eq!((talk.opened, talk.acknowledged, talk.failure), (1, vec![1, 0], None));
    // What follows a packet with attachments is none, whatever it looks like.
    let attached = of(&[b"2", b"461-2[]", b"430[]", b"431[]"]);
    assert_eq!(attached.acknowledged, [2, 1]);
    for (packet, is_expected) in [
        (
            &b"44{\"message\":\"no\"}"[..],
            (|failure| matches!(failure, Failure::Refused { .. })) as fn(&Failure) -> bool,
        ),
        (b"41", |failure| matches!(failure, Failure::Closed { .. })),
        (b"1", |failure| matches!(failure, Failure::Closed { .. })),
        (b"hello", |failure| matches!(failure, Failure::Malformed { .. })),
        (b"", |failure| matches!(failure, Failure::Malformed { .. })),
    ] {
        let failure = of(&[packet]).failure;
        assert!(failure.as_ref().is_some_and(is_expected), "{failure:?}");
    }
}
