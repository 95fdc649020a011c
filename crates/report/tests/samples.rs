//! The committed sample findings, which the tests of the renderers and of the report page draw. They are made here:
//! `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report --test samples` writes them.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod diagnosis;
mod failures;
mod service;
mod unjudged;

use failures::error;
use plimsoll_analysis::{
    CurvePoint, ErrorFinding, ExampleFinding, Findings, GeneratorFinding, HoldFinding, LoadLine, Notice,
    ObjectiveFinding, Percentiles, StepFinding, StepVerdict, TimelinePoint, Totals, Verdict,
};
use plimsoll_measure::RunKind;
use service::{Load, Service, objective, round, wobble};
use std::path::Path;

const PROFILE: Service = Service {
    cpu_us: 163.4,
    rss_start_bytes: 71_400_000,
};

#[test]
fn committed_samples_are_those_made_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    for (name, findings) in samples() {
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("PLIMSOLL_WRITE_SAMPLES").is_some() {
            std::fs::write(&path, plimsoll_report::json(&findings)).expect("the folder can be written");
        }
        let text = std::fs::read_to_string(&path).expect("the sample is committed");
        let committed: Findings = serde_json::from_str(&text).expect("the sample has the shape of findings");
        assert_eq!(
            committed, findings,
            "{name}: write the samples anew, as the head of this file says"
        );
    }
}

fn samples() -> Vec<(&'static str, Findings)> {
    vec![
        ("capacity-passed", capacity_passed()),
        ("capacity-open-end", capacity_open_end()),
        ("capacity-breached", capacity_breached()),
        ("capacity-interrupted", capacity_interrupted()),
        ("run-passed", run_passed()),
        ("run-breached", run_breached()),
        ("run-invalid", run_invalid()),
        ("run-failed", run_failed()),
        ("run-unjudged", unjudged::within_warm_up(run_failed())),
        ("bench", bench()),
        ("hold-breached", hold_breached()),
        ("diagnose", diagnosis::diagnosed(capacity_passed())),
        ("hostile", hostile()),
    ]
}

/// Steps of five seconds at these rates, each preceded by one second of start-up and drained.
fn searched(service: Service, rates: &[f64]) -> (Vec<StepFinding>, Vec<TimelinePoint>, Vec<Load>) {
    let mut start_s = 0.0;
    let mut loads = vec![];
    for (step, &rate_per_s) in (0..).zip(rates) {
        loads.push(Load {
            step,
            start_s,
            duration_s: 6.0,
            warm_up_s: 1.0,
            rate_per_s,
        });
        start_s += 6.5;
    }
    let steps = loads.iter().map(|&load| service.step(load)).collect();
    let timeline = loads.iter().flat_map(|&load| service.timeline(load)).collect();
    (steps, timeline, loads)
}

/// Findings whose figures are those of `service` under `at`; verdict, words and errors are left to the caller.
fn figures(service: Service, at: Load, steps: Vec<StepFinding>, timeline: Vec<TimelinePoint>) -> Findings {
    let scheduled: f64 = timeline.iter().map(|p| p.offered_per_s * p.duration_s).sum();
    let completed: f64 = timeline
        .iter()
        .map(|p| p.throughput_per_s * p.duration_s)
        .sum::<f64>()
        .min(scheduled);
    let (scheduled, completed) = (scheduled as u64, completed as u64);
    let judged = service.step(at);
    Findings {
        format: "plimsoll.findings/2".to_owned(),
        command: RunKind::Capacity,
        name: "profile, warm path".to_owned(),
        target: "http://127.0.0.1:3000".to_owned(),
        target_command: Some("node services/profile/src/server.js".to_owned()),
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        duration_s: timeline.last().map_or(0.0, |p| p.at_s + p.duration_s),
        version: "0.1.0".to_owned(),
        host: "Linux 6.1.0, AMD EPYC 7543, 4 cores, 16 GiB; generator on cores 1-3 (epoll), service on core 0"
            .to_owned(),
        verdict: Verdict::Passed,
        headline: String::new(),
        next_step: String::new(),
        load_line: None,
        objectives: judged.objectives,
        steps,
        totals: Totals {
            scheduled,
            sent: scheduled,
            completed,
            passed: completed,
            errors: 0,
            dropped: 0,
            sent_bytes: scheduled * 318,
            received_bytes: completed * 1_612,
            connections_opened: 64,
            throughput_per_s: judged.throughput_per_s,
            status: [0, completed, 0, 0, 0],
            ..Totals::default()
        },
        response_time: service.response_time(at),
        service_time: service.service_time(at),
        schedule_lag: service.percentiles(at, |q| 0.012 + 0.02 * -(1.0 - q).ln()),
        response_time_curve: service.curve(at),
        errors: vec![],
        target_resources: Some(service.resources(at, 66)),
        hold: None,
        generator: GeneratorFinding {
            shards: 3,
            busy_share_max: Some(0.23),
            lag_p99_ms: Some(0.104),
            wake_lag_p99_ms: Some(0.071),
            cpu_us_per_request: Some(9.42),
            kept_up: Some(true),
        },
        timeline,
        notices: vec![],
        diagnosis: None,
    }
}

fn capacity_passed() -> Findings {
    let rates = [
        100.0, 400.0, 1600.0, 6400.0, 3900.0, 5150.0, 4600.0, 4860.0, 5010.0, 4860.0,
    ];
    let (mut steps, timeline, loads) = searched(PROFILE, &rates);
    for (step, worst) in steps
        .iter_mut()
        .zip([0.02, 0.07, 0.27, 1.0, 0.65, 0.86, 0.77, 0.81, 0.83, 0.808])
    {
        step.objectives[0].worst = Some(worst);
    }
    let mut findings = figures(PROFILE, loads[9], steps, timeline);
    findings.objectives[0].worst = Some(0.808);
    findings.objectives[0].windows_passed = 9;
    findings.objectives.iter_mut().for_each(|o| o.windows_judged = 10);
    findings.objectives[1].windows_passed = 10;
    findings.objectives[2].windows_passed = 10;
    findings.headline = "Load line 4,860 req/s: cpu <= 80% broke first, at 5,010 req/s".to_owned();
    findings.next_step = "Plan for at most 4,860 req/s per instance; every microsecond saved of the 163 µs of CPU per \
                          request raises it."
        .to_owned();
    findings.load_line = Some(LoadLine {
        rate_per_s: 4_860.0,
        failed_per_s: Some(5_010.0),
        interval_low_per_s: 4_790.0,
        interval_high_per_s: Some(4_980.0),
        confidence: 0.95,
        bracket_share: Some(0.0309),
        converged: true,
        broke: Some("cpu <= 80%".to_owned()),
        ended_because: "the bracket is as narrow as was asked for".to_owned(),
        cpu_us_per_request: Some(163.4),
    });
    findings
}

/// The search ran into its greatest rate; nothing broke.
fn capacity_open_end() -> Findings {
    let service = Service {
        cpu_us: 41.7,
        ..PROFILE
    };
    let (mut steps, timeline, loads) = searched(service, &[100.0, 400.0, 1600.0, 6400.0, 10_000.0]);
    for step in &mut steps {
        step.cpu_share = None;
        step.cpu_us_per_request = None;
        step.objectives[0] = not_observed("cpu <= 80%", "share", 0.8);
    }
    let mut findings = figures(service, loads[4], steps, timeline);
    findings.timeline.iter_mut().for_each(|p| {
        p.cpu_share = None;
        p.rss_bytes = None;
    });
    findings.objectives[0] = not_observed("cpu <= 80%", "share", 0.8);
    findings.name = "catalogue".to_owned();
    findings.target = "https://catalogue.internal.example:8443".to_owned();
    findings.target_command = None;
    findings.target_resources = None;
    findings.verdict = Verdict::Unjudged;
    findings.headline =
        "Load line at least 10,000 req/s: every rate that was tried passed; cpu <= 80% was not judged: the CPU of \
                         the service could not be sampled"
            .to_owned();
    findings.next_step = "Raise `search.max` above 10,000 req/s to find where it breaks.".to_owned();
    findings.load_line = Some(LoadLine {
        rate_per_s: 10_000.0,
        failed_per_s: None,
        interval_low_per_s: 10_000.0,
        interval_high_per_s: None,
        confidence: 0.95,
        bracket_share: None,
        converged: false,
        broke: None,
        ended_because: "the greatest rate that the plan allows passed".to_owned(),
        cpu_us_per_request: None,
    });
    findings.notices = vec![
        notice(
            "not_converged",
            "the search met no rate that fails, so the load line is a lower bound",
            Some("raise `search.max` in the plan"),
        ),
        notice(
            "warning",
            "the service was not started by plimsoll, so its CPU could not be sampled and `cpu <= 80%` was not judged",
            Some("let plimsoll start the service, so that its CPU can be sampled"),
        ),
    ];
    findings
}

/// Every request fails, so no rate is carried.
fn capacity_breached() -> Findings {
    let service = Service {
        cpu_us: 88.0,
        ..PROFILE
    };
    let (mut steps, mut timeline, loads) = searched(service, &[100.0, 50.0, 25.0]);
    for step in &mut steps {
        step.error_share = Some(1.0);
        step.goodput_per_s = Some(0.0);
        step.verdict = StepVerdict::Breached;
        step.objectives[2] = objective("errors = 0", "share", 0.0, 1.0, 5);
        step.broke = Some("errors = 0".to_owned());
    }
    timeline.iter_mut().for_each(|p| p.errors_per_s = p.throughput_per_s);
    let mut findings = figures(service, loads[2], steps, timeline);
    findings.verdict = Verdict::Breached;
    findings.headline = "No load line: errors = 0 broke at every rate, even at 25 req/s".to_owned();
    findings.next_step =
        "Ask the service for one of these requests by hand: every answer had a status that the plan does not expect."
            .to_owned();
    findings.objectives[2] = objective("errors = 0", "share", 0.0, 1.0, 5);
    let finished = findings.totals.completed;
    findings.totals.passed = 0;
    findings.totals.errors = finished;
    findings.totals.status = [0, 0, 0, 0, finished];
    findings.errors = vec![error("status", finished, 1.0)];
    findings
}

fn capacity_interrupted() -> Findings {
    let (mut steps, mut timeline, loads) = searched(PROFILE, &[100.0, 400.0, 1600.0, 6400.0, 3900.0]);
    let last = steps.last_mut().expect("there are steps");
    last.verdict = StepVerdict::Unjudged;
    last.broke = None;
    last.duration_s = 2.0;
    last.objectives.clear();
    timeline.retain(|p| p.at_s < last.start_s + last.duration_s);
    let mut findings = figures(PROFILE, loads[2], steps, timeline);
    findings.verdict = Verdict::Interrupted;
    findings.headline = "The load line is between 1,600 and 6,400 req/s".to_owned();
    findings.next_step = "Run it again and let it end; a search takes at most 90 s.".to_owned();
    findings.load_line = Some(LoadLine {
        rate_per_s: 1_600.0,
        failed_per_s: Some(6_400.0),
        interval_low_per_s: 1_600.0,
        interval_high_per_s: Some(6_400.0),
        confidence: 0.95,
        bracket_share: Some(3.0),
        converged: false,
        broke: Some("cpu <= 80%".to_owned()),
        ended_because: "it was interrupted".to_owned(),
        cpu_us_per_request: Some(163.4),
    });
    findings.notices = vec![notice("interrupted", "stopped by the user 28 s into the run", None)];
    findings
}

/// A ramp in three stages; the findings of a plain run have one step.
fn staged(service: Service, stages: &[(u32, f64)]) -> (Vec<TimelinePoint>, Load) {
    let mut timeline: Vec<TimelinePoint> = vec![];
    let mut at = 0;
    let mut from = 0.0;
    for &(seconds, to) in stages {
        for second in 0..seconds {
            let rate_per_s = from + (to - from) * f64::from(second) / f64::from(seconds);
            let load = Load {
                step: 0,
                start_s: f64::from(at),
                duration_s: 1.0,
                warm_up_s: 0.0,
                rate_per_s,
            };
            timeline.extend(service.timeline(load).into_iter().take(1));
            at += 1;
        }
        from = to;
    }
    timeline.iter_mut().for_each(|p| p.judged = p.at_s >= 5.0);
    let greatest = stages.iter().map(|&(_, to)| to).fold(0.0, f64::max);
    (
        timeline,
        Load {
            step: 0,
            start_s: 0.0,
            duration_s: f64::from(at),
            warm_up_s: 5.0,
            rate_per_s: greatest,
        },
    )
}

fn run(service: Service, stages: &[(u32, f64)]) -> Findings {
    let (timeline, load) = staged(service, stages);
    let step = StepFinding {
        offered_per_s: None,
        ..service.step(load)
    };
    let mut findings = figures(service, load, vec![step], timeline);
    findings.command = RunKind::Run;
    findings
}

fn run_passed() -> Findings {
    let service = Service {
        cpu_us: 171.0,
        ..PROFILE
    };
    let mut findings = run(service, &[(10, 1_500.0), (240, 1_500.0), (10, 3_000.0), (60, 3_000.0)]);
    for point in &mut findings.timeline {
        point.event_loop_delay_ms = point
            .p50_ms
            .map(|ms| round(1.1 + ms * 1.4 + wobble(point.at_s, 0.6) + f64::from(point.at_s as u32 % 37 / 35) * 9.0));
    }
    findings.headline = "Every objective held at up to 3,000 req/s".to_owned();
    findings.next_step = "Run `plimsoll capacity` with the same plan to learn how much more it carries.".to_owned();
    findings
}

fn run_breached() -> Findings {
    let service = Service {
        cpu_us: 420.0,
        rss_start_bytes: 148_000_000,
    };
    let mut findings = run(service, &[(5, 1_800.0), (55, 1_800.0)]);
    for point in &mut findings.timeline {
        // A stall of the service every twenty seconds, and the queue that it leaves behind.
        let since = point.at_s % 20.0 - 8.0;
        if (0.0..4.0).contains(&since) {
            let worse = [412.0, 631.0, 274.0, 128.0][since as usize];
            point.p99_ms = Some(worse + wobble(point.at_s, 20.0).round());
            point.p50_ms = Some(round(worse / 3.1));
            point.throughput_per_s = [1_102.0, 1_955.0, 2_210.0, 1_990.0][since as usize];
            point.errors_per_s = [31.0, 12.0, 0.0, 0.0][since as usize];
        }
    }
    findings.name = "info page".to_owned();
    findings.target = "http://127.0.0.1:8080/info".to_owned();
    findings.target_command = Some("node services/info/src/server.js".to_owned());
    findings.verdict = Verdict::Breached;
    findings.headline = "p99 <= 100ms held in only 43 of 55 windows, where 90% of them must pass".to_owned();
    findings.next_step =
        "Look at the stalls in the timeline: three times the service answered nothing for about a second.".to_owned();
    findings.objectives = vec![
        objective("cpu <= 80%", "share", 0.8, 0.7561, 55),
        ObjectiveFinding {
            worst: Some(631.0),
            windows_passed: 43,
            ..objective("p99 <= 100ms", "ms", 100.0, 287.4, 55)
        },
        ObjectiveFinding {
            worst: Some(0.0261),
            windows_passed: 49,
            ..objective("errors <= 0.1%", "share", 0.001, 0.001_212, 55)
        },
    ];
    let errors = 129;
    findings.totals.errors = errors;
    never_made(&mut findings, 214);
    findings.totals.passed -= errors;
    findings.totals.status = [0, findings.totals.completed - 38, 0, 0, 38];
    findings.errors = vec![error("response_timeout", 91, 0.000_855), error("status", 38, 0.000_357)];
    let tail = |q: f64| {
        if q < 0.93 {
            service.response_ms(1_800.0, q, 0.0)
        } else {
            12.0 + (q - 0.93) * 9_000.0
        }
    };
    let load = Load {
        step: 0,
        start_s: 0.0,
        duration_s: 60.0,
        warm_up_s: 5.0,
        rate_per_s: 1_800.0,
    };
    findings.response_time = service.percentiles(load, tail);
    findings.response_time_curve = findings
        .response_time_curve
        .iter()
        .map(|p| CurvePoint {
            ms: round(tail(p.quantile)),
            ..*p
        })
        .collect();
    let step = &mut findings.steps[0];
    step.offered_per_s = Some(1_800.0);
    step.verdict = StepVerdict::Breached;
    step.broke = Some("p99 <= 100ms".to_owned());
    step.objectives.clone_from(&findings.objectives);
    step.response_time = findings.response_time.clone();
    step.error_share = Some(0.001_212);
    step.dropped = 214;
    findings
}

fn run_invalid() -> Findings {
    let service = Service {
        cpu_us: 9.1,
        rss_start_bytes: 32_000_000,
    };
    let mut findings = run(service, &[(5, 90_000.0), (25, 90_000.0)]);
    let why = "the busiest shard was 99.8% busy in 23 of 25 windows, and starts were 41 ms late at the 99th percentile";
    findings.name = "static file".to_owned();
    findings.verdict = Verdict::Invalid;
    findings.headline = "The generator was late, so these figures do not describe the service".to_owned();
    findings.next_step = "Give the generator more cores with --threads, or offer less than 74,000 req/s.".to_owned();
    findings.generator = GeneratorFinding {
        shards: 1,
        busy_share_max: Some(0.998),
        lag_p99_ms: Some(41.3),
        wake_lag_p99_ms: Some(40.8),
        cpu_us_per_request: Some(13.3),
        kept_up: Some(false),
    };
    findings.schedule_lag = Percentiles {
        max_ms: Some(77.0),
        p999_ms: Some(62.0),
        p99_ms: Some(41.3),
        ..findings.schedule_lag
    };
    findings.totals.throughput_per_s = Some(73_812.0);
    findings.steps[0].throughput_per_s = Some(73_812.0);
    findings.steps[0].verdict = StepVerdict::Invalid;
    findings.steps[0].offered_per_s = Some(90_000.0);
    findings.steps[0].broke = None;
    findings.steps[0].invalid_because = Some(why.to_owned());
    never_made(&mut findings, 402_113);
    findings.steps[0].dropped = 402_113;
    findings.errors = vec![error("no_port", 1_204, 0.000_51)];
    findings.totals.errors = 1_204;
    findings.notices = vec![notice(
        "generator_late",
        why,
        Some("give the generator more cores or a machine of its own"),
    )];
    findings
}

/// The service ended a second after the first requests.
fn run_failed() -> Findings {
    let mut findings = run(PROFILE, &[(2, 500.0)]);
    findings.verdict = Verdict::Failed;
    findings.headline = "The service ended by itself 1.4 s into the run with exit code 1".to_owned();
    findings.next_step = "Read the last lines of the service below, and start it by hand.".to_owned();
    for point in &mut findings.timeline {
        point.judged = false;
    }
    findings.steps[0].verdict = StepVerdict::Unjudged;
    findings.steps[0].broke = None;
    findings.steps[0].response_time = Percentiles::default();
    findings.steps[0].cpu_share = None;
    findings.steps[0].cpu_us_per_request = None;
    findings.steps[0].throughput_per_s = None;
    findings.steps[0].error_share = None;
    findings.totals.throughput_per_s = None;
    findings.steps[0].goodput_per_s = None;
    findings.steps[0].objectives.clear();
    findings.objectives = vec![
        not_observed("cpu <= 80%", "share", 0.8),
        not_observed("p99 <= 100ms", "ms", 100.0),
        not_observed("errors = 0", "share", 0.0),
    ];
    findings.totals = Totals {
        scheduled: 512,
        sent: 488,
        completed: 181,
        passed: 181,
        errors: 307,
        dropped: 24,
        ..Totals::default()
    };
    findings.totals.status = [0, 181, 0, 0, 0];
    findings.errors = vec![error("refused", 298, 0.6107), error("reset", 9, 0.0184)];
    findings.response_time = Percentiles::default();
    findings.service_time = Percentiles::default();
    findings.schedule_lag = Percentiles::default();
    findings.response_time_curve.clear();
    findings.target_resources = None;
    findings.notices = vec![notice(
        "target_died",
        "the service ended with exit code 1; its last lines: Error: listen EADDRINUSE: address already in use \
         127.0.0.1:3000",
        Some("stop the process that holds port 3000, or give the service another one"),
    )];
    findings
}

/// Closed model: nothing is offered, the next request waits for the last answer.
/// A service that gave up connections that nobody used for five seconds.
fn hold_breached() -> Findings {
    let mut findings = bench();
    findings.command = RunKind::Hold;
    findings.verdict = Verdict::Breached;
    findings.headline =
        "412 of 100,000 connections were lost: the service ended a connection that was to be held".to_owned();
    findings.next_step =
        "Raise the time for which the service lets a connection be idle (Node.js: server.keepAliveTimeout, 5 s unless set)."
            .to_owned();
    findings.objectives = vec![];
    findings.steps[0].objectives = vec![];
    // How long a request was parked is no response time.
    findings.response_time = Percentiles::default();
    findings.service_time = Percentiles::default();
    findings.schedule_lag = Percentiles::default();
    findings.response_time_curve = vec![];
    findings.steps[0].response_time = Percentiles::default();
    for point in &mut findings.timeline {
        (point.p50_ms, point.p99_ms) = (None, None);
    }
    findings.errors = vec![ErrorFinding {
        class: "closed".to_owned(),
        count: 412,
        share: 0.002,
        meaning: "the service ended a connection that was to be held".to_owned(),
        ..error("closed", 412, 0.002)
    }];
    findings.totals.errors = 412;
    findings.hold = Some(HoldFinding {
        wanted: 100_000,
        opened: 100_000,
        live: 99_588,
        live_max: 100_000,
        lost: 412,
        opening_s: Some(20.0),
        held_s: Some(60.0),
        shards: 6,
        delivered: 156_042,
        delivery_time: Percentiles {
            count: 156_042,
            mean_ms: Some(0.09),
            p50_ms: Some(0.052),
            p90_ms: Some(0.11),
            p95_ms: Some(0.16),
            p99_ms: Some(1.1),
            p999_ms: Some(7.2),
            max_ms: Some(23.6),
        },
        generator_bytes_per_connection: Some(187.4),
        service_bytes_per_connection: Some(5_312.0),
        kernel_bytes_per_connection: Some(9_829.0),
    });
    findings
}

fn bench() -> Findings {
    let service = Service {
        cpu_us: 61.0,
        rss_start_bytes: 51_000_000,
    };
    let mut findings = run(service, &[(1, 15_600.0), (9, 15_600.0)]);
    findings.command = RunKind::Bench;
    findings.name = "http://127.0.0.1:3000/".to_owned();
    findings.target = "http://127.0.0.1:3000".to_owned();
    findings.target_command = None;
    for point in &mut findings.timeline {
        point.throughput_per_s = (15_600.0 * (1.0 + wobble(point.at_s, 0.03))).round();
        point.offered_per_s = point.throughput_per_s;
        point.judged = true;
        point.cpu_share = None;
        point.rss_bytes = None;
    }
    findings.steps[0].cpu_share = None;
    findings.steps[0].cpu_us_per_request = None;
    findings.target_resources = None;
    findings.objectives = vec![objective("errors = 0", "share", 0.0, 0.0, 10)];
    findings.steps[0].verdict = StepVerdict::Passed;
    findings.steps[0].broke = None;
    findings.steps[0].objectives.clone_from(&findings.objectives);
    findings.steps[0].throughput_per_s = Some(15_604.2);
    findings.steps[0].goodput_per_s = Some(15_604.2);
    findings.totals.throughput_per_s = Some(15_604.2);
    findings.schedule_lag = Percentiles::default();
    findings.headline = "15,604 req/s over 64 connections, p99 6.05 ms, no error".to_owned();
    findings.next_step =
        "A closed model waits for the service and hides its queue: run `plimsoll capacity` for the rate \
                          that it carries."
            .to_owned();
    findings
}

/// Every text comes from somebody who wishes the reader ill; figures are absent, zero, or enormous.
fn hostile() -> Findings {
    let evil =
        "</script><script>alert(1)</script><!-- \u{1b}[31m\u{202e} \"'&`|*_[x](javascript:alert(1)) ]]> \u{2028}";
    let mut findings = capacity_passed();
    for text in [
        &mut findings.name,
        &mut findings.headline,
        &mut findings.next_step,
        &mut findings.host,
        &mut findings.version,
    ] {
        text.push_str(evil);
    }
    findings.target = "javascript:alert(document.domain)//</title><img src=x onerror=alert(2)>".to_owned();
    findings.target_command = Some(format!("node '{evil}'"));
    findings.notices = vec![notice(evil, &format!("{evil} {}", "word".repeat(60)), Some(evil))];
    findings.errors = vec![ErrorFinding {
        meaning: evil.to_owned(),
        example: Some(ExampleFinding {
            at_s: 1e12,
            expected: evil.to_owned(),
            found: evil.to_owned(),
            received: evil.to_owned(),
        }),
        ..error(evil, u64::MAX, 1e-9)
    }];
    findings.objectives[1].objective = evil.to_owned();
    findings.objectives[1].unit = "<furlongs>".to_owned();
    findings.objectives[1].observed = Some(1e18);
    findings.steps[3].broke = Some(evil.to_owned());
    findings.steps[4].throughput_per_s = Some(0.0);
    findings.steps[5].offered_per_s = Some(9.9e12);
    findings.steps[6].response_time.p99_ms = Some(0.0);
    findings.steps[7].response_time = Percentiles::default();
    findings.totals.dropped = u64::MAX;
    findings.timeline[3].p99_ms = Some(1e12);
    findings.timeline[4].p99_ms = Some(0.0);
    if let Some(line) = &mut findings.load_line {
        line.broke = Some(evil.to_owned());
        line.ended_because = evil.to_owned();
    }
    findings
}

fn not_observed(text: &str, unit: &str, bound: f64) -> ObjectiveFinding {
    ObjectiveFinding {
        objective: text.to_owned(),
        passed: None,
        unjudged_because: Some("the CPU of the service could not be sampled".to_owned()),
        observed: None,
        worst: None,
        bound,
        unit: unit.to_owned(),
        windows_passed: 0,
        windows_judged: 0,
    }
}

/// Moves `dropped` of the completed requests to the starts that were never made.
fn never_made(findings: &mut Findings, dropped: u64) {
    let totals = &mut findings.totals;
    totals.dropped = dropped;
    totals.sent -= dropped;
    totals.completed -= dropped;
    totals.passed -= dropped;
    totals.status[1] = totals.completed;
}

fn notice(code: &str, message: &str, hint: Option<&str>) -> Notice {
    Notice {
        code: code.to_owned(),
        message: message.to_owned(),
        hint: hint.map(str::to_owned),
    }
}
