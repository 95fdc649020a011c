//! Arguments of `plimsoll scale` to sizes and what their rounds are.

use crate::args::{PlanArgs, ScaleArgs, WatchedArgs};
use crate::commands::options;
use crate::exit::Failure;
use crate::held_plan::searches_nothing;
use crate::plan_source::{generator, named};
use crate::variant_draft::must_be_started;
use plimsoll_lab::{Comparing, Sweep, UNUSED_BLOCKS_OF_LONG, VariantPlan};
use plimsoll_plan::{ClosedLoad, Command, Load, PlanDraft};
use std::time::Duration;

const CONNECTIONS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const WORKERS: [u32; 4] = [1, 2, 3, 4];
const JUDGED: Duration = Duration::from_secs(3);
const WARM_UP: Duration = Duration::from_secs(1);
/// Fewer leave nothing to tell the three parameters of the law from chance.
const LEAST_SIZES: usize = 4;
/// Of each worker, where sizes are workers.
const CONNECTIONS_OF_WORKERS: u32 = 64;
const PLACE: &str = "{n}";

pub(crate) fn scale(args: &ScaleArgs) -> Result<Comparing, Failure> {
    let mut plan = named(&PlanArgs {
        plan: args.plan.clone(),
        objectives: Vec::new(),
        watched: WatchedArgs::default(),
        service: args.service.clone(),
        command: args.command.clone(),
    })?;
    generator(&mut plan, &args.generator);
    searches_nothing(&mut plan);
    let in_command = plan
        .target
        .command
        .as_ref()
        .is_some_and(|command| command.argv.iter().any(|word| word.reveal().contains(PLACE)));
    let of_workers = in_command || args.env.is_some();
    if args.env.is_some() {
        must_be_started("--env", &plan)?;
    }
    let sizes = sizes(args, of_workers)?;
    let mut variants = Vec::new();
    for &size in &sizes {
        let plan = sized(&plan, args, size, of_workers).validate()?;
        let what = plan.target().command.as_ref().map(Command::shown);
        variants.push(VariantPlan {
            name: size.to_string(),
            what: what.unwrap_or_default(),
            plan,
            revision: None,
            without: None,
        });
    }
    let sizes_of = if of_workers { "workers" } else { "connections" };
    Ok(Comparing {
        unused_blocks: UNUSED_BLOCKS_OF_LONG,
        options: options(&args.generator, &variants[0].plan, None)?,
        sweep: Some(Sweep {
            sizes_of: sizes_of.to_owned(),
            sizes,
        }),
        ..Comparing::of(variants, args.rounds, args.output.runs_dir())
    })
}

fn sizes(args: &ScaleArgs, of_workers: bool) -> Result<Vec<u32>, Failure> {
    let mut sizes = match args.at.as_slice() {
        [] if of_workers => WORKERS.to_vec(),
        [] => CONNECTIONS.to_vec(),
        given => given.to_vec(),
    };
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < LEAST_SIZES {
        return Err(
            Failure::bad_plan(format!("found {} sizes, expected at least {LEAST_SIZES}", sizes.len()))
                .hint("the fit has three parameters; give more sizes, such as --at 1,2,4,8"),
        );
    }
    Ok(sizes)
}

fn sized(plan: &PlanDraft, args: &ScaleArgs, size: u32, of_workers: bool) -> PlanDraft {
    let mut plan = plan.clone();
    let judged = args.duration.unwrap_or(JUDGED);
    let warm_up = args.warm_up.unwrap_or(WARM_UP);
    plan.judging.warm_up = warm_up;
    plan.judging.window = plan.judging.window.min(judged);
    let connections = if of_workers {
        args.generator.connections.unwrap_or(CONNECTIONS_OF_WORKERS)
    } else {
        size
    };
    plan.load = Load::Closed(ClosedLoad {
        connections,
        duration: Some(judged + warm_up),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    if let (true, Some(command)) = (of_workers, &mut plan.target.command) {
        for word in &mut command.argv {
            *word = word.map(|word| word.replace(PLACE, &size.to_string()));
        }
        if let Some(name) = &args.env {
            command.set_env(name, size.to_string());
        }
    }
    plan
}
