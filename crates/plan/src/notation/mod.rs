//! How a value is written as text. Each kind of value has one notation, in plans, in other documents that are read as they are,
//! and on the command line.

pub(crate) mod command_line;
pub(crate) mod csv;
pub(crate) mod encoding;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod excerpt;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod mismatch;
pub(crate) mod reader;
pub(crate) mod refusal;
pub(crate) mod syntax;
pub(crate) mod tree;
pub(crate) mod units;
pub(crate) mod written;

pub use command_line::split_command;
pub use error::{PlanError, Source};
pub use keys::keys_of;
pub use mismatch::{Mismatch, quoted};
pub use reader::{ReadFile, Reader};
pub use syntax::read_document;
pub use units::{Rate, Share};
pub use written::{At, Entries, Field, Given, OneOrMany, Place, Written};

use schemars::{Schema, json_schema};

/// A value that is written as one scalar.
pub trait Notation: Sized {
    /// Completes "expected …".
    const EXPECTED: &'static str;

    /// Whether `null` in a plan is a word like any other, and not the absence of a value.
    const NULL_IS_A_WORD: bool = false;

    /// Whether such a value is never a secret, so that complaints may repeat it.
    const PLAIN: bool = true;

    /// Reads all of `text`.
    fn read(text: &str) -> Result<Self, Mismatch>;

    /// JSON Schema of the notation.
    fn schema() -> Schema;

    /// `text` is not in this notation.
    fn mismatch(text: &str) -> Mismatch {
        let mismatch = Mismatch::new(quoted(text), Self::EXPECTED);
        if Self::PLAIN { mismatch.plain() } else { mismatch }
    }

    /// The same, with the suggestion of `instead` where that is in this notation.
    fn suggest(text: &str, instead: &str) -> Mismatch {
        let mismatch = Self::mismatch(text);
        match Self::read(instead) {
            Ok(_) => mismatch.hint(format!("did you mean `{instead}`?")),
            Err(_) => mismatch,
        }
    }
}

impl Notation for String {
    const EXPECTED: &'static str = "text";
    const PLAIN: bool = false;

    fn read(text: &str) -> Result<Self, Mismatch> {
        Ok(text.to_owned())
    }

    fn schema() -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

impl Notation for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &[("true", true), ("false", false)])
    }

    fn schema() -> Schema {
        json_schema!({ "type": "boolean" })
    }
}

impl Notation for u16 {
    const EXPECTED: &'static str = "a whole number from 0 to 65535";

    fn read(text: &str) -> Result<Self, Mismatch> {
        whole_number(text)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": u16::MAX })
    }
}

impl Notation for u32 {
    const EXPECTED: &'static str = "a whole number from 0 to 4294967295";

    fn read(text: &str) -> Result<Self, Mismatch> {
        whole_number(text)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
    }
}

impl Notation for u64 {
    const EXPECTED: &'static str = "a whole number from 0 to 18446744073709551615";

    fn read(text: &str) -> Result<Self, Mismatch> {
        whole_number(text)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": u64::MAX })
    }
}

/// Digits only: `+5` and `0x5` are refused, as they are nowhere else a number.
fn whole_number<T: Notation + std::str::FromStr>(text: &str) -> Result<T, Mismatch> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(T::mismatch(text));
    }
    text.parse().map_err(|_| T::mismatch(text))
}

/// The value that `words` gives for `text`.
pub fn keyword<T: Notation + Copy>(text: &str, words: &[(&str, T)]) -> Result<T, Mismatch> {
    match words.iter().find(|(word, _)| *word == text) {
        Some(&(_, value)) => Ok(value),
        None => Err(T::mismatch(text).nearest(text, words.iter().map(|(word, _)| *word))),
    }
}

/// A non-negative decimal number such as `12` or `0.5`, exact: `mantissa / 10^decimals`.
#[derive(Debug, Clone, Copy)]
pub struct Decimal {
    /// Its digits.
    pub mantissa: u128,
    /// How many of them are behind the point.
    pub decimals: u32,
}

impl Decimal {
    /// The number that `text` begins with, and what follows it. `None` when there is none, or one of more than 20
    /// digits, which nobody means.
    #[must_use]
    pub fn split_from(text: &str) -> Option<(Self, &str)> {
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, rest) = text.split_at(end);
        let (whole, fraction) = match number.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (number, ""),
        };
        // `.5` is a half, `.` is nothing.
        if whole.len() + fraction.len() > 20 || number.is_empty() {
            return None;
        }
        let mantissa = format!("{whole}{fraction}").parse().ok()?;
        Some((
            Self {
                mantissa,
                decimals: fraction.len() as u32,
            },
            rest,
        ))
    }

    /// Times `factor`, when that is a whole number.
    pub(crate) fn times_exactly(self, factor: u128) -> Option<u128> {
        let product = self.mantissa.checked_mul(factor)?;
        let divisor = 10_u128.pow(self.decimals);
        product.is_multiple_of(divisor).then_some(product / divisor)
    }
}
