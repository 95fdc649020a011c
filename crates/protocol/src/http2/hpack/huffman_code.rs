//! The Huffman code of RFC 7541, appendix B, as tables that are made when this is compiled.
//!
//! The code is canonical: codes of one length follow each other in the order of their symbols, and longer ones come after shorter
//! ones. So the lengths say everything.

/// Length of the code of each byte, bits.
pub(super) const LENGTHS: [u8; 256] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12,
    10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6,
    5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22,
    22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20,
    22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28,
    27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28,
    27, 27, 27, 27, 27, 26,
];

/// Length of the longest code, bits. The one of this length that is all ones is no byte but the end of a string.
pub(super) const LONGEST: usize = 30;

/// The code of each byte, in the last bits.
pub(super) const CODES: [u32; 256] = CANONICAL.codes;
/// The bytes in the order of their codes.
pub(super) const SORTED: [u8; 256] = CANONICAL.sorted;
/// For each length the code of the first byte that has it, and the place of that byte in [`SORTED`].
pub(super) const FIRST: [(u32, u32); LONGEST + 1] = CANONICAL.first;
/// For each length the first 32 bits with which a longer code begins.
pub(super) const LIMIT: [u32; LONGEST + 1] = CANONICAL.limit;
/// For the first eight bits of a text the byte that they begin with and the length of its code; 0 where that is longer.
pub(super) const SHORT: [(u8, u8); 256] = short();

struct Canonical {
    codes: [u32; 256],
    sorted: [u8; 256],
    first: [(u32, u32); LONGEST + 1],
    limit: [u32; LONGEST + 1],
}

const CANONICAL: Canonical = canonical();

const fn canonical() -> Canonical {
    let mut made = Canonical {
        codes: [0; 256],
        sorted: [0; 256],
        first: [(0, 0); LONGEST + 1],
        limit: [0; LONGEST + 1],
    };
    let mut code = 0;
    let mut place = 0;
    let mut length = 1;
    while length <= LONGEST {
        code <<= 1;
        made.first[length] = (code, place);
        let mut symbol = 0;
        while symbol < 256 {
            if LENGTHS[symbol] as usize == length {
                made.codes[symbol] = code;
                made.sorted[place as usize] = symbol as u8;
                code += 1;
                place += 1;
            }
            symbol += 1;
        }
        made.limit[length] = code << (32 - length);
        length += 1;
    }
    made
}

const fn short() -> [(u8, u8); 256] {
    let mut table = [(0, 0); 256];
    let mut symbol = 0;
    while symbol < 256 {
        let length = LENGTHS[symbol] as u32;
        if length <= 8 {
            let from = CODES[symbol] << (8 - length);
            let mut offset = 0;
            while offset < 1 << (8 - length) {
                table[(from + offset) as usize] = (symbol as u8, length as u8);
                offset += 1;
            }
        }
        symbol += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_in_the_rfc() {
        for (symbol, code, length) in [
            (b'0', 0x0, 5),
            (b'a', 0x3, 5),
            (b' ', 0x14, 6),
            (b':', 0x5c, 7),
            (b'&', 0xf8, 8),
            (b'!', 0x3f8, 10),
            (b'\\', 0x7fff0, 19),
            (0, 0x1ff8, 13),
            (b'\n', 0x3fff_fffc, 30),
            (22, 0x3fff_fffe, 30),
            (255, 0x03ff_ffee, 26),
        ] {
            let found = (CODES[usize::from(symbol)], LENGTHS[usize::from(symbol)]);
            assert_eq!(found, (code, length), "{symbol}");
        }
        assert_eq!(LIMIT[LONGEST], 0x3fff_ffff << 2, "only the end of a string is left");
    }
}
