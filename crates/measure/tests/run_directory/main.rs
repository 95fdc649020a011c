//! What is written to a run directory is what is read from it, also when files are torn or gone.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod any;
mod limits;

use any::any_run;
use plimsoll_measure::run_directory::{DirectoryError, RunReader, RunWriter};
use plimsoll_measure::{
    Ended, Host, Note, NoteKind, Record, RunEnd, RunInfo, RunKind, StepEnd, StepStart, TargetSample, Tick, Timing,
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
        Record::Collection(mark) => Record::Collection(mark),
        Record::Kept(sample) => Record::Kept(sample),
        Record::LoopDelays(told) => Record::LoopDelays(told),
        Record::Instances(sample) => Record::Instances(sample),
        Record::Neighbour(sample) => Record::Neighbour(sample),
        Record::Shock(mark) => Record::Shock(mark),
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

    /// However far it came with its last record, what is added behind is read as if it had never been cut off.
    #[test]
    fn a_run_that_was_cut_off_goes_on(records in any_run(), at in 0.0..1.0_f64, left in 0.0..=1.0_f64) {
        // A record is written in this order.
        const FILES: [&str; 3] = ["latency.hlog", "target.jsonl", "ticks.jsonl"];
        prop_assume!(!records.is_empty());
        let parent = tempfile::tempdir().expect("a directory");
        let at = (records.len() as f64 * at) as usize;
        let content = |writer: &RunWriter| FILES.map(|file| fs::read(writer.path().join(file)).expect("written"));
        let without = content(&write(parent.path(), &records[..at]));
        let writer = write(parent.path(), &records[..=at]);
        let with = content(&writer);
        let path = writer.path().to_owned();
        let alive = RunWriter::resume(&path).err().expect("it is being written");
        prop_assert!(alive.to_string().contains("its run still goes on"), "{}", alive);
        drop(writer);
        let added = with.iter().zip(&without).map(|(with, without)| with.len() - without.len());
        let added: usize = added.sum();
        let written = (added as f64 * left).round() as usize;
        let mut unspent = written;
        for ((file, with), without) in FILES.iter().zip(&with).zip(&without) {
            let kept = unspent.min(with.len() - without.len());
            unspent -= kept;
            fs::write(path.join(file), &with[..without.len() + kept]).expect("cut");
        }

        let mut writer = RunWriter::resume(&path).expect("nobody writes it");
        for record in &records[at + usize::from(written == added)..] {
            writer.append(record).expect("appended");
        }
        prop_assert_eq!(read(&path), records);
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
        users: None,
        connections: None,
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
