//! What `plimsoll doctor` takes.

use super::ColorWhen;
use super::values::{duration, rate};
use clap::{Args, ValueHint};
use plimsoll_plan::Rate;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Check that this many connections can be open at once
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<u64>,
    /// Measure how noisy this machine is, and say which loss `plimsoll check` finds in which time
    ///
    /// A service is compared with itself: the one of the plan or of the command, or else a small one that plimsoll brings along,
    /// for which Node.js is enough.
    #[arg(long, conflicts_with = "connections", help_heading = "Noise")]
    pub(crate) noise: bool,
    /// Plan file or URL of the service [default: plimsoll.yaml, if it exists]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, requires = "noise", help_heading = "Noise")]
    pub(crate) plan: Option<String>,
    /// Measure for this long
    #[arg(long = "for", value_name = "TIME", value_parser = duration, default_value = "3m", requires = "noise", help_heading = "Noise")]
    pub(crate) lasts: Duration,
    /// Offer this total arrival rate [default: from the plan; without a plan file, half of what the service can do]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, requires = "noise", help_heading = "Noise")]
    pub(crate) rate: Option<Rate>,
    /// Keep run directories here [default: runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "noise", help_heading = "Noise")]
    pub(crate) runs_dir: Option<PathBuf>,
    /// Print the result only, without progress
    #[arg(long, requires = "noise", help_heading = "Noise")]
    pub(crate) quiet: bool,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments, requires = "noise")]
    pub(crate) command: Vec<String>,
    /// Print the checks as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Control the use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
}
