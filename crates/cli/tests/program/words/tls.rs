//! Services over TLS: an https server of Node.js, with certificates of an authority that nobody else trusts.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use rcgen::{CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, date_time_ymd};
use serde_json::Value;
use std::process::Command;
use std::thread;

/// A directory with an authority in it, a certificate for `name`, and one of a client.
pub(super) struct Secure {
    pub(super) bench: Bench,
    url: String,
}

impl Secure {
    pub(super) fn new() -> Self {
        Self::of("127.0.0.1", |_| {})
    }

    fn of(name: &str, change: impl Fn(&mut CertificateParams)) -> Self {
        let bench = Bench::new();
        let mut params = CertificateParams::new(Vec::new()).expect("valid");
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed");
        bench.write("ca.pem", &authority.pem());
        for (file, name, purpose) in [
            ("server", name, ExtendedKeyUsagePurpose::ServerAuth),
            ("client", "client", ExtendedKeyUsagePurpose::ClientAuth),
        ] {
            let mut params = CertificateParams::new(vec![name.to_owned()]).expect("valid");
            params.extended_key_usages = vec![purpose];
            // One of the same name as its authority is taken for one that signed itself.
            params.distinguished_name.push(DnType::CommonName, file);
            if file == "server" {
                change(&mut params);
            }
            let key = KeyPair::generate().expect("a key");
            let certificate = params.signed_by(&key, &authority).expect("signed");
            bench.write(&format!("{file}.pem"), &certificate.pem());
            bench.write(&format!("{file}.key"), &key.serialize_pem());
        }
        let url = format!("https://127.0.0.1:{}/", free_port());
        Self { bench, url }
    }

    /// The program with `arguments` behind the URL, and the service that it starts.
    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(&[name, &self.url]);
        command
            .args(arguments)
            .env("CERT", "server.pem")
            .env("KEY", "server.key");
        command.args(["--", "node", &service("secure.js")]);
        command
    }

    fn ran(&self, name: &str, arguments: &[&str]) -> Ran {
        Ran::of_command(&mut self.command(name, arguments))
    }

    /// A second of requests that each open a connection.
    fn run(&self, arguments: &[&str]) -> Ran {
        let load = [
            "-R",
            "40",
            "-d",
            "1s",
            "--objective",
            "errors = 0",
            "--json",
            "--no-keepalive",
        ];
        self.ran("run", &[&load, arguments].concat())
    }
}

/// What the first handshake found that failed.
fn found(ran: &Ran) -> String {
    let findings = ran.json();
    let error = &findings["errors"][0];
    assert_eq!(error["class"], "tls", "{findings}");
    error["example"]["found"].as_str().expect("an example").to_owned()
}

#[test]
fn run_passes_and_counts_handshakes_by_kind() {
    let secure = Secure::new();
    let findings = secure.run(&["--cacert", "ca.pem"]).json();
    assert_eq!(findings["totals"]["passed"], 40, "{findings}");
    let handshakes = &findings["handshakes"];
    let (full, resumed) = (handshakes["full"].as_u64(), handshakes["resumed"].as_u64());
    let (full, resumed) = (full.expect("a count"), resumed.expect("a count"));
    assert_eq!(full + resumed, 40, "{handshakes}");
    assert!(full > 0 && resumed > 0, "{handshakes}");
    assert_eq!(handshakes["time"]["count"], 40);
    let again = secure.bench.report(&secure.bench.directory()).json();
    assert_eq!(again["handshakes"], *handshakes, "what is read back is the same");
}

#[test]
fn handshakes_are_full_and_judged_as_plan_says() {
    let secure = Secure::new();
    let plan = serde_json::json!({
        "target": {
            "url": &secure.url,
            "command": ["node", service("secure.js")],
            "ready": { "path": "/" },
            "env": { "CERT": "server.pem", "KEY": "server.key" },
            "tls": { "ca": "ca.pem", "resume": false, "versions": 1.2 },
        },
        "objectives": ["handshake p99 <= 10s", "errors = 0"],
        "connections": { "keep_alive": false },
        "load": { "rate": "40/s", "duration": "2s" },
    });
    secure.bench.write("plan.json", &plan.to_string());
    let findings = secure.bench.run(&["run", "plan.json", "--json"]).json();
    assert_eq!(findings["totals"]["passed"], 80, "{findings}");
    assert_eq!(findings["handshakes"]["full"], 80, "readiness is not counted");
    assert_eq!(findings["handshakes"]["resumed"], 0);
    assert_eq!(findings["objectives"][0]["objective"]["quantity"], "handshake_time");
    assert!(findings["objectives"][0]["observed"].as_f64() > Some(0.0), "{findings}");
}

/// Nobody has been there before, so nobody resumes a session; and nobody shakes hands twice.
#[test]
fn each_user_with_its_own_connection_shakes_hands_in_full() {
    let secure = Secure::new();
    let again =
        serde_json::json!({ "repeat": { "times": 3, "every": "20ms", "actions": [{ "request": { "path": "/" } }] } });
    let plan = serde_json::json!({
        "target": {
            "url": &secure.url,
            "command": ["node", service("secure.js")],
            "env": { "CERT": "server.pem", "KEY": "server.key" },
            "tls": { "ca": "ca.pem" },
        },
        "scenario": { "journeys": [{ "actions": [again] }] },
        "objectives": ["errors = 0"],
        "connections": { "per_user": true },
        "load": { "rate": "20/s", "duration": "2s" },
    });
    secure.bench.write("plan.json", &plan.to_string());
    let findings = secure.bench.run(&["run", "plan.json", "--json"]).json();
    assert_eq!(findings["journeys"][0]["finished"], 40, "{findings}");
    let handshakes = &findings["handshakes"];
    assert_eq!(
        (&handshakes["full"], &handshakes["resumed"]),
        (&40.into(), &0.into()),
        "{handshakes}"
    );
}

#[test]
fn objective_without_handshakes_is_not_judged() {
    let secure = Secure::new();
    let plan = serde_json::json!({
        "target": {
            "url": &secure.url,
            "command": ["node", service("secure.js")],
            "env": { "CERT": "server.pem", "KEY": "server.key" },
            "tls": { "insecure": true },
        },
        "objectives": ["handshake max <= 10s"],
        "judging": { "warm_up": "1s" },
        // In the closed model no request can be late.
        "load": { "model": "closed", "connections": 1, "think_time": "20ms", "duration": "3s" },
    });
    secure.bench.write("plan.json", &plan.to_string());
    let ran = secure.bench.run(&["run", "plan.json", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let findings = ran.json();
    let because = &findings["objectives"][0]["unjudged_because"];
    assert_eq!(because["code"], "no_handshake", "{findings}");
    let clear = secure
        .bench
        .run(&["run", "http://127.0.0.1:1/", "--objective", "handshake max <= 10s"]);
    clear.expect(104, &["does not begin with `https`"]);
}

#[test]
fn certificates_that_are_refused_are_named_with_hint() {
    let secure = Secure::new();
    assert_eq!(
        found(&secure.run(&[])),
        "its certificate is signed by an authority that is not trusted here \
         (give its authority with --cacert, or accept any certificate with -k)"
    );
    let accepted = secure.run(&["-k"]).json();
    assert_eq!(accepted["totals"]["passed"], 40, "{accepted}");

    let elsewhere = Secure::of("shop.test", |_| {});
    assert_eq!(
        found(&elsewhere.run(&["--cacert", "ca.pem"])),
        "its certificate is for shop.test, not for 127.0.0.1 (ask for one of these names, or set target.tls.server_name)"
    );
    let old = Secure::of("127.0.0.1", |params| params.not_after = date_time_ymd(2020, 2, 29));
    let found_old = found(&old.run(&["--cacert", "ca.pem"]));
    assert!(
        found_old.starts_with("its certificate expired on 2020-02-29"),
        "{found_old}"
    );
}

#[test]
fn service_that_asks_for_client_gets_its_certificate() {
    let secure = Secure::new();
    let run = |arguments: &[&str]| {
        let load = ["-R", "20", "-d", "1s", "--objective", "errors = 0", "--json"];
        let mut command = secure.command("run", &[&load, arguments].concat());
        Ran::of_command(command.env("CLIENTS", "ca.pem"))
    };
    let with = run(&["--cacert", "ca.pem", "--cert", "client.pem", "--key", "client.key"]).json();
    assert_eq!(with["totals"]["passed"], 20, "{with}");
    let without = run(&["--cacert", "ca.pem"]);
    assert_ne!(without.code, 0, "{without:?}");
    let errors = without.json()["errors"].to_string();
    assert!(errors.contains("asks for a certificate of the client"), "{errors}");
    run(&["-k", "--cert", "client.pem", "--key", "ca.pem"]).expect(1, &["its key: no unencrypted key in PEM"]);
    run(&["-k", "--cert", "nowhere.pem"]).expect(1, &["read", "nowhere.pem"]);
    run(&["-k", "--cert", "client.pem", "--key", "server.key"]).expect(1, &["failed to use the client certificate"]);
}

#[test]
fn clear_text_and_tls_are_told_apart_both_ways() {
    let secure = Secure::new();
    let mut clear = secure
        .bench
        .command(&["run", &secure.url, "-R", "20", "-d", "1s", "--json"]);
    clear.args(["-k", "--objective", "errors = 0", "--", "node", &service("ok.js")]);
    let said = found(&Ran::of_command(&mut clear));
    assert!(said.contains("responds in clear text"), "{said}");
    assert!(said.contains("use http:// instead of https://"), "{said}");

    let url = secure.url.replace("https", "http");
    let mut command = secure.bench.command(&["run", &url, "-R", "20", "-d", "1s", "--json"]);
    command.args(["--objective", "errors = 0", "--", "node", &service("secure.js")]);
    command.env("CERT", "server.pem").env("KEY", "server.key");
    let errors = Ran::of_command(&mut command).json()["errors"].to_string();
    assert!(errors.contains("use https:// instead of http://"), "{errors}");
    secure
        .bench
        .run(&["bench", "-k", &url])
        .expect(104, &["does not begin with `https`"]);
}

#[test]
fn service_that_is_never_ready_is_described_by_handshake() {
    let secure = Secure::new();
    let ready = |url: &str, tls: Value, words: &[&str]| {
        let mut plan = serde_json::json!({
            "target": {
                "url": url,
                "command": ["node", service("secure.js")],
                "ready": { "path": "/", "timeout": "2s" },
                "env": { "CERT": "server.pem", "KEY": "server.key", "MOST": "TLSv1.2" },
            },
            "load": { "rate": "40/s", "duration": "2s" },
        });
        if !tls.is_null() {
            plan["target"]["tls"] = tls;
        }
        secure.bench.write("plan.json", &plan.to_string());
        let _: &Ran = secure.bench.run(&["run", "plan.json"]).expect(1, words);
    };
    ready(
        &secure.url,
        serde_json::json!({}),
        &[
            "an authority that is not trusted here",
            "hint: give its authority with --cacert",
        ],
    );
    ready(
        &secure.url,
        serde_json::json!({ "insecure": true, "versions": 1.3 }),
        &["version of TLS", "target.tls.versions"],
    );
    let clear = secure.url.replace("https", "http");
    ready(
        &clear,
        Value::Null,
        &["hint: use https:// in the URL if the service expects TLS"],
    );
}

#[test]
fn capacity_speaks_tls() {
    let secure = Secure::new();
    let load = ["--cacert", "ca.pem", "--json", "--budget", "6s", "--step", "1s"];
    let capacity = secure.ran(
        "capacity",
        &[&load[..], &["--start-rate", "20", "--max-rate", "80"]].concat(),
    );
    let findings = capacity.json();
    assert_eq!(findings["errors"], serde_json::json!([]), "{findings}");
    assert!(findings["handshakes"]["full"].as_u64() > Some(0), "{findings}");
}

#[test]
fn held_connections_speak_tls() {
    let held = Secure::new()
        .ran("hold", &["-k", "-c", "20", "-d", "1s", "--park", "nothing", "--json"])
        .json();
    assert_eq!(held["hold"]["live"], 20, "{held}");
    let handshakes = &held["handshakes"];
    let count = |kind: &str| handshakes[kind].as_u64().expect("a count");
    assert_eq!(count("full") + count("resumed"), 20, "{handshakes}");
}

#[test]
fn web_sockets_are_held_over_tls() {
    let secure = Secure::new();
    let url = secure.url.replace("https://", "wss://");
    let mut command = secure
        .bench
        .command(&["hold", &url, "--cacert", "ca.pem", "-c", "20", "-d", "1s", "--json"]);
    command.env("CERT", "server.pem").env("KEY", "server.key");
    command.args(["--", "node", &service("web_socket.js")]);
    let held = Ran::of_command(&mut command).json();
    assert_eq!(
        (&held["verdict"], &held["hold"]["live"]),
        (&"passed".into(), &20.into()),
        "{held}"
    );
    assert!(held["handshakes"]["full"].as_u64() > Some(0), "{held}");
}

#[test]
fn comparisons_speak_tls() {
    let secure = Secure::new();
    let mut command = secure.command(
        "compare",
        &[
            "-k",
            "--a-env",
            "X=1",
            "--b-env",
            "X=2",
            "--rounds",
            "4",
            "-R",
            "40",
            "-d",
            "500ms",
            "--warm-up",
            "100ms",
            "--json",
        ],
    );
    let compared = Ran::of_command(&mut command).json();
    assert_eq!(compared["variants"].as_array().map(Vec::len), Some(2), "{compared}");
    assert!(
        !compared.to_string().contains("\"tls\""),
        "no handshake failed: {compared}"
    );
}

#[test]
fn diagnoses_speak_tls() {
    let diagnosed = Secure::new()
        .ran("diagnose", &["-k", "-R", "60", "-d", "2s", "--json"])
        .json();
    let causes = &diagnosed["diagnosis"]["causes"];
    let parsing = causes
        .as_array()
        .expect("causes")
        .iter()
        .find(|cause| cause["kind"] == "json");
    let parsing = parsing.unwrap_or_else(|| panic!("the probe counts requests over TLS: {diagnosed}"));
    assert!(parsing["place"].to_string().contains("secure.js"), "{parsing}");
    let per_request = parsing["per_request"].as_f64().expect("counted");
    assert!((0.9..1.1).contains(&per_request), "{parsing}");
}

#[test]
fn sessions_that_cannot_be_resumed_are_a_cause() {
    let causes = |no_tickets: &str| {
        let secure = Secure::new();
        let mut command = secure.command("diagnose", &["-k", "--no-keepalive", "-R", "60", "-d", "2s", "--json"]);
        command.env("NO_TICKETS", no_tickets);
        let diagnosed = Ran::of_command(&mut command).json();
        let causes = diagnosed["diagnosis"]["causes"].as_array().expect("causes").clone();
        causes.into_iter().find(|cause| cause["kind"] == "full-handshakes")
    };
    let (without, with) = thread::scope(|scope| {
        let without = scope.spawn(|| causes("1"));
        let with = causes("");
        (without.join().expect("no panic"), with)
    });
    let cause = without.expect("a cause");
    assert!(
        (0.9..1.1).contains(&cause["per_request"].as_f64().expect("counted")),
        "{cause}"
    );
    assert_eq!(with, None, "sessions are resumed");
}

#[test]
fn sweeps_speak_tls() {
    let scaled = Secure::new().ran(
        "scale",
        &[
            "-k",
            "--at",
            "1,2,3,4",
            "--rounds",
            "2",
            "-d",
            "500ms",
            "--warm-up",
            "100ms",
            "--json",
        ],
    );
    assert!(!scaled.json().to_string().contains("\"tls\""), "{scaled:?}");
}

#[test]
fn http2_is_agreed_on_by_alpn() {
    let secure = Secure::new();
    let speaks = |served_by: &str| {
        let mut command = secure
            .bench
            .command(&["run", &secure.url, "--http2", "--cacert", "ca.pem", "--json"]);
        command.args(["-R", "100", "-d", "1s", "--", "node", &service(served_by)]);
        command.env("CERT", "server.pem").env("KEY", "server.key");
        Ran::of_command(&mut command)
    };
    let findings = speaks("http2.js").json();
    assert_eq!(findings["totals"]["passed"], 100, "{findings}");
    assert_eq!(findings["handshakes"]["full"], 1, "one connection carries them all");
    let mut bench = secure
        .bench
        .command(&["bench", &secure.url, "--http2", "-k", "-c", "1", "-d", "1s", "--json"]);
    let refused = Ran::of_command(&mut bench).json();
    assert_eq!(
        refused["errors"][0]["class"], "refused",
        "bench takes it too: {refused}"
    );
    let found = found(&speaks("secure.js"));
    assert!(found.contains("the version of HTTP that we ask for (ALPN)"), "{found}");
    assert!(found.contains("target.http"), "{found}");
}

#[test]
fn key_files_stay_out_of_output() {
    let c: Vec<String> = (90..92).map(canary).collect();
    let certified = rcgen::generate_simple_self_signed(vec!["client".to_owned()]).expect("a certificate");
    let key = certified.signing_key.serialize_pem();
    // Text around the blocks of a file is no part of them; a block that is cut off is an error.
    let whole = format!("{}\n{key}{}\n", c[0], c[1]);
    let line = key.lines().nth(1).expect("a line");
    let pieces = line.split(['+', '/']);
    let piece = pieces.max_by_key(|piece| piece.len()).expect("a piece").to_owned();
    let cut_off = format!("{}\n-----BEGIN PRIVATE KEY-----\n{line}\n-----BEGIN {}\n", c[0], c[1]);
    for key in [whole, cut_off] {
        let bench = Bench::new();
        bench.write("client.pem", &certified.cert.pem());
        bench.write("client.key", &key);
        let url = format!("https://127.0.0.1:{}/", free_port());
        let arguments = [
            "run",
            &url,
            "-k",
            "-d",
            "1s",
            "--cert",
            "client.pem",
            "--key",
            "client.key",
            "--json",
        ];
        let command = ["--", "node", &service("tells.js")];
        let ran = bench.run(&[&arguments[..], &command].concat());
        // On a busy machine the generator may be late besides.
        assert_ne!(ran.code, 0, "{ran:?}");
        let canaries = [&c[..], std::slice::from_ref(&piece)].concat();
        assert_hidden("key files", &bench, &ran, &canaries);
    }
}
