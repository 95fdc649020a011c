//! `plimsoll report`: render a run folder again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output::{self, Destination};

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    let to = Destination {
        json: args.json,
        junit: args.junit.as_deref(),
        markdown: args.markdown.as_deref(),
        color: args.color,
    };
    if plimsoll_lab::is_comparison(&args.folder) {
        let comparison = plimsoll_lab::replay_comparison(&args.folder)?;
        output::deliver(&comparison, Some(&args.folder), &to)?;
        return Ok(Exit::of_comparison(&comparison));
    }
    let findings = plimsoll_lab::replay(&args.folder)?;
    output::deliver(&findings, Some(&args.folder), &to)?;
    Ok(Exit::from(findings.verdict))
}
