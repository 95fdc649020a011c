//! Files that are cut off, deep, in circles, or made to grow without end while they are read: each is refused, or becomes a valid plan of a plan's size.

mod invariants;

use plimsoll_import::{Format, Options, Source, import};

/// The most that a plan has.
const PLAN_BYTES_MAX: usize = 1 << 20;

#[test]
#[expect(clippy::disallowed_methods, reason = "these files are the tests' own")]
fn files_that_are_cut_off_are_refused_or_become_valid_plans() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/");
    for entry in std::fs::read_dir(directory).expect("the files").flatten() {
        let whole = std::fs::read(entry.path()).expect("a file");
        let cuts = (0..whole.len()).step_by(whole.len() / 12 + 1);
        cuts.for_each(|cut| invariants::a_file_becomes_a_valid_plan(&whole[..cut]));
    }
}

#[track_caller]
fn check(format: &str, text: &str) {
    let name: Format = format.parse().expect("a format");
    let source = Source {
        name: "file",
        text,
        format: Some(name),
        environment: None,
        writes: true,
        files: &|_| None,
    };
    let options = Options {
        url: None,
        body_file: &str::to_owned,
    };
    if let Ok(imported) = import(&source, &options) {
        let length = imported.plan.len();
        assert!(length <= PLAN_BYTES_MAX, "{format}: a plan of {length} bytes");
    }
}

/// Each name stands for ten times the one before it.
fn tenfold(line: impl Fn(usize, &str) -> String, name: impl Fn(usize) -> String) -> String {
    let lines = (1..30).map(|level| line(level, &name(level - 1).repeat(10)));
    lines.collect()
}

#[test]
fn values_that_grow_without_end_stay_small() {
    let at = tenfold(
        |level, ten| format!("@a{level} = {ten}\n"),
        |level| format!("{{{{a{level}}}}}"),
    );
    check(
        "http",
        &format!("@a0 = xxxxxxxxxx\n{at}GET http://localhost/{{{{a29}}}}\n"),
    );

    let variables = tenfold(
        |level, ten| format!(r#",{{"key":"a{level}","value":"{ten}"}}"#),
        |level| format!("{{{{a{level}}}}}"),
    );
    let item = r#"{"name":"r","request":{"method":"GET","url":"http://localhost/{{a29}}"}}"#;
    let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
    check(
        "postman",
        &format!(
            r#"{{"info":{{"name":"c","schema":"{schema}"}},"item":[{item}],"variable":[{{"key":"a0","value":"xxxxxxxxxx"}}{variables}]}}"#
        ),
    );

    let entities = tenfold(
        |level, ten| format!("<!ENTITY a{level} \"{ten}\">"),
        |level| format!("&a{level};"),
    );
    let plan = "<jmeterTestPlan><hashTree><TestPlan testname=\"&a29;\"/><hashTree/></hashTree></jmeterTestPlan>";
    check(
        "jmx",
        &format!("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a0 \"xxxxxxxxxx\">{entities}]>{plan}"),
    );

    let anchors = tenfold(
        |level, ten| format!("a{level}: &a{level} [{}]\n", ten.trim_end_matches(',')),
        |level| format!("*a{level},"),
    );
    let anchors = format!("a0: &a0 xxxxxxxxxx\n{anchors}");
    check(
        "artillery",
        &format!(
            "{anchors}config: {{ target: http://localhost }}\nscenarios: [{{ flow: [{{ post: {{ url: /, json: *a29 }} }}] }}]\n"
        ),
    );
    let body = "{ content: { application/json: { example: *a29 } } }";
    check(
        "openapi",
        &format!("{anchors}openapi: 3.0.0\npaths: {{ /a: {{ post: {{ requestBody: {body}, responses: {{}} }} }} }}\n"),
    );
}

#[test]
fn references_that_lead_in_circles_end() {
    check("http", "@a = {{b}}\n@b = {{a}}\nGET http://localhost/{{a}}\n");
    let schemas = "components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { type: object, required: [a], properties: { a: { $ref: '#/components/schemas/A' } } } } }";
    let body = "{ content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }";
    check(
        "openapi",
        &format!(
            "openapi: 3.0.0\npaths: {{ /a: {{ post: {{ requestBody: {body}, responses: {{}} }} }} }}\n{schemas}\n"
        ),
    );
    check(
        "openapi",
        "openapi: 3.0.0\npaths: { /a: { $ref: '#/paths/~1b' }, /b: { $ref: '#/paths/~1a' } }\n",
    );
    // Each level names the next one ten times, and the last one the first.
    let module = |level: usize| {
        let path = format!("<stringProp name=\"0\">M{level}</stringProp>");
        format!(
            "<ModuleController testname=\"m\"><collectionProp name=\"ModuleController.node_path\">{path}</collectionProp></ModuleController><hashTree/>"
        )
    };
    let request = "<HTTPSamplerProxy testname=\"r\"><stringProp name=\"HTTPSampler.path\">/</stringProp></HTTPSamplerProxy><hashTree/>";
    let levels: String = (0..8)
        .map(|level| {
            let inner = module((level + 1) % 8).repeat(10);
            format!("<GenericController testname=\"M{level}\"/><hashTree>{request}{inner}</hashTree>")
        })
        .collect();
    check(
        "jmx",
        &format!(
            "<jmeterTestPlan><hashTree><ThreadGroup testname=\"t\"/><hashTree>{levels}</hashTree></hashTree></jmeterTestPlan>"
        ),
    );
}

#[test]
fn files_that_are_deep_are_refused_or_become_valid_plans() {
    const DEEP: usize = 100_000;
    let lists = |open: &str, close: &str| format!("{}{}", open.repeat(DEEP), close.repeat(DEEP));
    for format in ["har", "postman", "openapi", "artillery"] {
        check(format, &lists("[", "]"));
        check(format, &lists("{\"item\":[", "]}"));
    }
    check("jmx", &lists("<hashTree>", "</hashTree>"));
    check("curl", &format!("curl http://localhost/ -d '{}'", lists("[", "]")));
    check("http", &format!("POST http://localhost/\n\n{}\n", lists("{{", "}}")));
}

/// Far more than a plan has.
#[test]
fn files_with_too_many_requests_become_plans_of_a_plan_s_size() {
    const MANY: usize = 100_000;
    check("curl", &"curl http://localhost/a\n".repeat(MANY));
    check("http", &"GET http://localhost/a\n###\n".repeat(MANY));
}
