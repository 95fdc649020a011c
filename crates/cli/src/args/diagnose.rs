//! What `plimsoll diagnose` takes.

use super::values::{duration, rate};
use super::{GeneratorArgs, OutputArgs, PlanArgs};
use clap::Args;
use plimsoll_plan::Rate;
use plimsoll_target::Removal;
use std::str::FromStr;
use std::time::Duration;

/// Stands for what the causes come from.
const WHAT_IF_CAUSES: &str = "causes";

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
    /// Warm up for at least this long before a pass is judged [default: 4s, or a third of a short pass]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Diagnosis")]
    pub(crate) warm_up: Option<Duration>,
    /// End the search for the load line after this time [default: 90s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Diagnosis", conflicts_with = "rate")]
    pub(crate) budget: Option<Duration>,
    /// Use the source maps that packages ship, so that places in them are lines of their sources
    ///
    /// Without it, places in packages are lines of the files that Node.js runs, which are the ones that you have. The sources of
    /// packages are rarely installed, and their maps are often larger than their code: with this option all of them are read
    /// after each pass with the probe.
    #[arg(long, help_heading = "Diagnosis")]
    pub(crate) package_maps: bool,
    /// Then leave this out of the service and measure what that gives; without a value, what the first causes come from; repeatable
    ///
    /// Takes what `plimsoll compare --without` takes: log, sync-read, construction, compression, etag, middleware:NAME or
    /// middleware:FILE:LINE. Without a value it takes what the first three causes come from, where the probe can leave it
    /// out. Rounds of the service without it alternate with rounds of the service as it is, under the arrivals of the
    /// passes: about two minutes for each thing, and no longer together than --what-if-budget.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = WHAT_IF_CAUSES, help_heading = "Diagnosis")]
    pub(crate) what_if: Vec<WhatIfArg>,
    /// Begin no further round of --what-if after this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "7m", requires = "what_if", help_heading = "Diagnosis")]
    pub(crate) what_if_budget: Duration,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What is left out of the service.
#[derive(Debug, Clone)]
pub(crate) enum WhatIfArg {
    /// What the first causes come from.
    Causes,
    /// Something by its name.
    Named(Removal),
}

impl FromStr for WhatIfArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            WHAT_IF_CAUSES => Ok(Self::Causes),
            name => name
                .parse()
                .map(Self::Named)
                .map_err(|expected| format!("{expected}; to name none, put --what-if behind the plan")),
        }
    }
}
