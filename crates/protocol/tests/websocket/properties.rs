//! Properties of connections made at random.

use crate::frames::frame;
use crate::invariants::{self, Meant, meaning};
use plimsoll_protocol::Part;
use plimsoll_protocol::websocket::{FrameReader, MessageLayout};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A message in fragments that are cut at these places, with a ping behind each but the last one.
fn fragmented(text: &str, cuts: &[usize]) -> (Vec<u8>, Vec<Meant>) {
    let (mut bytes, mut meant) = (Vec::new(), Vec::new());
    let mut rest = text.as_bytes();
    let mut opcode = 1;
    for &cut in cuts {
        let (piece, behind) = rest.split_at(cut.min(rest.len()));
        bytes.extend(frame(opcode, piece));
        bytes.extend(frame(0x89, b"?"));
        meant.push(Meant::Ping(b"?".to_vec()));
        (rest, opcode) = (behind, 0);
    }
    bytes.extend(frame(0x80 | opcode, rest));
    meant.push(Meant::Message(text.as_bytes().to_vec()));
    (bytes, meant)
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_mean_the_same_however_they_are_cut(input in prop::collection::vec(any::<u8>(), 0..80)) {
        invariants::frames_mean_the_same_however_they_are_cut(&input);
    }

    #[test]
    fn messages_are_found_however_they_come(
        messages in prop::collection::vec((".{0,200}", prop::collection::vec(0_usize..90, 0..4)), 1..6),
        size in 1_usize..400,
    ) {
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for (text, cuts) in &messages {
            let (frames, meant) = fragmented(text, cuts);
            bytes.extend(frames);
            expected.extend(meant);
        }
        for found in [meaning(FrameReader::default(), [bytes.as_slice()]), meaning(FrameReader::default(), bytes.chunks(size)), meaning(FrameReader::default(), bytes.chunks(1))] {
            prop_assert_eq!(found, (expected.clone(), Vec::new(), Ok(())));
        }
    }

    /// What a client says is read by a service as it was meant, whatever the mask.
    #[test]
    fn what_is_masked_can_be_unmasked(
        text in ".{0,300}", mask in any::<[u8; 4]>(), large in prop::bool::weighted(0.1),
    ) {
        let text = if large { text.repeat(400) } else { text };
        let (mut out, mut plain) = (Vec::new(), Vec::new());
        let layout = MessageLayout::text(&[Part::Literal(b"{"), Part::Variable(0)]);
        layout.encode(|_| text.as_bytes(), mask, &mut out);
        let expected = format!("{{{text}");
        let payload = out.split_off(out.len() - expected.len());
        prop_assert_eq!(out.split_off(out.len() - 4), mask);
        plain.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        prop_assert_eq!(&plain, expected.as_bytes());
        // Without the mask it is the frame of a service.
        out[1] &= 0x7f;
        out.extend(plain);
        prop_assert_eq!(meaning(FrameReader::default(), [out.as_slice()]).0, [Meant::Message(expected.into_bytes())]);
    }
}
