//! What holds for any bytes that a service may send on a WebSocket.

use plimsoll_protocol::websocket::{CloseCode, Fault, FrameReader, Incoming};

/// What bytes meant, whatever pieces they came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meant {
    Message(Vec<u8>),
    Ping(Vec<u8>),
    Close(Option<CloseCode>, String),
}

/// What these pieces mean to a reader, the message that has no end yet, and what is wrong.
pub(crate) fn meaning<'a>(
    mut reader: FrameReader,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Meant>, Vec<u8>, Result<(), Fault>) {
    let (mut meant, mut begun) = (Vec::new(), Vec::new());
    let mut outcome = Ok(());
    for piece in pieces {
        outcome = reader.feed(piece, |incoming| {
            assert!(
                !matches!(meant.last(), Some(Meant::Close(..))),
                "nothing comes behind a close"
            );
            match incoming {
                Incoming::Piece { bytes, ends } => {
                    begun.extend_from_slice(bytes);
                    if ends {
                        meant.push(Meant::Message(std::mem::take(&mut begun)));
                    }
                }
                Incoming::Ping(payload) => meant.push(Meant::Ping(payload.to_vec())),
                Incoming::Close { code, reason } => meant.push(Meant::Close(code, reason.to_owned())),
            }
        });
        if outcome.is_err() {
            break;
        }
    }
    (meant, begun, outcome)
}

/// No panic, no standstill, and the same messages in one piece, byte by byte, and cut where the first byte says. Of a text that is none
/// more may have been handed on before the fault in larger pieces than in smaller ones, but never another message. A text that is
/// neither compressed as it should be nor UTF-8 has two faults, and the pieces decide which is met first.
pub(crate) fn frames_mean_the_same_however_they_are_cut(input: &[u8]) {
    let Some((&first, bytes)) = input.split_first() else {
        return;
    };
    let size = usize::from(first).max(1);
    let readers = [
        FrameReader::default(),
        FrameReader::inflating(true),
        FrameReader::inflating(false),
    ];
    for reader in readers {
        let (whole, begun, outcome) = meaning(reader.clone(), [bytes]);
        for pieces in [bytes.chunks(1), bytes.chunks(size)] {
            let (cut, cut_begun, cut_outcome) = meaning(reader.clone(), pieces);
            let both = [&cut_outcome, &outcome];
            let has_two = both.contains(&&Err(Fault::Compressed)) && both.contains(&&Err(Fault::NotUtf8));
            assert_eq!(cut, whole);
            assert!(has_two || cut_outcome == outcome, "{both:?}");
            if outcome.is_ok() {
                assert_eq!(cut_begun, begun);
            }
        }
    }
}
