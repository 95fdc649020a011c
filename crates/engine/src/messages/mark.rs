//! The marks of the messages of a run, which say their numbers, in JSON, HTML or a URL alike.

use plimsoll_protocol::mark::{MARK_BYTES, PREFIX};

/// Digits of the number, in base 36.
const NUMBER_DIGITS: usize = 8;
/// Digits that depend on the number and the run: a mark that an earlier run has left behind, or somebody made up, names no message.
const CHECK_DIGITS: usize = 4;
const _: () = assert!(PREFIX.len() + NUMBER_DIGITS + CHECK_DIGITS == MARK_BYTES);

const BASE: u64 = 36;
const CHECKS: u64 = BASE.pow(CHECK_DIGITS as u32);
/// So many messages have marks of their own.
pub(super) const MESSAGES_MAX: u64 = BASE.pow(NUMBER_DIGITS as u32);

/// The marks of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    run: u64,
}

impl Marks {
    /// Of the run that began at this time, ns since the machine did, with this seed.
    pub(crate) fn of_run(zero_ns: u64, seed: u64) -> Self {
        Self {
            run: mixed(zero_ns ^ mixed(seed)),
        }
    }

    /// Appends the mark of a message.
    pub(crate) fn append(self, number: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(PREFIX);
        append_digits(number, NUMBER_DIGITS, out);
        append_digits(self.check(number), CHECK_DIGITS, out);
    }

    /// The number of the message that this marks; `None` if it is no mark of this run.
    pub(super) fn number(self, mark: &[u8]) -> Option<u64> {
        let digits = mark.strip_prefix(PREFIX)?;
        let (number, check) = digits.split_at_checked(NUMBER_DIGITS)?;
        let number = value(number)?;
        (check.len() == CHECK_DIGITS && value(check)? == self.check(number)).then_some(number)
    }

    fn check(self, number: u64) -> u64 {
        mixed(number ^ self.run) % CHECKS
    }
}

fn append_digits(number: u64, count: usize, out: &mut Vec<u8>) {
    let begin = out.len();
    let mut rest = number;
    for _ in 0..count {
        let digit = (rest % BASE) as u8;
        out.push(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
        rest /= BASE;
    }
    out[begin..].reverse();
}

fn value(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |value, &digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'z' => digit - b'a' + 10,
            _ => return None,
        };
        Some(value * BASE + u64::from(digit))
    })
}

/// Spreads the bits of a number over all of them (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA
/// 2014).
pub(super) fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(marks: Marks, number: u64) -> Vec<u8> {
        let mut mark = Vec::new();
        marks.append(number, &mut mark);
        mark
    }

    #[test]
    fn a_mark_names_its_message_in_its_own_run_alone() {
        let (marks, later) = (Marks::of_run(1, 7), Marks::of_run(2, 7));
        for number in [0, 1, 35, 36, 123_456_789, MESSAGES_MAX - 1] {
            let mark = mark(marks, number);
            assert_eq!(mark.len(), MARK_BYTES);
            let is_digit = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
            assert!(mark.iter().all(is_digit), "{}", mark.escape_ascii());
            assert_eq!(marks.number(&mark), Some(number));
            assert_eq!(later.number(&mark), None);
        }
    }

    #[test]
    fn what_somebody_made_up_names_nothing() {
        let marks = Marks::of_run(1, 7);
        let made_up = (0..10_000_u64).map(|number| format!("plim{number:08}0000"));
        let taken = made_up.filter(|text| marks.number(text.as_bytes()).is_some()).count();
        // One in 1.7 million passes by chance.
        assert_eq!(taken, 0);
        for wrong in ["", "plim", "plim0000000000000", "plim00000000!!!!", "PLIM000000000000"] {
            assert_eq!(marks.number(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
