//! How a service is reached: by addresses that stand for its host, by addresses with a zone, and with credentials.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::process::Command;
use std::thread;

/// Half a second of requests, or of held connections, by commands of each kind.
const COMMANDS: [&[&str]; 4] = [
    &["bench", "-d", "500ms", "-c", "2"],
    &["run", "-R", "40", "-d", "1s", "--objective", "errors = 0"],
    &["hold", "-c", "2", "-d", "1s"],
    &[
        "capacity",
        "--step",
        "1s",
        "--budget",
        "4s",
        "--start-rate",
        "20",
        "--max-rate",
        "40",
        "--objective",
        "errors = 0",
    ],
];

fn starts_no_service(name: &str) -> bool {
    matches!(name, "bench" | "hold")
}

/// The service, started beside the program, where that does not start it.
struct Beside(std::process::Child);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_until_it_listens(address: &str) {
    while std::net::TcpStream::connect(address).is_err() {
        thread::yield_now();
    }
}

#[test]
fn host_stays_that_of_the_url_for_every_command() {
    let bench = Bench::new();
    thread::scope(|scope| {
        for arguments in COMMANDS {
            let bench = &bench;
            scope.spawn(move || {
                let port = free_port();
                let node = |command: &mut Command| {
                    let host = format!("shop.test:{port}");
                    command.env("EXPECTED_HOST", host).env("PORT", port.to_string());
                };
                let url = format!("http://shop.test:{port}/");
                let resolve = format!("shop.test:{port}:127.0.0.1");
                let mut command = bench.command(&[arguments[0], &url]);
                command.args(&arguments[1..]).args(["--resolve", &resolve, "--json"]);
                node(&mut command);
                let _beside = starts_no_service(arguments[0]).then(|| {
                    let mut beside = bench.other("node");
                    beside.arg(service("reached.js"));
                    node(&mut beside);
                    let beside = Beside(beside.spawn().expect("Node.js runs"));
                    wait_until_it_listens(&format!("127.0.0.1:{port}"));
                    beside
                });
                if !starts_no_service(arguments[0]) {
                    command.args(["--", "node", &service("reached.js")]);
                }
                let ran = Ran::of_command(&mut command);
                let text = ran.json().to_string();
                assert!(
                    !text.contains("\"421\"") && text.contains(&format!("shop.test:{port}")),
                    "{arguments:?}: {ran:?}"
                );
                assert_eq!(ran.json()["errors"].as_array().map_or(0, Vec::len), 0, "{ran:?}");
            });
        }
    });
}

#[test]
fn plan_says_where_its_host_is() {
    let bench = Bench::new();
    let port = free_port();
    let plan = json!({
        "target": {
            "url": format!("http://shop.test:{port}/"),
            // Nobody listens at the first.
            "resolve": format!("shop.test:{port}:127.0.0.3,127.0.0.1"),
            "command": ["node", service("reached.js")],
            "env": { "EXPECTED_HOST": format!("shop.test:{port}") },
            "ready": { "path": "/" },
        },
        "objectives": ["errors = 0"],
        "load": { "rate": "40/s", "duration": "1s" },
    });
    bench.write("plan.json", &plan.to_string());
    let ran = bench.run(&["run", "plan.json", "--json"]);
    assert_eq!(ran.json()["totals"]["passed"], 40, "{ran:?}");
    let other = format!("shop.test:{}:127.0.0.1", free_port());
    bench
        .run(&["run", "plan.json", "--resolve", &other])
        .expect(104, &["one for host and port of the URL"]);
    bench
        .run(&["run", "plan.json", "--resolve", "shop.test:localhost"])
        .expect(104, &["HOST:PORT:ADDRESS"]);
}

#[cfg(target_os = "linux")]
#[test]
fn zones_are_used_and_not_sent() {
    let bench = Bench::new();
    let first = "ip link set lo up && ip address add fe80::1/64 dev lo nodad";
    let shell = || bench.shell_in_namespace("--net", first);
    if shell().is_none() {
        return crate::bench::cannot_run("no network namespaces, or no ip(8)");
    }
    thread::scope(|scope| {
        for arguments in COMMANDS {
            scope.spawn(move || {
                let mut command = shell().expect("it was allowed");
                let mut script = format!("{first} && ");
                let serve = "node \"$SERVICE\"";
                if starts_no_service(arguments[0]) {
                    script +=
                        &format!("{{ {serve} & service=$!; until curl -s \"$URL\"; do sleep 0.05; done; }} >&2 && ");
                }
                script += "\"$@\"; code=$?; kill $service 2>&-; exit $code";
                command.args([
                    "-c",
                    &script,
                    "sh",
                    crate::bench::PROGRAM,
                    arguments[0],
                    "http://[fe80::1%25lo]:8080/",
                ]);
                command.args(&arguments[1..]).arg("--json");
                command
                    .env("SERVICE", service("reached.js"))
                    .env("URL", "http://[fe80::1%25lo]:8080/")
                    .env("ADDRESS", "fe80::1%lo")
                    .env("EXPECTED_HOST", "[fe80::1]:8080")
                    .env("PORT", "8080");
                if !starts_no_service(arguments[0]) {
                    command.args(["--", "node", &service("reached.js")]);
                }
                let ran = Ran::of_command(&mut command);
                let text = ran.json().to_string();
                assert!(
                    !text.contains("\"421\"") && text.contains("[fe80::1%25lo]:8080"),
                    "{arguments:?}: {ran:?}"
                );
                assert_eq!(ran.json()["errors"].as_array().map_or(0, Vec::len), 0, "{ran:?}");
            });
        }
    });
}

/// Canaries that stand where credentials do, and a directory with plans and files that have them.
fn credentials() -> (Bench, Vec<String>) {
    let bench = Bench::new();
    let c: Vec<String> = (60..66).map(canary).collect();
    let plan = |auth: serde_json::Value| {
        let url = format!("http://127.0.0.1:{}/", free_port());
        json!({ "target": { "url": url, "auth": auth }, "objectives": ["errors = 0"] }).to_string()
    };
    bench.write("token", &format!("{}\n", c[1]));
    bench.write("user", &format!("{}:{}\n", c[2], c[3]));
    bench.write(
        "basic.json",
        &plan(json!({ "basic": { "user": &c[2], "password": &c[3] } })),
    );
    bench.write("unnamed.json", &plan(json!({ "basic": { "user": &c[2] } })));
    bench.write(
        "file.json",
        &plan(json!({ "basic": { "user": "${env.TOKEN_OF_TEST}", "password_file": "token" } })),
    );
    bench.write("bearer.json", &plan(json!({ "bearer": "${env.TOKEN_OF_TEST}" })));
    bench.write("token.json", &plan(json!({ "bearer_file": "token" })));
    (bench, c)
}

/// Runs `arguments` against a service that wants `authorization`; what they come to has none of the credentials in it.
fn authorized(authorization: &str, arguments: &[&str]) -> serde_json::Value {
    let (bench, c) = credentials();
    let mut command = bench.command(&[&["run"], arguments, &["-R", "40", "-d", "1s", "--json"]].concat());
    command
        .env("EXPECTED_AUTHORIZATION", authorization)
        .env("TOKEN_OF_TEST", canary(60))
        .args(["--", "node", &service("reached.js")]);
    let ran = Ran::of_command(&mut command);
    assert_hidden(&format!("{arguments:?}"), &bench, &ran, &c);
    ran.json()
}

#[test]
fn requests_are_authorized_and_credentials_hidden() {
    let (bench, c) = credentials();
    let basic = |user: &str, password: &str| format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
    let bearer = |token: &str| format!("Bearer {token}");
    let url = || format!("http://127.0.0.1:{}/", free_port());
    let with_user = |user: &str| url().replace("//", &format!("//{user}@"));
    let both = format!("{}:{}", c[2], c[3]);
    thread::scope(|scope| {
        for (expected, words) in [
            (basic(&c[2], &c[3]), &["basic.json"][..]),
            (basic(&c[2], ""), &["unnamed.json"]),
            (basic(&c[0], &c[1]), &["file.json"]),
            (bearer(&c[0]), &["bearer.json"]),
            (bearer(&c[1]), &["token.json"]),
            // The command line comes before the plan.
            (bearer(&c[4]), &["token.json", "--bearer", &c[4]]),
            (basic(&c[2], &c[3]), &["bearer.json", "--user", "@user"]),
            (bearer(&c[1]), &[&with_user("me:secret"), "--bearer", "@token"]),
            (basic(&c[2], &c[3]), &[&url(), "-u", &both]),
            (basic("me", ""), &[&with_user("me")]),
            // A request keeps its own.
            (
                bearer(&c[5]),
                &[&url(), "-u", &both, "-H", &format!("authorization: {}", bearer(&c[5]))],
            ),
        ] {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            scope.spawn(move || {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let found = authorized(&expected, &words);
                assert_eq!(found["totals"]["passed"], 40, "{words:?}: {found}");
            });
        }
    });
    // The response has them in it.
    thread::scope(|scope| {
        for words in [
            &["basic.json"][..],
            &["token.json"],
            &[&url(), "-u", &both],
            &[&url(), "--bearer", "@token"],
        ] {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            scope.spawn(move || {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let found = authorized("none", &[&words[..], &["--objective", "errors = 0"]].concat());
                assert_eq!(found["totals"]["passed"], 0, "{words:?}: {found}");
                let example = &found["errors"][0]["example"];
                assert!(example.to_string().contains("[redacted]"), "{example}");
            });
        }
    });
    bench
        .run(&["run", &url(), "--bearer", "@no-such-file"])
        .expect(104, &["failed to read the file behind `@`"]);
}
