//! What is asked about the number of instances that a demand needs.

use crate::notation::mismatch::Mismatch;
use crate::notation::units::{Rate, Share, fixed_point};
use crate::notation::{Decimal, Notation};
use schemars::{Schema, json_schema};
use std::fmt;

/// What is asked about the number of instances that a demand needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// Arrivals per second that all instances carry together; without one, nothing is asked.
    pub demand: Option<Rate>,
    /// Share of the load line that is kept free in each instance.
    pub headroom: Share,
    /// What an instance costs.
    pub price: Option<Price>,
}

impl Default for Sizing {
    /// Three tenths of the line are kept free.
    fn default() -> Self {
        Self {
            demand: None,
            headroom: Share::percent(30),
            price: None,
        }
    }
}

/// What one instance costs per hour, exact, in a unit that is kept as it was written. Written `0.12/h`, `0.12 EUR/h` or `$0.12/h`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    mantissa: u128,
    decimals: u32,
    before: String,
    after: String,
}

/// Longest unit, characters.
const LONGEST_UNIT: usize = 12;

impl Price {
    /// So many times the price, rounded once to the nearest number.
    #[must_use]
    pub fn times(&self, count: u64) -> f64 {
        // 10^20 * 2^64 overflows, which is a price that nobody pays.
        self.mantissa.saturating_mul(count.into()) as f64 / 10_f64.powi(self.decimals.cast_signed())
    }

    /// What was written before the number, up to the number itself; empty or a unit.
    #[must_use]
    pub fn before(&self) -> &str {
        &self.before
    }

    /// What was written after the number; empty or a unit.
    #[must_use]
    pub fn after(&self) -> &str {
        &self.after
    }

    /// Whether it is free.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.mantissa == 0
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = fixed_point(self.mantissa, self.decimals);
        write!(f, "{}{number}{}/h", self.before, self.after)
    }
}

/// Reads a price per hour such as `0.12/h`, `0.12 EUR/h` or `$0.12/h`.
///
/// # Errors
/// When `text` is no number with at most one unit before `/h`.
pub fn parse_price(text: &str) -> Result<Price, Mismatch> {
    Price::read(text)
}

impl Notation for Price {
    const EXPECTED: &'static str = "a price per hour such as 0.12/h, 0.12 EUR/h or $0.12/h";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let trimmed = text.trim();
        let Some(amount) = trimmed.strip_suffix("/h").map(str::trim_end) else {
            let bare = trimmed.split('/').next().unwrap_or_default().trim_end();
            return Err(Self::suggest(text, &format!("{bare}/h")));
        };
        let mismatch = || Self::mismatch(text);
        let begin = amount
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .ok_or_else(mismatch)?;
        let (before, rest) = amount.split_at(begin);
        let (number, after) = Decimal::split_from(rest).ok_or_else(mismatch)?;
        let valid = match (before.trim(), after.trim()) {
            ("", "") => true,
            (unit, "") | ("", unit) => is_unit(unit),
            _ => false,
        };
        if !valid {
            return Err(mismatch());
        }
        let Decimal {
            mut mantissa,
            mut decimals,
        } = number;
        while decimals > 0 && mantissa.is_multiple_of(10) {
            (mantissa, decimals) = (mantissa / 10, decimals - 1);
        }
        Ok(Self {
            mantissa,
            decimals,
            before: spaced(before),
            after: spaced(after),
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"^[^0-9./-]*([0-9]+(\.[0-9]+)?|\.[0-9]+)[^0-9./-]*/h$" })
    }
}

/// A word or a sign of a currency.
fn is_unit(unit: &str) -> bool {
    let is_sign = |c| matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}');
    unit.chars().count() <= LONGEST_UNIT && unit.chars().all(|c| c.is_alphabetic() || is_sign(c))
}

/// With one space where there are any.
fn spaced(text: &str) -> String {
    let unit = text.trim();
    let space = |is_there| if is_there && !unit.is_empty() { " " } else { "" };
    let begins = text.starts_with(char::is_whitespace);
    let ends = text.ends_with(char::is_whitespace);
    format!("{}{unit}{}", space(begins), space(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_exact_and_keep_their_unit() {
        for (text, printed, twelve) in [
            ("0.12/h", "0.12/h", 1.44),
            (" 0.120 /h", "0.12/h", 1.44),
            ("$0.12/h", "$0.12/h", 1.44),
            ("US$ 0.12/h", "US$ 0.12/h", 1.44),
            ("0.12 EUR/h", "0.12 EUR/h", 1.44),
            ("0.12  EUR /h", "0.12 EUR/h", 1.44),
            ("3€/h", "3€/h", 36.0),
            (".5 credits/h", "0.5 credits/h", 6.0),
            ("0.1/h", "0.1/h", 1.2),
        ] {
            let price = parse_price(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(price.to_string(), printed, "{text}");
            assert_eq!(price.times(12), twelve, "{text}");
            assert_eq!(parse_price(printed), Ok(price), "{text}");
        }
    }

    #[test]
    fn what_is_no_price_per_hour_is_refused() {
        for (text, hint) in [
            ("0.12", Some("did you mean `0.12/h`?")),
            ("0.12 EUR", Some("did you mean `0.12 EUR/h`?")),
            ("0.12/hour", Some("did you mean `0.12/h`?")),
            ("86/month", Some("did you mean `86/h`?")),
            ("-0.12/h", None),
            ("-0.12", None),
            ("/h", None),
            ("EUR/h", None),
            ("$0.12 USD/h", None),
            ("1,200/h", None),
            ("0.12 per instance/h", None),
            ("0.12\u{202e}/h", None),
            ("", None),
        ] {
            let error = parse_price(text).expect_err(text);
            assert_eq!(error.hint_text(), hint, "{text}");
        }
    }
}
