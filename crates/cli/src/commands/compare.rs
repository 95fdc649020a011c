//! `plimsoll compare`: what differs between variants of a service.

use crate::CommandResult;
use crate::args::CompareArgs;
use crate::compare_source;
use crate::exit::Exit;
use crate::live::Live;
use crate::output;
use crate::signals::stop_on_signals;

pub(crate) fn compare(args: &CompareArgs) -> CommandResult {
    let comparing = compare_source::compare(args)?;
    let stop = stop_on_signals()?;
    let mut live = Live::new(&args.output);
    let compared = comparing.run(&stop, |event| live.follow(&event))?;
    output::deliver(&compared.comparison, Some(&compared.directory), &args.output.form)?;
    Ok(Exit::of_comparison(&compared.comparison))
}
