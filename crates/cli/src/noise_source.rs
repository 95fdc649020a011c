//! Arguments of `plimsoll doctor --noise` to rounds of a service against itself.

use crate::args::{DoctorArgs, PlanArgs, RoundArgs, ServiceArgs, WatchedArgs, runs_dir};
use crate::check_source::{MOST_BLOCKS, enough};
use crate::exit::Failure;
use crate::plan_source::{DEFAULT_PLAN, named};
use crate::rounds_source::rounds;
use crate::variant_draft::{VariantDraft, must_be_started, valid};
use plimsoll_lab::Comparing;
use plimsoll_target::Scratch;
use std::path::Path;
use std::time::Instant;

/// A service that parses, sorts and writes JSON, and listens on `PORT`.
const SERVICE: &str = include_str!("noise-service.cjs");
const SERVICE_FILE: &str = "noise-service.cjs";

/// The rounds, and where the service lies if it is the one that plimsoll brings along.
pub(crate) fn noise(args: &DoctorArgs) -> Result<(Comparing, Option<Scratch>), Failure> {
    let is_named = args.plan.is_some() || !args.command.is_empty() || Path::new(DEFAULT_PLAN).is_file();
    let own = if is_named { None } else { Some(own_service()?) };
    let command = match &own {
        Some((_, command)) => command.clone(),
        None => args.command.clone(),
    };
    let plan = named(&PlanArgs {
        plan: args.plan.clone(),
        objectives: Vec::new(),
        watched: WatchedArgs::default(),
        service: ServiceArgs::default(),
        command,
    })?;
    must_be_started("--noise", &plan)?;
    let mut drafts = ["once", "again"].map(|name| VariantDraft::of(name, &plan));
    let load = RoundArgs {
        rate: args.rate,
        ..RoundArgs::default()
    };
    let rounds = rounds(&load, None, args.plan.as_deref(), &mut drafts)?;
    let variants = valid(drafts.into(), &ServiceArgs::default())?;
    let comparing = Comparing {
        until: Some(Instant::now() + args.lasts),
        rounds,
        ..Comparing::of(variants, MOST_BLOCKS, runs_dir(args.runs_dir.as_deref()))
    };
    enough(
        "--for",
        args.lasts,
        &comparing,
        "three minutes are a good start; the longer, the more can be promised",
    )?;
    Ok((comparing, own.map(|(scratch, _)| scratch)))
}

fn own_service() -> Result<(Scratch, Vec<String>), Failure> {
    let unwritten = |error: std::io::Error| Failure::to(format!("write the service of --noise: {error}"));
    let scratch = Scratch::new("plimsoll-noise-").map_err(unwritten)?;
    let path = scratch.path().join(SERVICE_FILE);
    plimsoll_files::given::write(&path, SERVICE.as_bytes()).map_err(unwritten)?;
    let command = vec!["node".to_owned(), path.to_string_lossy().into_owned()];
    Ok((scratch, command))
}
