//! What `plimsoll study` takes.

use super::values::duration;
use super::{FleetArgs, OutputArgs};
use clap::{Args, ValueHint};
use plimsoll_study::Study;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// Study to run, or `list` to list them, or `all`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Look for studies here [default: the directory `studies` here or above]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) studies: Option<PathBuf>,
    /// Judge this much of each round [default: set by the study]
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) duration: Option<Duration>,
    /// Judge this many rounds of each variant and size [default: set by the study]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=1000), help_heading = "Rounds")]
    pub(crate) rounds: Option<u32>,
    /// Measure at this size, such as 2000 clients, where a study has one [default: set by the study]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) size: Option<u32>,
    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl StudyArgs {
    /// The study as these arguments want it.
    pub(crate) fn chosen(&self, study: Study) -> Study {
        study.shortened(self.duration, self.rounds).sized(self.size)
    }
}
