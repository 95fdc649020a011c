//! Runs of other versions: an agent says so, or goes on as the program of that version. Code never comes over the bus.

use plimsoll_fleet::Refusal;
use plimsoll_plan::Secret;
use plimsoll_target::{Program, Scratch};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A program says at once which version it is.
const SAYS_MAX: Duration = Duration::from_secs(10);

/// How the service of an agent ended.
#[derive(Debug)]
pub enum Served {
    /// Its user stopped it.
    Stopped,
    /// A run of another version wants it, and this program is that version: it goes on in its place, with the same arguments.
    Succeeded(PathBuf),
}

/// The program of this version in the directory that the agent's user has named.
pub(super) fn program_of(version: &str, directory: Option<&Path>) -> Result<PathBuf, Refusal> {
    let own = env!("CARGO_PKG_VERSION");
    let refuse = |found: String, hint: String| Refusal {
        why: format!("a run of version {version} asks for agents, and this is version {own}{found}"),
        hint: Some(hint),
    };
    let Some(directory) = directory else {
        let hint = "start the agent from the version of the run, or with --update-from DIR".to_owned();
        return Err(refuse(String::new(), hint));
    };
    let program = directory.join(format!("plimsoll-{version}"));
    let hint = format!("put the program of version {version} there, as {}", program.display());
    // What it says of itself counts: a wrong one would be asked for again and again.
    match said_version(&program) {
        Ok(said) if said.trim_end() == format!("plimsoll {version}") => Ok(program),
        Ok(said) => {
            let found = said.lines().next().unwrap_or("nothing").to_owned();
            Err(refuse(format!("; {} says that it is {found}", program.display()), hint))
        }
        Err(error) => Err(refuse(format!("; failed to {error}"), hint)),
    }
}

fn said_version(program: &Path) -> Result<String, String> {
    let scratch = Scratch::new("plimsoll-version-").map_err(|error| error.to_string())?;
    let argv = [Secret::from(&*program.to_string_lossy()), Secret::from("--version")];
    let asked = Program {
        argv: &argv,
        env: &[],
        directory: scratch.path(),
        stdout: &scratch.path().join("out"),
        stderr: &scratch.path().join("err"),
        limit: SAYS_MAX,
    };
    asked.run(&AtomicBool::new(false)).map_err(|error| error.to_string())
}
