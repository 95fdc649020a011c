//! Several processes of Node.js that make up a service.

use crate::run::{Run, SECOND_NS, cpu, plan};
use plimsoll_findings::{Findings, InstanceRole, NextStep, Notice, Verdict};
use plimsoll_measure::{InstanceSample, RunKind};

pub(crate) fn process(pid: u32, script: &str, leads: bool) -> InstanceSample {
    InstanceSample {
        pid,
        began: u64::from(pid),
        script: Some(script.to_owned()),
        leads,
        rss_bytes: 40 << 20,
        ..InstanceSample::default()
    }
}

/// Ten seconds with a primary whose main thread is busy for 5 % of the time, and workers whose are for so much, on 4 cores.
fn ran(busy: &[f64]) -> Findings {
    let primary = (process(10, "server.js", true), 0.05);
    let workers = (11..)
        .zip(busy)
        .map(|(pid, busy)| (process(pid, "server.js", false), *busy));
    let all: Vec<_> = std::iter::once(primary).chain(workers).collect();
    let sum: f64 = all.iter().map(|(_, busy)| busy).sum();
    Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(10), 0)
        .wide(all.len() as u32, 4)
        .instances(all)
        .seconds_with(10, |_, cpu_ns| *cpu_ns = (sum * SECOND_NS as f64) as u64)
        .findings()
}

#[test]
fn cpu_is_held_against_the_busiest_of_several_instances() {
    let uneven = ran(&[0.3, 0.92, 0.31]);
    assert_eq!(uneven.verdict, Verdict::Breached);
    let objective = &uneven.objectives[0];
    assert_eq!(objective.observed.map(|share| (share * 100.0).round()), Some(92.0));
    let service = uneven.target_resources.as_ref().expect("sampled");
    // The share of the whole is what it is.
    assert!((service.cpu_share - 0.395).abs() < 1e-6, "{service:?}");
    let roles: Vec<_> = service
        .instances
        .iter()
        .map(|one| (one.role, one.number, one.pid))
        .collect();
    let expected = [
        (InstanceRole::Leader, 1, 10),
        (InstanceRole::Instance, 1, 11),
        (InstanceRole::Instance, 2, 12),
        (InstanceRole::Instance, 3, 13),
    ];
    assert_eq!(roles, expected);
    let notice = uneven
        .notices
        .iter()
        .find(|notice| matches!(notice, Notice::UnevenInstances { .. }));
    let Some(&Notice::UnevenInstances {
        number,
        pid,
        others,
        others_share,
        ..
    }) = notice
    else {
        panic!("{:?}", uneven.notices);
    };
    assert_eq!((number, pid, others), (2, 12, 2));
    assert_eq!(uneven.next_step, NextStep::SpreadRequests { number: 2 });
    assert!((others_share - 0.305).abs() < 1e-6, "{others_share}");
}

#[test]
fn instances_as_busy_as_each_other_are_even() {
    for (busy, verdict, why) in [
        (&[0.7, 0.72, 0.66][..], Verdict::Passed, "each has room"),
        (
            &[0.9, 0.92, 0.88],
            Verdict::Breached,
            "each is full, and one core is idle",
        ),
        (
            &[0.02, 0.09, 0.01],
            Verdict::Passed,
            "the difference is none that matters",
        ),
    ] {
        let findings = ran(busy);
        assert_eq!(findings.verdict, verdict, "{why}");
        assert_eq!(findings.notices, [], "{why}");
    }
}

#[test]
fn service_with_one_instance_is_judged_as_a_whole() {
    let findings = ran(&[0.92]);
    assert_eq!(findings.verdict, Verdict::Passed);
    assert_eq!(findings.steps[0].hottest_share, None);
    assert!(
        findings
            .target_resources
            .is_some_and(|service| service.instances.is_empty())
    );
}

#[test]
fn more_instances_than_the_limit_has_cores_are_noticed() {
    let noticed = |millicores: u32, workers: u32| {
        let leader = std::iter::once((process(10, "server.js", true), 0.01));
        let workers = (0..workers).map(|number| (process(11 + number, "server.js", false), 0.1));
        let findings = Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(10), 0)
            .wide(9, 4)
            .throttled(millicores, 0)
            .instances(leader.chain(workers).collect())
            .seconds(10)
            .findings();
        findings.notices.into_iter().find_map(|notice| match notice {
            Notice::InstancesBeyondLimit { instances, cpu_cores } => Some((instances, cpu_cores)),
            _ => None,
        })
    };
    assert_eq!(noticed(500, 4), Some((4, 0.5)));
    assert_eq!(noticed(1500, 3), Some((3, 1.5)));
    // A second one begins where the first core is spent.
    assert_eq!(noticed(1500, 2), None);
    assert_eq!(noticed(4000, 4), None);
}

#[test]
fn instances_that_end_under_load_are_counted() {
    let workers = |pids: &[u32]| {
        let leader = std::iter::once((process(10, "server.js", true), 0.01));
        let workers = pids.iter().map(|pid| (process(*pid, "server.js", false), 0.4));
        leader.chain(workers).collect::<Vec<_>>()
    };
    let findings = Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(10), 2)
        .wide(3, 4)
        // One more is started before there is load.
        .instances(workers(&[11]))
        .seconds(1)
        .instances(workers(&[11, 12]))
        .seconds(4)
        .instances(workers(&[12, 13]))
        .seconds(5)
        .findings();
    assert_eq!(findings.notices, [Notice::InstancesChanged { ended: 1, started: 1 }]);
    let service = findings.target_resources.expect("sampled");
    let ended: Vec<_> = service.instances.iter().map(|one| (one.pid, one.ended)).collect();
    assert_eq!(ended, [(10, false), (11, true), (12, false), (13, false)]);
}
