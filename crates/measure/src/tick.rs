//! One second of a run as the generator saw it.

use crate::apart::{Part, merge_each};
use crate::durations::{Durations, Summaries, TickDurations};
use crate::error_class::ErrorCounts;
use crate::example::Examples;
use crate::gauges::Gauges;
use crate::generator_load::GeneratorLoad;
use serde::{Deserialize, Serialize};

/// What the generator saw in one tick, all shards merged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tick {
    /// Position within its step, from 0.
    pub index: u32,
    /// Start since the beginning of the run, ns.
    pub start_ns: u64,
    /// Length, ns.
    pub duration_ns: u64,
    /// No start was scheduled in it any more; responses were still awaited.
    pub draining: bool,
    /// Events of this tick.
    pub counters: Counters,
    /// State at its end.
    pub gauges: Gauges,
    /// The generator's own state.
    pub generator: GeneratorLoad,
    /// Durations of the requests that finished in this tick.
    pub durations: TickDurations,
    /// Events of each request of the scenario, by its place there; see [`apart`](crate::apart()). Empty where there is only one. What belongs to
    /// no request, such as connections, is in `counters` alone, and so is what was scheduled.
    pub requests: Vec<Counters>,
    /// Events that each agent of a fleet saw, by its place. Empty where one machine makes the load.
    pub agents: Vec<Counters>,
    /// The first failures of their class, each once from each shard of a step.
    pub examples: Examples,
}

impl Tick {
    /// Adds what another shard or agent saw in the same tick.
    pub fn merge(&mut self, other: &Self) {
        let end_ns = end_ns(self.start_ns, self.duration_ns).max(end_ns(other.start_ns, other.duration_ns));
        self.start_ns = self.start_ns.min(other.start_ns);
        self.duration_ns = end_ns - self.start_ns;
        self.draining &= other.draining;
        self.counters.merge(&other.counters);
        self.gauges.merge(&other.gauges);
        self.generator.merge(&other.generator);
        self.durations.merge(&other.durations);
        merge_each(&mut self.requests, other.requests.iter(), Counters::merge);
        merge_each(&mut self.agents, other.agents.iter(), Counters::merge);
        self.examples.merge(&other.examples);
    }

    /// The line of `ticks.jsonl` for this tick, its histograms cut down to `quantiles`.
    #[must_use]
    pub fn line(&self, step: u32, quantiles: &[f64]) -> TickLine {
        TickLine {
            step,
            index: self.index,
            start_ns: self.start_ns,
            duration_ns: self.duration_ns,
            draining: self.draining,
            counters: self.counters.clone(),
            gauges: self.gauges,
            generator: self.generator.clone(),
            durations: self.durations.all.summaries(quantiles),
            requests: lines(&self.requests, &self.durations.requests, quantiles),
            agents: lines(&self.agents, &self.durations.agents, quantiles),
            examples: self.examples.clone(),
        }
    }
}

fn lines(counters: &[Counters], durations: &[Durations], quantiles: &[f64]) -> Vec<PartLine> {
    let line = |(counters, durations): (&Counters, &Durations)| PartLine {
        counters: counters.clone(),
        durations: durations.summaries(quantiles),
    };
    counters.iter().zip(durations).map(line).collect()
}

/// A tick as the run directory keeps it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TickLine {
    /// Step that it belongs to, from 0.
    pub step: u32,
    /// Position within its step, from 0.
    pub index: u32,
    /// Start since the beginning of the run, ns.
    pub start_ns: u64,
    /// Length, ns.
    pub duration_ns: u64,
    /// No start was scheduled in it any more; responses were still awaited.
    #[serde(default)]
    pub draining: bool,
    /// Events of this tick.
    pub counters: Counters,
    /// State at its end.
    pub gauges: Gauges,
    /// The generator's own state.
    pub generator: GeneratorLoad,
    /// Each request of the scenario, by its place there; see [`apart`](crate::apart()). Empty where there is only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<PartLine>,
    /// Each agent of a fleet, by its place. Empty where one machine makes the load.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<PartLine>,
    /// Durations of the requests that finished in this tick.
    #[serde(flatten)]
    pub durations: Summaries,
    /// The first failures of their class.
    #[serde(default, skip_serializing_if = "Examples::is_empty")]
    pub examples: Examples,
}

impl TickLine {
    /// What it keeps of the durations of a part, if it knows that.
    #[must_use]
    pub fn summaries(&self, part: Part) -> Option<&Summaries> {
        match part {
            Part::All => Some(&self.durations),
            Part::Request(place) => self.requests.get(usize::from(place)).map(|line| &line.durations),
            Part::Agent(place) => self.agents.get(usize::from(place)).map(|line| &line.durations),
        }
    }

    /// End since the beginning of the run, ns.
    #[must_use]
    pub fn end_ns(&self) -> u64 {
        end_ns(self.start_ns, self.duration_ns)
    }
}

/// What is read may be anything, so no sum of it overflows.
fn end_ns(start_ns: u64, duration_ns: u64) -> u64 {
    start_ns.saturating_add(duration_ns)
}

/// One request of the scenario or one agent in a tick, as the run directory keeps it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PartLine {
    /// Its events.
    pub counters: Counters,
    /// Its durations.
    #[serde(default)]
    pub durations: Summaries,
}

/// Events of a tick; all add up over ticks, shards and agents. In JSON those that occurred.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Starts that the schedule asked for in this tick (closed model: requests begun).
    #[serde(skip_serializing_if = "is_zero")]
    pub scheduled: u64,
    /// Requests handed to the kernel.
    #[serde(skip_serializing_if = "is_zero")]
    pub sent: u64,
    /// Responses received to the last byte, correct or not.
    #[serde(skip_serializing_if = "is_zero")]
    pub completed: u64,
    /// Responses that met every expectation.
    #[serde(skip_serializing_if = "is_zero")]
    pub passed: u64,
    /// Scheduled starts that were never made.
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// Bytes handed to the kernel.
    #[serde(skip_serializing_if = "is_zero")]
    pub sent_bytes: u64,
    /// Bytes received.
    #[serde(skip_serializing_if = "is_zero")]
    pub received_bytes: u64,
    /// Connections opened.
    #[serde(skip_serializing_if = "is_zero")]
    pub connections_opened: u64,
    /// Clients that were held from then on, where several may share a connection.
    #[serde(skip_serializing_if = "is_zero")]
    pub clients_opened: u64,
    /// TLS handshakes with certificates and a key exchange.
    #[serde(skip_serializing_if = "is_zero")]
    pub handshakes_full: u64,
    /// TLS handshakes that resumed an earlier session.
    #[serde(skip_serializing_if = "is_zero")]
    pub handshakes_resumed: u64,
    /// Responses by first digit of the status; index 0 is 1xx.
    #[serde(skip_serializing_if = "all_zero")]
    pub status: [u64; 5],
    /// Responses with a status outside 100 to 599; HTTP allows any three digits.
    #[serde(skip_serializing_if = "is_zero")]
    pub status_other: u64,
    /// Responses among them that are redirects: 301, 302, 303, 307 and 308.
    #[serde(skip_serializing_if = "is_zero")]
    pub redirects: u64,
    /// Failed responses with a status by which a service refuses work that it has no room for: 429 and 503.
    #[serde(skip_serializing_if = "is_zero")]
    pub turned_away: u64,
    /// Redirects that were followed. They are responses too, and no others count them.
    #[serde(skip_serializing_if = "is_zero")]
    pub followed: u64,
    /// Requests that met a kept connection which the service was ending, and were not sent again. No failures: see
    /// `docs/decisions/0023-keep-alive-races-are-told-apart.md`.
    #[serde(skip_serializing_if = "is_zero")]
    pub keep_alive_races: u64,
    /// Requests that met such a connection and were sent once more.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated: u64,
    /// Connections given up because bytes came that no request had asked for.
    #[serde(skip_serializing_if = "is_zero")]
    pub unrequested: u64,
    /// Failures by class.
    #[serde(skip_serializing_if = "ErrorCounts::is_empty")]
    pub errors: ErrorCounts,
    /// Messages, where connections that are held send some.
    #[serde(skip_serializing_if = "MessageCounts::is_empty")]
    pub messages: MessageCounts,
    /// Users, where the scenario has journeys.
    #[serde(skip_serializing_if = "UserCounts::is_empty")]
    pub users: UserCounts,
}

/// What became of messages, which requests make a service send to connections that are held. In JSON what occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageCounts {
    /// Messages that the service has accepted: the request that sends one has an expected response.
    #[serde(skip_serializing_if = "is_zero")]
    pub accepted: u64,
    /// Messages that were accepted and have arrived, each once, counted when the later of both is known.
    #[serde(skip_serializing_if = "is_zero")]
    pub delivered: u64,
    /// Arrivals at further connections, each once, of messages that are for several.
    #[serde(skip_serializing_if = "is_zero")]
    pub copies: u64,
    /// Arrivals of messages that had arrived before; of those that are for several, at the same connection.
    #[serde(skip_serializing_if = "is_zero")]
    pub doubled: u64,
    /// Messages that came to a connection behind another one of the same sender.
    #[serde(skip_serializing_if = "is_zero")]
    pub compared: u64,
    /// Messages among them that were sent before the other one.
    #[serde(skip_serializing_if = "is_zero")]
    pub out_of_order: u64,
}

impl MessageCounts {
    /// Whether there was nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Messages that were accepted and have not arrived yet.
    #[must_use]
    pub fn under_way(&self) -> u64 {
        self.accepted.saturating_sub(self.delivered)
    }

    /// Adds `other`.
    pub fn merge(&mut self, other: &Self) {
        self.accepted = self.accepted.saturating_add(other.accepted);
        self.delivered = self.delivered.saturating_add(other.delivered);
        self.copies = self.copies.saturating_add(other.copies);
        self.doubled = self.doubled.saturating_add(other.doubled);
        self.compared = self.compared.saturating_add(other.compared);
        self.out_of_order = self.out_of_order.saturating_add(other.out_of_order);
    }
}

/// What became of users, who do what a journey says. Those of a journey begin and finish at its first request. In JSON what occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserCounts {
    /// Users who began.
    #[serde(skip_serializing_if = "is_zero")]
    pub started: u64,
    /// Those of them who were to do what is done on a user's first journey alone; none where nothing is.
    #[serde(skip_serializing_if = "is_zero")]
    pub new: u64,
    /// Users who came to the end of their journey.
    #[serde(skip_serializing_if = "is_zero")]
    pub finished: u64,
    /// Users who came to a request, each once.
    #[serde(skip_serializing_if = "is_zero")]
    pub reached: u64,
    /// Users whose journey ended at a request, because it failed.
    #[serde(skip_serializing_if = "is_zero")]
    pub failed: u64,
    /// Users who began here and whose journey ended so, at whichever request. These may share their place with others, so that they are counted twice.
    #[serde(skip_serializing_if = "is_zero")]
    pub ended_early: u64,
    /// Users who did not begin, because every row of a table that is used once was used up; at most one of each shard.
    #[serde(skip_serializing_if = "is_zero")]
    pub without_row: u64,
}

impl UserCounts {
    /// Whether there was none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds `other`.
    pub fn merge(&mut self, other: &Self) {
        self.started = self.started.saturating_add(other.started);
        self.new = self.new.saturating_add(other.new);
        self.finished = self.finished.saturating_add(other.finished);
        self.reached = self.reached.saturating_add(other.reached);
        self.failed = self.failed.saturating_add(other.failed);
        self.ended_early = self.ended_early.saturating_add(other.ended_early);
        self.without_row = self.without_row.saturating_add(other.without_row);
    }
}

impl Counters {
    /// Adds `other`.
    pub fn merge(&mut self, other: &Self) {
        self.scheduled = self.scheduled.saturating_add(other.scheduled);
        self.sent = self.sent.saturating_add(other.sent);
        self.completed = self.completed.saturating_add(other.completed);
        self.passed = self.passed.saturating_add(other.passed);
        self.dropped = self.dropped.saturating_add(other.dropped);
        self.sent_bytes = self.sent_bytes.saturating_add(other.sent_bytes);
        self.received_bytes = self.received_bytes.saturating_add(other.received_bytes);
        self.connections_opened = self.connections_opened.saturating_add(other.connections_opened);
        self.clients_opened = self.clients_opened.saturating_add(other.clients_opened);
        self.handshakes_full = self.handshakes_full.saturating_add(other.handshakes_full);
        self.handshakes_resumed = self.handshakes_resumed.saturating_add(other.handshakes_resumed);
        for (mine, theirs) in self.status.iter_mut().zip(other.status) {
            *mine = mine.saturating_add(theirs);
        }
        self.status_other = self.status_other.saturating_add(other.status_other);
        self.redirects = self.redirects.saturating_add(other.redirects);
        self.turned_away = self.turned_away.saturating_add(other.turned_away);
        self.followed = self.followed.saturating_add(other.followed);
        self.keep_alive_races = self.keep_alive_races.saturating_add(other.keep_alive_races);
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.unrequested = self.unrequested.saturating_add(other.unrequested);
        self.errors.merge(&other.errors);
        self.messages.merge(&other.messages);
        self.users.merge(&other.users);
    }

    /// Counts the status of one response; 0 is none.
    #[inline]
    pub fn count_status(&mut self, status: u16) {
        match self.status.get_mut(usize::from(status / 100).wrapping_sub(1)) {
            Some(count) => *count += 1,
            None => self.status_other += u64::from(status > 0),
        }
    }

    /// Requests that met a kept connection which the service was ending, whether they were sent again or not.
    #[must_use]
    pub fn races(&self) -> u64 {
        self.keep_alive_races.saturating_add(self.repeated)
    }

    /// Requests that have an outcome: passed, failed or never seen by the service.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.passed
            .saturating_add(self.errors.total())
            .saturating_add(self.keep_alive_races)
    }
}

/// Clients that are held: each with a connection to itself, or with a stream of one that several share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldClients {
    /// Those that began to be held in a tick.
    pub opened: u64,
    /// Those that are held at its end.
    pub live: u64,
}

impl HeldClients {
    /// What a tick says of them.
    #[must_use]
    pub fn of(counters: &Counters, gauges: &Gauges) -> Self {
        match gauges.clients {
            Some(live) => Self {
                opened: counters.clients_opened,
                live,
            },
            None => Self {
                opened: counters.connections_opened,
                live: gauges.connections,
            },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn all_zero(counts: &[u64; 5]) -> bool {
    counts.iter().all(|&count| count == 0)
}
