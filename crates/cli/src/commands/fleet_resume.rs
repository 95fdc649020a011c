//! `plimsoll fleet resume`: complete the directory of a run whose process died.

use crate::CommandResult;
use crate::args::FleetResumeArgs;
use crate::exit::Exit;
use crate::output;
use crate::signals::stop_on_signals;
use plimsoll_lab::fleet::{Dial, resume};

/// On the bus that `dial` leads to.
pub(super) fn fleet_resume(args: &FleetResumeArgs, dial: &dyn Dial) -> CommandResult {
    let stop = stop_on_signals()?;
    let findings = resume(&args.directory, dial, args.min_agents, &stop)?;
    output::deliver(&findings, Some(&args.directory), &args.form)?;
    Ok(Exit::from(findings.verdict))
}
