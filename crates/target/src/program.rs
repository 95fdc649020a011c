//! A program that runs to its end and prints what it has to say, and one that runs beside others until it is let go.

use crate::family::{Family, Fault, Grace, ORPHAN_GRACE};
use crate::program_error::ProgramError;
use crate::supervisor::wire::Order;
use plimsoll_files::{found, handed};
use plimsoll_plan::{KnownSecrets, Secret, Shown};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at whether it has ended.
const POLL: Duration = Duration::from_millis(20);
/// From SIGTERM to SIGKILL, for the program and for what it started.
const GRACE: Duration = Duration::from_secs(3);
const LAST_LINES: usize = 10;
/// What a program that is kept has said is looked at in pieces of this size.
const MOST_HEARD_BYTES: u64 = 4096;
/// What a program prints is figures.
const MOST_PRINTED_BYTES: u64 = 8 << 20;

/// What is run, and where what it prints is kept.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The program and its arguments.
    pub argv: &'a [Secret],
    /// Added to the environment.
    pub env: &'a [(String, Secret)],
    /// Where it runs.
    pub directory: &'a Path,
    /// Holds its standard output, written anew.
    pub stdout: &'a Path,
    /// Holds its standard error in the same way.
    pub stderr: &'a Path,
    /// From its start to its end, or to what is waited for.
    pub limit: Duration,
}

impl Program<'_> {
    /// Runs it to its end, in a process group of its own, and returns what it wrote to standard output. Setting `cancel`
    /// ends it. Nothing that it started is left running.
    ///
    /// # Errors
    /// [`ProgramError`].
    pub fn run(&self, cancel: &AtomicBool) -> Result<String, ProgramError> {
        let running = self.start()?;
        self.wait_for(&running, cancel, || Ok(running.ended()))
            .and_then(|status| self.succeeded(status))?;
        drop(running);
        self.printed()
    }

    /// Starts it beside others, waits until it has printed the line that says that it is ready, a JSON object of texts,
    /// and returns that line's entries. It runs until it is dropped.
    ///
    /// # Errors
    /// [`ProgramError`]; nothing that it started is left running then.
    pub fn run_beside(&self, cancel: &AtomicBool) -> Result<Beside, ProgramError> {
        let running = self.start()?;
        let line = self.wait_for(&running, cancel, || {
            match (self.printed()?.split_once('\n'), running.ended()) {
                (Some((line, _)), _) => Ok(Some(line.to_owned())),
                (None, Some(status)) => self.succeeded(status).and_then(|()| Err(self.said("nothing"))),
                (None, None) => Ok(None),
            }
        })?;
        let env: BTreeMap<String, String> = serde_json::from_str(&line).map_err(|_| self.said(&line))?;
        Ok(Beside {
            env: env.into_iter().map(|(name, value)| (name, value.into())).collect(),
            _running: running,
        })
    }

    /// Starts it beside others. It runs until it is dropped.
    ///
    /// # Errors
    /// [`ProgramError`].
    pub fn keep(&self) -> Result<Kept, ProgramError> {
        Ok(Kept {
            running: self.start()?,
            name: self.name(),
            stderr: self.stderr.to_owned(),
            heard_bytes: 0,
            hidden: self.hidden(),
        })
    }

    fn name(&self) -> String {
        Shown::of_command(&self.argv[..self.argv.len().min(1)]).into()
    }

    fn start(&self) -> Result<Running, ProgramError> {
        let argv = self.argv.iter().map(|word| OsString::from(word.reveal())).collect();
        Running::start(
            argv,
            self.env,
            self.directory,
            output(self.stdout)?,
            output(self.stderr)?,
        )
    }

    fn wait_for<T>(
        &self,
        running: &Running,
        cancel: &AtomicBool,
        mut look: impl FnMut() -> Result<Option<T>, ProgramError>,
    ) -> Result<T, ProgramError> {
        let deadline = Instant::now() + self.limit;
        loop {
            if let Some(found) = look()? {
                return Ok(found);
            }
            if running.lost() {
                return Err(ProgramError::Lost { program: self.name() });
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(ProgramError::Cancelled { program: self.name() });
            }
            if Instant::now() >= deadline {
                return Err(ProgramError::TooLong {
                    program: self.name(),
                    limit: self.limit,
                    last_lines: self.last_lines(),
                });
            }
            running.wait();
        }
    }

    fn succeeded(&self, status: ExitStatus) -> Result<(), ProgramError> {
        if status.success() {
            return Ok(());
        }
        Err(ProgramError::Failed {
            program: self.name(),
            status,
            last_lines: self.last_lines(),
        })
    }

    fn said(&self, found: &str) -> ProgramError {
        ProgramError::Said {
            program: self.name(),
            found: found.to_owned(),
            expected: "a line with a JSON object of environment variables",
        }
    }

    fn hidden(&self) -> KnownSecrets {
        KnownSecrets::of_settings(self.env.iter().map(|(name, value)| (name.as_str(), value.reveal())))
    }

    fn last_lines(&self) -> Vec<String> {
        last_lines(self.stderr, &self.hidden())
    }

    fn printed(&self) -> Result<String, ProgramError> {
        found::text(self.stdout, MOST_PRINTED_BYTES).map_err(|source| ProgramError::Output {
            path: self.stdout.to_owned(),
            source,
        })
    }
}

fn last_lines(stderr: &Path, hidden: &KnownSecrets) -> Vec<String> {
    crate::output::read_last_lines(stderr, 0, LAST_LINES, hidden).unwrap_or_default()
}

/// A program that runs beside others, for as long as they need it. Dropping it ends it, with what it started.
#[derive(Debug)]
pub struct Kept {
    running: Running,
    name: String,
    stderr: PathBuf,
    /// So much of that has been handed on.
    heard_bytes: u64,
    hidden: KnownSecrets,
}

impl Kept {
    /// Lines that it wrote to standard error since this was asked last.
    pub fn said(&mut self) -> Vec<String> {
        let read = |file: File| crate::output::read_from(&file, self.heard_bytes, MOST_HEARD_BYTES);
        let bytes = handed::written(&self.stderr).and_then(read).unwrap_or_default();
        // The last one may be half written.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.heard_bytes += whole as u64;
        let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
        let text = self.hidden.hide(&text);
        plimsoll_plain::lines(&text).lines().map(str::to_owned).collect()
    }

    /// Whether it still runs.
    ///
    /// # Errors
    /// How it ended, where it has.
    pub fn check(&self) -> Result<(), ProgramError> {
        if let Some(status) = self.running.ended() {
            return Err(ProgramError::Failed {
                program: self.name.clone(),
                status,
                last_lines: last_lines(&self.stderr, &self.hidden),
            });
        }
        if self.running.lost() {
            return Err(ProgramError::Lost {
                program: self.name.clone(),
            });
        }
        Ok(())
    }
}

/// What a short program printed, and how it ended.
#[derive(Debug)]
pub struct Captured {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program in `directory` to its end, whatever that is. Setting `cancel` ends it; nothing that it started is left.
///
/// # Errors
/// When it cannot be run, or what it printed cannot be kept.
pub fn run_captured(argv: &[OsString], directory: &Path, cancel: &AtomicBool) -> Result<Captured, ProgramError> {
    let program = || argv.first().cloned().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |source| ProgramError::Output {
        path: std::env::temp_dir(),
        source,
    };
    // Files without a name: they are gone with the last one that has them open.
    let mut stdout = tempfile::tempfile().map_err(failed)?;
    let mut stderr = tempfile::tempfile().map_err(failed)?;
    let own_end = |file: &File| file.try_clone().map(Stdio::from).map_err(failed);
    let running = Running::start(argv.to_vec(), &[], directory, own_end(&stdout)?, own_end(&stderr)?)?;
    let status = loop {
        if let Some(status) = running.ended() {
            break status;
        }
        if running.lost() {
            return Err(ProgramError::Lost { program: program() });
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(ProgramError::Cancelled { program: program() });
        }
        running.wait();
    };
    drop(running);
    let read = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok(Captured {
        status,
        stdout: read(&mut stdout).map_err(failed)?,
        stderr: read(&mut stderr).map_err(failed)?,
    })
}

/// A program that runs beside others. Dropping it ends it, with what it started.
#[derive(Debug)]
pub struct Beside {
    /// What it said when it was ready.
    pub env: Vec<(String, Secret)>,
    _running: Running,
}

fn output(path: &Path) -> Result<Stdio, ProgramError> {
    handed::fresh(path)
        .map(Stdio::from)
        .map_err(|source| ProgramError::Output {
            path: path.to_owned(),
            source,
        })
}

/// A program and what it started. Dropping it ends them.
#[derive(Debug)]
struct Running(Option<Family>);

impl Running {
    fn start(
        argv: Vec<OsString>,
        env: &[(String, Secret)],
        directory: &Path,
        stdout: Stdio,
        stderr: Stdio,
    ) -> Result<Self, ProgramError> {
        let program = argv.first().cloned().unwrap_or_default().to_string_lossy().into_owned();
        let order = Order {
            argv,
            env: env
                .iter()
                .map(|(name, value)| (name.clone(), value.reveal().to_owned()))
                .collect(),
            dir: Some(directory.as_os_str().to_owned()),
            cpus: Vec::new(),
            orphan_grace_ms: ORPHAN_GRACE.as_millis() as u64,
            group: None,
        };
        let started = Family::start(&order, stdout, stderr);
        started.map(|family| Self(Some(family))).map_err(|fault| match fault {
            Fault::Pin | Fault::Limit(_) => ProgramError::Spawn {
                program,
                source: io::ErrorKind::InvalidInput.into(),
            },
            Fault::Run(source) => ProgramError::Spawn { program, source },
            Fault::Supervise(source) => ProgramError::Supervise { program, source },
        })
    }

    /// How the program itself ended; what it left behind may still run.
    fn ended(&self) -> Option<ExitStatus> {
        self.0.as_ref()?.standing().first
    }

    fn lost(&self) -> bool {
        self.0.as_ref().is_some_and(|family| family.standing().lost)
    }

    fn wait(&self) {
        if let Some(family) = &self.0 {
            family.wait(POLL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(family) = self.0.take() {
            family.end(Grace::of(GRACE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_kept_says_how_it_ended() {
        program("echo going down >&2; exit 4", LONG, |program| {
            let kept = program.keep().expect("starts");
            let ended = (0..6_000).find_map(|_| {
                kept.running.wait();
                kept.check().err()
            });
            let text = ended.expect("it ends").to_string();
            assert!(text.contains("exit status: 4") && text.contains("going down"), "{text}");
        });
        program("sleep 600", LONG, |program| {
            let kept = program.keep().expect("starts");
            assert!(kept.check().is_ok());
        });
    }

    fn program<T>(script: &str, limit: Duration, run: impl FnOnce(Program<'_>) -> T) -> T {
        let directory = tempfile::tempdir().expect("a directory");
        let argv = ["sh", "-c", script].map(Secret::from);
        let (stdout, stderr) = (directory.path().join("out"), directory.path().join("err"));
        run(Program {
            argv: &argv,
            env: &[("WORD".to_owned(), "figures".into())],
            directory: directory.path(),
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
            assert_eq!(beside.env, [("URL".to_owned(), "x".into())]);
            assert!(!program.directory.join("seen").exists());
            drop(beside);
            assert!(program.directory.join("seen").exists(), "it had time to clean up");
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
