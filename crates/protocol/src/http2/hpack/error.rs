//! What can be wrong with a header block.

/// The block cannot be read. What both ends have in their tables is then unknown, so the connection is of no further use
/// (RFC 9113, section 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::http2) enum HpackError {
    /// A field goes on behind the end of the block.
    #[error("a header block ends within a field")]
    Truncated,
    /// A number of more than 32 bits.
    #[error("a header block has a number that is too large")]
    Integer,
    /// An index that neither table has.
    #[error("a header block refers to entry {index} of the header table, which has no such entry")]
    Index {
        /// What was referred to.
        index: u32,
    },
    /// Bits that are no Huffman code, or padding that is not made of ones.
    #[error("a header block has text that is not valid in its Huffman code")]
    Huffman,
    /// A table that is larger than was announced.
    #[error("a header block sets the size of the header table to {bytes} bytes, {limit} are allowed")]
    TableSize {
        /// What it is set to.
        bytes: u32,
        /// What was announced.
        limit: u32,
    },
    /// The size of the table changes behind a field (RFC 7541, section 4.2).
    #[error("a header block changes the size of the header table behind a field")]
    LateTableSize,
}
