//! Where the program's words go: streams that cannot be written, files that are links or pipes, disks that are full, and
//! text that would drive a terminal.

use crate::bench::{Bench, PROGRAM, Ran, free_url, service};
use std::fs;
use std::io::{PipeReader, PipeWriter, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

fn recorded(command: &str) -> String {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/recorded")
        .join(command);
    place.display().to_string()
}

/// With a recorded run in its directory `run`.
fn bench() -> Bench {
    let bench = Bench::new();
    let copied = bench
        .other("cp")
        .args(["-r", &recorded("run"), "run"])
        .status()
        .expect("cp runs");
    assert!(copied.success());
    bench
}

/// A shell command, in which `plimsoll` is the program. It may be the name of a directory as well.
fn shell(bench: &Bench, script: &str) -> Ran {
    let script = script.replace("plimsoll ", &format!("{PROGRAM} "));
    Ran::of_command(bench.other("sh").args(["-c", &script]))
}

const LIVE: &str = "plimsoll run URL -R 50 -d 2s --json -- node SERVICE";

fn live(redirected: &str) -> String {
    format!("{LIVE} {redirected}")
        .replace("URL", &free_url())
        .replace("SERVICE", &service("ok.js"))
}

#[test]
fn unwritable_stderr_keeps_result() {
    // A busy machine makes a late generator, which is code 106.
    thread::scope(|scope| {
        for redirected in ["2>/dev/full", "2>&-", "2>&- <&-"] {
            scope.spawn(move || {
                let ran = shell(&Bench::new(), &live(redirected));
                assert!(matches!(ran.code, 0 | 99 | 106), "{redirected}: {ran:?}");
                assert!(
                    ran.json()["totals"]["passed"].as_u64().is_some_and(|passed| passed > 0),
                    "{redirected}"
                );
            });
        }
    });
    let bench = bench();
    let whole = shell(&bench, &format!("({}; echo $? >code) 2>&1 | head -1", live("")));
    assert_eq!(whole.stdout.lines().count(), 1);
    assert!(
        ["0", "99", "106"].contains(&bench.read("code").trim()),
        "{}",
        bench.read("code")
    );
    // Messages of the program itself, and of its arguments.
    for (script, code) in [
        ("plimsoll report nowhere", 1),
        ("plimsoll report --no-such", 104),
        ("plimsoll run no.yaml", 104),
    ] {
        for redirected in ["2>/dev/full", "2>&-"] {
            assert_eq!(
                shell(&bench, &format!("{script} {redirected}")).code,
                code,
                "{script} {redirected}"
            );
        }
    }
}

#[test]
fn full_stdout_is_error_and_keeps_run() {
    let bench = bench();
    let ran = shell(&bench, "plimsoll report run --junit junit.xml >/dev/full");
    ran.expect(1, &["error: failed to print the result: No space left on device"]);
    assert!(bench.read("run/report.html").ends_with("</html>\n"));
    assert!(bench.read("junit.xml").contains("<testsuite"), "what can be written is");
    shell(&bench, "plimsoll --help >/dev/full").expect(1, &["error: failed to print the help"]);
}

/// A pipe that does not block and is full: the end that is read, the one that is written, and how much is in it.
fn full_pipe() -> (PipeReader, PipeWriter, usize) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    rustix::io::ioctl_fionbio(&writer, true).expect("it does not block");
    let mut bytes = 0;
    while let Ok(length) = writer.write(&[b'x'; 4096]) {
        bytes += length;
    }
    (reader, writer, bytes)
}

/// Whether the process waits for something, or has ended.
fn waits(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a child");
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    matches!(state, Some('S' | 'Z'))
}

#[test]
fn nonblocking_pipe_gets_whole_result() {
    let bench = bench();
    let whole = bench.run(&["report", "run", "--json"]).stdout;
    for args in [&["--json"][..], &["--json", "--markdown", "/dev/stdout"]] {
        let (mut reader, writer, before) = full_pipe();
        let mut command = bench.command(&["report", "run"]);
        let mut going = command.args(args).stdout(writer).spawn().expect("it runs");
        drop(command);
        while !waits(going.id()) {
            thread::yield_now();
        }
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("read");
        let status = going.wait().expect("it ends");
        assert!(status.code().is_some_and(|code| code != 1), "{args:?}: {status}");
        let said = &text[before..];
        assert!(said.starts_with(&whole), "{args:?}: {} bytes", said.len());
        assert_eq!(args.len() > 1, said.len() > whole.len(), "{args:?}");
    }
}

#[test]
fn slow_stderr_does_not_delay_program() {
    let bench = bench();
    let (reader, writer, _) = full_pipe();
    let status = bench.command(&["run", "no.yaml"]).stderr(writer).status();
    assert_eq!(status.expect("it runs").code(), Some(104));
    drop(reader);
}

#[test]
fn closed_stdout_keeps_verdict() {
    let bench = bench();
    let whole = shell(&bench, "plimsoll report run").code;
    for form in ["", "--json"] {
        let script = format!("(plimsoll report run {form}; echo $? >code) | true");
        shell(&bench, &script);
        assert_eq!(bench.read("code").trim(), whole.to_string(), "{form}");
    }
}

#[test]
fn named_output_files_are_written_as_meant() {
    let bench = bench();
    fs::create_dir(bench.path("elsewhere")).expect("made");
    symlink("elsewhere/junit.xml", bench.path("link.xml")).expect("linked");
    let whole = bench.run(&["report", "run", "--junit", "junit.xml"]);
    let expected = bench.read("junit.xml");

    bench
        .run(&["report", "run", "--junit", "link.xml"])
        .expect(whole.code, &[]);
    assert_eq!(bench.read("elsewhere/junit.xml"), expected);
    assert!(bench.path("link.xml").is_symlink(), "the link is still one");

    let piped = bench.run(&["report", "run", "--junit", "/dev/stdout"]);
    assert_eq!(piped.stdout, whole.stdout.clone() + &expected);
    let both = shell(&bench, "plimsoll report run --junit /dev/stdout >both");
    assert_eq!(
        (both.code, bench.read("both")),
        (whole.code, whole.stdout.clone() + &expected)
    );

    assert!(
        bench
            .other("mkfifo")
            .arg("pipe")
            .status()
            .expect("mkfifo runs")
            .success()
    );
    let pipe = bench.path("pipe");
    thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read_to_string(&pipe).expect("read"));
        bench.run(&["report", "run", "--junit", "pipe"]).expect(whole.code, &[]);
        assert_eq!(reader.join().expect("read"), expected);
    });
    let full = bench.run(&["report", "run", "--junit", "/dev/full"]);
    full.expect(1, &["error: failed to write /dev/full: No space left on device"]);
    assert!(full.stdout.starts_with(&whole.stdout[..40]));
    let left: Vec<_> = fs::read_dir(bench.path(""))
        .expect("listed")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")),
        "{left:?}"
    );
}

#[test]
fn file_size_limit_tears_no_file() {
    let bench = bench();
    fs::write(bench.path("run/report.html"), "old").expect("written");
    // In blocks of 512 bytes; the page has some hundred kB.
    let ran = shell(&bench, "ulimit -f 20; plimsoll report run");
    ran.expect(1, &["error: failed to write run/report.html: File too large"]);
    assert!(ran.stdout.contains("req/s"), "{}", ran.stdout);
    assert_eq!(bench.read("run/report.html"), "old");
    assert!(
        !fs::read_dir(bench.path("run"))
            .expect("listed")
            .flatten()
            .any(|entry| { entry.file_name().to_string_lossy().ends_with(".tmp") })
    );
}

/// The service logs until the limit, and `stdout: pipe` reads on: it neither waits nor dies.
#[test]
fn run_with_full_disk_goes_on() {
    let bench = Bench::new();
    bench.write(
        "logs.js",
        "import { createServer } from 'node:http';\n\
         createServer((_req, res) => { console.log('x'.repeat(4000)); res.end('ok'); }).listen(process.env.PORT, '127.0.0.1');\n",
    );
    bench.write("package.json", "{\"type\": \"module\"}");
    let script = format!(
        "ulimit -f 40; plimsoll run {} -R 50 -d 2s --stdout pipe --json -- node logs.js",
        free_url()
    );
    let ran = shell(&bench, &script);
    let found = ran.json();
    assert_eq!(found["totals"]["errors"], 0, "{found}");
    assert!(
        found["totals"]["passed"].as_u64().is_some_and(|passed| passed >= 90),
        "{found}"
    );
    assert!(
        ran.stderr.contains("the output of the service is no longer saved"),
        "{}",
        ran.stderr
    );
}

#[test]
fn diagnosis_with_full_disk_reports_result() {
    let bench = Bench::new();
    let Some(mut namespace) = bench.shell_in_namespace("--mount", "true") else {
        assert!(std::env::var_os("CI").is_none(), "no mounts, so this cannot be checked");
        return;
    };
    let script = format!(
        "mkdir runs && mount -t tmpfs -o size=60k none runs && {PROGRAM} diagnose {} -R 50 -d 1s --warm-up 500ms --json -- node {}; \
         code=$?; find runs -name '*.tmp' >left; find runs -name report.html >page; exit $code",
        free_url(),
        service("ok.js")
    );
    let ran = Ran::of_command(namespace.args(["-c", &script]));
    let found = ran.json();
    assert_eq!(
        found["diagnosis"]["passes"].as_array().map(Vec::len),
        Some(3),
        "{found}"
    );
    assert!(ran.stderr.contains("the run directory is incomplete"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: failed to write"), "{}", ran.stderr);
    assert_eq!((bench.read("left"), bench.read("page")), (String::new(), String::new()));
}

/// Text of all kinds that a terminal would obey.
const CANARY: &str = "\u{1b}[31mC\u{1b}]0;t\u{7}A\u{9b}1mN\u{202e}A\u{200b}R\u{8}Y";

fn has_controls(text: &str) -> bool {
    let is_control = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{200b}\u{feff}".contains(c);
    text.chars().any(is_control)
}

#[test]
fn foreign_text_cannot_control_terminal() {
    let bench = bench();
    // In ASCII alone, as a plan that is YAML takes no C1 character as it is.
    let escaped: String = CANARY.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let json = format!("\"{escaped}\"");
    for (file, from) in [
        ("run/plan.json", "\"name\": \""),
        ("run/run.json", "\"version\": \""),
        ("run/host.json", "\"cpu_model\": \""),
        ("run/ticks.jsonl", "\"note\",\"message\":\""),
    ] {
        let text = bench.read(file);
        bench.write(file, &text.replace(from, &format!("{from}{}", json.trim_matches('"'))));
    }
    let note = format!("{{\"type\":\"note\",\"at_ns\":1,\"kind\":\"warning\",\"message\":{json},\"hint\":{json}}}\n");
    let ticks = bench.read("run/ticks.jsonl");
    bench.write("run/ticks.jsonl", &(ticks + &note));
    bench.write(CANARY, "");
    bench.write("bad.yaml", &format!("name: x\n{json}: 1\n"));
    bench.write(
        "dies.js",
        &format!("console.error({json}); process.title = {json}; process.exit(3)\n"),
    );
    let url = free_url();
    let plan = format!("{CANARY}.yaml");
    let commands: [&[&str]; 10] = [
        &["report", "run"],
        &["report", "run", "--json"],
        &["report", "run", "--markdown", "/dev/stdout", "--junit", "/dev/stdout"],
        &["report", CANARY],
        &["run", CANARY],
        &["run", "bad.yaml"],
        &[CANARY],
        &["init", "--output", &plan, "--", "node", "s.js"],
        &["run", &url, "-H", CANARY, "-d", "1s"],
        &["run", &url, "-d", "1s", "--", "node", "dies.js", CANARY],
    ];
    for command in commands {
        let ran = bench.run(command);
        assert!(!has_controls(&ran.stderr), "{command:?}: {:?}", ran.stderr);
        assert!(!has_controls(&ran.stdout), "{command:?}: {:?}", ran.stdout);
    }
    assert!(bench.path(&plan).exists());
    let report = bench.run(&["report", "run"]);
    assert!(report.stdout.contains("[31mC"), "{report:?}");
}

/// The colours of a command whose output goes to a pseudo-terminal, by what the environment says.
#[test]
fn colours_follow_the_conventions() {
    let bench = bench();
    let coloured = |set: &[(&str, &str)], args: &[&str]| {
        let mut command = bench.command(&[&["report", "run"], args].concat());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        command.envs(set.iter().copied());
        Ran::of_command(&mut command).stdout.contains("\u{1b}[")
    };
    assert!(!coloured(&[], &[]), "a pipe");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(
        coloured(&[("NO_COLOR", "1")], &["--color", "always"]),
        "an argument goes before"
    );
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

#[test]
fn closed_stdin_is_not_reused() {
    let bench = bench();
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec {PROGRAM} report run 0<&- 2>&-")])
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    let mut said = String::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    assert!(
        child.wait().expect("ended").code().is_some_and(|code| code != 1),
        "{said}"
    );
    assert!(said.contains("report.html"), "{said}");
    assert!(bench.read("run/report.html").ends_with("</html>\n"));
}
