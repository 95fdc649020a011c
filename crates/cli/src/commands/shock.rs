//! `plimsoll shock`: disturb a service, and watch how it comes back.

use super::{conduct, options};
use crate::CommandResult;
use crate::args::ShockArgs;
use crate::shock_source;
use plimsoll_lab::{Experiment, Options, RunKind};

pub(crate) fn shock(args: &ShockArgs) -> CommandResult {
    let (plan, shock) = shock_source::shock(args)?;
    let options = Options {
        shock: Some(shock),
        ..options(&args.generator, &plan, Some(args.output.runs_dir()))?
    };
    let experiment = Experiment {
        plan,
        kind: RunKind::Shock,
        warms_up: false,
        options,
    };
    conduct(&experiment, &args.output)
}
