//! A program that runs to its end and prints what it has to say.

use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Between two looks at whether it has ended.
const POLL: Duration = Duration::from_millis(20);
/// From SIGTERM to SIGKILL, when it is ended early: time to stop what it started.
const GRACE: Duration = Duration::from_secs(5);
const LAST_LINES: usize = 10;

/// A program did not do what it was run for. The text fits after "failed to".
#[derive(Debug, Error)]
pub enum ProgramError {
    /// It could not be started.
    #[error("run {program}: {source}")]
    Spawn {
        /// Its name.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// The file of its output cannot be used.
    #[error("keep what a program prints in {}: {source}", path.display())]
    Output {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It did not end well.
    #[error("run {program}: it ended with {status}{}", said(last_lines))]
    Failed {
        /// Its name.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to standard error last.
        last_lines: Vec<String>,
    },
    /// It did not end in time.
    #[error("run {program}: it had not ended after {} s{}", limit.as_secs(), said(last_lines))]
    TooLong {
        /// Its name.
        program: String,
        /// What it had.
        limit: Duration,
        /// What it wrote to standard error last.
        last_lines: Vec<String>,
    },
    /// The user stopped it.
    #[error("run {program}: it was stopped")]
    Cancelled {
        /// Its name.
        program: String,
    },
}

fn said(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

/// Runs `argv` in `folder` to its end, in a process group of its own, and returns what it wrote to standard output.
/// That stays in `stdout` and standard error in `stderr`, both written anew.
///
/// # Errors
/// [`ProgramError`]; of its group nothing is left running then.
pub fn run_program(
    argv: &[String],
    folder: &Path,
    [stdout, stderr]: [&Path; 2],
    limit: Duration,
    cancel: &AtomicBool,
) -> Result<String, ProgramError> {
    let program = argv.first().cloned().unwrap_or_default();
    let mut command = Command::new(&program);
    command
        .args(argv.iter().skip(1))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output(stdout)?)
        .stderr(output(stderr)?)
        .process_group(0);
    let mut group = Group(command.spawn().map_err(|source| ProgramError::Spawn {
        program: program.clone(),
        source,
    })?);
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = group.ended() {
            break status;
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(ProgramError::Cancelled { program });
        }
        if Instant::now() >= deadline {
            return Err(ProgramError::TooLong {
                program,
                limit,
                last_lines: last_lines(stderr),
            });
        }
        thread::sleep(POLL);
    };
    if !status.success() {
        return Err(ProgramError::Failed {
            program,
            status,
            last_lines: last_lines(stderr),
        });
    }
    fs::read_to_string(stdout).map_err(|source| ProgramError::Output {
        path: stdout.to_owned(),
        source,
    })
}

fn output(path: &Path) -> Result<Stdio, ProgramError> {
    let file = OpenOptions::new().create(true).write(true).truncate(true).open(path);
    file.map(Stdio::from).map_err(|source| ProgramError::Output {
        path: path.to_owned(),
        source,
    })
}

fn last_lines(path: &Path) -> Vec<String> {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let begin = lines.len().saturating_sub(LAST_LINES);
    lines[begin..].iter().map(|&line| line.to_owned()).collect()
}

/// A program and what it started. Dropping it ends them.
struct Group(Child);

impl Group {
    fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }

    /// Fails when nobody is left, which is what is wanted.
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(Pid::from_child(&self.0), signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Once it has been waited for, its number may belong to somebody else.
        if self.ended().is_some() {
            return;
        }
        self.signal(Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while self.ended().is_none() {
            if Instant::now() >= deadline {
                self.signal(Signal::KILL);
                let _ = self.0.wait();
                return;
            }
            thread::sleep(POLL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, limit: Duration, cancel: bool) -> Result<String, ProgramError> {
        let folder = tempfile::tempdir().expect("a folder");
        let argv = ["sh", "-c", script].map(str::to_owned);
        let files = [folder.path().join("out"), folder.path().join("err")];
        run_program(
            &argv,
            folder.path(),
            [&files[0], &files[1]],
            limit,
            &AtomicBool::new(cancel),
        )
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn what_it_prints_is_returned() {
        assert_eq!(
            run("echo figures; echo words >&2", LONG, false).expect("ends"),
            "figures\n"
        );
    }

    #[test]
    fn how_it_failed_is_said() {
        let error = run("echo no such thing >&2; exit 3", LONG, false).expect_err("fails");
        let text = error.to_string();
        assert!(
            text.contains("exit status: 3") && text.contains("no such thing"),
            "{text}"
        );
        let error = run("sleep 600", Duration::from_millis(1), false).expect_err("too long");
        assert!(matches!(error, ProgramError::TooLong { .. }), "{error}");
        let error = run("sleep 600", LONG, true).expect_err("stopped");
        assert!(matches!(error, ProgramError::Cancelled { .. }), "{error}");
    }
}
