//! Histograms of the durations of requests and deliveries.

use crate::apart::{AGENTS_MAX, Part, REQUESTS_APART_MAX, merge_each};
use crate::histogram::Histogram;
use crate::summary::Summary;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut};

/// A duration that is measured, as `GLOSSARY.md` defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Intended start to last byte. A timed-out request counts at its timeout.
    ResponseTime,
    /// Actual send to last byte.
    ServiceTime,
    /// Intended start to bytes handed to the kernel.
    ScheduleLag,
    /// From the moment that the service wrote into a response to its last byte; only of parked requests.
    DeliveryTime,
    /// First message of a TLS handshake to the last one that the client waits for; of connections, not of requests.
    HandshakeTime,
    /// From the moment at which a message was to be sent until it arrived on a held connection; of messages, not of requests.
    MessageTime,
    /// From the arrival of a user to the end of the journey, pauses included; of users, not of requests.
    JourneyTime,
    /// From the request that opens a WebSocket for messages with responses to its response; of connections, not of requests.
    OpeningTime,
    /// The journey time without its pauses; of users, not of requests.
    WaitingTime,
    /// From the moment at which the service had said that it would ping until the ping came; of connections, not of requests.
    PingLateness,
}

impl Timing {
    /// Every one, in the order in which a run directory has them.
    pub const ALL: [Self; 10] = [
        Self::ResponseTime,
        Self::ServiceTime,
        Self::ScheduleLag,
        Self::DeliveryTime,
        Self::HandshakeTime,
        Self::MessageTime,
        Self::JourneyTime,
        Self::OpeningTime,
        Self::WaitingTime,
        Self::PingLateness,
    ];

    /// Name in a run directory.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ResponseTime => "response_time",
            Self::ServiceTime => "service_time",
            Self::ScheduleLag => "schedule_lag",
            Self::DeliveryTime => "delivery_time",
            Self::HandshakeTime => "handshake_time",
            Self::MessageTime => "message_time",
            Self::JourneyTime => "journey_time",
            Self::OpeningTime => "opening_time",
            Self::WaitingTime => "waiting_time",
            Self::PingLateness => "ping_lateness",
        }
    }
}

/// Something of each duration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PerTiming<T>([T; Timing::ALL.len()]);

impl<T> Index<Timing> for PerTiming<T> {
    type Output = T;

    #[inline]
    fn index(&self, timing: Timing) -> &T {
        &self.0[timing as usize]
    }
}

impl<T> IndexMut<Timing> for PerTiming<T> {
    #[inline]
    fn index_mut(&mut self, timing: Timing) -> &mut T {
        &mut self.0[timing as usize]
    }
}

/// The durations of requests.
pub type Durations = PerTiming<Histogram>;

impl Durations {
    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(mine, theirs)| mine.merge(theirs));
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(Histogram::clear);
    }

    /// What a line of the run directory keeps, at the given quantiles.
    #[must_use]
    pub fn summaries(&self, quantiles: &[f64]) -> Summaries {
        PerTiming(self.0.each_ref().map(|histogram| histogram.summary(quantiles)))
    }
}

/// What a line keeps of the durations. In JSON an object that leaves out those that did not occur.
pub type Summaries = PerTiming<Summary>;

impl Serialize for Summaries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kept = Timing::ALL.into_iter().map(|timing| (timing.as_str(), &self[timing]));
        serializer.collect_map(kept.filter(|(_, summary)| !summary.is_empty()))
    }
}

impl<'de> Deserialize<'de> for Summaries {
    /// What a later version added is left out.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Summaries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("durations by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Summaries, A::Error> {
                let mut summaries = Summaries::default();
                while let Some(name) = map.next_key::<Cow<'_, str>>()? {
                    let Some(timing) = Timing::ALL.into_iter().find(|timing| timing.as_str() == name) else {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    };
                    let summary: Summary = map.next_value()?;
                    // One of nothing says nothing, whatever the quantiles that it lists.
                    if !summary.is_empty() {
                        summaries[timing] = summary;
                    }
                }
                Ok(summaries)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

/// The durations of all requests and, where the scenario has several, of each of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TickDurations {
    /// Of all requests.
    pub all: Durations,
    /// By the place of the request in the scenario; see [`apart`](crate::apart()). Empty where there is only one.
    pub requests: Vec<Durations>,
    /// By the place of the agent that saw them: its response times. Empty where one machine makes the load.
    pub agents: Vec<Durations>,
}

impl TickDurations {
    /// Nothing yet, with places for so many requests and agents.
    #[must_use]
    pub fn with_places(requests: usize, agents: usize) -> Self {
        Self {
            requests: vec![Durations::default(); requests.min(REQUESTS_APART_MAX)],
            agents: vec![Durations::default(); agents.min(AGENTS_MAX)],
            ..Self::default()
        }
    }

    /// Those of a part, if there is a place for it.
    #[must_use]
    pub fn part(&self, part: Part) -> Option<&Durations> {
        match part {
            Part::All => Some(&self.all),
            Part::Request(place) => self.requests.get(usize::from(place)),
            Part::Agent(place) => self.agents.get(usize::from(place)),
        }
    }

    /// The same, to be changed.
    pub fn part_mut(&mut self, part: Part) -> Option<&mut Durations> {
        match part {
            Part::All => Some(&mut self.all),
            Part::Request(place) => self.requests.get_mut(usize::from(place)),
            Part::Agent(place) => self.agents.get_mut(usize::from(place)),
        }
    }

    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
        merge_each(&mut self.requests, other.requests.iter(), Durations::merge);
        merge_each(&mut self.agents, other.agents.iter(), Durations::merge);
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.all.clear();
        self.requests.iter_mut().for_each(Durations::clear);
        self.agents.iter_mut().for_each(Durations::clear);
    }
}

impl Index<Timing> for TickDurations {
    type Output = Histogram;

    fn index(&self, timing: Timing) -> &Histogram {
        &self.all[timing]
    }
}

impl IndexMut<Timing> for TickDurations {
    fn index_mut(&mut self, timing: Timing) -> &mut Histogram {
        &mut self.all[timing]
    }
}
