//! How parameters of OpenAPI are written in a query, by their style.

use crate::read::json::{entries, scalar};
use serde_json::Value;

/// Names and values in the query of a parameter of this value; `texts` are the values of a list, or the only one.
pub(super) fn in_query(parameter: &Value, name: &str, value: &Value, texts: Vec<String>) -> Vec<(String, String)> {
    let style = parameter["style"].as_str().unwrap_or("form");
    // A form has each value for itself, unless it says otherwise; the others have them together.
    let explodes = parameter["explode"].as_bool().unwrap_or(style == "form");
    let of_object = |value: &Value| scalar(value).unwrap_or_else(|| value.to_string());
    let is_json = parameter["content"].is_object();
    match value {
        Value::Object(_) if is_json => vec![(name.to_owned(), value.to_string())],
        Value::Object(_) if style == "deepObject" => entries(value)
            .map(|(key, value)| (format!("{name}[{key}]"), of_object(value)))
            .collect(),
        Value::Object(_) if explodes => entries(value)
            .map(|(key, value)| (key.to_owned(), of_object(value)))
            .collect(),
        Value::Object(_) => {
            let pairs = entries(value).map(|(key, value)| format!("{key},{}", of_object(value)));
            vec![(name.to_owned(), pairs.collect::<Vec<_>>().join(","))]
        }
        Value::Array(_) if is_json => vec![(name.to_owned(), value.to_string())],
        Value::Array(_) if !explodes => {
            let by = match style {
                "spaceDelimited" => " ",
                "pipeDelimited" => "|",
                _ => ",",
            };
            vec![(name.to_owned(), texts.join(by))]
        }
        _ => texts.into_iter().map(|text| (name.to_owned(), text)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_by_their_style() {
        let list = json!(["sea", "quiet"]);
        let object = json!({ "beds": 2, "view": "sea" });
        for (parameter, value, expected) in [
            (json!({}), &list, "p=sea p=quiet"),
            (json!({ "explode": false }), &list, "p=sea,quiet"),
            (json!({ "style": "pipeDelimited" }), &list, "p=sea|quiet"),
            (
                json!({ "style": "pipeDelimited", "explode": true }),
                &list,
                "p=sea p=quiet",
            ),
            (json!({}), &object, "beds=2 view=sea"),
            (json!({ "explode": false }), &object, "p=beds,2,view,sea"),
            (
                json!({ "style": "deepObject", "explode": true }),
                &object,
                "p[beds]=2 p[view]=sea",
            ),
            (
                json!({ "content": { "application/json": {} } }),
                &object,
                r#"p={"beds":2,"view":"sea"}"#,
            ),
            (json!({}), &json!(7), "p=7"),
        ] {
            let texts = match value {
                Value::Array(items) => items.iter().filter_map(scalar).collect(),
                value => scalar(value).into_iter().collect(),
            };
            let written = in_query(&parameter, "p", value, texts);
            let written: Vec<String> = written.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(written.join(" "), expected, "{parameter}");
        }
    }
}
