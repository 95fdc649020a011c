//! What `docs/reference/plan.md` shows is what happens.

use plimsoll_plan::Plan;

const MANUAL: &str = include_str!("../../../docs/reference/plan.md");

/// The fenced blocks of `language`.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let blocks = MANUAL.split(&fence).skip(1);
    blocks
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect()
}

#[test]
fn every_example_is_a_plan() {
    let examples = blocks("yaml");
    assert!(examples.len() > 4, "{} examples", examples.len());
    for example in examples {
        let target = if example.contains("target:") {
            ""
        } else {
            "target: http://127.0.0.1:3000\n"
        };
        if let Err(error) = Plan::parse(&format!("{target}{example}"), "plan.yaml") {
            panic!("{example}\n{error}");
        }
    }
}

#[test]
fn the_message_is_what_is_said() {
    let plan = "target: http://127.0.0.1:3000\n\nload: { rate: 100/s, duration: 5 }\n";
    let error = Plan::parse(plan, "plan.yaml").unwrap_err();
    assert_eq!(format!("{error}\n"), blocks("text")[0]);
}

/// Every key of the schema is in the manual.
#[test]
fn every_key_is_described() {
    let schema = plimsoll_plan::json_schema();
    let mut keys: Vec<&String> = Vec::new();
    let definitions = schema["$defs"].as_object().unwrap().values();
    for object in definitions.chain([&schema]) {
        keys.extend(
            object["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, _)| key),
        );
    }
    assert!(keys.len() > 50, "{} keys", keys.len());
    for key in keys {
        let named = MANUAL.contains(&format!("`{key}`"))
            || MANUAL.contains(&format!(".{key}`"))
            || MANUAL.contains(&format!("{key}:"));
        assert!(named, "docs/reference/plan.md does not say what `{key}` is");
    }
}
