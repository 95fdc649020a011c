//! `plimsoll study` as its users run it: a short study of a real service.

use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A folder with a service, its plan, and one study of it.
struct Checkout(TempDir);

const STUDY: &str = r#"
title: Ten times the work
question: Does a request cost more that does ten times the work?
differs: [nothing but the day]
prepare: sh -c "echo ready > prepared"
beside: sh studies/work/beside.sh
measurements:
  work:
    kind: compare
    plan: ../../plan.yaml
    variants: { light: {}, heavy: { env: { WORK_US: "2000" } } }
    rate: 200/s
    rounds: 4
    duration: 500ms
    warm_up: 100ms
  once: { kind: run, plan: ../../plan.yaml, rate: 200/s, duration: 500ms, warm_up: 100ms }
  printed: { kind: command, command: sh studies/work/print.sh }
effects:
  CPU: { published: work, here: { of: work, figure: cpu } }
  errors: { published: errors, here: { of: once, figure: throughput } }
  printed: { here: { of: printed, figure: b }, against: { of: printed, figure: a } }
"#;

const PUBLISHED: &str = r#"{
  "source": ["a case made for this test"],
  "figures": {
    "work": { "what": "CPU of ten times the work ÷ of the work", "direction": "more" },
    "errors": { "what": "answers per second", "at_least": 1 }
  }
}"#;

/// Prints what the program beside it has given it.
const PRINT: &str =
    r#"printf '{"figures": {"a": {"unit": "ms", "values": [2]}, "b": {"unit": "ms", "values": [%s, 3]}}}' "$THREE""#;

const BESIDE: &str = r#"trap 'echo over >beside-ended; exit' TERM
test -e prepared || exit 1
echo '{"THREE": "3"}'
while :; do sleep 0.05; done"#;

impl Checkout {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services");
        for file in ["works.js", "package.json"] {
            fs::copy(services.join(file), dir.path().join(file)).expect("copied");
        }
        let plan = format!(
            "target: {{ url: 'http://127.0.0.1:{port}/', command: node works.js, working_dir: ., env: {{ WORK_US: '200' }} }}\n"
        );
        fs::write(dir.path().join("plan.yaml"), plan).expect("written");
        let study = dir.path().join("studies/work");
        fs::create_dir_all(&study).expect("made");
        for (file, text) in [
            ("study.yaml", STUDY),
            ("published.json", PUBLISHED),
            ("print.sh", PRINT),
            ("beside.sh", BESIDE),
        ] {
            fs::write(study.join(file), text).expect("written");
        }
        Self(dir)
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.0.path().join(file)
    }

    /// Exit code, standard output and standard error, run in a folder below the checkout's.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
            .args(args)
            .current_dir(self.path("studies"))
            .output()
            .expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code().expect("ended by itself"),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The one folder of a study.
    fn folder(&self) -> String {
        let mut folders = fs::read_dir(self.path("studies/runs")).expect("runs").flatten();
        let folder = folders.next().expect("a folder").path();
        assert!(folders.next().is_none());
        folder.display().to_string()
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_study_is_run_judged_kept_and_read_back() {
    let checkout = Checkout::new();
    let (code, stdout, stderr) = checkout.run(&["study", "work", "--json"]);
    assert_eq!(code, 0, "{stdout}\n{stderr}");
    let found = json(&stdout);
    assert_eq!(found["verdict"], "reproduced", "{}", found["headline"]);
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    assert!(found["effects"][0]["here"]["ratio"].as_f64().expect("a ratio") > 1.5);
    assert_eq!(found["effects"][2]["verdict"], "shown");
    assert_eq!(found["effects"][2]["here"]["ratio"], 1.5);
    assert!(stderr.contains("1 of 3: work (compare)"), "{stderr}");
    assert!(
        checkout.path("beside-ended").is_file(),
        "what ran beside had time to clean up"
    );

    let folder = checkout.folder();
    let folder = Path::new(&folder);
    assert!(folder.to_string_lossy().ends_with("-study-work"));
    let page = fs::read_to_string(folder.join("report.md")).expect("a page");
    let measured = found["measurements"].as_array().expect("measurements");
    for measurement in &measured[..2] {
        let link = format!("{}/report.html", measurement["folder"].as_str().expect("a folder"));
        assert!(page.contains(&link) && folder.join(&link).is_file(), "{link}");
    }
    let (code, again, _) = checkout.run(&["report", &folder.display().to_string(), "--json"]);
    assert_eq!((code, json(&again)), (0, found), "the folder says the same");

    // As after a crash before the last measurement.
    let info = folder.join("study.json");
    let mut cut: Value = json(&fs::read_to_string(&info).expect("kept"));
    cut["parts"].as_array_mut().expect("parts").truncate(1);
    cut["ended"] = Value::Null;
    fs::write(&info, cut.to_string()).expect("written");
    let (code, cut, _) = checkout.run(&["report", &folder.display().to_string(), "--json"]);
    assert_eq!(code, 105, "{cut}");
    assert_eq!(json(&cut)["effects"][0]["verdict"], "reproduced");
    assert_eq!(json(&cut)["effects"][1]["because"], "once was not begun");
}

#[test]
fn an_effect_that_is_not_here_is_a_result() {
    let checkout = Checkout::new();
    let less = PUBLISHED.replace("\"more\"", "\"less\"");
    fs::write(checkout.path("studies/work/published.json"), less).expect("written");
    let (code, stdout, stderr) = checkout.run(&["study", "all", "--quiet", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(json(&stdout)["effects"][0]["verdict"], "reversed", "{stdout}");
    assert_eq!(json(&stdout)["verdict"], "partly");
}

#[test]
fn what_cannot_be_measured_does_not_keep_the_rest_from_being_measured() {
    let checkout = Checkout::new();
    fs::write(
        checkout.path("studies/work/print.sh"),
        "echo 'no such device' >&2; exit 3",
    )
    .expect("written");
    let (code, stdout, _) = checkout.run(&["study", "work", "--json"]);
    let found = json(&stdout);
    assert_eq!((code, &found["verdict"]), (1, &Value::from("failed")), "{stdout}");
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    let said = found["measurements"][2]["headline"].as_str().expect("a headline");
    assert!(said.contains("no such device"), "{said}");
}

#[test]
fn mistakes() {
    let checkout = Checkout::new();
    let (code, stdout, _) = checkout.run(&["study", "list", "--json"]);
    assert_eq!((code, &json(&stdout)[0]["name"]), (0, &Value::from("work")));
    for (args, expected) in [
        (&["study", "wrok"][..], "found no study `wrok`, expected one of work"),
        (&["study", "list", "--studies", "work"], "found no study in"),
        (
            &["study", "all", "--markdown", "x.md"],
            "--junit and --markdown name one file",
        ),
    ] {
        let (code, _, stderr) = checkout.run(args);
        assert!(code == 104 && stderr.contains(expected), "{code}: {stderr}");
    }
    fs::write(checkout.path("studies/work/study.yaml"), "titel: t\n").expect("written");
    let (code, _, stderr) = checkout.run(&["study", "work"]);
    assert_eq!(code, 104, "{stderr}");
    assert!(
        stderr.contains("study.yaml:1:1") && stderr.contains("did you mean `title`?"),
        "{stderr}"
    );
}
