//! A header block that comes again is not read again.

use super::head::Head;

/// Longest block that is kept for comparison.
const MAX_KEPT_BYTES: usize = 256;

/// The header block of the response before on this connection, as long as it changed nothing in the header table: the same
/// bytes then mean the same. Services send the same block over and over, but for a date that changes once a second.
#[derive(Debug, Clone, Default)]
pub(super) struct LastBlock {
    bytes: Vec<u8>,
    meaning: Option<(Head, u32)>,
}

impl LastBlock {
    /// What this block means, if it is the one before; `changes` is how often the header table has changed.
    #[inline]
    pub(super) fn of(&self, block: &[u8], changes: u32) -> Option<Head> {
        let (head, then) = self.meaning?;
        (then == changes && self.bytes == block).then_some(head)
    }

    /// Keeps a block and what it means.
    pub(super) fn keep(&mut self, block: &[u8], head: Head, changes: u32) {
        if block.len() <= MAX_KEPT_BYTES {
            self.bytes.clear();
            self.bytes.extend_from_slice(block);
            self.meaning = Some((head, changes));
        }
    }
}
