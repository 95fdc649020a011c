//! What `plimsoll shock` takes.

use super::values::{duration, line, rate, times};
use super::{GeneratorArgs, LineArg, OutputArgs, PlanArgs};
use clap::{ArgGroup, Args};
use plimsoll_plan::Rate;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("shock").required(true).args(["burst", "pause", "gone", "restart"]))]
pub(crate) struct ShockArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Disturb the service by so many times the rate, such as 3
    #[arg(long, value_name = "TIMES", value_parser = times, help_heading = "Shock")]
    pub(crate) burst: Option<f64>,
    /// Disturb the service by letting this neighbour of the plan stand still; its connections stay open
    #[arg(long, value_name = "NEIGHBOUR", help_heading = "Shock")]
    pub(crate) pause: Option<String>,
    /// Disturb the service by ending this neighbour of the plan; it is started again afterwards
    #[arg(long, value_name = "NEIGHBOUR", help_heading = "Shock")]
    pub(crate) gone: Option<String>,
    /// Disturb the service by ending it and starting it again at once
    #[arg(long, help_heading = "Shock")]
    pub(crate) restart: bool,
    /// Disturb it for this time
    #[arg(long = "for", value_name = "TIME", default_value = "5s", value_parser = duration, conflicts_with = "restart", help_heading = "Shock")]
    pub(crate) lasts: Duration,
    /// Count the service as back once every objective holds for this time
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration, help_heading = "Shock")]
    pub(crate) steady: Duration,
    /// Offer this arrival rate before and after the shock [default: the constant rate of the plan]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Load")]
    pub(crate) rate: Option<Rate>,
    /// Offer 60 % of this load line: a rate, or the run directory of the `plimsoll capacity` that found it
    #[arg(long, value_name = "RATE|DIR", value_parser = line, conflicts_with = "rate", help_heading = "Load")]
    pub(crate) line: Option<LineArg>,
    /// Space arrivals at random, like independent users
    #[arg(long, help_heading = "Load")]
    pub(crate) poisson: bool,
    /// Judge the service for this time before the shock, after the warm-up of the plan
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = "Load")]
    pub(crate) before: Duration,
    /// Watch the service for this time after the shock
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, help_heading = "Load")]
    pub(crate) after: Duration,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
