//! Histograms of the durations of requests and deliveries.

use crate::apart::{AGENTS_MAX, Part, REQUESTS_APART_MAX, merge_each};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut};

/// Greatest value a histogram tells apart, in nanoseconds: one hour. Longer ones count as one hour.
pub const HIGHEST_NS: u64 = 3_600_000_000_000;

/// Durations in nanoseconds, three significant digits, 1 ns to one hour.
///
/// An empty one takes no memory; the first duration makes it take 270 KB.
#[derive(Debug, Clone, Default)]
pub struct Histogram(Option<Box<Inner>>);

type Inner = hdrhistogram::Histogram<u64>;

fn empty() -> Box<Inner> {
    Box::new(Inner::new_with_bounds(1, HIGHEST_NS, 3).expect("the bounds are constant and valid"))
}

impl PartialEq for Histogram {
    /// Equal when they hold the same durations.
    fn eq(&self, other: &Self) -> bool {
        match (self.filled(), other.filled()) {
            (Some(mine), Some(theirs)) => mine == theirs,
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        }
    }
}

impl Histogram {
    /// Counts one duration; about 4 ns of CPU time.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.0.get_or_insert_with(empty).saturating_record(ns);
    }

    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        if let Some(theirs) = other.filled() {
            let mine = self.0.get_or_insert_with(empty);
            mine.add(theirs).expect("all histograms have the same bounds");
        }
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        if let Some(inner) = &mut self.0 {
            inner.reset();
        }
    }

    /// How many durations it holds.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.filled().map_or(0, Inner::len)
    }

    /// Nanoseconds at `quantile` (0 to 1); 0 when empty.
    #[must_use]
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        self.filled().map_or(0, |inner| inner.value_at_quantile(quantile))
    }

    /// Longest duration in nanoseconds; 0 when empty.
    #[must_use]
    pub fn max_ns(&self) -> u64 {
        self.filled().map_or(0, Inner::max)
    }

    /// Mean in nanoseconds; 0 when empty.
    #[must_use]
    pub fn mean_ns(&self) -> f64 {
        self.filled().map_or(0.0, Inner::mean)
    }

    /// How many durations are at most `ns`.
    #[must_use]
    pub fn count_at_or_below(&self, ns: u64) -> u64 {
        self.filled().map_or(0, |inner| inner.count_between(0, ns))
    }

    /// Pairs of quantile and nanoseconds, `points` of them, ascending from 0 to 1; empty when it is.
    ///
    /// The quantiles lie evenly on the axis 1/(1 − q) in log scale, the horizontal axis of HdrHistogram's percentile
    /// plots, so that each further nine gets the same room. The last one below 1 leaves out one duration.
    #[must_use]
    pub fn percentile_curve(&self, points: usize) -> Vec<(f64, u64)> {
        if self.count() == 0 {
            return Vec::new();
        }
        let decades = (self.count() as f64).log10();
        let steps = points.saturating_sub(2).max(1) as f64;
        let quantile = |point: usize| 1.0 - 10_f64.powf(-decades * point as f64 / steps);
        let mut curve: Vec<_> = (0..points.saturating_sub(1))
            .map(|point| (quantile(point), self.quantile_ns(quantile(point))))
            .collect();
        curve.push((1.0, self.max_ns()));
        curve
    }

    /// The histogram underneath; `None` when it is empty.
    #[must_use]
    pub fn filled(&self) -> Option<&hdrhistogram::Histogram<u64>> {
        self.0.as_deref().filter(|inner| !inner.is_empty())
    }

    /// Takes over a histogram that was read; `None` when it holds what ours cannot.
    pub(crate) fn from_inner(inner: &hdrhistogram::Histogram<u64>) -> Option<Self> {
        // Bounds of our own, so that merging cannot fail later.
        let mut own = empty();
        own.add(inner).ok()?;
        Some(Self(Some(own)))
    }

    /// The figures that a line of the run directory keeps, at the given quantiles.
    #[must_use]
    pub fn summary(&self, quantiles: &[f64]) -> Summary {
        if self.count() == 0 {
            return Summary::default();
        }
        Summary {
            count: self.count(),
            mean_ns: self.mean_ns(),
            max_ns: self.max_ns(),
            quantiles_ns: quantiles.iter().map(|&q| (q, self.quantile_ns(q))).collect(),
        }
    }
}

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

/// What a line keeps of a histogram.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Number of durations.
    pub count: u64,
    /// Mean, ns.
    pub mean_ns: f64,
    /// Longest, ns.
    pub max_ns: u64,
    /// Pairs of quantile (0 to 1) and duration in ns, ascending.
    pub quantiles_ns: Vec<(f64, u64)>,
}

impl Summary {
    /// Whether there was nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Nanoseconds at exactly this quantile; 1.0 is the maximum. `None` when it was not kept.
    #[must_use]
    pub fn quantile_ns(&self, quantile: f64) -> Option<u64> {
        if quantile >= 1.0 {
            return Some(self.max_ns);
        }
        self.quantiles_ns
            .iter()
            .find(|(q, _)| (q - quantile).abs() < 1e-9)
            .map(|&(_, ns)| ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_gives_each_nine_the_same_room() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|ns| histogram.record(ns));
        let curve = histogram.percentile_curve(8);
        let quantiles: Vec<String> = curve.iter().map(|(q, _)| format!("{q:.4}")).collect();
        assert_eq!(
            quantiles,
            [
                "0.0000", "0.6838", "0.9000", "0.9684", "0.9900", "0.9968", "0.9990", "1.0000"
            ]
        );
        let ns: Vec<u64> = curve.iter().map(|&(_, ns)| ns).collect();
        assert_eq!(ns, [1, 684, 900, 969, 990, 997, 999, 1000]);
    }

    #[test]
    fn a_curve_of_little_is_short_but_whole() {
        assert_eq!(Histogram::default().percentile_curve(10), []);
        let mut histogram = Histogram::default();
        histogram.record(7);
        assert_eq!(histogram.percentile_curve(1), [(1.0, 7)]);
        assert_eq!(histogram.percentile_curve(3), [(0.0, 7), (0.0, 7), (1.0, 7)]);
    }

    #[test]
    fn what_is_longer_than_an_hour_counts_as_one() {
        let mut histogram = Histogram::default();
        histogram.record(u64::MAX);
        assert_eq!(histogram.count(), 1);
        let (max, hour) = (histogram.max_ns() as f64, HIGHEST_NS as f64);
        assert!((max / hour - 1.0).abs() < 0.001, "{max}");
    }
}
