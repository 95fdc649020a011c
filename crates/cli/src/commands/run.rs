//! `plimsoll run`: make the load of a plan and judge it.

use super::experiment;
use crate::CommandResult;
use crate::args::RunArgs;
use crate::plan_source;
use plimsoll_lab::RunKind;

pub(crate) fn run(args: &RunArgs) -> CommandResult {
    let plan = plan_source::run(args)?;
    experiment(
        plan,
        RunKind::Run,
        Some(args.output.runs_dir()),
        &args.generator,
        &args.output,
    )
}
