//! What `plimsoll diagnose` takes.

use super::values::{duration, rate};
use super::{GeneratorArgs, OutputArgs, PlanArgs};
use clap::Args;
use plimsoll_plan::Rate;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Offer this arrival rate in each pass [default: 70 % of the load line, found first]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Diagnosis")]
    pub(crate) rate: Option<Rate>,
    /// Run each of the three passes for this time
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, default_value = "15s", help_heading = "Diagnosis")]
    pub(crate) duration: Duration,
    /// End the search for the load line after this time [default: 90s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Diagnosis", conflicts_with = "rate")]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
