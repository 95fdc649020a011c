//! What a message is known again by: a text that names it wherever it comes back, and how it is found in pieces of text.

use memchr::memmem::Finder;

/// What a mark begins with. Lower-case letters and digits follow.
pub const PREFIX: &[u8] = b"plim";

/// Bytes of a mark.
pub const MARK_BYTES: usize = 16;

/// A mark, or what looks like one.
pub type Mark = [u8; MARK_BYTES];

/// Finds what looks like a mark.
#[derive(Debug, Clone)]
pub struct MarkFinder(Finder<'static>);

impl Default for MarkFinder {
    fn default() -> Self {
        Self(Finder::new(PREFIX))
    }
}

/// The end of a piece that may be the beginning of a mark.
#[derive(Debug, Clone, Copy)]
pub struct Begun {
    bytes: [u8; MARK_BYTES - 1],
    length: u8,
}

impl Begun {
    /// What may be the beginning of a mark at the end of what has come.
    fn at_end_of(bytes: &[u8]) -> Option<Self> {
        let from = bytes.len().saturating_sub(MARK_BYTES - 1);
        let begin = (from..bytes.len()).find(|&begin| may_begin(&bytes[begin..]))?;
        let rest = &bytes[begin..];
        let mut kept = [0; MARK_BYTES - 1];
        kept[..rest.len()].copy_from_slice(rest);
        Some(Self {
            bytes: kept,
            // At most 15.
            length: rest.len() as u8,
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl MarkFinder {
    /// Gives `found` each mark in a text that is whole.
    pub fn find_in(&self, text: &[u8], mut found: impl FnMut(&Mark)) {
        self.each_in(text, |_, mark| found(mark));
    }

    /// Gives `found` each mark that ends in `piece`, of a text of which `begun` came before. Says what may go on in the next piece.
    pub fn find(&self, begun: Option<Begun>, piece: &[u8], mut found: impl FnMut(&Mark)) -> Option<Begun> {
        let before = begun.as_ref().map_or(&[][..], Begun::bytes);
        // What is behind a mark that began before is too little for another one to lie in it as a whole.
        let mut seam = [0; 2 * (MARK_BYTES - 1)];
        let head = &piece[..piece.len().min(MARK_BYTES - 1)];
        seam[..before.len()].copy_from_slice(before);
        seam[before.len()..before.len() + head.len()].copy_from_slice(head);
        let seam = &seam[..before.len() + head.len()];
        if !before.is_empty() {
            self.each_in(seam, |at, mark| {
                if at < before.len() {
                    found(mark);
                }
            });
        }
        self.each_in(piece, |_, mark| found(mark));
        Begun::at_end_of(match piece.len() < MARK_BYTES - 1 {
            true => seam,
            false => piece,
        })
    }

    fn each_in(&self, bytes: &[u8], mut found: impl FnMut(usize, &Mark)) {
        let mut from = 0;
        while let Some(at) = self.0.find(&bytes[from..]).map(|at| from + at) {
            if let Some(mark) = bytes[at..].first_chunk() {
                found(at, mark);
            }
            from = at + 1;
        }
    }
}

/// Whether `bytes` may be the beginning of a mark, or all of one.
fn may_begin(bytes: &[u8]) -> bool {
    match bytes.strip_prefix(PREFIX) {
        Some(rest) => rest
            .iter()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()),
        None => PREFIX.starts_with(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_wherever_the_text_is_cut() {
        let text = b"{\"to\":\"plimb\",\"text\":\"plim000000000042\",\"and\":\"plim00000000zzzz\"}";
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let finder = MarkFinder::default();
                let (mut begun, mut found) = (None, Vec::new());
                for piece in [&text[..first], &text[first..second], &text[second..]] {
                    begun = finder.find(begun, piece, |mark| found.push(*mark));
                }
                found.retain(|mark| mark[4..].iter().all(u8::is_ascii_alphanumeric));
                assert_eq!(found, [*b"plim000000000042", *b"plim00000000zzzz"], "{first} {second}");
            }
        }
    }
}
