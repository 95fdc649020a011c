//! Finds marks in the content of responses, in whatever pieces it comes.

use super::mark::{MARK_BYTES, Marks, PREFIX, may_begin};
use crate::backend::Slot;
use memchr::memmem::Finder;
use std::collections::HashMap;

/// Where a piece ended that may have been in the middle of a mark.
#[derive(Debug, Clone, Copy)]
struct Begun {
    /// The request whose response it is in.
    request: u64,
    bytes: [u8; MARK_BYTES - 1],
    length: usize,
}

/// The marks of one run, and where they have begun on the connections of one shard: few of them at a time.
#[derive(Debug)]
pub(super) struct MarkSearch {
    marks: Marks,
    prefix: Finder<'static>,
    begun: HashMap<Slot, Begun>,
}

impl MarkSearch {
    pub(super) fn new(marks: Marks) -> Self {
        Self {
            marks,
            prefix: Finder::new(PREFIX),
            begun: HashMap::new(),
        }
    }

    /// Gives `found` the number of each message whose mark ends in this piece of the response to a request, on the connection of a slot.
    pub(super) fn take(&mut self, slot: Slot, request: u64, piece: &[u8], mut found: impl FnMut(u64)) {
        let begun = match self.begun.is_empty() {
            true => None,
            false => self.begun.remove(&slot).filter(|begun| begun.request == request),
        };
        // What is behind a mark that began before is too little for another one to lie in it as a whole.
        let mut seam = [0; 2 * (MARK_BYTES - 1)];
        let before = begun.map_or(0, |begun| begun.length);
        if let Some(begun) = begun {
            seam[..before].copy_from_slice(&begun.bytes[..before]);
        }
        let head = piece.len().min(MARK_BYTES - 1);
        seam[before..before + head].copy_from_slice(&piece[..head]);
        if before > 0 {
            let seam = &seam[..before + head];
            self.each_in(seam, |at, number| {
                if at < before {
                    found(number);
                }
            });
        }
        self.each_in(piece, |_, number| found(number));
        let ending = match piece.len() < MARK_BYTES - 1 {
            true => &seam[..before + head],
            false => piece,
        };
        self.keep(slot, request, ending);
    }

    /// What came on the connection of a slot ends here.
    pub(super) fn end(&mut self, slot: Slot) {
        if !self.begun.is_empty() {
            self.begun.remove(&slot);
        }
    }

    fn each_in(&self, bytes: &[u8], mut found: impl FnMut(usize, u64)) {
        let mut from = 0;
        while let Some(at) = self.prefix.find(&bytes[from..]).map(|at| from + at) {
            if let Some(number) = bytes.get(at..at + MARK_BYTES).and_then(|mark| self.marks.number(mark)) {
                found(at, number);
            }
            from = at + 1;
        }
    }

    /// Keeps what may be the beginning of a mark at the end of what has come.
    fn keep(&mut self, slot: Slot, request: u64, ending: &[u8]) {
        let from = ending.len().saturating_sub(MARK_BYTES - 1);
        let Some(begin) = (from..ending.len()).find(|&begin| may_begin(&ending[begin..])) else {
            return;
        };
        let rest = &ending[begin..];
        let mut bytes = [0; MARK_BYTES - 1];
        bytes[..rest.len()].copy_from_slice(rest);
        let length = rest.len();
        self.begun.insert(slot, Begun { request, bytes, length });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
