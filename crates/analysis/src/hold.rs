//! Connections that were held: how many, how long, what was lost and what each cost.

use crate::percentiles::Gathered;
use crate::window::own_errors;
use plimsoll_findings::{BroadcastFinding, HoldFinding, MessageFinding, Verdict};
use plimsoll_measure::{
    Counters, HeldClients, MachineSample, MessageCounts, RunKind, StepEnd, StepStart, TargetSample, TickDurations,
    TickLine, Timing,
};
use plimsoll_plan::{HoldLoad, Load, Plan, Receivers, Scenario, SearchUnit};

/// With fewer connections, what else happens on the machine is larger than what they cost.
const LIVE_MIN_TO_WEIGH: u64 = 1_000;

/// Follows the records of a run that holds connections.
#[derive(Debug, Clone)]
pub(crate) struct HoldWatch {
    wanted: u64,
    /// Before the first connection.
    machine_before: Option<MachineSample>,
    service_before: Option<TargetSample>,
    /// When the load of the step began; `None` before its first tick.
    load_begins_ns: Option<u64>,
    end_ns: u64,
    opened: u64,
    last_opened_ns: u64,
    live: u64,
    live_max: u64,
    /// Most connections at the end of a tick, where clients may share them.
    connections_max: Option<u64>,
    service: Option<TargetSample>,
    /// The last time that most connections were open: how many, what the machine and the service used.
    heaviest: Option<(u64, MachineSample, Option<TargetSample>)>,
    shards: u32,
    delivered: u64,
    delivery_time: Gathered,
    /// Only where connections act.
    messages: Option<Messages>,
}

/// Follows the messages of such a run.
#[derive(Debug, Clone)]
struct Messages {
    /// How many requests of the scenario are no actions.
    usual: usize,
    /// Connections that each is for.
    of: Receivers,
    /// How many these are; `None` where nobody knows.
    receivers: Option<u64>,
    counts: MessageCounts,
    time: Gathered,
    /// The run went on until all had arrived, or had had their time.
    awaited: bool,
}

impl Messages {
    fn of(scenario: &Scenario, connections: u32) -> Option<Self> {
        scenario.repeated().map(|(_, action)| Self {
            usual: scenario.requests.len(),
            of: action.receivers,
            receivers: action.receivers.count(connections),
            counts: MessageCounts::default(),
            time: Gathered::default(),
            awaited: false,
        })
    }

    fn tick(&mut self, line: &TickLine, durations: &TickDurations) {
        self.counts.merge(&line.counters.messages);
        self.time
            .add(&durations[Timing::MessageTime], &line.durations[Timing::MessageTime]);
    }

    fn lost(&self) -> Option<u64> {
        self.awaited.then(|| self.counts.under_way())
    }

    /// Arrivals at all connections that each message is for.
    fn broadcast(&self) -> Option<BroadcastFinding> {
        if self.receivers == Some(1) {
            return None;
        }
        let arrivals = self.counts.delivered.saturating_add(self.counts.copies);
        let awaited = self.receivers.filter(|_| self.awaited);
        Some(BroadcastFinding {
            receivers: self.receivers,
            arrivals,
            missing: awaited.map(|each| self.counts.accepted.saturating_mul(each).saturating_sub(arrivals)),
        })
    }

    /// Whether any did not arrive, or not once.
    fn missed(&self) -> bool {
        let missing = self.broadcast().and_then(|broadcast| broadcast.missing);
        self.lost().unwrap_or(0) > 0 || missing.unwrap_or(0) > 0 || self.counts.doubled > 0
    }

    fn finding(&self) -> MessageFinding {
        MessageFinding {
            sent: self.counts.accepted,
            delivered: self.counts.delivered,
            lost: self.lost(),
            doubled: self.counts.doubled,
            broadcast: self.broadcast(),
            compared: self.counts.compared,
            out_of_order: self.counts.out_of_order,
            time: self.time.percentiles(),
        }
    }
}

impl HoldWatch {
    /// What follows the connections of a run that holds some: of all of it, or in a search of the step that runs.
    pub(crate) fn of(plan: &Plan, kind: RunKind) -> Option<Self> {
        match plan.load() {
            Load::Hold(load) if kind != RunKind::Capacity || plan.search().unit == SearchUnit::Connections => {
                Some(Self::new(load, plan.scenario()))
            }
            _ => None,
        }
    }

    fn new(load: &HoldLoad, scenario: &Scenario) -> Self {
        Self {
            wanted: load.connections.into(),
            machine_before: None,
            service_before: None,
            load_begins_ns: None,
            end_ns: 0,
            opened: 0,
            last_opened_ns: 0,
            live: 0,
            live_max: 0,
            connections_max: None,
            service: None,
            heaviest: None,
            shards: 0,
            delivered: 0,
            delivery_time: Gathered::default(),
            messages: Messages::of(scenario, load.connections),
        }
    }

    pub(crate) fn starts(&mut self, start: &StepStart) {
        self.load_begins_ns = None;
        self.service_before = start.target;
        if let Some(connections) = start.connections {
            self.wanted = connections.into();
            if let Some(messages) = &mut self.messages {
                messages.receivers = messages.of.count(connections);
            }
        }
    }

    pub(crate) fn ends(&mut self, end: StepEnd) {
        if let Some(messages) = &mut self.messages {
            messages.awaited = !end.cut_short;
        }
    }

    pub(crate) fn tick(&mut self, line: &TickLine, durations: &TickDurations, service: Option<TargetSample>) {
        self.load_begins_ns.get_or_insert(line.start_ns);
        self.end_ns = line.end_ns();
        let HeldClients { opened, live } = HeldClients::of(&line.counters, &line.gauges);
        if opened > 0 {
            self.opened = self.opened.saturating_add(opened);
            self.last_opened_ns = self.end_ns;
        }
        self.live = live;
        self.live_max = self.live_max.max(self.live);
        if line.gauges.clients.is_some() {
            let before = self.connections_max.unwrap_or(0);
            self.connections_max = Some(before.max(line.gauges.connections));
        }
        self.service = service;
        self.shards = self.shards.max(line.generator.shards.len() as u32);
        let actions = self.messages.as_ref().map_or(&[][..], |messages| {
            line.requests.get(messages.usual..).unwrap_or_default()
        });
        let of_actions = actions.iter().map(|request| request.counters.completed);
        let of_actions = of_actions.fold(0, u64::saturating_add);
        let completed = line.counters.completed.saturating_sub(of_actions);
        self.delivered = self.delivered.saturating_add(completed);
        self.delivery_time
            .add(&durations[Timing::DeliveryTime], &line.durations[Timing::DeliveryTime]);
        if let Some(messages) = &mut self.messages {
            messages.tick(line, durations);
        }
    }

    /// Whether messages were to be sent, and the service accepted none.
    pub(crate) fn sent_nothing(&self) -> bool {
        let sent_nothing = |messages: &Messages| messages.counts.accepted == 0;
        self.messages.as_ref().is_some_and(sent_nothing)
    }

    /// Whether messages were lost, or came more than once.
    fn missed_messages(&self) -> bool {
        self.messages.as_ref().is_some_and(Messages::missed)
    }

    /// Memory after the tick before, or before the first one.
    pub(crate) fn machine(&mut self, sample: MachineSample) {
        if self.machine_before.is_none() {
            self.machine_before = Some(sample);
        } else if self.live > 0 && self.live >= self.heaviest.map_or(0, |(live, ..)| live) {
            self.heaviest = Some((self.live, sample, self.service));
        }
    }

    /// Nothing but what was asked for is a pass: every connection opened, none lost, every response accepted, and every message
    /// delivered once. Where no connection was even tried, or no message sent, there is nothing to judge.
    pub(crate) fn verdict(&self, totals: &Counters) -> Verdict {
        if own_errors(totals) > 0 {
            Verdict::Invalid
        } else if self.opened == 0 && totals.errors.total() == 0 {
            Verdict::Unjudged
        } else if self.opened == 0 {
            Verdict::Failed
        } else if totals.errors.total() > 0 || self.live < self.wanted || self.missed_messages() {
            Verdict::Breached
        } else if self.sent_nothing() {
            Verdict::Unjudged
        } else {
            Verdict::Passed
        }
    }

    /// Of a step of a search. What a connection costs in memory is not known there: that of the steps before is still taken.
    pub(crate) fn finding_of_step(&self) -> HoldFinding {
        HoldFinding {
            generator_bytes_per_connection: None,
            service_bytes_per_connection: None,
            kernel_bytes_per_connection: None,
            ..self.finding()
        }
    }

    pub(crate) fn finding(&self) -> HoldFinding {
        let any_opened = self.opened > 0;
        let opening_ns = self.last_opened_ns.saturating_sub(self.load_begins_ns.unwrap_or(0));
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
            connections_max: self.connections_max,
            lost: self.opened.saturating_sub(self.live),
            opening_s: any_opened.then_some(opening_ns as f64 / 1e9),
            held_s: any_opened.then_some(held_ns as f64 / 1e9),
            shards: self.shards,
            delivered: self.delivered,
            delivery_time: self.delivery_time.percentiles(),
            generator_bytes_per_connection: machine.map(|(generator, _)| generator),
            service_bytes_per_connection: service,
            kernel_bytes_per_connection: machine.map(|(_, kernel)| kernel),
            messages: self.messages.as_ref().map(Messages::finding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::{ErrorClass, Gauges, PartLine};
    use plimsoll_plan::{Action, ActionRequest, OnFailure, Park, Rate, Receivers, Repeat, Request, Template};
    use std::time::Duration;

    const SECOND_NS: u64 = 1_000_000_000;

    fn load(connections: u32) -> HoldLoad {
        HoldLoad {
            connections,
            pace: Rate::per_s(1000),
            duration: Duration::from_secs(3),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        }
    }

    fn watch(connections: u32) -> HoldWatch {
        HoldWatch::new(&load(connections), &Scenario::default())
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
        watch.tick(&tick(0, 2000, 2000), &TickDurations::default(), None);
        watch.machine(machine(1_400_000));
        watch.tick(&tick(1, 0, 1990), &TickDurations::default(), None);
        watch.machine(machine(9_000_000));
        let finding = watch.finding();
        assert_eq!(finding.generator_bytes_per_connection, Some(200.0));
        assert_eq!(finding.kernel_bytes_per_connection, Some(2200.0));
        assert_eq!(finding.service_bytes_per_connection, None);
        assert_eq!((finding.live, finding.live_max, finding.lost), (1990, 2000, 10));
        assert_eq!((finding.opening_s, finding.held_s), (Some(1.0), Some(1.0)));
    }

    /// A fleet begins after the step does.
    #[test]
    fn opening_takes_from_the_first_tick_on() {
        let mut watch = watch(2000);
        watch.tick(&tick(3, 1000, 1000), &TickDurations::default(), None);
        watch.tick(&tick(4, 1000, 2000), &TickDurations::default(), None);
        watch.tick(&tick(5, 0, 2000), &TickDurations::default(), None);
        let finding = watch.finding();
        assert_eq!((finding.opening_s, finding.held_s), (Some(2.0), Some(1.0)));
    }

    #[test]
    fn clients_that_share_connections_are_what_is_held() {
        let mut watch = watch(10);
        for (second, opened, live) in [(0, 10, 10), (1, 0, 7)] {
            let mut line = tick(second, 2, 2);
            line.counters.clients_opened = opened;
            line.gauges.clients = Some(live);
            watch.tick(&line, &TickDurations::default(), None);
        }
        let finding = watch.finding();
        assert_eq!((finding.opened, finding.live, finding.lost), (10, 7, 3));
        assert_eq!(finding.connections_max, Some(2));
        assert_eq!(watch.verdict(&Counters::default()), Verdict::Breached);
    }

    #[test]
    fn few_connections_are_not_weighed() {
        let mut watch = watch(10);
        watch.machine(machine(1_000_000));
        watch.tick(&tick(0, 10, 10), &TickDurations::default(), None);
        watch.machine(machine(2_000_000));
        assert_eq!(watch.finding().generator_bytes_per_connection, None);
    }

    fn acting() -> HoldWatch {
        let sends = ActionRequest {
            url: None,
            request: Request::get(Template::literal("/send")),
            takes: Vec::new(),
            checks: Vec::new(),
            on_failure: OnFailure::default(),
            receivers: Receivers::default(),
        };
        let repeat = Repeat {
            every: Duration::from_secs(1),
            actions: vec![Action::Request(Box::new(sends))],
        };
        let scenario = Scenario {
            requests: vec![Request::get(Template::literal("/wait"))],
            actions: vec![Action::Repeat(repeat)],
            ..Scenario::default()
        };
        HoldWatch::new(&load(10), &scenario)
    }

    /// After a second in which so many messages were accepted, delivered and doubled, and so many responses came to waiting and to
    /// sending requests.
    fn acted(messages: MessageCounts, completed: [u64; 2]) -> HoldWatch {
        let mut watch = acting();
        let mut line = tick(0, 10, 10);
        line.counters.messages = messages;
        line.counters.completed = completed[0] + completed[1];
        line.requests = completed
            .map(|completed| PartLine {
                counters: Counters {
                    completed,
                    ..Counters::default()
                },
                ..PartLine::default()
            })
            .into();
        watch.tick(&line, &TickDurations::default(), None);
        watch
    }

    const ENDED: StepEnd = StepEnd {
        step: 0,
        at_ns: SECOND_NS,
        cut_short: false,
    };

    #[test]
    fn messages_are_lost_only_where_they_were_awaited() {
        let counts = MessageCounts {
            accepted: 20,
            delivered: 18,
            ..MessageCounts::default()
        };
        let check = |end: Option<StepEnd>, lost, verdict| {
            let mut watch = acted(counts, [18, 20]);
            end.into_iter().for_each(|end| watch.ends(end));
            let found = watch.finding();
            let messages = found.messages.expect("there are actions");
            assert_eq!((messages.sent, messages.delivered, messages.lost), (20, 18, lost));
            assert_eq!(found.delivered, 18, "responses to requests that send are apart");
            assert_eq!(watch.verdict(&Counters::default()), verdict);
        };
        check(None, None, Verdict::Passed);
        let cut_short = true;
        check(Some(StepEnd { cut_short, ..ENDED }), None, Verdict::Passed);
        check(Some(ENDED), Some(2), Verdict::Breached);
    }

    #[test]
    fn messages_that_come_twice_breach_and_none_at_all_are_unjudged() {
        let check = |counts, verdict| {
            let mut watch = acted(counts, [0, 0]);
            watch.ends(ENDED);
            assert_eq!(watch.verdict(&Counters::default()), verdict, "{counts:?}");
        };
        let once = MessageCounts {
            accepted: 20,
            delivered: 20,
            compared: 10,
            out_of_order: 1,
            ..MessageCounts::default()
        };
        check(once, Verdict::Passed);
        check(MessageCounts { doubled: 1, ..once }, Verdict::Breached);
        check(MessageCounts::default(), Verdict::Unjudged);
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
            watch.tick(&tick(0, opened, live), &TickDurations::default(), None);
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
