//! What `plimsoll report` takes.

use super::values::directory;
use super::{FormArgs, SizingArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Run directory to render
    #[arg(value_name = "DIR", value_parser = directory(), value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) sizing: SizingArgs,
    #[command(flatten)]
    pub(crate) form: FormArgs,
}
