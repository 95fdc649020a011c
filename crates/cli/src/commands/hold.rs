//! `plimsoll hold`: keep connections open.

use super::{conduct, fleet, threads};
use crate::CommandResult;
use crate::args::HoldArgs;
use crate::plan_source;
use plimsoll_lab::{Experiment, GeneratorOptions, Options, RunKind};

pub(crate) fn hold(args: &HoldArgs) -> CommandResult {
    let generator = GeneratorOptions {
        one_table: args.one_table,
        ..threads(args.threads, args.generator_cpus.as_ref(), args.io, &args.local_addrs)
    };
    let plan = plan_source::hold(args)?;
    let fleet = fleet(&args.fleet, plan.fleet(), &generator)?;
    let experiment = Experiment {
        plan,
        kind: RunKind::Hold,
        warms_up: false,
        options: Options {
            runs_dir: Some(args.output.runs_dir()),
            without: None,
            package_maps: false,
            fleet,
            shock: None,
            generator,
        },
    };
    conduct(&experiment, &args.output)
}
