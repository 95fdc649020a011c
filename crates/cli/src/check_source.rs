//! Arguments of `plimsoll check` to a comparison of the working tree with a revision.

use crate::args::{CheckArgs, PlanArgs, WatchedArgs};
use crate::commands::options;
use crate::compare_source::of_revisions;
use crate::exit::Failure;
use crate::rounds_source::rounds;
use crate::variant_draft::{base, valid};
use plimsoll_lab::{Comparing, Gate, HistoryFile, Revision, Rounds};
use plimsoll_plan::duration_text;
use std::time::Duration;

/// As many as a directory may have rounds for; the time ends a check before.
pub(crate) const MOST_BLOCKS: u32 = 264;
/// What a check has if nothing else is said.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(600);

/// A loss below this is not sure to be measured above what is never called worse.
const LEAST_THRESHOLD: f64 = 0.02;

pub(crate) fn check(args: &CheckArgs) -> Result<Comparing, Failure> {
    if args.base.contains("..") {
        return Err(
            Failure::bad_plan(format!("--base: found the range {}, expected one revision", args.base))
                .hint("the working tree is what it is compared with; `plimsoll compare --rev` takes a range"),
        );
    }
    let threshold = args.threshold.value();
    if !(LEAST_THRESHOLD..1.0).contains(&threshold) {
        return Err(Failure::bad_plan("--threshold: expected at least 2% and less than 100%").hint(
            "where code happens to lie in memory moves a service by up to 1%, so a change below that is never called worse",
        ));
    }
    let named = PlanArgs {
        plan: args.plan.clone(),
        objectives: Vec::new(),
        watched: WatchedArgs::default(),
        service: args.service.clone(),
        command: args.command.clone(),
    };
    let plan = base(named, &args.generator)?;
    let before = Revision::ForkedFrom(args.base.clone());
    let mut drafts = of_revisions("--base", [Some(before), None], &plan)?;
    let rounds = rounds(
        &args.load,
        args.generator.connections,
        args.plan.as_deref(),
        &mut drafts,
    )?;
    let history = args.history.clone().map(|path| HistoryFile {
        path,
        machine: args.machine.clone(),
    });
    if history.is_some() && matches!(rounds, Rounds::HalfOfThroughput(_)) {
        return Err(
            Failure::bad_plan("--history: found no rate, expected the same one in every check")
                .hint("without a plan file the rate is half of what the service can do on that day; set it with -R"),
        );
    }
    let variants = valid(drafts, &args.service)?;
    let comparing = Comparing {
        gate: Some(Gate {
            threshold,
            within_s: args.within.as_secs_f64(),
            fail_if_inconclusive: args.fail_if_inconclusive,
            looks: Vec::new(),
            before: None,
        }),
        history,
        rounds,
        setup: args.setup.clone(),
        options: options(&args.generator, &variants[0].plan, None)?,
        ..Comparing::of(variants, MOST_BLOCKS, args.output.runs_dir())
    };
    enough(
        "--within",
        args.within,
        &comparing,
        "`plimsoll doctor --noise` says how long a check takes here; -d and --warm-up make rounds shorter",
    )?;
    Ok(comparing)
}

/// Refuses a time that would be over before anything could be decided, whatever the rounds are like.
pub(crate) fn enough(option: &str, time: Duration, comparing: &Comparing, hint: &str) -> Result<(), Failure> {
    let least = comparing.least_time();
    if time >= least {
        return Ok(());
    }
    Err(Failure::bad_plan(format!(
        "{option}: found {}, expected at least {}, the time of the fewest rounds of both that decide anything",
        duration_text(time),
        duration_text(least)
    ))
    .hint(hint))
}
