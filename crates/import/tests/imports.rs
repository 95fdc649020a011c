//! Files of each format, and the plans and lists that they become.

use insta::assert_snapshot;
use plimsoll_import::{Imported, Options, Paths, Proposal, Route, Source, import, propose};
use std::fmt::Write as _;

/// What `name` in the directory of the files becomes, with all that is said about it.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "these files are the tests' own")]
fn imported(name: &str, url: Option<&str>, environment: Option<&str>) -> Imported {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/");
    let read = |name: &str| std::fs::read_to_string(format!("{directory}{name}")).ok();
    let environment = environment.map(|name| read(name).expect("an environment"));
    let source = Source {
        name,
        text: &read(name).expect("a file"),
        format: None,
        environment: environment.as_deref(),
        writes: url.is_some(),
        files: &read,
    };
    let options = Options {
        url,
        body_file: &str::to_owned,
    };
    import(&source, &options).unwrap_or_else(|error| panic!("{error}"))
}

fn shown(imported: &Imported) -> String {
    let mut text = format!(
        "{}\n---- {} requests, {}\n",
        imported.plan, imported.requests, imported.format
    );
    for needed in &imported.needed {
        let _ = writeln!(text, "needs {}: {}", needed.name, needed.why);
    }
    for left_out in &imported.left_out {
        let _ = writeln!(text, "{left_out}");
    }
    for secret in [
        "hunter2222",
        "abcdefgh12345678",
        "0123456789abcdef",
        "fedcba9876543210",
        "p&ss",
        "p%26ss",
        "s%3Aabc",
        "let \"me\" in",
    ] {
        assert!(!text.contains(secret), "{secret} in\n{text}");
    }
    text
}

#[test]
fn curl_of_a_browser() {
    assert_snapshot!(shown(&imported("chrome.curl", None, None)));
}

#[test]
fn curl_of_a_script() {
    assert_snapshot!(shown(&imported("script.curl", None, None)));
}

#[test]
fn http_file() {
    assert_snapshot!(shown(&imported("requests.http", None, None)));
}

#[test]
fn har() {
    assert_snapshot!(shown(&imported("shop.har", None, None)));
}

#[test]
fn postman_with_environment() {
    assert_snapshot!(shown(&imported("shop.postman", None, Some("local.environment"))));
}

#[test]
fn openapi_reads() {
    assert_snapshot!(shown(&imported("shop.openapi", None, None)));
}

#[test]
fn openapi_writes() {
    assert_snapshot!(shown(&imported("shop.openapi", Some("http://127.0.0.1:8080"), None)));
}

#[test]
fn artillery() {
    assert_snapshot!(shown(&imported("shop.artillery", None, None)));
}

#[test]
fn jmeter() {
    assert_snapshot!(shown(&imported("shop.jmx", None, None)));
}

#[test]
fn first_plan_of_routes() {
    let routes = [
        ("GET", "/"),
        ("GET", "/users/:id"),
        ("GET", "/users/:id/posts/:post(\\d+)"),
        ("GET", "/teams/:team"),
        ("GET", "/teams/:team/members"),
        ("GET", "/admin"),
        ("GET", "/files/*"),
        ("ALL", "/*"),
        ("HEAD", "/"),
        ("POST", "/users"),
    ];
    let route = |(method, path): (&str, &str)| Route {
        method: method.to_owned(),
        path: path.to_owned(),
        expression: false,
    };
    let refuses = |plan: &str| match plan.contains("path: /admin") {
        true => Err("Sent once, it had status 401 Unauthorized.".to_owned()),
        false => Ok(()),
    };
    let proposed = propose(&Proposal {
        name: "shop",
        url: "http://127.0.0.1:3000/",
        command: &["node".to_owned(), "server.js".to_owned()],
        paths: Paths::Routes(&routes.map(route)),
        writes: false,
        values: &[("id".to_owned(), vec!["7".to_owned(), "8".to_owned()])],
        tries: &refuses,
    });
    let proposed = proposed.expect("a plan");
    let mut text = format!(
        "{}\n---- {} requests, {} in comments\n",
        proposed.plan, proposed.requests, proposed.aside
    );
    for left_out in &proposed.left_out {
        let _ = writeln!(text, "{left_out}");
    }
    assert_snapshot!(text);
}
