//! An agent that goes on as a program of another version, in the same process.

use crate::CommandResult;
use crate::args::UpdateArgs;
use crate::exit::{Exit, Failure};
use plimsoll_lab::fleet::Served;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

/// Where the arguments say that programs of other versions are. What they were started in does not count.
pub(super) fn directory(args: &UpdateArgs) -> Result<Option<PathBuf>, Failure> {
    let directory = args.update_from.as_deref().map(std::path::absolute).transpose();
    directory.map_err(|error| Failure::refused("find the directory of --update-from", &error))
}

/// Ends an agent, or has a program go on in its place with the arguments that it had.
pub(super) fn end(served: Served) -> CommandResult {
    match served {
        Served::Stopped => Ok(Exit::Pass),
        Served::Succeeded(program) => {
            let error = Command::new(&program).args(std::env::args_os().skip(1)).exec();
            Err(Failure::refused(&format!("go on as {}", program.display()), &error))
        }
    }
}
