//! `plimsoll capacity`: search the load line.

use super::{default_runs_dir, experiment};
use crate::CommandResult;
use crate::args::CapacityArgs;
use crate::plan_source;
use plimsoll_lab::RunKind;

pub(crate) fn capacity(args: &CapacityArgs) -> CommandResult {
    let plan = plan_source::capacity(args)?;
    experiment(
        plan,
        RunKind::Capacity,
        default_runs_dir(&args.output),
        &args.generator,
        &args.output,
    )
}
