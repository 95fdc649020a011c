//! `plimsoll hold`: keep connections open.

use super::{conduct, fleet};
use crate::CommandResult;
use crate::args::HoldArgs;
use crate::plan_source;
use plimsoll_lab::{Experiment, GeneratorOptions, Options, RunKind, Wakeups};

pub(crate) fn hold(args: &HoldArgs) -> CommandResult {
    let generator = GeneratorOptions {
        shards: args.threads,
        cpus: args.generator_cpus.clone().map(|cpus| cpus.0).unwrap_or_default(),
        io: args.io.map(Into::into),
        wakeups: Wakeups::Adaptive,
        local_addrs: args.local_addrs.clone(),
        one_table: args.one_table,
    };
    let experiment = Experiment {
        plan: plan_source::hold(args)?,
        kind: RunKind::Hold,
        warms_up: false,
        options: Options {
            runs_dir: Some(args.output.runs_dir()),
            without: None,
            package_maps: false,
            fleet: fleet(&args.fleet, &generator)?,
            shock: None,
            generator,
        },
    };
    conduct(&experiment, &args.output)
}
