//! What `plimsoll mcp` takes.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Options of the server; `npx plimsoll mcp --help` lists them
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,
}
