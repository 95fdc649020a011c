//! Text in the Huffman code of RFC 7541, section 5.2.

use super::error::HpackError;
use super::huffman_code::{CODES, FIRST, LENGTHS, LIMIT, LONGEST, SHORT, SORTED};

/// Length of `text` in the code, bytes.
pub(super) fn encoded_bytes(text: &[u8]) -> usize {
    let bits: usize = text.iter().map(|&byte| usize::from(LENGTHS[usize::from(byte)])).sum();
    bits.div_ceil(8)
}

/// Appends `text` in the code.
pub(super) fn encode(text: &[u8], out: &mut Vec<u8>) {
    let mut bits = 0_u64;
    let mut held = 0;
    for &byte in text {
        let length = u32::from(LENGTHS[usize::from(byte)]);
        bits = bits << length | u64::from(CODES[usize::from(byte)]);
        held += length;
        while held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    if held > 0 {
        let padding = 8 - held;
        out.push((bits << padding) as u8 | ((1 << padding) - 1));
    }
}

/// Appends what `coded` means.
pub(super) fn decode(coded: &[u8], out: &mut Vec<u8>) -> Result<(), HpackError> {
    let mut rest = coded.iter();
    // Bits that are not decoded yet: the first `held` ones of `bits`; those behind are 0.
    let mut bits = 0_u64;
    let mut held = 0;
    loop {
        while held <= 56
            && let Some(&byte) = rest.next()
        {
            bits |= u64::from(byte) << (56 - held);
            held += 8;
        }
        let next = (bits >> 32) as u32;
        let (symbol, length) = match SHORT[(next >> 24) as usize] {
            (_, 0) => long(next)?,
            (symbol, length) => (symbol, u32::from(length)),
        };
        if length > held {
            // The end is filled up with fewer than eight ones.
            let padding = u64::MAX.checked_shl(64 - held).unwrap_or(0);
            return if held < 8 && bits == padding {
                Ok(())
            } else {
                Err(HpackError::Huffman)
            };
        }
        out.push(symbol);
        bits <<= length;
        held -= length;
    }
}

/// The byte with whose code `next` begins, where that is longer than eight bits, and the length of its code.
fn long(next: u32) -> Result<(u8, u32), HpackError> {
    let length = (9..=LONGEST)
        .find(|&length| next < LIMIT[length])
        .ok_or(HpackError::Huffman)?;
    let (first, place) = FIRST[length];
    let nth = (next >> (32 - length)) - first;
    Ok((SORTED[(place + nth) as usize], length as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(coded: &[u8]) -> Result<Vec<u8>, HpackError> {
        let mut out = Vec::new();
        decode(coded, &mut out).map(|()| out)
    }

    #[test]
    fn every_text_reads_back() {
        let all: Vec<u8> = (0..=255).collect();
        let mut texts: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        texts.extend([Vec::new(), all.clone(), all.repeat(3), b"www.example.com".to_vec()]);
        for text in texts {
            let mut coded = Vec::new();
            encode(&text, &mut coded);
            assert_eq!(coded.len(), encoded_bytes(&text));
            assert_eq!(decoded(&coded), Ok(text));
        }
    }

    #[test]
    fn an_end_that_is_not_filled_with_ones_is_refused() {
        for coded in [
            &[0x00][..],                     // '0' and three zeros
            &[0x07, 0xff],                   // eight more ones than needed
            &[0xff],                         // eight ones
            &[0xff, 0xff, 0xff, 0xff],       // the end of a string
            &[0xff, 0xff, 0xff, 0xfc],       // the same, and zeros
            &[0xff, 0xff, 0xff, 0xff, 0xff], // and more
            &[0xff, 0xff, 0xff],             // the beginning of a long code
        ] {
            assert_eq!(decoded(coded), Err(HpackError::Huffman), "{coded:x?}");
        }
        assert_eq!(decoded(&[0x07]), Ok(b"0".to_vec()));
        assert_eq!(decoded(&[]), Ok(Vec::new()));
    }
}
