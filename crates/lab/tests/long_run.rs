//! A long run on a virtual clock: the engine, the run directory and the findings take no more memory
//! after hours than after minutes.
//!
//! `PLIMSOLL_HOURS=24 cargo test --release -p plimsoll-lab --test long_run -- --nocapture` runs a whole day.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]
#![cfg(target_os = "linux")]

use plimsoll_analysis::Fold;
use plimsoll_engine::backend::Io;
use plimsoll_engine::{Control, Generator, Job, LaidOut, Ticks};
use plimsoll_measure::run_directory::{RunReader, RunWriter};
use plimsoll_measure::{Host, Record, RunInfo, RunKind, StepEnd, StepStart};
use plimsoll_plan::{Address, Arrivals, Load, OpenLoad, Plan, Rate};
use plimsoll_schedule::AgentShare;
use plimsoll_sim::backend::VirtualBackend;
use std::borrow::Cow;
use std::fs;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
/// Of a run as long as was asked for.
const RATE_PER_S: u32 = 1000;
/// Of an hour: were eight bytes of each request kept, it would end with nearly three times as much as is allowed.
const RATE_OF_AN_HOUR_PER_S: u32 = 250;
/// The allocator gives memory back in pieces; this much may come and go.
const SLACK_BYTES: u64 = 2 << 20;

/// Memory of this process that is not file-backed, bytes.
fn resident_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has /proc");
    let line = status
        .lines()
        .find(|line| line.starts_with("RssAnon:"))
        .expect("kernels since 4.5 have it");
    let kib: u64 = line
        .split_whitespace()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("a number of KiB");
    kib << 10
}

#[test]
fn memory_is_flat_over_hours() {
    let (hours, rate) = match std::env::var("PLIMSOLL_HOURS") {
        Ok(text) => (text.parse().expect("a number of hours"), Rate::per_s(RATE_PER_S)),
        Err(_) => (1_u32, Rate::per_s(RATE_OF_AN_HOUR_PER_S)),
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let load = OpenLoad::constant(rate, HOUR * hours, Arrivals::Poisson);
    let plan = Plan::for_url("http://127.0.0.1:80/")
        .expect("a URL")
        .with(|plan| plan.load = Load::Open(load))
        .expect("a valid plan");
    let info = RunInfo {
        format: RunInfo::format(),
        kind: RunKind::Run,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        version: "0".to_owned(),
        quantiles: vec![0.5, 0.99],
        marks_end: true,
    };
    let mut writer = RunWriter::create(directory.path(), &info, &plan.to_json()).expect("a run directory");
    let mut fold = Fold::new(&plan, &info, &Host::default());
    let mut push = |record: &Record<'_>| {
        writer.append(record).expect("the disk has room");
        fold.push(record);
    };

    let job = Job {
        hidden: plimsoll_engine::Hidden::default(),
        requests: LaidOut::http1(plan.scenario(), &plan.target().url, true, 0).expect("a valid scenario"),
        load: plan.load().clone(),
        seed: plan.seed(),
        first: 0,
        share: AgentShare::WHOLE,
        connections: plan.connections(),
        remote: Address::Tcp("127.0.0.1:80".parse().expect("an address")),
        tls: None,
        tunnel: None,
        generator: Generator::single(Io::Mio),
        ticks: Ticks::each(plan.judging().window),
        zero_ns: 0,
        actions: None,
    };
    push(&Record::StepStart(StepStart {
        step: 0,
        at_ns: 0,
        rate_micro_per_s: Some(rate.micro_per_s()),
        users: None,
        connections: None,
        planned_ns: None,
        warm_up_ns: 0,
        warms_up: false,
        target: None,
    }));
    // Two to ten milliseconds, different for each request.
    let service = |arrived_ns: u64| arrived_ns + 2_000_000 + arrived_ns.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 8_000_000;
    let settled_at = u32::from(hours > 1) * 3600 + 600;
    let mut settled_bytes = 0;
    let mut last_ns = 0;
    job.run_on(VirtualBackend::new(service), |tick| {
        last_ns = tick.start_ns + tick.duration_ns;
        let line = tick.line(0, &info.quantiles);
        push(&Record::Tick {
            line,
            durations: Cow::Borrowed(&tick.durations),
            target: None,
        });
        if tick.index == settled_at {
            settled_bytes = resident_bytes();
        }
        if tick.index.is_multiple_of(3600) {
            println!("hour {:>2}: {:>6} KiB", tick.index / 3600, resident_bytes() >> 10);
        }
        Control::Continue
    });
    let grown_bytes = resident_bytes().saturating_sub(settled_bytes);
    push(&Record::StepEnd(StepEnd {
        step: 0,
        at_ns: last_ns,
        cut_short: false,
    }));
    assert!(
        grown_bytes < SLACK_BYTES,
        "grew by {grown_bytes} bytes from {settled_bytes}"
    );

    let live = fold.findings();
    assert_eq!(live.totals.errors, 0, "{:?}", live.errors);
    assert_eq!(live.totals.completed, live.totals.scheduled);
    assert!(live.timeline.len() <= 600);

    // What is read back is what was seen, and reading takes no more memory either.
    let reader = RunReader::open(writer.path()).expect("a run directory");
    let mut replayed = Fold::new(&plan, &info, &Host::default());
    reader.for_each(|record| replayed.push(&record)).expect("whole records");
    let grown_bytes = resident_bytes().saturating_sub(settled_bytes);
    assert!(grown_bytes < 3 * SLACK_BYTES, "reading grew by {grown_bytes} bytes");
    assert_eq!(replayed.findings(), live);
}
