//! `$'…'`: escapes as in C, among them `\x`, `\u` and octal bytes.

use super::letters::Letters;

/// The text up to the quote that closes it; `None` where nothing does.
pub(super) fn quoted(letters: &mut Letters<'_>) -> Option<String> {
    let mut bytes = Vec::new();
    let push = |bytes: &mut Vec<u8>, c: char| bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    loop {
        match letters.next()? {
            '\'' => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            '\\' => match letters.next()? {
                'n' => bytes.push(b'\n'),
                't' => bytes.push(b'\t'),
                'r' => bytes.push(b'\r'),
                'a' => bytes.push(7),
                'b' => bytes.push(8),
                'e' | 'E' => bytes.push(0x1b),
                'f' => bytes.push(0xc),
                'v' => bytes.push(0xb),
                'x' => bytes.push(number(letters, 16, 2).unwrap_or_default() as u8),
                'u' => code_unit(letters, &mut bytes, 4),
                'U' => code_unit(letters, &mut bytes, 8),
                c @ '0'..='7' => {
                    let first = c.to_digit(8).unwrap_or_default();
                    let mut value = first;
                    for _ in 0..2 {
                        if let Some(digit) = letters.next_if(|c| c.is_digit(8)) {
                            value = value * 8 + digit.to_digit(8).unwrap_or_default();
                        }
                    }
                    bytes.push(value as u8);
                }
                c @ ('\\' | '\'' | '"' | '?') => push(&mut bytes, c),
                c => {
                    bytes.push(b'\\');
                    push(&mut bytes, c);
                }
            },
            c => push(&mut bytes, c),
        }
    }
}

fn number(letters: &mut Letters<'_>, radix: u32, most: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..most {
        let Some(digit) = letters.next_if(|c| c.is_digit(radix)) else {
            break;
        };
        let digit = digit.to_digit(radix).unwrap_or_default();
        value = Some(value.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
    }
    value
}

/// A character by its number; Chrome writes those beyond 16 bits as two halves.
fn code_unit(letters: &mut Letters<'_>, bytes: &mut Vec<u8>, most: usize) {
    let high = number(letters, 16, most).unwrap_or_default();
    let mut value = high;
    if (0xd800..0xdc00).contains(&high) && letters.starts_with("\\u") {
        letters.pass(2);
        let low = number(letters, 16, 4).unwrap_or_default();
        value = 0x1_0000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
    }
    let c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
