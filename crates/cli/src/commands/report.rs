//! `plimsoll report`: render a run folder again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output;
use plimsoll_lab::Series;

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    if plimsoll_lab::is_study(&args.folder) {
        return super::study::deliver(&plimsoll_lab::replay_study(&args.folder)?, &args.form);
    }
    if plimsoll_lab::is_series(&args.folder) {
        return match plimsoll_lab::replay_series(&args.folder)? {
            Series::Comparison(comparison) => {
                output::deliver(&*comparison, Some(&args.folder), &args.form)?;
                Ok(Exit::of_comparison(&comparison))
            }
            Series::Scaling(scaling) => {
                output::deliver(&*scaling, Some(&args.folder), &args.form)?;
                Ok(Exit::of_scaling(&scaling))
            }
        };
    }
    let findings = plimsoll_lab::replay(&args.folder)?;
    output::deliver(&findings, Some(&args.folder), &args.form)?;
    Ok(Exit::from(findings.verdict))
}
