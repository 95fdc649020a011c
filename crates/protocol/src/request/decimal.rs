//! Numbers as text.

/// Appends `number` in decimal digits.
pub(crate) fn push_decimal(number: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = number;
    loop {
        // Less than ten.
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out[start..].reverse();
}
