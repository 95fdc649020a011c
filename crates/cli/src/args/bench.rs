//! What `plimsoll bench` takes.

use super::{GeneratorArgs, LoadArgs, OutputArgs, ReachArgs, RequestArgs};
use clap::{Args, ValueHint};

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// URL to load
    ///
    /// On ws:// and wss:// a request is a message, whose response is the first one with its `${message}`. A unix socket is written http+unix://%2Frun%2Fapp.sock/path, with %2F for each `/` of its own path.
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
