//! Reads header blocks (RFC 7541, section 6).

use super::error::HpackError;
use super::table::Table;
use super::{huffman, integer};
use std::ops::Range;

/// Where the fields of a block go, in order.
pub(in crate::http2) trait Fields {
    /// What a field means, as it is kept in the table.
    type Meaning: Copy;

    fn meaning(name: &[u8], value: &[u8]) -> Self::Meaning;

    fn field(&mut self, name: &[u8], value: &[u8], meaning: Self::Meaning);
}

/// Reads one block. `scratch` is room for text that is not in the block as it is.
///
/// # Errors
/// When the block cannot be read; `table` is of no further use then.
pub(in crate::http2) fn decode<F: Fields>(
    mut block: &[u8],
    table: &mut Table<F::Meaning>,
    scratch: &mut Vec<u8>,
    fields: &mut F,
) -> Result<(), HpackError> {
    let mut behind_field = false;
    while let Some(&first) = block.first() {
        if first & 0xe0 == 0x20 {
            if behind_field {
                return Err(HpackError::LateTableSize);
            }
            table.resize(integer::decode(&mut block, 5)?)?;
            continue;
        }
        behind_field = true;
        if first & 0x80 != 0 {
            let known = table.get(integer::decode(&mut block, 7)?)?;
            let meaning = known.meaning.unwrap_or_else(|| F::meaning(known.name, known.value));
            fields.field(known.name, known.value, meaning);
            continue;
        }
        // With this bit the field goes into the table; without it four bits of the byte are the index of its name.
        let inserts = first & 0x40 != 0;
        let name_index = integer::decode(&mut block, if inserts { 6 } else { 4 })?;
        scratch.clear();
        let name = match name_index {
            0 => text(&mut block, scratch)?,
            // Copied, because what is inserted may push out the entry that has it.
            index => {
                scratch.extend_from_slice(table.get(index)?.name);
                Text::Scratch(0..scratch.len())
            }
        };
        let value = text(&mut block, scratch)?;
        let (name, value) = (name.of(scratch), value.of(scratch));
        let meaning = F::meaning(name, value);
        fields.field(name, value, meaning);
        if inserts {
            table.insert(name, value, meaning);
        }
    }
    Ok(())
}

/// Text of a block, where it lies.
enum Text<'a> {
    Block(&'a [u8]),
    Scratch(Range<usize>),
}

impl<'a> Text<'a> {
    fn of(self, scratch: &'a [u8]) -> &'a [u8] {
        match self {
            Text::Block(text) => text,
            Text::Scratch(range) => &scratch[range],
        }
    }
}

/// Takes a text from the beginning of `block`.
fn text<'a>(block: &mut &'a [u8], scratch: &mut Vec<u8>) -> Result<Text<'a>, HpackError> {
    let in_huffman_code = block.first().is_some_and(|first| first & 0x80 != 0);
    let length = integer::decode(block, 7)? as usize;
    let (coded, rest) = block.split_at_checked(length).ok_or(HpackError::Truncated)?;
    *block = rest;
    if !in_huffman_code {
        return Ok(Text::Block(coded));
    }
    let start = scratch.len();
    huffman::decode(coded, scratch)?;
    Ok(Text::Scratch(start..scratch.len()))
}
