//! A run that was written in an earlier version of the format is still read, to the last bit.

use plimsoll_measure::run_directory::{RunReader, RunWriter};
use plimsoll_measure::{
    Counters, Durations, ErrorClass, Example, Gauges, GeneratorLoad, Host, Note, NoteKind, Record, RunInfo, RunKind,
    ShardLoad, Sight, StepEnd, StepStart, TargetSample, Tick, Timing,
};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

const SECOND_NS: u64 = 1_000_000_000;
const PLAN: &str = "{\"name\": \"golden\"}\n";

/// The version that is written.
const VERSION: u32 = 2;

fn info(version: u32) -> RunInfo {
    RunInfo {
        format: format!("plimsoll.run/{version}"),
        kind: RunKind::Capacity,
        started_at: "2026-01-02T03:04:05.678Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: vec![0.5, 0.99],
        marks_end: version > 1,
    }
}

fn host() -> Host {
    Host {
        kernel: "Linux 6.18.0".to_owned(),
        cpu_model: "Some CPU".to_owned(),
        cores: 2,
        memory_bytes: 8 << 30,
        generator_cpus: vec![1],
        target_cpus: vec![0],
        io: "mio".to_owned(),
        ..Host::default()
    }
}

fn sample(second: u64) -> TargetSample {
    TargetSample {
        at_ns: second * SECOND_NS,
        cpu_ns: 400_000_000 + second * 250_000_000,
        cores: 1,
        rss_bytes: (80 + second) << 20,
        processes: 1,
        threads: 11,
        sockets: 17,
        descriptors: None,
        context_switches_voluntary: 1000 * second,
        context_switches_involuntary: 10 * second,
        group: None,
    }
}

/// Second `second` of the run: 100 responses, the slowest in the last one, where the service fails. From version 2 on, those with an
/// even number are to a second request.
fn tick(version: u32, second: u64, step: u32, index: u32) -> Record<'static> {
    let failing = second == 4;
    let mut tick = Tick {
        index,
        start_ns: second * SECOND_NS,
        duration_ns: SECOND_NS,
        draining: failing,
        ..Tick::default()
    };
    for n in 0..100 {
        let service_ns = 1_000_000 + n * 10_007;
        tick.durations[Timing::ServiceTime].record(service_ns);
        tick.durations[Timing::ResponseTime].record(service_ns + second * 123_456);
        if !failing {
            tick.durations[Timing::ScheduleLag].record(n * 100);
        }
    }
    if version > 1 {
        let mut requests = [Durations::default(), Durations::default()];
        for n in 0..100 {
            let service_ns = 1_000_000 + n * 10_007;
            requests[(n % 2) as usize][Timing::ServiceTime].record(service_ns);
            requests[(n % 2) as usize][Timing::ResponseTime].record(service_ns + second * 123_456);
        }
        tick.durations.requests = requests.to_vec();
        tick.requests = vec![Counters::default(); 2];
        tick.requests.iter_mut().for_each(|counters| counters.completed = 50);
        let example = Example::new(Sight::Failure(ErrorClass::Status), 7, "status 2xx", "status 500", b"no");
        tick.examples.add(example.of_request("order"));
    }
    tick.counters.scheduled = if failing { 0 } else { 100 };
    tick.counters.sent = tick.counters.scheduled;
    tick.counters.completed = 100;
    tick.counters.passed = if failing { 90 } else { 100 };
    tick.counters.received_bytes = 12_345;
    tick.counters.status = [0, tick.counters.passed, 0, 0, 100 - tick.counters.passed];
    if failing {
        tick.counters.errors.add(ErrorClass::Status, 10);
        tick.counters.errors.add(ErrorClass::ResponseTimeout, 3);
    }
    tick.gauges = Gauges {
        in_flight: 3,
        queued: 1,
        connections: 16,
        clients: None,
        users: None,
    };
    tick.generator = GeneratorLoad {
        shards: vec![ShardLoad {
            cpu_ns: 123_456_789,
            elapsed_ns: SECOND_NS + 1,
            wake_lag_p99_ns: 54_321,
            ..ShardLoad::default()
        }],
        ..GeneratorLoad::default()
    };
    Record::Tick {
        line: tick.line(step, &info(version).quantiles),
        durations: Cow::Owned(tick.durations),
        // It is gone at the end.
        target: (!failing).then(|| sample(second + 1)),
    }
}

fn records(version: u32) -> Vec<Record<'static>> {
    let tick = |second, step, index| tick(version, second, step, index);
    let start = |step: u32, second: u64| {
        Record::StepStart(StepStart {
            step,
            at_ns: second * SECOND_NS,
            rate_micro_per_s: (step == 0).then_some(100_000_000),
            users: None,
            connections: None,
            planned_ns: Some(2 * SECOND_NS),
            warm_up_ns: SECOND_NS / 2,
            warms_up: false,
            target: Some(sample(second)),
        })
    };
    let end = |step: u32, second: u64, cut_short: bool| {
        Record::StepEnd(StepEnd {
            step,
            at_ns: second * SECOND_NS,
            cut_short,
        })
    };
    vec![
        start(0, 0),
        tick(0, 0, 0),
        tick(1, 0, 1),
        end(0, 2, false),
        start(1, 2),
        tick(2, 1, 0),
        tick(3, 1, 1),
        tick(4, 1, 2),
        Record::Note(Note {
            at_ns: 5 * SECOND_NS,
            kind: NoteKind::TargetDied,
            message: "the service exited with status 1".to_owned(),
            hint: Some("see service.log".to_owned()),
        }),
        end(1, 5, true),
    ]
}

/// What a reader of the report would miss if it changed, as text that can be compared by eye.
fn summary(records: &[Record<'_>]) -> String {
    let mut text = String::new();
    for record in records {
        let line = match record {
            Record::StepStart(start) => format!("step {} at {} s", start.step, start.at_ns / SECOND_NS),
            Record::Tick {
                line,
                durations,
                target,
            } => {
                let (p50, p99) = (
                    durations[Timing::ResponseTime].quantile_ns(0.5),
                    durations[Timing::ResponseTime].quantile_ns(0.99),
                );
                let errors: Vec<_> = line.counters.errors.iter().collect();
                let cpu_ns = target.map(|target| target.cpu_ns);
                let (count, lag) = (
                    durations[Timing::ResponseTime].count(),
                    durations[Timing::ScheduleLag].count(),
                );
                let index = line.index;
                let counts = durations
                    .requests
                    .iter()
                    .map(|request| request[Timing::ResponseTime].count());
                let of_requests = match counts.collect::<Vec<_>>() {
                    counts if counts.is_empty() => String::new(),
                    counts => format!(", requests {counts:?}"),
                };
                format!(
                    "tick {index}: {count} answers, p50 {p50} ns, p99 {p99} ns, {lag} lags, {errors:?}, cpu {cpu_ns:?}{of_requests}"
                )
            }
            Record::Instances(sample) => format!("{sample:?}"),
            Record::Collection(mark) => format!("{mark:?}"),
            Record::Kept(sample) => format!("{sample:?}"),
            Record::LoopDelays(told) => format!("{told:?}"),
            Record::Neighbour(seen) => format!("neighbour {} at {} ns", seen.name, seen.sample.at_ns),
            Record::Machine(sample) => format!("{sample:?}"),
            Record::Shock(mark) => format!("{mark:?}"),
            Record::StepEnd(end) => format!("end of step {}, cut short: {}", end.step, end.cut_short),
            Record::Note(note) => format!("{:?}: {}", note.kind, note.message),
            Record::RunEnd(end) => format!("{end:?}"),
        };
        writeln!(text, "{line}").expect("writing to memory");
    }
    text
}

fn read(version: u32) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/v{version}"));
    let reader = RunReader::open(&directory).expect("a run");
    assert_eq!(reader.info(), &info(version));
    assert_eq!(reader.host(), Some(&host()));
    assert_eq!(reader.plan_json(), Some(PLAN));
    let expected = records(version);
    let mut wanted = expected.iter();
    let mut found = Vec::new();
    reader
        .for_each(|record| {
            assert_eq!(Some(&record), wanted.next());
            found.extend(summary(&[record]).lines().map(str::to_owned));
        })
        .expect("readable");
    assert_eq!(wanted.next(), None);
    found.join("\n")
}

#[test]
fn version_1_is_read() {
    insta::assert_snapshot!(read(1));
}

#[test]
fn version_2_is_read() {
    insta::assert_snapshot!(read(2));
}

/// A new version of the format starts with a directory of its own: run this, and copy what it makes to `golden/vN`.
#[test]
#[ignore = "makes a directory to keep"]
fn write_a_golden_run() {
    let mut writer = RunWriter::create(Path::new(env!("CARGO_TARGET_TMPDIR")), &info(VERSION), PLAN).expect("created");
    writer.host(&host()).expect("written");
    for record in records(VERSION) {
        writer.append(&record).expect("appended");
    }
    println!("{}", writer.path().display());
}
