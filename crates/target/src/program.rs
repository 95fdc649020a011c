//! A program that runs to its end and prints what it has to say, and one that runs beside others until it is let go.

use plimsoll_files::{found, handed};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeMap;
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
const GRACE: Duration = Duration::from_secs(15);
const LAST_LINES: usize = 10;
/// What a program prints is figures.
const MOST_PRINTED_BYTES: u64 = 8 << 20;

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
    /// It did not say what it should.
    #[error("run {program}: it printed {found}, expected {expected}")]
    Said {
        /// Its name.
        program: String,
        /// What it printed.
        found: String,
        /// What was expected.
        expected: &'static str,
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

/// What is run, and where what it prints is kept.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The program and its arguments.
    pub argv: &'a [String],
    /// Added to the environment.
    pub env: &'a [(String, String)],
    /// Where it runs.
    pub folder: &'a Path,
    /// Holds its standard output, written anew.
    pub stdout: &'a Path,
    /// Holds its standard error, likewise.
    pub stderr: &'a Path,
    /// From its start to its end, or to what is waited for.
    pub limit: Duration,
}

impl Program<'_> {
    /// Runs it to its end, in a process group of its own, and returns what it wrote to standard output. Setting `cancel`
    /// ends it.
    ///
    /// # Errors
    /// [`ProgramError`]; of its group nothing is left running then.
    pub fn run(&self, cancel: &AtomicBool) -> Result<String, ProgramError> {
        let mut group = self.start()?;
        self.wait_for(cancel, || Ok(group.ended()))
            .and_then(|status| self.succeeded(status))?;
        self.printed()
    }

    /// Starts it beside others, waits until it has printed the line that says that it is ready, a JSON object of texts,
    /// and returns that line's entries. It runs until it is dropped.
    ///
    /// # Errors
    /// [`ProgramError`]; of its group nothing is left running then.
    pub fn run_beside(&self, cancel: &AtomicBool) -> Result<Beside, ProgramError> {
        let mut group = self.start()?;
        let line = self.wait_for(cancel, || match (self.printed()?.split_once('\n'), group.ended()) {
            (Some((line, _)), _) => Ok(Some(line.to_owned())),
            (None, Some(status)) => self.succeeded(status).and_then(|()| Err(self.said("nothing"))),
            (None, None) => Ok(None),
        })?;
        let env: BTreeMap<String, String> = serde_json::from_str(&line).map_err(|_| self.said(&line))?;
        Ok(Beside {
            env: env.into_iter().collect(),
            _group: group,
        })
    }

    fn name(&self) -> String {
        self.argv.first().cloned().unwrap_or_default()
    }

    fn start(&self) -> Result<Group, ProgramError> {
        let mut command = Command::new(self.name());
        command
            .args(self.argv.iter().skip(1))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(output(self.stdout)?)
            .stderr(output(self.stderr)?)
            .process_group(0);
        command.spawn().map(Group).map_err(|source| ProgramError::Spawn {
            program: self.name(),
            source,
        })
    }

    fn wait_for<T>(
        &self,
        cancel: &AtomicBool,
        mut look: impl FnMut() -> Result<Option<T>, ProgramError>,
    ) -> Result<T, ProgramError> {
        let deadline = Instant::now() + self.limit;
        loop {
            if let Some(found) = look()? {
                return Ok(found);
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(ProgramError::Cancelled { program: self.name() });
            }
            if Instant::now() >= deadline {
                return Err(ProgramError::TooLong {
                    program: self.name(),
                    limit: self.limit,
                    last_lines: last_lines(self.stderr),
                });
            }
            thread::sleep(POLL);
        }
    }

    fn succeeded(&self, status: ExitStatus) -> Result<(), ProgramError> {
        if status.success() {
            return Ok(());
        }
        Err(ProgramError::Failed {
            program: self.name(),
            status,
            last_lines: last_lines(self.stderr),
        })
    }

    fn said(&self, found: &str) -> ProgramError {
        ProgramError::Said {
            program: self.name(),
            found: found.to_owned(),
            expected: "a line with a JSON object of environment variables",
        }
    }

    fn printed(&self) -> Result<String, ProgramError> {
        found::text(self.stdout, MOST_PRINTED_BYTES).map_err(|source| ProgramError::Output {
            path: self.stdout.to_owned(),
            source,
        })
    }
}

/// A program that runs beside others. Dropping it ends it, with what it started.
#[derive(Debug)]
pub struct Beside {
    /// What it said when it was ready.
    pub env: Vec<(String, String)>,
    _group: Group,
}

fn output(path: &Path) -> Result<Stdio, ProgramError> {
    handed::fresh(path)
        .map(Stdio::from)
        .map_err(|source| ProgramError::Output {
            path: path.to_owned(),
            source,
        })
}

fn last_lines(path: &Path) -> Vec<String> {
    crate::output::read_last_lines(path, 0, LAST_LINES).unwrap_or_default()
}

/// A program and what it started. Dropping it ends them.
#[derive(Debug)]
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

    fn program<T>(script: &str, limit: Duration, run: impl FnOnce(Program<'_>) -> T) -> T {
        let folder = tempfile::tempdir().expect("a folder");
        let argv = ["sh", "-c", script].map(str::to_owned);
        let (stdout, stderr) = (folder.path().join("out"), folder.path().join("err"));
        run(Program {
            argv: &argv,
            env: &[("WORD".to_owned(), "figures".to_owned())],
            folder: folder.path(),
            stdout: &stdout,
            stderr: &stderr,
            limit,
        })
    }

    fn run(script: &str, limit: Duration, cancel: bool) -> Result<String, ProgramError> {
        program(script, limit, |program| program.run(&AtomicBool::new(cancel)))
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn what_it_prints_is_returned() {
        assert_eq!(
            run("echo $WORD; echo words >&2", LONG, false).expect("ends"),
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

    #[test]
    fn one_beside_others_runs_until_it_is_let_go() {
        let go = AtomicBool::new(false);
        let script = r#"trap 'echo gone >>"$PWD/seen"; exit' TERM; echo '{"URL": "x"}'; while :; do sleep 0.05; done"#;
        program(script, LONG, |program| {
            let beside = program.run_beside(&go).expect("ready");
            assert_eq!(beside.env, [("URL".to_owned(), "x".to_owned())]);
            assert!(!program.folder.join("seen").exists());
            drop(beside);
            assert!(program.folder.join("seen").exists(), "it had time to clean up");
        });
        for (script, expected) in [
            ("echo ready", "it printed ready, expected"),
            ("exit 0", "it printed nothing"),
            ("exit 3", "exit status: 3"),
        ] {
            let error = program(script, LONG, |program| program.run_beside(&go)).expect_err("refused");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
