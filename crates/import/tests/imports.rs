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

/// Without any file beside it.
fn imported_text(name: &str, text: &str) -> Imported {
    let source = Source {
        name,
        text,
        format: None,
        environment: None,
        writes: false,
        files: &|_| None,
    };
    let options = Options {
        url: None,
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
        "winter-sale-2024",
        "summer-sale",
        "opensesame",
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
fn curl_of_a_script_that_logs_in() {
    assert_snapshot!(shown(&imported("login.curl", None, None)));
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
fn keys_tokens_and_bodies_of_postman() {
    assert_snapshot!(shown(&imported("sent.postman", None, None)));
}

#[test]
fn har_with_cookies_of_the_page_and_a_form() {
    assert_snapshot!(shown(&imported("session.har", None, None)));
}

#[test]
fn arguments_of_jmeter_and_of_its_defaults() {
    assert_snapshot!(shown(&imported("sent.jmx", None, None)));
}

#[test]
fn openapi_in_yaml_that_looks_like_truth_values() {
    assert_snapshot!(shown(&imported("texts.openapi", None, None)));
}

#[test]
fn openapi_whose_paths_have_parameters_that_it_does_not_describe() {
    assert_snapshot!(shown(&imported("paths.openapi", None, None)));
}

#[test]
fn lists_in_queries_and_forms_of_artillery() {
    assert_snapshot!(shown(&imported("lists.artillery", None, None)));
}

#[test]
fn http_file_whose_hosts_have_no_scheme() {
    assert_snapshot!(shown(&imported("bare.http", None, None)));
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
fn values_that_http_files_make() {
    assert_snapshot!(shown(&imported("made.http", None, None)));
}

#[test]
fn values_that_artillery_makes_before_and_after() {
    assert_snapshot!(shown(&imported("made.artillery", None, None)));
}

#[test]
fn one_of_several_that_jmeter_takes() {
    assert_snapshot!(shown(&imported("choices.jmx", None, None)));
}

#[test]
fn turns_assertions_and_extractors_of_jmeter() {
    assert_snapshot!(shown(&imported("turns.jmx", None, None)));
}

#[test]
fn what_is_known_of_jmeter_from_the_file() {
    assert_snapshot!(shown(&imported("known.jmx", None, None)));
}

#[test]
fn parts_of_what_artillery_captures() {
    assert_snapshot!(shown(&imported("members.artillery", None, None)));
}

#[test]
fn scripts_of_postman_and_of_its_directories() {
    assert_snapshot!(shown(&imported("scripts.postman", None, None)));
}

#[test]
fn har_of_a_page_that_is_an_application() {
    assert_snapshot!(shown(&imported("visit.har", None, None)));
}

#[test]
fn conditions_of_jmeter() {
    assert_snapshot!(shown(&imported("conditions.jmx", None, None)));
}

#[test]
fn conditions_of_artillery() {
    assert_snapshot!(shown(&imported("conditions.artillery", None, None)));
}

#[test]
fn credentials_parameters_and_switches_of_jmeter() {
    assert_snapshot!(shown(&imported("parts.jmx", None, None)));
}

#[test]
fn what_jmeter_does_once() {
    assert_snapshot!(shown(&imported("once.jmx", None, None)));
}

#[test]
fn rounds_of_jmeter() {
    assert_snapshot!(shown(&imported("rounds.jmx", None, None)));
}

#[test]
fn loops_of_artillery() {
    assert_snapshot!(shown(&imported("loops.artillery", None, None)));
}

#[test]
fn values_that_jmeter_makes_set_up_and_torn_down() {
    assert_snapshot!(shown(&imported("made.jmx", None, None)));
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

/// A parameter in a path that no operation describes takes values as the others do.
#[test]
fn first_plan_asks_for_parameters_that_a_document_does_not_describe() {
    let proposed = |values: &[(String, Vec<String>)]| {
        let document = "{ openapi: 3.0.0, paths: { '/items/{id}': { get: {} } } }";
        let proposal = Proposal {
            name: "shop",
            url: "http://127.0.0.1:3000/",
            command: &[],
            paths: Paths::Document(&format!("# A document\n{document}")),
            writes: false,
            values,
            tries: &|_| Ok(()),
        };
        propose(&proposal).expect("a plan")
    };
    let without = proposed(&[]);
    assert!(without.plan.contains("# - path: /items/${id}\n"), "{}", without.plan);
    let with = proposed(&[("id".to_owned(), vec!["7".to_owned()])]);
    assert!(with.plan.contains("    - path: /items/${id}\n"), "{}", with.plan);
    assert_eq!((without.needed.len(), with.needed.len()), (0, 0));
}

/// The load of a test plan of JMeter with these thread groups, and what is not carried over.
fn load_of_groups(groups: &[(&str, &str)]) -> String {
    let sampler = r#"<HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="a"><stringProp name="HTTPSampler.path">/a</stringProp>
        <stringProp name="HTTPSampler.domain">localhost</stringProp></HTTPSamplerProxy><hashTree/>"#;
    let groups: String = groups
        .iter()
        .map(|(class, properties)| {
            let properties: String = properties
                .split(", ")
                .filter_map(|property| property.split_once('='))
                .map(|(name, value)| format!(r#"<stringProp name="{name}">{value}</stringProp>"#))
                .collect();
            format!(r#"<{class} testname="g">{properties}</{class}><hashTree>{sampler}</hashTree>"#)
        })
        .collect();
    let text = format!(
        r#"<jmeterTestPlan version="1.2"><hashTree><TestPlan testname="t"/><hashTree>{groups}</hashTree></hashTree></jmeterTestPlan>"#
    );
    let imported = imported_text("groups.jmx", &text);
    let mut text = String::from("load:");
    text.push_str(imported.plan.split("\nload:").nth(1).expect("a load"));
    for left_out in &imported.left_out {
        let _ = writeln!(text, "! {left_out}");
    }
    text
}

#[test]
fn thread_groups_become_stages_of_users() {
    const STEPPING: &str = "kg.apc.jmeter.threads.SteppingThreadGroup";
    const CONCURRENCY: &str = "com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup";
    let stepping = "ThreadGroup.num_threads=10, Threads initial delay=0, Start users count=4, Start users count burst=2, \
                    Start users period=30, rampUp=5, flighttime=60, Stop users count=5, Stop users period=1";
    let concurrency = "TargetLevel=6, RampUp=9, Steps=3, Hold=20, Unit=S";
    let delayed = "ThreadGroup.num_threads=3, ThreadGroup.ramp_time=2, ThreadGroup.scheduler=true, ThreadGroup.duration=10, \
                   ThreadGroup.delay=5";
    let plain =
        "ThreadGroup.num_threads=3, ThreadGroup.ramp_time=2, ThreadGroup.scheduler=true, ThreadGroup.duration=10";
    let counted = "ThreadGroup.num_threads=3, ThreadGroup.ramp_time=2";
    let of: [&[(&str, &str)]; 5] = [
        &[(STEPPING, stepping)],
        &[(CONCURRENCY, concurrency)],
        &[("ThreadGroup", delayed), ("ThreadGroup", plain)],
        &[("ThreadGroup", plain)],
        &[(STEPPING, stepping), ("ThreadGroup", counted)],
    ];
    let all: Vec<String> = of.map(load_of_groups).into();
    assert_snapshot!(all.join("\n"));
}

/// A plan calls requests without names by what it shows of them, and it shows nothing of the environment.
#[test]
fn requests_that_differ_in_the_environment_alone_are_named() {
    let text = "GET http://localhost/{{first}}\n\n###\nGET http://localhost/{{second}}\n";
    let imported = imported_text("a.http", text);
    assert_eq!(imported.requests, 2, "{}", imported.plan);
}

/// In a path as in a header: what the file has is sent until the response has come.
#[test]
fn what_a_response_gives_replaces_what_the_file_has() {
    for (name, text) in [
        (
            "kept.postman",
            r#"{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
                "variable":[{"key":"base","value":"http://localhost:3000"},{"key":"id","value":"7"}],
                "item":[{"request":{"method":"POST","url":"{{base}}/items/{{id}}"},
                         "event":[{"listen":"test","script":{"exec":["pm.collectionVariables.set('id', pm.response.json().id)"]}}]},
                        {"request":{"method":"GET","url":"{{base}}/items/{{id}}","header":[{"key":"X-Id","value":"{{id}}"}]}}]}"#,
        ),
        (
            "kept.artillery",
            "config: { target: 'http://localhost:3000', variables: { id: '7' }, phases: [{ duration: 1, arrivalRate: 1 }] }\n\
             scenarios: [{ flow: [{ post: { url: '/items/{{ id }}', capture: { json: '$.id', as: id } } }, \
             { get: { url: '/items/{{ id }}', headers: { X-Id: '{{ id }}' } } }] }]\n",
        ),
    ] {
        let plan = imported_text(name, text).plan;
        let places = ["path: /items/7", "path: /items/${id}", "X-Id: \"${id}\""].map(|part| plan.find(part));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{plan}");
    }
}
