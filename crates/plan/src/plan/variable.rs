//! Named sources of values.

use crate::notation::mismatch::Mismatch;
use crate::notation::{Notation, keyword};
use crate::plan::now::Now;
use crate::plan::table::{Column, Table};
use crate::secrets::{REDACTED, Secret};
use schemars::{Schema, json_schema};

/// A named source of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// As written in `${name}`.
    pub name: String,
    /// Where its values come from. Each request draws once per variable, in turn.
    pub values: Values,
}

impl Variable {
    /// The columns of a table: each as it is, and as it stands in a JSON string.
    pub(crate) fn of_table(table: &Table) -> impl Iterator<Item = Self> {
        let columns = table.rows.columns.iter().enumerate();
        columns.flat_map(|(place, column)| {
            let name = format!("{}.{column}", table.name);
            [(name.clone(), false), (format!("{name}.json"), true)].map(|(name, in_json)| Self {
                name,
                values: Values::Column(Column {
                    table: table.clone(),
                    place,
                    in_json,
                }),
            })
        })
    }

    /// Its values as they are shown: a range that is hidden, and every list, as the placeholder.
    pub(crate) fn shown(&self, hidden: bool) -> Values {
        shown(&self.values, hidden)
    }
}

fn shown(values: &Values, hidden: bool) -> Values {
    match values {
        Values::Range { from, to } if !hidden => Values::Range { from: *from, to: *to },
        Values::Range { .. } | Values::List(_) => Values::List(vec![Secret::from(REDACTED)]),
        Values::Shuffled { of, seed } => Values::Shuffled {
            of: Box::new(shown(of, hidden)),
            seed: *seed,
        },
        Values::Random { of, draw } => Values::Random {
            of: Box::new(shown(of, hidden)),
            draw: *draw,
        },
        // Of the rows of a column nothing is shown.
        Values::Uuid(_)
        | Values::Text { .. }
        | Values::Now(_)
        | Values::Column(_)
        | Values::Message
        | Values::Kept { .. } => values.clone(),
    }
}

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// `from` to `to`, both included, then again.
    Range {
        /// First value.
        from: u64,
        /// Last value.
        to: u64,
    },
    /// These texts in turn, then again. At least one.
    List(Vec<Secret>),
    /// The same ones, in an order that the seed decides, another one each time that all were taken.
    Shuffled {
        /// A range or a list.
        of: Box<Self>,
        /// That of the plan and the place of the variable.
        seed: u64,
    },
    /// One of them each time, whichever came before.
    Random {
        /// A range or a list.
        of: Box<Self>,
        /// What decides which.
        draw: Draw,
    },
    /// A UUID (RFC 9562, version 4), each time another one.
    Uuid(Draw),
    /// A text of characters that are left to chance.
    Text {
        /// How many it has.
        length: usize,
        /// Which of them there are, at least one.
        characters: Vec<char>,
        /// What decides which.
        draw: Draw,
    },
    /// The time at which what it is for is due.
    Now(Now),
    /// Those in the rows of a table, which are given out as it says.
    Column(Column),
    /// What marks each message of a run, different for each; only the generator knows it.
    Message,
    /// What each user of a journey has taken; only the generator knows it.
    Kept {
        /// As it stands between the quotes of a JSON string.
        in_json: bool,
    },
}

/// What decides about values that are left to chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Draw {
    /// That of the plan and the place of the variable.
    pub seed: u64,
    /// Whether a user on a journey has another value each time, and not the same one from arrival to departure.
    pub anew: bool,
}

impl Values {
    /// Without the order in which they are taken.
    #[must_use]
    pub fn in_turn(&self) -> &Self {
        match self {
            Self::Shuffled { of, .. } | Self::Random { of, .. } => of.in_turn(),
            values => values,
        }
    }

    /// What decides about them, where each is left to chance, whichever came before.
    #[must_use]
    pub const fn draw(&self) -> Option<Draw> {
        match self {
            Self::Random { draw, .. } | Self::Uuid(draw) | Self::Text { draw, .. } => Some(*draw),
            Self::Range { .. }
            | Self::List(_)
            | Self::Shuffled { .. }
            | Self::Now(_)
            | Self::Column(_)
            | Self::Message
            | Self::Kept { .. } => None,
        }
    }

    /// Whether they are numbers wherever they stand.
    pub(crate) fn is_numeric(&self) -> bool {
        match self.in_turn() {
            Self::Range { .. } => true,
            Self::Now(now) => now.is_numeric(),
            _ => false,
        }
    }

    /// How many there are; `u64::MAX` also stands for the one range that is longer by one, and for what only the generator knows.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Range { from, to } => to.saturating_sub(*from).saturating_add(1),
            Self::List(texts) => texts.len() as u64,
            Self::Column(column) => column.table().count(),
            Self::Shuffled { of, .. } | Self::Random { of, .. } => of.count(),
            Self::Uuid(_) | Self::Text { .. } | Self::Now(_) | Self::Message | Self::Kept { .. } => u64::MAX,
        }
    }

    /// Whether the variable behind this one is the same as it stands in a JSON string.
    pub(crate) const fn has_json_behind(&self) -> bool {
        match self {
            Self::Kept { in_json } => !*in_json,
            Self::Column(column) => !column.in_json,
            Self::Range { .. }
            | Self::List(_)
            | Self::Shuffled { .. }
            | Self::Random { .. }
            | Self::Uuid(_)
            | Self::Text { .. }
            | Self::Now(_)
            | Self::Message => false,
        }
    }

    /// Appends the value of this index, from 0, to `out`; of a UUID and a text that of this random number. An index beyond the last appends nothing, and
    /// neither does what only the generator knows.
    pub fn append(&self, index: u64, out: &mut Vec<u8>) {
        match self {
            Self::Range { from, .. } => {
                let mut digits = [0; 20];
                let mut value = from.saturating_add(index);
                let mut begin = digits.len();
                loop {
                    begin -= 1;
                    digits[begin] = b'0' + (value % 10) as u8;
                    value /= 10;
                    if value == 0 {
                        break;
                    }
                }
                out.extend_from_slice(&digits[begin..]);
            }
            Self::List(texts) => {
                let text = usize::try_from(index).ok().and_then(|index| texts.get(index));
                out.extend_from_slice(text.map_or(b"", |text| text.reveal().as_bytes()));
            }
            Self::Shuffled { of, .. } | Self::Random { of, .. } => of.append(index, out),
            Self::Uuid(_) => append_uuid(index, out),
            Self::Text { length, characters, .. } => append_text(index, *length, characters, out),
            Self::Column(column) => column.append(index, out),
            Self::Now(_) | Self::Message | Self::Kept { .. } => {}
        }
    }
}

/// Which UUIDs a variable has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UuidKind {
    /// Of version 4.
    Random,
}

impl Notation for UuidKind {
    const EXPECTED: &'static str = "`random`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &[("random", Self::Random)])
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["random"] })
    }
}

/// Appends the UUID of a random number, whose bits are spread over both halves.
fn append_uuid(number: u64, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let high = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    let high = high & !0xf000 | 0x4000;
    let low = number & !(0b11 << 62) | 0b10 << 62;
    for (place, byte) in high.to_be_bytes().into_iter().chain(low.to_be_bytes()).enumerate() {
        if matches!(place, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        out.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
}

/// Appends a text of this random number: the numbers that follow from it (SplitMix64; Steele, Lea and Flood, 2014) say which characters it has.
fn append_text(number: u64, length: usize, characters: &[char], out: &mut Vec<u8>) {
    let mut state = number;
    for _ in 0..length {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let place = (u128::from(mixed) * characters.len() as u128) >> 64;
        let mut bytes = [0; 4];
        let character = characters.get(place as usize).copied().unwrap_or('x');
        out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_appended_by_index() {
        let text = |values: &Values, index| {
            let mut out = b"x".to_vec();
            values.append(index, &mut out);
            String::from_utf8(out).unwrap()
        };
        let range = Values::Range { from: 9, to: 11 };
        assert_eq!(range.count(), 3);
        assert_eq!([text(&range, 0), text(&range, 1)], ["x9", "x10"]);
        assert_eq!(
            text(
                &Values::Range {
                    from: u64::MAX,
                    to: u64::MAX
                },
                0
            ),
            "x18446744073709551615"
        );
        assert_eq!(text(&Values::Range { from: 0, to: 5 }, 0), "x0");
        assert_eq!(text(&Values::List(vec!["a".into(), "b".into()]), 1), "xb");
        let shuffled = Values::Shuffled {
            of: Box::new(range),
            seed: 7,
        };
        assert_eq!((shuffled.count(), text(&shuffled, 1).as_str()), (3, "x10"));
    }

    #[test]
    fn uuids_have_the_form_of_version_4() {
        let uuid = |index| {
            let mut out = Vec::new();
            Values::Uuid(Draw::default()).append(index, &mut out);
            String::from_utf8(out).expect("text")
        };
        for number in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let text = uuid(number);
            let lengths: Vec<usize> = text.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{text}");
            assert!(
                text.replace('-', "").bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{text}"
            );
            assert_eq!(&text[14..15], "4", "{text}");
            assert!("89ab".contains(&text[19..20]), "{text}");
        }
        assert_ne!(uuid(1), uuid(2));
    }

    #[test]
    fn texts_have_every_character_as_often() {
        let characters: Vec<char> = "abcdé".chars().collect();
        let values = Values::Text {
            length: 10_000,
            characters: characters.clone(),
            draw: Draw::default(),
        };
        let text = |number| {
            let mut out = Vec::new();
            values.append(number, &mut out);
            String::from_utf8(out).expect("text")
        };
        let counts = characters.iter().map(|character| text(7).matches(*character).count());
        // Five standard deviations of such a count.
        assert!(
            counts.clone().all(|count| count.abs_diff(2_000) < 200),
            "{:?}",
            counts.collect::<Vec<_>>()
        );
        assert!(text(7) == text(7) && text(7) != text(8));
    }
}
