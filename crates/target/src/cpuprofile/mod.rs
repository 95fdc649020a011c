//! Reads `.cpuprofile`, the reply of V8's inspector to `Profiler.stop`
//! (<https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile>).
//!
//! Any bytes may be given: they become a profile, or an error that says what is wrong with them.

mod document;
mod error;
mod layers;
mod tree;

pub use error::CpuProfileError;

use document::Document;
use error::MOST_NODES;
use layers::LayerTimes;
use plimsoll_measure::Profile;
use std::time::Duration;
use tree::Tree;

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
    let mut layers = LayerTimes::of(&document);
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
        if layers.is_probe(index) {
            // The service would not be busy with it.
            tree.idle(length_us);
        } else if let Some(call) = tree.sample(index, node, length_us)? {
            layers.add(index, call, length_us);
        }
    }
    let mut profile = tree.finish(&document);
    profile.layers = layers.finish(&document);
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::{Causer, Frame, LayerCounts, LayerKind};

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

    /// Time in a thread that the service started, of a millisecond half of which it was seen at work, and the longest stay.
    fn of_started_thread(ran_us: u64, queued_us: u64, times: u64) -> (u64, u64, u64) {
        let deltas = format!("[0,{},{},{}]", 200 * times, 400 * times, 300 * times);
        let text = document("[2,4,2,4]", &deltas)
            .replace(r#""endTime":1100"#, &format!(r#""endTime":{}"#, 100 + 1000 * times))
            .replace(
                "]}",
                &format!(
                    r#"],"started_thread":true,"ran_ns":{},"queued_ns":{}}}"#,
                    ran_us * 1000,
                    queued_us * 1000
                ),
            );
        let profile = read_cpuprofile(text.as_bytes()).expect("a profile");
        let longest = profile.calls.iter().map(|call| call.longest_us).max();
        (profile.total_us(), profile.started_us, longest.unwrap_or_default())
    }

    #[test]
    fn a_thread_that_the_service_started_has_the_time_for_which_it_ran() {
        assert_eq!(of_started_thread(600, 0, 1), (500, 500, 0));
        // It shared its core.
        assert_eq!(of_started_thread(200, 300, 1), (200, 200, 0));
        // It waited where it was seen.
        assert_eq!(of_started_thread(20_000, 0, 1000), (0, 0, 0));
        assert_eq!(of_started_thread(0, 0, 1000), (0, 0, 0));
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
    fn what_other_threads_took_is_told_of_the_same_time() {
        let text = document("[2,4,2,4]", "[0,200,400,300]")
            .replace("]}", r#"],"sampler_ns":50000,"pool_ns":10000,"v8_ns":20000}"#);
        let after = |us| {
            let found = read_cpuprofile_after(text.as_bytes(), Duration::from_micros(us)).expect("a profile");
            (found.span_us, found.sampler_us, found.pool_us, found.v8_us)
        };
        assert_eq!([0, 200].map(after), [(1000, 50, 10, 20), (800, 40, 8, 16)]);
    }

    #[test]
    fn threads_share_cores_unless_it_is_said_that_they_are_apart() {
        let text = document("[2,4,2,4]", "[0,200,400,300]");
        let shares = |text: &str| read_cpuprofile(text.as_bytes()).expect("a profile").shares_cores;
        assert!(shares(&text));
        assert!(!shares(&text.replace("]}", r#"],"apart":true}"#)));
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
    fn samples_have_the_layer_of_their_time() {
        let layers = r#"],"sample_layers":[3,3,-2,1,7,0],"others":{"callbacks":4},"layers":[
            {"kind":"middleware","name":"log","place":null,"guards":false,"callbacks":0,"tasks":0},
            {"kind":"handler","name":"","guards":true,"callbacks":9,"tasks":2,"task_ns":7000,
             "place":{"file":"/srv/app.js","line":3,"column":5,"function":"","package":null}}]}"#;
        let text = document("[4,3,4,4,4,4]", "[0,100,100,100,100,100]").replace("]}", layers);
        let profile = read_cpuprofile(text.as_bytes()).expect("a profile");
        let times: Vec<_> = profile
            .layers
            .times
            .iter()
            .map(|time| {
                (
                    profile.frames[profile.calls[time.call].frame].function.as_str(),
                    time.causer,
                    time.us,
                )
            })
            .collect();
        let mut expected = vec![
            ("work", Causer::Loop, 500),
            // One that is not there, and nobody.
            ("work", Causer::Nobody, 200),
            ("work", Causer::Layer(1), 100),
            ("(garbage collector)", Causer::Layer(1), 100),
        ];
        expected.sort_by_key(|(name, ..)| name.starts_with('('));
        assert_eq!(times, expected);
        // What the probe does counts as idle.
        assert_eq!((profile.total_us(), profile.span_us), (900, 1000));
        let [_, handler] = profile.layers.known.as_slice() else {
            panic!("two layers");
        };
        assert_eq!(
            (handler.kind, handler.guards, handler.place.line),
            (LayerKind::Handler, true, 3)
        );
        let counts = LayerCounts {
            callbacks: 9,
            tasks: 2,
            task_us: 7,
        };
        assert_eq!((handler.counts, profile.layers.others.callbacks), (counts, 4));
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
