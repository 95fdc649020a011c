//! What `plimsoll check` takes.

use super::values::{duration, share};
use super::{GeneratorArgs, OutputArgs, RoundArgs, ServiceArgs};
use clap::{Args, ValueHint};
use plimsoll_plan::Share;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Plan file or URL of the service [default: plimsoll.yaml, if it exists]
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// Compare the working tree with the commit where it left this revision, such as origin/main
    ///
    /// That is the newest commit that both have in common (git merge-base), so what others have added to the revision since
    /// then counts for neither side. Of a tag or an older commit it is the commit itself.
    #[arg(long, value_name = "REV")]
    pub(crate) base: String,
    /// Run this command in the checkout of the base, such as 'npm ci' [default: link the packages installed here]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,
    /// Fail if a metric is worse by this much: such a loss is found in nine of ten checks that have the time for it
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "5%", help_heading = "Verdict")]
    pub(crate) threshold: Share,
    /// End after this time, decided or not; rounds go on no longer than they must
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m", help_heading = "Verdict")]
    pub(crate) within: Duration,
    /// Exit with code 98 if the check could not decide [default: 0, with the verdict inconclusive]
    #[arg(long, help_heading = "Verdict")]
    pub(crate) fail_if_inconclusive: bool,
    /// Warn if a metric is worse than on earlier days of this machine, by what earlier checks left in this file, and add to it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "History")]
    pub(crate) history: Option<PathBuf>,
    /// Name this machine in the history [default: known by /etc/machine-id, unless that is of the image of a container]
    #[arg(long, value_name = "NAME", requires = "history", help_heading = "History")]
    pub(crate) machine: Option<String>,
    #[command(flatten)]
    pub(crate) load: RoundArgs,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Command that starts the service; everything after --
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}
