//! Arguments of `plimsoll compare` to variants and what their rounds are.

use crate::args::{CompareArgs, PlanArgs, ServiceArgs, Setting};
use crate::commands::options;
use crate::exit::Failure;
use crate::plan_source::{DEFAULT_PLAN, DEFAULT_URL, generator, named};
use crate::prediction_source::prediction;
use plimsoll_lab::{Comparing, Rounds, UNUSED_BLOCKS, UNUSED_BLOCKS_OF_LONG, VariantPlan};
use plimsoll_plan::{Arrivals, ClosedLoad, Command, Load, OpenLoad, PlanDraft, Shown, Target, split_command};
use plimsoll_target::Removal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rounds of each variant, and their length: two and a half minutes for two variants.
const ROUNDS: u32 = 12;
const JUDGED: Duration = Duration::from_secs(4);
const WARM_UP: Duration = Duration::from_secs(2);
/// A search takes about a minute.
const ROUNDS_OF_SEARCHES: u32 = 4;
const CONNECTIONS: u32 = 50;

pub(crate) fn compare(args: &CompareArgs) -> Result<Comparing, Failure> {
    let mut drafts = variants(args)?;
    let rounds = rounds(args, &mut drafts)?;
    let mut variants = Vec::new();
    for mut draft in drafts {
        if let (Some(stdout), Some(command)) = (args.service.stdout, &mut draft.plan.target.command) {
            command.stdout = stdout.into();
        }
        variants.push(VariantPlan {
            name: draft.name,
            what: draft.what,
            plan: draft.plan.validate()?,
            revision: draft.revision,
            without: draft.without,
        });
    }
    let runs_dir = args.output.runs_dir.clone().unwrap_or_else(|| PathBuf::from("runs"));
    let diagnosis = args.diagnosis.as_deref();
    if diagnosis.is_some() && variants.len() > 2 {
        return Err(Failure::bad_plan("--diagnosis needs exactly two variants")
            .hint("compare only the diagnosed service and the fixed one"));
    }
    let prediction = diagnosis.map(|directory| prediction(directory, args.fixed.as_deref()));
    Ok(Comparing {
        name: variants[0].plan.name().to_owned(),
        blocks: args.rounds.unwrap_or(match rounds {
            Rounds::LoadLine => ROUNDS_OF_SEARCHES,
            Rounds::Load | Rounds::HalfOfThroughput(_) => ROUNDS,
        }),
        unused_blocks: match rounds {
            Rounds::LoadLine => UNUSED_BLOCKS_OF_LONG,
            Rounds::Load | Rounds::HalfOfThroughput(_) => UNUSED_BLOCKS,
        },
        until: None,
        fail_if_worse: args.fail_if_worse.map(plimsoll_plan::Share::value),
        variants,
        rounds,
        setup: args.setup.clone(),
        runs_dir,
        options: options(&args.generator, None),
        sweep: None,
        prediction: prediction.transpose()?,
    })
}

/// A variant of which the plan is not complete yet.
struct VariantDraft {
    name: String,
    what: Shown,
    plan: PlanDraft,
    revision: Option<String>,
    without: Option<Vec<Removal>>,
}

fn variants(args: &CompareArgs) -> Result<Vec<VariantDraft>, Failure> {
    if args.plans.len() > 1 {
        return plans(args);
    }
    let plan = plan(args, args.plans.first())?;
    if let Some(range) = &args.rev {
        return revisions(range, &plan);
    }
    if !args.without.is_empty() {
        return without(&args.without, &plan);
    }
    if args.a.is_none() && args.b.is_none() && args.a_env.is_empty() && args.b_env.is_empty() {
        return Err(Failure::bad_plan("both variants are the same").hint(
            "name what differs: --a and --b, --b-env NAME=VALUE, --without log, --rev main..HEAD, or two plans",
        ));
    }
    let a = variant("a", &plan, args.a.as_deref(), &args.a_env)?;
    let b = variant("b", &plan, args.b.as_deref(), &args.b_env)?;
    Ok(vec![a, b])
}

/// Each plan is a variant, under the load, seed and connections of the first.
fn plans(args: &CompareArgs) -> Result<Vec<VariantDraft>, Failure> {
    let differs = [
        ("--a", args.a.is_some()),
        ("--b", args.b.is_some()),
        ("--a-env", !args.a_env.is_empty()),
        ("--b-env", !args.b_env.is_empty()),
        ("--rev", args.rev.is_some()),
        ("--without", !args.without.is_empty()),
    ];
    if let Some((flag, _)) = differs.iter().find(|(_, given)| *given) {
        return Err(Failure::bad_plan(format!("{flag} cannot be used with several plans"))
            .hint("put the difference into the plans, or name one plan"));
    }
    let mut variants: Vec<VariantDraft> = Vec::new();
    for (letter, path) in ('a'..='z').zip(&args.plans) {
        let mut plan = plan(args, Some(path))?;
        if let Some(first) = variants.first() {
            let same = plan.load == first.plan.load;
            if !same && args.rate.is_none() && !args.closed && !args.load_line {
                return Err(Failure::bad_plan(format!(
                    "{} and {} offer different loads",
                    Shown::of_text(path),
                    Shown::of_text(&args.plans[0])
                ))
                .hint("set one rate for all of them with -R"));
            }
            plan.seed = first.plan.seed;
            plan.connections = first.plan.connections;
        }
        let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
        let name = if variants.iter().any(|variant| variant.name == stem) || path.contains("://") {
            letter.to_string()
        } else {
            stem.into_owned()
        };
        variants.push(VariantDraft {
            name,
            what: Shown::of_text(path),
            plan,
            revision: None,
            without: None,
        });
    }
    Ok(variants)
}

fn revisions(range: &str, plan: &PlanDraft) -> Result<Vec<VariantDraft>, Failure> {
    if plan.target.command.is_none() {
        return Err(Failure::bad_plan("--rev needs a service that plimsoll starts")
            .hint("give its command after `--`, or as `command` in the plan"));
    }
    let or_head = |revision: &str| {
        if revision.is_empty() {
            "HEAD".to_owned()
        } else {
            revision.to_owned()
        }
    };
    let variant = |name: String, revision: Option<String>| VariantDraft {
        what: command_of(&plan.target),
        name,
        plan: plan.clone(),
        revision,
        without: None,
    };
    Ok(match range.split_once("..") {
        Some((old, new)) => [old, new]
            .map(|revision| variant(or_head(revision), Some(or_head(revision))))
            .into(),
        None => vec![
            variant(or_head(range), Some(or_head(range))),
            variant("working tree".to_owned(), None),
        ],
    })
}

/// The service as it is, and without something; the probe is in both.
fn without(removals: &[Removal], plan: &PlanDraft) -> Result<Vec<VariantDraft>, Failure> {
    if plan.target.command.is_none() {
        return Err(Failure::bad_plan("--without needs a service that plimsoll starts")
            .hint("give its command after `--`, or as `command` in the plan"));
    }
    let variant = |name: &str, removals: &[Removal]| VariantDraft {
        what: Shown::join(
            removals
                .iter()
                .map(|removal| Shown::of_text(&removal.to_string()))
                .chain((removals.is_empty()).then(|| command_of(&plan.target))),
        ),
        name: name.to_owned(),
        plan: plan.clone(),
        revision: None,
        without: Some(removals.to_vec()),
    };
    Ok(vec![variant("as it is", &[]), variant("without", removals)])
}

fn variant(name: &str, plan: &PlanDraft, command: Option<&str>, env: &[Setting]) -> Result<VariantDraft, Failure> {
    let mut plan = plan.clone();
    if let Some(line) = command {
        let argv = split_command(line).map_err(|error| {
            Failure::bad_plan(format!("--{name}: {error}")).hint(format!(
                "set variables with --{name}-env NAME=VALUE; put what needs a shell into a script"
            ))
        })?;
        set_command(&mut plan.target, argv);
    }
    let Some(command) = &mut plan.target.command else {
        return Err(
            Failure::bad_plan(format!("variant {name} has no command")).hint(format!(
                "give --{name} 'node server.js', or `command` in the plan; to compare two running services, give two plans"
            )),
        );
    };
    for setting in env {
        command.set_env(&setting.name, setting.value.clone());
    }
    let names = env.iter().map(|setting| Shown::of_setting(&setting.name));
    let what = Shown::join(names.chain([command.shown()]));
    Ok(VariantDraft {
        name: name.to_owned(),
        what,
        plan,
        revision: None,
        without: None,
    })
}

fn command_of(target: &Target) -> Shown {
    target.command.as_ref().map(Command::shown).unwrap_or_default()
}

fn set_command(target: &mut Target, argv: Vec<String>) {
    target.command = Some(match target.command.take() {
        Some(planned) => planned.with(argv),
        None => Command::new(argv),
    });
}

/// The plan that a variant begins from.
fn plan(args: &CompareArgs, plan: Option<&String>) -> Result<PlanDraft, Failure> {
    let has_command = args.a.is_some() || args.b.is_some();
    let no_file = plan.is_none() && !Path::new(DEFAULT_PLAN).is_file();
    let mut read = named(&PlanArgs {
        plan: plan
            .cloned()
            .or((no_file && has_command).then(|| DEFAULT_URL.to_owned())),
        objectives: args.objectives.clone(),
        pid: None,
        // Where nothing is started before the variant says how, there is no output to send anywhere yet.
        service: ServiceArgs {
            stdout: None,
            ..args.service.clone()
        },
        command: args.command.clone(),
    })?;
    generator(&mut read, &args.generator);
    Ok(read)
}

/// Gives all variants the same load, and says what their rounds are.
fn rounds(args: &CompareArgs, variants: &mut [VariantDraft]) -> Result<Rounds, Failure> {
    if args.load_line {
        return Ok(Rounds::LoadLine);
    }
    let judged = args.duration.unwrap_or(JUDGED);
    let warm_up = args.warm_up.unwrap_or(WARM_UP);
    let whole = judged + warm_up;
    for variant in variants.iter_mut() {
        let judging = &mut variant.plan.judging;
        judging.warm_up = warm_up;
        judging.window = judging.window.min(judged);
    }
    let from_file = match args.plans.first() {
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
            connections: args.generator.connections.unwrap_or(CONNECTIONS),
            duration: Some(whole),
            requests: None,
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
        }),
        (None, _) if !from_file => return Ok(Rounds::HalfOfThroughput(whole)),
        (None, Load::Open(open)) => match open.segments.as_slice() {
            [only] if only.from == only.to => {
                Load::Open(OpenLoad::constant(only.from, whole, arrivals(args, open.arrivals)))
            }
            _ => {
                return Err(
                    Failure::bad_plan("the load of the plan has stages, but rounds need one constant rate")
                        .hint("set the rate with -R"),
                );
            }
        },
        (None, Load::Closed(closed)) => Load::Closed(ClosedLoad {
            duration: Some(whole),
            requests: None,
            ..*closed
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

fn arrivals(args: &CompareArgs, planned: Arrivals) -> Arrivals {
    if args.poisson { Arrivals::Poisson } else { planned }
}
