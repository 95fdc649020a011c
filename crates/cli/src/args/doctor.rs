//! What `plimsoll doctor` takes.

use super::ColorWhen;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Check that this many connections can be open at once
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<u64>,
    /// Print the checks as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Control the use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
}
