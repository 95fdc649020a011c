//! `plimsoll mcp`: what serves coding assistants is JavaScript, and comes with npm.

use crate::CommandResult;
use crate::args::McpArgs;
use crate::exit::Failure;

pub(crate) fn mcp(args: &McpArgs) -> CommandResult {
    let options = if args.options.is_empty() { "" } else { " …" };
    Err(
        Failure::bad_plan("this program does not serve coding assistants; the npm package `plimsoll` does")
            .hint(format!("run it by npm: npx plimsoll mcp{options}")),
    )
}
