//! What `plimsoll validate` takes.

use clap::{Args, ValueHint};

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Plan file, `-` for standard input, or URL of the service [default: plimsoll.yaml]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
}
