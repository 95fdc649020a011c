//! Runs of any kind.

use super::info;
use plimsoll_measure::probe::KeptMemory;
use plimsoll_measure::{
    CollectionMark, Counters, Durations, ErrorClass, GroupSample, InstanceSample, InstancesSample, KeptSample,
    LoopDelays, NeighbourSample, Note, NoteKind, Record, Resource, ShardLoad, Shock, ShockMark, ShockPhase, StepEnd,
    StepStart, Taken, TargetSample, Tick, TickDurations, Timing,
};
use proptest::prelude::*;
use std::borrow::Cow;

/// What a line may hold; above, it counts as torn.
fn any_number() -> impl Strategy<Value = u64> {
    0..1_000_000_000_000_000_000_u64
}

/// Anything from under a microsecond to above the greatest value that a histogram tells apart.
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
        descriptors: n[1].is_multiple_of(3).then_some(700),
        context_switches_voluntary: n[3],
        context_switches_involuntary: n[4],
        group: (n[0] % 2 == 0).then_some(GroupSample {
            cpu_millicores: Some(n[1] as u32),
            throttled_ns: Some(n[2]),
            oom_kills: n[3],
            ..GroupSample::default()
        }),
    }))
}

fn any_note() -> impl Strategy<Value = Note> {
    let kind = prop_oneof![
        Just(NoteKind::Interrupted),
        Just(NoteKind::TargetDied),
        Just(NoteKind::NeighbourDied),
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
    let durations = (any_durations(), requests).prop_map(|(all, requests)| TickDurations {
        all,
        requests,
        agents: Vec::new(),
    });
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
                ..ShardLoad::default()
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
pub(super) fn any_run() -> impl Strategy<Value = Vec<Record<'static>>> {
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
                users: None,
                connections: None,
                planned_ns: rate,
                warm_up_ns: 7,
                warms_up: false,
                target,
            }));
            for (index, ((mut tick, target), note)) in (0..).zip(ticks) {
                tick.index = index;
                tick.start_ns = now_ns;
                now_ns += tick.duration_ns;
                let instances = target
                    .filter(|target| target.threads > 0)
                    .map(|target| InstancesSample {
                        at_ns: target.at_ns,
                        processes: vec![InstanceSample {
                            pid: target.threads,
                            machine: (step % 3 == 0).then(|| format!("box-{index}")),
                            began: target.cpu_ns,
                            script: (step % 2 == 0).then(|| format!("server-{index}.js")),
                            leads: step % 2 == 1,
                            cpu_ns: target.cpu_ns,
                            main_ns: target.rss_bytes,
                            rss_bytes: target.at_ns,
                        }],
                    });
                records.extend(instances.map(Record::Instances));
                let kept = target.filter(|target| target.threads > 1).map(|target| KeptSample {
                    at_ns: target.at_ns,
                    threads: target.threads,
                    memory: KeptMemory {
                        heap_used_bytes: target.rss_bytes,
                        ..KeptMemory::default()
                    },
                    ..KeptSample::default()
                });
                records.extend(
                    kept.iter()
                        .map(|kept| Record::Collection(CollectionMark { at_ns: kept.at_ns })),
                );
                let told = kept
                    .as_ref()
                    .map(|kept| LoopDelays::of(kept.at_ns, &[kept.threads, 12_345]));
                records.extend(kept.map(Record::Kept));
                records.extend(told.map(Record::LoopDelays));
                records.push(Record::Tick {
                    line: tick.line(step, &info().quantiles),
                    durations: Cow::Owned(tick.durations),
                    target,
                });
                let beside = target
                    .filter(|target| target.sockets > 0)
                    .map(|sample| NeighbourSample {
                        name: format!("redis-{index}"),
                        shares_cores: step % 2 == 0,
                        sample,
                    });
                records.extend(beside.map(Record::Neighbour));
                let shock = (index == 1).then_some(ShockMark {
                    at_ns: now_ns,
                    phase: ShockPhase::Begins,
                    shock: Shock::Burst { times: 2.5 },
                    steady_ns: 7,
                });
                records.extend(shock.map(Record::Shock));
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
