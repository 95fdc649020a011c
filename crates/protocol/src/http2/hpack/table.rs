//! The dynamic table with which header blocks of the peer are read (RFC 7541, section 2.3.2).

use super::error::HpackError;
use super::static_table::STATIC;
use super::{ENTRY_BYTES, TABLE_BYTES};
use std::collections::VecDeque;

/// Fields that the peer has sent, the last ones as far as they fit. With each stands what it means, so that a field that is
/// referred to need not be understood again.
#[derive(Debug, Clone)]
pub(in crate::http2) struct Table<M> {
    /// Names and values one behind the other, those of entries that are gone before them.
    text: Vec<u8>,
    /// Position of the first byte of `text`, counted from the first byte that was ever inserted.
    text_from: u32,
    /// The oldest first.
    entries: VecDeque<Entry<M>>,
    bytes: u32,
    max_bytes: u32,
    changes: u32,
}

#[derive(Debug, Clone, Copy)]
struct Entry<M> {
    /// Position of the name, counted as in [`Table::text_from`]; the value comes behind it.
    at: u32,
    name_bytes: u16,
    value_bytes: u16,
    meaning: M,
}

/// Text of entries that are gone is removed when there is so much of it.
const REMOVED_AT_ONCE_BYTES: usize = TABLE_BYTES as usize / 2;

/// A field of either table. The static one does not know what its fields mean.
pub(super) struct Known<'a, M> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    pub(super) meaning: Option<M>,
}

impl<M: Copy> Table<M> {
    /// An empty table of the usual size.
    pub(in crate::http2) fn new() -> Self {
        Self {
            text: Vec::new(),
            text_from: 0,
            entries: VecDeque::new(),
            bytes: 0,
            max_bytes: TABLE_BYTES,
            changes: 0,
        }
    }

    /// How often what is in the table has changed. While it does not, equal blocks have equal meaning.
    #[inline]
    pub(in crate::http2) fn changes(&self) -> u32 {
        self.changes
    }

    /// The field with this index, in either table.
    #[inline]
    pub(super) fn get(&self, index: u32) -> Result<Known<'_, M>, HpackError> {
        let missing = HpackError::Index { index };
        let nth = (index as usize).checked_sub(1).ok_or(missing)?;
        if let Some((name, value)) = STATIC.get(nth) {
            return Ok(Known {
                name: name.as_bytes(),
                value: value.as_bytes(),
                meaning: None,
            });
        }
        let from_last = nth - STATIC.len() + 1;
        let place = self.entries.len().checked_sub(from_last).ok_or(missing)?;
        let entry = &self.entries[place];
        let at = entry.at.wrapping_sub(self.text_from) as usize;
        let (name, behind) = self.text[at..].split_at(entry.name_bytes.into());
        Ok(Known {
            name,
            value: &behind[..entry.value_bytes.into()],
            meaning: Some(entry.meaning),
        })
    }

    /// Inserts a field. One that is larger than the table empties it (RFC 7541, section 4.4).
    pub(super) fn insert(&mut self, name: &[u8], value: &[u8], meaning: M) {
        let bytes = (name.len() + value.len()).saturating_add(ENTRY_BYTES as usize);
        let room = (self.max_bytes as usize).checked_sub(bytes);
        self.shrink_to(room.unwrap_or(0) as u32);
        if room.is_none() {
            return;
        }
        let at = self.text_from.wrapping_add(self.text.len() as u32);
        self.text.extend_from_slice(name);
        self.text.extend_from_slice(value);
        // Both fit in a table whose size fits.
        self.entries.push_back(Entry {
            at,
            name_bytes: name.len() as u16,
            value_bytes: value.len() as u16,
            meaning,
        });
        self.bytes += bytes as u32;
        self.changes = self.changes.wrapping_add(1);
    }

    /// Changes the size of the table.
    pub(super) fn resize(&mut self, max_bytes: u32) -> Result<(), HpackError> {
        if max_bytes > TABLE_BYTES {
            return Err(HpackError::TableSize {
                bytes: max_bytes,
                limit: TABLE_BYTES,
            });
        }
        self.max_bytes = max_bytes;
        self.shrink_to(max_bytes);
        Ok(())
    }

    /// Lets go of the oldest entries until the others have no more than `bytes`.
    fn shrink_to(&mut self, bytes: u32) {
        if self.bytes <= bytes {
            return;
        }
        self.changes = self.changes.wrapping_add(1);
        while self.bytes > bytes
            && let Some(entry) = self.entries.pop_front()
        {
            self.bytes -= u32::from(entry.name_bytes) + u32::from(entry.value_bytes) + ENTRY_BYTES;
        }
        let gone = match self.entries.front() {
            Some(oldest) => oldest.at.wrapping_sub(self.text_from) as usize,
            None => self.text.len(),
        };
        if gone >= REMOVED_AT_ONCE_BYTES || gone == self.text.len() {
            self.text.drain(..gone);
            self.text_from = self.text_from.wrapping_add(gone as u32);
        }
    }

    /// Size as the RFC counts it.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u32 {
        self.bytes
    }
}

const _: () = assert!(TABLE_BYTES <= u16::MAX as u32, "the text of an entry fits");

#[cfg(test)]
mod tests {
    use super::*;

    fn dynamic(table: &Table<u32>) -> Vec<(String, String, u32)> {
        (62..)
            .map_while(|index| table.get(index).ok())
            .map(|known| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                (text(known.name), text(known.value), known.meaning.expect("it is kept"))
            })
            .collect()
    }

    #[test]
    fn the_oldest_entries_make_room() {
        let mut table = Table::new();
        table.resize(110).expect("it is smaller");
        for nth in 0..1000_u32 {
            let (name, value) = (format!("n{nth:03}"), format!("v{nth:03}"));
            let before = table.changes();
            table.insert(name.as_bytes(), value.as_bytes(), nth);
            assert_ne!(table.changes(), before);
            let mut expected = vec![(name, value, nth)];
            expected.extend((nth > 0).then(|| {
                (
                    format!("n{:03}", nth.wrapping_sub(1)),
                    format!("v{:03}", nth.wrapping_sub(1)),
                    nth.wrapping_sub(1),
                )
            }));
            assert_eq!(dynamic(&table), expected);
            assert_eq!(table.bytes() as usize, 40 * expected.len());
            assert!(table.text.len() < REMOVED_AT_ONCE_BYTES + 110);
        }
        table.resize(79).expect("it is smaller");
        assert_eq!(dynamic(&table).len(), 1);
        table.insert(b"larger than the table", &[b'x'; 40], 0);
        assert_eq!((dynamic(&table).len(), table.bytes()), (0, 0));
        assert!(table.text.is_empty());
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let mut table = Table::new();
        table.resize(0).expect("it is smaller");
        table.insert(b"server", b"nginx", 0);
        table.resize(TABLE_BYTES).expect("it is as announced");
        assert_eq!(table.changes(), 0);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let mut table = Table::new();
        table.insert(b"a", b"b", 7);
        assert!(table.get(62).is_ok());
        for index in [0, 63, u32::MAX] {
            assert_eq!(table.get(index).err(), Some(HpackError::Index { index }));
        }
        let refused = HpackError::TableSize {
            bytes: 4097,
            limit: 4096,
        };
        assert_eq!(table.resize(4097), Err(refused));
    }
}
