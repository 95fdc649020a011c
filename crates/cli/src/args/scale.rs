//! What `plimsoll scale` takes.

use super::values::duration;
use super::{GeneratorArgs, OutputArgs, ServiceArgs};
use clap::{Args, ValueHint};
use std::time::Duration;

/// The placeholder of the size. clap takes `{n}` in a help text for the end of a line, but not with a change of style inside.
macro_rules! size_place {
    () => {
        "{\u{1b}[0mn}"
    };
}
pub(crate) use size_place;

const ENV_HELP: &str = concat!(
    "Pass the size to the service in this variable; without it, and without ",
    size_place!(),
    " in the command, sizes are connections"
);
const COMMAND_HELP: &str = concat!(
    "Command that starts the service; everything after --; ",
    size_place!(),
    " stands for the size"
);

#[derive(Debug, Args)]
pub(crate) struct ScaleArgs {
    /// Plan file, `-` for standard input, or URL of the service [default: plimsoll.yaml, if it exists]
    ///
    /// A unix socket is written http+unix://%2Frun%2Fapp.sock/path, with %2F for each `/` of its own path.
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// Measure at these sizes, at least four [default: 1,2,4,8,16,32,64 connections; 1,2,3,4 workers]
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..), help_heading = "Sizes")]
    pub(crate) at: Vec<u32>,
    #[arg(long, help = ENV_HELP, value_name = "NAME", help_heading = "Sizes")]
    pub(crate) env: Option<String>,
    /// Judge this many rounds of each size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(2..=1000), help_heading = "Rounds")]
    pub(crate) rounds: u32,
    /// Judge this much of each round [default: 3s]
    #[arg(short, visible_short_alias = 'z', long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) duration: Option<Duration>,
    /// Warm up for at least this long before a round is judged [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Rounds")]
    pub(crate) warm_up: Option<Duration>,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[arg(help = COMMAND_HELP, last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}
