//! Puts what V8 sampled where someone wrote it, by source maps that only the process has: code that a loader compiles is in no file.
//! The probe does the same in a service that is started with it: probe/src/profile.js.

use crate::heapprofile;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Right of all code: the last thing of a line.
const LAST_COLUMN: u32 = 1_000_000;

/// A place in a script, by its path or URL; line and column from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Place {
    name: String,
    line: u32,
    column: u32,
}

/// Where it comes from; line and column from 1.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Origin {
    file: String,
    line: u32,
    column: u32,
}

/// A profile of CPU time or of memory with its functions in their source files, as `ask` says of all places at once; `None` where nothing
/// is known of any.
pub(super) fn restored(profile: &str, ask: impl FnOnce(&[Place]) -> Option<Vec<Option<Origin>>>) -> Option<String> {
    let mut profile = read(profile)?;
    let mut places: Vec<Place> = Vec::new();
    for_each_function(&mut profile, |function| places.extend(function.places()));
    places.sort_unstable_by(|a, b| (&a.name, a.line, a.column).cmp(&(&b.name, b.line, b.column)));
    places.dedup();
    let origins = ask(&places)?;
    let known: HashMap<&Place, Origin> = places
        .iter()
        .zip(origins)
        .filter_map(|(place, origin)| Some((place, origin?)))
        .collect();
    if known.is_empty() {
        return None;
    }
    for_each_function(&mut profile, |mut function| function.restore(&known));
    Some(profile.to_string())
}

/// What is nested no deeper than a profile is.
fn read(profile: &str) -> Option<Value> {
    heapprofile::check(profile.as_bytes()).ok()?;
    let mut reader = serde_json::Deserializer::from_str(profile);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).ok()
}

/// A node of either kind of profile: `callFrame`, with lines and columns from 0, and `positionTicks`, with lines from 1.
struct Function<'a> {
    start: Place,
    frame: &'a mut Value,
    ticks: &'a mut [Value],
}

fn for_each_function(profile: &mut Value, mut seen: impl FnMut(Function<'_>)) {
    let mut open = vec![profile];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => {
                open.extend(values.iter_mut().filter(|value| value.is_array() || value.is_object()));
            }
            Value::Object(node) => {
                let (mut frame, mut ticks) = (None, None);
                for (key, value) in node {
                    match key.as_str() {
                        "callFrame" => frame = Some(value),
                        "positionTicks" => ticks = value.as_array_mut(),
                        _ if value.is_array() || value.is_object() => open.push(value),
                        _ => {}
                    }
                }
                let ticks = ticks.map(Vec::as_mut_slice).unwrap_or_default();
                let function = frame.and_then(|frame| {
                    Some(Function {
                        start: start_of(frame)?,
                        frame,
                        ticks,
                    })
                });
                if let Some(function) = function {
                    seen(function);
                }
            }
            _ => {}
        }
    }
}

/// Where a function of the service begins; `None` for one of Node.js or of the engine.
fn start_of(frame: &Value) -> Option<Place> {
    let url = frame["url"]
        .as_str()
        .filter(|url| !url.is_empty() && !url.starts_with("node:"))?;
    let number = |key: &str| u32::try_from(frame[key].as_u64()? + 1).ok();
    Some(Place {
        name: url.to_owned(),
        line: number("lineNumber")?,
        column: number("columnNumber")?,
    })
}

impl Function<'_> {
    /// Where it begins, and the lines on which it was seen.
    fn places(&self) -> Vec<Place> {
        let lines = self.ticks.iter().filter_map(|tick| self.end_of(tick));
        [self.start.clone()].into_iter().chain(lines).collect()
    }

    /// The end of the line of a tick.
    fn end_of(&self, tick: &Value) -> Option<Place> {
        Some(Place {
            name: self.start.name.clone(),
            line: u32::try_from(tick["line"].as_u64()?).ok()?,
            column: LAST_COLUMN,
        })
    }

    /// A function that was compiled to one line has no lines any more: its ticks go to where it begins.
    fn restore(&mut self, known: &HashMap<&Place, Origin>) {
        let Some(origin) = known.get(&self.start) else { return };
        self.frame["url"] = origin.file.clone().into();
        self.frame["lineNumber"] = origin.line.saturating_sub(1).into();
        self.frame["columnNumber"] = origin.column.saturating_sub(1).into();
        let lines: Vec<u32> = self
            .ticks
            .iter()
            .map(|tick| {
                let end = self.end_of(tick).filter(|end| end.line != self.start.line);
                end.and_then(|end| known.get(&end))
                    .map_or(origin.line, |found| found.line)
            })
            .collect();
        for (tick, line) in self.ticks.iter_mut().zip(lines) {
            tick["line"] = line.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn origin(line: u32) -> Option<Origin> {
        Some(Origin {
            file: "/srv/app.ts".to_owned(),
            line,
            column: 3,
        })
    }

    /// As a loader compiles it: `a` and `b` in one line, `c` in lines of its own.
    fn said(places: &[Place]) -> Option<Vec<Option<Origin>>> {
        let says = |place: &Place| match (place.name.as_str(), place.line, place.column) {
            ("file:///srv/app.ts", 1, 10) => origin(20),
            ("file:///srv/app.ts", 1, 50) => origin(40),
            ("file:///srv/app.ts", 2, 1) => origin(60),
            ("file:///srv/app.ts", 3, LAST_COLUMN) => origin(62),
            _ => None,
        };
        Some(places.iter().map(says).collect())
    }

    fn frame(url: &str, line: i32, column: i32) -> Value {
        json!({ "functionName": "f", "scriptId": "7", "url": url, "lineNumber": line, "columnNumber": column })
    }

    #[test]
    fn functions_and_their_ticks_are_put_into_their_source() {
        let app = "file:///srv/app.ts";
        let profile = json!({ "nodes": [
            { "id": 1, "callFrame": frame("", -1, -1) },
            { "id": 2, "callFrame": frame(app, 0, 9), "positionTicks": [{ "line": 1, "ticks": 5 }] },
            { "id": 3, "callFrame": frame(app, 0, 49), "positionTicks": [{ "line": 1, "ticks": 2 }] },
            { "id": 4, "callFrame": frame(app, 1, 0), "positionTicks": [{ "line": 3, "ticks": 2 }, { "line": 4, "ticks": 1 }] },
            { "id": 5, "callFrame": frame("node:http", 0, 9) },
        ], "samples": [2, 3] });
        let restored = restored(&profile.to_string(), said).expect("some are known");
        let source = "/srv/app.ts";
        let expected = json!({ "nodes": [
            { "id": 1, "callFrame": frame("", -1, -1) },
            { "id": 2, "callFrame": frame(source, 19, 2), "positionTicks": [{ "line": 20, "ticks": 5 }] },
            { "id": 3, "callFrame": frame(source, 39, 2), "positionTicks": [{ "line": 40, "ticks": 2 }] },
            { "id": 4, "callFrame": frame(source, 59, 2), "positionTicks": [{ "line": 62, "ticks": 2 }, { "line": 60, "ticks": 1 }] },
            { "id": 5, "callFrame": frame("node:http", 0, 9) },
        ], "samples": [2, 3] });
        assert_eq!(serde_json::from_str::<Value>(&restored).expect("JSON"), expected);
    }

    #[test]
    fn calls_of_a_profile_of_memory_are_as_well() {
        let app = "file:///srv/app.ts";
        let profile = |inner: Value| {
            let called = json!({ "callFrame": inner, "selfSize": 12, "children": [] });
            json!({ "head": { "callFrame": frame("", -1, -1), "selfSize": 0, "children": [called] } })
        };
        let restored = restored(&profile(frame(app, 0, 49)).to_string(), said).expect("some are known");
        assert_eq!(
            serde_json::from_str::<Value>(&restored).expect("JSON"),
            profile(frame("/srv/app.ts", 39, 2))
        );
    }

    #[test]
    fn profile_of_which_nothing_is_known_is_left_as_it_is() {
        let other = json!({ "nodes": [{ "id": 1, "callFrame": frame("file:///srv/other.js", 3, 4) }] }).to_string();
        assert_eq!(restored(&other, said), None);
        assert_eq!(restored(&other, |_| None), None);
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(restored(&deep, said), None);
    }
}
