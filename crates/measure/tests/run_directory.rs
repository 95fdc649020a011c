//! What is written to a run directory is what is read from it, also when files are torn or gone.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

use plimsoll_files::Directory;
use plimsoll_measure::run_directory::{Budget, DirectoryError, MOST_PROFILES_BYTES, RunReader, RunWriter};
use plimsoll_measure::{
    Counters, Durations, Ended, ErrorClass, Host, Note, NoteKind, Record, Resource, RunEnd, RunInfo, RunKind,
    ShardLoad, StepEnd, StepStart, Taken, TargetSample, Tick, TickDurations, Timing,
};
use proptest::prelude::*;
use std::borrow::Cow;
use std::fs;
use std::path::Path;

const PLAN: &str = "{\n  \"name\": \"a plan\"\n}\n";

fn info() -> RunInfo {
    RunInfo {
        format: RunInfo::format(),
        kind: RunKind::Run,
        started_at: "2026-01-02T03:04:05.678Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: vec![0.5, 0.9, 0.99, 0.999],
        marks_end: true,
    }
}

fn write(parent: &Path, records: &[Record<'_>]) -> RunWriter {
    let mut writer = RunWriter::create(parent, &info(), PLAN).expect("created");
    for record in records {
        writer.append(record).expect("appended");
    }
    writer
}

fn read(directory: &Path) -> Vec<Record<'static>> {
    let mut records = Vec::new();
    RunReader::open(directory)
        .expect("a run")
        .for_each(|record| records.push(owned(record)))
        .expect("readable");
    records
}

fn owned(record: Record<'_>) -> Record<'static> {
    match record {
        Record::StepStart(start) => Record::StepStart(start),
        Record::Tick {
            line,
            durations,
            target,
        } => Record::Tick {
            line,
            durations: Cow::Owned(durations.into_owned()),
            target,
        },
        Record::Machine(sample) => Record::Machine(sample),
        Record::StepEnd(end) => Record::StepEnd(end),
        Record::Note(note) => Record::Note(note),
        Record::RunEnd(end) => Record::RunEnd(end),
    }
}

fn warnings(records: &[Record<'_>]) -> Vec<String> {
    records
        .iter()
        .filter_map(|record| match record {
            Record::Note(note) if matches!(note.kind, NoteKind::Warning | NoteKind::Torn) => Some(note.message.clone()),
            _ => None,
        })
        .collect()
}

/// Anything from under a microsecond to above the greatest value that a histogram tells apart.
/// What a line may hold; above, it counts as torn.
fn any_number() -> impl Strategy<Value = u64> {
    0..1_000_000_000_000_000_000_u64
}

fn any_duration_ns() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..1000, 0_u64..1_000_000_000, any::<u64>()]
}

fn any_durations() -> impl Strategy<Value = Durations> {
    let some = || prop::collection::vec(any_duration_ns(), 0..20);
    (some(), some(), some()).prop_map(|(response_time, service_time, schedule_lag)| {
        let mut durations = Durations::default();
        response_time
            .into_iter()
            .for_each(|ns| durations[Timing::ResponseTime].record(ns));
        service_time
            .into_iter()
            .for_each(|ns| durations[Timing::ServiceTime].record(ns));
        schedule_lag
            .into_iter()
            .for_each(|ns| durations[Timing::ScheduleLag].record(ns));
        durations
    })
}

fn any_sample() -> impl Strategy<Value = Option<TargetSample>> {
    prop::option::of(prop::array::uniform5(any_number()).prop_map(|n| TargetSample {
        at_ns: n[0],
        cpu_ns: n[1],
        cores: 2,
        rss_bytes: n[2],
        processes: 3,
        threads: 40,
        sockets: 500,
        context_switches_voluntary: n[3],
        context_switches_involuntary: n[4],
    }))
}

fn any_note() -> impl Strategy<Value = Note> {
    let kind = prop_oneof![
        Just(NoteKind::Interrupted),
        Just(NoteKind::TargetDied),
        Just(NoteKind::PortTaken)
    ];
    (any_number(), kind, any::<String>(), any::<Option<String>>()).prop_map(|(at_ns, kind, message, hint)| Note {
        at_ns,
        kind,
        message,
        hint,
    })
}

/// A tick without its place in the run.
fn any_tick() -> impl Strategy<Value = (Tick, Option<TargetSample>)> {
    let requests = prop::collection::vec(any_durations(), 0..3);
    let durations = (any_durations(), requests).prop_map(|(all, requests)| TickDurations { all, requests });
    (durations, any_sample(), any::<[u32; 9]>(), any::<bool>()).prop_map(|(durations, target, n, draining)| {
        let mut tick = Tick {
            draining,
            requests: vec![Counters::default(); durations.requests.len()],
            durations,
            ..Tick::default()
        };
        for (request, counters) in tick.requests.iter_mut().enumerate() {
            counters.passed = u64::from(n[request]);
        }
        tick.duration_ns = u64::from(n[0]);
        tick.counters.scheduled = u64::from(n[1]);
        tick.counters.status[4] = u64::from(n[2]);
        tick.counters.errors.add(ErrorClass::ResponseTimeout, u64::from(n[3]));
        tick.counters.errors.add(ErrorClass::NoPort, u64::from(n[4] % 2));
        tick.gauges.in_flight = u64::from(n[5]);
        tick.generator.shards = vec![
            ShardLoad {
                cpu_ns: u64::from(n[6]),
                spun_ns: u64::from(n[6] / 2),
                elapsed_ns: u64::from(n[7]),
                wake_lag_p99_ns: u64::from(n[8]),
            };
            (n[6] % 3) as usize
        ];
        tick.generator.softirq_share_max = (n[7] % 2 == 0).then(|| f64::from(n[8] % 100) / 100.0);
        tick.generator.throttled_share = (n[8] % 2 == 0).then(|| f64::from(n[7] % 100) / 100.0);
        tick.generator.resources = vec![
            Taken {
                resource: Resource::Descriptors,
                taken: u64::from(n[5]),
                of: u64::from(n[6]),
            };
            (n[8] % 2) as usize
        ];
        (tick, target)
    })
}

/// A stream as a run makes it: steps and ticks count up, time goes on, sometimes by nothing.
fn any_run() -> impl Strategy<Value = Vec<Record<'static>>> {
    let step = (
        any_sample(),
        prop::option::of(any_number()),
        prop::collection::vec((any_tick(), prop::option::weighted(0.2, any_note())), 0..4),
        any::<bool>(),
    );
    (prop::collection::vec(step, 0..4), any::<u32>()).prop_map(|(steps, start)| {
        let mut now_ns = u64::from(start);
        let mut records = Vec::new();
        for (step, (target, rate, ticks, cut_short)) in (0..).zip(steps) {
            records.push(Record::StepStart(StepStart {
                step,
                at_ns: now_ns,
                rate_micro_per_s: rate,
                planned_ns: rate,
                warm_up_ns: 7,
                warms_up: false,
                target,
            }));
            for (index, ((mut tick, target), note)) in (0..).zip(ticks) {
                tick.index = index;
                tick.start_ns = now_ns;
                now_ns += tick.duration_ns;
                records.push(Record::Tick {
                    line: tick.line(step, &info().quantiles),
                    durations: Cow::Owned(tick.durations),
                    target,
                });
                records.extend(note.map(Record::Note));
            }
            let end = StepEnd {
                step,
                at_ns: now_ns,
                cut_short,
            };
            records.push(Record::StepEnd(end));
        }
        records
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_run_is_read_as_it_was_written(records in any_run()) {
        let parent = tempfile::tempdir().expect("a directory");
        let writer = write(parent.path(), &records);
        prop_assert_eq!(read(writer.path()), records);
    }

    /// Whatever a crash leaves: reading does not fail, invents nothing, and says when something is gone.
    #[test]
    fn a_torn_run_yields_what_is_whole(
        records in any_run(),
        cut in prop::sample::select(vec!["ticks.jsonl", "latency.hlog", "target.jsonl"]),
        left in 0.0..1.0_f64,
    ) {
        let parent = tempfile::tempdir().expect("a directory");
        let writer = write(parent.path(), &records);
        let file = writer.path().join(cut);
        let content = fs::read(&file).expect("written");
        let left = (content.len() as f64 * left) as usize;
        fs::write(&file, &content[..left]).expect("cut");

        let found = read(writer.path());
        let warned = !warnings(&found).is_empty();
        let mut written = records.iter();
        for record in found.iter().filter(|r| !matches!(r, Record::Note(n) if matches!(n.kind, NoteKind::Warning | NoteKind::Torn))) {
            let original = written.next().expect("no more records than were written");
            match (record, original) {
                (
                    Record::Tick { line, durations, target },
                    Record::Tick { line: line0, durations: durations0, target: target0 },
                ) => {
                    prop_assert_eq!(line, line0);
                    prop_assert!(durations == durations0 || (warned && cut == "latency.hlog"));
                    prop_assert!(target == target0 || (target.is_none() && cut == "target.jsonl"));
                }
                (Record::StepStart(start), Record::StepStart(start0)) => {
                    let whole = StepStart { target: start0.target, ..start.clone() };
                    prop_assert_eq!(&whole, start0);
                }
                _ => prop_assert_eq!(record, original),
            }
        }
        let mid_line = left > 0 && content[left - 1] != b'\n';
        if cut == "ticks.jsonl" && mid_line && content[left] != b'\n' {
            prop_assert!(warned, "a torn line is worth a note");
        }
        if cut != "ticks.jsonl" {
            prop_assert_eq!(written.next(), None);
        }
    }
}

/// One step of two ticks without an end, each with histograms and a sample.
fn small_run() -> Vec<Record<'static>> {
    let tick = |index: u32| {
        let mut tick = Tick {
            index,
            start_ns: u64::from(index) * 1_000_000_000,
            duration_ns: 1_000_000_000,
            ..Tick::default()
        };
        tick.durations[Timing::ResponseTime].record(1000);
        tick.durations[Timing::ServiceTime].record(900);
        Record::Tick {
            line: tick.line(0, &[0.5]),
            durations: Cow::Owned(tick.durations),
            target: Some(TargetSample::default()),
        }
    };
    let start = StepStart {
        step: 0,
        at_ns: 0,
        rate_micro_per_s: None,
        planned_ns: None,
        warm_up_ns: 0,
        warms_up: false,
        target: None,
    };
    vec![Record::StepStart(start), tick(0), tick(1)]
}

#[test]
fn optional_files_may_be_missing() {
    let parent = tempfile::tempdir().expect("a directory");
    let writer = write(parent.path(), &small_run());
    writer.host(&Host::default()).expect("written");
    for name in ["host.json", "plan.json", "latency.hlog", "target.jsonl"] {
        fs::remove_file(writer.path().join(name)).expect("removed");
    }
    let reader = RunReader::open(writer.path()).expect("still a run");
    assert_eq!((reader.host(), reader.plan_json()), (None, None));
    let records = read(writer.path());
    assert_eq!(records.len(), 4);
    assert_eq!(
        warnings(&records),
        ["2 ticks have lost histograms: latency.hlog is missing or torn"]
    );

    fs::remove_file(writer.path().join("ticks.jsonl")).expect("removed");
    assert_eq!(
        warnings(&read(writer.path())),
        ["ticks.jsonl is missing: the run has no figures"]
    );
}

#[test]
fn what_stands_beside_the_records_is_read() {
    let parent = tempfile::tempdir().expect("a directory");
    let writer = write(parent.path(), &[]);
    let host = Host {
        cores: 4,
        target_cpus: vec![0, 1],
        ..Host::default()
    };
    writer.host(&host).expect("written");
    writer.findings("{}").expect("written");
    let reader = RunReader::open(writer.path()).expect("a run");
    assert_eq!(reader.info(), &info());
    assert_eq!(reader.host(), Some(&host));
    assert_eq!(reader.plan_json(), Some(PLAN));
}

#[test]
fn a_hole_in_the_histograms_does_not_shift_the_others() {
    let parent = tempfile::tempdir().expect("a directory");
    let records = small_run();
    let writer = write(parent.path(), &records);
    let file = writer.path().join("latency.hlog");
    let text = fs::read_to_string(&file).expect("text");
    let first = text
        .lines()
        .find(|line| line.starts_with("Tag=response_time"))
        .expect("a line");
    fs::write(&file, text.replace(first, "Tag=response_time,0.0")).expect("damaged");

    let found = read(writer.path());
    assert_eq!(found[2], records[2]);
    let Record::Tick { durations, .. } = &found[1] else {
        panic!("{found:?}")
    };
    assert_eq!(durations[Timing::ServiceTime].count(), 1);
    assert_eq!(durations[Timing::ResponseTime].count(), 0);
    assert_eq!(warnings(&found).len(), 1);
}

/// A small run to its end, as lines.
fn ended_run() -> Vec<Record<'static>> {
    let mut records = small_run();
    records.push(Record::StepEnd(StepEnd {
        step: 0,
        at_ns: 2_000_000_000,
        cut_short: false,
    }));
    records.push(Record::Note(Note {
        at_ns: 2_000_000_000,
        kind: NoteKind::TargetDied,
        message: "it ended".to_owned(),
        hint: None,
    }));
    records.push(Record::RunEnd(RunEnd {
        at_ns: 2_000_000_001,
        ended: Ended::Complete,
    }));
    records
}

#[test]
fn a_record_that_is_lost_is_noticed_without_a_torn_line() {
    for counted in [true, false] {
        let parent = tempfile::tempdir().expect("a directory");
        let writer = write(parent.path(), &ended_run());
        let file = writer.path().join("ticks.jsonl");
        let mut text = fs::read_to_string(&file).expect("text");
        if !counted {
            text = text.replace(",\"records\":5", "");
        }
        let lines: Vec<_> = text.lines().collect();
        for lost in 0..lines.len() - 1 {
            let left: Vec<_> = [&lines[..lost], &lines[lost + 1..]].concat();
            fs::write(&file, left.join("\n")).expect("written");
            let found = warnings(&read(writer.path()));
            // From before records were counted: a note leaves no gap.
            let seen = counted || lost != 4;
            assert_eq!(!found.is_empty(), seen, "{found:?} without line {lost}");
        }
    }
}

#[test]
fn records_behind_the_end_are_left_out_and_noticed() {
    let parent = tempfile::tempdir().expect("a directory");
    let records = ended_run();
    let writer = write(parent.path(), &records);
    let file = writer.path().join("ticks.jsonl");
    let text = fs::read_to_string(&file).expect("text");
    let tick = text.lines().nth(1).expect("a tick");
    fs::write(&file, format!("{text}{tick}\n")).expect("written");
    let found = read(writer.path());
    assert_eq!(found[..records.len()], records);
    assert_eq!(
        warnings(&found),
        ["1 record after the end of the run in ticks.jsonl is left out"]
    );
}

#[test]
fn what_later_versions_add_is_ignored() {
    let parent = tempfile::tempdir().expect("a directory");
    let records = small_run();
    let writer = write(parent.path(), &records);
    for name in ["run.json", "ticks.jsonl", "target.jsonl"] {
        let file = writer.path().join(name);
        let text = fs::read_to_string(&file).expect("text");
        fs::write(&file, text.replacen('{', "{\"new\":[{}],", 1)).expect("written");
    }
    let ticks = writer.path().join("ticks.jsonl");
    let text = fs::read_to_string(&ticks).expect("text");
    fs::write(&ticks, format!("{{\"type\":\"probe\",\"gc_ns\":5}}\n{text}")).expect("written");
    assert_eq!(read(writer.path()), records);
}

#[test]
fn what_is_no_run_is_refused_in_words() {
    let parent = tempfile::tempdir().expect("a directory");
    let message = |path: &Path| {
        let error = RunReader::open(path).expect_err("refused");
        error.to_string().replace(&parent.path().display().to_string(), "P")
    };
    assert_eq!(
        message(parent.path()),
        "read P as a run directory: it is a directory without run.json"
    );
    assert_eq!(
        message(&parent.path().join("none")),
        "read P/none as a run directory: it does not exist"
    );

    let run = parent.path().join("run.json");
    fs::write(&run, "{\"format\":\"k6\"}").expect("written");
    assert_eq!(message(&run), "read P/run.json as a run directory: it is a file");
    assert_eq!(
        message(parent.path()),
        "read P/run.json: found the format \"k6\", expected plimsoll.run/2"
    );

    fs::write(&run, "{\"format\":\"plimsoll.run/12\"}").expect("written");
    assert_eq!(
        message(parent.path()),
        "read P/run.json: found plimsoll.run/12, expected plimsoll.run/2 or older"
    );
    let error = RunReader::open(parent.path()).expect_err("refused");
    assert!(matches!(error, DirectoryError::Newer { .. }));
    assert_eq!(error.hint().as_deref(), Some("update plimsoll"));

    fs::write(&run, "{\"format\":\"plimsoll.run/1\"").expect("written");
    assert!(
        message(parent.path()).starts_with("read P/run.json: EOF while parsing"),
        "{}",
        message(parent.path())
    );
}

/// A file of so many MiB.
fn large(path: &Path, line: &str, mib: usize) {
    let line = format!("{line}{}\n", " ".repeat((1 << 20) - line.len() - 1));
    fs::write(path, line.repeat(mib)).expect("written");
}

#[test]
fn profiles_together_are_read_up_to_a_limit() {
    let parent = tempfile::tempdir().expect("a directory");
    let writer = write(parent.path(), &[]);
    let first = writer.path().join("profile-000.cpuprofile");
    large(&first, "{}", 14);
    for number in 1..120 {
        let other = writer.path().join(format!("profile-{number:03}.cpuprofile"));
        fs::hard_link(&first, other).expect("linked");
    }
    fs::hard_link(&first, writer.path().join("allocations-0.heapprofile")).expect("linked");
    let reader = RunReader::open(writer.path()).expect("a run");
    let mut bytes = 0;
    let left_out = reader.for_each_profile(|profile| bytes += profile.json.len() as u64);
    assert_eq!(bytes, 56 << 20);
    assert!(bytes <= MOST_PROFILES_BYTES);
    assert_eq!(
        left_out.expect("readable").expect("some are left out"),
        "116 of 120 files *.cpuprofile are left out: beyond the 64 MiB that a directory may hold in such files"
    );
    let left_out = reader.for_each_allocations(|_| panic!("nothing is left for it"));
    assert!(
        left_out
            .expect("readable")
            .is_some_and(|left_out| left_out.starts_with("1 of 1 files *.heapprofile"))
    );
}

#[test]
fn records_of_all_rounds_are_read_up_to_a_limit() {
    let parent = tempfile::tempdir().expect("a directory");
    let first = parent.path().join("ticks.jsonl");
    large(&first, r#"{"type":"later"}"#, 40);
    let budget = Budget::default();
    let warned: Vec<Vec<String>> = (0..5)
        .map(|_| {
            let writer = write(parent.path(), &[]);
            let ticks = writer.path().join("ticks.jsonl");
            fs::remove_file(&ticks).expect("removed");
            fs::hard_link(&first, &ticks).expect("linked");
            let directory = Directory::open(writer.path()).expect("a directory");
            let mut records = Vec::new();
            RunReader::of(directory, &budget)
                .expect("a run")
                .for_each(|record| records.push(owned(record)))
                .expect("readable");
            assert!(
                records
                    .iter()
                    .all(|record| matches!(record, Record::Note(note) if note.kind == NoteKind::Torn))
            );
            warnings(&records)
        })
        .collect();
    let limit = "beyond the 128 MiB that a directory may hold in such files";
    assert_eq!(warned[..3], [[""; 0], [""; 0], [""; 0]]);
    assert_eq!(warned[3], [format!("ticks.jsonl is left out from line 9 on: {limit}")]);
    assert_eq!(warned[4], [format!("ticks.jsonl is left out from line 1 on: {limit}")]);
}
