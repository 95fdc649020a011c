//! What must hold for any text that may be a plan. The fuzz target and the tests of the corpus share it.

use plimsoll_plan::Plan;

/// `bytes` is either refused, at a place that exists, or read as a plan that reads back from what is printed of it.
/// No file is opened.
pub(crate) fn a_plan_reads_back(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let no_files = |_: &std::path::Path, _| Ok(b"contents\nof it\n".to_vec());
    match Plan::parse_with(text, "/plans/fuzz.yaml", &no_files, &|name| Some(name.to_owned())) {
        Ok(plan) => {
            let read = |json: String| match Plan::parse_saved(&json, "plan.json") {
                Ok(again) => again,
                Err(error) => panic!("{error}\nin\n{json}"),
            };
            let again = read(plan.to_json());
            assert_eq!(again, plan);
            assert_eq!(again.draft().validate().as_ref(), Ok(&again));
            let redacted = plan.to_json_redacted();
            assert_eq!(read(redacted.clone()).to_json_redacted(), redacted);
        }
        Err(error) => {
            let lines = text.split(['\n', '\r']).count();
            assert!(error.line().is_none_or(|line| (1..=lines).contains(&line)), "{error}");
            // A table has a line of its own.
            assert!(
                error.line().is_none() || error.to_string().starts_with("/plans/fuzz.yaml:"),
                "{error}"
            );
        }
    }
}

/// `bytes` as a table in each of the formats: refused in a line that it has, or read as rows of text.
pub(crate) fn a_table_is_read_or_refused(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    for (file, more) in [
        ("t.csv", ""),
        ("t.csv", ", columns: [a, b], separator: ';'"),
        ("t.jsonl", ""),
    ] {
        let text = format!(
            "target: http://h/\nscenario: {{ variables: {{ t: {{ file: {file}{more} }} }}, requests: [{{}}] }}\n"
        );
        match Plan::parse_with(&text, "plan.yaml", &|_, _| Ok(bytes.to_vec()), &|_| None) {
            Ok(plan) => {
                for variable in &plan.scenario().variables {
                    for row in 0..variable.values.count() {
                        let mut value = Vec::new();
                        variable.values.append(row, &mut value);
                        assert!(std::str::from_utf8(&value).is_ok(), "{}: row {row}", variable.name);
                    }
                }
            }
            Err(error) => {
                let said = error.to_string();
                let line = said
                    .strip_prefix(&format!("{file}:"))
                    .and_then(|rest| rest.split(':').next()?.parse().ok());
                // Columns that cannot be told apart are an error of the plan.
                assert!(line.is_none_or(|line: usize| (1..=lines).contains(&line)), "{said}");
                assert!(line.is_some() || said.starts_with("plan.yaml:"), "{said}");
            }
        }
    }
}
