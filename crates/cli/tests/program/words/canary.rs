//! No secret of a plan, of a command line or of an environment is in anything that plimsoll prints or keeps: every place where
//! one can stand holds a text of its own, and all output is searched for each of them.

use crate::bench::{Bench, Ran, free_port, service};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::thread;

/// A text that nobody else writes, with something in it that is escaped in URLs.
pub(super) fn canary(number: u32) -> String {
    format!("Qk{number:02}vTzr+w/8LmXp{number:02}yGd")
}

/// In the forms that it can be found in. The middle is the same when it is escaped for a URL or for JSON.
fn forms(canary: &str) -> Vec<String> {
    use base64::Engine as _;
    let middle = canary.split(['+', '/']).next_back().expect("a part");
    let mut forms = vec![middle.to_owned()];
    for before in 0..3 {
        let padded = format!("{}{middle}", "x".repeat(before));
        let encoded = base64::engine::general_purpose::STANDARD_NO_PAD.encode(padded);
        // Its ends depend on what is beside it.
        forms.push(encoded[4..encoded.len() - 2].to_owned());
    }
    forms
}

/// What is in a directory.
fn kept(directory: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).expect("it can be listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            kept(&path, texts);
        } else {
            let bytes = fs::read(&path).expect("it can be read");
            texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

/// How many texts were searched.
pub(super) fn assert_hidden(what: &str, bench: &Bench, ran: &Ran, canaries: &[String]) -> usize {
    let mut texts = vec![
        ("standard output".to_owned(), ran.stdout.clone()),
        ("standard error".to_owned(), ran.stderr.clone()),
    ];
    let runs = bench.path("runs");
    if runs.is_dir() {
        kept(&runs, &mut texts);
    }
    for name in ["out.xml", "out.md", "out.json"] {
        if bench.path(name).exists() {
            texts.push((name.to_owned(), bench.read(name)));
        }
    }
    for (place, text) in &texts {
        for (number, canary) in canaries.iter().enumerate() {
            for form in forms(canary) {
                let found = text.find(&form).map(|at| {
                    let begin = text[..at].char_indices().rev().nth(120).map_or(0, |(at, _)| at);
                    text[begin..].chars().take(300).collect::<String>()
                });
                assert_eq!(found, None, "{what}: canary {number} in {place}");
            }
        }
    }
    texts.len()
}

/// A plan with a canary in each hidden key, and the canaries.
fn plan(port: u16, refused: bool) -> (Value, Vec<String>) {
    use base64::Engine as _;
    let c: Vec<String> = (0..27).map(canary).collect();
    let path = if refused { "/refused" } else { "/items" };
    let plan = json!({
        "name": "canaries",
        "target": {
            "url": format!("http://user-{}:{}@127.0.0.1:{port}/", c[0].replace(['/', '+'], ""), c[1].replace(['/', '+'], "")),
            "command": ["sh", "-c", format!("DEBUG=1 KEY_OF_SCRIPT={} exec node \"$@\"", c[20]), "sh", service("tells.js"), "--password", &c[3], format!("API_KEY={}", c[4]), format!("http://u:{}@h/?q={}", c[5], c[6])],
            "env": {
                "DB_PASSWORD": &c[7],
                "CANARY_ENV": "${env.PLIMSOLL_CANARY}",
                "DOCUMENT": json!({ "db": { "user": "x", "pw": &c[21] } }).to_string(),
                "CONNECTION": format!("Server=h;Password={};", c[22]),
                "TITLE": c[23].replace('/', "-"),
            },
            "stop_grace": "200ms",
            "ready": { "path": format!("/?key={}", c[8]) },
            "beside": [{
                "name": "side",
                "command": ["sh", "-c", "echo ready $SIDE_PASSWORD $@; exec sleep 600", "sh", "--token", &c[25]],
                "env": { "SIDE_PASSWORD": &c[26] },
                "ready": { "line": "ready" },
            }],
        },
        "scenario": {
            "variables": { "user": { "values": [&c[9], &c[10]] } },
            "requests": [
                {
                    "path": format!("{path};place={}?session={}&user=${{user}}", c[24].replace('/', "-"), c[11]),
                    "headers": {
                        "authorization": format!("Bearer {}", c[12]),
                        "x-jwt-assertion": &c[13],
                        "ocp-apim-subscription-key": format!("{}-${{user}}", c[14]),
                    },
                },
                { "name": "json", "path": path, "method": "POST", "json": { "password": &c[15] } },
                { "name": "text", "path": path, "method": "POST", "headers": { "cookie": format!("id={}", c[2]) }, "body": &c[16] },
                { "name": "bytes", "path": path, "method": "POST", "body_base64": base64::engine::general_purpose::STANDARD.encode(&c[17]) },
                { "name": "file", "path": path, "method": "POST", "body_file": "body.txt" },
            ],
        },
        "load": { "model": "open", "rate": "50/s", "duration": "2s" },
    });
    (plan, c)
}

/// A directory with the plan in it, and the canaries.
fn with_plan(refused: bool) -> (Bench, Vec<String>) {
    let bench = Bench::new();
    let (plan, canaries) = plan(free_port(), refused);
    bench.write("plan.json", &plan.to_string());
    bench.write("body.txt", &canaries[18]);
    (bench, canaries)
}

fn ran(bench: &Bench, canaries: &[String], arguments: &[&str]) -> Ran {
    let mut command = bench.command(arguments);
    Ran::of_command(command.env("PLIMSOLL_CANARY", &canaries[19]))
}

#[test]
fn plan_secrets_stay_out_of_output() {
    let commands = [
        (&["run", "plan.json"][..], None),
        (&["run", "plan.json", "--json"][..], None),
        (&["capacity", "plan.json", "--budget", "4s", "--step", "1s"][..], None),
        (&["diagnose", "plan.json", "-R", "50", "-d", "1s"][..], None),
        (
            &[
                "scale",
                "plan.json",
                "--at",
                "1,2,3,4",
                "--rounds",
                "2",
                "-d",
                "200ms",
                "--warm-up",
                "100ms",
            ][..],
            None,
        ),
        (&["run", "plan.json", "--objective", "p99 <= nothing"][..], Some(104)),
    ];
    thread::scope(|scope| {
        for (arguments, code) in commands {
            for refused in [false, true] {
                scope.spawn(move || assert_plan_is_hidden(arguments, refused, code));
            }
        }
    });
}

/// In what a command prints and keeps, and in its report. Without an exit code, it has to have a result.
fn assert_plan_is_hidden(arguments: &[&str], refused: bool, code: Option<i32>) {
    let (bench, canaries) = with_plan(refused);
    let mut arguments = arguments.to_vec();
    if matches!(arguments[0], "run" | "capacity") {
        arguments.extend([
            "--junit",
            "out.xml",
            "--markdown",
            "out.md",
            "--annotations",
            "github",
            "--code-quality",
            "out.json",
        ]);
    }
    let ran = ran(&bench, &canaries, &arguments);
    let what = format!("{arguments:?}, refused: {refused}");
    let searched = assert_hidden(&what, &bench, &ran, &canaries);
    if let Some(code) = code {
        assert_eq!(ran.code, code, "{what}: {ran:?}");
        return;
    }
    assert!(ran.stdout.len() > 100, "{what} has a result: {ran:?}");
    assert!(searched > 5, "{what} kept files");
    let again = bench.report(&bench.directory());
    assert_hidden(&format!("report of {what}"), &bench, &again, &canaries);
}

#[test]
fn service_death_hides_secrets() {
    let (bench, canaries) = with_plan(false);
    let mut plan: Value = serde_json::from_str(&bench.read("plan.json")).expect("JSON");
    plan["target"]["env"]["DIES"] = "1".into();
    bench.write("plan.json", &plan.to_string());
    let ran = ran(&bench, &canaries, &["run", "plan.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_hidden("a service that dies", &bench, &ran, &canaries);
}

#[test]
fn command_line_secrets_stay_out_of_output() {
    let c: Vec<String> = (30..42).map(canary).collect();
    let url = |port: u16| format!("http://127.0.0.1:{port}/x?token={}", c[0]);
    let header = format!("x-odd: {}", c[1]);
    let (a, b) = (format!("KEY={}", c[2]), format!("KEY={}", c[3]));
    let user = format!("{}:{}", c[10], c[11]);
    let two_words = format!("{} {}", c[9], c[11]);
    let of = |canary: &str| format!("node {} --secret {canary}", service("tells.js"));
    let (of_a, of_b) = (of(&c[6]), of(&c[7]));
    let command = ["--", "node", &service("tells.js"), "--secret", &c[4]].map(str::to_owned);
    let hidden = |name: &str, options: &[&str]| {
        let bench = Bench::new();
        let url = url(free_port());
        let mut arguments = [&[name, url.as_str()][..], options].concat();
        if !options.contains(&"--a") {
            arguments.extend(command.iter().map(String::as_str));
        }
        let ran = bench.run(&arguments);
        assert_hidden(&format!("{arguments:?}"), &bench, &ran, &c);
        ran
    };
    let rounds = ["--rounds", "4", "-R", "50", "-d", "500ms", "--warm-up", "100ms"];
    let comparisons: [&[&str]; 3] = [
        &["--bearer", &c[9], "--a-env", &a, "--b-env", &b],
        &["--json", "--a-env", &a, "--b-env", &b],
        &["--a", &of_a, "--b", &of_b],
    ];
    thread::scope(|scope| {
        for variants in comparisons {
            let (hidden, rounds) = (&hidden, &rounds);
            scope.spawn(move || {
                let ran = hidden("compare", &[&rounds[..], variants].concat());
                assert!(ran.stdout.len() > 100, "{variants:?} have a result: {ran:?}");
            });
        }
    });
    for (name, options) in [
        ("bench", &["-d", "1s", "-H", &header, "-b", &c[5]][..]),
        ("run", &["-d", "1s", "-H", &header, "-b", &c[5], "--json"]),
        ("hold", &["-c", "2", "-d", "1s", "-H", &header]),
        ("bench", &["-d", "1s", "--user", &user]),
        ("run", &["-d", "1s", "--bearer", &c[9], "--json"]),
        ("hold", &["-c", "2", "-d", "1s", "-u", &user]),
        // Mistakes beside secrets.
        ("bench", &["-d", "1s", "-H", &c[6]]),
        ("compare", &["--a-env", &c[7], "--b-env", &b]),
        ("run", &["--no-such-option", &c[8]]),
        ("bench", &["-d", "1s", "--user", &c[11]]),
        ("bench", &["-d", "1s", "--bearer", &two_words]),
        ("bench", &["-d", "1s", "--user", &user, "--bearer", &c[9]]),
    ] {
        hidden(name, options);
    }
    let bench = Bench::new();
    let ran = bench.run(&[
        "init",
        "--",
        "node",
        "server.js",
        "--secret",
        &c[9],
        &format!("KEY={}", c[10]),
    ]);
    // The plan itself is the user's, and has to start the service.
    assert!(bench.read("plimsoll.yaml").contains(&c[9]));
    assert_hidden("init", &bench, &ran, &c);
}

/// What was meant as something else: without its scheme, its quotes or its option.
#[test]
fn mistyped_command_line_hides_secrets() {
    let c: Vec<String> = (70..80).map(canary).collect();
    let user = format!("admin:{}@127.0.0.1:3000/", c[0]);
    let query = format!("127.0.0.1:3000/x?token={}", c[1]);
    let url = format!("http://u:{}@h/?q=1", c[2]);
    let plain = "correcthorse";
    let line = format!("Authorization: Bearer {}", c[3]);
    for words in [
        &["run", &user][..],
        &["run", &query],
        &["run", &url, "-d", "nothing"],
        &["capacity", &user],
        &["diagnose", &query],
        &["scale", &user],
        &["compare", &query],
        &["bench", "http://127.0.0.1:1/", "-H", "x-api-key:", plain],
        &["bench", "-H", "x-api-key:", plain],
        &["bench", "http://127.0.0.1:1/", "-H", "x-api-key:", "hunter"],
        &["capacity", "-H", "Authorization:", plain],
        &["bench", "http://127.0.0.1:1/", &line],
        &["report", &url],
        &[&url],
        &["doctor", plain],
    ] {
        let bench = Bench::new();
        let ran = bench.run(words);
        assert_ne!(ran.code, 0, "{words:?}");
        let hidden = [&c[..], &[plain.to_owned(), "hunter".to_owned()]].concat();
        assert_hidden(&format!("{words:?}"), &bench, &ran, &hidden);
    }
}

#[test]
fn failed_setup_hides_secrets() {
    let c: Vec<String> = (80..83).map(canary).collect();
    let bench = Bench::new();
    bench.write("server.js", "");
    for words in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e@example.org",
            "commit",
            "--quiet",
            "-m",
            "one",
        ],
    ] {
        let mut git = bench.other("git");
        git.args(words).current_dir(bench.path("."));
        Ran::of_command(&mut git).expect(0, &[]);
    }
    for setup in [
        format!("NPM_TOKEN={} false", c[0]),
        format!("echo --auth {}; false", c[1]),
        format!("false http://u:{}@h/", c[2]),
    ] {
        let ran = bench.run(&[
            "compare",
            "http://127.0.0.1:1/",
            "--rev",
            "HEAD",
            "--setup",
            &setup,
            "-R",
            "20",
            "-d",
            "500ms",
            "--",
            "node",
            "server.js",
        ]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("failed to use revision HEAD"), "{}", ran.stderr);
        assert_hidden(&setup, &bench, &ran, &c);
    }
}

#[test]
fn invalid_plan_hides_secrets() {
    let c: Vec<String> = (50..60).map(canary).collect();
    for text in [
        format!("target: {{ url: http://h/, env: {{ KEY: {} }}, commnd: x }}\n", c[0]),
        format!("target: http://u:{}@h:99999/\n", c[1]),
        format!(
            "target: http://h/\nscenario:\n  requests:\n    - {{ path: /, headers: {{ authorization: {}, b: {{ c: 1 }} }} }}\n",
            c[2]
        ),
        format!(
            "target: http://h/\nscenario:\n  requests:\n    - {{ path: /?a={}, methd: GET }}\n",
            c[3]
        ),
        format!(
            "target: http://h/\nscenario: {{ requests: [{{ body: {}, json: 1 }}] }}\n",
            c[4]
        ),
        format!(
            "target: http://h/\nscenario: {{ variables: {{ user: {{ values: {} }} }} }}\n",
            c[5]
        ),
        format!("target: [{}\n", c[6]),
        format!("target: {{ url: http://h/, command: \"node '{}\" }}\n", c[7]),
    ] {
        let bench = Bench::new();
        bench.write("plan.yaml", &text);
        let ran = bench.run(&["run", "plan.yaml"]);
        assert_eq!(ran.code, 104, "{text}: {ran:?}");
        assert_hidden(&text, &bench, &ran, &c);
    }
}
