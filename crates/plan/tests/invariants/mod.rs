//! What must hold for any text that may be a plan. The fuzz target and the tests of the corpus share it.

use plimsoll_plan::Plan;

/// `bytes` is either refused, at a place that exists, or read as a plan that reads back from what is printed of it.
/// No file is opened.
pub(crate) fn a_plan_reads_back(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let no_files = |_: &std::path::Path, _| Ok(b"contents".to_vec());
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
            assert!(error.to_string().starts_with("/plans/fuzz.yaml:"), "{error}");
        }
    }
}
