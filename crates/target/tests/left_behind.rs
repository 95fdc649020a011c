//! Whatever a service starts ends with it, however it was started.
#![cfg(target_os = "linux")]

mod ports;

use plimsoll_files::{found, kernel};
use plimsoll_plan::{Command, KnownSecrets, Limits, Readiness, Stdout, Url};
use plimsoll_target::{Ended, Service, Spoken, StartError};
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// Ample for a service to come up on a busy machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

/// Responds to everything on `PORT`, and `/burn` after 300 ms of CPU.
const SERVER: &str = "require('http').createServer((q, s) => { \
                        if (q.url === '/burn') for (const b = process.cpuUsage().user; process.cpuUsage().user < b + 3e5;); \
                        s.end(String(process.pid)); \
                      }).listen(process.env.PORT, '127.0.0.1');";

/// Starts `$1` so that nothing leads to it: in a session of its own, and its parent is gone.
const DAEMONISE: &str = "setsid sh -c 'node -e \"$1\" & exit 0' sh \"$1\" &";

struct Setup {
    command: Command,
    url: Url,
    directory: TempDir,
}

impl Setup {
    fn port(&self) -> u16 {
        self.url.port().expect("a TCP port")
    }

    /// A shell that runs `script` with the server in `$1`.
    fn new(script: &str) -> Self {
        plimsoll_target::supervisor::is_at(Path::new(env!("CARGO_BIN_EXE_supervisor-for-tests")));
        Self {
            command: Command {
                argv: ["sh", "-c", script, "sh", SERVER].map(Into::into).to_vec(),
                env: Vec::new(),
                working_dir: None,
                ready: Readiness {
                    path: None,
                    timeout: PATIENCE,
                },
                stdout: Stdout::File,
                stop_grace: PATIENCE,
                limits: Limits::default(),
            },
            url: Url::at("127.0.0.1", ports::free_port()),
            directory: tempfile::tempdir().expect("a directory"),
        }
    }

    fn try_to_start(&self) -> Result<Service, StartError> {
        let output = self.directory.path().join("service.log");
        Service::start(
            &self.command,
            Spoken::plainly(&self.url),
            &[],
            &output,
            &KnownSecrets::default(),
            &AtomicBool::new(false),
        )
    }

    fn start(&self) -> Service {
        self.try_to_start().unwrap_or_else(|error| panic!("failed to {error}"))
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).expect("connects");
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("received");
        response.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }

    fn assert_port_is_free(&self) {
        let free = TcpListener::bind(("127.0.0.1", self.port()));
        assert!(free.is_ok(), "somebody still listens");
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = kernel::text(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// The parent of a process, which is its supervisor.
fn parent(pid: u32) -> i32 {
    let stat = kernel::text(format!("/proc/{pid}/stat")).expect("it runs");
    let rest = stat.rsplit_once(") ").expect("a stat").1;
    rest.split(' ').nth(1).expect("a parent").parse().expect("a number")
}

#[test]
fn a_daemon_is_the_service_and_ends_with_it() {
    for dropped in [false, true] {
        let setup = Setup::new(DAEMONISE);
        let mut service = setup.start();
        let daemon = setup.get("/");
        assert_eq!(service.exited(), None, "its first process ended, it did not");
        assert_eq!(service.sample(0).map(|sample| sample.processes), Some(1));
        if dropped {
            drop(service);
        } else {
            assert_eq!(service.stop(&AtomicBool::new(false)).ended, Ended::Terminated);
        }
        assert!(!is_alive(&daemon));
        setup.assert_port_is_free();
    }
}

#[test]
fn the_death_of_a_daemon_is_noticed() {
    let setup = Setup::new(DAEMONISE);
    let service = setup.start();
    let daemon = setup.get("/").parse().expect("a number");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(daemon), nix::sys::signal::SIGSEGV).expect("it runs");
    let report = loop {
        if let Some(report) = service.exited() {
            break report;
        }
        std::thread::yield_now();
    };
    assert_eq!(report.status, "was killed by SIGSEGV");
    assert_eq!(service.stop(&AtomicBool::new(false)).ended, Ended::ByItself);
}

#[test]
fn a_daemon_that_never_listens_is_ended() {
    let mut setup = Setup::new("setsid sh -c 'sleep 1000 & echo $! > pid' & exit 0");
    setup.command.working_dir = Some(setup.directory.path().to_owned());
    setup.command.ready.timeout = Duration::from_secs(1);
    let error = setup.try_to_start().expect_err("it never listens");
    assert!(matches!(error, StartError::NotReady { .. }), "{error}");
    let pid = found::text(&setup.directory.path().join("pid"), 100).expect("written");
    assert!(!is_alive(pid.trim()));
}

#[test]
fn a_helper_does_not_outlive_a_service_that_dies() {
    let mut setup = Setup::new("setsid sh -c 'sleep 1000 & echo $! > pid' & wait; exit 7");
    setup.command.working_dir = Some(setup.directory.path().to_owned());
    let error = setup.try_to_start().expect_err("it dies");
    assert!(matches!(error, StartError::Exited { .. }), "{error}");
    let pid = found::text(&setup.directory.path().join("pid"), 100).expect("written");
    assert!(!is_alive(pid.trim()));
}

#[test]
fn escaped_processes_use_cpu_of_the_service() {
    // The server itself stays; another one escapes, tells its port, and burns.
    let escape = "PORT=$OTHER sh -c \"$2\" sh \"$1\"; exec node -e \"$1\"";
    let mut setup = Setup::new(escape);
    setup.command.argv.push(DAEMONISE.into());
    let other = Setup::new("");
    setup.command.env = vec![("OTHER".to_owned(), other.port().to_string().into())];
    let mut service = setup.start();
    while TcpStream::connect(("127.0.0.1", other.port())).is_err() {
        std::thread::yield_now();
    }
    let before = service.sample(0).expect("a sample");
    assert_eq!(before.processes, 2, "{before:?}");
    let escaped = other.get("/burn");
    let after = service.sample(1).expect("a sample");
    assert!(after.cpu_ns - before.cpu_ns >= 280_000_000, "{before:?} {after:?}");
    assert_eq!(service.stop(&AtomicBool::new(false)).ended, Ended::Terminated);
    assert!(!is_alive(&escaped));
    other.assert_port_is_free();
}

#[test]
fn cpu_of_orphans_that_came_and_went_is_counted() {
    // Nobody of the service waits for it, and it lives between two samples.
    let orphan = "setsid sh -c 'node -e \"$1\" burn & exit 0' sh \"$1\"";
    let script = format!(
        "const {{ execFileSync }} = require('child_process'); \
         require('http').createServer((q, s) => {{ \
           if (q.url === '/orphan') execFileSync('sh', ['-c', {orphan:?}, 'sh', \
             \"for (const b = process.cpuUsage().user; process.cpuUsage().user < b + 3e5;); fs.writeFileSync('done', '')\"]); \
           s.end(); \
         }}).listen(process.env.PORT, '127.0.0.1');"
    );
    let mut setup = Setup::new("exec node -e \"$2\"");
    setup.command.argv.push(script.into());
    setup.command.working_dir = Some(setup.directory.path().to_owned());
    let mut service = setup.start();
    let before = service.sample(0).expect("a sample");
    setup.get("/orphan");
    let after = loop {
        let sample = service.sample(1).expect("a sample");
        if setup.directory.path().join("done").exists() && sample.processes == 1 {
            break sample;
        }
    };
    assert!(after.cpu_ns - before.cpu_ns >= 280_000_000, "{before:?} {after:?}");
    service.stop(&AtomicBool::new(false));
}

#[test]
fn a_service_without_its_supervisor_is_ended() {
    let setup = Setup::new("sh -c \"$2\" sh \"$1\"; wait; exec sleep 1000");
    let mut setup = setup;
    setup.command.argv.push(DAEMONISE.into());
    let service = setup.start();
    let (first, daemon) = (service.pid(), setup.get("/"));
    let supervisor = nix::unistd::Pid::from_raw(parent(first));
    nix::sys::signal::kill(supervisor, nix::sys::signal::SIGKILL).expect("it runs");
    let report = loop {
        if let Some(report) = service.exited() {
            break report;
        }
        std::thread::yield_now();
    };
    assert!(
        report.status.starts_with("was stopped, because its supervisor"),
        "{report}"
    );
    service.stop(&AtomicBool::new(false));
    assert!(!is_alive(&daemon) && !is_alive(&first.to_string()));
    setup.assert_port_is_free();
}

#[test]
fn a_supervisor_holds_neither_pipe_nor_terminal() {
    let setup = Setup::new("exec node -e \"$1\"");
    let service = setup.start();
    let supervisor = parent(service.pid());
    for descriptor in 0..3 {
        let link = fs::read_link(format!("/proc/{supervisor}/fd/{descriptor}")).expect("open");
        assert_eq!(link, Path::new("/dev/null"), "{descriptor}");
    }
    let sockets = |pid: &str| {
        let entries = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs").flatten();
        let links = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
        links
            .filter(|link| link.to_string_lossy().starts_with("socket:"))
            .collect::<Vec<_>>()
    };
    let (its, services) = (sockets(&supervisor.to_string()), sockets(&service.pid().to_string()));
    assert!(
        !its.is_empty() && its.iter().all(|socket| !services.contains(socket)),
        "{its:?} {services:?}"
    );
    service.stop(&AtomicBool::new(false));
}

/// Python and `bash -c` keep the blocked signals that they inherit, and would not hear of SIGTERM.
#[test]
fn a_program_has_the_signals_that_it_would_have_without_a_supervisor() {
    let of_this_test = kernel::text("/proc/thread-self/status").expect("Linux");
    plimsoll_target::supervisor::is_at(Path::new(env!("CARGO_BIN_EXE_supervisor-for-tests")));
    let argv = ["cat", "/proc/self/status"].map(OsString::from);
    let captured =
        plimsoll_target::run_captured(&argv, Path::new("/"), &AtomicBool::new(false)).expect("cat can be run");
    let of_the_program = String::from_utf8(captured.stdout).expect("text");
    let blocked = |status: &str| -> Option<String> {
        status
            .lines()
            .find_map(|line| line.strip_prefix("SigBlk:"))
            .map(str::to_owned)
    };
    assert!(blocked(&of_the_program).is_some(), "{of_the_program}");
    assert_eq!(blocked(&of_the_program), blocked(&of_this_test));
}
