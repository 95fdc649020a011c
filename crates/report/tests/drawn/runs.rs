//! Runs that end in every way, as the fold sees them.

use crate::service::Service;
use crate::streams::{Load, SECOND_NS, Stream, Subject, constant, fail, host, plan};
use crate::{held, series, shocked, soaked, travelled};
use plimsoll_findings::Findings;
use plimsoll_measure::{
    Counters, Durations, Ended, ErrorClass, Example, Host, NoteKind, Resource, RunKind, ShardLoad, Sight, Taken, Tick,
    Timing,
};
use std::path::Path;

const PROFILE: Service = Service {
    cpu_us: 163.4,
    rss_start_bytes: 71_400_000,
};

pub(crate) const PLAN: &str = r#"
name: profile, warm path
target: { url: "http://127.0.0.1:3000", command: node services/profile/src/server.js }
judging: { window: 1s }
"#;

const CAPACITY: Subject<'_> = Subject {
    kind: RunKind::Capacity,
    plan: PLAN,
    service: PROFILE,
    sampled: true,
};

pub(crate) const RUN: Subject<'_> = Subject {
    kind: RunKind::Run,
    ..CAPACITY
};

/// By name.
pub(crate) fn samples() -> Vec<(&'static str, Findings)> {
    vec![
        ("bench", bench()),
        ("capacity-breached", capacity_breached()),
        ("capacity-interrupted", capacity_interrupted()),
        ("capacity-open-end", capacity_open_end()),
        ("capacity-passed", capacity_passed()),
        ("capacity-sized", capacity_sized()),
        ("capacity-users", capacity_users()),
        ("diagnose", diagnosed()),
        ("hold-breached", held::breached()),
        ("hold-messages", held::messages()),
        ("hostile", hostile()),
        ("run-breached", run_breached()),
        ("run-failed", run_failed()),
        ("run-instances", run_instances()),
        ("run-invalid", run_invalid()),
        ("run-journeys", travelled::once()),
        ("run-limited", run_limited()),
        ("run-mixed", run_mixed()),
        ("run-neighbours", run_neighbours()),
        ("run-passed", run_passed()),
        ("run-unjudged", run_unjudged()),
        ("shock-back", shocked::back()),
        ("shock-queue", shocked::in_queue()),
        ("soak-grows", soaked::grows()),
        ("soak-interrupted", soaked::interrupted()),
    ]
}

fn capacity_passed() -> Findings {
    Stream::of(&CAPACITY).search(u32::MAX, |_| {}).complete()
}

/// Asked how many instances a demand needs, and what they cost.
fn capacity_sized() -> Findings {
    let plan = format!("{PLAN}sizing: {{ demand: 30k/s, headroom: 30%, price: 0.12 EUR/h }}\n");
    let subject = Subject {
        plan: &plan,
        ..CAPACITY
    };
    Stream::of(&subject).search(u32::MAX, |_| {}).complete()
}

/// The search runs into its greatest rate, and nobody sees the CPU of the service.
fn capacity_open_end() -> Findings {
    let text = r#"
name: catalogue
target: { url: "http://catalogue.internal.example:8080" }
objectives: [cpu <= 80%, p99 <= 100ms, errors = 0]
search: { max: 2500/s }
sizing: { demand: 30k/s, price: $0.0416/h }
"#;
    let subject = Subject {
        plan: text,
        service: Service {
            cpu_us: 41.7,
            ..PROFILE
        },
        sampled: false,
        ..CAPACITY
    };
    let hint = "let plimsoll start the service, so that its CPU can be sampled";
    let message = "the service was not started by plimsoll, so its CPU cannot be sampled";
    Stream::of(&subject)
        .note(NoteKind::Warning, message, Some(hint))
        .search(u32::MAX, |_| {})
        .complete()
}

/// How many users at a time it carries, who pause for half a second.
fn capacity_users() -> Findings {
    let plan = format!(
        "{PLAN}load: {{ model: closed, connections: 1, duration: 30s, think_time: 500ms }}\nsearch: {{ in: users, start: 200 }}\n"
    );
    let subject = Subject {
        plan: &plan,
        ..CAPACITY
    };
    Stream::of(&subject).search(u32::MAX, |_| {}).complete()
}

/// Every request fails, so no rate is carried.
fn capacity_breached() -> Findings {
    Stream::of(&CAPACITY).search(u32::MAX, unexpected_status).complete()
}

fn unexpected_status(tick: &mut Tick) {
    let all = tick.counters.completed;
    fail(tick, ErrorClass::Status, all);
    tick.counters.status = [0, 0, 0, 0, all];
    tick.examples.add(example(Sight::Failure(ErrorClass::Status)));
}

fn capacity_interrupted() -> Findings {
    Stream::of(&CAPACITY)
        .search(6, |_| {})
        .note(NoteKind::Interrupted, "stopped by the user", None)
        .ended(Ended::Interrupted)
}

fn run_passed() -> Findings {
    let load = |rate_per_s, seconds| Load {
        rate_per_s,
        constant: false,
        seconds,
        warm_up_s: 5,
    };
    let service = Service {
        cpu_us: 171.0,
        ..PROFILE
    };
    let mut stream = Stream::of(&Subject { service, ..RUN });
    let whole = load(1_500.0, 40);
    stream.begin(whole);
    for second in 0..40 {
        let rate_per_s = if second < 20 { 1_500.0 } else { 3_000.0 };
        stream.second(load(rate_per_s, 40), second, |_, _| {});
    }
    stream.end_step(false).complete()
}

/// A stall of the service every twenty seconds, and the queue that it leaves behind.
fn run_breached() -> Findings {
    let text = r#"
name: info page
target: { url: "http://127.0.0.1:8080/info", command: node services/info/src/server.js }
objectives: [cpu <= 80%, p99 <= 100ms, errors <= 0.1%]
"#;
    let service = Service {
        cpu_us: 420.0,
        rss_start_bytes: 148_000_000,
    };
    let subject = Subject {
        plan: text,
        service,
        ..RUN
    };
    Stream::of(&subject)
        .step(constant(600.0, 60, 5), |second, tick| {
            let since = second % 20;
            if (8..12).contains(&since) {
                let ms = [412, 631, 274, 128][since as usize - 8];
                for _ in 0..40 {
                    tick.durations[Timing::ResponseTime].record(ms * 1_000_000);
                }
                tick.counters.dropped = 18;
                tick.counters.sent -= 18;
            }
            if since == 9 {
                fail(tick, ErrorClass::ResponseTimeout, 31);
                fail(tick, ErrorClass::Status, 12);
                tick.counters.status = [0, tick.counters.completed - 12, 0, 0, 12];
                tick.examples.add(example(Sight::Failure(ErrorClass::Status)));
                tick.counters.keep_alive_races = 2;
                tick.examples.add(example(Sight::KeepAliveRace));
            }
        })
        .complete()
}

/// Nine reads to one order, which takes four times as long and fails at times: the objectives about the order break.
fn run_mixed() -> Findings {
    let text = r#"
name: shop
target: { url: "http://127.0.0.1:8080", command: node services/shop/src/server.js }
scenario:
  requests:
    - { name: read a profile, path: /profiles/1, weight: 9 }
    - { name: order, method: POST, path: /orders }
objectives: [cpu <= 80%, "p99(read a profile) <= 60ms", "p99(order) <= 60ms", "errors(order) = 0"]
"#;
    let subject = Subject { plan: text, ..RUN };
    Stream::of(&subject)
        .step(constant(600.0, 40, 4), |second, tick| {
            if second % 10 == 9 {
                fail(tick, ErrorClass::Status, 12);
                tick.counters.status = [0, tick.counters.completed - 12, 0, 0, 12];
                tick.examples
                    .add(example(Sight::Failure(ErrorClass::Status)).of_request("order"));
            }
            split(tick);
        })
        .complete()
}

/// Nine of ten requests of a tick are reads, and every failure is that of an order.
fn split(tick: &mut Tick) {
    let (mut read, mut order) = (Counters::default(), Counters::default());
    order.sent = tick.counters.sent / 10;
    order.completed = tick.counters.completed / 10;
    order.errors = tick.counters.errors.clone();
    order.passed = order.completed - order.errors.total();
    order.status = [0, order.passed, 0, 0, order.errors.total()];
    read.sent = tick.counters.sent - order.sent;
    read.completed = tick.counters.completed - order.completed;
    read.passed = read.completed;
    read.status[1] = read.completed;
    let (mut reads, mut orders) = (Durations::default(), Durations::default());
    for timing in [Timing::ResponseTime, Timing::ServiceTime] {
        let all = std::mem::take(&mut tick.durations[timing]);
        for number in 0..all.count() {
            let ns = all.quantile_ns((number as f64 + 0.5) / all.count() as f64);
            if number % 10 == 0 {
                orders[timing].record(4 * ns);
            } else {
                reads[timing].record(ns);
            }
        }
        tick.durations[timing].merge(&reads[timing]);
        tick.durations[timing].merge(&orders[timing]);
    }
    tick.requests = vec![read, order];
    tick.durations.requests = vec![reads, orders];
}

fn run_invalid() -> Findings {
    let service = Service {
        cpu_us: 9.1,
        rss_start_bytes: 32_000_000,
    };
    let text = r#"
name: static file
target: { url: "http://127.0.0.1:3000", command: node server.js }
"#;
    let subject = Subject {
        plan: text,
        service,
        ..RUN
    };
    Stream::of(&subject)
        .step(constant(9_000.0, 12, 2), |second, tick| {
            let busy_ns = if second % 9 == 0 { 200_000_000 } else { 998_000_000 };
            tick.generator.shards = vec![ShardLoad {
                cpu_ns: busy_ns,
                elapsed_ns: SECOND_NS,
                wake_lag_p99_ns: 40_800_000,
                ..ShardLoad::default()
            }];
            tick.generator.resources = vec![Taken {
                resource: Resource::Ports,
                taken: 27_900,
                of: 28_232,
            }];
            tick.counters.dropped = 402;
            tick.counters.sent -= 402;
        })
        .complete()
}

/// The service ended a second after the first requests.
fn run_failed() -> Findings {
    let mut stream = Stream::of(&RUN);
    let load = constant(500.0, 30, 2);
    stream.begin(load);
    stream.second(load, 0, |_, tick| {
        fail(tick, ErrorClass::Refused, 298);
        fail(tick, ErrorClass::Reset, 9);
        tick.counters.completed = tick.counters.passed;
        tick.counters.status = [0, tick.counters.passed, 0, 0, 0];
        tick.examples.add(example(Sight::Failure(ErrorClass::Refused)));
    });
    stream
        .end_step(true)
        .note(
            NoteKind::TargetDied,
            "the service ended with exit code 1; its last lines: Error: listen EADDRINUSE: address already in use \
             127.0.0.1:3000",
            Some("stop the process that holds port 3000, or give the service another one"),
        )
        .complete()
}

/// Half a core is not enough, and what it has is spent in the first half of each period.
fn run_limited() -> Findings {
    Stream::of(&RUN)
        .limited()
        .step(constant(2_600.0, 10, 2), |_, _| {})
        .complete()
}

/// A cluster of four workers of which one gets most requests.
fn run_instances() -> Findings {
    Stream::of(&RUN)
        .in_cluster(4)
        .step(constant(1_200.0, 10, 2), |_, _| {})
        .complete()
}

/// The Redis that it asks is full, and the queue that it talks to was never seen.
fn run_neighbours() -> Findings {
    let text = r#"
name: profile, with its neighbours
target:
  url: "http://127.0.0.1:3000"
  command: node services/profile/src/server.js
  beside:
    - { name: redis, command: redis-server --port 6390, ready: { port: 6390 } }
    - { name: queue, command: ./queue, ready: { line: listening } }
objectives: [p99 <= 1ms, errors = 0]
"#;
    let subject = Subject { plan: text, ..RUN };
    Stream::of(&subject)
        .beside("redis")
        .step(constant(1_800.0, 10, 2), |_, _| {})
        .complete()
}

/// It ended within its warm-up, and every request of it got a response.
fn run_unjudged() -> Findings {
    let mut stream = Stream::of(&RUN);
    let load = constant(256.0, 2, 2);
    stream.begin(load);
    for second in 0..2 {
        stream.second(load, second, |_, tick| {
            tick.counters.status = [0, tick.counters.completed - 3, 0, 0, 0];
            tick.counters.status_other = 3;
        });
    }
    stream.end_step(false).complete()
}

/// Closed model over TLS: nothing is offered, the next request waits for the last response.
fn bench() -> Findings {
    let text = r#"
name: "https://127.0.0.1:3443/"
target: { url: "https://127.0.0.1:3443" }
objectives: [errors = 0]
load: { model: closed, connections: 64, duration: 10s }
"#;
    let subject = Subject {
        kind: RunKind::Bench,
        plan: text,
        service: Service {
            cpu_us: 61.0,
            rss_start_bytes: 51_000_000,
        },
        sampled: false,
    };
    let load = Load {
        constant: false,
        ..constant(15_600.0, 10, 0)
    };
    Stream::of(&subject)
        .step(load, |second, tick| {
            tick.durations[Timing::ScheduleLag].clear();
            if second == 0 {
                tick.counters.handshakes_full = 56;
                tick.counters.handshakes_resumed = 8;
                for number in 0..64 {
                    tick.durations[Timing::HandshakeTime].record(1_900_000 + number * number * 1_250);
                    tick.durations[Timing::OpeningTime].record(700_000 + number * 9_000);
                }
            }
        })
        .complete()
}

/// A real diagnosis, read back from its directory, with things left out of another service.
fn diagnosed() -> Findings {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/tests/golden/diagnosis");
    let mut findings = plimsoll_lab::replay(&directory).expect("the recorded diagnosis is whole");
    if let Some(diagnosis) = &mut findings.diagnosis {
        diagnosis.what_if = series::what_ifs();
    }
    findings
}

/// Whatever a directory from elsewhere may say wishes the reader ill; figures are absent, zero, or enormous.
fn hostile() -> Findings {
    let evil =
        "</script><script>alert(1)</script><!-- \u{1b}[31m\u{202e} \"'&`|*_[x](javascript:alert(1)) ]]> \u{2028}";
    let plan = plan(PLAN).with(|plan| {
        plan.name = evil.to_owned();
        if let Some(command) = &mut plan.target.command {
            command.argv.push(evil.into());
        }
    });
    let plan = plan.expect("a valid plan");
    let host = Host {
        kernel: evil.to_owned(),
        cpu_model: evil.to_owned(),
        io: evil.to_owned(),
        cores: u32::MAX,
        memory_bytes: u64::MAX,
        ..host()
    };
    let mut stream = Stream::on(&CAPACITY, &plan, evil, &host);
    for (number, rate_per_s) in [(0, 1_000.0), (1, 8_000.0), (2, 9.9e12)] {
        let load = constant(rate_per_s, 5, 1);
        stream.begin(load);
        let shown = Load {
            rate_per_s: rate_per_s.min(8_000.0),
            ..load
        };
        for second in 0..5 {
            stream.second(shown, second, |second, tick| {
                if (number, second) == (1, 3) {
                    tick.durations[Timing::ResponseTime].record(1 << 44);
                    tick.counters.dropped = 1 << 44;
                    tick.counters.redirects = 1 << 44;
                    tick.counters.unrequested = 1;
                    tick.counters.errors.add(ErrorClass::Malformed, 1 << 44);
                    let sights = [
                        Sight::Failure(ErrorClass::Malformed),
                        Sight::Redirect,
                        Sight::Unrequested,
                    ];
                    for of in sights {
                        tick.examples
                            .add(Example::new(of, 1 << 50, evil, evil, evil.as_bytes()));
                    }
                }
            });
        }
        stream = stream.end_step(false);
    }
    let long = format!("{evil} {}", "word".repeat(60));
    stream
        .note(NoteKind::Warning, &long, Some(evil))
        .note(NoteKind::Torn, evil, None)
        .ended(Ended::Failed(evil.to_owned()))
}

pub(crate) fn example(of: Sight) -> Example {
    let (expected, found, received) = match of {
        Sight::Failure(ErrorClass::Refused) => ("a connection", "Connection refused (os error 111)", ""),
        Sight::Failure(ErrorClass::Status) => (
            "status 2xx",
            "status 503 Service Unavailable, text/html; charset=utf-8",
            "<!DOCTYPE html> <title>503</title> no worker is free",
        ),
        Sight::KeepAliveRace => (
            "",
            "the service closed the connection, after 5.0 s without a request, as the request was sent",
            "",
        ),
        _ => ("", "the service closed the connection", ""),
    };
    Example::new(of, 3_250_000_000, expected, found, received.as_bytes())
}
