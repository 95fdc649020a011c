//! Arguments of a soak to its plan: one rate for a long time.

use crate::args::SoakArgs;
use crate::base_load::{BaseLoad, constant};
use crate::exit::Failure;
use crate::held_plan::searches_nothing;
use crate::plan_source::{generator, named};
use plimsoll_plan::{Load, Objective, OpenLoad, Plan, duration_text};
use std::time::Duration;

/// What of a load line is offered: much, and within what the service carries.
const SHARE_OF_LINE: f64 = 0.8;
/// The first part of the time, in which a service fills its caches and its heap, is not judged.
const WARM_UP_ONE_IN: u32 = 10;
/// Below, no slope is seen.
const LEAST: Duration = Duration::from_secs(60);

pub(crate) fn soak(args: &SoakArgs) -> Result<Plan, Failure> {
    let mut plan = named(&args.plan)?;
    generator(&mut plan, &args.generator);
    searches_nothing(&mut plan);
    if plan.objectives.is_empty() {
        plan.objectives = Objective::defaults(&plan.target);
    }
    if args.duration < LEAST {
        return Err(Failure::bad_plan(format!(
            "found --duration {}, expected at least {}",
            duration_text(args.duration),
            duration_text(LEAST)
        ))
        .hint("growth shows in hours; a leak of 1 MB a minute takes about 10 minutes to be told from noise"));
    }
    let base = BaseLoad {
        rate: args.rate,
        line: args.line.as_ref(),
        poisson: args.poisson,
        share_of_line: SHARE_OF_LINE,
        what_for: "",
    };
    let (rate, arrivals) = base.of(&plan.load)?;
    plan.judging.warm_up = plan.judging.warm_up.max(args.duration / WARM_UP_ONE_IN);
    plan.load = Load::Open(OpenLoad {
        segments: vec![constant(rate, args.duration)],
        arrivals,
    });
    Ok(plan.validate()?)
}
