//! What `plimsoll capacity` takes.

use super::values::{duration, rate, share};
use super::{GeneratorArgs, OutputArgs, PlanArgs, SizingArgs};
use clap::Args;
use plimsoll_plan::{Rate, Share};
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct CapacityArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// End the search after this time [default: 90s].
    ///
    /// Overrides `search.budget` of the plan.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) budget: Option<Duration>,
    /// Narrow the bracket around the load line to this share of it [default: 5%].
    ///
    /// Overrides `search.bracket` of the plan.
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Search")]
    pub(crate) bracket: Option<Share>,
    /// Start the search at this rate [default: 100/s, at most --max-rate].
    ///
    /// Overrides `search.start` of the plan.
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) start_rate: Option<Rate>,
    /// Never offer more than this rate [default: 1M/s].
    ///
    /// Overrides `search.max` of the plan.
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Search")]
    pub(crate) max_rate: Option<Rate>,
    /// Hold each judged step for this time [default: 5s].
    ///
    /// Overrides `search.step` of the plan.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) step: Option<Duration>,
    #[command(flatten)]
    pub(crate) sizing: SizingArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
