//! Any request of a recording, and what the plan sends for it: the same method, path, headers and body.

use plimsoll_import::{Format, Options, Source, import};
use plimsoll_plan::{Piece, Plan, Template};
use proptest::prelude::*;
use serde_json::json;

/// Text with values that no environment has.
fn text(template: &Template) -> String {
    let bytes = template.reveal().flat_map(|piece| match piece {
        Piece::Literal(bytes) => bytes.to_vec(),
        Piece::Variable(_) => b"?".to_vec(),
    });
    String::from_utf8(bytes.collect()).expect("text")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn request_of_a_recording_is_sent_as_it_is(
        method in prop_oneof![Just("GET"), Just("POST"), Just("PURGE")],
        path in "/[a-z0-9/._~!$&'()*+,;=:@%{}|-]{0,20}(\\?[a-m0-9=&+%/?:@{}$]{0,20})?",
        header in "[ -~\u{e4}\u{20ac}]{0,30}",
        body in prop_oneof![any::<String>(), "[ -~\n]{0,60}", "\\{\"[a-m]\":[0-9]{1,5}(,\"[n-o]\":\"[ -!#-\\[\\]-~]{0,9}\")?\\}"],
    ) {
        let recorded = json!({ "log": { "entries": [{ "request": {
            "method": method, "url": format!("http://127.0.0.1:1{path}"), "headers": [{ "name": "x-any", "value": header }], "postData": { "text": body },
        } }] } });
        let source = Source { name: "a.har", text: &recorded.to_string(), format: Some(Format::Har), environment: None, writes: false, files: &|_| None };
        let imported = import(&source, &Options { url: None, body_file: &str::to_owned }).expect("a plan");
        prop_assume!(imported.needed.is_empty());
        let plan = Plan::parse_with(&imported.plan, "plan.yaml", &|_, _| unreachable!(), &|_| None).expect("a valid plan");
        let request = &plan.scenario().action_requests()[0].request;
        prop_assert_eq!(request.method.as_str(), method);
        prop_assert_eq!(text(&request.path), path);
        prop_assert_eq!(text(&request.body), body);
        let found = request.headers.iter().find(|(name, _)| name == "x-any").map(|(_, value)| text(value));
        prop_assert_eq!(found, Some(header));
    }
}
