//! `plimsoll check`: whether the working tree is slower than a revision.

use super::compare::conduct;
use crate::CommandResult;
use crate::args::CheckArgs;
use crate::check_source;

pub(crate) fn check(args: &CheckArgs) -> CommandResult {
    conduct(&check_source::check(args)?, &args.output)
}
