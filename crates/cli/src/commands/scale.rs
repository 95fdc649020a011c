//! `plimsoll scale`: how throughput grows with connections or workers, and where it peaks.

use crate::CommandResult;
use crate::args::ScaleArgs;
use crate::exit::Exit;
use crate::live::Live;
use crate::output;
use crate::scale_source;
use crate::signals::stop_on_signals;

pub(crate) fn scale(args: &ScaleArgs) -> CommandResult {
    let comparing = scale_source::scale(args)?;
    let stop = stop_on_signals()?;
    let mut live = Live::new(&args.output);
    let (scaling, directory) = comparing.scale(&stop, |event| live.follow(&event))?;
    output::deliver(&scaling, Some(&directory), &args.output.form)?;
    Ok(Exit::of_scaling(&scaling))
}
