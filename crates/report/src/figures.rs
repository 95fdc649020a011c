//! Figures as people read them: three significant digits, a unit that suits the size, thousands apart.

use plimsoll_findings::Crowd;

/// An exact number: `1,234,567`.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many of something: `1 request`, `2 requests`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(number))
}

/// A figure without a unit: whole from 100 on, three significant digits below.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let size = value.abs();
    let sign = if value < 0.0 { "-" } else { "" };
    // Exact up to 2^53, far beyond any rate.
    if size >= 99.95 {
        return format!("{sign}{}", count(size.round() as u64));
    }
    let decimals = match size {
        s if s >= 9.995 => 1,
        s if s >= 0.9995 => 2,
        _ => 3,
    };
    format!("{sign}{}", trim(&format!("{size:.decimals$}")))
}

/// A figure without a unit that may be far below 1: three significant digits down to a millionth.
pub(crate) fn small(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || size >= 0.0995 || !value.is_finite() {
        return number(value);
    }
    // 0.0123 has one zero after the point, 0.00123 two.
    let zeros = (-size.log10()).floor().clamp(0.0, 12.0) as usize;
    trim(&format!("{value:.*}", zeros + 3)).to_owned()
}

/// An amount of money: two decimals, none from 10,000 on, three significant digits below 1.
pub(crate) fn amount(value: f64) -> String {
    if !value.is_finite() || value < 0.995 {
        return small(value);
    }
    if value >= 9_999.995 {
        return number(value);
    }
    let hundredths = (value * 100.0).round() as u64;
    format!("{}.{:02}", count(hundredths / 100), hundredths % 100)
}

/// A rate: `4,870 req/s`.
pub(crate) fn rate(per_s: f64) -> String {
    format!("{} req/s", number(per_s))
}

/// A rate of users: `120 users/s`.
pub(crate) fn users(per_s: f64) -> String {
    format!("{} users/s", number(per_s))
}

/// Users at a time: `1,200 users`.
pub(crate) fn concurrent(users: f64) -> String {
    at_a_time(Crowd::Users, users)
}

/// So many of them: `1,200 connections`.
pub(crate) fn at_a_time(of: Crowd, number: f64) -> String {
    format!("{} {}", count(number.round() as u64), crowd(of))
}

pub(crate) const fn crowd(of: Crowd) -> &'static str {
    match of {
        Crowd::Users => "users",
        Crowd::Connections => "connections",
    }
}

/// A rate of users or of requests.
pub(crate) fn rate_of(users: bool, per_s: f64) -> String {
    if users { self::users(per_s) } else { rate(per_s) }
}

/// A duration given in milliseconds, in µs, ms or s.
pub(crate) fn duration_ms(ms: f64) -> String {
    if !ms.is_finite() {
        return "-".to_owned();
    }
    match ms.abs() {
        0.0 => "0 ms".to_owned(),
        size if size < 0.9995 => format!("{} µs", significant(ms * 1e3)),
        size if size < 999.5 => format!("{} ms", significant(ms)),
        _ => format!("{} s", significant(ms / 1e3)),
    }
}

/// A duration given in microseconds.
pub(crate) fn duration_us(us: f64) -> String {
    duration_ms(us / 1e3)
}

/// The length of a run: `8.4 s`, `1 min 24 s`, `2 h 5 min`.
pub(crate) fn length_s(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "-".to_owned();
    }
    if seconds < 9.95 {
        return format!("{} s", trim(&format!("{seconds:.1}")));
    }
    let whole = seconds.round() as u64;
    match (whole / 3600, whole % 3600 / 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, 0) => format!("{m} min"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, 0, _) => format!("{} h", count(h)),
        (h, m, _) => format!("{} h {m} min", count(h)),
    }
}

/// A share of 1 in per cent. What is not quite all or not quite nothing never rounds to it.
pub(crate) fn share(share: f64) -> String {
    if !share.is_finite() {
        return "-".to_owned();
    }
    let percent = share * 100.0;
    match percent {
        0.0 => "0%".to_owned(),
        p if p > 0.0 && p < 0.0005 => "<0.001%".to_owned(),
        p if p > 0.0 && p < 0.0995 => format!("{}%", trim(&format!("{p:.3}"))),
        p if p > 0.0 && p < 9.995 => format!("{}%", trim(&format!("{p:.2}"))),
        p if (99.95..100.0).contains(&p) => ">99.9%".to_owned(),
        p => format!("{}%", trim(&format!("{p:.1}"))),
    }
}

/// A change by a share of 1 in per cent, with its sign and one decimal: `+12.1%`.
pub(crate) fn signed_share(share: f64) -> String {
    if !share.is_finite() {
        return "-".to_owned();
    }
    let text = format!("{:+.1}%", share * 100.0);
    match text.as_str() {
        "+0.0%" | "-0.0%" => "0.0%".to_owned(),
        _ => text,
    }
}

/// An amount of memory as it is written in a plan: `400MiB`, `1500MB`.
pub(crate) fn exact_bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 7] = [
        ("TiB", 1 << 40),
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
        ("GB", 1_000_000_000),
        ("MB", 1_000_000),
        ("kB", 1_000),
    ];
    let whole = |&&(_, unit): &&(&str, u64)| bytes > 0 && bytes.is_multiple_of(unit);
    let (name, unit) = UNITS.iter().find(whole).unwrap_or(&("B", 1));
    format!("{}{name}", bytes / unit)
}

/// Bytes in binary units.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", significant(value), UNITS[unit])
}

/// What stands for a figure that is not known.
pub(crate) fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// A figure drawn, where it is known.
pub(crate) fn known<T>(figure: Option<T>, draw: impl FnOnce(T) -> String) -> String {
    or_dash(figure.map(draw))
}

/// Three significant digits; whole from 100 on.
fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    if decimals == 0 {
        number(value)
    } else {
        format!("{value:.decimals$}")
    }
}

/// Without needless zeros after the point.
fn trim(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// What these figures have to read like.
    const CASES: &str = include_str!("../tests/figures.json");

    type Draw = fn(&Value) -> String;

    const ALL: [(&str, Draw); 8] = [
        ("count", |v| count(whole(v))),
        ("number", |v| number(float(v))),
        ("duration_ms", |v| duration_ms(float(v))),
        ("length_s", |v| length_s(float(v))),
        ("share", |v| share(float(v))),
        ("signed_share", |v| signed_share(float(v))),
        ("bytes", |v| bytes(whole(v))),
        ("small", |v| small(float(v))),
    ];

    fn float(value: &Value) -> f64 {
        value.as_f64().expect("a number")
    }

    fn whole(value: &Value) -> u64 {
        value.as_f64().expect("a number").abs().round() as u64
    }

    #[test]
    fn figures_read_well() {
        let cases: Value = serde_json::from_str(CASES).expect("the cases are JSON");
        for (name, draw) in ALL {
            for case in cases[name].as_array().expect("there are cases of this name") {
                assert_eq!(Value::from(draw(&case[0])), case[1], "{name} of {}", case[0]);
            }
        }
    }

    /// Figures of every size, among them those next to and at the bounds where the number of digits changes or where two
    /// roundings are as near.
    fn of_every_size() -> Vec<f64> {
        let digits = [
            1.0, 1.125, 1.25, 1.375, 2.5, 3.2, 4.5, 6.25, 7.0625, 8.5, 9.5, 9.95, 9.994, 9.995, 9.9951, 9.9996,
        ];
        let powers = (-6..=10).flat_map(|power| digits.map(|digits| digits * 10_f64.powi(power)));
        let halves = (0..40).map(|n| f64::from(n) / 8.0);
        let binary = (0..50).map(|power| 2_f64.powi(power) * 1.25);
        let all: Vec<f64> = powers.chain(halves).chain(binary).collect();
        all.iter().flat_map(|&value| [value, -value]).collect()
    }

    /// The charts of the report page draw figures themselves; its tests hold them to this file.
    /// `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report` writes it.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes its own file")]
    fn committed_figures_are_those_of_these_functions() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/figures-of-every-size.json");
        let of = |name: &str, draw: Draw| {
            let is_whole = matches!(name, "count" | "bytes");
            let is_signed = matches!(name, "number" | "duration_ms" | "signed_share" | "small");
            let drawn = of_every_size()
                .into_iter()
                .filter(|&value| is_signed || value.is_sign_positive());
            let drawn = drawn.map(|value| {
                let value = if is_whole { value.round() } else { value };
                let figure = draw(&Value::from(value));
                format!("{}", Value::from(vec![Value::from(value), Value::from(figure)]))
            });
            format!("\"{name}\": [\n{}\n]", drawn.collect::<Vec<_>>().join(",\n"))
        };
        let text = format!("{{\n{}\n}}\n", ALL.map(|(name, draw)| of(name, draw)).join(",\n"));
        if std::env::var_os("PLIMSOLL_WRITE_SAMPLES").is_some() {
            std::fs::write(path, &text).expect("the file can be written");
        }
        let committed = std::fs::read_to_string(path).expect("the figures are committed");
        assert!(committed == text, "write them anew, as the comment of this test says");
    }

    #[test]
    fn amounts_have_decimals_where_they_matter() {
        for (value, text) in [
            (0.0, "0"),
            (0.013_333, "0.0133"),
            (0.12, "0.12"),
            (0.994, "0.994"),
            (0.996, "1.00"),
            (788.4, "788.40"),
            (9_999.99, "9,999.99"),
            (9_999.996, "10,000"),
            (6_407_458.2, "6,407,458"),
        ] {
            assert_eq!(amount(value), text);
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(number(f64::NAN), "-");
        assert_eq!(duration_ms(f64::INFINITY), "-");
        assert_eq!(share(f64::NAN), "-");
        assert_eq!(signed_share(f64::NAN), "-");
    }
}
