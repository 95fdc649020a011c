//! What the system refuses is an error in words, with an exit code of the table and nothing left behind: threads,
//! processes and descriptors.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, PROGRAM, Ran, free_url, service};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Where such a group was made before, so that one test does not meet another.
static GROUPS: AtomicU32 = AtomicU32::new(0);

/// A control group with so many processes and threads, removed when it goes.
struct Group(PathBuf);

impl Group {
    /// `None` where this user or this host allows no such group.
    fn with(most: u32) -> Option<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let hierarchy = [root.join("pids"), root.to_owned()]
            .into_iter()
            .find(|path| path.is_dir())?;
        let number = GROUPS.fetch_add(1, Ordering::Relaxed);
        let path = hierarchy.join(format!("plimsoll-test-pids-{}-{number}", std::process::id()));
        fs::create_dir(&path).ok()?;
        let group = Self(path);
        fs::write(group.0.join("pids.max"), most.to_string()).ok()?;
        Some(group)
    }

    /// A shell that enters it and becomes the program.
    fn shell(&self, bench: &Bench) -> Command {
        let mut shell = bench.other("sh");
        let enter = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", self.0.display());
        shell.args(["-c", &enter, "sh", PROGRAM]);
        shell
    }

    fn is_empty(&self) -> bool {
        fs::read_to_string(self.0.join("cgroup.procs")).is_ok_and(|processes| processes.is_empty())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// In words, and by the table.
fn assert_says_so(ran: &Ran, what: &str) {
    assert!([0, 1, 99, 105, 106].contains(&ran.code), "{what}: {ran:?}");
    assert!(!ran.stderr.contains("failed to failed to"), "{what}: {ran:?}");
    if ran.code == 1 && ran.stdout.is_empty() {
        assert!(ran.stderr.contains("error: failed to "), "{what}: {ran:?}");
    }
}

#[test]
fn refused_threads_give_error_and_hint() {
    let Some(first) = Group::with(1) else {
        crate::bench::cannot_run("no control group that bounds processes can be made");
        return;
    };
    let refused = first
        .shell(&Bench::new())
        .args(["run", &free_url(), "-R", "20", "-d", "1s"])
        .args(["--", "true"])
        .output();
    let refused = String::from_utf8_lossy(&refused.expect("it runs").stderr).into_owned();
    assert!(
        refused.contains("hint: no more processes or threads are allowed"),
        "{refused}"
    );
    // Up to what Node.js needs and some more: each thread and each process is the one that is refused, once.
    let limits: Vec<u32> = (1..=20).collect();
    thread::scope(|scope| {
        for limits in limits.chunks(2) {
            scope.spawn(|| limits.iter().for_each(|&most| assert_refusals_are_said(most)));
        }
    });
}

/// Of a run and of a diagnosis that may have no more than `most` processes and threads.
fn assert_refusals_are_said(most: u32) {
    for command in ["run", "diagnose"] {
        let bench = Bench::new();
        let group = Group::with(most).expect("allowed before");
        let plan = serde_json::json!({
            "target": {
                "url": free_url(),
                "command": ["node", service("ok.js")],
                // A Node.js that lacks a thread may wait for it for ever.
                "ready": { "timeout": "2s" },
            },
        });
        bench.write("plan.json", &plan.to_string());
        let ran = Ran::of_command(
            group
                .shell(&bench)
                .args([command, "plan.json", "-R", "20", "-d", "1s", "--quiet"]),
        );
        assert_says_so(&ran, &format!("{command} with {most}"));
        assert!(group.is_empty(), "{command} with {most} left a process");
    }
}

#[test]
fn refused_descriptors_give_error_and_hint() {
    for most in [4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24] {
        let bench = Bench::new();
        let mut shell = bench.other("sh");
        let script = format!("ulimit -n {most} && exec \"$@\"");
        shell.args([
            "-c",
            &script,
            "sh",
            PROGRAM,
            "run",
            &free_url(),
            "-R",
            "20",
            "-d",
            "300ms",
            "--quiet",
        ]);
        shell.args(["--", "node", &service("ok.js")]);
        let ran = Ran::of_command(&mut shell);
        assert_says_so(&ran, &format!("{most} descriptors"));
    }
}
