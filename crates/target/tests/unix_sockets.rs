//! Services that listen on a unix socket: whose it is, and what is left of its file.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]
#![cfg(target_os = "linux")]

use plimsoll_plan::{Command, KnownSecrets, Limits, Readiness, Secret, SocketPath, Stdout, Url};
use plimsoll_target::{AttachError, Attached, Ownership, Service, Spoken, StartError, Target};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fs, thread};
use tempfile::TempDir;

/// Ample for a service to come up on a busy machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

const SERVER: &str =
    "require('http').createServer((q, s) => s.end(q.headers.host)).listen(process.env.AT ?? process.env.PORT)";
/// As many services do: whoever listened there before no longer gets connections.
const TAKES_OVER: &str = "require('fs').rmSync(process.env.PORT, { force: true });";
const CLUSTER: &str = "const cluster = require('cluster'); \
                       if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else require('./server.js')";

/// A directory with the server as `server.js`, and the path at which it is to listen.
struct Setup {
    dir: TempDir,
    env: Vec<(String, Secret)>,
}

impl Setup {
    fn new() -> Self {
        plimsoll_target::supervisor::is_at(Path::new(env!("CARGO_BIN_EXE_supervisor-for-tests")));
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("server.js"), SERVER).expect("written");
        fs::write(dir.path().join("takes_over.js"), format!("{TAKES_OVER} {SERVER}")).expect("written");
        fs::write(dir.path().join("cluster.js"), CLUSTER).expect("written");
        Self { dir, env: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn socket(&self) -> SocketPath {
        SocketPath::new(self.path("app.sock").to_str().expect("UTF-8")).expect("a short path")
    }

    fn url(&self) -> Url {
        Url::unix(self.socket())
    }

    fn start(&self, argv: &[&str], timeout: Duration) -> Result<Target, StartError> {
        let command = Command {
            argv: argv.iter().map(|&word| word.into()).collect(),
            env: self.env.clone(),
            working_dir: Some(self.dir.path().to_owned()),
            ready: Readiness {
                path: Some("/".into()),
                timeout,
            },
            stdout: Stdout::File,
            stop_grace: PATIENCE,
            limits: Limits::default(),
        };
        let (log, hidden) = (self.path("service.log"), KnownSecrets::default());
        Service::start(
            &command,
            Spoken::plainly(&self.url()),
            &[],
            &log,
            &hidden,
            &AtomicBool::new(false),
        )
        .map(|service| Target::Service(Box::new(service)))
    }

    fn started(&self, argv: &[&str]) -> Target {
        self.start(argv, PATIENCE)
            .unwrap_or_else(|error| panic!("{argv:?}: failed to {error}"))
    }

    fn is_there(&self) -> bool {
        self.path("app.sock").exists()
    }
}

fn stop(target: Target) {
    target.stop(&AtomicBool::new(false));
}

#[test]
fn a_socket_is_the_services_however_it_was_bound() {
    for (script, at) in [
        ("server.js", None),
        ("server.js", Some("app.sock")),
        ("server.js", Some("./app.sock")),
        ("takes_over.js", None),
        ("cluster.js", None),
    ] {
        let mut setup = Setup::new();
        setup.env.extend(at.map(|at| ("AT".to_owned(), at.into())));
        let mut target = setup.started(&["node", script]);
        assert_eq!(target.address().place(), format!("the unix socket {}", setup.socket()));
        assert_eq!(target.ownership(), Ownership::Own, "{script} at {at:?}");
        assert!(setup.is_there());
        stop(target);
        assert!(!setup.is_there(), "{script} at {at:?} left it behind");
    }
}

#[test]
fn a_path_that_somebody_listens_at_is_in_use() {
    let setup = Setup::new();
    let _listener = UnixListener::bind(setup.socket()).expect("bound");
    let error = setup.start(&["node", "server.js"], PATIENCE).expect_err("in use");
    let words = format!(
        "start the service: the unix socket {} is already in use by ",
        setup.socket()
    );
    let text = error.to_string();
    assert!(
        text.starts_with(&words) && text.ends_with(&format!("(process {})", process::id())),
        "{text}"
    );
    assert!(error.hint().is_some_and(|hint| hint.contains("--pid")), "{error}");
    assert!(setup.is_there());
}

#[test]
fn who_takes_the_path_over_during_the_run_is_a_stranger() {
    let setup = Setup::new();
    let mut target = setup.started(&["node", "server.js"]);
    fs::remove_file(setup.socket()).expect("removed");
    assert_eq!(target.ownership(), Ownership::Nobody);
    let listener = UnixListener::bind(setup.socket()).expect("bound");
    let Ownership::Foreign(foreign) = target.ownership() else {
        panic!("{:?}", target.ownership())
    };
    let text = foreign.to_string();
    let words = format!("the unix socket {} is taken by ", setup.socket());
    assert!(
        text.starts_with(&words) && text.contains(&process::id().to_string()),
        "{text}"
    );
    assert!(foreign.hint().contains("another path"), "{}", foreign.hint());
    stop(target);
    assert!(setup.is_there(), "a stranger's file");
    drop(listener);
}

#[test]
fn a_service_that_took_the_path_over_owns_it() {
    let setup = Setup::new();
    let mut first = process::Command::new("node");
    first
        .arg("server.js")
        .env("PORT", setup.socket().as_str())
        .current_dir(setup.dir.path());
    let mut first = first.stdout(Stdio::null()).spawn().expect("node");
    while UnixStream::connect(setup.socket()).is_err() {
        thread::yield_now();
    }
    let attached = Attached::pid(first.id(), &setup.url());
    let mut second = process::Command::new("node");
    second
        .arg("takes_over.js")
        .env("PORT", setup.socket().as_str())
        .current_dir(setup.dir.path());
    let mut second = second.stdout(Stdio::null()).spawn().expect("node");
    let mut attached = Target::Attached(Box::new(attached.expect("it listens")));
    while !matches!(attached.ownership(), Ownership::Foreign(_)) {
        thread::yield_now();
    }
    // The first still listens at a socket that no path leads to any more.
    let own = Attached::pid(second.id(), &setup.url()).map(|own| Target::Attached(Box::new(own)).ownership());
    let wrong = Attached::pid(first.id(), &setup.url());
    for child in [&mut first, &mut second] {
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    assert_eq!(own.expect("it listens"), Ownership::Own);
    assert!(matches!(wrong, Err(AttachError::Foreign { .. })), "{wrong:?}");
}

#[test]
fn a_file_that_an_earlier_run_left_behind_is_named() {
    let setup = Setup::new();
    drop(UnixListener::bind(setup.socket()).expect("bound"));
    let error = setup.start(&["node", "server.js"], PATIENCE).expect_err("EADDRINUSE");
    let text = error.to_string();
    assert!(
        text.contains("EADDRINUSE") && text.contains("an earlier run left it behind"),
        "{text}"
    );
    assert!(error.hint().is_some_and(|hint| hint.contains("`rm /")), "{error}");
    assert!(setup.is_there(), "it is not ours to remove");
    stop(setup.started(&["node", "takes_over.js"]));
}

#[test]
fn a_service_that_listens_elsewhere_is_told_where() {
    let mut setup = Setup::new();
    setup.env.push(("AT".to_owned(), "other.sock".into()));
    let error = setup
        .start(&["node", "server.js"], Duration::from_secs(3))
        .expect_err("not there");
    let text = error.to_string();
    let words = "no such file; it listens on the unix socket other.sock";
    assert!(text.contains("http+unix://") && text.contains(words), "{text}");
    assert!(error.hint().is_some_and(|hint| hint.contains("as PORT")), "{error}");
}

#[test]
fn what_is_no_socket_is_in_the_way() {
    let setup = Setup::new();
    fs::write(setup.socket(), "").expect("written");
    let error = setup.start(&["node", "server.js"], PATIENCE).expect_err("a file");
    assert!(
        error.to_string().contains("is a regular file, so it cannot listen"),
        "{error}"
    );
}
