//! What a line of the service asks of Node.js and of native functions.

use super::*;
use crate::profiled::{kinds_of, profile};
use plimsoll_findings::{Activity, What};

/// A handler that asks Node.js for something, such as `Buffer.concat`.
pub(crate) fn asking(of: &str, us: u64) -> Profile {
    let mut profile = profile(200, 0, 0, 300);
    profile.frames.push(Frame {
        function: "concat".to_owned(),
        file: of.to_owned(),
        line: 5,
        column: 1,
    });
    let asked = Call {
        frame: profile.frames.len() - 1,
        caller: Some(2),
        self_us: us,
        called_on: Some(12),
        ..profile.calls[4].clone()
    };
    profile.calls.push(asked);
    profile
}

#[test]
fn what_a_line_asks_of_node_is_a_cause_unless_requests_need_it() {
    let found = |profile: &Profile| kinds_of(&diagnosed(&healthy(), profile, None));
    let diagnosis = diagnosed(&healthy(), &asking("node:buffer", 200), None);
    let [cause] = diagnosis.causes.as_slice() else {
        panic!("{:?}", diagnosis.causes);
    };
    let activity = Activity::Buffers;
    assert_eq!(
        (cause.kind, &cause.what),
        (CauseKind::NodeHot, &What::Node { activity })
    );
    assert_eq!(cause.place.as_ref().map(|place| place.line), Some(12));
    assert_eq!(found(&asking("node:buffer", 50)), []);
    assert_eq!(found(&asking("node:_http_outgoing", 200)), []);
}

/// A database in the process: what its package calls is in no file. The line is the one that most of the time is asked on, and where
/// that is not known, the function.
#[test]
fn native_functions_of_a_package_are_named_with_it() {
    let queries = |(us, line): (u64, Option<u32>), (other_us, other_line): (u64, Option<u32>)| {
        let mut profile = profile(200, 0, 0, 300);
        let frame = |function: &str, file: &str| Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line: 5,
            column: 1,
        };
        let known = profile.frames.len();
        profile.frames.extend([
            frame("run", "/srv/node_modules/db/index.js"),
            frame("step", ""),
            frame("postMessage", ""),
        ]);
        let call = |frame, caller, self_us, called_on| Call {
            frame,
            caller: Some(caller),
            self_us,
            called_on,
            ..profile.calls[4].clone()
        };
        let run = profile.calls.len();
        let calls = [
            call(known, 2, 0, line),
            call(known + 1, run, us, None),
            call(known + 2, 2, other_us, other_line),
        ];
        profile.calls.extend(calls);
        let diagnosis = diagnosed(&healthy(), &profile, None);
        let [cause] = diagnosis.causes.as_slice() else {
            panic!("{:?}", diagnosis.causes);
        };
        let place = cause.place.as_ref().expect("a place");
        let activity = Activity::NativeFunctions;
        assert_eq!(
            (cause.kind, &cause.what),
            (CauseKind::NodeHot, &What::Node { activity })
        );
        (place.line, cause.via.clone())
    };
    let db = Some("db".to_owned());
    assert_eq!(queries((150, Some(12)), (20, Some(14))), (12, db.clone()));
    assert_eq!(queries((150, None), (20, Some(14))), (10, db));
    assert_eq!(queries((20, Some(12)), (150, Some(14))), (14, None));
}

#[test]
fn what_is_counted_in_a_function_is_no_work_of_node_besides() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    let mut counters = healthy();
    // On line 12, as what is asked for.
    counted(&mut counters, "output", (all_ns as f64 * 0.2) as u64, 1);
    let diagnosis = diagnosed(&counters, &asking("node:internal/util/inspect", 200), None);
    assert_eq!(kinds_of(&diagnosis), [CauseKind::BlockingWrite]);
}

#[test]
fn a_file_that_is_read_in_small_pieces_is_a_cause_where_its_stream_is_made() {
    // Nothing of the service is on the stack of the callback that reads on.
    let mut profile = profile(0, 0, 0, 200);
    profile.frames[1].file = "node:internal/fs/streams".to_owned();
    let found = |pieces: u64, bytes: u64| {
        let mut counters = healthy();
        counted_as("fs.read", &mut counters, "pool", 0, 10);
        counters.counters[0].calls = pieces * REQUESTS;
        counters.sites[0].calls = pieces * REQUESTS;
        counters.sites[0].bytes = pieces * REQUESTS * bytes;
        counters.counters[0].bytes = pieces * REQUESTS * bytes;
        let causes = diagnosed(&counters, &profile, None).causes;
        causes
            .iter()
            .map(|cause| (cause.kind, cause.place.as_ref().map_or(0, |place| place.line)))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(60, 512), [(CauseKind::NodeHot, 12)]);
    // As streams do by themselves, and small files.
    assert_eq!(found(60, 65_536), []);
    assert_eq!(found(2, 512), []);
}
