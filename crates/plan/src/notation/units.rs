//! Units that are types, and how they are written.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::{Decimal, Notation};
use schemars::{Schema, json_schema};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// An arrival rate, exact to one millionth of a request per second. Written `1000/s`, `1.5k/s`, `60/min`, or `1000`,
/// which is per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate {
    micro_per_s: u64,
}

impl Rate {
    /// No arrivals.
    pub const ZERO: Self = Self { micro_per_s: 0 };

    /// The greatest rate that a plan may ask for: 10 million per second.
    pub const MAX: Self = Self::per_s(10_000_000);

    /// Whole requests per second.
    #[must_use]
    pub const fn per_s(requests: u32) -> Self {
        Self {
            micro_per_s: requests as u64 * 1_000_000,
        }
    }

    /// Millionths of a request per second.
    #[must_use]
    pub const fn from_micro_per_s(micro_per_s: u64) -> Self {
        Self { micro_per_s }
    }

    /// Nearest representable rate; negative and non-finite values become zero.
    #[must_use]
    pub fn from_f64_per_s(per_s: f64) -> Self {
        // A float-to-integer cast saturates, and NaN becomes 0.
        Self {
            micro_per_s: (per_s * 1e6).round() as u64,
        }
    }

    /// Millionths of a request per second.
    #[must_use]
    pub const fn micro_per_s(self) -> u64 {
        self.micro_per_s
    }

    /// Requests per second.
    #[must_use]
    pub fn as_f64_per_s(self) -> f64 {
        self.micro_per_s as f64 / 1e6
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/s", fixed_point(self.micro_per_s.into(), 6))
    }
}

/// Reads a rate such as `1000/s`, `1.5k/s`, `60/min` or `1000` (per second), rounded to the nearest millionth per
/// second.
///
/// # Errors
/// When `text` is no rate, or one above [`Rate::MAX`].
pub fn parse_rate(text: &str) -> Result<Rate, Mismatch> {
    Rate::read(text)
}

impl Notation for Rate {
    const EXPECTED: &'static str = "a rate such as 1000/s, 1.5k/s or 60/min";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let (number, unit) = Decimal::split_from(text.trim()).ok_or_else(mismatch)?;
        let unit = unit.trim_start();
        let (factor, unit) = match unit.strip_prefix('k') {
            Some(rest) => (1_000, rest),
            None => unit.strip_prefix('M').map_or((1, unit), |rest| (1_000_000, rest)),
        };
        let seconds = match unit.trim_start() {
            "" | "/s" => 1,
            "/m" | "/min" => 60,
            "/h" => 3_600,
            _ => return Err(mismatch()),
        };
        // 10^20 * 10^6 * 10^6 fits.
        let divisor = 10_u128.pow(number.decimals) * seconds;
        let micro_per_s = (number.mantissa * factor * 1_000_000 + divisor / 2) / divisor;
        match u64::try_from(micro_per_s).map(Self::from_micro_per_s) {
            Ok(rate) if rate <= Self::MAX => Ok(rate),
            _ => Err(Mismatch::new(quoted(text), format!("a rate of at most {}", Self::MAX))),
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "number"],
            "pattern": r"^([0-9]+(\.[0-9]+)?|\.[0-9]+)[kM]?(/(s|m|min|h))?$",
            "minimum": 0,
            "maximum": 10_000_000,
        })
    }
}

/// How much of something is offered, exact to one millionth: a rate, or a number of users. What searches for it does not know which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Level {
    micro: u64,
}

impl Level {
    /// Nothing.
    pub const ZERO: Self = Self { micro: 0 };

    /// Wholes of its unit.
    #[must_use]
    pub const fn whole(number: u32) -> Self {
        Self {
            micro: number as u64 * 1_000_000,
        }
    }

    /// Millionths of its unit.
    #[must_use]
    pub const fn from_micro(micro: u64) -> Self {
        Self { micro }
    }

    /// Nearest level; negative and non-finite values become zero.
    #[must_use]
    pub fn from_f64(value: f64) -> Self {
        // A float-to-integer cast saturates, and NaN becomes 0.
        Self {
            micro: (value * 1e6).round() as u64,
        }
    }

    /// Millionths of its unit.
    #[must_use]
    pub const fn micro(self) -> u64 {
        self.micro
    }

    /// In its unit.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.micro as f64 / 1e6
    }

    /// The rate, where it is one.
    #[must_use]
    pub const fn rate(self) -> Rate {
        Rate::from_micro_per_s(self.micro)
    }

    /// The number, where it is one of users; what is beyond that is cut off.
    #[must_use]
    pub fn number(self) -> u32 {
        u32::try_from(self.micro / 1_000_000).unwrap_or(u32::MAX)
    }
}

impl From<Rate> for Level {
    fn from(rate: Rate) -> Self {
        Self {
            micro: rate.micro_per_s(),
        }
    }
}

/// A part of a whole, 0 to 1. Written `90%`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Share(f64);

impl Share {
    /// `None` outside 0 to 1.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0.0 into 0.0, so that equal shares are written equally.
        (0.0..=1.0).contains(&value).then_some(Self(value + 0.0))
    }

    /// 0 to 100, clamped into that range.
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        Self(if percent > 100 { 1.0 } else { percent as f64 / 100.0 })
    }

    /// 0 to 1.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// In percent, without the sign: the shortest decimal number that reads back as the same share.
    pub(crate) fn percent_text(self) -> String {
        let shortest = format!("{}", self.0);
        let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
        let digits = format!("{whole}{fraction:0<2}");
        let (whole, fraction) = digits.split_at(whole.len() + 2);
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        if fraction.is_empty() {
            whole.to_owned()
        } else {
            format!("{whole}.{fraction}")
        }
    }

    /// The inverse of [`Share::percent_text`]; `None` when `percent` is no number or outside 0 to 100.
    pub(crate) fn from_percent_text(percent: &str) -> Option<Self> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let (whole, fraction) = percent.split_once('.').unwrap_or((percent, "0"));
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        // Shifting the decimal point in the text keeps the result the nearest to what was written.
        Self::new(f64::from_str(&format!("{percent}e-2")).ok()?)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent_text())
    }
}

/// Reads a share such as `90%` or `99.9%`.
///
/// # Errors
/// When `text` is no percentage from 0 to 100.
pub fn parse_share(text: &str) -> Result<Share, Mismatch> {
    Share::read(text)
}

impl Notation for Share {
    const EXPECTED: &'static str = "a share from 0% to 100% such as 90%";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let share = text
            .trim()
            .strip_suffix('%')
            .and_then(|percent| Self::from_percent_text(percent.trim_end()));
        share.ok_or_else(|| match f64::from_str(text) {
            Ok(number) if (0.0..=1.0).contains(&number) => Self::suggest(text, &format!("{}%", number * 100.0)),
            Ok(number) if (0.0..=100.0).contains(&number) => Self::suggest(text, &format!("{}%", text.trim())),
            _ => Self::mismatch(text),
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?%$" })
    }
}

/// Longest unit first, so that a duration is written in the one that leaves a whole number.
const UNITS_NS: [(&str, u128); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Reads a duration such as `30s`, `250ms`, `1.5h` or `1m30s`. Units: d, h, m (or min), s, ms, us (or µs), ns.
///
/// # Errors
/// When `text` is no duration, not a whole number of nanoseconds, or longer than 292 years.
pub fn parse_duration(text: &str) -> Result<Duration, Mismatch> {
    Duration::read(text)
}

/// `duration` as [`parse_duration`] reads it, in the largest unit that leaves a whole number: `1m`, `1500ms`.
#[must_use]
pub fn duration_text(duration: Duration) -> String {
    let ns = duration.as_nanos();
    if ns == 0 {
        return "0s".to_owned();
    }
    let whole = |&&(_, unit_ns): &&(&str, u128)| ns.is_multiple_of(unit_ns);
    match UNITS_NS.iter().find(whole) {
        Some((unit, unit_ns)) => format!("{}{unit}", ns / unit_ns),
        None => format!("{ns}ns"),
    }
}

impl Notation for Duration {
    const EXPECTED: &'static str = "a duration such as 30s or 250ms";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let mut rest = text.trim();
        let mut ns: u128 = 0;
        loop {
            let (number, after) = Decimal::split_from(rest).ok_or_else(mismatch)?;
            let after = after.trim_start();
            let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            let unit = match unit {
                "min" => "m",
                "µs" | "μs" => "us",
                "" if after.is_empty() => return Err(Self::suggest(text, &format!("{}s", text.trim()))),
                unit => unit,
            };
            let unit_ns = UNITS_NS.iter().find(|(name, _)| *name == unit).ok_or_else(mismatch)?.1;
            let part = number
                .times_exactly(unit_ns)
                .ok_or_else(|| Mismatch::new(quoted(text), "a whole number of nanoseconds"))?;
            ns = ns.saturating_add(part);
            rest = after.trim_start();
            if rest.is_empty() {
                break;
            }
        }
        match u64::try_from(ns) {
            Ok(ns) if i64::try_from(ns).is_ok() => Ok(Self::from_nanos(ns)),
            _ => Err(Mismatch::new(quoted(text), "a duration of at most 292 years")),
        }
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"^(([0-9]+(\.[0-9]+)?|\.[0-9]+)(d|h|m|min|s|ms|us|µs|ns))+$" })
    }
}

/// `value / 10^decimals`, without trailing zeros.
pub(crate) fn fixed_point(value: u128, decimals: u32) -> String {
    let divisor = 10_u128.pow(decimals);
    let fraction = format!("{:0width$}", value % divisor, width = decimals as usize);
    match fraction.trim_end_matches('0') {
        "" => (value / divisor).to_string(),
        fraction => format!("{}.{fraction}", value / divisor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rates_are_exact_to_a_millionth() {
        for (text, micro_per_s) in [
            ("1000/s", 1_000_000_000),
            ("1000", 1_000_000_000),
            ("60/min", 1_000_000),
            ("1/min", 16_667),
            ("1/m", 16_667),
            (".5/s", 500_000),
            (".5k", 500_000_000),
            ("7200/h", 2_000_000),
            ("1.5k/s", 1_500_000_000),
            ("0.25M/s", 250_000_000_000),
            ("333.333/s", 333_333_000),
            (" 5 /s ", 5_000_000),
            ("0", 0),
        ] {
            assert_eq!(parse_rate(text).map(Rate::micro_per_s), Ok(micro_per_s), "{text}");
        }
        for text in [
            "",
            "k",
            "-1/s",
            "1/parsec",
            "1.",
            ".",
            "./s",
            "1e3",
            "10000001/s",
            "100000000000000000000000/s",
            "1 2/s",
        ] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_have_units() {
        for (text, ns) in [
            ("30s", 30_000_000_000),
            ("250ms", 250_000_000),
            ("1m30s", 90_000_000_000),
            ("1.5h", 5_400_000_000_000),
            ("2 min", 120_000_000_000),
            ("3µs", 3_000),
            ("7ns", 7),
            ("0s", 0),
            ("1d", 86_400_000_000_000),
            (".5s", 500_000_000),
            ("1m.5s", 60_500_000_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_nanos(ns)), "{text}");
        }
        for text in [
            "",
            "5",
            "s",
            ".",
            ".s",
            "-1s",
            "1parsec",
            "0.5ns",
            "1s1",
            "300000000d",
            "1S",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        for (text, hint) in [
            ("5", Some("did you mean `5s`?")),
            (" 1m30 ", Some("did you mean `1m30s`?")),
            ("00:00:01", None),
            ("5 5", None),
            ("0.00000000001", None),
            ("99999999999", None),
        ] {
            assert_eq!(parse_duration(text).unwrap_err().hint_text(), hint, "{text}");
        }
        assert_eq!(duration_text(Duration::from_millis(1500)), "1500ms");
        assert_eq!(duration_text(Duration::from_secs(90)), "90s");
        assert_eq!(duration_text(Duration::from_secs(120)), "2m");
        assert_eq!(duration_text(Duration::ZERO), "0s");
    }

    #[test]
    fn shares_are_percentages() {
        for (text, value) in [
            ("90%", 0.9),
            ("99.9%", 0.999),
            ("0%", 0.0),
            ("100%", 1.0),
            ("0.1 %", 0.001),
            ("99.99%", 0.9999),
        ] {
            assert_eq!(parse_share(text), Ok(Share(value)), "{text}");
        }
        for text in ["", "90", "0.9", "101%", "-1%", "%"] {
            assert!(parse_share(text).is_err(), "{text}");
        }
        assert_eq!(Share::percent(5).to_string(), "5%");
        assert_eq!(Share(0.999).to_string(), "99.9%");
        assert_eq!(Share(1.0).to_string(), "100%");
        assert_eq!(Share(0.0).to_string(), "0%");
        assert_eq!(Share(0.000_01).to_string(), "0.001%");
    }

    proptest! {
        #[test]
        fn units_read_back_as_they_were_written(micro in 0_u64..=10_000_000_000_000, ns in 0_u64..=i64::MAX as u64, share in 0.0..=1.0_f64) {
            let rate = Rate::from_micro_per_s(micro);
            prop_assert_eq!(parse_rate(&rate.to_string()), Ok(rate));
            let duration = Duration::from_nanos(ns);
            prop_assert_eq!(parse_duration(&duration_text(duration)), Ok(duration));
            let share = Share(share);
            prop_assert_eq!(parse_share(&share.to_string()), Ok(share));
        }
    }
}
