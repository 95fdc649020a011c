//! `plimsoll report`: render a run directory again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::plan_source;
use plimsoll_lab::{RunKind, Series};

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    if args.sizing.is_given() {
        return sized(args);
    }
    if plimsoll_study::is_study(&args.directory) {
        return super::study::deliver(&plimsoll_study::replay_study(&args.directory)?, &args.form);
    }
    if plimsoll_lab::is_series(&args.directory) {
        return match plimsoll_lab::replay_series(&args.directory)? {
            Series::Comparison(comparison) => {
                output::deliver(&*comparison, Some(&args.directory), &args.form)?;
                Ok(Exit::of_comparison(&comparison))
            }
            Series::Scaling(scaling) => {
                output::deliver(&*scaling, Some(&args.directory), &args.form)?;
                Ok(Exit::of_scaling(&scaling))
            }
        };
    }
    let findings = plimsoll_lab::replay(&args.directory)?;
    output::deliver(&findings, Some(&args.directory), &args.form)?;
    Ok(Exit::from(findings.verdict))
}

/// A search that was made, with what is asked now about the number of instances.
fn sized(args: &ReportArgs) -> CommandResult {
    let unsized_by = || {
        Failure::bad_plan(format!(
            "{} has no search for a load line to size by",
            args.directory.display()
        ))
        .hint("give --demand, --headroom and --price with the run directory of `plimsoll capacity`")
    };
    if plimsoll_study::is_study(&args.directory) || plimsoll_lab::is_series(&args.directory) {
        return Err(unsized_by());
    }
    let findings = plimsoll_lab::replay_as(&args.directory, |kind, plan| match kind {
        RunKind::Capacity => plan_source::sized(&plan, &args.sizing),
        _ => Err(unsized_by()),
    })?;
    output::deliver(&findings, Some(&args.directory), &args.form)?;
    Ok(Exit::from(findings.verdict))
}
