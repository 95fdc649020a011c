//! Recordings of browsers and of other tools.

use super::check;

fn entry(at: &str, url: &str, request: &str, response: &str) -> String {
    format!(
        r#"{{"startedDateTime":"2024-01-01T00:{at}Z","time":10,"request":{{"method":"GET","url":"{url}","headers":[]{request}}},
        "response":{{"status":200,"headers":[]{response}}}}}"#
    )
}

fn recording(entries: &[String]) -> String {
    format!(r#"{{"log":{{"entries":[{}]}}}}"#, entries.join(","))
}

#[test]
fn cookies_that_stand_apart_from_headers_are_those_of_users() {
    let set = r#","cookies":[{"name":"theme","value":"dark"}]"#;
    let file = recording(&[
        entry("00:01", "http://localhost/a", "", set),
        entry("00:02", "http://localhost/b", set, ""),
    ]);
    check(&file, &["path: /a", "path: /b"], &["dark", "env."]);
}

#[test]
fn pauses_beside_what_is_left_out_at_an_end_are_left_out() {
    let file = recording(&[
        entry("00:01", "http://elsewhere.example/first", "", ""),
        entry("01:01", "http://localhost/a", "", ""),
        entry("01:05", "http://localhost/b", "", ""),
        entry("09:01", "http://other.example/last", "", ""),
    ]);
    check(
        &file,
        &[
            "    - actions:\n        - request:\n            path: /a\n        - pause: 4s\n        - request:\n            path: /b\n\n#",
        ],
        &[],
    );
}

#[test]
fn entries_are_sent_in_the_order_of_their_times() {
    let file = recording(&[
        entry("00:03", "http://localhost/third", "", ""),
        entry("00:01", "http://localhost/first", "", ""),
        entry("00:01", "http://localhost/second", "", ""),
    ]);
    let text = super::imported(&file);
    let at = |path: &str| text.find(path).unwrap_or_else(|| panic!("no {path} in\n{text}"));
    assert!(
        at("/first") < at("/second") && at("/second") < at("pause: 2s") && at("pause: 2s") < at("/third"),
        "{text}"
    );
}
