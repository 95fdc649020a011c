//! Comparisons and sweeps of runs against made-up services.

use crate::service::Service;
use crate::streams::{Load, SECOND_NS, Stream, Subject, constant, fail, host, plan};
use plimsoll_findings::{Comparison, Findings, Scaling, WhatIf};
use plimsoll_measure::run_directory::{ComparisonInfo, Gate, Look, Prediction, Round, Sweep, Variant};
use plimsoll_measure::{Ended, ErrorClass, Example, Host, NoteKind, RunKind, ShardLoad, Sight, Tick};
use plimsoll_series::{ComparedRound, compare, order, scale, what_if};

const SERVICE: Service = Service {
    cpu_us: 201.0,
    rss_start_bytes: 71_400_000,
};

const PLAN: &str = r#"
name: info page
target: { url: "http://127.0.0.1:3001", command: node server.js }
"#;

const ROUND: Subject<'_> = Subject {
    kind: RunKind::Run,
    plan: PLAN,
    service: SERVICE,
    sampled: true,
};

/// A comparison of two variants in so many blocks, as it is when it has ended.
pub(crate) fn info(blocks: u32) -> ComparisonInfo {
    let variant = |name: &str, what: &str| Variant {
        name: name.to_owned(),
        what: what.to_owned(),
    };
    ComparisonInfo {
        format: ComparisonInfo::format(),
        name: "info page".to_owned(),
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        version: "0.1.0".to_owned(),
        variants: vec![
            variant("a", "node server.js"),
            variant("b", "CONSOLE_LOG=on node server.js"),
        ],
        load: "300/s, even arrivals; each round 4 s judged after 1 s of warm-up".to_owned(),
        closed: false,
        blocks,
        unused_blocks: 2,
        fail_if_worse: Some(0.05),
        sweep: None,
        gate: None,
        prediction: None,
        rounds: Vec::new(),
        ended: Some(Ended::Complete),
    }
}

/// What the rounds of `info` come to, each of which `run` makes: of a variant, from a number that varies its figures.
fn rounds(info: &mut ComparisonInfo, run: impl Fn(usize, u32) -> Findings) -> Vec<ComparedRound> {
    let mut rounds = Vec::new();
    for block in 0..info.unused_blocks + info.blocks {
        for variant in order(info, block) {
            let number = rounds.len() as u32;
            let place = Round {
                block,
                variant,
                directory: format!("2026-03-02T09-{:02}-{:02}-run", 14 + number / 60, number % 60),
            };
            rounds.push(ComparedRound::of(number, &place, &run(variant, number)));
            info.rounds.push(place);
        }
    }
    rounds
}

fn stream(cpu_us: f64, number: u32) -> Stream {
    let mut stream = Stream::of(&Subject {
        service: Service { cpu_us, ..SERVICE },
        ..ROUND
    });
    stream.seed = f64::from(number);
    stream
}

fn one(cpu_us: f64, number: u32, change: impl Fn(u32, &mut Tick)) -> Findings {
    stream(cpu_us, number).step(constant(300.0, 5, 1), change).complete()
}

/// Things left out of a service: one that cost much, and one that no request came to.
pub(crate) fn what_ifs() -> Vec<WhatIf> {
    let of = |what: &str, cpu_us: f64, ended: Ended, blocks: u32| {
        let mut info = info(blocks);
        info.unused_blocks = 0;
        info.fail_if_worse = None;
        info.variants[0].name = "as it is".to_owned();
        info.variants[1] = Variant {
            name: "without".to_owned(),
            what: what.to_owned(),
        };
        let rounds = rounds(&mut info, |variant, number| {
            let cpu_us = [SERVICE.cpu_us, cpu_us][variant];
            one(cpu_us, number, |_, _| {})
        });
        info.ended = Some(ended);
        what_if(&info, &rounds, &format!("2026-03-02T09-20-{blocks:02}-compare"))
    };
    let why = "failed to run variant without: failed to leave out sync-read: no request came to it";
    vec![
        WhatIf {
            cause: Some(2),
            ..of("log", 162.1, Ended::Complete, 8)
        },
        of("sync-read", 200.0, Ended::Failed(why.to_owned()), 0),
    ]
}

/// By name.
pub(crate) fn comparisons() -> Vec<(&'static str, Comparison)> {
    vec![
        ("better", better()),
        ("check-inconclusive", check(205.5, 0.14)),
        ("check-passed", check(203.0, 0.0)),
        ("check-worse", check(229.0, 0.02)),
        ("failed", failed()),
        ("hostile", hostile()),
        ("interrupted", interrupted()),
        ("invalid", invalid()),
        ("no-difference", no_difference()),
        ("worse", worse()),
    ]
}

/// A check of a change after which a request costs so much CPU, on a machine that scatters by so much from round to round.
fn check(cpu_us: f64, scatter: f64) -> Comparison {
    let mut info = info(12);
    info.fail_if_worse = None;
    info.variants = vec![
        Variant {
            name: "origin/main".to_owned(),
            what: "node server.js, commit 1f3a9c2".to_owned(),
        },
        Variant {
            name: "working tree".to_owned(),
            what: "node server.js".to_owned(),
        },
    ];
    let looks = [(6, 0.5), (8, 0.7), (12, 1.0)];
    info.gate = Some(Gate {
        threshold: 0.05,
        within_s: 240.0,
        fail_if_inconclusive: false,
        before: None,
        looks: looks.map(|(blocks, time_share)| Look { blocks, time_share }).into(),
    });
    let rounds = rounds(&mut info, |variant, number| {
        let moved = 1.0 + scatter * (f64::from(number) * 2.4).sin();
        one([SERVICE.cpu_us, cpu_us][variant] * moved, number, |_, _| {})
    });
    compare(&info, &rounds)
}

fn cannot_be(tick: &mut Tick) {
    fail(tick, ErrorClass::Status, 12);
    tick.counters.status = [0, tick.counters.completed - 12, 0, 0, 12];
    tick.counters.keep_alive_races = 3;
    let of = Sight::Failure(ErrorClass::Status);
    tick.examples.add(Example::new(
        of,
        SECOND_NS,
        "status 2xx",
        "status 503",
        b"no worker is free",
    ));
}

pub(crate) fn worse() -> Comparison {
    let mut info = info(10);
    let rounds = rounds(&mut info, |variant, number| match variant {
        0 => one(SERVICE.cpu_us, number, |_, _| {}),
        _ => one(225.3, number, |second, tick| {
            if second == 3 {
                cannot_be(tick);
            }
        }),
    });
    compare(&info, &rounds)
}

/// Fixed as a diagnosis said.
pub(crate) fn better() -> Comparison {
    let mut info = info(8);
    info.prediction = Some(Prediction {
        diagnosis: "2026-03-02T09-02-11-diagnose".to_owned(),
        cause: "JSON.parse of the same text again, server.js:13".to_owned(),
        factor: 1.45,
        low: Some(1.3),
        high: Some(2.03),
        at_least: false,
    });
    let rounds = rounds(&mut info, |variant, number| {
        one([SERVICE.cpu_us, 129.0][variant], number, |_, _| {})
    });
    compare(&info, &rounds)
}

/// The generator was late in a round of it.
fn no_difference() -> Comparison {
    let mut info = info(8);
    let rounds = rounds(&mut info, |_, number| {
        one(SERVICE.cpu_us, number, |_, tick| {
            if number == 9 {
                late(tick);
            }
        })
    });
    compare(&info, &rounds)
}

fn late(tick: &mut Tick) {
    tick.generator.shards = vec![ShardLoad {
        cpu_ns: 990_000_000,
        elapsed_ns: SECOND_NS,
        ..ShardLoad::default()
    }];
}

fn invalid() -> Comparison {
    let mut info = info(4);
    let rounds = rounds(&mut info, |_, number| one(SERVICE.cpu_us, number, |_, tick| late(tick)));
    compare(&info, &rounds)
}

fn interrupted() -> Comparison {
    let mut info = info(4);
    let mut rounds = rounds(&mut info, |_, number| one(SERVICE.cpu_us, number, |_, _| {}));
    rounds.truncate(7);
    info.rounds.truncate(7);
    info.ended = Some(Ended::Interrupted);
    compare(&info, &rounds)
}

fn failed() -> Comparison {
    let mut info = info(4);
    let dies = |number| {
        let mut stream = stream(SERVICE.cpu_us, number);
        stream.begin(constant(300.0, 5, 1));
        stream
            .end_step(true)
            .note(NoteKind::TargetDied, "the service ended with exit code 1", None)
            .complete()
    };
    let mut rounds = rounds(&mut info, |variant, number| match variant {
        0 => one(SERVICE.cpu_us, number, |_, _| {}),
        _ => dies(number),
    });
    rounds.truncate(2);
    info.rounds.truncate(2);
    info.ended = Some(Ended::Failed("variant b ended by itself".to_owned()));
    compare(&info, &rounds)
}

/// Whatever a directory from elsewhere may say wishes the reader ill.
fn hostile() -> Comparison {
    let hostile = "a\u{1b}[31m</script><img src=x> | **b** \u{202e}c".to_owned();
    let mut info = info(4);
    info.name.clone_from(&hostile);
    info.load.clone_from(&hostile);
    info.version.clone_from(&hostile);
    for variant in &mut info.variants {
        variant.name.clone_from(&hostile);
        variant.what.clone_from(&hostile);
    }
    info.prediction = Some(Prediction {
        diagnosis: hostile.clone(),
        cause: hostile.clone(),
        factor: 1e9,
        low: Some(1e8),
        high: None,
        at_least: true,
    });
    let plan = plan(PLAN).with(|plan| plan.name.clone_from(&hostile));
    let plan = plan.expect("a valid plan");
    let host = Host {
        kernel: hostile.clone(),
        ..host()
    };
    let mut rounds = rounds(&mut info, |_, _| {
        let mut stream = Stream::on(&ROUND, &plan, &hostile, &host);
        let load = constant(300.0, 5, 1);
        stream.begin(load);
        stream.second(load, 0, |_, tick| {
            tick.counters.status = [1 << 44; 5];
            tick.counters.errors.add(ErrorClass::Malformed, 1 << 44);
            let of = Sight::Failure(ErrorClass::Malformed);
            tick.examples
                .add(Example::new(of, 1 << 50, &hostile, &hostile, hostile.as_bytes()));
        });
        stream
            .end_step(true)
            .note(NoteKind::Warning, &hostile, Some(&hostile))
            .complete()
    });
    rounds.truncate(2);
    info.rounds.truncate(2);
    info.ended = Some(Ended::Failed(hostile));
    compare(&info, &rounds)
}

/// By name.
pub(crate) fn sweeps() -> Vec<(&'static str, Scaling)> {
    vec![
        ("either", sweep(&[1, 2, 3, 4], 0.02, 0.004)),
        ("failed", sweep(&[1, 2], 0.05, 0.01)),
        ("levels-off", sweep(&[1, 2, 4, 8, 16], 0.1, 0.0)),
        ("peaks", sweep(&[1, 2, 4, 8, 16], 0.05, 0.01)),
        ("straight", sweep(&[1, 2, 4, 8], 0.0, 0.0)),
    ]
}

/// Workers of a service whose throughput follows the law, with λ = 100/s.
fn sweep(sizes: &[u32], sigma: f64, kappa: f64) -> Scaling {
    let mut info = info(3);
    info.name = "shop".to_owned();
    info.load = "closed model; each round 3 s judged after 1 s of warm-up".to_owned();
    info.closed = true;
    info.fail_if_worse = None;
    info.variants = sizes
        .iter()
        .map(|size| Variant {
            name: size.to_string(),
            what: format!("WORKERS={size} node server.js"),
        })
        .collect();
    info.sweep = Some(Sweep {
        sizes_of: "workers".to_owned(),
        sizes: sizes.to_vec(),
    });
    let rounds = rounds(&mut info, |variant, number| {
        let size = f64::from(sizes[variant]);
        let per_s = 100.0 * size / (1.0 + sigma * (size - 1.0) + kappa * size * (size - 1.0));
        let noise = 1.0 + crate::service::wobble(f64::from(number) + 1.0, 0.012);
        let load = Load {
            constant: false,
            ..constant(per_s * noise, 4, 1)
        };
        stream(SERVICE.cpu_us, number).step(load, |_, _| {}).complete()
    });
    scale(&info, sizes, &rounds, 1)
}
