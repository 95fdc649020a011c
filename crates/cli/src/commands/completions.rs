//! `plimsoll completions`: a completion script for a shell.

use crate::CommandResult;
use crate::args::Cli;
use crate::exit::Exit;
use crate::output::{Said, say};
use clap::CommandFactory as _;

pub(crate) fn completions(shell: clap_complete::Shell) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "plimsoll", &mut script);
    say(Said::Script(&String::from_utf8_lossy(&script)))?;
    Ok(Exit::Pass)
}
