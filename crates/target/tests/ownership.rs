//! Whose port it is: the service's through every kind of wrapper, and never a stranger's.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]
#![cfg(target_os = "linux")]

mod ports;

use plimsoll_plan::{Command, KnownSecrets, Limits, Readiness, Stdout, Url};
use plimsoll_target::{AttachError, Attached, Foreign, Ownership, Service, Spoken, StartError, Target};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::sockopt::{set_socket_reuseaddr, set_socket_reuseport};
use rustix::net::{AddressFamily, SocketType, bind, listen, socket};
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Ample for a service to come up on a busy machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

const SERVER: &str = "require('http').createServer((q, s) => s.end(String(process.pid)))\
                      .listen(process.env.PORT, process.env.ADDRESS || '127.0.0.1')";

/// A directory with the server as `server.js`, a free port, and what is to be started.
struct Setup {
    dir: TempDir,
    port: u16,
    env: Vec<(String, plimsoll_plan::Secret)>,
}

impl Setup {
    fn new() -> Self {
        plimsoll_target::supervisor::is_at(Path::new(env!("CARGO_BIN_EXE_supervisor-for-tests")));
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("server.js"), SERVER).expect("written");
        let port = ports::free_port();
        Self {
            dir,
            port,
            env: Vec::new(),
        }
    }

    fn listening_on(address: &str) -> Self {
        let mut setup = Self::new();
        setup.env.push(("ADDRESS".to_owned(), address.into()));
        setup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    fn url(&self, host: &str) -> Url {
        Url::at(host, self.port)
    }

    fn start_at(&self, host: &str, argv: &[&str], timeout: Duration) -> Result<Target, StartError> {
        let command = Command {
            argv: argv.iter().map(|&word| word.into()).collect(),
            env: self.env.clone(),
            working_dir: Some(self.dir.path().to_owned()),
            ready: Readiness { path: None, timeout },
            stdout: Stdout::File,
            stop_grace: PATIENCE,
            limits: Limits::default(),
        };
        let cancel = AtomicBool::new(false);
        Service::start(
            &command,
            Spoken::plainly(&self.url(host)),
            &[],
            &self.path("service.log"),
            &KnownSecrets::default(),
            &cancel,
        )
        .map(|service| Target::Service(Box::new(service)))
    }

    /// Starts it where it must be ready.
    fn start(&self, argv: &[&str]) -> Target {
        match self.start_at("127.0.0.1", argv, PATIENCE) {
            Ok(target) => target,
            Err(error) => panic!("{argv:?}: failed to {error}"),
        }
    }

    /// Starts it, and calls `stranger` once the port was seen free. Gives who has it then, and what `stranger` gave.
    fn beside<T>(&self, argv: &[&str], stranger: impl FnOnce() -> T) -> (Foreign, T) {
        thread::scope(|scope| {
            let started = scope.spawn(|| self.start_at("127.0.0.1", argv, PATIENCE));
            // The output is opened after the look whether the port is free.
            wait_for(&self.path("service.log"));
            let kept = stranger();
            match started.join().expect("no panic") {
                Err(StartError::Foreign { foreign, .. }) => (*foreign, kept),
                Err(error) => panic!("{argv:?}: failed to {error}"),
                Ok(_) => panic!("{argv:?} is taken for the owner of a stranger's port"),
            }
        })
    }

    fn listen(&self) -> TcpListener {
        TcpListener::bind(("127.0.0.1", self.port)).expect("nobody else has it")
    }

    /// Unlike [`Setup::is_free`] it takes the port from nobody.
    fn is_listened_on(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
    }

    fn is_free(&self) -> bool {
        TcpListener::bind(("127.0.0.1", self.port)).is_ok()
    }
}

fn wait_for(path: &Path) {
    while !path.exists() {
        thread::yield_now();
    }
}

/// A process beside all services, ended when it goes.
struct Other(Child);

impl Other {
    fn start(mut command: process::Command) -> Self {
        Self(command.stdin(Stdio::null()).spawn().expect("it starts"))
    }

    fn sleeps() -> Self {
        let mut command = process::Command::new("sleep");
        command.arg("1000");
        Self::start(command)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn foreign(ownership: Ownership) -> Foreign {
    match ownership {
        Ownership::Foreign(foreign) => foreign,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_port_is_the_services_through_every_wrapper() {
    let setup = Setup::new();
    setup.write(
        "package.json",
        r#"{"name": "x", "version": "1.0.0", "bin": "server.js", "scripts": {"start": "node server.js"}}"#,
    );
    setup.write(
        "cluster.js",
        "const cluster = require('cluster'); \
         if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else require('./server.js');",
    );
    setup.write(
        "none.js",
        &format!(
            "require('cluster').schedulingPolicy = 1; {}",
            fs::read_to_string(setup.path("cluster.js")).expect("there")
        ),
    );
    // What starts it ends, and the service lives on in a session of its own.
    setup.write(
        "daemon.js",
        "require('child_process').spawn('node', ['server.js'], { detached: true, stdio: 'ignore' }).unref(); \
         setInterval(() => {}, 1000);",
    );
    let commands: &[&[&str]] = &[
        &["node", "server.js"],
        &["sh", "-c", "node server.js; true"],
        &["sh", "-c", "(node server.js & ) ; sleep 1000"],
        &["npm", "start"],
        &["npx", "--yes", "--offline", "--package", ".", "-c", "node server.js"],
        &["node", "--watch", "server.js"],
        &["node", "cluster.js"],
        &["node", "none.js"],
        &["node", "daemon.js"],
    ];
    for argv in commands {
        let mut target = setup.start(argv);
        assert_eq!(target.ownership(), Ownership::Own, "{argv:?}");
        assert_eq!(target.ownership(), Ownership::Own, "{argv:?}, again");
        target.stop(&AtomicBool::new(false));
        assert!(setup.is_free(), "{argv:?} left something behind");
    }
}

#[test]
fn every_kind_of_address_is_the_services() {
    for (address, host) in [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "localhost"),
        ("0.0.0.0", "127.0.0.1"),
        ("::", "127.0.0.1"),
        ("::", "::1"),
        ("::1", "::1"),
    ] {
        let setup = Setup::listening_on(address);
        let mut target = match setup.start_at(host, &["node", "server.js"], PATIENCE) {
            Ok(target) => target,
            Err(error) => panic!("{address} at {host}: failed to {error}"),
        };
        assert_eq!(target.ownership(), Ownership::Own, "{address} at {host}");
        target.stop(&AtomicBool::new(false));
    }
}

#[test]
fn a_stranger_who_comes_during_the_start_is_named() {
    let setup = Setup::new();
    let (foreign, _listener) = setup.beside(&["sleep", "1000"], || setup.listen());
    assert_eq!(foreign.owner.as_ref().map(|owner| owner.pid), Some(process::id()));
    let words = format!("port {} is taken by ", setup.port);
    assert!(foreign.to_string().starts_with(&words), "{foreign}");
    assert!(foreign.hint().contains("--pid"), "{}", foreign.hint());
}

#[test]
fn a_supervisor_that_outlives_its_service_is_no_service() {
    let setup = Setup::new();
    // It listens once the stranger does.
    setup.write(
        "late.js",
        "const fs = require('fs'); const t = setInterval(() => { \
           if (fs.existsSync('go')) { clearInterval(t); require('./server.js'); } }, 5);",
    );
    let (foreign, stranger) = setup.beside(&["node", "--watch", "late.js"], || {
        let mut command = process::Command::new("node");
        command.args(["-e", SERVER]).env("PORT", setup.port.to_string());
        let stranger = Other::start(command);
        while !setup.is_listened_on() {
            thread::yield_now();
        }
        setup.write("go", "");
        stranger
    });
    let owner = foreign.owner.expect("it can be seen");
    assert_eq!((owner.name.as_str(), owner.pid), ("node", stranger.0.id()));
}

#[test]
fn a_service_on_another_port_is_told_where_it_listens() {
    let setup = Setup::new();
    let other = Setup::new();
    let script = format!("process.env.PORT = {}; require('./server.js')", other.port);
    setup.write("elsewhere.js", &script);
    let elsewhere = format!("listens on 127.0.0.1:{}", other.port);

    let error = setup.start_at("127.0.0.1", &["node", "elsewhere.js"], Duration::from_secs(3));
    let error = error.expect_err("it is not ready").to_string();
    assert!(
        error.contains(&format!("connection refused; it {elsewhere}")),
        "{error}"
    );

    let mut command = process::Command::new("node");
    command.arg("elsewhere.js").current_dir(setup.dir.path());
    let service = Other::start(command);
    while !other.is_listened_on() {
        thread::yield_now();
    }
    let nobody = Attached::pid(service.0.id(), &setup.url("127.0.0.1")).expect_err("another port");
    assert!(nobody.to_string().contains(&elsewhere), "{nobody}");
    let _listener = setup.listen();
    let stranger = Attached::pid(service.0.id(), &setup.url("127.0.0.1")).expect_err("our port");
    assert!(stranger.to_string().contains(&elsewhere), "{stranger}");
    assert!(Attached::pid(service.0.id(), &setup.url("localhost")).is_err());
    assert!(Attached::pid(service.0.id(), &other.url("localhost")).is_ok());
}

#[test]
fn a_process_that_has_nothing_to_do_with_the_port_is_refused() {
    let setup = Setup::new();
    let _listener = setup.listen();
    let stranger = Other::sleeps();
    let error = Attached::pid(stranger.0.id(), &setup.url("127.0.0.1")).expect_err("not its port");
    assert!(matches!(error, AttachError::Foreign { .. }), "{error}");
    assert!(
        error.to_string().contains(&format!("(process {})", process::id())),
        "{error}"
    );
    let hint = error.hint().expect("a hint");
    assert!(hint.contains(&format!("--pid {}", process::id())), "{hint}");
}

#[test]
fn a_port_that_changes_hands_during_the_run_is_noticed() {
    let setup = Setup::new();
    let mut target = setup.start(&["sh", "-c", "node server.js & echo $! >pid; wait; sleep 1000"]);
    assert_eq!(target.ownership(), Ownership::Own);
    let pid = fs::read_to_string(setup.path("pid")).expect("written");
    let killed = process::Command::new("kill").args(["-9", pid.trim()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    while !setup.is_free() {
        thread::yield_now();
    }
    assert_eq!(target.ownership(), Ownership::Nobody);
    let _listener = setup.listen();
    let found = foreign(target.ownership());
    assert_eq!(found.owner.map(|owner| owner.pid), Some(process::id()));
    assert!(!found.shared);
    target.stop(&AtomicBool::new(false));
}

/// A socket that shares its port; `inherited` is handed down to children.
fn shared_listener(address: SocketAddr, inherited: bool) -> TcpListener {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    set_socket_reuseaddr(&socket, true).expect("Linux can");
    set_socket_reuseport(&socket, true).expect("Linux can");
    let flags = if inherited { FdFlags::empty() } else { FdFlags::CLOEXEC };
    fcntl_setfd(&socket, flags).expect("a descriptor");
    bind(&socket, &address).expect("shared");
    listen(&socket, 16).expect("bound");
    TcpListener::from(socket)
}

#[test]
fn a_socket_that_was_handed_down_is_the_services_and_a_share_is_noticed() {
    let setup = Setup::new();
    let address = SocketAddr::from(([127, 0, 0, 1], setup.port));
    let handed_down = shared_listener(address, true);
    let service = Other::sleeps();
    fcntl_setfd(&handed_down, FdFlags::CLOEXEC).expect("a descriptor");
    let attached = Attached::pid(service.0.id(), &setup.url("127.0.0.1"));
    let mut target = Target::Attached(Box::new(attached.unwrap_or_else(|error| panic!("{error}"))));
    assert_eq!(target.ownership(), Ownership::Own, "we have it open as well");

    let stranger = shared_listener(address, false);
    let found = foreign(target.ownership());
    assert!(found.shared, "{found}");
    let words = format!("port {} is shared with ", setup.port);
    assert!(found.to_string().starts_with(&words), "{found}");
    drop(stranger);
    assert_eq!(target.ownership(), Ownership::Own);
    // One that is more specific gets all connections.
    let wildcard = Setup::listening_on("0.0.0.0");
    let address = SocketAddr::from(([0, 0, 0, 0], wildcard.port));
    let handed_down = shared_listener(address, true);
    let service = Other::sleeps();
    fcntl_setfd(&handed_down, FdFlags::CLOEXEC).expect("a descriptor");
    let attached = Attached::pid(service.0.id(), &wildcard.url("127.0.0.1"));
    let mut target = Target::Attached(Box::new(attached.unwrap_or_else(|error| panic!("{error}"))));
    let _specific = shared_listener(SocketAddr::from(([127, 0, 0, 1], wildcard.port)), false);
    assert!(!foreign(target.ownership()).shared);
}

/// The service listens on the same port, where we are not.
#[test]
fn a_port_of_another_network_namespace_is_not_ours() {
    let setup = Setup::new();
    let mut command = process::Command::new("unshare");
    command
        .args([
            "--user",
            "--map-root-user",
            "--net",
            "sh",
            "-c",
            "ip link set lo up && exec node server.js",
        ])
        .env("PORT", setup.port.to_string())
        .stdout(Stdio::null())
        .current_dir(setup.dir.path());
    let allowed = process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "ip", "link", "set", "lo", "up"])
        .status();
    if !allowed.is_ok_and(|status| status.success()) {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "this host allows no user namespaces"
        );
        return;
    }
    let _listener = setup.listen();
    let service = Other::start(command);
    let elsewhere = format!(
        "the service listens on 127.0.0.1:{} of another network namespace",
        setup.port
    );
    loop {
        let error = Attached::pid(service.0.id(), &setup.url("127.0.0.1")).expect_err("our port");
        assert!(matches!(error, AttachError::Foreign { .. }), "{error}");
        if error.to_string().ends_with(&elsewhere) {
            break;
        }
    }
}

/// A process that calls itself so, and listens on the port if there is one.
fn named(name: &str, port: Option<u16>) -> Other {
    let mut command = process::Command::new("node");
    let listen = port.map_or("setInterval(() => {}, 1000)", |_| SERVER);
    command.args(["-e", &format!("process.title = '{name}'; {listen}")]);
    command.env("PORT", port.unwrap_or_default().to_string());
    let other = Other::start(command);
    let comm = format!("/proc/{}/comm", other.0.id());
    while fs::read_to_string(&comm).is_ok_and(|found| found.trim() != name) {
        thread::yield_now();
    }
    // Bound in the meantime, it would be taken from the service for a moment.
    while port.is_some_and(|port| TcpStream::connect(("127.0.0.1", port)).is_err()) {
        thread::yield_now();
    }
    other
}

#[test]
fn the_proxy_of_a_container_is_believed_for_a_container_alone() {
    let setup = Setup::new();
    let _proxy = named("docker-proxy", Some(setup.port));
    let (client, other) = (named("docker", None), named("docket", None));
    let attach = |service: &Other| Attached::pid(service.0.id(), &setup.url("127.0.0.1"));
    let attached = attach(&client).unwrap_or_else(|error| panic!("{error}"));
    let why = "connections reach it through the proxy of a container".to_owned();
    assert_eq!(Target::Attached(Box::new(attached)).ownership(), Ownership::Unseen(why));
    assert!(matches!(attach(&other), Err(AttachError::Foreign { .. })));

    let setup = Setup::new();
    let _stranger = named("server", Some(setup.port));
    let error = Attached::pid(client.0.id(), &setup.url("127.0.0.1")).expect_err("no proxy");
    assert!(matches!(error, AttachError::Foreign { .. }), "{error}");
}

/// Names are cut to 15 bytes, here in the middle of a letter.
#[test]
fn a_service_with_any_name_is_a_service() {
    let setup = Setup::new();
    let script = format!("process.title = 'Löschfahrzeugöhre'; {SERVER}");
    let mut target = setup.start(&["node", "-e", &script]);
    assert_eq!(target.ownership(), Ownership::Own);
    assert!(target.sample(0).is_some());
}

#[test]
fn a_target_on_another_machine_is_not_claimed() {
    let mut setup = Setup::new();
    setup.port = 9;
    // 192.0.2.0/24 is kept for documents (RFC 5737): nothing is there, and nothing is ready.
    let error = setup.start_at("192.0.2.1", &["sleep", "1000"], Duration::ZERO);
    assert!(matches!(error, Err(StartError::NotReady { .. })));
}
