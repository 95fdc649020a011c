//! Words for what a soak saw of growth.

use crate::figures::{self, bytes, duration_ms, duration_us, length_s, number, share};
use plimsoll_findings::{Growth, Slope, SoakFinding, TrendFinding, TrendOutcome, TrendQuantity};

/// Title of the section.
pub(crate) const SOAK: &str = "Growth";

/// What may grow.
pub(crate) const fn quantity(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::MemoryBytes => "memory",
        TrendQuantity::CpuUsPerRequest => "CPU per request",
        TrendQuantity::P99Ms => "p99",
        TrendQuantity::Descriptors => "descriptors",
    }
}

/// The same where there is little room.
const fn label(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::CpuUsPerRequest => "cpu",
        of => quantity(of),
    }
}

/// Such a figure in its unit.
fn figure(of: TrendQuantity, value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    match of {
        TrendQuantity::MemoryBytes => format!("{sign}{}", bytes(value.abs().round() as u64)),
        TrendQuantity::CpuUsPerRequest => duration_us(value),
        TrendQuantity::P99Ms => duration_ms(value),
        TrendQuantity::Descriptors => number(value),
    }
}

fn per_h(of: TrendQuantity, value: f64) -> String {
    format!("{} per hour", figure(of, value))
}

/// Several of them, in a sentence.
pub(super) fn listed(quantities: &[TrendQuantity]) -> String {
    let names: Vec<_> = quantities.iter().map(|one| quantity(*one)).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// What grows, and by how much.
pub(super) fn growing(growth: &[Growth]) -> String {
    let by = |growth: &Growth| {
        let by = per_h(growth.quantity, growth.per_h);
        format!("{} by {by}", quantity(growth.quantity))
    };
    growth.iter().map(by).collect::<Vec<_>>().join(", ")
}

/// What a trend comes to.
pub(crate) fn trend(found: &TrendFinding, soak: &SoakFinding) -> String {
    let Some(slope) = found.slope else {
        return match found.outcome {
            TrendOutcome::NotSeen => "not seen".to_owned(),
            _ => "undecided: too short".to_owned(),
        };
    };
    let of = found.quantity;
    let Slope {
        mean,
        per_h: by,
        low_per_h: low,
        high_per_h: high,
    } = slope;
    let between = format!("{} to {}", figure(of, low), per_h(of, high));
    match found.outcome {
        TrendOutcome::Grows => format!(
            "grows by {}, {} of its mean of {}; interval {between}",
            per_h(of, by),
            of_mean(by, mean),
            figure(of, mean)
        ),
        TrendOutcome::Steady if high <= 0.0 => format!("does not grow; its mean is {}", figure(of, mean)),
        TrendOutcome::Steady => format!(
            "does not grow by more than {}, {} of its mean of {}",
            per_h(of, high),
            of_mean(high, mean),
            figure(of, mean)
        ),
        TrendOutcome::Undecided | TrendOutcome::NotSeen => format!(
            "undecided: too short; interval {between}, and {} would matter",
            per_h(of, soak.matters_share_per_h * mean)
        ),
    }
}

fn of_mean(part: f64, mean: f64) -> String {
    match mean > 0.0 {
        true => share(part / mean),
        false => figures::or_dash(None),
    }
}

/// What is said of growth, with a word for each.
pub(crate) fn soak_facts(soak: &SoakFinding) -> Vec<(&'static str, String)> {
    let each = soak
        .trends
        .iter()
        .map(|found| (label(found.quantity), trend(found, soak)));
    let how = format!(
        "watched for {} after the warm-up; intervals have a confidence of {}, and growth matters above {} of the mean in an hour",
        length_s(soak.watched_s),
        share(soak.confidence),
        share(soak.matters_share_per_h)
    );
    each.chain([("rule", how)]).collect()
}

/// Where to look for what grows, one sentence with its end.
pub(super) fn find_growth(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::MemoryBytes => {
            "Take two heap snapshots some minutes apart under this load, with `node --heapsnapshot-signal=SIGUSR2`, and compare them: what \
             has more instances in the second one is kept by somebody."
        }
        TrendQuantity::CpuUsPerRequest | TrendQuantity::P99Ms => {
            "Look for what gets longer with every request, such as a list that is searched, a cache without a bound, or listeners that are \
             added; `plimsoll diagnose` at this rate names what costs time."
        }
        TrendQuantity::Descriptors => {
            "See in /proc/PID/fd what stays open: sockets to a neighbour that are never closed, or files."
        }
    }
}
