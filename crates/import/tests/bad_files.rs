//! Files that are cut off, deep, in circles, or made to grow without end while they are read: each is refused, or becomes a valid plan of a plan's size.

mod invariants;

use insta::assert_snapshot;
use plimsoll_import::{Format, Options, Source, import};
use std::fmt::Write as _;

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

/// What is said of each file.
#[derive(Default)]
struct Said(String);

impl Said {
    /// Reads a file of this format, and notes what is said of it.
    #[track_caller]
    fn check(&mut self, format: &str, text: &str) {
        self.check_with(format, text, &|_| None);
    }

    /// The same, with the files beside it.
    #[track_caller]
    fn check_with(&mut self, format: &str, text: &str, files: &dyn Fn(&str) -> Option<String>) {
        let name: Format = format.parse().expect("a format");
        let source = Source {
            name: "file",
            text,
            format: Some(name),
            environment: None,
            writes: true,
            files,
        };
        let options = Options {
            url: None,
            body_file: &str::to_owned,
        };
        let said = match import(&source, &options) {
            Ok(imported) => {
                let length = imported.plan.len();
                assert!(length <= PLAN_BYTES_MAX, "{format}: a plan of {length} bytes");
                let left_out = imported
                    .left_out
                    .iter()
                    .take(2)
                    .map(|left_out| format!("\n    {left_out}"));
                let others = imported.left_out.len().saturating_sub(2);
                let left_out: String = left_out.collect();
                format!("imported, {} requests{left_out} + {others}", imported.requests)
            }
            Err(error) => error.to_string().replace('\n', "\n    "),
        };
        let _ = writeln!(self.0, "{format}: {said}");
    }
}

/// Each name stands for ten times the one before it.
fn tenfold(line: impl Fn(usize, &str) -> String, name: impl Fn(usize) -> String) -> String {
    let lines = (1..30).map(|level| line(level, &name(level - 1).repeat(10)));
    lines.collect()
}

#[test]
fn values_that_grow_without_end_stay_small() {
    let mut said = Said::default();
    let at = tenfold(
        |level, ten| format!("@a{level} = {ten}\n"),
        |level| format!("{{{{a{level}}}}}"),
    );
    said.check(
        "http",
        &format!("@a0 = xxxxxxxxxx\n{at}GET http://localhost/{{{{a29}}}}\n"),
    );

    let variables = tenfold(
        |level, ten| format!(r#",{{"key":"a{level}","value":"{ten}"}}"#),
        |level| format!("{{{{a{level}}}}}"),
    );
    let item = r#"{"name":"r","request":{"method":"GET","url":"http://localhost/{{a29}}"}}"#;
    let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
    said.check(
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
    said.check(
        "jmx",
        &format!("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a0 \"xxxxxxxxxx\">{entities}]>{plan}"),
    );

    let anchors = tenfold(
        |level, ten| format!("a{level}: &a{level} [{}]\n", ten.trim_end_matches(',')),
        |level| format!("*a{level},"),
    );
    let anchors = format!("a0: &a0 xxxxxxxxxx\n{anchors}");
    said.check(
        "artillery",
        &format!(
            "{anchors}config: {{ target: http://localhost }}\nscenarios: [{{ flow: [{{ post: {{ url: /, json: *a29 }} }}] }}]\n"
        ),
    );
    let body = "{ content: { application/json: { example: *a29 } } }";
    said.check(
        "openapi",
        &format!("{anchors}openapi: 3.0.0\npaths: {{ /a: {{ post: {{ requestBody: {body}, responses: {{}} }} }} }}\n"),
    );
    assert_snapshot!(said.0);
}

#[test]
fn references_that_lead_in_circles_end() {
    let mut said = Said::default();
    said.check("http", "@a = {{b}}\n@b = {{a}}\nGET http://localhost/{{a}}\n");
    let schemas = "components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { type: object, required: [a], properties: { a: { $ref: '#/components/schemas/A' } } } } }";
    let body = "{ content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }";
    said.check(
        "openapi",
        &format!(
            "openapi: 3.0.0\npaths: {{ /a: {{ post: {{ requestBody: {body}, responses: {{}} }} }} }}\n{schemas}\n"
        ),
    );
    said.check(
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
    said.check(
        "jmx",
        &format!(
            "<jmeterTestPlan><hashTree><ThreadGroup testname=\"t\"/><hashTree>{levels}</hashTree></hashTree></jmeterTestPlan>"
        ),
    );
    assert_snapshot!(said.0);
}

#[test]
fn files_that_are_deep_are_refused_or_become_valid_plans() {
    let mut said = Said::default();
    const DEEP: usize = 100_000;
    let lists = |open: &str, close: &str| format!("{}{}", open.repeat(DEEP), close.repeat(DEEP));
    for format in ["har", "postman", "openapi", "artillery"] {
        said.check(format, &lists("[", "]"));
        said.check(format, &lists("{\"item\":[", "]}"));
    }
    said.check("jmx", &lists("<hashTree>", "</hashTree>"));
    said.check("curl", &format!("curl http://localhost/ -d '{}'", lists("[", "]")));
    said.check("http", &format!("POST http://localhost/\n\n{}\n", lists("{{", "}}")));
    assert_snapshot!(said.0);
}

/// Far more than a plan has.
#[test]
fn files_with_too_many_requests_become_plans_of_a_plan_s_size() {
    let mut said = Said::default();
    const MANY: usize = 100_000;
    said.check("curl", &"curl http://localhost/a\n".repeat(MANY));
    said.check("http", &"GET http://localhost/a\n###\n".repeat(MANY));
    let many = |one: &str| vec![one; MANY].join(",");
    let request = r#"{"request":{"method":"GET","url":"http://localhost/a"}}"#;
    said.check("har", &format!(r#"{{"log":{{"entries":[{}]}}}}"#, many(request)));
    let info = r#""info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}"#;
    said.check("postman", &format!(r#"{{{info},"item":[{}]}}"#, many(request)));
    let flow = many(r#"{"get":{"url":"/a"}}"#);
    said.check(
        "artillery",
        &format!(r#"{{"config":{{"target":"http://localhost"}},"scenarios":[{{"flow":[{flow}]}}]}}"#),
    );
    let paths: Vec<String> = (0..MANY)
        .map(|n| format!(r#""/a{n}":{{"get":{{"responses":{{}}}}}}"#))
        .collect();
    said.check(
        "openapi",
        &format!(r#"{{"openapi":"3.0.0","paths":{{{}}}}}"#, paths.join(",")),
    );
    let sampler = "<HTTPSamplerProxy testname=\"r\"><stringProp name=\"HTTPSampler.path\">http://localhost/a</stringProp></HTTPSamplerProxy><hashTree/>";
    let group = format!(
        "<ThreadGroup testname=\"t\"/><hashTree>{}</hashTree>",
        sampler.repeat(MANY)
    );
    said.check(
        "jmx",
        &format!("<jmeterTestPlan><hashTree>{group}</hashTree></jmeterTestPlan>"),
    );
    assert_snapshot!(said.0);
}

/// The well-formed files of the tests, by format.
const FILES: [(&str, &str); 7] = [
    ("curl", include_str!("files/script.curl")),
    ("http", include_str!("files/requests.http")),
    ("har", include_str!("files/shop.har")),
    ("postman", include_str!("files/shop.postman")),
    ("openapi", include_str!("files/shop.openapi")),
    ("artillery", include_str!("files/shop.artillery")),
    ("jmx", include_str!("files/shop.jmx")),
];

#[test]
fn files_that_are_not_of_their_format_are_refused() {
    let mut said = Said::default();
    for (format, text) in FILES {
        said.check(format, "");
        let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at));
        said.check(format, &text[..half.expect("a boundary")]);
        // As an editor shows a file in UTF-16.
        let spread: String = text.chars().flat_map(|c| [c, '\0']).collect();
        said.check(format, &spread);
        said.check(format, &format!("\u{fffd}\u{fffd}{text}"));
        for (other, text) in FILES.iter().filter(|(other, _)| *other != format) {
            said.0.push_str(&format!("{other} as "));
            said.check(format, text);
        }
    }
    assert_snapshot!(said.0);
}

/// A file of each format that has tables, with a row that is too short, without the column that it asks for, with bytes of another encoding, and with a
/// million rows.
#[test]
fn tables_that_are_not_as_they_should_be_are_said_so() {
    let artillery = r#"{"config":{"target":"http://localhost","payload":{"path":"users.csv","fields":["user","password","colour"]},"phases":[]},
        "scenarios":[{"flow":[{"get":{"url":"/{{ user }}/{{ colour }}"}}]}]}"#;
    let jmx = "<jmeterTestPlan><hashTree><CSVDataSet testname=\"users\"><stringProp name=\"filename\">users.csv</stringProp>\
        <stringProp name=\"variableNames\">user,password,colour</stringProp></CSVDataSet><hashTree/><ThreadGroup testname=\"t\"/>\
        <hashTree><HTTPSamplerProxy testname=\"r\"><stringProp name=\"HTTPSampler.path\">http://localhost/${user}/${colour}</stringProp></HTTPSamplerProxy>\
        <hashTree/></hashTree></hashTree></jmeterTestPlan>";
    let mut said = Said::default();
    let million: String = (0..1_000_000).map(|row| format!("u{row},p{row},c{row}\n")).collect();
    for (format, text) in [("artillery", artillery), ("jmx", jmx)] {
        for table in [
            "",
            "ann,secret\nbob,secret\n",
            "ann\n",
            "a,b,c\n\"d,e",
            "\u{fffd}\u{fffd}a\0,\0b\0\n",
            &million,
        ] {
            said.check_with(format, text, &|_| Some(table.to_owned()));
        }
        said.check(format, text);
    }
    assert_snapshot!(said.0);
}
