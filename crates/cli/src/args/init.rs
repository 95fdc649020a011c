//! What `plimsoll init` takes.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write the plan to this file
    #[arg(long, value_name = "FILE", default_value = "plimsoll.yaml", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// URL of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000/")]
    pub(crate) url: String,
    /// Overwrite an existing plan
    #[arg(long)]
    pub(crate) force: bool,
    /// Propose the operations of this OpenAPI document [default: the routes that the service has]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,
    /// Propose requests that may change data as well: POST, PUT, PATCH and DELETE; each is sent once
    #[arg(long)]
    pub(crate) writes: bool,
    /// Value of a parameter of routes, such as id=42, or several that are taken in turn, id=1,2,3; repeatable
    #[arg(long = "value", value_name = "NAME=VALUE", value_parser = value)]
    pub(crate) values: Vec<(String, Vec<String>)>,
    /// Write the plan without starting the service
    #[arg(long)]
    pub(crate) no_start: bool,
    /// Command that starts the service; everything after -- [default: the start script of package.json]
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,
}

fn value(text: &str) -> Result<(String, Vec<String>), String> {
    match text.split_once('=') {
        Some((name, values)) if !name.is_empty() && !values.is_empty() => {
            Ok((name.to_owned(), values.split(',').map(str::to_owned).collect()))
        }
        _ => Err("expected a name and a value, such as id=42".to_owned()),
    }
}
