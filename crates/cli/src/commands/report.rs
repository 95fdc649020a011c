//! `plimsoll report`: render a run directory again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output;
use plimsoll_lab::Series;

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
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
