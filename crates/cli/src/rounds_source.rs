//! What rounds of variants offer, from arguments and the plan.

use crate::args::RoundArgs;
use crate::exit::Failure;
use crate::held_plan::searches_nothing;
use crate::plan_source::DEFAULT_PLAN;
use crate::variant_draft::VariantDraft;
use plimsoll_lab::Rounds;
use plimsoll_plan::{Arrivals, ClosedLoad, Load, OpenLoad};
use std::path::Path;
use std::time::Duration;

const JUDGED: Duration = Duration::from_secs(4);
const WARM_UP: Duration = Duration::from_secs(2);
const CONNECTIONS: u32 = 50;

/// Gives all variants the same load, and says what their rounds are. `plan` is what was named, if anything was.
pub(crate) fn rounds(
    args: &RoundArgs,
    connections: Option<u32>,
    plan: Option<&str>,
    variants: &mut [VariantDraft],
) -> Result<Rounds, Failure> {
    let judged = args.duration.unwrap_or(JUDGED);
    let warm_up = args.warm_up.unwrap_or(WARM_UP);
    let whole = judged + warm_up;
    for variant in variants.iter_mut() {
        searches_nothing(&mut variant.plan);
        let judging = &mut variant.plan.judging;
        judging.warm_up = warm_up;
        judging.window = judging.window.min(judged);
    }
    let from_file = match plan {
        Some(path) => !path.contains("://"),
        None => Path::new(DEFAULT_PLAN).is_file(),
    };
    let load = match (args.rate, &variants[0].plan.load) {
        (Some(rate), planned) => {
            let planned = match planned {
                Load::Open(open) => open.arrivals,
                Load::Closed(_) | Load::Hold(_) => Arrivals::default(),
            };
            Load::Open(OpenLoad::constant(rate, whole, arrivals(args, planned)))
        }
        (None, _) if args.closed => Load::Closed(ClosedLoad {
            connections: connections.unwrap_or(CONNECTIONS),
            duration: Some(whole),
            requests: None,
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        }),
        (None, _) if !from_file => return Ok(Rounds::HalfOfThroughput(whole)),
        (None, Load::Open(open)) => match open.segments.as_slice() {
            [only] if only.from == only.to => {
                Load::Open(OpenLoad::constant(only.from, whole, arrivals(args, open.arrivals)))
            }
            _ => return Err(stages_are_not_constant()),
        },
        (None, Load::Closed(closed)) if !closed.stages.is_empty() => return Err(stages_are_not_constant()),
        (None, Load::Closed(closed)) => Load::Closed(ClosedLoad {
            duration: Some(whole),
            requests: None,
            ..closed.clone()
        }),
        (None, Load::Hold(_)) => {
            return Err(
                Failure::bad_plan("the plan holds connections, but a comparison needs requests")
                    .hint("set a rate with -R"),
            );
        }
    };
    for variant in variants.iter_mut() {
        variant.plan.load.clone_from(&load);
    }
    Ok(Rounds::Load)
}

fn stages_are_not_constant() -> Failure {
    Failure::bad_plan("the load of the plan has stages, but rounds need one constant rate").hint("set the rate with -R")
}

fn arrivals(args: &RoundArgs, planned: Arrivals) -> Arrivals {
    if args.poisson { Arrivals::Poisson } else { planned }
}
