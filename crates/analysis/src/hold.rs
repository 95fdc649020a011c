//! Connections that were held: how many, how long, what was lost and what each cost.

use crate::percentiles::Gathered;
use crate::window::own_errors;
use plimsoll_findings::{HoldFinding, Verdict};
use plimsoll_measure::{Counters, Histogram, MachineSample, StepStart, TargetSample, TickLine, Timing};
use plimsoll_plan::HoldLoad;

/// With fewer connections, what else happens on the machine is larger than what they cost.
const LIVE_MIN_TO_WEIGH: u64 = 1_000;

/// Follows the records of a run that holds connections.
#[derive(Debug, Clone)]
pub(crate) struct HoldWatch {
    wanted: u64,
    /// Before the first connection.
    machine_before: Option<MachineSample>,
    service_before: Option<TargetSample>,
    start_ns: u64,
    end_ns: u64,
    opened: u64,
    last_opened_ns: u64,
    live: u64,
    live_max: u64,
    service: Option<TargetSample>,
    /// The last time that most connections were open: how many, what the machine and the service used.
    heaviest: Option<(u64, MachineSample, Option<TargetSample>)>,
    shards: u32,
    delivered: u64,
    delivery_time: Gathered,
}

impl HoldWatch {
    pub(crate) fn new(load: &HoldLoad) -> Self {
        Self {
            wanted: load.connections.into(),
            machine_before: None,
            service_before: None,
            start_ns: 0,
            end_ns: 0,
            opened: 0,
            last_opened_ns: 0,
            live: 0,
            live_max: 0,
            service: None,
            heaviest: None,
            shards: 0,
            delivered: 0,
            delivery_time: Gathered::default(),
        }
    }

    pub(crate) fn starts(&mut self, start: &StepStart) {
        self.start_ns = start.at_ns;
        self.service_before = start.target;
    }

    pub(crate) fn tick(&mut self, line: &TickLine, delivery_time: &Histogram, service: Option<TargetSample>) {
        self.end_ns = line.end_ns();
        if line.counters.connections_opened > 0 {
            self.opened = self.opened.saturating_add(line.counters.connections_opened);
            self.last_opened_ns = self.end_ns;
        }
        self.live = line.gauges.connections;
        self.live_max = self.live_max.max(self.live);
        self.service = service;
        self.shards = self.shards.max(line.generator.shards.len() as u32);
        self.delivered = self.delivered.saturating_add(line.counters.completed);
        self.delivery_time
            .add(delivery_time, &line.durations[Timing::DeliveryTime]);
    }

    /// Memory after the tick before, or before the first one.
    pub(crate) fn machine(&mut self, sample: MachineSample) {
        if self.machine_before.is_none() {
            self.machine_before = Some(sample);
        } else if self.live > 0 && self.live >= self.heaviest.map_or(0, |(live, ..)| live) {
            self.heaviest = Some((self.live, sample, self.service));
        }
    }

    /// Nothing but what was asked for is a pass: every connection opened, none lost, every response accepted. Where no
    /// connection was even tried there is nothing to judge.
    pub(crate) fn verdict(&self, totals: &Counters) -> Verdict {
        if own_errors(totals) > 0 {
            Verdict::Invalid
        } else if self.opened == 0 && totals.errors.total() == 0 {
            Verdict::Unjudged
        } else if self.opened == 0 {
            Verdict::Failed
        } else if totals.errors.total() > 0 || self.live < self.wanted {
            Verdict::Breached
        } else {
            Verdict::Passed
        }
    }

    pub(crate) fn finding(&self) -> HoldFinding {
        let any_opened = self.opened > 0;
        let held_ns = self.end_ns.saturating_sub(self.last_opened_ns);
        let weighed = self.heaviest.filter(|&(live, ..)| live >= LIVE_MIN_TO_WEIGH);
        let per_connection = |before: u64, after: u64, live: u64| after.saturating_sub(before) as f64 / live as f64;
        let machine = weighed.zip(self.machine_before).map(|((live, now, _), before)| {
            let kernel =
                |sample: &MachineSample| sample.kernel_objects_bytes.saturating_add(sample.socket_buffers_bytes);
            (
                per_connection(before.generator_bytes, now.generator_bytes, live),
                per_connection(kernel(&before), kernel(&now), live),
            )
        });
        let service = weighed.and_then(|(live, _, now)| {
            let (before, now) = (self.service_before?, now?);
            Some(per_connection(before.rss_bytes, now.rss_bytes, live))
        });
        HoldFinding {
            wanted: self.wanted,
            opened: self.opened,
            live: self.live,
            live_max: self.live_max,
            lost: self.opened.saturating_sub(self.live),
            opening_s: any_opened.then(|| self.last_opened_ns.saturating_sub(self.start_ns) as f64 / 1e9),
            held_s: any_opened.then_some(held_ns as f64 / 1e9),
            shards: self.shards,
            delivered: self.delivered,
            delivery_time: self.delivery_time.percentiles(),
            generator_bytes_per_connection: machine.map(|(generator, _)| generator),
            service_bytes_per_connection: service,
            kernel_bytes_per_connection: machine.map(|(_, kernel)| kernel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::{ErrorClass, Gauges};
    use plimsoll_plan::{Park, Rate};
    use std::time::Duration;

    const SECOND_NS: u64 = 1_000_000_000;

    fn watch(connections: u32) -> HoldWatch {
        HoldWatch::new(&HoldLoad {
            connections,
            pace: Rate::per_s(1000),
            duration: Duration::from_secs(3),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        })
    }

    fn tick(second: u64, opened: u64, live: u64) -> TickLine {
        TickLine {
            start_ns: second * SECOND_NS,
            duration_ns: SECOND_NS,
            counters: Counters {
                connections_opened: opened,
                ..Counters::default()
            },
            gauges: Gauges {
                connections: live,
                ..Gauges::default()
            },
            ..TickLine::default()
        }
    }

    fn machine(bytes: u64) -> MachineSample {
        MachineSample {
            generator_bytes: bytes,
            kernel_objects_bytes: 10 * bytes,
            socket_buffers_bytes: bytes,
            ..MachineSample::default()
        }
    }

    #[test]
    fn a_connection_costs_what_came_with_it_when_most_were_open() {
        let mut watch = watch(2000);
        watch.machine(machine(1_000_000));
        watch.tick(&tick(0, 2000, 2000), &Histogram::default(), None);
        watch.machine(machine(1_400_000));
        watch.tick(&tick(1, 0, 1990), &Histogram::default(), None);
        watch.machine(machine(9_000_000));
        let finding = watch.finding();
        assert_eq!(finding.generator_bytes_per_connection, Some(200.0));
        assert_eq!(finding.kernel_bytes_per_connection, Some(2200.0));
        assert_eq!(finding.service_bytes_per_connection, None);
        assert_eq!((finding.live, finding.live_max, finding.lost), (1990, 2000, 10));
        assert_eq!((finding.opening_s, finding.held_s), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn few_connections_are_not_weighed() {
        let mut watch = watch(10);
        watch.machine(machine(1_000_000));
        watch.tick(&tick(0, 10, 10), &Histogram::default(), None);
        watch.machine(machine(2_000_000));
        assert_eq!(watch.finding().generator_bytes_per_connection, None);
    }

    #[test]
    fn only_what_was_asked_for_passes() {
        let failed = |class| {
            let mut totals = Counters::default();
            totals.errors.add(class, 1);
            totals
        };
        let check = |opened, live, totals: &Counters| {
            let mut watch = watch(10);
            watch.tick(&tick(0, opened, live), &Histogram::default(), None);
            watch.verdict(totals)
        };
        assert_eq!(check(10, 10, &Counters::default()), Verdict::Passed);
        assert_eq!(check(9, 9, &Counters::default()), Verdict::Breached);
        assert_eq!(check(10, 9, &failed(ErrorClass::Closed)), Verdict::Breached);
        assert_eq!(check(10, 10, &failed(ErrorClass::Status)), Verdict::Breached);
        assert_eq!(check(9, 9, &failed(ErrorClass::NoDescriptor)), Verdict::Invalid);
        assert_eq!(check(0, 0, &failed(ErrorClass::Refused)), Verdict::Failed);
        assert_eq!(check(0, 0, &Counters::default()), Verdict::Unjudged);
    }
}
