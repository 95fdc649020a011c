//! What `plimsoll capacity` takes.

use super::values::{amount, duration, share, unit};
use super::{GeneratorArgs, OutputArgs, PlanArgs, SizingArgs};
use clap::Args;
use plimsoll_plan::{Amount, SearchUnit, Share};
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
    /// Search the greatest `rate` of arrivals, of `users` at a time who wait for responses, or of `connections` that are held [default: rate].
    ///
    /// Overrides `search.in` of the plan.
    #[arg(long = "in", value_name = "UNIT", value_parser = unit, help_heading = "Search")]
    pub(crate) unit: Option<SearchUnit>,
    /// Pause of a user after a response, or after a journey, with --in users.
    ///
    /// Overrides `load.think_time` of the plan.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Search")]
    pub(crate) think_time: Option<Duration>,
    /// Start the search at this rate or number of users or connections [default: 100, at most --max].
    ///
    /// Overrides `search.start` of the plan.
    #[arg(long, visible_alias = "start-rate", value_name = "AMOUNT", value_parser = amount, help_heading = "Search")]
    pub(crate) start: Option<Amount>,
    /// Never offer more than this rate or number of users or connections [default: 1M].
    ///
    /// Overrides `search.max` of the plan.
    #[arg(long, visible_alias = "max-rate", value_name = "AMOUNT", value_parser = amount, help_heading = "Search")]
    pub(crate) max: Option<Amount>,
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
