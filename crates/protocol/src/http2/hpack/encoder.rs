//! How single fields are written (RFC 7541, section 6).

use super::static_table::{Found, find};
use super::{huffman, integer};

/// The representation of a field that is not in the dynamic table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http2) enum Literal {
    /// The peer puts it into its table.
    Inserted,
    /// It stays out of the table.
    Plain,
    /// It stays out of all tables, those of proxies too (RFC 7541, section 7.1.3).
    NeverIndexed,
}

/// Appends a field by its index in the static table, if that has all of it.
pub(in crate::http2) fn static_field(name: &[u8], value: &[u8], out: &mut Vec<u8>) -> bool {
    match find(name, value) {
        Found::Field(index) => {
            indexed(index, out);
            true
        }
        Found::Name(_) | Found::Nothing => false,
    }
}

/// Appends a field by its index.
#[inline]
pub(in crate::http2) fn indexed(index: u32, out: &mut Vec<u8>) {
    integer::encode(index, 7, 0x80, out);
}

/// Appends a field by its name and value.
pub(in crate::http2) fn literal(name: &[u8], value: &[u8], how: Literal, out: &mut Vec<u8>) {
    literal_name(name, how, out);
    text(value, out);
}

/// Appends a field without its value, which has to come next.
pub(in crate::http2) fn literal_name(name: &[u8], how: Literal, out: &mut Vec<u8>) {
    let (prefix_bits, first) = match how {
        Literal::Inserted => (6, 0x40),
        Literal::Plain => (4, 0x00),
        Literal::NeverIndexed => (4, 0x10),
    };
    match find(name, b"") {
        Found::Field(index) | Found::Name(index) => integer::encode(index, prefix_bits, first, out),
        Found::Nothing => {
            out.push(first);
            text(name, out);
        }
    }
}

/// Appends a text, in the Huffman code where that is shorter.
fn text(text: &[u8], out: &mut Vec<u8>) {
    let coded = huffman::encoded_bytes(text);
    if coded < text.len() {
        integer::encode(coded as u32, 7, 0x80, out);
        huffman::encode(text, out);
    } else {
        plain_length(text.len(), out);
        out.extend_from_slice(text);
    }
}

/// Appends the length of a text which then comes as it is. That takes a few bytes more than its Huffman code and a tenth of
/// the time.
#[inline]
pub(in crate::http2) fn plain_length(bytes: usize, out: &mut Vec<u8>) {
    // A text of 4 GiB is not sent as a header.
    integer::encode(bytes as u32, 7, 0x00, out);
}

/// Appends a change of the table's size.
pub(super) fn table_size(bytes: u32, out: &mut Vec<u8>) {
    integer::encode(bytes, 5, 0x20, out);
}
