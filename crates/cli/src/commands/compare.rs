//! `plimsoll compare`: what differs between variants of a service.

use crate::CommandResult;
use crate::args::{CompareArgs, OutputArgs};
use crate::compare_source;
use crate::exit::Exit;
use crate::live::Live;
use crate::output;
use crate::signals::stop_on_signals;
use plimsoll_lab::Comparing;

pub(crate) fn compare(args: &CompareArgs) -> CommandResult {
    conduct(&compare_source::compare(args)?, &args.output)
}

/// Makes a comparison and delivers its findings.
pub(super) fn conduct(comparing: &Comparing, output: &OutputArgs) -> CommandResult {
    let stop = stop_on_signals()?;
    let mut live = Live::new(output);
    let compared = comparing.run(&stop, |event| live.follow(&event))?;
    output::deliver(&compared.comparison, Some(&compared.directory), &output.form)?;
    Ok(Exit::of_comparison(&compared.comparison))
}
