//! Real services are started, watched and stopped.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod ports;

use plimsoll_plan::{Command, KnownSecrets, Limits, Readiness, Stdout, Url};
use plimsoll_target::{Attached, Ended, Found, Service, Spoken, StartError, Target};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Ample for a service to come up on a busy machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

/// Responds to everything on `PORT` at once.
const RESPONDER: &str = "require('http').createServer((q, s) => s.end('ok')).listen(process.env.PORT, '127.0.0.1')";

/// A plan for a service with a port and an output file of its own.
struct Setup {
    command: Command,
    url: Url,
    directory: TempDir,
}

impl Setup {
    fn port(&self) -> u16 {
        self.url.port().expect("a TCP port")
    }

    fn new(argv: &[&str]) -> Self {
        plimsoll_target::supervisor::is_at(Path::new(env!("CARGO_BIN_EXE_supervisor-for-tests")));
        Self {
            command: Command {
                argv: argv.iter().map(|&word| word.into()).collect(),
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

    fn node(script: &str) -> Self {
        Self::new(&["node", "-e", script])
    }

    fn output(&self) -> PathBuf {
        self.directory.path().join("service.log")
    }

    fn start_on(&self, cpus: &[usize]) -> Result<Service, StartError> {
        let cancel = AtomicBool::new(false);
        Service::start(
            &self.command,
            Spoken::plainly(&self.url),
            cpus,
            &self.output(),
            &KnownSecrets::default(),
            &cancel,
        )
    }

    fn start(&self) -> Service {
        match self.start_on(&[]) {
            Ok(service) => service,
            Err(error) => panic!("failed to {error}"),
        }
    }

    fn refused(&self) -> StartError {
        self.start_on(&[]).expect_err("must not start")
    }

    /// Asks the service for `path` and returns the body.
    fn get(&self, path: &str) -> String {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.port())).expect("connects");
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        response.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn it_starts_responds_and_stops() {
    let mut setup = Setup::node(RESPONDER);
    setup.command.ready.path = Some("/health".into());
    let service = setup.start();
    assert_eq!(service.exited(), None);
    assert_eq!(setup.get("/"), "ok");
    let report = service.stop(&AtomicBool::new(false));
    assert_eq!(report.ended, Ended::Terminated);
    assert_eq!(report.status.as_deref(), Some("was killed by SIGTERM"));
    assert!(report.killed.is_empty(), "{report:?}");
    setup.start().stop(&AtomicBool::new(false));
}

#[test]
fn it_is_ready_when_the_path_responds_with_2xx() {
    let script = "let n = 0; require('http').createServer((q, s) => { s.statusCode = ++n < 4 ? 503 : 204; s.end(); })\
                  .listen(process.env.PORT, '127.0.0.1'); process.on('SIGTERM', () => { console.log(n); process.exit(3); });";
    let mut setup = Setup::node(script);
    setup.command.ready.path = Some("/health".into());
    let report = setup.start().stop(&AtomicBool::new(false));
    assert_eq!(report.status.as_deref(), Some("exited with status 3"));
    assert_eq!(fs::read_to_string(setup.output()).expect("written"), "4\n");
}

#[test]
fn what_never_responds_is_given_up() {
    let mut setup = Setup::node(
        "console.log('up'); require('http').createServer((q, s) => { s.statusCode = 500; s.end(); })\
                                 .listen(process.env.PORT, '127.0.0.1')",
    );
    setup.command.ready.timeout = Duration::from_secs(2);
    setup.command.ready.path = Some("/health".into());
    let error = setup.refused();
    let StartError::NotReady { url, found, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(**found, Found::Status(500, None));
    assert_eq!(url, &format!("http://127.0.0.1:{}/health", setup.port()));
    let free = TcpListener::bind(("127.0.0.1", setup.port()));
    assert!(free.is_ok(), "nothing is left running");
}

#[test]
fn waiting_can_be_cancelled() {
    let setup = Setup::new(&["sleep", "1000"]);
    let cancel = AtomicBool::new(true);
    let result = Service::start(
        &setup.command,
        Spoken::plainly(&setup.url),
        &[],
        &setup.output(),
        &KnownSecrets::default(),
        &cancel,
    );
    assert!(matches!(result, Err(StartError::Cancelled)));
}

#[test]
fn a_crash_at_the_start_is_shown_with_its_last_words() {
    for stdout in [Stdout::File, Stdout::Pipe] {
        let mut setup = Setup::new(&["sh", "-c", "seq 30; echo no database >&2; exit 7"]);
        setup.command.stdout = stdout;
        let StartError::Exited { report, .. } = setup.refused() else {
            panic!("it exited")
        };
        assert_eq!(report.status, "exited with status 7");
        assert_eq!(report.last_lines.len(), 20);
        assert_eq!(report.last_lines.last().map(String::as_str), Some("no database"));
    }
    let mut unseen = Setup::new(&["sh", "-c", "echo unseen; kill -9 $$"]);
    unseen.command.stdout = Stdout::Null;
    let error = unseen.refused();
    let words = "start the service: it was killed by SIGKILL, as the kernel does when memory runs out";
    assert_eq!(error.to_string(), words);
}

#[test]
fn a_death_during_the_run_is_noticed() {
    let setup = Setup::node(&format!(
        "{RESPONDER}.on('request', () => {{ console.error('boom'); process.exit(9); }})"
    ));
    let service = setup.start();
    setup.get("/");
    let report = loop {
        if let Some(report) = service.exited() {
            break report;
        }
        std::thread::yield_now();
    };
    assert_eq!(
        (report.status.as_str(), report.last_lines),
        ("exited with status 9", vec!["boom".to_owned()])
    );
    assert_eq!(service.stop(&AtomicBool::new(false)).ended, Ended::ByItself);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Setup::new(&["no-such-program", "x"]).refused();
    assert!(error.to_string().starts_with("run no-such-program: "), "{error}");
    assert!(error.hint().is_some());
}

#[test]
#[cfg(target_os = "linux")]
fn a_taken_port_is_refused_with_its_owner() {
    let setup = Setup::node(RESPONDER);
    let _listener = TcpListener::bind(("127.0.0.1", setup.port())).expect("still free");
    let error = setup.refused();
    let words = format!("start the service: port {} is already in use by ", setup.port());
    assert!(error.to_string().starts_with(&words), "{error}");
    let pid = std::process::id();
    assert!(error.to_string().ends_with(&format!("(process {pid})")), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains(&format!("--pid {pid}"))));
}

#[test]
fn the_environment_and_the_directory_are_the_plans() {
    let script = "require('http').createServer((q, s) => s.end(process.env.PORT + process.env.COLOUR + process.cwd()))\
                  .listen(process.env.REAL, '127.0.0.1')";
    let mut setup = Setup::node(script);
    let directory = setup.directory.path().canonicalize().expect("there");
    setup.command.working_dir = Some(directory.clone());
    setup.command.env = vec![
        ("PORT".to_owned(), "77".into()),
        ("COLOUR".to_owned(), "red".into()),
        ("REAL".to_owned(), setup.port().to_string().into()),
    ];
    let service = setup.start();
    assert_eq!(setup.get("/"), format!("77red{}", directory.display()));
    service.stop(&AtomicBool::new(false));
}

#[test]
#[cfg(target_os = "linux")]
fn it_runs_on_the_cpus_it_is_given() {
    let last = *plimsoll_target::available_cpus().last().expect("a cpu");
    let setup = Setup::node(RESPONDER);
    let mut service = setup.start_on(&[last]).expect("started");
    let sample = service.sample(5).expect("a sample");
    assert_eq!((sample.at_ns, sample.cores, sample.processes), (5, 1, 1));
    let status = fs::read_to_string(format!("/proc/{}/status", service.pid())).expect("runs");
    assert!(status.contains(&format!("Cpus_allowed_list:\t{last}\n")), "{status}");

    let error = Setup::node(RESPONDER).start_on(&[last, 1000]).expect_err("refused");
    assert!(
        matches!(&error, StartError::Pin { wanted, .. } if wanted == &[last, 1000]),
        "{error}"
    );
    assert!(error.to_string().starts_with("pin the service to cpus "), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn who_ignores_sigterm_is_killed() {
    let mut setup = Setup::node(&format!("process.on('SIGTERM', () => {{}}); {RESPONDER}"));
    setup.command.stop_grace = Duration::from_millis(50);
    let service = setup.start();
    let pid = service.pid().to_string();
    let report = service.stop(&AtomicBool::new(false));
    assert_eq!(report.ended, Ended::Killed);
    assert_eq!(report.killed, [format!("node (process {pid})")]);
    assert!(!is_alive(&pid));
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_while_it_is_stopped_shortens_the_grace() {
    let mut setup = Setup::node(&format!(
        "process.on('SIGTERM', () => require('fs').writeFileSync('asked', '')); {RESPONDER}"
    ));
    setup.command.working_dir = Some(setup.directory.path().to_owned());
    setup.command.stop_grace = Duration::from_secs(600);
    let service = setup.start();
    let pid = service.pid().to_string();
    let interrupted = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !setup.directory.path().join("asked").exists() {
                std::thread::yield_now();
            }
            interrupted.store(true, Ordering::Relaxed);
        });
        service.stop(&interrupted)
    });
    assert_eq!(report.killed, [format!("node (process {pid})")]);
    assert!(!is_alive(&pid));
}

/// A shell that starts node, which starts one child in its group and one in a group of its own.
const FAMILY: &str = "const { spawn } = require('child_process'); \
                      const a = spawn('sleep', ['1000']); const b = spawn('sleep', ['1000'], { detached: true }); \
                      require('http').createServer((q, s) => s.end(`${a.pid} ${b.pid}`)).listen(process.env.PORT, '127.0.0.1')";

#[test]
#[cfg(target_os = "linux")]
fn the_whole_family_is_sampled_and_ended() {
    for drop_it in [false, true] {
        let setup = Setup::new(&["sh", "-c", "node -e \"$1\"; true", "sh", FAMILY]);
        let mut service = setup.start();
        let children = setup.get("/");
        let sample = service.sample(0).expect("a sample");
        assert_eq!(sample.processes, 4, "{sample:?}");
        assert!(
            sample.threads >= 4 && sample.rss_bytes > 20_000_000 && sample.sockets >= 1,
            "{sample:?}"
        );
        if drop_it {
            drop(service);
        } else {
            assert_eq!(service.stop(&AtomicBool::new(false)).ended, Ended::Terminated);
        }
        for pid in children.split(' ') {
            assert!(!is_alive(pid), "process {pid} is left");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn cpu_time_is_what_the_service_itself_says() {
    // Burns on threads that end, in children that end, and itself; then tells what it used.
    let script = "const { Worker } = require('worker_threads'); const { execFileSync } = require('child_process'); \
                  const burn = 'for (let i = 0, end = process.cpuUsage().user + 2e5; process.cpuUsage().user < end; i++);'; \
                  require('http').createServer((q, s) => { \
                    if (q.url === '/burn') eval(burn); \
                    if (q.url === '/child') execFileSync('node', ['-e', burn]); \
                    if (q.url === '/worker') return new Worker(burn, { eval: true }).on('exit', () => s.end()); \
                    const u = process.cpuUsage(); s.end(String(u.user + u.system)); \
                  }).listen(process.env.PORT, '127.0.0.1')";
    let setup = Setup::node(script);
    let mut service = setup.start();
    let mut sampled = Vec::new();
    let mut told = Vec::new();
    for path in ["/", "/burn", "/worker"] {
        setup.get(path);
        told.push(setup.get("/").parse::<u64>().expect("a number") * 1000);
        sampled.push(service.sample(0).expect("a sample"));
    }
    for pair in [0, 1] {
        let sampled_ns = sampled[pair + 1].cpu_ns - sampled[pair].cpu_ns;
        let told_ns = told[pair + 1] - told[pair];
        let ratio = sampled_ns as f64 / told_ns as f64;
        assert!(
            (0.9..1.1).contains(&ratio),
            "{sampled_ns} ns sampled, {told_ns} ns told by the service"
        );
    }
    assert!(
        sampled
            .windows(2)
            .all(|pair| pair[0].context_switches_voluntary <= pair[1].context_switches_voluntary)
    );
    // A child that came and went between two samples: at least its 200 ms.
    setup.get("/child");
    let with_child = service.sample(0).expect("a sample");
    assert!(with_child.cpu_ns - sampled[2].cpu_ns >= 180_000_000, "{with_child:?}");
    assert_eq!(with_child.processes, 1);
    service.stop(&AtomicBool::new(false));
}

#[test]
#[cfg(target_os = "linux")]
fn sockets_are_counted() {
    let setup = Setup::node("require('net').createServer(() => {}).listen(process.env.PORT, '127.0.0.1')");
    let mut service = setup.start();
    let held: Vec<_> = (0..50)
        .map(|_| std::net::TcpStream::connect(("127.0.0.1", setup.port())).expect("connects"))
        .collect();
    // These and the one it listens on; it accepts them when it comes to it.
    let sample = loop {
        let sample = service.sample(0).expect("a sample");
        if sample.sockets > held.len() as u32 {
            break sample;
        }
        std::thread::yield_now();
    };
    // Standard output is one that is no socket.
    assert!(sample.descriptors > Some(sample.sockets), "{sample:?}");
    service.stop(&AtomicBool::new(false));
}

#[test]
#[cfg(target_os = "linux")]
fn a_running_service_is_watched_and_left_alone() {
    let setup = Setup::node(RESPONDER);
    let service = setup.start();
    let mut attached = Target::Attached(Box::new(Attached::pid(service.pid(), &setup.url).expect("it runs")));
    assert_eq!(attached.sample(3).expect("a sample").processes, 1);
    assert_eq!(attached.exited(), None);
    assert_eq!(attached.stop(&AtomicBool::new(false)).ended, Ended::LeftRunning);
    assert_eq!(setup.get("/"), "ok");

    let mut attached = Target::Attached(Box::new(Attached::pid(service.pid(), &setup.url).expect("it runs")));
    let pid = service.pid();
    service.stop(&AtomicBool::new(false));
    assert_eq!(
        attached.exited().map(|report| report.status),
        Some(format!("is gone: node (process {pid})"))
    );
    assert_eq!(attached.sample(4), None);
    assert!(Attached::pid(u32::MAX >> 1, &setup.url).is_err());
}
