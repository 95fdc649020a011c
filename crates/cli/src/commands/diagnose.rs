//! `plimsoll diagnose`: why the service stops where it stops.

use super::{default_runs_dir, deliver, options};
use crate::CommandResult;
use crate::args::DiagnoseArgs;
use crate::live::Live;
use crate::plan_source;
use crate::signals::stop_on_signals;
use plimsoll_lab::Diagnosis;

pub(crate) fn diagnose(args: &DiagnoseArgs) -> CommandResult {
    let diagnosis = Diagnosis {
        plan: plan_source::diagnose(args)?,
        rate: args.rate,
        pass: args.duration,
        options: options(&args.generator, default_runs_dir(&args.output)),
    };
    let stop = stop_on_signals()?;
    let mut live = Live::new(args.output.quiet);
    let outcome = diagnosis.run(&stop, |event| live.follow(&event))?;
    deliver(&outcome, &args.output)
}
