//! Runs that hold connections, as the fold sees them.

use crate::runs::{PLAN, RUN, example};
use crate::streams::{Load, Stream, Subject, constant, host, plan};
use plimsoll_findings::Findings;
use plimsoll_measure::{Counters, Durations, ErrorClass, MachineSample, MessageCounts, RunKind, Sight, Timing};
use plimsoll_plan::{HoldLoad, Park, Rate};
use std::time::Duration;

/// A service that gave up connections that nobody used for five seconds.
pub(crate) fn breached() -> Findings {
    let mut plan = plan(PLAN).draft();
    plan.objectives.clear();
    plan.load = plimsoll_plan::Load::Hold(HoldLoad {
        connections: 100_000,
        pace: Rate::per_s(5_000),
        duration: Duration::from_secs(80),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    });
    let plan = plan.validate().expect("a valid plan");
    let subject = Subject {
        kind: RunKind::Hold,
        ..RUN
    };
    let mut stream = Stream::on(&subject, &plan, "0.1.0", &host());
    let load = Load {
        constant: false,
        ..constant(0.0, 80, 0)
    };
    stream.begin(load);
    let machine = |bytes| MachineSample {
        generator_bytes: bytes / 50,
        kernel_objects_bytes: bytes,
        socket_buffers_bytes: bytes / 10,
        ..MachineSample::default()
    };
    stream.machine(machine(90_000_000));
    for second in 0..80 {
        let live = (u64::from(second) + 1).min(20) * 5_000;
        let lost = if second < 25 { 0 } else { 412 };
        stream.second(load, second, |_, tick| {
            let counters = &mut tick.counters;
            counters.connections_opened = if second < 20 { 5_000 } else { 0 };
            counters.scheduled = 1_960;
            counters.sent = 1_960;
            counters.completed = 1_960;
            counters.passed = 1_960;
            counters.status = [0, 1_960, 0, 0, 0];
            if second == 25 {
                counters.errors.add(ErrorClass::Closed, 412);
                tick.examples.add(example(Sight::Failure(ErrorClass::Closed)));
            }
            for number in 0..100 {
                tick.durations[Timing::DeliveryTime].record(50_000 + number * number * 2_300);
            }
            tick.gauges.connections = live - lost;
        });
        stream.machine(machine(90_000_000 + (live - lost) * 9_829));
    }
    stream.end_step(false).complete()
}

/// Clients that throw something at each other, of which a few things never arrive and two arrive twice.
pub(crate) fn messages() -> Findings {
    let text = r#"
name: thrown
target: { url: "http://127.0.0.1:3001", command: node services/sprites/src/server.js }
scenario:
  requests: [{ name: wait, path: /poll }]
  actions:
    - repeat: { every: 5s, actions: [request: { name: throw, method: POST, path: /throw, json: { name: "${message}" } }] }
load: { model: hold, connections: 15000, pace: 3k/s, duration: 30s }
"#;
    let subject = Subject {
        kind: RunKind::Run,
        plan: text,
        ..RUN
    };
    let mut stream = Stream::of(&subject);
    let load = Load {
        constant: false,
        ..constant(0.0, 35, 0)
    };
    stream.begin(load);
    for second in 0..35 {
        let sends = second >= 5;
        stream.second(load, second, |_, tick| {
            let sent = if sends { 3_000 } else { 0 };
            let opened = if sends { 0 } else { 3_000 };
            let counted = |completed: u64| Counters {
                scheduled: completed,
                sent: completed,
                completed,
                passed: completed,
                status: [0, completed, 0, 0, 0],
                ..Counters::default()
            };
            let lost = if second == 20 { 7 } else { 0 };
            let (waits, mut throws) = (counted(sent - lost + opened), counted(sent));
            throws.messages = MessageCounts {
                accepted: sent,
                delivered: sent - lost,
                copies: 0,
                doubled: if second == 21 { 2 } else { 0 },
                compared: sent / 100,
                out_of_order: 0,
            };
            tick.counters = waits.clone();
            tick.counters.merge(&throws);
            tick.counters.connections_opened = opened;
            tick.gauges.connections = (u64::from(second) + 1).min(5) * 3_000;
            tick.requests = vec![waits, throws];
            let mut thrown = Durations::default();
            for number in 0..if sends { 100 } else { 0 } {
                thrown[Timing::ResponseTime].record(300_000 + number * number * 500);
                thrown[Timing::ServiceTime].record(250_000 + number * number * 500);
                thrown[Timing::MessageTime].record(400_000 + number * number * 2_900);
            }
            tick.durations.all = thrown.clone();
            tick.durations.requests = vec![Durations::default(), thrown];
        });
    }
    stream.end_step(false).complete()
}
