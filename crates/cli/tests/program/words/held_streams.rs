//! `plimsoll hold` against a service that speaks HTTP/2: each client has a stream.

use crate::bench::{Bench, Ran, free_port, free_url, service};
use serde_json::{Value, json};

const STREAMS: &str = "200";

/// 200 streams of events, 50 on each connection, of a service that does this once all are there.
fn events(when_full: &str) -> Value {
    let (bench, url) = (Bench::new(), format!("{}events", free_url()));
    let mut command = bench.command(&[
        "hold",
        &url,
        "--http2",
        "--streams",
        "50",
        "-c",
        STREAMS,
        "--pace",
        "2000/s",
    ]);
    command.args(["-d", "1s", "--json", "--", "node", &service("held_streams.js")]);
    command.env("ALL", STREAMS).env("WHEN_FULL", when_full);
    let ran = Ran::of_command(&mut command);
    let findings = ran.json();
    let hold = &findings["hold"];
    assert_eq!(hold["opened"], 200, "{findings:#}");
    // One may have gone before the first look.
    let connections = hold["connections_max"].as_u64();
    assert!((Some(3)..=Some(4)).contains(&connections), "{findings:#}");
    let directory = bench.directory();
    assert_eq!(bench.report(&directory).stdout, ran.stdout, "a replay finds the same");
    findings
}

/// How many are left, and class, count and example of the only error.
#[track_caller]
fn left(findings: &Value, live: u64, class: &str, found: &str) {
    let (hold, errors) = (&findings["hold"], findings["errors"].as_array().expect("errors"));
    assert_eq!(
        (&hold["live"], &hold["lost"]),
        (&live.into(), &(200 - live).into()),
        "{findings:#}"
    );
    let [error] = errors.as_slice() else {
        panic!("one class: {findings:#}");
    };
    assert_eq!(
        (&error["class"], &error["count"]),
        (&class.into(), &(200 - live).into())
    );
    let example = error["example"]["found"].as_str().expect("an example");
    assert!(example.contains(found), "{example}");
}

#[test]
fn event_streams_share_connections() {
    let findings = events("");
    assert_eq!(findings["verdict"], "passed", "{findings:#}");
    assert_eq!(
        (&findings["hold"]["live"], &findings["errors"]),
        (&200.into(), &json!([]))
    );
    let headline = &findings["headline"];
    assert_eq!(
        (&headline["connections"], &headline["streams"]),
        (&200.into(), &true.into()),
        "{headline}"
    );
}

#[test]
fn a_stream_that_is_reset_is_lost_alone() {
    left(
        &events("reset 5"),
        195,
        "stream_reset",
        "the service reset the stream: INTERNAL_ERROR",
    );
}

#[test]
fn streams_of_a_connection_that_the_service_leaves_are_lost() {
    left(
        &events("leave"),
        150,
        "closed",
        "the service ended the connection: GOAWAY with NO_ERROR",
    );
}

#[test]
fn streams_of_a_connection_that_ends_with_an_error_are_lost_with_its_reason() {
    left(&events("break"), 150, "stream_reset", "ENHANCE_YOUR_CALM");
}

#[test]
fn long_polls_over_tls_are_parked_again() {
    let secure = super::tls::Secure::new();
    let url = format!("https://127.0.0.1:{}/poll", free_port());
    let mut command = secure.bench.command(&[
        "hold", &url, "--http2", "--cacert", "ca.pem", "-c", "20", "-d", "1s", "--json",
    ]);
    command.env("CERT", "server.pem").env("KEY", "server.key");
    command.args(["--", "node", &service("held_streams.js")]);
    let findings = Ran::of_command(&mut command).json();
    assert_eq!(findings["verdict"], "passed", "{findings:#}");
    let (hold, totals) = (&findings["hold"], &findings["totals"]);
    assert_eq!(
        (&hold["live"], &hold["connections_max"]),
        (&20.into(), &20.into()),
        "one each unless more are asked for"
    );
    let delivered = hold["delivered"].as_u64().expect("a count");
    assert!(delivered > 20, "{delivered}");
    assert_eq!(totals["sent"], 20 + delivered);
    assert_eq!(hold["delivery_time"]["count"], delivered);
    assert_eq!(findings["response_time"]["count"], 0);
}
