//! What counters and profiles come to, cause by cause, and that nothing is said of a healthy service.

mod asked;
mod bound;
mod counted;
mod layers;
mod made;
mod messages;
mod packages;
mod profiled;
mod runtime;
mod shown;
mod upstream;

use plimsoll_analysis::{Fold, condition};
use plimsoll_diagnosis::{CounterFold, Passes, diagnose};
use plimsoll_findings::{
    Bound, CauseKind, Diagnosis, EndedBecause, Evidence, Findings, LoadLine, Notice, Predicted, SpentOn, Verdict,
};
use plimsoll_measure::probe::{
    CallSite, ConnectionPoolCounter, FunctionCounter, Pauses, ProbeCounters, ProbeHello, ProbeLine, ProbeMessage,
    SiteCounter, SiteFrame, UpstreamCounter,
};
use plimsoll_measure::{
    Call, Frame, Host, Profile, ProfileText, Record, RunInfo, RunKind, StepStart, TargetSample, Tick, Timing,
};
use plimsoll_plan::{Objective, Plan};
use std::borrow::Cow;
use std::cell::RefCell;

const MS: u64 = 1_000_000;
/// Requests in the window, each of which takes this long and this much CPU.
const REQUESTS: u64 = 1000;
const REQUEST_NS: u64 = MS;
const CPU_US: f64 = 800.0;
/// A pass keeps so much of one core busy.
const CORES_BUSY: f64 = 0.3;

fn plan() -> Plan {
    let text = "target: { url: 'http://127.0.0.1:3000/', command: node server.js }\n";
    Plan::parse(text, "plan.yaml").expect("a plan")
}

/// A plain pass on one core.
fn plain() -> Findings {
    const SECOND_NS: u64 = 1_000_000_000;
    let info = RunInfo {
        format: RunInfo::format(),
        kind: RunKind::Plain,
        started_at: "2025-01-01T00:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: vec![0.5, 0.99],
        marks_end: true,
    };
    let sample = |second: u64| TargetSample {
        at_ns: second * SECOND_NS,
        cpu_ns: second * SECOND_NS / 3,
        cores: 1,
        ..TargetSample::default()
    };
    let mut fold = Fold::new(&plan(), &info, &Host::default());
    fold.push(&Record::StepStart(StepStart {
        step: 0,
        at_ns: 0,
        rate_micro_per_s: None,
        users: None,
        connections: None,
        planned_ns: Some(3 * SECOND_NS),
        warm_up_ns: 0,
        warms_up: false,
        target: Some(sample(0)),
    }));
    for second in 0..3 {
        let mut tick = Tick {
            start_ns: second * SECOND_NS,
            duration_ns: SECOND_NS,
            ..Tick::default()
        };
        for _ in 0..REQUESTS {
            tick.durations[Timing::ResponseTime].record(REQUEST_NS);
            tick.durations[Timing::ServiceTime].record(REQUEST_NS);
        }
        tick.counters.scheduled = REQUESTS;
        tick.counters.completed = REQUESTS;
        tick.counters.passed = REQUESTS;
        fold.push(&Record::Tick {
            line: tick.line(0, &info.quantiles),
            durations: Cow::Borrowed(&tick.durations),
            target: Some(sample(second + 1)),
        });
    }
    let mut findings = fold.findings();
    let service = findings.target_resources.as_mut().expect("it was sampled");
    service.cores = 1;
    service.cpu_share = CORES_BUSY;
    service.cpu_us_per_request = Some(CPU_US);
    findings.verdict = Verdict::Passed;
    findings
}

/// A window in which a healthy service responded.
fn healthy() -> ProbeCounters {
    let mut counters = ProbeCounters {
        since_ms: 10_000.0,
        ..ProbeCounters::default()
    };
    counters.requests.started = REQUESTS;
    counters.requests.followed = REQUESTS;
    counters.requests.followed_ns = REQUESTS * REQUEST_NS;
    counters.requests.connections = 8;
    counters.responses.sampled = 200;
    counters.responses.get = 200;
    counters.pool.canaries = 100;
    counters.pool.wait_ns = 100 * MS / 10;
    counters.event_loop.longest_delay_ns = 3 * MS;
    counters.gc.minor = Pauses { count: 20, ns: 20 * MS };
    counters.cpu.process_ns = 800 * MS;
    counters.cpu.thread_ns = Some(800 * MS);
    counters.event_loop.active_ns = 800 * MS;
    counters
}

thread_local! {
    /// What standard output of the service is.
    static STDOUT: RefCell<String> = RefCell::new("file".to_owned());
}

fn rounded(share: Option<f64>) -> f64 {
    (share.expect("a share") * 1e3).round() / 1e3
}

fn fold(last: &ProbeCounters) -> CounterFold {
    let from = |message| ProbeLine::From { connection: 0, message };
    let site_of = |counter: &str, id, file: &str, line, package: Option<&str>| {
        let frame = |file: &str, line, package: Option<&str>| SiteFrame {
            file: file.to_owned(),
            line,
            column: 3,
            function: "handler".to_owned(),
            package: package.map(str::to_owned),
            resumed: false,
        };
        let mut frames = vec![frame(file, line, package)];
        if package.is_some() {
            frames.push(frame("/srv/app.js", 40, None));
        }
        from(ProbeMessage::Site(CallSite {
            id,
            counter: counter.to_owned(),
            frames,
            made_in: None,
        }))
    };
    let frame = |function: &str, line| SiteFrame {
        file: "/srv/app.js".to_owned(),
        line,
        column: 3,
        function: function.to_owned(),
        package: None,
        resumed: false,
    };
    // A helper of the service that its handler calls on some line.
    let through = |id, line| {
        from(ProbeMessage::Site(CallSite {
            id,
            counter: "counted".to_owned(),
            frames: vec![frame("get", 5), frame("handler", line)],
            made_in: None,
        }))
    };
    let site = |id, file, line, package| site_of("counted", id, file, line, package);
    let hello = ProbeHello {
        cwd: "/srv".to_owned(),
        stdout: STDOUT.with(|of| of.borrow().clone()),
        threadpool_size: 4,
        ..ProbeHello::default()
    };
    let mut first = ProbeCounters::default();
    first.cpu.thread_ns = Some(0);
    first.cpu.children_ns = Some(0);
    let mut fold = CounterFold::default();
    for line in [
        from(ProbeMessage::Hello(Box::new(hello))),
        from(ProbeMessage::Listening { port: Some(3000) }),
        site(1, "/srv/app.js", 12, None),
        site(2, "/srv/node_modules/logger/index.js", 9, Some("logger")),
        site(4, "/srv/app.js", 11, None),
        site_of(
            "JSON.stringify",
            9,
            "/srv/node_modules/@scope/deep/index.js",
            3,
            Some("@scope/deep"),
        ),
        through(7, 50),
        through(8, 51),
        // An error of a class whose constructor is the function of the profile.
        from(ProbeMessage::Site(CallSite {
            id: 11,
            counter: "counted".to_owned(),
            frames: vec![frame("handler", 40)],
            made_in: Some(frame("Refused", 12)),
        })),
        site_of("other", 5, "/srv/app.js", 12, None),
        site_of("other", 6, "/srv/app.js", 11, None),
        site_of("fs.read", 10, "/srv/app.js", 12, None),
        from(ProbeMessage::Site(CallSite {
            id: 3,
            counter: "counted".to_owned(),
            frames: Vec::new(),
            made_in: None,
        })),
        ProbeLine::WindowBegins,
        from(ProbeMessage::Counters(Box::new(first))),
        from(ProbeMessage::Counters(Box::new(last.clone()))),
        ProbeLine::WindowEnds,
    ] {
        fold.push(&line);
    }
    fold
}

/// `ns` in all calls of a function of this kind, one a request, from the call site.
fn counted(counters: &mut ProbeCounters, kind: &str, ns: u64, site: u32) {
    counted_as("counted", counters, kind, ns, site);
}

fn counted_as(name: &str, counters: &mut ProbeCounters, kind: &str, ns: u64, site: u32) {
    counters.counters.push(FunctionCounter {
        name: name.to_owned(),
        kind: kind.to_owned(),
        calls: REQUESTS,
        ns,
        ..FunctionCounter::default()
    });
    counters.sites.push(SiteCounter {
        id: site,
        calls: REQUESTS,
        ns,
        ..SiteCounter::default()
    });
}

/// A pool of ten connections, for one of which so long was waited.
fn pool(waiting_ns: u64) -> ConnectionPoolCounter {
    ConnectionPoolCounter {
        name: "counted".to_owned(),
        size: 10,
        asked: REQUESTS,
        waiting_ns,
    }
}

fn diagnosed(counters: &ProbeCounters, profile: &Profile, line: Option<LoadLine>) -> Diagnosis {
    diagnosed_with(counters, profile, &Profile::default(), line)
}

fn diagnosed_with(
    counters: &ProbeCounters,
    profile: &Profile,
    allocations: &Profile,
    line: Option<LoadLine>,
) -> Diagnosis {
    let findings = findings_with(counters, profile, allocations, line);
    findings.diagnosis.expect("a diagnosis")
}

fn findings_with(
    counters: &ProbeCounters,
    profile: &Profile,
    allocations: &Profile,
    line: Option<LoadLine>,
) -> Findings {
    let plain = plain();
    let base = Findings {
        load_line: line,
        ..plain.clone()
    };
    let fold = fold(counters);
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: Some((&plain, profile)),
        allocations,
    };
    diagnose(&plan(), &base, &passes)
}

/// By what was counted alone.
fn by_counters(fold: &CounterFold) -> Findings {
    let plain = plain();
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, fold)),
        profile: None,
        allocations: &Profile::default(),
    };
    diagnose(&plan(), &plain, &passes)
}

fn kinds(counters: &ProbeCounters) -> Vec<CauseKind> {
    let diagnosis = diagnosed(counters, &Profile::default(), None);
    diagnosis.causes.iter().map(|cause| cause.kind).collect()
}

/// A line that ended where this objective broke.
pub(crate) fn line(broke: &Objective) -> LoadLine {
    LoadLine {
        users: false,
        concurrent: None,
        held: None,
        rate_per_s: 900.0,
        failed_per_s: Some(1000.0),
        interval_low_per_s: 880.0,
        interval_high_per_s: Some(1000.0),
        confidence: 0.95,
        bracket_share: Some(0.05),
        converged: true,
        broke: Some(condition(broke)),
        ended_because: EndedBecause::Converged,
        cpu_us_per_request: None,
    }
}
