//! Numbers with a prefix of some bits (RFC 7541, section 5.1).

use super::error::HpackError;

/// Reads a number whose first `prefix_bits` bits are the last of the first byte of `block`, and goes behind it.
#[inline]
pub(super) fn decode(block: &mut &[u8], prefix_bits: u32) -> Result<u32, HpackError> {
    let (&first, rest) = block.split_first().ok_or(HpackError::Truncated)?;
    *block = rest;
    let most = (1 << prefix_bits) - 1;
    let prefix = u32::from(first) & most;
    if prefix < most {
        return Ok(prefix);
    }
    continued(block, most)
}

fn continued(block: &mut &[u8], most: u32) -> Result<u32, HpackError> {
    let mut number = u64::from(most);
    // Five bytes of seven bits hold any number of 32 bits.
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = block.split_first().ok_or(HpackError::Truncated)?;
        *block = rest;
        number += u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).map_err(|_| HpackError::Integer);
        }
    }
    Err(HpackError::Integer)
}

/// Appends `number`. The bits of the first byte that are not of the prefix are those of `first`.
#[inline]
pub(super) fn encode(number: u32, prefix_bits: u32, first: u8, out: &mut Vec<u8>) {
    let most = (1 << prefix_bits) - 1;
    if number < most {
        out.push(first | number as u8);
        return;
    }
    out.push(first | most as u8);
    let mut rest = number - most;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_the_rfc_and_read_back() {
        for (number, prefix_bits, bytes) in [
            (10, 5, &[0x0a][..]),
            (1337, 5, &[0x1f, 0x9a, 0x0a]),
            (42, 8, &[0x2a]),
            (30, 5, &[0x1e]),
            (31, 5, &[0x1f, 0x00]),
            (u32::MAX, 7, &[0x7f, 0x80, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            let mut out = Vec::new();
            encode(number, prefix_bits, 0, &mut out);
            assert_eq!(out, bytes, "{number}");
            let mut block = &out[..];
            assert_eq!(decode(&mut block, prefix_bits), Ok(number));
            assert!(block.is_empty());
            for end in 0..bytes.len() {
                assert_eq!(decode(&mut &bytes[..end], prefix_bits), Err(HpackError::Truncated));
            }
        }
    }

    #[test]
    fn a_number_of_more_than_32_bits_is_refused() {
        let one_more = [0x7f, 0x81, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(decode(&mut &one_more[..], 7), Err(HpackError::Integer));
        let endless = [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00];
        assert_eq!(decode(&mut &endless[..], 7), Err(HpackError::Integer));
    }
}
