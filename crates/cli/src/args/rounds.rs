//! What a round of a comparison offers the service.

use super::values::{duration, rate};
use clap::Args;
use plimsoll_plan::Rate;
use std::time::Duration;

#[derive(Debug, Default, Args)]
pub(crate) struct RoundArgs {
    /// Offer this total arrival rate [default: from the plan; without a plan file, half of what the first variant can do]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Rounds")]
    pub(crate) rate: Option<Rate>,
    /// Space arrivals at random, like independent users
    #[arg(long, help_heading = "Rounds")]
    pub(crate) poisson: bool,
    /// Compare throughput in the closed model with -c connections
    #[arg(long, help_heading = "Rounds", conflicts_with_all = ["rate", "poisson"])]
    pub(crate) closed: bool,
    /// Judge this much of each round [default: 4s]
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) duration: Option<Duration>,
    /// Warm up for at least this long before a round is judged [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) warm_up: Option<Duration>,
}
