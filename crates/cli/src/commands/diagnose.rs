//! `plimsoll diagnose`: why the service stops where it stops.

use super::{deliver, options};
use crate::CommandResult;
use crate::args::{DiagnoseArgs, WhatIfArg};
use crate::live::Live;
use crate::plan_source;
use crate::signals::stop_on_signals;
use plimsoll_lab::{Diagnosis, Options, WhatIfs};

pub(crate) fn diagnose(args: &DiagnoseArgs) -> CommandResult {
    let plan = plan_source::diagnose(args)?;
    let options = Options {
        package_maps: args.package_maps,
        ..options(&args.generator, &plan, Some(args.output.runs_dir()))?
    };
    let diagnosis = Diagnosis {
        plan,
        rate: args.rate,
        pass: args.duration,
        warm_up: args.warm_up,
        what_if: what_ifs(args),
        options,
    };
    let stop = stop_on_signals()?;
    let mut live = Live::new(&args.output);
    let outcome = diagnosis.run(&stop, |event| live.follow(&event))?;
    deliver(&outcome, &args.output)
}

/// What is left out of the service, if anything is.
fn what_ifs(args: &DiagnoseArgs) -> Option<WhatIfs> {
    let named = |arg: &WhatIfArg| match arg {
        WhatIfArg::Causes => None,
        WhatIfArg::Named(removal) => Some(removal.clone()),
    };
    (!args.what_if.is_empty()).then(|| WhatIfs {
        of_causes: args.what_if.iter().any(|arg| matches!(arg, WhatIfArg::Causes)),
        named: args.what_if.iter().filter_map(named).collect(),
        budget: args.what_if_budget,
    })
}
