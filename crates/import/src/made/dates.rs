//! Formats of times as other tools write them, as plans have them.

/// How a tool writes the format of a time.
pub(super) struct Notation {
    /// A run of a letter, and what it is in a plan.
    letters: &'static [(&'static str, &'static str)],
    /// What stands around text that is no format.
    quotes: (char, char),
}

/// As the REST client of VS Code takes them from Day.js.
pub(super) const DAY_JS: Notation = Notation {
    letters: &[
        ("YYYY", "%Y"),
        ("YY", "%y"),
        ("MMMM", "%B"),
        ("MMM", "%b"),
        ("MM", "%m"),
        ("M", "%-m"),
        ("DD", "%d"),
        ("D", "%-d"),
        ("dddd", "%A"),
        ("ddd", "%a"),
        ("HH", "%H"),
        ("H", "%-H"),
        ("hh", "%I"),
        ("h", "%-I"),
        ("mm", "%M"),
        ("m", "%-M"),
        ("ss", "%S"),
        ("s", "%-S"),
        ("SSS", "%3f"),
        ("A", "%p"),
        ("Z", "+00:00"),
        ("ZZ", "+0000"),
        ("X", "%s"),
        ("x", "%s%3f"),
        // ISO 8601 is often written without brackets around its `T`.
        ("T", "T"),
    ],
    quotes: ('[', ']'),
};

/// As JMeter takes them from `SimpleDateFormat` and `DateTimeFormatter` of Java.
pub(super) const JAVA: Notation = Notation {
    letters: &[
        ("yyyy", "%Y"),
        ("YYYY", "%Y"),
        ("yy", "%y"),
        ("MMMM", "%B"),
        ("MMM", "%b"),
        ("MM", "%m"),
        ("M", "%-m"),
        ("dd", "%d"),
        ("d", "%-d"),
        ("DDD", "%j"),
        ("EEEE", "%A"),
        ("EEE", "%a"),
        ("E", "%a"),
        ("HH", "%H"),
        ("H", "%-H"),
        ("hh", "%I"),
        ("h", "%-I"),
        ("mm", "%M"),
        ("m", "%-M"),
        ("ss", "%S"),
        ("s", "%-S"),
        ("SSS", "%3f"),
        ("a", "%p"),
        ("Z", "+0000"),
        ("X", "Z"),
        ("XXX", "Z"),
        ("z", "UTC"),
    ],
    quotes: ('\'', '\''),
};

/// The same in a plan; `None` where it has something that plans have not.
pub(super) fn format(written: &str, notation: &Notation) -> Option<String> {
    let mut made = String::new();
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        if first == notation.quotes.0 {
            let (text, after) = rest[1..].split_once(notation.quotes.1)?;
            // Two quotes are one that is meant.
            made.push_str(&if text.is_empty() {
                "'".to_owned()
            } else {
                text.replace('%', "%%")
            });
            rest = after;
            continue;
        }
        let end = rest.find(|c| c != first).unwrap_or(rest.len());
        let run = &rest[..end];
        match notation.letters.iter().find(|(letters, _)| *letters == run) {
            Some((_, directive)) => made.push_str(directive),
            None if first.is_ascii_alphabetic() => return None,
            None => made.push_str(&run.replace('%', "%%")),
        }
        rest = &rest[end..];
    }
    made.contains('%').then_some(made)
}

/// A duration of ISO 8601 without years and months, such as `-P1DT2H`, as an offset of a plan.
pub(super) fn offset(written: &str) -> Option<String> {
    let (sign, rest) = match written.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', written.strip_prefix('+').unwrap_or(written)),
    };
    let (days, times) = match rest.strip_prefix('P')?.split_once('T') {
        Some((days, times)) => (days, times),
        None => (rest.strip_prefix('P')?, ""),
    };
    let mut made = String::from(sign);
    for (part, units) in [(days, "D"), (times, "HMS")] {
        let mut part = part;
        while !part.is_empty() {
            let end = part.find(|c: char| !c.is_ascii_digit())?;
            let unit = part[end..].chars().next().filter(|unit| units.contains(*unit))?;
            // A number without digits is none.
            let number: u32 = part[..end].parse().ok()?;
            made.push_str(&format!("{number}{}", unit.to_ascii_lowercase()));
            part = &part[end + 1..];
        }
    }
    (made.len() > 1).then_some(made)
}
