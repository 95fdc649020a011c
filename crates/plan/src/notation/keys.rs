//! Keys of a language, which may be seen in an excerpt, where values may not.

use std::collections::BTreeSet;

/// Names of headers that people write, beside the keys of a language.
const HEADERS: [&str; 5] = ["authorization", "cookie", "content-type", "accept", "x-api-key"];

/// Every key that these JSON Schemas have, and the headers that people write.
#[must_use]
pub fn keys_of(schemas: &[serde_json::Value]) -> BTreeSet<String> {
    let mut keys: BTreeSet<String> = HEADERS.map(str::to_owned).into();
    schemas.iter().for_each(|schema| gather(schema, &mut keys));
    keys
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
