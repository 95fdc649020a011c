//! Arguments of `plimsoll compare` to variants.

use crate::args::{CompareArgs, PlanArgs, Setting, WatchedArgs};
use crate::commands::options;
use crate::exit::Failure;
use crate::plan_source::{DEFAULT_PLAN, DEFAULT_URL};
use crate::prediction_source::prediction;
use crate::rounds_source;
use crate::variant_draft::{VariantDraft, base, must_be_started, valid};
use plimsoll_lab::{Comparing, Revision, Rounds, UNUSED_BLOCKS, UNUSED_BLOCKS_OF_LONG};
use plimsoll_plan::{Command, PlanDraft, SearchUnit, Shown, Target, split_command};
use plimsoll_target::Removal;
use std::path::Path;

/// Rounds of each variant: two and a half minutes for two variants.
const ROUNDS: u32 = 12;
/// A search takes about a minute.
const ROUNDS_OF_SEARCHES: u32 = 4;

pub(crate) fn compare(args: &CompareArgs) -> Result<Comparing, Failure> {
    let mut drafts = variants(args)?;
    let first = args.plans.first().map(String::as_str);
    let rounds = match args.load_line {
        true => {
            if let Some(variant) = drafts
                .iter()
                .find(|variant| variant.plan.search.unit == SearchUnit::Connections)
            {
                return Err(Failure::bad_plan(format!(
                    "variant {} searches connections that are held, but load lines are compared as rates",
                    Shown::of_text(&variant.name)
                ))
                .hint("let `plimsoll capacity` find the line of each plan"));
            }
            // What is compared is the rate at the line.
            drafts
                .iter_mut()
                .for_each(|variant| variant.plan.search = variant.plan.search.in_unit(SearchUnit::Rate));
            Rounds::LoadLine
        }
        false => rounds_source::rounds(&args.load, args.generator.connections, first, &mut drafts)?,
    };
    let variants = valid(drafts, &args.service)?;
    if variants
        .iter()
        .any(|variant| variant.plan.fleet() != variants[0].plan.fleet())
    {
        return Err(
            Failure::bad_plan("the variants have different fleets, so their load would come from elsewhere")
                .hint("write the same `fleet` into all plans"),
        );
    }
    let diagnosis = args.diagnosis.as_deref();
    if diagnosis.is_some() && variants.len() > 2 {
        return Err(Failure::bad_plan("--diagnosis needs exactly two variants")
            .hint("compare only the diagnosed service and the fixed one"));
    }
    let prediction = diagnosis.map(|directory| prediction(directory, args.fixed.as_deref()));
    let (blocks, unused_blocks) = match rounds {
        Rounds::LoadLine => (ROUNDS_OF_SEARCHES, UNUSED_BLOCKS_OF_LONG),
        Rounds::Load | Rounds::HalfOfThroughput(_) => (ROUNDS, UNUSED_BLOCKS),
    };
    Ok(Comparing {
        unused_blocks,
        fail_if_worse: args.fail_if_worse.map(plimsoll_plan::Share::value),
        rounds,
        setup: args.setup.clone(),
        options: options(&args.generator, &variants[0].plan, None)?,
        prediction: prediction.transpose()?,
        ..Comparing::of(variants, args.rounds.unwrap_or(blocks), args.output.runs_dir())
    })
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
            if !same && args.load.rate.is_none() && !args.load.closed && !args.load_line {
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
    let named = |revision: &str| {
        let revision = if revision.is_empty() { "HEAD" } else { revision };
        Some(Revision::Named(revision.to_owned()))
    };
    let revisions = match range.split_once("..") {
        Some((old, new)) => [named(old), named(new)],
        None => [named(range), None],
    };
    of_revisions("--rev", revisions, plan)
}

/// The service in two revisions; `None` is the working tree. `option` says how they were given.
pub(crate) fn of_revisions(
    option: &str,
    revisions: [Option<Revision>; 2],
    plan: &PlanDraft,
) -> Result<Vec<VariantDraft>, Failure> {
    must_be_started(option, plan)?;
    let variant = |revision: Option<Revision>| {
        let name = revision.as_ref().map_or("working tree", Revision::name);
        VariantDraft {
            revision: revision.clone(),
            ..VariantDraft::of(name, plan)
        }
    };
    Ok(revisions.map(variant).into())
}

/// The service as it is, and without something; the probe is in both.
fn without(removals: &[Removal], plan: &PlanDraft) -> Result<Vec<VariantDraft>, Failure> {
    must_be_started("--without", plan)?;
    let what = removals.iter().map(|removal| Shown::of_text(&removal.to_string()));
    let as_it_is = VariantDraft {
        without: Some(Vec::new()),
        ..VariantDraft::of("as it is", plan)
    };
    let without = VariantDraft {
        what: Shown::join(what),
        without: Some(removals.to_vec()),
        ..VariantDraft::of("without", plan)
    };
    Ok(vec![as_it_is, without])
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
    let named = PlanArgs {
        plan: plan
            .cloned()
            .or((no_file && has_command).then(|| DEFAULT_URL.to_owned())),
        objectives: args.objectives.clone(),
        watched: WatchedArgs::default(),
        service: args.service.clone(),
        command: args.command.clone(),
    };
    base(named, &args.generator)
}
