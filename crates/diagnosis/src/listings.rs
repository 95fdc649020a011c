//! The source of the functions that take most time by themselves, with the time of each line.

use crate::Case;
use plimsoll_findings::{ListedLine, Listing, Listings};
use plimsoll_measure::{FunctionTime, Profile, package_of};
use std::collections::HashMap;

pub(crate) fn listings(case: &Case<'_>) -> Option<Listings> {
    let profile = case.profile?;
    let functions = profile.functions_to_list();
    let functions: Vec<Listing> = functions
        .iter()
        .filter_map(|function| listing(case, profile, function))
        .collect();
    (!functions.is_empty()).then(|| Listings {
        over_s: round(case.span_us / 1e6),
        functions,
    })
}

/// `None` where the text of its lines is not known.
fn listing(case: &Case<'_>, profile: &Profile, of: &FunctionTime<'_>) -> Option<Listing> {
    let texts = profile.text.lines.get(&of.frame.file)?;
    let times: HashMap<u32, u64> = of.lines.iter().copied().collect();
    let line = |line: u32| {
        Some(ListedLine {
            line,
            text: texts.get(&line)?.clone(),
            ms: ms(times.get(&line).copied().unwrap_or(0)),
        })
    };
    let lines: Vec<ListedLine> = of.lines_to_list().into_iter().filter_map(line).collect();
    let has_time = lines.iter().any(|line| line.ms > 0.0);
    has_time.then(|| Listing {
        function: of.frame.function.clone(),
        file: case.places.path(&of.frame.file).to_owned(),
        line: of.frame.line,
        package: package_of(&of.frame.file).map(str::to_owned),
        ms: ms(of.self_us),
        share: case.share_of(of.self_us),
        lines,
    })
}

fn ms(us: u64) -> f64 {
    round(us as f64 / 1e3)
}

/// Three decimals are finer than what a sample says.
fn round(figure: f64) -> f64 {
    (figure * 1e3).round() / 1e3
}
