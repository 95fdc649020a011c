//! What layers cost.

use super::*;
use plimsoll_findings::{Headline, LayerCost, LayerRole, NextStep};
use plimsoll_measure::{CausedTime, Causer, Layer, LayerCounts, LayerKind, Layers};

const LOGGER: usize = 0;
const HANDLER: usize = 1;

/// Two layers of a service, which is busy for a second: calls of the logger and of the handler, collections, and what the loop
/// does between callbacks.
pub(crate) fn profile() -> Profile {
    let frame = |function: &str, file: &str| Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line: 1,
        column: 1,
    };
    let call = |frame, caller, self_us| Call {
        frame,
        caller,
        self_us,
        longest_us: 0,
        stays: 0,
        called_on: None,
        lines: Vec::new(),
    };
    let layer = |kind, name: &str, line, callbacks| Layer {
        kind,
        name: name.to_owned(),
        place: Frame {
            line,
            ..frame("", "/srv/app.js")
        },
        counts: LayerCounts {
            callbacks,
            ..LayerCounts::default()
        },
        ..Layer::default()
    };
    let time = |call, causer, us| CausedTime { call, causer, us };
    Profile {
        span_us: (1_000_000.0 / CORES_BUSY) as u64,
        frames: vec![
            frame("(root)", ""),
            frame("emit", "node:events"),
            frame("log", "/srv/node_modules/log/index.js"),
            frame("handle", "/srv/app.js"),
            frame("(garbage collector)", ""),
            frame("(program)", ""),
        ],
        calls: vec![
            call(0, None, 0),
            call(1, Some(0), 200_000),
            call(2, Some(1), 200_000),
            call(3, Some(1), 300_000),
            call(4, Some(0), 200_000),
            call(5, Some(0), 100_000),
        ],
        layers: Layers {
            known: vec![
                layer(LayerKind::Middleware, "logger", 4, 10),
                layer(LayerKind::Handler, "", 9, 0),
            ],
            others: LayerCounts {
                callbacks: 30,
                ..LayerCounts::default()
            },
            // A tenth of the profile.
            times: vec![
                time(1, Causer::Layer(LOGGER), 5_000),
                time(1, Causer::Nobody, 15_000),
                time(2, Causer::Layer(LOGGER), 20_000),
                time(3, Causer::Layer(HANDLER), 30_000),
                time(4, Causer::Loop, 20_000),
                time(5, Causer::Loop, 10_000),
            ],
            sample_us: 1_000,
        },
        ..Profile::default()
    }
}

/// Memory that the logger and the handler ask for, in the order of their bytes.
pub(crate) fn allocations(logger_bytes: u64, handler_bytes: u64) -> Profile {
    let mut found = profile();
    found.layers = Layers::default();
    for call in &mut found.calls {
        call.self_us = match call.frame {
            2 => logger_bytes,
            3 => handler_bytes,
            _ => 0,
        };
    }
    found
}

fn costs(allocations: &Profile) -> Vec<LayerCost> {
    let diagnosis = diagnosed_with(&healthy(), &profile(), allocations, None);
    diagnosis.layers.expect("layers").layers
}

#[test]
fn a_layer_costs_what_it_causes_garbage_included() {
    let found = costs(&allocations(300, 100));
    let [logger, handler] = found.as_slice() else {
        panic!("{found:?}");
    };
    // 25 % by itself, a quarter of the 10 % of the loop, and three quarters of the 20 % of collections.
    assert!((logger.cpu_share - 0.425).abs() < 1e-3, "{logger:?}");
    assert!((logger.garbage_share - 0.15).abs() < 1e-3, "{logger:?}");
    assert_eq!((logger.role, logger.name.as_str()), (LayerRole::Middleware, "logger"));
    assert_eq!(
        logger.place.as_ref().map(ToString::to_string).as_deref(),
        Some("app.js:4")
    );
    assert!((handler.cpu_share - 0.35).abs() < 1e-3, "{handler:?}");
}

#[test]
fn a_share_is_between_what_few_samples_leave_open() {
    let drawn = |sample_us| {
        let mut profile = profile();
        profile.layers.sample_us = sample_us;
        let found = diagnosed_with(&healthy(), &profile, &allocations(300, 100), None);
        found.layers.expect("layers").layers.remove(0)
    };
    // 100 samples, of which 27.5 are the logger's own; then a hundred times as many, and none.
    let few = drawn(1_000);
    assert!((few.cpu_share_low - (0.15 + 0.197)).abs() < 2e-3, "{few:?}");
    assert!((few.cpu_share_high - (0.15 + 0.370)).abs() < 2e-3, "{few:?}");
    let many = drawn(10);
    assert!(many.cpu_share_low > few.cpu_share_low && many.cpu_share_high < few.cpu_share_high);
    assert!(many.cpu_share_low < many.cpu_share && many.cpu_share < many.cpu_share_high);
    let none = drawn(0);
    assert!(none.cpu_share_low <= none.cpu_share_high - 0.5, "{none:?}");
}

/// What is said of a service without a cause whose logger is this.
fn said_of(logger: Layer) -> Findings {
    let mut profile = profile();
    profile.layers.known[LOGGER] = logger;
    // Too little for a hot function.
    profile.calls[3].self_us = 100_000;
    profile.calls[1].self_us = 400_000;
    let plain = plain();
    let fold = fold(&healthy());
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: Some((&plain, &profile)),
        allocations: &allocations(300, 100),
    };
    diagnose(&plan(), &plain, &passes)
}

#[test]
fn middleware_that_could_go_is_said_where_there_is_no_cause() {
    let logger = profile().layers.known.remove(LOGGER);
    let found = said_of(logger.clone());
    let Headline::Limit { cause: None, layer, .. } = &found.headline else {
        panic!("{:?}", found.headline);
    };
    assert_eq!(layer.as_ref().map(|layer| layer.name.as_str()), Some("logger"));
    let removal = |name: &str| NextStep::LeaveOut {
        removal: format!("middleware:{name}"),
    };
    assert_eq!(found.next_step, removal("logger"));
    let unnamed = Layer {
        name: String::new(),
        ..logger.clone()
    };
    assert_eq!(said_of(unnamed).next_step, removal("app.js:4"));
    for stays in [
        Layer {
            guards: true,
            ..logger.clone()
        },
        Layer {
            kind: LayerKind::Handler,
            ..logger
        },
    ] {
        let found = said_of(stays);
        assert!(matches!(found.headline, Headline::Limit { layer: None, .. }));
        assert_eq!(found.next_step, NextStep::SeeFlame);
    }
}

#[test]
fn garbage_goes_to_whoever_asks_for_the_memory() {
    let found = costs(&allocations(0, 100));
    assert_eq!(found[0].role, LayerRole::Handler);
    assert!((found[0].cpu_share - 0.5).abs() < 1e-3, "{found:?}");
}

/// What the logger costs on so many cores, where other threads have work of it and share them or not.
fn logger_on(cores: u32, shares_cores: bool, v8_us: u64) -> LayerCost {
    let mut profile = profile();
    profile.shares_cores = shares_cores;
    // All that the service used was a second.
    (profile.pool_us, profile.v8_us) = (300_000, v8_us);
    profile.layers.known[LOGGER].counts.task_us = 30;
    profile.layers.others.task_us = 10;
    let mut plain = plain();
    plain.target_resources.as_mut().expect("a service").cores = cores;
    plain.target_resources.as_mut().expect("a service").cpu_share = CORES_BUSY / f64::from(cores);
    let fold = fold(&healthy());
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: Some((&plain, &profile)),
        allocations: &allocations(300, 100),
    };
    let costs = diagnose(&plan(), &plain, &passes)
        .diagnosis
        .and_then(|found| found.layers)
        .expect("layers");
    let sum: f64 = costs.layers.iter().map(|layer| layer.cpu_share).sum();
    assert!((sum + costs.rest_share - 1.0).abs() < 1e-9);
    costs
        .layers
        .into_iter()
        .find(|layer| layer.name == "logger")
        .expect("the logger")
}

#[test]
fn other_threads_are_charged_to_whom_they_work_for() {
    let logger = logger_on(2, true, 200_000);
    // Three quarters of the pool and of what V8 collects, and half of what is its own: the loop had no more of the CPU.
    assert!((logger.threadpool_share - 0.225).abs() < 1e-3, "{logger:?}");
    assert!((logger.garbage_share - (0.075 + 0.15)).abs() < 1e-3, "{logger:?}");
    assert!((logger.cpu_share - (0.1375 + 0.225 + 0.225)).abs() < 1e-3, "{logger:?}");
    assert_eq!(
        logger_on(1, false, 200_000),
        logger,
        "they ran on other cores meanwhile"
    );
}

#[test]
fn other_threads_on_the_core_of_the_loop_are_charged_once() {
    let logger = logger_on(1, true, 200_000);
    assert!((logger.garbage_share - 0.15).abs() < 1e-3, "{logger:?}");
    assert!((logger.cpu_share - (0.275 + 0.15)).abs() < 1e-3, "{logger:?}");
    // They took half as long again as the loop saw collections, and so interrupted what else it does for an eighth of its time.
    let interrupted = logger_on(1, true, 300_000);
    assert!((interrupted.garbage_share - 0.225).abs() < 1e-3, "{interrupted:?}");
    assert!(
        (interrupted.cpu_share - (0.275 * 0.875 + 0.225)).abs() < 1e-3,
        "{interrupted:?}"
    );
}

#[test]
fn a_profile_without_labels_says_nothing_of_layers() {
    let mut unlabelled = profile();
    unlabelled.layers.times.clear();
    let diagnosis = diagnosed_with(&healthy(), &unlabelled, &allocations(1, 1), None);
    assert_eq!(diagnosis.layers, None);
}
