//! One value of a JSON text, found without building the rest.

use plimsoll_plan::JsonStep;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Some services put it in front of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text at `steps`: of a string what is in it, of anything else how JSON writes it. `null` is no value. Where a step leads to every element, it is
/// the list of all values. Of several values with one name it is the last, as for JavaScript.
///
/// # Errors
/// Why there is none, in words that show nothing of the text.
pub(super) fn at(steps: &[JsonStep], text: &[u8]) -> Result<String, String> {
    // As browsers do.
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut json = serde_json::Deserializer::from_slice(text);
    let found = Walk(steps)
        .deserialize(&mut json)
        .and_then(|found| json.end().map(|()| found));
    match found {
        Ok(Some(Value::String(text))) => Ok(text),
        Ok(Some(Value::Null)) => Err("null".to_owned()),
        Ok(Some(other)) => Ok(other.to_string()),
        Ok(None) => Err("no such value in the JSON".to_owned()),
        Err(error) => Err(format!(
            "a body that is not JSON from line {}, column {} on",
            error.line(),
            error.column()
        )),
    }
}

/// Goes from a value along these steps.
struct Walk<'p>(&'p [JsonStep]);

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        match self.0 {
            [] => Value::deserialize(deserializer).map(Some),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Value>, A::Error> {
        let [JsonStep::Name(name), rest @ ..] = self.0 else {
            return ignored(IgnoredAny::deserialize(MapAccessDeserializer::new(map)));
        };
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(Is(name))? {
            match is_it {
                true => found = map.next_value_seed(Walk(rest))?,
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Option<Value>, A::Error> {
        let (wanted, rest) = match self.0 {
            [JsonStep::Element(wanted), rest @ ..] => (wanted, rest),
            [JsonStep::Every, rest @ ..] => return every(rest, items).map(Some),
            _ => return ignored(IgnoredAny::deserialize(SeqAccessDeserializer::new(items))),
        };
        for _ in 0..*wanted {
            if items.next_element::<IgnoredAny>()?.is_none() {
                return Ok(None);
            }
        }
        let found = items.next_element_seed(Walk(rest))?.flatten();
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }

    // Where a step leads into one of these, there is nothing.

    fn visit_bool<E: Error>(self, _: bool) -> Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<Value>, E> {
        Ok(None)
    }
}

/// What these steps lead to from each item, in one list. Nothing and `null` are no values.
fn every<'de, A: SeqAccess<'de>>(steps: &[JsonStep], mut items: A) -> Result<Value, A::Error> {
    let are_lists = steps.contains(&JsonStep::Every);
    let mut all = Vec::new();
    while let Some(found) = items.next_element_seed(Walk(steps))? {
        match found {
            Some(Value::Array(several)) if are_lists => all.extend(several),
            Some(Value::Null) | None => {}
            Some(value) => all.push(value),
        }
    }
    Ok(Value::Array(all))
}

fn ignored<E>(outcome: Result<IgnoredAny, E>) -> Result<Option<Value>, E> {
    outcome.map(|_| None)
}

/// Whether a key is this one.
struct Is<'p>(&'p str);

impl<'de> DeserializeSeed<'de> for Is<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Is<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(name: &str) -> JsonStep {
        JsonStep::Name(name.to_owned())
    }

    #[test]
    fn a_value_is_found_where_the_path_leads() {
        let text = br#" {"a":{"b":[1,{"c":"x\ny","d":1.50}]},"t":true,"n":null,"e":[],"z":7,"o":{"k":[1, 2]}} "#;
        let b = [name("a"), name("b")];
        let second = |last: &str| [&b[..], &[JsonStep::Element(1), name(last)]].concat();
        let check = |steps: &[JsonStep], expected: Result<&str, &str>| {
            let found = at(steps, text);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{steps:?}");
        };
        check(&second("c"), Ok("x\ny"));
        check(&second("d"), Ok("1.5"));
        check(&[name("t")], Ok("true"));
        check(&[name("o")], Ok(r#"{"k":[1,2]}"#));
        check(&[name("n")], Err("null"));
        let marked = [BYTE_ORDER_MARK, text].concat();
        assert_eq!(at(&[name("t")], &marked).as_deref(), Ok("true"));
        let twice = br#"{"a":{"b":1},"a":{"b":2,"b":3},"c":{"b":4},"c":5}"#;
        assert_eq!(at(&[name("a"), name("b")], twice).as_deref(), Ok("3"));
        assert_eq!(at(&[name("a")], twice).as_deref(), Ok(r#"{"b":3}"#));
        assert!(at(&[name("c"), name("b")], twice).is_err());
        for nothing in [
            vec![name("x")],
            vec![JsonStep::Element(0)],
            vec![name("e"), JsonStep::Element(0)],
            vec![name("t"), name("x")],
            second("x"),
        ] {
            check(&nothing, Err("no such value in the JSON"));
        }
    }

    #[test]
    fn a_path_to_every_element_has_a_list() {
        let text = br#"{"items":[{"id":1,"tags":["a","b"]},{"id":"x\"y"},{"id":null},7,{"tags":[]},{"id":{"k":2},"tags":["c"]}],"none":[],"one":3}"#;
        let check = |steps: &[JsonStep], expected: Result<&str, &str>| {
            let found = at(steps, text);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{steps:?}");
        };
        let every = |list: &str, rest: &[JsonStep]| [&[name(list), JsonStep::Every], rest].concat();
        check(&every("items", &[name("id")]), Ok(r#"[1,"x\"y",{"k":2}]"#));
        check(
            &every("items", &[name("tags"), JsonStep::Every]),
            Ok(r#"["a","b","c"]"#),
        );
        check(
            &every("items", &[name("tags"), JsonStep::Element(0)]),
            Ok(r#"["a","c"]"#),
        );
        check(&every("none", &[]), Ok("[]"));
        for nothing in ["one", "missing"] {
            check(&every(nothing, &[]), Err("no such value in the JSON"));
        }
    }

    #[test]
    fn what_is_not_json_has_no_value() {
        for text in ["", "{", "{\"a\":1", "{\"a\":1}}", "<html>", "{\"a\":secret}", "\u{0}"] {
            let found = at(&[name("a")], text.as_bytes()).expect_err(text);
            assert!(
                found.starts_with("a body that is not JSON") && !found.contains("secret"),
                "{found}"
            );
        }
        let deep = "[".repeat(100_000);
        assert!(at(&[JsonStep::Element(0)], deep.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn it_finds_what_a_whole_tree_has(text in r#"[\[\]{}:,"ab01 ]{0,24}"#, steps in proptest::collection::vec(prop_oneof![(0..2_u64).prop_map(JsonStep::Element), "[ab]".prop_map(JsonStep::Name)], 0..3)) {
            let tree = serde_json::from_str::<Value>(&text).ok();
            let expected = steps.iter().try_fold(tree.as_ref(), |value, step| Some(match (value?, step) {
                (Value::Object(map), JsonStep::Name(name)) => map.get(name),
                (Value::Array(items), JsonStep::Element(index)) => items.get(*index as usize),
                _ => None,
            })).flatten();
            let found = at(&steps, text.as_bytes());
            match expected {
                Some(Value::String(text)) => prop_assert_eq!(found, Ok(text.clone())),
                Some(value) if !value.is_null() => prop_assert_eq!(found, Ok(value.to_string())),
                Some(_) => prop_assert!(found.is_err()),
                None => prop_assert!(found.is_err()),
            }
        }
    }
}
