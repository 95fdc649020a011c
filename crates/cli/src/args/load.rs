//! When requests are sent.

use super::values::{duration, rate, stage};
use clap::Args;
use plimsoll_plan::{Rate, Stage};
use std::time::Duration;

/// When requests are sent.
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Offer this total arrival rate, without waiting for responses (open model)
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Load")]
    pub(crate) rate: Option<Rate>,
    /// Ramp to a rate within a time, such as 30s:1000; repeatable (open model)
    #[arg(long = "stage", value_name = "TIME:RATE", value_parser = stage, help_heading = "Load", conflicts_with = "rate")]
    pub(crate) stages: Vec<Stage>,
    /// Space arrivals at random, like independent users (open model)
    #[arg(long, help_heading = "Load")]
    pub(crate) poisson: bool,
    /// Run for this time
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Load")]
    pub(crate) duration: Option<Duration>,
    /// Stop after this many requests (closed model)
    #[arg(short = 'n', long, value_name = "N", help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) requests: Option<u64>,
    /// Pause between a response and the next request (closed model)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Load", conflicts_with_all = ["rate", "stages"])]
    pub(crate) think_time: Option<Duration>,
}
