//! What `plimsoll init` takes.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write the plan to this file
    #[arg(long, value_name = "FILE", default_value = "plimsoll.yaml", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// URL of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000/")]
    pub(crate) url: String,
    /// Overwrite an existing plan
    #[arg(long)]
    pub(crate) force: bool,
    /// Command that starts the service; everything after -- [default: the start script of package.json]
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}
