//! Arguments of a shock to its plan: the same load before and after it, and what disturbs the service in between.

use crate::args::ShockArgs;
use crate::base_load::{BaseLoad, constant};
use crate::exit::Failure;
use crate::held_plan::searches_nothing;
use crate::plan_source::{generator, named};
use plimsoll_lab::{Shock, ShockPlan};
use plimsoll_plan::{Limit, Load, Objective, OpenLoad, Plan, PlanDraft, Rate, duration_text};
use std::time::Duration;

/// What of a load line is offered before and after a shock, so that there is room to come back.
const SHARE_OF_LINE: f64 = 0.6;

pub(crate) fn shock(args: &ShockArgs) -> Result<(Plan, ShockPlan), Failure> {
    let mut plan = named(&args.plan)?;
    generator(&mut plan, &args.generator);
    searches_nothing(&mut plan);
    if plan.objectives.is_empty() {
        plan.objectives = Objective::defaults(&plan.target);
    }
    let shock = disturbance(args, &plan)?;
    let base = BaseLoad {
        rate: args.rate,
        line: args.line.as_ref(),
        poisson: args.poisson,
        share_of_line: SHARE_OF_LINE,
        what_for: " before and after the shock",
    };
    let (rate, arrivals) = base.of(&plan.load)?;
    let window = plan.judging.window;
    can_see(args.steady, &plan.objectives)?;
    for (flag, time, least) in [
        ("--for", args.lasts, window),
        ("--before", args.before, window),
        ("--after", args.after, args.steady.saturating_add(window)),
    ] {
        if time < least {
            return Err(Failure::bad_plan(format!(
                "found {flag} {}, expected at least {}",
                duration_text(time),
                duration_text(least)
            ))
            .hint(match flag {
                "--after" => {
                    "the service is watched for at least as long as it has to hold its objectives, and a window"
                }
                _ => "it takes at least a window; set `judging.window` in the plan for shorter ones",
            }));
        }
    }
    let lasts = match shock {
        Shock::Restart => Duration::ZERO,
        _ => args.lasts,
    };
    // No window is disturbed in part.
    let windows = args.before.as_nanos().div_ceil(window.as_nanos().max(1));
    let before = window.saturating_mul(u32::try_from(windows).unwrap_or(u32::MAX));
    let begins = plan.judging.warm_up.saturating_add(before);
    let segments = match &shock {
        Shock::Burst { times } => vec![
            constant(rate, begins),
            constant(Rate::from_f64_per_s(rate.as_f64_per_s() * times), lasts),
            constant(rate, args.after),
        ],
        _ => vec![constant(rate, begins.saturating_add(lasts).saturating_add(args.after))],
    };
    plan.load = Load::Open(OpenLoad { segments, arrivals });
    let planned = ShockPlan {
        shock,
        begins,
        lasts,
        steady: args.steady,
    };
    Ok((plan.validate()?, planned))
}

/// A request that waits for longer than an objective allows has to come to its end while the service has to be steady.
fn can_see(steady: Duration, objectives: &[Objective]) -> Result<(), Failure> {
    let bounds = objectives.iter().filter_map(|objective| match objective.limit {
        Limit::ResponseTime { max, .. } => Some(max),
        _ => None,
    });
    match bounds.max().filter(|longest| steady <= *longest) {
        None => Ok(()),
        Some(longest) => Err(Failure::bad_plan(format!(
            "found --steady {}, expected more than {}",
            duration_text(steady),
            duration_text(longest)
        ))
        .hint("a request that takes longer than its objective allows would not be seen in that time")),
    }
}

/// What disturbs the service; the arguments name one thing.
fn disturbance(args: &ShockArgs, plan: &PlanDraft) -> Result<Shock, Failure> {
    let neighbour = |name: &str| {
        let names: Vec<&str> = plan.target.beside.iter().map(|beside| beside.name.as_str()).collect();
        match names.contains(&name) {
            true => Ok(name.to_owned()),
            false => Err(
                Failure::bad_plan(format!("found the neighbour `{name}`, expected one of the plan")).hint(match names
                    .as_slice()
                {
                    [] => "the plan has none; name it in `target.beside`".to_owned(),
                    names => format!("the plan has {}", names.join(", ")),
                }),
            ),
        }
    };
    Ok(match (args.burst, &args.pause, &args.gone) {
        (Some(times), ..) => Shock::Burst { times },
        (_, Some(name), _) => Shock::NeighbourPaused { name: neighbour(name)? },
        (.., Some(name)) => Shock::NeighbourGone { name: neighbour(name)? },
        (None, None, None) if plan.target.command.is_some() => Shock::Restart,
        (None, None, None) => {
            return Err(Failure::bad_plan("--restart needs a service that plimsoll starts")
                .hint("give its command after `--`, or as `command` in the plan"));
        }
    })
}
