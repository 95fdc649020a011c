//! The dynamic table of the peer, as far as this end has filled it.

use super::encoder::{Literal, indexed, literal, table_size};
use super::{ENTRY_BYTES, TABLE_BYTES};
use std::collections::VecDeque;
use std::sync::Arc;

/// A field that is worth a place in the table.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::http2) struct SentField {
    name: Vec<u8>,
    value: Vec<u8>,
}

impl SentField {
    pub(in crate::http2) fn new(name: &[u8], value: &[u8]) -> Self {
        Self {
            name: name.to_vec(),
            value: value.to_vec(),
        }
    }

    fn table_bytes(&self) -> u64 {
        (self.name.len() + self.value.len()) as u64 + u64::from(ENTRY_BYTES)
    }
}

/// What the decoder of the peer holds.
///
/// Nothing is pushed out by what comes later: once the table is full, further fields are sent as literals. So what has a
/// place keeps it for as long as the peer keeps the size of its table.
#[derive(Debug, Clone)]
pub(in crate::http2) struct SentTable {
    /// The oldest first.
    entries: VecDeque<Arc<SentField>>,
    bytes: u64,
    max_bytes: u32,
    /// The smallest size since the last block, where the size has changed: the next block has to begin with it.
    smallest_bytes: Option<u32>,
    changes: u32,
}

impl SentTable {
    /// The table of a connection on which nothing has been sent.
    pub(in crate::http2) fn new() -> Self {
        Self {
            entries: VecDeque::new(),
            bytes: 0,
            max_bytes: TABLE_BYTES,
            smallest_bytes: None,
            changes: 0,
        }
    }

    /// How often what is in the table has changed, or has to be said. While it does not, equal fields are written equally.
    #[inline]
    pub(in crate::http2) fn changes(&self) -> u32 {
        self.changes
    }

    /// The peer has said how large its table may be.
    pub(in crate::http2) fn resize(&mut self, bytes: u32) {
        let max_bytes = bytes.min(TABLE_BYTES);
        if max_bytes == self.max_bytes {
            return;
        }
        self.max_bytes = max_bytes;
        self.smallest_bytes = Some(
            self.smallest_bytes
                .map_or(max_bytes, |smallest| smallest.min(max_bytes)),
        );
        self.changes = self.changes.wrapping_add(1);
        while self.bytes > max_bytes.into()
            && let Some(oldest) = self.entries.pop_front()
        {
            self.bytes -= oldest.table_bytes();
        }
    }

    /// Begins a block.
    pub(in crate::http2) fn begin(&mut self, out: &mut Vec<u8>) {
        if let Some(smallest) = self.smallest_bytes.take() {
            // RFC 7541, section 4.2: what has been pushed out meanwhile, then how large it is now.
            if smallest < self.max_bytes {
                table_size(smallest, out);
            }
            table_size(self.max_bytes, out);
            self.changes = self.changes.wrapping_add(1);
        }
    }

    /// Appends a field: its index, or all of it, which the peer then keeps if it fits.
    pub(in crate::http2) fn write(&mut self, field: &Arc<SentField>, out: &mut Vec<u8>) {
        let is_field = |entry: &&Arc<SentField>| Arc::ptr_eq(entry, field) || ***entry == **field;
        if let Some(from_last) = self.entries.iter().rev().position(|entry| is_field(&entry)) {
            // At most 128 entries fit.
            indexed(FIRST_INDEX + from_last as u32, out);
            return;
        }
        let bytes = self.bytes + field.table_bytes();
        if bytes > self.max_bytes.into() {
            literal(&field.name, &field.value, Literal::Plain, out);
            return;
        }
        literal(&field.name, &field.value, Literal::Inserted, out);
        self.entries.push_back(Arc::clone(field));
        self.bytes = bytes;
        self.changes = self.changes.wrapping_add(1);
    }
}

/// Index of the entry that was inserted last.
const FIRST_INDEX: u32 = 62;

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, value: &str) -> Arc<SentField> {
        Arc::new(SentField::new(name.as_bytes(), value.as_bytes()))
    }

    fn written(table: &mut SentTable, fields: &[&Arc<SentField>]) -> Vec<u8> {
        let mut out = Vec::new();
        table.begin(&mut out);
        for field in fields {
            table.write(field, &mut out);
        }
        out
    }

    #[test]
    fn a_field_is_written_once_and_then_referred_to() {
        let mut table = SentTable::new();
        let (host, kind) = (
            field(":authority", "www.example.com"),
            field("custom-key", "custom-value"),
        );
        assert_eq!(
            written(&mut table, &[&host])[..2],
            [0x41, 0x8c],
            "inserted, in Huffman code"
        );
        assert_eq!(written(&mut table, &[&host]), [0xbe]);
        assert_eq!(written(&mut table, &[&kind])[0], 0x40);
        let changes = table.changes();
        let same = field(":authority", "www.example.com");
        assert_eq!(written(&mut table, &[&same, &kind]), [0xbf, 0xbe]);
        assert_eq!(table.changes(), changes);
    }

    #[test]
    fn what_does_not_fit_is_sent_in_full_and_pushes_nothing_out() {
        let mut table = SentTable::new();
        let small = field("a", "b");
        let large = field("x", &"y".repeat(4096 - 32 - 1));
        written(&mut table, &[&small]);
        assert_eq!(written(&mut table, &[&large, &small])[0], 0x00);
        assert_eq!(written(&mut table, &[&small]), [0xbe]);
    }

    #[test]
    fn a_change_of_size_is_said_at_the_next_block() {
        let mut table = SentTable::new();
        let (first, second) = (field("a", "1"), field("b", "2"));
        written(&mut table, &[&first, &second]);
        table.resize(40);
        assert_eq!(written(&mut table, &[&second]), [0x3f, 0x09, 0xbe]);
        assert_eq!(written(&mut table, &[&first])[0], 0x00, "there is room for one");
        table.resize(0);
        table.resize(8192);
        assert_eq!(written(&mut table, &[])[..], [0x20, 0x3f, 0xe1, 0x1f]);
        assert_eq!(written(&mut table, &[&second])[0], 0x40);
        table.resize(4096);
        assert!(written(&mut table, &[]).is_empty(), "it is as it was");
    }
}
