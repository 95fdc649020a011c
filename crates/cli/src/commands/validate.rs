//! `plimsoll validate`: read a plan without running it, and print what it comes to.

use crate::CommandResult;
use crate::args::ValidateArgs;
use crate::exit::Exit;
use crate::output::{Said, say};
use crate::plan_source;

pub(crate) fn validate(args: &ValidateArgs) -> CommandResult {
    let plan = plan_source::validate(args)?;
    say(Said::Json(&plan.to_json_redacted()))?;
    Ok(Exit::Pass)
}
