//! `plimsoll bench`: load one URL. Keeps no run directory unless it is asked to.

use super::experiment;
use crate::CommandResult;
use crate::args::BenchArgs;
use crate::plan_source;
use plimsoll_lab::RunKind;

pub(crate) fn bench(args: &BenchArgs) -> CommandResult {
    let plan = plan_source::bench(args)?;
    experiment(
        plan,
        RunKind::Bench,
        args.output.runs_dir.clone(),
        &args.generator,
        &args.output,
    )
}
