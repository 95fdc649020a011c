//! What `plimsoll compare` takes.

use super::{GeneratorArgs, OutputArgs, ServiceArgs, duration, objective, rate, share};
use clap::{Args, ValueHint};
use plimsoll_plan::{Objective, Rate, Secret, Share};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// A plan file or the URL of the service; several plans are compared with each other [default: plimsoll.yaml]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plans: Vec<String>,
    /// Starts the first variant, which the other is set against [default: the command of the plan]
    #[arg(long, value_name = "COMMAND", help_heading = "Variants")]
    pub(crate) a: Option<String>,
    /// Starts the second variant [default: the command of the plan]
    #[arg(long, value_name = "COMMAND", help_heading = "Variants")]
    pub(crate) b: Option<String>,
    /// Added to the environment of the first variant; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting, help_heading = "Variants")]
    pub(crate) a_env: Vec<Setting>,
    /// Added to the environment of the second variant; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting, help_heading = "Variants")]
    pub(crate) b_env: Vec<Setting>,
    /// Git revisions, such as main..HEAD; a single one is compared with the files as they are
    #[arg(long, value_name = "OLD..NEW", help_heading = "Variants", conflicts_with_all = ["a", "b"])]
    pub(crate) rev: Option<String>,
    /// Run in each revision before it is used, such as 'npm ci' [default: link the packages that are installed here]
    #[arg(long, value_name = "COMMAND", requires = "rev", help_heading = "Variants")]
    pub(crate) setup: Option<String>,
    /// Sets what this diagnosis predicted beside what the second variant, the mended one, gives
    #[arg(long, value_name = "DIR", value_parser = super::directory(), value_hint = ValueHint::DirPath, help_heading = "Verdict")]
    pub(crate) diagnosis: Option<PathBuf>,
    /// The line that was mended, of those that the diagnosis names [default: that of the first cause]
    #[arg(long, value_name = "FILE:LINE", requires = "diagnosis", help_heading = "Verdict")]
    pub(crate) mended: Option<String>,
    /// Fail with exit code 99 when a judged figure is worse by more than this
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Verdict")]
    pub(crate) fail_if_worse: Option<Share>,
    /// Rounds of each variant
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=1000), help_heading = "Verdict")]
    pub(crate) rounds: Option<u32>,
    /// Search the load line in every round instead of offering one rate
    #[arg(long, help_heading = "Rounds", conflicts_with_all = ["rate", "duration", "warm_up", "closed", "poisson"])]
    pub(crate) load_line: bool,
    /// Total arrival rate [default: that of the plan; without a plan file, half of what the first variant can do]
    #[arg(short = 'R', visible_short_alias = 'q', long, value_name = "RATE", value_parser = rate, help_heading = "Rounds")]
    pub(crate) rate: Option<Rate>,
    /// Arrivals at random, as independent users make them
    #[arg(long, help_heading = "Rounds")]
    pub(crate) poisson: bool,
    /// Closed model with -c connections: compares throughput
    #[arg(long, help_heading = "Rounds", conflicts_with_all = ["rate", "poisson"])]
    pub(crate) closed: bool,
    /// Judged part of each round [default: 4s]
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) duration: Option<Duration>,
    /// First part of each round, not judged [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) warm_up: Option<Duration>,
    /// What the rounds of --load-line search by, most important first
    #[arg(long = "objective", value_name = "EXPR", value_parser = objective, help_heading = "Rounds")]
    pub(crate) objectives: Vec<Objective>,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Starts both variants; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["a", "b"])]
    pub(crate) command: Vec<String>,
}

/// A variable of the environment.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: Secret,
}

fn setting(text: &str) -> Result<Setting, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Setting {
            name: name.to_owned(),
            value: Secret::from(value),
        }),
        // Not repeated: what has no name may be the value.
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
