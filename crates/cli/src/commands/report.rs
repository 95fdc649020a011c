//! `plimsoll report`: render a run folder again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output::{self, Destination};
use plimsoll_lab::Series;

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    let to = Destination {
        json: args.json,
        junit: args.junit.as_deref(),
        markdown: args.markdown.as_deref(),
        color: args.color,
    };
    if plimsoll_lab::is_study(&args.folder) {
        return super::study::deliver(&plimsoll_lab::replay_study(&args.folder)?, &to);
    }
    if plimsoll_lab::is_series(&args.folder) {
        return match plimsoll_lab::replay_series(&args.folder)? {
            Series::Comparison(comparison) => {
                output::deliver(&*comparison, Some(&args.folder), &to)?;
                Ok(Exit::of_comparison(&comparison))
            }
            Series::Scaling(scaling) => {
                output::deliver(&*scaling, Some(&args.folder), &to)?;
                Ok(Exit::of_scaling(&scaling))
            }
        };
    }
    let findings = plimsoll_lab::replay(&args.folder)?;
    output::deliver(&findings, Some(&args.folder), &to)?;
    Ok(Exit::from(findings.verdict))
}
