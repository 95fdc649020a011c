//! `plimsoll capacity`: search the load line.

use super::experiment;
use crate::CommandResult;
use crate::args::CapacityArgs;
use crate::plan_source;
use plimsoll_lab::RunKind;

pub(crate) fn capacity(args: &CapacityArgs) -> CommandResult {
    let plan = plan_source::capacity(args)?;
    experiment(
        plan,
        RunKind::Capacity,
        Some(args.output.runs_dir()),
        &args.generator,
        &args.output,
    )
}
