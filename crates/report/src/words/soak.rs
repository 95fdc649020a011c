//! Words for what a soak saw of growth.

use super::diagnosis::place;
use crate::figures::{self, bytes, duration_ms, duration_us, length_s, number, share};
use plimsoll_findings::{
    Growth, KeptFinding, KeptLine, Slope, SoakFinding, TrendFinding, TrendOutcome, TrendQuantity, UndecidedBecause,
};

/// Title of the section.
pub(crate) const SOAK: &str = "Growth";

/// What may grow.
pub(crate) const fn quantity(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::KeptBytes => "kept memory",
        TrendQuantity::NativeBytes => "native memory",
        TrendQuantity::MemoryBytes => "resident memory",
        TrendQuantity::CpuUsPerRequest => "CPU per request",
        TrendQuantity::P99Ms => "p99",
        TrendQuantity::Descriptors => "descriptors",
    }
}

/// The same where there is little room.
const fn label(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::KeptBytes => "kept",
        TrendQuantity::NativeBytes => "native",
        TrendQuantity::MemoryBytes => "resident",
        TrendQuantity::CpuUsPerRequest => "cpu",
        of => quantity(of),
    }
}

/// Such a figure in its unit.
fn figure(of: TrendQuantity, value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    match of {
        TrendQuantity::KeptBytes | TrendQuantity::NativeBytes | TrendQuantity::MemoryBytes => {
            format!("{sign}{}", bytes(value.abs().round() as u64))
        }
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
pub(crate) fn trend(found: &TrendFinding) -> String {
    let Some(slope) = found.slope else {
        return match found.outcome {
            TrendOutcome::NotSeen
                if matches!(found.quantity, TrendQuantity::KeptBytes | TrendQuantity::NativeBytes) =>
            {
                "not known: only services that run Node.js are asked".to_owned()
            }
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
        matters_per_h,
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
        TrendOutcome::Unsettled if low > 0.0 => format!(
            "the heap has not found its size: grows by {}, and nothing of it is kept; interval {between}",
            per_h(of, by)
        ),
        TrendOutcome::Unsettled => format!("no verdict by itself, what the service keeps decides; interval {between}"),
        TrendOutcome::Undecided | TrendOutcome::NotSeen => match found.because {
            Some(because) => format!("undecided: {}; interval {between}", undecided(because, of)),
            None => format!(
                "undecided: too short; interval {between}, and {} would matter",
                per_h(of, matters_per_h)
            ),
        },
    }
}

/// Why growth that is seen accuses nobody.
fn undecided(because: UndecidedBecause, of: TrendQuantity) -> String {
    match because {
        UndecidedBecause::Little {
            grown_bytes,
            least_bytes,
        } => format!(
            "grew by {} so far, and young services may by {}",
            figure(of, grown_bytes),
            figure(of, least_bytes)
        ),
        UndecidedBecause::Fades => "too short: it grew, and by less in the second half of the time".to_owned(),
        UndecidedBecause::YoungHeap { least_s } => format!(
            "too short: a heap may take {} to find its size, and what is kept is not known",
            length_s(least_s)
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
    let each = soak.trends.iter().map(|found| (label(found.quantity), trend(found)));
    let kept = soak.kept.iter().flat_map(kept_facts);
    let how = format!(
        "watched for {} after the warm-up; intervals have a confidence of {}, and growth matters above {} of the mean in an hour",
        length_s(soak.watched_s),
        share(soak.confidence),
        share(soak.matters_share_per_h)
    );
    each.chain(kept).chain([("rule", how)]).collect()
}

/// Where to look for what grows, one sentence with its end.
pub(super) fn find_growth(of: TrendQuantity) -> &'static str {
    match of {
        TrendQuantity::KeptBytes => {
            "See who holds on to what the lines above ask for: a list or map that only grows, a cache without a bound, listeners, or \
             closures that outlive their request."
        }
        TrendQuantity::NativeBytes => {
            "Look for what native code keeps: handles that are never closed, native addons, or processes beside that grow; what JavaScript \
             holds is counted as kept."
        }
        TrendQuantity::MemoryBytes => {
            "See what the service keeps: `plimsoll soak` asks services that run on Node.js; of others, a heap dump of their runtime shows it."
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

/// A space that changed by less is not shown.
const CHANGE_BYTES_MIN: u64 = 1 << 20;

/// What the service said of its memory, with a word for each.
fn kept_facts(kept: &KeptFinding) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let changed = kept
        .spaces
        .iter()
        .filter(|space| space.first_bytes.abs_diff(space.last_bytes) >= CHANGE_BYTES_MIN);
    let spaces: Vec<String> = changed
        .map(|space| {
            let name = space.name.replace('_', " ");
            format!("{name} {} to {}", bytes(space.first_bytes), bytes(space.last_bytes))
        })
        .collect();
    if !spaces.is_empty() {
        facts.push(("spaces", spaces.join(", ")));
    }
    let outside = most_is_outside(kept);
    facts.extend(kept.lines.iter().map(|line| ("held by", held_by(line, outside))));
    let besides = match kept.processes_besides {
        0 => String::new(),
        1 => "; another process of it could not be asked, and its memory counts as native".to_owned(),
        many => format!("; {many} other processes of it could not be asked, and their memory counts as native"),
    };
    let unanswered = match kept.unanswered {
        0 => String::new(),
        many => format!("; no reply to {many} more"),
    };
    facts.push((
        "asked",
        format!(
            "{} collections of all garbage, the longest {}, in {}{besides}{unanswered}; windows with one are not judged",
            kept.collections,
            duration_ms(kept.longest_pause_ms),
            threads(kept),
        ),
    ));
    facts
}

fn threads(kept: &KeptFinding) -> String {
    let several = |count: u32, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let threads = several(kept.threads, "thread", "threads");
    match kept.processes {
        processes if processes == kept.threads => several(processes, "process", "processes"),
        processes => format!("{threads} of {}", several(processes, "process", "processes")),
    }
}

/// Whether most of what grew is outside of the heap, as the memory of buffers is.
fn most_is_outside(kept: &KeptFinding) -> bool {
    let grown = |outside: bool| {
        let spaces = kept.spaces.iter().filter(|space| space.name != "heap_committed");
        let spaces = spaces.filter(|space| (space.name == "external") == outside);
        let grown = spaces.map(|space| space.last_bytes.saturating_sub(space.first_bytes));
        grown.fold(0, u64::saturating_add)
    };
    grown(true) > grown(false)
}

/// Which line asked for what is still there.
fn held_by(line: &KeptLine, outside: bool) -> String {
    let what = if outside {
        " of handles, whose memory is outside of the heap,"
    } else {
        ""
    };
    let via = line.via.as_ref().map(|via| format!(", through {via}"));
    format!(
        "{}{}: {}{what} came and stayed, {} of all that did",
        place(&line.place),
        via.unwrap_or_default(),
        bytes(line.bytes),
        share(line.share)
    )
}
