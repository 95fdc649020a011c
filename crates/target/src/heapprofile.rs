//! Reads `.heapprofile`, the reply of V8's inspector to `HeapProfiler.stopSampling`
//! (<https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile>).

use crate::call_frame::{CallFrame, frame};
use plimsoll_measure::{Call, Profile};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use thiserror::Error;

/// A call is two brackets deep, and V8 samples stacks of at most 128 calls. Deeper files would overflow our own stack.
const DEPTH_MAX: usize = 600;

/// Calls of a profile. Each has two opening brackets, and what one call asked for is less than this many bytes.
const CALLS_MAX: usize = 150_000;
const SIZE_BYTES_MAX: f64 = (1_u64 << 45) as f64;

/// Bytes that are no heap profile. The text fits after "failed to".
#[derive(Debug, Error)]
#[error("read the heap profile: {0}")]
pub struct HeapProfileError(#[from] serde_json::Error);

/// A profile as it came, to be written again.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Kept<'a> {
    #[serde(borrow)]
    call_frame: &'a RawValue,
    #[serde(default)]
    self_size: f64,
    #[serde(borrow, default)]
    children: Vec<Kept<'a>>,
}

#[derive(Deserialize, Serialize)]
struct KeptDocument<'a> {
    #[serde(borrow)]
    head: Kept<'a>,
}

impl<'a> Kept<'a> {
    /// Leaves what has come since `before`, by call path.
    fn grow_from(&mut self, before: &Self) {
        self.self_size = (self.self_size - before.self_size).max(0.0);
        let known: HashMap<&str, &Self> = before
            .children
            .iter()
            .map(|child| (child.call_frame.get(), child))
            .collect();
        for child in &mut self.children {
            if let Some(before) = known.get(child.call_frame.get()) {
                child.grow_from(before);
            }
        }
        self.children
            .retain(|child| child.self_size > 0.0 || !child.children.is_empty());
    }

    fn parse(bytes: &'a [u8]) -> Result<KeptDocument<'a>, HeapProfileError> {
        check(bytes)?;
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        reader.disable_recursion_limit();
        Ok(KeptDocument::deserialize(&mut reader)?)
    }
}

/// By what one `.heapprofile` has grown since an earlier one of the same thread, as a `.heapprofile`.
///
/// # Errors
/// When one of them is no heap profile.
pub fn grown_heapprofile(before: &[u8], after: &[u8]) -> Result<String, HeapProfileError> {
    let before = Kept::parse(before)?;
    let mut after = Kept::parse(after)?;
    after.head.grow_from(&before.head);
    Ok(serde_json::to_string(&after)?)
}

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    head: Node<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    #[serde(borrow)]
    call_frame: CallFrame<'a>,
    /// Estimate of the bytes that were asked for in the function itself.
    #[serde(default)]
    self_size: f64,
    #[serde(default)]
    children: Vec<Node<'a>>,
}

/// What a `.heapprofile` holds, as a profile with bytes for times.
///
/// # Errors
/// When `bytes` are no heap profile.
pub fn read_heapprofile(bytes: &[u8]) -> Result<Profile, HeapProfileError> {
    check(bytes)?;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let document = Document::deserialize(&mut reader)?;
    reader.end()?;
    let mut profile = Profile::default();
    let mut places = HashMap::new();
    let mut open = vec![(&document.head, None)];
    while let Some((node, caller)) = open.pop() {
        let found = frame(&node.call_frame);
        let index = *places.entry(found).or_insert_with_key(|found| {
            profile.frames.push(found.clone());
            profile.frames.len() - 1
        });
        let place = profile.calls.len();
        profile.calls.push(Call {
            frame: index,
            caller,
            self_us: node.self_size.clamp(0.0, SIZE_BYTES_MAX) as u64,
            longest_us: 0,
            stays: 0,
            called_on: None,
            lines: Vec::new(),
        });
        open.extend(node.children.iter().map(|child| (child, Some(place))));
    }
    Ok(profile)
}

/// Refuses what would be too much to read.
pub(crate) fn check(bytes: &[u8]) -> Result<(), HeapProfileError> {
    let refuse = |why: &str| Err(HeapProfileError(serde::de::Error::custom(why)));
    let (depth, brackets) = brackets(bytes);
    if depth > DEPTH_MAX {
        return refuse("it is nested too deeply");
    }
    // Samples of what is alive are listed besides.
    if brackets > 4 * CALLS_MAX {
        return refuse("it has too many calls");
    }
    Ok(())
}

/// How deeply brackets are nested and how many there are, those inside of strings left out.
fn brackets(bytes: &[u8]) -> (usize, usize) {
    let (mut depth, mut deepest, mut all) = (0_usize, 0, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                all += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (deepest, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_by_call_path() {
        let call = |name: &str, bytes: u32, children: &str| {
            format!(
                r#"{{"callFrame":{{"functionName":"{name}","url":"file:///a.js","lineNumber":4,"columnNumber":1}},"selfSize":{bytes},"children":[{children}]}}"#
            )
        };
        let document = |children: &str| format!(r#"{{"head":{},"samples":[]}}"#, call("(root)", 0, children));
        let before = document(&[call("cache", 900, ""), call("keep", 100, "")].join(","));
        let after = document(&[call("cache", 800, ""), call("keep", 350, ""), call("new", 5, "")].join(","));
        let grown = grown_heapprofile(before.as_bytes(), after.as_bytes()).expect("two profiles");
        let grown = read_heapprofile(grown.as_bytes()).expect("a heap profile");
        let bytes = |name: &str| {
            let call = grown
                .calls
                .iter()
                .find(|call| grown.frames[call.frame].function == name);
            call.map(|call| call.self_us)
        };
        assert_eq!(
            (bytes("cache"), bytes("keep"), bytes("new")),
            (None, Some(250), Some(5))
        );
        assert!(grown_heapprofile(b"{}", after.as_bytes()).is_err());
    }

    #[test]
    fn bytes_stand_for_times() {
        let text = r#"{"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":0,
            "children":[{"callFrame":{"functionName":"keep","url":"file:///a.js","lineNumber":4,"columnNumber":1},
            "selfSize":524288.5,"children":[]}]},"samples":[]}"#;
        let profile = read_heapprofile(text.as_bytes()).expect("a heap profile");
        assert_eq!(profile.total_us(), 524_288);
        let keep = profile.calls.last().expect("two calls");
        assert_eq!((keep.caller, profile.frames[keep.frame].line), (Some(0), 5));
        assert!(read_heapprofile(b"{}").is_err());
        let deep = format!("{}{}", "{\"head\":".repeat(10_000), "}".repeat(10_000));
        assert!(read_heapprofile(deep.as_bytes()).is_err());
    }
}
