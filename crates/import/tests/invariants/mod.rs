//! What must hold for any text that may be a file of another tool. The fuzz target and the tests of the corpus share it.

use plimsoll_import::{Format, Options, Source, import};
use plimsoll_plan::Plan;

/// `bytes`, read as each format, is either refused or becomes a plan that is read, and the same each time. Nothing panics, and no message drives a terminal.
pub(crate) fn a_file_becomes_a_valid_plan(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let formats = Format::names().map(|name| name.parse().ok());
    for format in formats.chain([None]) {
        let source = Source {
            name: "file",
            text,
            format,
            environment: None,
            writes: true,
            files: &|_| Some("a,b\n\"c\",${env.D}\n".to_owned()),
        };
        let options = Options {
            url: None,
            body_file: &str::to_owned,
        };
        let imported = match import(&source, &options) {
            Ok(imported) => imported,
            Err(error) => {
                assert!(!error.to_string().contains(is_unsafe), "{error:?}");
                continue;
            }
        };
        let no_files = |_: &std::path::Path, _| Ok(b"contents".to_vec());
        let plan = Plan::parse_with(&imported.plan, "plan.yaml", &no_files, &|_| Some("x".to_owned()));
        let plan = plan.unwrap_or_else(|error| panic!("{error}\nin\n{}", imported.plan));
        let scenario = plan.scenario();
        let requests = scenario.requests.len() + scenario.action_requests().len();
        assert_eq!(requests, imported.requests);
        assert!(!imported.plan.contains(is_unsafe), "{:?}", imported.plan);
        for left_out in &imported.left_out {
            assert!(!left_out.what.contains(is_unsafe), "{left_out:?}");
        }
        assert_eq!(import(&source, &options).expect("as before").plan, imported.plan);
    }
}

fn is_unsafe(c: char) -> bool {
    c.is_control() && c != '\n'
}
