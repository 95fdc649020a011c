//! Header compression (RFC 7541), in both directions. It knows fields, not what they mean.
//!
//! [`decode`] reads a header block with the [`Table`] of the connection. Writing is in two halves: [`encoder`] has the
//! representations of one field, and [`SentTable`] is what the peer's decoder holds.

mod decoder;
pub(super) mod encoder;
mod error;
mod huffman;
mod huffman_code;
mod integer;
mod sent_table;
mod static_table;
mod table;

pub(super) use decoder::{Fields, decode};
pub(super) use error::HpackError;
pub(super) use sent_table::{SentField, SentTable};
pub(super) use table::Table;

/// Size of a dynamic table before anything else is said, bytes (RFC 9113, section 6.5.2). Nothing larger is ever used here.
pub(super) const TABLE_BYTES: u32 = 4096;
/// What an entry takes beside its text, bytes (RFC 7541, section 4.1).
const ENTRY_BYTES: u32 = 32;

#[cfg(test)]
mod vectors;
