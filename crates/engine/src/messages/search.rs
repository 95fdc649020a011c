//! Finds marks in the content of responses, in whatever pieces it comes.

use super::mark::Marks;
use crate::backend::Slot;
use plimsoll_protocol::mark::{Begun, MarkFinder};
use std::collections::HashMap;

/// The marks of one run, and where they have begun on the connections of one shard: few of them at a time.
#[derive(Debug)]
pub(super) struct MarkSearch {
    marks: Marks,
    finder: MarkFinder,
    /// With the request whose response they are in.
    begun: HashMap<Slot, (u64, Begun)>,
}

impl MarkSearch {
    pub(super) fn new(marks: Marks) -> Self {
        Self {
            marks,
            finder: MarkFinder::default(),
            begun: HashMap::new(),
        }
    }

    /// Gives `found` the number of each message whose mark ends in this piece of the response to a request, on the connection of a slot.
    pub(super) fn take(&mut self, slot: Slot, request: u64, piece: &[u8], mut found: impl FnMut(u64)) {
        let begun = match self.begun.is_empty() {
            true => None,
            false => self.begun.remove(&slot).filter(|(of, _)| *of == request),
        };
        let begun = self.finder.find(begun.map(|(_, begun)| begun), piece, |mark| {
            if let Some(number) = self.marks.number(mark) {
                found(number);
            }
        });
        if let Some(begun) = begun {
            self.begun.insert(slot, (request, begun));
        }
    }

    /// What came on the connection of a slot ends here.
    pub(super) fn end(&mut self, slot: Slot) {
        if !self.begun.is_empty() {
            self.begun.remove(&slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_protocol::mark::MARK_BYTES;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn marks() -> Marks {
        Marks::of_run(3, 0)
    }

    fn found_in<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u64> {
        let (mut search, mut found) = (MarkSearch::new(marks()), Vec::new());
        for piece in pieces {
            // Another connection in between takes nothing away.
            search.take(8, 1, b"plim", |number| panic!("{number}"));
            search.take(7, 2, piece, |number| found.push(number));
        }
        found
    }

    #[test]
    fn a_mark_does_not_go_on_in_another_response() {
        let mut mark = Vec::new();
        marks().append(5, &mut mark);
        let (begin, end) = mark.split_at(9);
        let mut search = MarkSearch::new(marks());
        search.take(7, 1, begin, |number| panic!("{number}"));
        search.take(7, 2, end, |number| panic!("{number}"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

        /// Marks among what looks like the beginning of one, whole, cut off or of another run.
        #[test]
        fn marks_are_found_however_the_text_is_cut(
            parts in proptest::collection::vec((0_u8..6, 0_u64..1000), 0..12),
            cuts in proptest::collection::vec(0_usize..20, 0..40),
        ) {
            let (mut text, mut expected) = (Vec::new(), Vec::new());
            for (kind, number) in parts {
                match kind {
                    0 | 1 => {
                        marks().append(number, &mut text);
                        expected.push(number);
                    }
                    2 => Marks::of_run(4, 0).append(number, &mut text),
                    3 => {
                        marks().append(number, &mut text);
                        text.truncate(text.len() - 1 - number as usize % (MARK_BYTES - 1));
                        text.push(b'"');
                    }
                    4 => text.extend_from_slice(b"plimpli"),
                    _ => text.extend_from_slice(&b"\"p, pl: plim"[..number as usize % 12]),
                }
            }
            prop_assert_eq!(found_in([text.as_slice()]), expected.clone());
            let mut rest = text.as_slice();
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, behind) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = behind;
            }
            pieces.push(rest);
            prop_assert_eq!(found_in(pieces), expected.clone());
            prop_assert_eq!(found_in(text.chunks(1)), expected);
        }
    }
}
