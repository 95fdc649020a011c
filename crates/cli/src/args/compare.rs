//! What `plimsoll compare` takes.

use super::values::{directory, objective, share};
use super::{GeneratorArgs, OutputArgs, RoundArgs, ServiceArgs};
use clap::{Args, ValueHint};
use plimsoll_plan::{Objective, Secret, Share};
use plimsoll_target::Removal;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Plan file or URL of the service; several plans are compared with each other [default: plimsoll.yaml, if it exists]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plans: Vec<String>,
    /// Start the first variant, the baseline, with this command [default: the command of the plan]
    #[arg(long, value_name = "COMMAND", help_heading = "Variants")]
    pub(crate) a: Option<String>,
    /// Start the second variant with this command [default: the command of the plan]
    #[arg(long, value_name = "COMMAND", help_heading = "Variants")]
    pub(crate) b: Option<String>,
    /// Set an environment variable for the first variant; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting, help_heading = "Variants")]
    pub(crate) a_env: Vec<Setting>,
    /// Set an environment variable for the second variant; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting, help_heading = "Variants")]
    pub(crate) b_env: Vec<Setting>,
    /// Compare git revisions, such as main..HEAD; a single one is compared with the working tree
    #[arg(long, value_name = "OLD..NEW", help_heading = "Variants", conflicts_with_all = ["a", "b"])]
    pub(crate) rev: Option<String>,
    /// Compare the service with itself without this, which the probe leaves out: log, sync-read, construction, compression, etag or middleware:NAME; repeatable
    ///
    /// Nothing in the code changes. Both variants are loaded with the probe, and in the second one it leaves out what is
    /// named: `log` is the output to the terminal, file or pipe; `sync-read` returns what a synchronous read returned before;
    /// `construction` returns the formatter, template or validator that was made of the same arguments before; `compression`
    /// and `etag` are those of responses; `middleware:NAME` passes over middleware of Express, Koa, Hono or Nest, or a hook of
    /// Fastify, by the name of its function or by the line that installs it, such as middleware:app.js:12. What authenticates,
    /// authorizes, validates or limits is never left out.
    #[arg(long, value_name = "WHAT", help_heading = "Variants", conflicts_with_all = ["a", "b", "a_env", "b_env", "rev"])]
    pub(crate) without: Vec<Removal>,
    /// Run this command in the checkout of each revision, such as 'npm ci' [default: link the packages installed here]
    #[arg(long, value_name = "COMMAND", requires = "rev", help_heading = "Variants")]
    pub(crate) setup: Option<String>,
    /// Show the gain that this diagnosis predicted beside the measured one; the second variant is the fixed one
    #[arg(long, value_name = "DIR", value_parser = directory(), value_hint = ValueHint::DirPath, help_heading = "Verdict")]
    pub(crate) diagnosis: Option<PathBuf>,
    /// Line that was fixed, as the diagnosis names it [default: the line of the first cause]
    #[arg(
        long,
        alias = "mended",
        value_name = "FILE:LINE",
        requires = "diagnosis",
        help_heading = "Verdict"
    )]
    pub(crate) fixed: Option<String>,
    /// Exit with code 99 if a judged metric is worse by more than this
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Verdict")]
    pub(crate) fail_if_worse: Option<Share>,
    /// Judge this many rounds of each variant [default: 12, or 4 with --load-line]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=1000), help_heading = "Verdict")]
    pub(crate) rounds: Option<u32>,
    /// Search for the load line in every round instead of offering one rate
    #[arg(long, help_heading = "Rounds", conflicts_with_all = ["rate", "duration", "warm_up", "closed", "poisson"])]
    pub(crate) load_line: bool,
    #[command(flatten)]
    pub(crate) load: RoundArgs,
    /// Objective for the searches of --load-line; repeatable, most important first
    #[arg(long = "objective", value_name = "EXPR", value_parser = objective, help_heading = "Rounds")]
    pub(crate) objectives: Vec<Objective>,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Command that starts both variants; everything after --
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
