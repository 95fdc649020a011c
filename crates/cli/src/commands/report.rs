//! `plimsoll report`: render a run folder again.

use crate::CommandResult;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output::{self, Destination};

pub(crate) fn report(args: &ReportArgs) -> CommandResult {
    let findings = plimsoll_lab::replay(&args.folder)?;
    let to = Destination {
        json: args.json,
        junit: args.junit.as_deref(),
        markdown: args.markdown.as_deref(),
        color: args.color,
    };
    output::deliver(&findings, Some(&args.folder), &to)?;
    Ok(Exit::from(findings.verdict))
}
