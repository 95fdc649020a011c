//! The time at which something is due, as a text.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::duration_text;
use schemars::{Schema, json_schema};
use std::fmt;
use std::io::Write as _;
use std::time::Duration;

/// A time as a text: how it is written, and how long before or after now it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    pub(crate) format: TimeFormat,
    pub(crate) offset: Offset,
}

impl Now {
    /// Appends the time that is now, `unix_ns` after the beginning of 1970 in UTC, without leap seconds.
    pub fn append(&self, unix_ns: u64, out: &mut Vec<u8>) {
        let ns = i128::from(unix_ns) + self.offset.ns();
        let moment = Moment::of(ns);
        for piece in &self.format.pieces {
            moment.append(piece, out);
        }
    }

    /// Whether it is a number wherever it stands.
    pub(crate) fn is_numeric(&self) -> bool {
        matches!(self.format.text.as_str(), SECONDS | MILLISECONDS)
    }

    /// A text that has every character which any time may have in the places of this format, but for other digits and letters.
    pub(crate) fn sample(&self) -> String {
        // The 4th of February 2001: a number of one digit wherever that is shorter.
        let mut text = Vec::new();
        let sample = Self {
            format: self.format.clone(),
            offset: Offset::default(),
        };
        sample.append(981_255_967_008_000_000, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }
}

const SECONDS: &str = "seconds";
const MILLISECONDS: &str = "milliseconds";
const ISO: &str = "iso8601";

/// How a time is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeFormat {
    /// As the plan has it.
    pub(crate) text: String,
    pieces: Vec<TimePiece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TimePiece {
    Text(String),
    /// A number of at least so many digits.
    Number(Field, usize),
    Weekday {
        short: bool,
    },
    MonthName {
        short: bool,
    },
    Half,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Year,
    YearOfCentury,
    Month,
    Day,
    DayOfYear,
    Hour,
    HourOfHalf,
    Minute,
    Second,
    Millisecond,
    /// Seconds since 1970.
    Epoch,
}

impl Notation for TimeFormat {
    const EXPECTED: &'static str = "`seconds`, `milliseconds`, `iso8601`, or a format such as `%Y-%m-%d`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let format = match text {
            SECONDS => "%s",
            MILLISECONDS => "%s%3f",
            ISO => "%Y-%m-%dT%H:%M:%S.%3fZ",
            format if format.contains('%') => format,
            _ => return Err(Self::mismatch(text).nearest(text, [SECONDS, MILLISECONDS, ISO])),
        };
        Ok(Self {
            text: text.to_owned(),
            pieces: pieces(format)?,
        })
    }

    fn schema() -> Schema {
        json_schema!({
            "anyOf": [{ "enum": [SECONDS, MILLISECONDS, ISO] }, { "type": "string", "pattern": "%" }],
            "examples": [SECONDS, MILLISECONDS, ISO, "%Y-%m-%d"],
        })
    }
}

fn pieces(format: &str) -> Result<Vec<TimePiece>, Mismatch> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        push_text(&mut pieces, before);
        let (piece, length) = directive(after)?;
        match piece {
            TimePiece::Text(text) => push_text(&mut pieces, &text),
            piece => pieces.push(piece),
        }
        rest = &after[length..];
    }
    push_text(&mut pieces, rest);
    Ok(pieces)
}

fn push_text(pieces: &mut Vec<TimePiece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(TimePiece::Text(last)) => last.push_str(text),
        _ => pieces.push(TimePiece::Text(text.to_owned())),
    }
}

/// What stands behind a `%`, as `strftime` has it, and how long it is.
fn directive(text: &str) -> Result<(TimePiece, usize), Mismatch> {
    if text.starts_with("3f") {
        return Ok((TimePiece::Number(Field::Millisecond, 3), 2));
    }
    // Without zeros in front.
    let is_short = text.starts_with('-');
    let letter = text.chars().nth(usize::from(is_short)).unwrap_or_default();
    let number = |field, digits| TimePiece::Number(field, if is_short { 1 } else { digits });
    let piece = match letter {
        'Y' => number(Field::Year, 4),
        'y' => number(Field::YearOfCentury, 2),
        'm' => number(Field::Month, 2),
        'd' => number(Field::Day, 2),
        'j' => number(Field::DayOfYear, 3),
        'H' => number(Field::Hour, 2),
        'I' => number(Field::HourOfHalf, 2),
        'M' => number(Field::Minute, 2),
        'S' => number(Field::Second, 2),
        's' => number(Field::Epoch, 1),
        'A' | 'a' if !is_short => TimePiece::Weekday { short: letter == 'a' },
        'B' | 'b' if !is_short => TimePiece::MonthName { short: letter == 'b' },
        'p' if !is_short => TimePiece::Half,
        '%' if !is_short => TimePiece::Text("%".to_owned()),
        _ => {
            let shown: String = text.chars().take(1 + usize::from(is_short)).collect();
            let expected =
                "one of %Y %y %m %d %j %H %I %M %S %3f %p %A %a %B %b %s, such as in `%Y-%m-%d`; `%%` is a `%`";
            return Err(Mismatch::new(quoted(&format!("%{shown}")), expected));
        }
    };
    Ok((piece, letter.len_utf8() + usize::from(is_short)))
}

/// How long after now a time is, or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offset {
    pub(crate) is_before: bool,
    pub(crate) length: Duration,
}

/// The year has four digits then, from any day of this century on.
const LONGEST_OFFSET: Duration = Duration::from_secs(36_525 * 86_400);

impl Offset {
    fn ns(self) -> i128 {
        let ns = self.length.as_nanos() as i128;
        if self.is_before { -ns } else { ns }
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_before { '-' } else { '+' };
        write!(f, "{sign}{}", duration_text(self.length))
    }
}

impl Notation for Offset {
    const EXPECTED: &'static str = "an offset such as +1d or -90m";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let (is_before, rest) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err(Self::mismatch(text).hint(format!("did you mean `+{text}`?"))),
        };
        let length = Duration::read(rest.trim_start()).map_err(|_| Self::mismatch(text))?;
        if length > LONGEST_OFFSET {
            return Err(Mismatch::new(quoted(text), "an offset of at most 36525d"));
        }
        Ok(Self { is_before, length })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"^[+-] *[0-9]", "examples": ["+1d", "-90m"] })
    }
}

/// A moment in UTC, by its parts.
struct Moment {
    year: i64,
    /// From 1.
    month: usize,
    day: i64,
    /// Days since the beginning of the year, from 1.
    day_of_year: i64,
    /// From Sunday.
    weekday: usize,
    second_of_day: i64,
    ms: i64,
    unix_s: i64,
}

const DAY_S: i64 = 86_400;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

impl Moment {
    fn of(ns: i128) -> Self {
        let unix_s = ns.div_euclid(1_000_000_000) as i64;
        let ms = ns.rem_euclid(1_000_000_000) as i64 / 1_000_000;
        let days = unix_s.div_euclid(DAY_S);
        let (year, month, day) = date(days);
        Self {
            year,
            month,
            day,
            day_of_year: days - days_before(year, 1, 1) + 1,
            // The first day of 1970 was a Thursday.
            weekday: (days + 4).rem_euclid(7) as usize,
            second_of_day: unix_s.rem_euclid(DAY_S),
            ms,
            unix_s,
        }
    }

    fn append(&self, piece: &TimePiece, out: &mut Vec<u8>) {
        let short = |name: &'static str, is_short| if is_short { &name[..3] } else { name };
        match piece {
            TimePiece::Text(text) => out.extend_from_slice(text.as_bytes()),
            TimePiece::Weekday { short: is_short } => {
                out.extend_from_slice(short(WEEKDAYS[self.weekday], *is_short).as_bytes());
            }
            TimePiece::MonthName { short: is_short } => {
                out.extend_from_slice(short(MONTHS[self.month - 1], *is_short).as_bytes());
            }
            TimePiece::Half => out.extend_from_slice(if self.second_of_day < DAY_S / 2 { b"AM" } else { b"PM" }),
            TimePiece::Number(field, digits) => {
                // A Vec takes everything.
                let _ = write!(out, "{:0digits$}", self.number(*field));
            }
        }
    }

    fn number(&self, field: Field) -> i64 {
        let hour = self.second_of_day / 3_600;
        match field {
            Field::Year => self.year,
            Field::YearOfCentury => self.year.rem_euclid(100),
            Field::Month => self.month as i64,
            Field::Day => self.day,
            Field::DayOfYear => self.day_of_year,
            Field::Hour => hour,
            Field::HourOfHalf => (hour + 11) % 12 + 1,
            Field::Minute => self.second_of_day / 60 % 60,
            Field::Second => self.second_of_day % 60,
            Field::Millisecond => self.ms,
            Field::Epoch => self.unix_s,
        }
    }
}

/// Year, month and day so many days after the first of 1970, in the Gregorian calendar: years are counted from March on, so that the day that some of them
/// have more is their last one, and in cycles of 400, each of which has as many days.
fn date(days: i64) -> (i64, usize, i64) {
    const CYCLE_DAYS: i64 = 146_097;
    // From the first of March of the year 0.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(CYCLE_DAYS), days.rem_euclid(CYCLE_DAYS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 31, 30, 31, 30, 31 days, and so again: 153 for five.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (cycle * 400 + year + later, month as usize, day)
}

/// The reverse of [`date`].
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let (cycle, year_of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    cycle * 146_097 + year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(format: &str, offset: &str, unix_ns: u64) -> String {
        let now = Now {
            format: TimeFormat::read(format).expect("a format"),
            offset: Offset::read(offset).expect("an offset"),
        };
        let mut out = Vec::new();
        now.append(unix_ns, &mut out);
        String::from_utf8(out).expect("text")
    }

    /// As `date --utc --date=@… +…` of GNU prints them.
    #[test]
    fn times_are_written_as_their_format_says() {
        const NS: u64 = 1_000_000_000;
        for (format, offset, unix_ns, expected) in [
            ("seconds", "+0s", 1_700_000_000 * NS, "1700000000"),
            ("milliseconds", "+0s", 1_700_000_000 * NS + 7_999_999, "1700000000007"),
            ("iso8601", "+0s", 1_700_000_000 * NS, "2023-11-14T22:13:20.000Z"),
            ("iso8601", "+1d", 1_709_164_800 * NS, "2024-03-01T00:00:00.000Z"),
            ("%Y-%m-%d", "+0s", 1_709_164_800 * NS, "2024-02-29"),
            ("%Y-%m-%d %j", "-1d", 1_735_689_600 * NS, "2024-12-31 366"),
            (
                "%a, %d %b %Y %H:%M:%S GMT",
                "+0s",
                784_111_777 * NS,
                "Sun, 06 Nov 1994 08:49:37 GMT",
            ),
            (
                "%A %B %-d %-H %I %p %y %%",
                "+0s",
                784_111_777 * NS,
                "Sunday November 6 8 08 AM 94 %",
            ),
            ("%I %p", "+12h", 784_080_000 * NS, "12 PM"),
            ("%I %p", "+0s", 784_080_000 * NS, "12 AM"),
            ("%Y-%m-%dT%H:%M:%S.%3f", "-1ms", 0, "1969-12-31T23:59:59.999"),
        ] {
            assert_eq!(text(format, offset, unix_ns), expected, "{format}");
        }
        for wrong in ["minutes", "", "%", "%Q", "%-p", "%f", "%3"] {
            assert!(TimeFormat::read(wrong).is_err(), "{wrong}");
        }
        for wrong in ["1d", "", "+", "+1", "+40000d", "-x"] {
            assert!(Offset::read(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn dates_follow_each_other(days in -1_000_000..1_000_000_i64) {
            let (year, month, day) = date(days);
            prop_assert_eq!(days_before(year, month as i64, day), days);
            let next = date(days + 1);
            let is_next = next == (year, month, day + 1) || next.2 == 1 && (next.1 == month + 1 || (month, next.1) == (12, 1));
            prop_assert!(is_next, "{next:?}");
        }
    }
}
