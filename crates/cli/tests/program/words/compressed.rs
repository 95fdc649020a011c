//! Compressed responses: an example of a failed one is text.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_url, service};

#[test]
fn example_of_failure_is_text_without_secrets() {
    let bench = Bench::new();
    let canaries = [canary(1)];
    for (coding, found) in [
        ("gzip", "status 500 Internal Server Error, application/json, gzip"),
        ("deflate", "status 500 Internal Server Error, application/json, deflate"),
        ("br", "status 500 Internal Server Error, application/json, br"),
    ] {
        let accept = format!("accept-encoding: {coding}");
        let mut command = bench.command(&["run", &free_url(), "-R", "20", "-d", "1s", "-H", &accept, "--json"]);
        command.args(["--bearer", &canaries[0], "--objective", "errors = 0"]);
        command.args(["--", "node", &service("compressed.js")]);
        let ran = Ran::of_command(&mut command);
        let example = ran.json()["errors"][0]["example"].clone();
        assert_eq!(example["found"], found, "{example}");
        assert_eq!(
            example["received"], r#"{"error":"no such item","token":"[redacted]"}"#,
            "{example}"
        );
        assert_hidden(coding, &bench, &ran, &canaries);
    }
}
