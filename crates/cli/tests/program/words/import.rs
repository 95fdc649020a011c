//! `plimsoll import`: what is printed and written, and that the plan sends what the file says.

use crate::bench::{Bench, PROGRAM, Ran, free_port, service};
use serde_json::{Value, json};
use std::thread;

const TWO: &str = "curl http://127.0.0.1:1/a; curl --retry 3 https://other.example/b\n";

#[test]
fn plan_goes_to_standard_output_and_the_list_to_standard_error() {
    let bench = Bench::new();
    bench.write("two.sh", TWO);
    let ran = bench.run(&["import", "two.sh"]);
    ran.expect(
        0,
        &[
            "imported 1 request from two.sh, command lines of curl",
            "not carried over, 2:",
            "two.sh:1: --retry: ",
        ],
    );
    assert!(ran.stdout.contains("\n    - path: /a\n"), "{}", ran.stdout);
    let script = format!("{PROGRAM} import two.sh 2>&- | {PROGRAM} validate -");
    let plan = Ran::of_command(bench.other("sh").args(["-c", &script]));
    assert_eq!(plan.json()["target"]["url"], "http://127.0.0.1:1/");
    let script = format!("{PROGRAM} import - < two.sh");
    Ran::of_command(bench.other("sh").args(["-c", &script])).expect(0, &["from standard input"]);
}

#[test]
fn plan_is_written_to_a_file_that_is_not_there() {
    let bench = Bench::new();
    bench.write("one.sh", "curl http://127.0.0.1:1/a");
    bench
        .run(&["import", "one.sh", "--output", "plan.yaml"])
        .expect(0, &["imported 1 request"]);
    bench.run(&["validate", "plan.yaml"]).expect(0, &[]);
    bench
        .run(&["import", "one.sh", "--output", "plan.yaml"])
        .expect(1, &["it exists already", "hint: "]);
    bench
        .run(&["import", "one.sh", "--output", "plan.yaml", "--force"])
        .expect(0, &[]);
}

#[test]
fn strict_import_writes_nothing_where_something_is_left_out() {
    let bench = Bench::new();
    bench.write("two.sh", TWO);
    let ran = bench.run(&["import", "two.sh", "--strict"]);
    ran.expect(
        1,
        &[
            "two.sh:1: --retry",
            "2 things left out",
            "hint: import without --strict",
        ],
    );
    assert_eq!(ran.stdout, "");
    bench.write("one.sh", "curl http://127.0.0.1:1/a");
    bench.run(&["import", "one.sh", "--strict"]).expect(0, &[]);
}

#[test]
fn file_that_is_no_plan_is_refused_with_a_hint() {
    let bench = Bench::new();
    bench.write("load.js", "import http from 'k6/http';\n");
    bench
        .run(&["import", "load.js"])
        .expect(104, &["load.js: found a script of k6", "hint: "]);
    bench.write("notes.txt", "nothing\n");
    bench
        .run(&["import", "notes.txt"])
        .expect(104, &["no format that is known", "curl, http, har", "--from"]);
    bench.run(&["import", "none.har"]).expect(104, &["none.har"]);
    bench
        .run(&["import", "notes.txt", "--from", "soap"])
        .expect(104, &["soap", "postman"]);
}

#[test]
fn file_that_is_no_text_or_too_long_is_refused() {
    let bench = Bench::new();
    let name = |format: &str| format!("{format}.file");
    for format in ["curl", "har", "http", "postman", "openapi", "artillery", "jmx"] {
        let file = bench.path(&name(format));
        let utf16: Vec<u8> = "curl http://127.0.0.1:1/ä"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        // What is beyond 64 MiB has no room on the disk either.
        let huge = std::fs::File::create(bench.path("huge")).expect("a file");
        huge.set_len((64 << 20) + 1).expect("a long file");
        for bytes in [
            &utf16[..],
            b"curl http://127.0.0.1:1/\xe4",
            b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff",
        ] {
            std::fs::write(&file, bytes).expect("written");
            bench
                .run(&["import", &name(format), "--from", format])
                .expect(104, &[&name(format)]);
        }
        bench.run(&["import", "huge", "--from", format]).expect(104, &["huge"]);
    }
}

#[test]
fn service_elsewhere_is_loaded_only_where_it_is_named() {
    let bench = Bench::new();
    bench.write("one.sh", "curl https://shop.example/a");
    let ran = bench.run(&["import", "one.sh"]);
    ran.expect(0, &["import with --url https://shop.example"]);
    assert!(ran.stdout.contains("url: http://127.0.0.1:3000\n"), "{}", ran.stdout);
    let ran = bench.run(&["import", "one.sh", "--strict", "--url", "https://shop.example"]);
    ran.expect(0, &[]);
    assert!(ran.stdout.contains("url: https://shop.example\n"), "{}", ran.stdout);
}

/// What the second request carries. A test plan of JMeter has no way to write a dollar sign in front of a brace.
const BODY: &str = r#"{"name":"it's ${1}","password":"hunter2222"}"#;
const BODY_OF_JMETER: &str = r#"{"name":"it's <$1> & {}","password":"hunter2222"}"#;

/// A file of each format with the same two requests, as `service` has it, and whether it says that one comes behind the other.
fn files(service: &str) -> [(&'static str, String, bool); 7] {
    let body = BODY;
    let headers = [
        ("content-type", "application/json"),
        ("x-shop", "a; b"),
        ("authorization", "Bearer abcdefghijkl"),
    ];
    let named = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
    let keyed = |(name, value): &(&str, &str)| json!({ "key": name, "value": value });
    let lines: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    let curl = format!(
        "curl '{service}/items?page=2&q=%C3%A9' -H 'accept: text/html'\ncurl '{service}/items' {} \\\n  --data-raw $'{}'\n",
        headers.map(|(name, value)| format!("-H '{name}: {value}'")).join(" "),
        body.replace('\'', "\\'"),
    );
    let http = format!(
        "GET {service}/items?page=2&q=%C3%A9\naccept: text/html\n\n###\nPOST {service}/items\n{lines}\n{body}\n"
    );
    let har = json!({ "log": { "entries": [
        { "request": { "method": "GET", "url": format!("{service}/items?page=2&q=%C3%A9"), "headers": [{ "name": "accept", "value": "text/html" }] },
          "response": { "status": 200 } },
        { "request": { "method": "POST", "url": format!("{service}/items"), "headers": headers.iter().map(named).collect::<Vec<_>>(),
          "postData": { "mimeType": "application/json", "text": body } }, "response": { "status": 201 } },
    ] } });
    let postman = json!({ "info": { "name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" }, "item": [
        { "name": "list", "request": { "method": "GET", "url": { "raw": format!("{service}/items?page=2&q=%C3%A9") }, "header": [{ "key": "accept", "value": "text/html" }] } },
        { "name": "add", "request": { "method": "POST", "url": format!("{service}/items"), "header": headers.iter().map(keyed).collect::<Vec<_>>(),
          "body": { "mode": "raw", "raw": body } } },
    ] });
    let artillery = json!({ "config": { "target": service, "phases": [{ "duration": 1, "arrivalRate": 20 }] }, "scenarios": [{ "flow": [
        { "get": { "url": "/items?page=2&q=%C3%A9", "headers": { "accept": "text/html" } } },
        { "post": { "url": "/items", "headers": headers.iter().map(|(name, value)| (*name, *value)).collect::<std::collections::BTreeMap<_, _>>(), "body": body } },
    ] }] });
    let openapi = json!({
        "openapi": "3.0.3", "servers": [{ "url": service }],
        "components": { "securitySchemes": { "bearerToken": { "type": "http", "scheme": "bearer" } } },
        "paths": { "/items": {
            "get": {
                "parameters": [{ "name": "page", "in": "query", "example": 2 }, { "name": "q", "in": "query", "example": "\u{e9}" }],
                "responses": { "200": { "description": "all", "content": { "text/html": {} } } },
            },
            "post": {
                "security": [{ "bearerToken": [] }],
                "parameters": [{ "name": "x-shop", "in": "header", "example": "a; b" }],
                "requestBody": { "content": { "application/json": { "example": serde_json::from_str::<Value>(body).expect("JSON") } } },
                "responses": {},
            },
        } },
    });
    [
        ("shop.sh", curl, false),
        ("shop.http", http, false),
        ("shop.har", har.to_string(), true),
        ("shop.json", postman.to_string(), false),
        ("shop.yml", artillery.to_string(), true),
        ("openapi.json", openapi.to_string(), false),
        ("shop.jmx", test_plan(service, &headers), true),
    ]
}

/// The two requests as JMeter has them: names and defaults apart, headers beside the request, the body as an argument without a name.
fn test_plan(service: &str, headers: &[(&str, &str)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let (host, port) = service
        .trim_start_matches("http://")
        .split_once(':')
        .unwrap_or_default();
    let text = |name: &str, text: &str| format!("<stringProp name=\"{name}\">{}</stringProp>", escaped(text));
    let argument = |name: &str, value: &str| {
        let of = text("Argument.name", name) + &text("Argument.value", value);
        format!(
            "<elementProp name=\"{name}\" elementType=\"HTTPArgument\"><boolProp name=\"HTTPArgument.always_encode\">true</boolProp>{of}</elementProp>"
        )
    };
    let request = |method: &str, is_raw: bool, arguments: &str, headers: &[(&str, &str)]| {
        let header = |(name, value): &(&str, &str)| {
            let of = text("Header.name", name) + &text("Header.value", value);
            format!("<elementProp name=\"\" elementType=\"Header\">{of}</elementProp>")
        };
        let headers: String = headers.iter().map(header).collect();
        let of = text("HTTPSampler.path", "/items") + &text("HTTPSampler.method", method);
        format!(
            "<HTTPSamplerProxy testname=\"{method}\"><boolProp name=\"HTTPSampler.postBodyRaw\">{is_raw}</boolProp>{of}\
             <elementProp name=\"HTTPsampler.Arguments\" elementType=\"Arguments\"><collectionProp name=\"Arguments.arguments\">{arguments}</collectionProp></elementProp></HTTPSamplerProxy>\
             <hashTree><HeaderManager testname=\"headers\"><collectionProp name=\"HeaderManager.headers\">{headers}</collectionProp></HeaderManager><hashTree/></hashTree>"
        )
    };
    let query = argument("page", "2") + &argument("q", "\u{e9}");
    let get = request("GET", false, &query, &[("accept", "text/html")]);
    let post = request("POST", true, &argument("", BODY_OF_JMETER), headers);
    let defaults = text("HTTPSampler.domain", host) + &text("HTTPSampler.port", port);
    format!(
        "<?xml version=\"1.0\"?><jmeterTestPlan version=\"1.2\"><hashTree><TestPlan testname=\"shop\"/><hashTree>\
         <ConfigTestElement testname=\"defaults\">{defaults}</ConfigTestElement><hashTree/>\
         <ThreadGroup testname=\"visitors\"><stringProp name=\"ThreadGroup.num_threads\">1</stringProp></ThreadGroup>\
         <hashTree>{get}{post}</hashTree></hashTree></hashTree></jmeterTestPlan>"
    )
}

#[test]
fn imported_plan_sends_what_the_file_says_in_its_order() {
    thread::scope(|scope| {
        for (name, ..) in files("") {
            scope.spawn(move || sends_what_the_file_says(name));
        }
    });
}

/// Lets one client after the other send what a file has, and looks at everything that comes.
fn sends_what_the_file_says(name: &str) {
    let bench = Bench::new();
    let port = free_port();
    let of_name = files(&format!("http://127.0.0.1:{port}")).into_iter();
    let (_, text, is_ordered) = of_name.into_iter().find(|(known, ..)| *known == name).expect("a file");
    bench.write(name, &text);
    bench
        .run(&["import", name, "--writes", "--output", "plan.yaml"])
        .expect(0, &["BEARER_TOKEN", "PASSWORD"]);
    let plan = bench.read("plan.yaml");
    assert!(!plan.contains("hunter2222") && !plan.contains("abcdefghijkl"), "{plan}");
    let (plan, _) = plan.split_once("\nload:").expect("a load");
    bench.write(
        "plan.yaml",
        &format!("{plan}\nload: {{ model: closed, connections: 1, duration: 500ms }}\n"),
    );
    let mut run = bench.command(&["run", "plan.yaml", "--objective", "errors = 0"]);
    run.args(["--", "node", &service("records.js")]).env("EACH", "1");
    Ran::of_command(run.env("BEARER_TOKEN", "abcdefghijkl").env("PASSWORD", "hunter2222")).expect(0, &[]);
    let received: Vec<Value> = bench
        .read("received")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let body = if name == "shop.jmx" { BODY_OF_JMETER } else { BODY };
    let get = [("accept", Some("text/html")), ("x-shop", None), ("authorization", None)];
    let post = [
        ("content-type", Some("application/json")),
        ("x-shop", Some("a; b")),
        ("authorization", Some("Bearer abcdefghijkl")),
    ];
    for request in &received {
        let (url, body, headers) = match request["method"].as_str() {
            Some("GET") => ("/items?page=2&q=%C3%A9", "", get),
            Some("POST") => ("/items", body, post),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!([&request["url"], &request["body"]], [url, body], "{name}");
        for (header, value) in headers {
            assert_eq!(request["headers"][header].as_str(), value, "{name}: {header}");
        }
    }
    let methods: Vec<&Value> = received.iter().map(|request| &request["method"]).collect();
    assert!(methods.contains(&&json!("POST")), "{name}: {methods:?}");
    if is_ordered {
        let expected = ["GET", "POST"].into_iter().cycle().take(methods.len());
        assert!(methods.iter().copied().eq(expected), "{name}: {methods:?}");
    }
}

/// What one visitor of the test plan asks for: one of three ways, of which the second one goes on by one of two.
const WAYS: [&[&str]; 4] = [&["/left"], &["/middle", "/even"], &["/middle", "/odd"], &["/right"]];

#[test]
fn imported_journey_sends_in_the_order_of_the_file() {
    let bench = Bench::new();
    let port = free_port();
    let file = include_str!("../../../../import/tests/files/choices.jmx");
    bench.write("choices.jmx", &file.replace("8080", &port.to_string()));
    bench
        .run(&["import", "choices.jmx", "--output", "plan.yaml"])
        .expect(0, &["By turns", "by chance"]);
    let mut run = bench.command(&["run", "plan.yaml", "-d", "1s", "--objective", "errors = 0"]);
    run.args(["--", "node", &service("records.js")]);
    Ran::of_command(run.env("EACH", "1")).expect(0, &[]);
    let received = bench.read("received");
    let urls: Vec<String> = received
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|request| request["url"].as_str().expect("a URL").to_owned())
        .collect();
    let users: Vec<&[String]> = urls.split_inclusive(|url| url == "/memorySample1").collect();
    // The last one may have been on the way.
    let ended = &users[..users.len() - 1];
    let mut taken = [[0; 2]; WAYS.len()];
    for user in ended {
        let on_one_side: &[&str] = if user.iter().any(|url| url == "/side") {
            &["/side"]
        } else {
            &[]
        };
        let way = WAYS.iter().position(|way| {
            let all = ["/begin"].iter().chain(*way).chain(&["/again", "/again", "/part"]);
            all.chain(on_one_side)
                .chain(&["/always", "/memorySample1"])
                .eq(user.iter())
        });
        taken[way.unwrap_or_else(|| panic!("{user:?}"))][on_one_side.len()] += 1;
    }
    assert!(
        ended.len() < 200 || taken.iter().flatten().all(|count| *count > 0),
        "{taken:?}"
    );
}
