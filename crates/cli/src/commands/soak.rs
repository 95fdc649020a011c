//! `plimsoll soak`: hold a load for long, and see whether the service grows.

use super::experiment;
use crate::CommandResult;
use crate::args::SoakArgs;
use crate::soak_source;
use plimsoll_lab::RunKind;

pub(crate) fn soak(args: &SoakArgs) -> CommandResult {
    let plan = soak_source::soak(args)?;
    experiment(
        plan,
        RunKind::Soak,
        Some(args.output.runs_dir()),
        &args.generator,
        &args.output,
    )
}
