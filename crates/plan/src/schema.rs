//! The languages of this crate, described for editors, and their keys.

use crate::plan::document::PlanDocument;
use crate::study::document::{PublishedDocument, StudyDocument};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The JSON Schema of the files that [`Plan::parse`](crate::Plan::parse) reads.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(PlanDocument);
    schema.insert("title".to_owned(), "plimsoll plan".into());
    schema.to_value()
}

/// The JSON Schemas of `study.yaml` and `published.json`.
#[must_use]
pub fn study_schemas() -> [serde_json::Value; 2] {
    [
        schemars::schema_for!(StudyDocument).to_value(),
        schemars::schema_for!(PublishedDocument).to_value(),
    ]
}

/// Names of headers that people write, beside the keys of the language.
const HEADERS: [&str; 5] = ["authorization", "cookie", "content-type", "accept", "x-api-key"];

/// Every key of a plan and of the files of a study: they may be seen in an excerpt, where values may not.
pub(crate) fn keys() -> &'static BTreeSet<String> {
    static KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let mut keys: BTreeSet<String> = HEADERS.map(str::to_owned).into();
        gather(&json_schema(), &mut keys);
        study_schemas().iter().for_each(|schema| gather(schema, &mut keys));
        keys
    });
    &KEYS
}

fn gather(schema: &serde_json::Value, keys: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(entries) => {
            for (name, value) in entries {
                if let ("properties", serde_json::Value::Object(properties)) = (name.as_str(), value) {
                    keys.extend(properties.keys().cloned());
                }
                gather(value, keys);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, keys)),
        _ => {}
    }
}
