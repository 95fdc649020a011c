//! A service that is watched for growth, as the fold sees it.

use crate::runs::{PLAN, RUN};
use crate::streams::{Stream, Subject, constant, host, plan};
use plimsoll_findings::{Findings, KeptLine, Place};
use plimsoll_measure::{Ended, RunKind};

const MB: f64 = 1e6;

/// It keeps 12 MB a minute, and descriptors.
pub(crate) fn grows() -> Findings {
    let mut found = soaked(66, 0.2 * MB, 0.5).end_step(false).complete();
    let kept = found.soak.as_mut().and_then(|soak| soak.kept.as_mut());
    // What the lab adds of the lines that were sampled.
    kept.expect("it was asked").lines = vec![
        KeptLine {
            place: Place {
                file: "src/cache.js".to_owned(),
                line: 14,
                column: Some(8),
                function: "remember".to_owned(),
                is_function: true,
            },
            via: None,
            bytes: 5_100_000,
            share: 0.94,
        },
        KeptLine {
            place: Place {
                file: "src/server.js".to_owned(),
                line: 31,
                column: Some(5),
                function: String::new(),
                is_function: true,
            },
            via: Some("lru-cache".to_owned()),
            bytes: 300_000,
            share: 0.055,
        },
    ];
    found
}

/// It may do, as far as was seen of it.
pub(crate) fn interrupted() -> Findings {
    soaked(20, 0.0, 0.0).end_step(true).ended(Ended::Interrupted)
}

fn soaked(seconds: u32, kept_bytes_per_s: f64, opened_per_s: f64) -> Stream {
    let subject = Subject {
        kind: RunKind::Soak,
        ..RUN
    };
    let mut stream = Stream::on(&subject, &plan(PLAN), "0.1.0", &host());
    stream.kept_bytes_per_s = kept_bytes_per_s;
    stream.opened_per_s = opened_per_s;
    let load = constant(1_000.0, 66, 6);
    stream.begin(load);
    for second in 0..seconds {
        stream.second(load, second, |_, _| {});
    }
    stream
}
