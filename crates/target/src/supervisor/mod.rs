//! A process beside this one that ends what was started, however this one ends.
//!
//! Every program is started by a supervisor of its own: this very program, executed again with a hidden first argument
//! ([`enter`]). The supervisor adopts whatever its program leaves behind (`PR_SET_CHILD_SUBREAPER`), so everything that
//! stems from the program is its descendant, daemons too. It holds one end of a socket. When the other end closes without
//! a goodbye, it ends all its descendants: SIGTERM, then SIGKILL. It leads a process group of its own and blocks all
//! signals, so that neither Ctrl-C nor a closed terminal nor `kill -9 -GROUP` reaches it.
//!
//! [`Scratch`](crate::Scratch) directories have a keeper, which removes them when this process and all supervisors are gone.
//!
//! Why it is so: `docs/decisions/0021-a-supervisor-for-each-program.md`. Where there is no Linux, or a program never called
//! [`enter`], programs are started and ended by this process itself.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod warden;
pub(crate) mod wire;

/// First argument of a supervisor.
const SUPERVISE: &str = "__supervise";
/// First argument of a keeper of directories.
const KEEP: &str = "__keep";

/// The program that can be a supervisor.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// To be called first in `main`. `Some` when this process is a supervisor, and has done its work; else this program will
/// be executed again as the supervisor of what it starts.
#[must_use]
pub fn enter() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    match std::env::args_os().nth(1).as_deref().and_then(OsStr::to_str) {
        Some(SUPERVISE) => return Some(warden::main()),
        Some(KEEP) => return Some(keeper::main()),
        _ => {}
    }
    // The link leads to this program even when its file was replaced meanwhile.
    is_at(Path::new("/proc/self/exe"));
    None
}

/// Uses another program as the supervisor, one that calls [`enter`]. For tests, whose own program is their harness.
pub fn is_at(program: &Path) {
    if cfg!(target_os = "linux") && program.exists() {
        // The first one stays.
        let _ = PROGRAM.set(program.to_owned());
    }
}

/// A supervisor that can be started, if there may be one.
pub(crate) fn supervisor() -> Option<Command> {
    command(SUPERVISE)
}

/// A keeper that can be started, if there may be one.
pub(crate) fn keeper() -> Option<Command> {
    command(KEEP)
}

fn command(argument: &str) -> Option<Command> {
    let mut command = Command::new(PROGRAM.get()?);
    // Named for what it is, and for the process that it belongs to. Without the name of the product: `pkill -9` by that
    // name is one more way to end a run.
    command
        .arg0("supervisor")
        .arg(argument)
        .arg(format!("of-process-{}", std::process::id()))
        .process_group(0);
    Some(command)
}

/// What a supervisor or a keeper does first: no signal ends it but SIGKILL, and it goes by its own name. Returns the signals
/// that were blocked before, as they are to be for a program that it starts.
#[cfg(target_os = "linux")]
fn settle() -> io::Result<nix::sys::signal::SigSet> {
    use nix::sys::signal::{SigSet, Signal};
    let before = SigSet::thread_get_mask()?;
    let mut signals = SigSet::all();
    signals.remove(Signal::SIGCHLD);
    // Blocked and not ignored: what is ignored would be ignored by every program that is started, too.
    signals.thread_block()?;
    // For whoever looks at a list of processes.
    let _ = rustix::thread::set_name(c"supervisor");
    Ok(before)
}

/// Lets go of what it inherited: a reader of our user's terminal or pipe must not wait for a supervisor.
#[cfg(target_os = "linux")]
fn let_go() -> io::Result<()> {
    use rustix::fs::{Mode, OFlags};
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    std::env::set_current_dir("/")
}
