//! What `plimsoll import` takes.

use clap::{Args, ValueHint};
use plimsoll_import::Format;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// File to import, `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Format of the file [default: found out]
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) from: Option<Format>,
    /// Write the plan to this file [default: standard output]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing plan
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// URL of the service [default: the one of the file if it is on this machine, else http://127.0.0.1:3000]
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Take values of variables from this exported environment of Postman
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) environment: Option<PathBuf>,
    /// Import operations of OpenAPI that may change data as well: POST, PUT, PATCH and DELETE
    #[arg(long)]
    pub(crate) writes: bool,
    /// Fail if anything of the file is not carried over
    #[arg(long)]
    pub(crate) strict: bool,
}

fn format() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::TypedValueParser as _;
    clap::builder::PossibleValuesParser::new(Format::names()).try_map(|name| name.parse())
}
