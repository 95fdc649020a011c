//! Reads `.cpuprofile`, the reply of V8's inspector to `Profiler.stop`
//! (<https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile>).
//!
//! Any bytes may be given: they become a profile, or an error that says what is wrong with them.

use plimsoll_measure::{Call, Frame, Profile};
use serde::Deserialize;
use std::collections::HashMap;
use std::time::Duration;
use thiserror::Error;

/// Bytes that are no CPU profile. The text fits after "failed to".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CpuProfileError {
    /// Not JSON, or not with these fields.
    #[error("read the CPU profile: {0}")]
    Json(#[from] serde_json::Error),
    /// A node has two callers, or calls itself, or there is more than one root.
    #[error("read the CPU profile: node {0} is called by itself, twice or by nobody")]
    NoTree(u64),
    /// A sample is of a node that is not there.
    #[error("read the CPU profile: sample {index} is of node {node}, which does not exist")]
    NoNode {
        /// Which sample, from 0.
        index: usize,
        /// Which node it names.
        node: u64,
    },
    /// V8 samples at most 255 calls of a stack.
    #[error("read the CPU profile: node {0} is nested too deeply")]
    TooDeep(u64),
    /// More nodes than any program has.
    #[error("read the CPU profile: {0} nodes, expected at most {MOST_NODES}")]
    TooMany(usize),
    /// Calls begin and end more often than in any run.
    #[error("read the CPU profile: it is too large, from sample {index} on")]
    TooLarge {
        /// Which sample, from 0.
        index: usize,
    },
}

/// Twice what V8 samples.
const MOST_DEPTH: usize = 512;

/// How often calls may begin: a million samples, each of a stack of which twenty calls are new.
const MOST_CHANGES: usize = 20_000_000;

/// Large applications have some ten thousand.
const MOST_NODES: usize = 100_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    #[serde(borrow)]
    nodes: Vec<Node<'a>>,
    /// Timestamps, µs.
    start_time: i64,
    end_time: i64,
    #[serde(default)]
    samples: Vec<u64>,
    #[serde(default)]
    time_deltas: Vec<i64>,
    /// CPU of the thread that took the samples. The probe adds it to what V8 made.
    #[serde(default, rename = "sampler_ns")]
    sampler_ns: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    id: u64,
    #[serde(borrow)]
    call_frame: CallFrame<'a>,
    #[serde(default)]
    children: Vec<u64>,
    #[serde(default)]
    position_ticks: Vec<PositionTick>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame<'a> {
    #[serde(borrow)]
    function_name: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    url: std::borrow::Cow<'a, str>,
    /// From 0; -1 for native code.
    line_number: i64,
    column_number: i64,
}

#[derive(Deserialize)]
struct PositionTick {
    /// From 1.
    line: i64,
    ticks: u64,
}

/// What a `.cpuprofile` holds, without the time in which the thread was idle.
///
/// A sample lasts until the next one. Garbage collection belongs to no function in the file; here it belongs to the
/// call during which it came, as that is where memory was asked for.
///
/// The time of a line is in proportion to that of the whole file.
///
/// # Errors
/// When `bytes` are no CPU profile, or contradict themselves.
pub fn read_cpuprofile(bytes: &[u8]) -> Result<Profile, CpuProfileError> {
    read_cpuprofile_after(bytes, Duration::ZERO)
}

/// As [`read_cpuprofile`], without the first part, which was warm-up.
///
/// # Errors
/// As [`read_cpuprofile`].
pub fn read_cpuprofile_after(bytes: &[u8], warm_up: Duration) -> Result<Profile, CpuProfileError> {
    let document: Document<'_> = serde_json::from_slice(bytes)?;
    if document.nodes.len() > MOST_NODES {
        return Err(CpuProfileError::TooMany(document.nodes.len()));
    }
    let mut tree = Tree::of(&document)?;
    let mut deltas = document.time_deltas.iter().copied().chain(std::iter::repeat(0));
    let mut stamp_us = document.start_time.saturating_add(deltas.next().unwrap_or(0));
    let mut at_us = stamp_us;
    let warm_up_us = i64::try_from(warm_up.as_micros()).unwrap_or(i64::MAX);
    let counts_from_us = document.start_time.saturating_add(warm_up_us);
    for (index, &node) in document.samples.iter().enumerate() {
        let last = index + 1 == document.samples.len();
        stamp_us = if last {
            document.end_time
        } else {
            stamp_us.saturating_add(deltas.next().unwrap_or(0))
        };
        // The stamps of two threads may go back a little; no time has passed then.
        let length_us = u64::try_from(stamp_us.saturating_sub(at_us)).unwrap_or(0);
        let length_us = if at_us >= counts_from_us { length_us } else { 0 };
        at_us = at_us.max(stamp_us);
        tree.sample(index, node, length_us)?;
    }
    Ok(tree.finish(&document))
}

/// The calls of the file in an order in which callers come first.
struct Tree {
    span_us: u64,
    frames: Vec<Frame>,
    calls: Vec<Call>,
    /// From the id of a node to its call.
    places: HashMap<u64, usize>,
    idle: Option<usize>,
    gc: Option<usize>,
    /// The call of the last sample that was no garbage collection.
    before: Option<usize>,
    /// Garbage collection during a call: a call of its own below it.
    gc_below: HashMap<usize, usize>,
    /// How many callers each call has.
    depths: Vec<usize>,
    /// The calls that go on, from the root, and [`Tree::span_us`] when each began.
    going_on: Vec<(usize, u64)>,
    /// How often a call began.
    changes: usize,
}

impl Tree {
    fn of(document: &Document<'_>) -> Result<Self, CpuProfileError> {
        let by_id: HashMap<u64, &Node<'_>> = document.nodes.iter().map(|node| (node.id, node)).collect();
        let mut tree = Self {
            span_us: 0,
            frames: Vec::with_capacity(document.nodes.len()),
            calls: Vec::with_capacity(document.nodes.len()),
            places: HashMap::with_capacity(document.nodes.len()),
            idle: None,
            gc: None,
            before: None,
            gc_below: HashMap::new(),
            depths: Vec::with_capacity(document.nodes.len()),
            going_on: Vec::new(),
            changes: 0,
        };
        let mut frame_places = HashMap::new();
        let mut open: Vec<(u64, Option<usize>)> =
            document.nodes.first().map(|root| (root.id, None)).into_iter().collect();
        while let Some((id, caller)) = open.pop() {
            let node = by_id.get(&id).ok_or(CpuProfileError::NoTree(id))?;
            let place = tree.calls.len();
            if tree.places.insert(id, place).is_some() {
                return Err(CpuProfileError::NoTree(id));
            }
            let depth = caller.map_or(0, |caller| tree.depths[caller] + 1);
            if depth > MOST_DEPTH {
                return Err(CpuProfileError::TooDeep(id));
            }
            tree.depths.push(depth);
            let frame = frame(&node.call_frame);
            match frame.function.as_str() {
                "(idle)" if frame.file.is_empty() => tree.idle = Some(place),
                "(garbage collector)" if frame.file.is_empty() => tree.gc = Some(place),
                _ => {}
            }
            let frame = *frame_places.entry(frame).or_insert_with_key(|frame| {
                tree.frames.push(frame.clone());
                tree.frames.len() - 1
            });
            tree.calls.push(Call {
                frame,
                caller,
                self_us: 0,
                longest_us: 0,
                stays: 0,
                called_on: None,
                lines: Vec::new(),
            });
            open.extend(node.children.iter().map(|&child| (child, Some(place))));
        }
        match document.nodes.iter().find(|node| !tree.places.contains_key(&node.id)) {
            Some(stray) => Err(CpuProfileError::NoTree(stray.id)),
            None => Ok(tree),
        }
    }

    fn sample(&mut self, index: usize, node: u64, length_us: u64) -> Result<(), CpuProfileError> {
        let &place = self.places.get(&node).ok_or(CpuProfileError::NoNode { index, node })?;
        let place = match self.before {
            _ if Some(place) != self.gc => {
                self.before = Some(place);
                place
            }
            Some(before) if Some(before) != self.idle => self.gc_during(before, place),
            _ => place,
        };
        if Some(place) != self.idle {
            self.calls[place].self_us = self.calls[place].self_us.saturating_add(length_us);
        }
        self.goes_on(place, index, length_us)
    }

    /// Two samples in a row with the same call in them are one stay in that call, as far as can be seen. Of the calls that
    /// go on nothing is touched, so that a sample costs what it changes and not its depth.
    fn goes_on(&mut self, place: usize, index: usize, length_us: u64) -> Result<(), CpuProfileError> {
        let mut new = Vec::new();
        let mut above = Some(place);
        while let Some(call) = above.filter(|&call| !self.is_going_on(call)) {
            new.push(call);
            above = self.calls[call].caller;
        }
        let common = above.map_or(0, |call| self.depths[call] + 1);
        self.end_stays(common);
        self.changes = self.changes.saturating_add(new.len());
        if self.changes > MOST_CHANGES {
            return Err(CpuProfileError::TooLarge { index });
        }
        let since_us = self.span_us;
        self.going_on.extend(new.into_iter().rev().map(|call| (call, since_us)));
        self.span_us = self.span_us.saturating_add(length_us);
        Ok(())
    }

    fn is_going_on(&self, call: usize) -> bool {
        self.going_on
            .get(self.depths[call])
            .is_some_and(|&(going_on, _)| going_on == call)
    }

    /// All but the first `left` calls that go on are over.
    fn end_stays(&mut self, left: usize) {
        for (call, since_us) in self.going_on.drain(left..) {
            let us = self.span_us.saturating_sub(since_us);
            let call = &mut self.calls[call];
            call.stays += u64::from(us > 0);
            call.longest_us = call.longest_us.max(us);
        }
    }

    fn gc_during(&mut self, call: usize, gc: usize) -> usize {
        *self.gc_below.entry(call).or_insert_with(|| {
            self.depths.push(self.depths[call] + 1);
            self.calls.push(Call {
                frame: self.calls[gc].frame,
                caller: Some(call),
                self_us: 0,
                longest_us: 0,
                stays: 0,
                called_on: None,
                lines: Vec::new(),
            });
            self.calls.len() - 1
        })
    }

    fn finish(mut self, document: &Document<'_>) -> Profile {
        self.end_stays(0);
        for node in &document.nodes {
            let call = &mut self.calls[self.places[&node.id]];
            call.lines = lines(&node.position_ticks, call.self_us);
        }
        let length_us = u64::try_from(document.end_time.saturating_sub(document.start_time)).unwrap_or(0);
        let sampler_us = u128::from(document.sampler_ns.unwrap_or(0)) / 1000;
        Profile {
            span_us: self.span_us,
            // What was warm-up had its part of it.
            sampler_us: (sampler_us * u128::from(self.span_us) / u128::from(length_us.max(1))) as u64,
            frames: self.frames,
            calls: self.calls,
        }
    }
}

pub(crate) fn frame(found: &CallFrame<'_>) -> Frame {
    // The file counts from 0, people count from 1.
    let place = |number: i64| u32::try_from(number.saturating_add(1)).unwrap_or(0);
    Frame {
        function: found.function_name.clone().into_owned(),
        file: path_of(&found.url),
        line: place(found.line_number),
        column: place(found.column_number),
    }
}

/// `file:///a%20b.js` is `/a b.js`; `node:fs` and paths stay what they are.
pub(crate) fn path_of(url: &str) -> String {
    let Some(path) = url.strip_prefix("file://") else {
        return url.to_owned();
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = (first == b'%').then(|| after.get(..2)).flatten();
        let decoded = escape
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

/// Shares the time of a call out to its lines in proportion to their ticks.
fn lines(ticks: &[PositionTick], self_us: u64) -> Vec<(u32, u64)> {
    let total: u128 = ticks.iter().map(|tick| u128::from(tick.ticks)).sum();
    let mut lines: Vec<(u32, u64)> = ticks
        .iter()
        .filter_map(|tick| {
            let line = u32::try_from(tick.line).ok().filter(|&line| line > 0)?;
            let us = u128::from(self_us) * u128::from(tick.ticks) / total.max(1);
            Some((line, us as u64))
        })
        .collect();
    lines.sort_unstable();
    lines.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = r#"{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,3,4]}"#;
    const IDLE: &str = r#"{"id":2,"callFrame":{"functionName":"(idle)","url":"","lineNumber":-1,"columnNumber":-1}}"#;
    const GC: &str =
        r#"{"id":3,"callFrame":{"functionName":"(garbage collector)","url":"","lineNumber":-1,"columnNumber":-1}}"#;
    const WORK: &str = r#"{"id":4,"callFrame":{"functionName":"work","url":"file:///a%20b/c.mjs?x=1","lineNumber":6,"columnNumber":9},"positionTicks":[{"line":9,"ticks":3},{"line":8,"ticks":1}]}"#;

    fn document(samples: &str, deltas: &str) -> String {
        format!(
            r#"{{"nodes":[{ROOT},{IDLE},{GC},{WORK}],"startTime":100,"endTime":1100,"samples":{samples},"timeDeltas":{deltas}}}"#
        )
    }

    #[test]
    fn samples_last_until_the_next_and_idle_time_is_left_out() {
        let profile = read_cpuprofile(document("[2,4,2,4]", "[0,200,400,300]").as_bytes()).expect("a profile");
        let work = profile.calls.iter().find(|call| call.self_us > 0).expect("work");
        assert_eq!((profile.total_us(), profile.span_us), (500, 1000));
        assert_eq!(
            (work.self_us, work.lines.as_slice()),
            (500, [(8, 125), (9, 375)].as_slice())
        );
        assert_eq!(
            profile.frames[work.frame],
            Frame {
                function: "work".to_owned(),
                file: "/a b/c.mjs".to_owned(),
                line: 7,
                column: 10,
            }
        );
    }

    #[test]
    fn samples_in_a_row_are_one_stay() {
        let profile = read_cpuprofile(document("[2,4,4,2,4]", "[0,100,100,100,100]").as_bytes()).expect("a profile");
        let work = profile.calls.iter().find(|call| call.self_us > 0).expect("work");
        assert_eq!((work.self_us, work.stays, work.longest_us), (800, 2, 600));
    }

    #[test]
    fn what_was_warm_up_is_left_out() {
        let text = document("[2,4,2,4]", "[0,200,400,300]");
        let after =
            |us| read_cpuprofile_after(text.as_bytes(), Duration::from_micros(us)).map(|found| found.total_us());
        assert_eq!(
            [0, 200, 201, 10_000].map(|us| after(us).expect("a profile")),
            [500, 500, 100, 0]
        );
    }

    #[test]
    fn what_taking_the_samples_cost_is_told_of_the_same_time() {
        let text = document("[2,4,2,4]", "[0,200,400,300]").replace("]}", r#"],"sampler_ns":50000}"#);
        let after = |us| {
            let found = read_cpuprofile_after(text.as_bytes(), Duration::from_micros(us)).expect("a profile");
            (found.span_us, found.sampler_us)
        };
        assert_eq!([0, 200].map(after), [(1000, 50), (800, 40)]);
    }

    #[test]
    fn garbage_collection_belongs_to_the_call_before_it() {
        let profile = read_cpuprofile(document("[4,3,3,2,3]", "[0,100,100,100,100]").as_bytes()).expect("a profile");
        let times: Vec<_> = profile
            .calls
            .iter()
            .filter(|call| call.self_us > 0)
            .map(|call| {
                let caller = call
                    .caller
                    .map(|caller| profile.frames[profile.calls[caller].frame].function.as_str());
                (profile.frames[call.frame].function.as_str(), caller, call.self_us)
            })
            .collect();
        let gc = "(garbage collector)";
        assert_eq!(times.iter().filter(|(name, ..)| *name == gc).count(), 2, "{times:?}");
        assert!(times.contains(&(gc, Some("work"), 200)), "{times:?}");
        // After idle time it belongs to nobody.
        assert!(times.contains(&(gc, Some("(root)"), 600)), "{times:?}");
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for (text, expected) in [
            ("[]".to_owned(), "read the CPU profile: "),
            (document("[9]", "[0]"), "sample 0 is of node 9"),
            (document("[]", "[]").replace("\"id\":3", "\"id\":2"), "node"),
            (document("[]", "[]").replace("[2,3,4]", "[2,3,4,1]"), "node 1"),
            (document("[]", "[]").replace("[2,3,4]", "[2,3]"), "node 4"),
        ] {
            let error = read_cpuprofile(text.as_bytes()).expect_err(&text);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_tree_deeper_than_any_stack_is_refused() {
        let node = |id: usize, children: &str| {
            format!(
                r#"{{"id":{id},"callFrame":{{"functionName":"f","url":"","lineNumber":0,"columnNumber":0}},"children":[{children}]}}"#
            )
        };
        let chain = |length: usize| {
            let nodes: Vec<String> = (1..=length)
                .map(|id| {
                    node(
                        id,
                        &if id < length {
                            (id + 1).to_string()
                        } else {
                            String::new()
                        },
                    )
                })
                .collect();
            let samples = vec![format!("{length},1"); 100].join(",");
            format!(
                r#"{{"nodes":[{}],"startTime":0,"endTime":200,"samples":[{samples}]}}"#,
                nodes.join(",")
            )
        };
        assert!(read_cpuprofile(chain(513).as_bytes()).is_ok());
        assert!(matches!(
            read_cpuprofile(chain(50_000).as_bytes()),
            Err(CpuProfileError::TooDeep(514))
        ));
    }

    #[test]
    fn clocks_that_go_back_take_no_time() {
        let profile = read_cpuprofile(document("[4,4,4]", "[0,-50,1000000]").as_bytes()).expect("a profile");
        assert_eq!(profile.total_us(), 999_950);
        let empty = read_cpuprofile(document("[]", "[]").as_bytes()).expect("a profile");
        assert_eq!(empty.total_us(), 0);
    }
}
