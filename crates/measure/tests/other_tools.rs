//! Tools that are not ours read our interval log, and find in it what we wrote.

use plimsoll_measure::run_directory::RunWriter;
use plimsoll_measure::{Histogram, Record, RunInfo, RunKind, Tick, Timing};
use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

/// Long-tailed durations without a random number generator: 1 ms / (1 - q) for even q.
fn fill(histogram: &mut Histogram, count: u64) {
    for n in 0..count {
        histogram.record(1_000_000 * count / (count - n));
    }
}

fn line(tag: &str, start: u64, histogram: &Histogram) -> String {
    let (count, p50, p99) = (
        histogram.count(),
        histogram.quantile_ns(0.5),
        histogram.quantile_ns(0.99),
    );
    format!("[\"{tag}\",{start},{count},{p50},{p99},{}]", histogram.max_ns())
}

#[test]
fn the_javascript_library_of_hdrhistogram_reads_the_log() {
    let parent = tempfile::tempdir().expect("a directory");
    let info = RunInfo {
        format: String::new(),
        kind: RunKind::Run,
        started_at: "2026-01-02T03:04:05Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: vec![0.5],
        marks_end: true,
    };
    let mut writer = RunWriter::create(parent.path(), &info, "{}").expect("created");
    let mut expected = Vec::new();
    for second in 0..3 {
        let mut tick = Tick {
            start_ns: second * 1_000_000_000,
            duration_ns: 1_000_000_000,
            ..Tick::default()
        };
        fill(&mut tick.durations[Timing::ResponseTime], 10_000 + second);
        fill(&mut tick.durations[Timing::ScheduleLag], 77);
        expected.push(line("response_time", second, &tick.durations[Timing::ResponseTime]));
        expected.push(line("schedule_lag", second, &tick.durations[Timing::ScheduleLag]));
        let record = Record::Tick {
            line: tick.line(0, &info.quantiles),
            durations: Cow::Borrowed(&tick.durations),
            target: None,
        };
        writer.append(&record).expect("appended");
    }

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_hlog.js");
    let output = Command::new("node")
        .arg(script)
        .arg(writer.path().join("latency.hlog"))
        .output()
        .expect("node is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "after `npm ci` this works: {errors}");
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}
