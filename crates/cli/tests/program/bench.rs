//! What the tests have in common: a directory to run the program in, what it says, and what it leaves there.

pub(crate) use crate::ports::free_port;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use tempfile::TempDir;

/// See [`Bench::patient_plan`].
pub(crate) const PATIENT: &str = "p99 <= 1s";

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_plimsoll");

/// Of a test that this machine does not allow. CI must not do without it: a test that looks away there would pass for ever.
#[track_caller]
#[expect(
    clippy::print_stdout,
    reason = "what a test says is shown where it fails, or with --no-capture"
)]
pub(crate) fn cannot_run(why: &str) {
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "cannot run: {why}"
    );
    println!("skipped: {why}");
}

/// Groups that were made to see whether they can be.
static GROUPS: AtomicU32 = AtomicU32::new(0);

/// Whether this user may make a control group with this controller here. Asked of the machine, not of the program.
pub(crate) fn can_limit(controller: &str) -> bool {
    group_parents(controller)
        .iter()
        .any(|parent| makes_groups(parent, controller))
}

fn makes_groups(parent: &Path, controller: &str) -> bool {
    let (here, number) = (std::process::id(), GROUPS.fetch_add(1, Ordering::Relaxed));
    let group = parent.join(format!("test-{here}-{number}"));
    let made = fs::create_dir(&group).is_ok();
    // Where the group above does not pass it on, its file is not there.
    let files = match controller {
        "cpu" => ["cpu.max", "cpu.cfs_quota_us"],
        "memory" => ["memory.max", "memory.limit_in_bytes"],
        _ => ["pids.max", "pids.max"],
    };
    let limits = files.iter().any(|file| group.join(file).exists());
    let _ = made && fs::remove_dir(&group).is_ok();
    limits
}

/// As [`can_limit`], and says where not that a test cannot run.
#[track_caller]
pub(crate) fn can_run_limited(controller: &str) -> bool {
    let can = can_limit(controller);
    if !can {
        cannot_run(&format!(
            "this host allows no control group with the controller {controller}"
        ));
    }
    can
}

/// Where a control group with this controller can be made. Only where [`can_limit`] says so.
pub(crate) fn group_parent(controller: &str) -> PathBuf {
    let parents = group_parents(controller).into_iter();
    let mut fitting = parents.filter(|parent| makes_groups(parent, controller));
    fitting.next().expect("one of them does")
}

/// The groups that a process of the program made and did not remove.
pub(crate) fn groups_of(process: u32) -> Vec<PathBuf> {
    let all = ["cpu", "memory", "pids"]
        .iter()
        .flat_map(|controller| group_parents(controller));
    let is_its = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().contains(&format!("-{process}-")))
    };
    let found = all.filter_map(|parent| fs::read_dir(parent).ok()).flatten().flatten();
    found.map(|entry| entry.path()).filter(is_its).collect()
}

/// Our own group of a controller in version 1; in version 2 also those above it.
fn group_parents(controller: &str) -> Vec<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let of = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let has = controllers.split(',').any(|name| name == controller);
        let mount = if has { root.join(controllers) } else { root.to_owned() };
        let own = mount.join(path.trim_start_matches('/'));
        let above = usize::from(controllers.is_empty()) * 64;
        (has || controllers.is_empty()).then(|| {
            let groups = own.ancestors().take(1 + above);
            groups
                .filter(|group| group.starts_with(root))
                .map(Path::to_owned)
                .collect::<Vec<_>>()
        })
    };
    groups.lines().filter_map(of).flatten().collect()
}

/// Whether there is a broker for fleets, and says where not that a test cannot run.
#[track_caller]
pub(crate) fn can_run_broker() -> bool {
    let can = Command::new("nats-server").arg("--version").output().is_ok();
    if !can {
        cannot_run("nats-server is not installed; run scripts/setup/services");
    }
    can
}

/// Where a service may listen, and none does yet.
pub(crate) fn free_url() -> String {
    format!("http://127.0.0.1:{}/", free_port())
}

fn services() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services")
}

/// The path of a service of the tests.
pub(crate) fn service(name: &str) -> String {
    services().join(name).display().to_string()
}

pub(crate) fn send(signal: &str, pid: &str) {
    // Without `--`, some versions of kill(1) take the group `-123` for `-1`: every process there is.
    let sent = Command::new("kill")
        .args([signal, "--", pid])
        .status()
        .expect("kill runs");
    assert!(sent.success(), "{signal} to {pid}");
}

/// A directory of its own to run in.
pub(crate) struct Bench {
    dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// With copies of the services of the tests in it.
    pub(crate) fn with_services() -> Self {
        let bench = Self::new();
        for entry in fs::read_dir(services()).expect("the services are there").flatten() {
            if entry.path().is_dir() {
                continue;
            }
            fs::copy(entry.path(), bench.path(&entry.file_name().to_string_lossy())).expect("copied");
        }
        bench
    }

    /// The services of the tests, and the packages that are installed for this repository.
    pub(crate) fn with_packages() -> Self {
        let bench = Self::with_services();
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../node_modules");
        symlink(packages, bench.path("node_modules")).expect("linked");
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("inside of the directory")).expect("made");
        fs::write(path, text).expect("the temporary directory can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Another program, in this directory.
    pub(crate) fn other(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path());
        command
    }

    /// A shell in this directory that is root in a namespace of its own, `--net` or `--mount`. Works without privileges where
    /// user namespaces are allowed; `None` where it cannot do `first`.
    #[cfg(target_os = "linux")]
    pub(crate) fn shell_in_namespace(&self, kind: &str, first: &str) -> Option<Command> {
        let shell = || {
            let mut unshare = self.other("unshare");
            unshare.args(["--user", "--map-root-user", kind, "sh"]);
            unshare
        };
        let allowed = shell().args(["-c", first]).status();
        allowed.is_ok_and(|status| status.success()).then(shell)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.other(PROGRAM);
        command.args(args).env_remove("NO_COLOR");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of_command(&mut self.command(args))
    }

    /// Writes a plan that asks for no response time below one that any machine keeps, and so forgives a generator that the machine
    /// stops for a tenth of it. For tests of what is done with figures, not of how exact they are.
    pub(crate) fn patient_plan(&self) -> &'static str {
        let plan = "patient.yaml";
        let url = free_url();
        self.write(
            plan,
            &format!("{{ target: {{ url: '{url}' }}, objectives: [{PATIENT}] }}\n"),
        );
        plan
    }

    /// `plimsoll compare` with four short rounds of each variant; `variants` come after the plan.
    pub(crate) fn comparison(&self, variants: &[&str]) -> Command {
        let mut command = self.command(&[
            "compare",
            self.patient_plan(),
            "--rounds",
            "4",
            "-R",
            "300",
            "-d",
            "500ms",
        ]);
        // What comes after `--` is the service's.
        command.args(["--warm-up", "100ms", "--json"]).args(variants);
        command
    }

    pub(crate) fn compare(&self, variants: &[&str]) -> Ran {
        Ran::of_command(&mut self.comparison(variants))
    }

    /// `plimsoll diagnose` of a service at 100 requests per second.
    pub(crate) fn diagnose(&self, service: &str, more: &[&str]) -> Ran {
        let mut command = self.command(&["diagnose", &free_url(), "-R", "100"]);
        command.args(more).args(["--", "node", service]);
        Ran::of_command(&mut command)
    }

    /// A second of 100 requests per second against a service of the tests.
    pub(crate) fn short_run(&self, name: &str) -> Ran {
        let mut command = self.command(&[
            "run",
            &free_url(),
            "-R",
            "100",
            "-d",
            "2s",
            "--timeout",
            "500ms",
            "--json",
        ]);
        command.args(["--objective", "errors = 0", "--objective", PATIENT]);
        command.args(["--", "node", &service(name)]);
        Ran::of_command(&mut command)
    }

    /// The only run directory.
    pub(crate) fn directory(&self) -> PathBuf {
        self.only_directory_in("runs")
    }

    pub(crate) fn only_directory_in(&self, runs: &str) -> PathBuf {
        let mut directories: Vec<_> = fs::read_dir(self.path(runs))
            .expect("runs")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        assert_eq!(directories.len(), 1, "{directories:?}");
        directories.remove(0)
    }

    /// What a run directory comes to when it is read back.
    pub(crate) fn report(&self, directory: &Path) -> Ran {
        self.run(&["report", &directory.display().to_string(), "--json"])
    }
}

/// The program when it has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of_command(command: &mut Command) -> Self {
        Self::of(&command.output().expect("the program starts"))
    }

    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = Self {
            code: output.status.code().expect("ended by itself"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    /// It ended with this code and said all of this. Where other programs keep the machine busy the generator may have been late, and
    /// then a run is invalid whatever the service did.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, stderr: &[&str]) -> &Self {
        let was_late = |text: &str| text.contains("the generator itself woke");
        let invalid = matches!((self.code, code), (106, 0 | 99)) && (was_late(&self.stdout) || was_late(&self.stderr));
        assert!(
            self.code == code || invalid,
            "{}, {code} expected\n{}\n{}",
            self.code,
            self.stdout,
            self.stderr
        );
        for part in stderr {
            assert!(self.stderr.contains(part), "no `{part}` in:\n{}", self.stderr);
        }
        self
    }
}

/// The program while it runs. What goes on at the end of a test, or where one fails, is ended.
pub(crate) struct Going {
    pub(crate) child: Child,
    stderr: BufReader<ChildStderr>,
}

impl Going {
    pub(crate) fn begin(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        Self { child, stderr }
    }

    /// Until a line of its progress fits.
    pub(crate) fn wait_for(&mut self, fits: impl Fn(&str) -> bool) {
        let (mut line, mut said) = (String::new(), String::new());
        while !fits(&line) {
            line.clear();
            let read = self.stderr.read_line(&mut line).expect("text");
            assert_ne!(read, 0, "it ended too soon, and said:\n{said}");
            said.push_str(&line);
        }
    }

    /// As by SIGKILL, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was killed");
    }

    /// As by Ctrl-C.
    pub(crate) fn interrupt(self) -> Ran {
        send("-INT", &self.child.id().to_string());
        self.end()
    }

    pub(crate) fn end(mut self) -> Ran {
        let mut out = self.child.stdout.take().expect("piped");
        // Both at once, so that it waits for neither.
        let stdout = thread::spawn(move || read_all(&mut out));
        let stderr = read_all(&mut self.stderr);
        let output = Output {
            status: self.child.wait().expect("it ends"),
            stdout: stdout.join().expect("it is read"),
            stderr,
        };
        Ran::of(&output)
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_all(from: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).expect("a pipe");
    bytes
}

/// Git in the directory of the test, with a name and an address for its commits.
pub(crate) fn git(bench: &Bench, args: &[&str]) -> String {
    let mut git = bench.other("git");
    git.args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
        .args(args);
    Ran::of_command(&mut git).expect(0, &[]).stdout.clone()
}
