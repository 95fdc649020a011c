//! Words for what Node.js itself does, and for whom.

use super::activity::activity;
use super::diagnosis::place;
use super::layers::{named, role};
use crate::figures::share;
use plimsoll_findings::{Activity, LayerRole, Registered, RuntimeCharge, RuntimeTime};

/// Title of the section.
pub(crate) const RUNTIME: &str = "What Node.js does, and for whom";
/// Heads of the table of activities.
pub(crate) const ACTIVITY_HEADS: [&str; 3] = ["activity", "share", "of it charged to no line"];
/// Heads of the table of lines.
pub(crate) const CHARGE_HEADS: [&str; 3] = ["for", "share", "mostly"];

/// Rows and activities that are worth their space where there is little.
pub(crate) const FEW: usize = 8;
/// What directories of packages are called.
const PACKAGES: &str = "node_modules/";
/// What is named of one charge, and the least share of it.
const NAMED_MAX: usize = 2;
const SHARE_MIN: f64 = 0.001;

/// How much it is.
pub(crate) fn runtime_share(time: &RuntimeTime) -> String {
    format!(
        "{} of the busy time in the CPU profile is Node.js itself, native code and collections",
        share(time.share)
    )
}

/// All of it by what is done: `streams 9 %, timers 3 %`.
pub(crate) fn activity_list(time: &RuntimeTime, most: usize) -> String {
    list(time.activities.iter().map(|time| (time.activity, time.share)), most)
}

/// A row for each activity, by [`ACTIVITY_HEADS`].
pub(crate) fn activity_rows(time: &RuntimeTime) -> impl Iterator<Item = [String; 3]> {
    let shown = time.activities.iter().filter(|time| time.share >= SHARE_MIN);
    shown.map(|time| {
        [
            activity(time.activity).to_owned(),
            share(time.share),
            share(time.uncharged_share),
        ]
    })
}

/// The costliest charges, by [`CHARGE_HEADS`]; in the last rows the others, and what no line is charged with.
pub(crate) fn charge_rows(time: &RuntimeTime, most: usize) -> Vec<[String; 3]> {
    let row = |charge: &RuntimeCharge| [charged_to(charge), share(charge.share), mostly(charge)];
    let mut rows: Vec<[String; 3]> = time.charges.iter().take(most).map(row).collect();
    let shown: f64 = time.charges.iter().take(most).map(|charge| charge.share).sum();
    let uncharged: f64 = time.activities.iter().map(|time| time.uncharged_share).sum();
    let others = time.share - shown - uncharged;
    if others >= SHARE_MIN {
        rows.push(["other lines".to_owned(), share(others), String::new()]);
    }
    if uncharged >= SHARE_MIN {
        let mut rest: Vec<(Activity, f64)> = time
            .activities
            .iter()
            .map(|time| (time.activity, time.uncharged_share))
            .collect();
        rest.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows.push([
            "no line".to_owned(),
            share(uncharged),
            list(rest.into_iter(), NAMED_MAX),
        ]);
    }
    rows
}

/// To whom all busy time is charged.
pub(crate) fn charged(time: &RuntimeTime) -> String {
    let all = &time.charged;
    let framework = match all.framework_share >= SHARE_MIN {
        true => format!(" ({} to those that run its code)", share(all.framework_share)),
        false => String::new(),
    };
    let estimated = match all.estimated_share >= SHARE_MIN {
        true => format!(", {} of it by estimate", share(all.estimated_share)),
        false => String::new(),
    };
    let listening = match all.listening_share >= SHARE_MIN {
        true => format!(
            ", {} of it to the line that listens, for which requests are read",
            share(all.listening_share)
        ),
        false => String::new(),
    };
    format!(
        "of all busy time, {} is charged to lines of the service and {} to lines of \
         packages{framework}{estimated}{listening}; {} to no line",
        share(all.application_share),
        share(all.package_share),
        share(all.rest_share)
    )
}

/// A charge in a line of text.
pub(crate) fn charge(of: &RuntimeCharge) -> String {
    format!("{}: {} ({})", charged_to(of), share(of.share), mostly(of))
}

fn charged_to(charge: &RuntimeCharge) -> String {
    let at = place(&charge.place);
    // Where packages lie is of no use; which file of which one is.
    let at = at.find(PACKAGES).map_or(at.as_str(), |from| &at[from..]);
    match &charge.registers {
        None => at.to_owned(),
        Some(Registered {
            role: LayerRole::Server,
            ..
        }) => format!("{at}, which listens"),
        Some(Registered { role: what, name }) => format!("{at}, which registers {} {}", role(*what), named(name)),
    }
}

fn mostly(charge: &RuntimeCharge) -> String {
    let parts = charge.activities.iter().map(|part| (part.activity, part.share));
    list(parts, NAMED_MAX)
}

fn list(parts: impl Iterator<Item = (Activity, f64)>, most: usize) -> String {
    let shown = parts.filter(|(_, part)| *part >= SHARE_MIN).take(most);
    let named: Vec<String> = shown
        .map(|(what, part)| format!("{} {}", activity(what), share(part)))
        .collect();
    named.join(", ")
}
