//! What `plimsoll soak` takes.

use super::values::{duration, line, rate};
use super::{GeneratorArgs, LineArg, OutputArgs, PlanArgs};
use clap::Args;
use plimsoll_plan::Rate;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct SoakArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Offer 80 % of this load line: a rate, or the run directory of the `plimsoll capacity` that found it
    #[arg(long, value_name = "RATE|DIR", value_parser = line, conflicts_with = "rate", help_heading = "Load")]
    pub(crate) line: Option<LineArg>,
    /// Offer this arrival rate [default: the constant rate of the plan]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Load")]
    pub(crate) rate: Option<Rate>,
    /// Space arrivals at random, like independent users
    #[arg(long, help_heading = "Load")]
    pub(crate) poisson: bool,
    /// Watch the service for this time; the first tenth warms it up
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", default_value = "1h", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Duration,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
