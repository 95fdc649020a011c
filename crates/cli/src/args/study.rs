//! What `plimsoll study` takes.

use super::{OutputArgs, duration};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// Name of a study, `list` for what there is, or `all`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Where the studies are [default: the folder studies here or above]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) studies: Option<PathBuf>,
    /// Judged part of each round, instead of what the study says
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) duration: Option<Duration>,
    /// Rounds of each variant and size, instead of what the study says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=1000), help_heading = "Rounds")]
    pub(crate) rounds: Option<u32>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
