//! However a run ends, nothing of it stays: no process, no port, no temporary directory, no worktree.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, can_limit, can_run_broker, free_port, groups_of, send};
use serde_json::json;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(20);
/// In the environment of everything that stems from a run.
const MARK: &str = "PLIMSOLL_TEST_LEFT";

/// Serves, and starts three helpers that are hard to end: one in a group of its own, a daemon, and one that ignores SIGTERM.
/// Says that it is ready when they are.
const SERVICE: &str = r"
const { spawn } = require('child_process');
const { existsSync, writeFileSync } = require('fs');
const options = { detached: true, stdio: 'ignore' };
spawn('sleep', ['600'], options);
spawn('setsid', ['sh', '-c', 'sleep 600 & touch daemon; exit 0'], options);
spawn('sh', ['-c', 'trap : TERM HUP INT QUIT; touch deaf; while :; do sleep 0.05; done'], options);
const server = require('http').createServer((request, response) => {
  response.statusCode = existsSync('daemon') && existsSync('deaf') ? 200 : 503;
  if (response.statusCode === 200) writeFileSync('ready', '');
  response.end();
});
server.listen(process.env.PORT, '127.0.0.1');
";

/// How a run is ended.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// A signal to plimsoll.
    Signal(&'static str),
    /// The same again, once the first has arrived.
    Twice(&'static str),
    /// SIGKILL to its process group.
    Group,
    /// SIGKILL to the supervisor of the service.
    Supervisor,
}

const WAYS: [Way; 11] = [
    Way::Signal("-TERM"),
    Way::Signal("-INT"),
    Way::Signal("-HUP"),
    Way::Signal("-QUIT"),
    Way::Signal("-KILL"),
    Way::Signal("-ABRT"),
    Way::Twice("-INT"),
    Way::Twice("-TERM"),
    Way::Twice("-HUP"),
    Way::Group,
    Way::Supervisor,
];

/// Something of plimsoll that is about to be ended.
struct Run {
    bench: Bench,
    port: u16,
    mark: String,
}

impl Run {
    fn new() -> Self {
        let bench = Bench::new();
        bench.write("service.cjs", SERVICE);
        fs::create_dir(bench.path("tmp")).expect("made");
        let port = free_port();
        let mark = format!("{}-{port}", std::process::id());
        Self { bench, port, mark }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// With its mark, and its own directory for temporary files.
    fn marked(&self, mut command: Command) -> Command {
        command
            .env(MARK, &self.mark)
            .env("TMPDIR", self.bench.path("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn begin(&self, arguments: &[&str]) -> Child {
        use std::os::unix::process::CommandExt as _;
        let mut command = self.marked(self.bench.command(arguments));
        command.process_group(0).spawn().expect("the program starts")
    }

    /// A run of that plan that ends with its reader, once its service is ready.
    fn begin_to_be_read(&self) -> Child {
        self.plan();
        let mut command = self.marked(self.bench.command(&["run", "plan.json", "--json", "--quiet"]));
        command.env("PLIMSOLL_ENDS_WITH_READER", "1").stdout(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        self.wait_for("ready");
        child
    }

    /// A plan of a minute, with a control group where this machine allows one.
    fn plan(&self) {
        let limits = if can_limit("pids") {
            json!({ "pids": 200 })
        } else {
            json!({})
        };
        let plan = json!({
            "target": {
                "url": self.url(),
                "command": ["node", "service.cjs"],
                "ready": { "path": "/" },
                "stop_grace": "1s",
                "limits": limits,
            },
            "load": { "model": "open", "rate": "20/s", "duration": "60s" },
        });
        self.bench.write("plan.json", &plan.to_string());
    }

    fn wait_for(&self, name: &str) {
        while !self.bench.path(name).exists() {
            thread::sleep(POLL);
        }
    }

    /// Processes that are alive and have the mark.
    fn alive(&self) -> Vec<PathBuf> {
        let wanted = format!("{MARK}={}", self.mark);
        let processes = fs::read_dir("/proc")
            .expect("Linux")
            .flatten()
            .map(|entry| entry.path());
        processes
            .filter(|process| {
                let environment = fs::read(process.join("environ")).unwrap_or_default();
                environment
                    .split(|&byte| byte == 0)
                    .any(|word| word == wanted.as_bytes())
            })
            .collect()
    }

    /// The process above the service.
    fn supervisor(&self) -> String {
        let is_node =
            |process: &&PathBuf| fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "node");
        let processes = self.alive();
        let service = processes.iter().find(is_node).expect("the service runs");
        let stat = fs::read_to_string(service.join("stat")).expect("it runs");
        let rest = stat.rsplit_once(") ").expect("a stat").1;
        rest.split(' ').nth(1).expect("a parent").to_owned()
    }

    fn end(&self, mut child: Child, way: Way) {
        let pid = child.id().to_string();
        match way {
            Way::Signal(signal) => send(signal, &pid),
            Way::Twice(signal) => {
                send(signal, &pid);
                // Signals of the same number become one when they come together; this is as quick as fingers are.
                thread::sleep(Duration::from_millis(150));
                // It may have been quicker.
                let _ = Command::new("kill").args([signal, &pid]).stderr(Stdio::null()).status();
            }
            Way::Group => send("-KILL", &format!("-{pid}")),
            Way::Supervisor => send("-KILL", &self.supervisor()),
        }
        child.wait().expect("it ends");
    }

    /// Waits until all is gone; a test that waits in vain is ended by its runner.
    fn wait_until_nothing_is_left(&self) {
        let temporary = || fs::read_dir(self.bench.path("tmp")).expect("there").next().is_some();
        while !self.alive().is_empty() || TcpStream::connect(("127.0.0.1", self.port)).is_ok() || temporary() {
            thread::sleep(POLL);
        }
    }
}

#[test]
fn ended_run_leaves_nothing() {
    thread::scope(|scope| {
        for way in WAYS {
            scope.spawn(move || {
                let run = Run::new();
                run.plan();
                let child = run.begin(&["run", "plan.json", "--quiet"]);
                run.wait_for("ready");
                let process = child.id();
                run.end(child, way);
                run.wait_until_nothing_is_left();
                while !groups_of(process).is_empty() {
                    thread::sleep(POLL);
                }
            });
        }
    });
}

#[test]
fn run_whose_reader_is_gone_leaves_nothing() {
    let run = Run::new();
    let mut child = run.begin_to_be_read();
    drop(child.stdout.take());
    // What it has is kept, as after a signal.
    assert_eq!(child.wait().expect("it ends").code(), Some(105));
    run.wait_until_nothing_is_left();
}

/// What is deaf has a second to end in, which takes longer than this.
#[test]
fn reader_that_leaves_while_a_run_ends_does_not_cut_it_short() {
    let run = Run::new();
    let mut child = run.begin_to_be_read();
    send("-INT", &child.id().to_string());
    thread::sleep(Duration::from_millis(300));
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(105));
    run.wait_until_nothing_is_left();
}

#[test]
fn passed_run_leaves_no_daemon() {
    let run = Run::new();
    run.plan();
    let mut child = run.begin(&["run", "plan.json", "-d", "1s", "--quiet"]);
    let process = child.id();
    child.wait().expect("it ends");
    assert_eq!(groups_of(process), Vec::<PathBuf>::new());
    // Before it ends, not some time after.
    assert!(run.bench.path("ready").exists());
    assert_eq!(run.alive(), Vec::<PathBuf>::new());
}

#[test]
fn run_without_terminal_leaves_nothing() {
    let run = Run::new();
    run.plan();
    let program = env!("CARGO_BIN_EXE_plimsoll");
    let mut terminal = run.marked(run.bench.other("script"));
    terminal.args(["-qec", &format!("{program} run plan.json"), "/dev/null"]);
    let mut terminal = terminal.spawn().expect("script, of bsdutils");
    run.wait_for("ready");
    // Its end closes the terminal, and the kernel sends SIGHUP.
    terminal.kill().expect("it runs");
    terminal.wait().expect("it ends");
    run.wait_until_nothing_is_left();
}

#[test]
fn ended_diagnosis_leaves_no_probe() {
    thread::scope(|scope| {
        for way in [
            Way::Signal("-TERM"),
            Way::Signal("-KILL"),
            Way::Twice("-INT"),
            Way::Group,
        ] {
            scope.spawn(move || {
                let run = Run::new();
                let url = run.url();
                let load = ["diagnose", &url, "-R", "20", "-d", "1s", "--quiet"];
                let child = run.begin(&[&load[..], &["--", "node", "service.cjs"]].concat());
                // The directory of the probe is there in its second pass.
                while fs::read_dir(run.bench.path("tmp")).expect("there").next().is_none() {
                    thread::sleep(POLL);
                }
                run.end(child, way);
                run.wait_until_nothing_is_left();
            });
        }
    });
}

#[test]
fn ended_fleet_leaves_no_broker_and_no_agent() {
    if !can_run_broker() {
        return;
    }
    thread::scope(|scope| {
        for way in [
            Way::Signal("-TERM"),
            Way::Signal("-HUP"),
            Way::Signal("-KILL"),
            Way::Twice("-INT"),
            Way::Group,
        ] {
            scope.spawn(move || {
                let run = Run::new();
                let child = run.begin(&["fleet", "up", "--port", &run.port.to_string()]);
                // Its broker is there, and agents are about to be.
                while TcpStream::connect(("127.0.0.1", run.port)).is_err() {
                    thread::sleep(POLL);
                }
                run.end(child, way);
                run.wait_until_nothing_is_left();
            });
        }
    });
}

fn git(bench: &Bench, arguments: &[&str]) -> String {
    let mut git = bench.other("git");
    git.args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
        .args(arguments);
    String::from_utf8_lossy(&git.output().expect("git runs").stdout).into_owned()
}

#[test]
fn ended_comparison_leaves_no_worktree() {
    // While its packages are set up, and while a round runs; what is set up leaves a daemon, too.
    let setups = [
        "setsid sleep 600 & touch \"$AT/ready\"; sleep 600",
        "setsid sleep 600 & exit 0",
    ];
    thread::scope(|scope| {
        for setup in setups {
            for way in [
                Way::Signal("-TERM"),
                Way::Signal("-KILL"),
                Way::Twice("-INT"),
                Way::Group,
            ] {
                scope.spawn(move || {
                    let run = Run::new();
                    git(&run.bench, &["init", "--quiet", "--initial-branch=main"]);
                    for text in ["one", "two"] {
                        run.bench.write("text", text);
                        git(&run.bench, &["add", "service.cjs", "text"]);
                        git(&run.bench, &["commit", "--quiet", "-m", text]);
                    }
                    let at = run.bench.path("").display().to_string();
                    run.bench
                        .write("service.cjs", &SERVICE.replace("'ready'", "process.env.AT + '/ready'"));
                    git(&run.bench, &["commit", "--quiet", "--all", "-m", "three"]);
                    let url = run.url();
                    let load = [
                        "compare",
                        &url,
                        "--rev",
                        "main..main",
                        "-R",
                        "20",
                        "-d",
                        "60s",
                        "--setup",
                        setup,
                    ];
                    use std::os::unix::process::CommandExt as _;
                    let mut command = run.marked(run.bench.command(&load));
                    command
                        .args(["--", "node", "service.cjs"])
                        .env("AT", &at)
                        .process_group(0);
                    let mut child = command.spawn().expect("the program starts");
                    // Nothing asks this service for its path, so it is asked here.
                    while !run.bench.path("ready").exists() {
                        assert_eq!(child.try_wait().expect("its state"), None, "it ended by itself");
                        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", run.port)) {
                            use std::io::Write as _;
                            let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
                        }
                        thread::sleep(POLL);
                    }
                    run.end(child, way);
                    run.wait_until_nothing_is_left();
                    assert_eq!(git(&run.bench, &["worktree", "list"]).lines().count(), 1);
                    let notes = Path::new(&at).join(".git/worktrees");
                    let notes = fs::read_dir(notes).map(|notes| notes.flatten().count());
                    assert_eq!(notes.unwrap_or(0), 0);
                });
            }
        }
    });
}
