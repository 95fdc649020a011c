//! Arguments of `plimsoll check` to a comparison of the working tree with a revision.

use crate::args::{CheckArgs, PlanArgs, ServiceArgs};
use crate::commands::options;
use crate::compare_source::of_revisions;
use crate::exit::Failure;
use crate::plan_source::{generator, named};
use crate::rounds_source::rounds;
use crate::variant_draft::valid;
use plimsoll_lab::{Comparing, Gate, Revision, UNUSED_BLOCKS};
use std::path::PathBuf;
use std::time::Duration;

/// As many as a directory may have rounds for; the time ends a check before.
pub(crate) const MOST_BLOCKS: u32 = 264;
/// What a check has if nothing else is said.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(600);
/// Less would be over before there is anything to look at.
pub(crate) const LEAST_TIME: Duration = Duration::from_secs(30);

pub(crate) fn check(args: &CheckArgs) -> Result<Comparing, Failure> {
    if args.base.contains("..") {
        return Err(
            Failure::bad_plan(format!("--base: found the range {}, expected one revision", args.base))
                .hint("the working tree is what it is compared with; `plimsoll compare --rev` takes a range"),
        );
    }
    if args.within < LEAST_TIME {
        return Err(Failure::bad_plan(
            "--within: found less than 30 s, expected the time for some rounds of both revisions",
        )
        .hint("`plimsoll doctor --noise` says how long a check takes here"));
    }
    let threshold = args.threshold.value();
    if !(threshold > 0.0 && threshold < 1.0) {
        return Err(Failure::bad_plan(
            "--threshold: expected more than 0% and less than 100%",
        ));
    }
    let mut plan = named(&PlanArgs {
        plan: args.plan.clone(),
        objectives: Vec::new(),
        pid: None,
        service: ServiceArgs {
            stdout: None,
            ..args.service.clone()
        },
        command: args.command.clone(),
    })?;
    generator(&mut plan, &args.generator);
    let base = Revision::ForkedFrom(args.base.clone());
    let mut drafts = of_revisions("--base", [Some(base), None], &plan)?;
    let rounds = rounds(
        &args.load,
        args.generator.connections,
        args.plan.as_deref(),
        &mut drafts,
    )?;
    let variants = valid(drafts, &args.service)?;
    Ok(Comparing {
        name: variants[0].plan.name().to_owned(),
        blocks: MOST_BLOCKS,
        unused_blocks: UNUSED_BLOCKS,
        until: None,
        fail_if_worse: None,
        gate: Some(Gate {
            threshold,
            within_s: args.within.as_secs_f64(),
            fail_if_inconclusive: args.fail_if_inconclusive,
            looks: Vec::new(),
        }),
        variants,
        rounds,
        setup: args.setup.clone(),
        runs_dir: args.output.runs_dir.clone().unwrap_or_else(|| PathBuf::from("runs")),
        options: options(&args.generator, None),
        sweep: None,
        prediction: None,
    })
}
