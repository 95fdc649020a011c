//! One file a command.

mod agent;
mod bench;
mod capacity;
mod check;
mod compare;
mod completions;
mod diagnose;
mod doctor;
mod explain;
mod fleet;
mod fleet_keys;
mod fleet_manifests;
mod fleet_manifests_target;
mod fleet_resume;
mod fleet_target;
mod hold;
mod import;
mod init;
mod manifest_parts;
mod mcp;
mod report;
mod run;
mod scale;
mod shock;
mod soak;
mod study;
mod succession;
mod validate;

pub(crate) use agent::agent;
pub(crate) use bench::bench;
pub(crate) use capacity::capacity;
pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use completions::completions;
pub(crate) use diagnose::diagnose;
pub(crate) use doctor::doctor;
pub(crate) use explain::explain;
pub(crate) use fleet::{fleet, fleet_command};
pub(crate) use hold::hold;
pub(crate) use import::import;
pub(crate) use init::init;
pub(crate) use mcp::mcp;
pub(crate) use report::report;
pub(crate) use run::run;
pub(crate) use scale::scale;
pub(crate) use shock::shock;
pub(crate) use soak::soak;
pub(crate) use study::study;
pub(crate) use validate::validate;

use crate::CommandResult;
use crate::args::{Cpus, GeneratorArgs, IoArg, OutputArgs};
use crate::exit::{Exit, Failure};
use crate::live::Live;
use crate::output;
use crate::signals::stop_on_signals;
use plimsoll_lab::{Experiment, GeneratorOptions, Options, Outcome, RunKind, Wakeups};
use plimsoll_plan::Plan;
use std::net::IpAddr;
use std::path::PathBuf;

/// Makes a run and delivers its findings.
fn experiment(
    plan: Plan,
    kind: RunKind,
    runs_dir: Option<PathBuf>,
    generator: &GeneratorArgs,
    output: &OutputArgs,
) -> CommandResult {
    let experiment = Experiment {
        options: options(generator, &plan, runs_dir)?,
        plan,
        kind,
        warms_up: false,
    };
    conduct(&experiment, output)
}

/// Makes a run of which everything is said, and delivers its findings.
fn conduct(experiment: &Experiment, output: &OutputArgs) -> CommandResult {
    let stop = stop_on_signals()?;
    let mut live = Live::new(output);
    let outcome = experiment.run(&stop, |event| live.follow(&event))?;
    deliver(&outcome, output)
}

/// Prints and keeps what a run came to, and says how the command ends.
fn deliver(outcome: &Outcome, output: &OutputArgs) -> CommandResult {
    output::deliver(&outcome.findings, outcome.directory.as_deref(), &output.form)?;
    Ok(Exit::from(outcome.findings.verdict))
}

/// How runs are made, and by which machines.
pub(crate) fn options(args: &GeneratorArgs, plan: &Plan, runs_dir: Option<PathBuf>) -> Result<Options, Failure> {
    let generator = GeneratorOptions {
        wakeups: match args.coalesce {
            Some(time) => Wakeups::Coalesce(time),
            None if args.precise => Wakeups::Precise,
            None if args.spin => Wakeups::Spin,
            None => Wakeups::Adaptive,
        },
        ..threads(args.threads, args.generator_cpus.as_ref(), args.io, &args.local_addrs)
    };
    Ok(Options {
        runs_dir,
        without: None,
        package_maps: false,
        fleet: fleet(&args.fleet, plan.fleet(), &generator)?,
        shock: None,
        generator,
    })
}

/// A generator with these threads and sockets.
fn threads(count: Option<u32>, cpus: Option<&Cpus>, io: Option<IoArg>, local_addrs: &[IpAddr]) -> GeneratorOptions {
    GeneratorOptions {
        shards: count,
        cpus: cpus.map(|cpus| cpus.0.clone()).unwrap_or_default(),
        io: io.map(Into::into),
        local_addrs: local_addrs.to_vec(),
        ..GeneratorOptions::default()
    }
}
