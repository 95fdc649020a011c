//! A load and a seed to intended start times.
//!
//! Everything here is a pure function of the load, the seed and the share: the same three give the same starts on
//! every machine and in every version. This crate must not know what time it is, what is sent, or how.

mod cumulative;
mod even;
mod exponential;
mod mix;
mod mixed;
mod poisson;
mod rows;
mod share;
mod users;

pub use mix::{Mix, Pick, draw};
pub use mixed::mixed;
pub use rows::row_of;
pub use share::AgentShare;
pub use users::{UserChange, UserChanges};

use cumulative::Cumulative;
use plimsoll_plan::{Arrivals, OpenLoad, Rate};
use std::time::Duration;

/// An intended start of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// Since the beginning of the load, ns.
    pub at_ns: u64,
    /// Position among the starts of all agents, from 0.
    pub number: u64,
}

/// The starts of one share of an open load, in order of time.
///
/// Start times never decrease. With even arrivals the number of starts over all shares is the integral of the rate
/// over the load, rounded down once, at its very end: what one segment leaves over counts in the next.
#[derive(Debug, Clone)]
pub struct Schedule(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Even(even::Even),
    // Much larger than the other, for the state of its generator.
    Poisson(Box<poisson::Poisson>),
}

impl Schedule {
    /// The starts of `load` that fall to `share`. `seed` matters only to Poisson arrivals.
    #[must_use]
    pub fn new(load: &OpenLoad, seed: u64, share: AgentShare) -> Self {
        let cumulative = Cumulative::new(&load.segments);
        Self(match load.arrivals {
            Arrivals::Even => Kind::Even(even::Even::new(cumulative, share)),
            Arrivals::Poisson => Kind::Poisson(Box::new(poisson::Poisson::new(cumulative, seed, share))),
        })
    }
}

impl Iterator for Schedule {
    type Item = Start;

    #[inline]
    fn next(&mut self) -> Option<Start> {
        match &mut self.0 {
            Kind::Even(even) => even.next(),
            Kind::Poisson(poisson) => poisson.next(),
        }
    }
}

/// How many starts of `load` fall to `share`: exact for even arrivals, the expectation (rounded down over the whole
/// load) for Poisson arrivals.
#[must_use]
pub fn planned_count(load: &OpenLoad, share: AgentShare) -> u64 {
    share.count_below(Cumulative::new(&load.segments).arrivals())
}

/// The rate that `load` asks for at `at` after its beginning; zero after its end.
#[must_use]
pub fn rate_at(load: &OpenLoad, at: Duration) -> Rate {
    let mut begin = Duration::ZERO;
    for segment in &load.segments {
        let end = begin + segment.duration;
        if at < end {
            let share = (at - begin).as_secs_f64() / segment.duration.as_secs_f64();
            let (from, to) = (segment.from.as_f64_per_s(), segment.to.as_f64_per_s());
            return Rate::from_f64_per_s(from + (to - from) * share);
        }
        begin = end;
    }
    Rate::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::Segment;
    use proptest::prelude::*;

    fn constant(per_s: u32, seconds: u64, arrivals: Arrivals) -> OpenLoad {
        OpenLoad::constant(Rate::per_s(per_s), Duration::from_secs(seconds), arrivals)
    }

    fn ramp(from: u32, to: u32, seconds: u64, arrivals: Arrivals) -> OpenLoad {
        OpenLoad {
            segments: vec![Segment {
                from: Rate::per_s(from),
                to: Rate::per_s(to),
                duration: Duration::from_secs(seconds),
            }],
            arrivals,
        }
    }

    fn whole(load: &OpenLoad, seed: u64) -> Schedule {
        Schedule::new(load, seed, AgentShare::WHOLE)
    }

    fn loads() -> impl Strategy<Value = OpenLoad> {
        let segment = (
            0_u64..5_000_000_000,
            0_u64..5_000_000_000,
            1_u64..2_000_000_000,
            any::<bool>(),
        );
        (proptest::collection::vec(segment, 1..5), any::<bool>()).prop_map(|(segments, poisson)| OpenLoad {
            segments: segments
                .into_iter()
                .map(|(from, to, ns, constant)| Segment {
                    from: Rate::from_micro_per_s(from),
                    to: Rate::from_micro_per_s(if constant { from } else { to }),
                    duration: Duration::from_nanos(ns),
                })
                .collect(),
            arrivals: if poisson { Arrivals::Poisson } else { Arrivals::Even },
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn starts_are_numbered_in_order_of_time_and_fall_inside_the_load(load in loads(), seed: u64) {
            let end_ns = u64::try_from(load.duration().as_nanos()).unwrap();
            let mut last = 0;
            for (index, start) in whole(&load, seed).enumerate() {
                prop_assert_eq!(start.number, index as u64);
                prop_assert!(start.at_ns >= last);
                prop_assert!(start.at_ns < end_ns);
                last = start.at_ns;
            }
        }

        #[test]
        fn even_arrivals_number_the_integral_of_the_rate(mut load in loads()) {
            load.arrivals = Arrivals::Even;
            let doubled: u128 = load
                .segments
                .iter()
                .map(|s| u128::from(s.from.micro_per_s() + s.to.micro_per_s()) * s.duration.as_nanos())
                .sum();
            let expected = u64::try_from(doubled / 2_000_000_000_000_000).unwrap();
            prop_assert_eq!(whole(&load, 0).count() as u64, expected);
            prop_assert_eq!(planned_count(&load, AgentShare::WHOLE), expected);
        }

        #[test]
        fn shares_split_the_starts_without_loss_or_overlap(load in loads(), seed: u64, agents in 1_u32..5, shards in 1_u32..4) {
            let mut merged: Vec<Start> = Vec::new();
            for index in 0..agents {
                let agent = AgentShare::new(index, agents).unwrap();
                for shard in agent.split(shards) {
                    let part: Vec<Start> = Schedule::new(&load, seed, shard).collect();
                    prop_assert!(part.iter().all(|start| agent.contains(start.number)));
                    if load.arrivals == Arrivals::Even {
                        prop_assert_eq!(part.len() as u64, planned_count(&load, shard));
                    }
                    merged.extend(part);
                }
            }
            merged.sort_by_key(|start| start.number);
            prop_assert_eq!(merged, whole(&load, seed).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_day_at_an_odd_rate_does_not_drift() {
        let rate = Rate::from_micro_per_s(333_333_000);
        let load = OpenLoad::constant(rate, Duration::from_secs(86_400), Arrivals::Even);
        let total = planned_count(&load, AgentShare::WHOLE);
        assert_eq!(total, 28_799_971);
        // Every thousandth start, so that the test stays quick; shares start from the same closed form.
        for start in Schedule::new(&load, 0, AgentShare::new(7, 1000).unwrap()) {
            let exact = u128::from(start.number) * 1_000_000_000_000_000 / 333_333_000;
            assert_eq!(u128::from(start.at_ns), exact, "start {}", start.number);
        }
    }

    #[test]
    fn a_fraction_of_an_arrival_is_carried_into_the_next_segment() {
        let half = Segment {
            from: Rate::from_micro_per_s(500_000),
            to: Rate::from_micro_per_s(500_000),
            duration: Duration::from_secs(1),
        };
        let load = OpenLoad {
            segments: vec![half; 5],
            arrivals: Arrivals::Even,
        };
        let starts: Vec<u64> = whole(&load, 0).map(|start| start.at_ns).collect();
        assert_eq!(starts, [0, 2_000_000_000]);
    }

    #[test]
    fn a_pause_holds_arrivals_back() {
        let hold = |per_s, seconds| Segment {
            from: Rate::per_s(per_s),
            to: Rate::per_s(per_s),
            duration: Duration::from_secs(seconds),
        };
        let load = OpenLoad {
            segments: vec![hold(2, 1), hold(0, 10), hold(2, 1)],
            arrivals: Arrivals::Even,
        };
        let starts: Vec<u64> = whole(&load, 0).map(|start| start.at_ns / 1_000_000).collect();
        assert_eq!(starts, [0, 500, 11_000, 11_500]);
    }

    #[test]
    fn poisson_arrivals_have_the_mean_and_variance_of_their_process() {
        // Counts in windows of 100 ms at 1000/s: mean and variance are both 100.
        let load = constant(1000, 1000, Arrivals::Poisson);
        for seed in [1, 2, 3] {
            let mut counts = vec![0_u32; 10_000];
            for start in whole(&load, seed) {
                counts[usize::try_from(start.at_ns / 100_000_000).unwrap()] += 1;
            }
            let n = counts.len() as f64;
            let mean = counts.iter().map(|&c| f64::from(c)).sum::<f64>() / n;
            let variance = counts.iter().map(|&c| (f64::from(c) - mean).powi(2)).sum::<f64>() / (n - 1.0);
            // Four standard errors: of the mean sqrt(100 / n) = 0.1, of the variance 100 * sqrt(2 / n) = 1.41.
            assert!((mean - 100.0).abs() < 0.4, "seed {seed}: mean {mean}");
            assert!((variance - 100.0).abs() < 5.7, "seed {seed}: variance {variance}");
        }
    }

    #[test]
    fn poisson_arrivals_follow_a_ramp() {
        // 0 to 2000/s over 100 s: a quarter of the 100 000 arrivals falls into the first half.
        let load = ramp(0, 2000, 100, Arrivals::Poisson);
        let starts: Vec<Start> = whole(&load, 11).collect();
        let early = starts.iter().filter(|start| start.at_ns < 50_000_000_000).count() as f64;
        assert!(
            (starts.len() as f64 - 100_000.0).abs() < 4.0 * 316.0,
            "{} starts",
            starts.len()
        );
        assert!((early - 25_000.0).abs() < 4.0 * 158.0, "{early} early starts");
    }

    #[test]
    fn rate_follows_the_segments() {
        let mut load = ramp(100, 300, 10, Arrivals::Even);
        load.segments.extend(constant(50, 10, Arrivals::Even).segments);
        let at = |seconds| rate_at(&load, Duration::from_secs(seconds)).as_f64_per_s();
        assert_eq!([at(0), at(5), at(10), at(19), at(20)], [100.0, 200.0, 50.0, 50.0, 0.0]);
    }

    /// The first twenty starts, ns. They may never change: an agent of one version shares a load with agents of
    /// another, and a recorded seed must give the same run again.
    #[test]
    fn the_first_starts_stay_what_they_are() {
        let cases = [
            ("even, 3/s", constant(3, 10, Arrivals::Even), 0),
            ("even, 0 to 10/s over 10 s", ramp(0, 10, 10, Arrivals::Even), 0),
            ("even, 10 to 0/s over 10 s", ramp(10, 0, 10, Arrivals::Even), 0),
            ("poisson, 1000/s", constant(1000, 10, Arrivals::Poisson), 0),
            ("poisson, 1000/s", constant(1000, 10, Arrivals::Poisson), 42),
            (
                "poisson, 0 to 1000/s over 10 s",
                ramp(0, 1000, 10, Arrivals::Poisson),
                42,
            ),
        ];
        let first = |(name, load, seed): &(&str, OpenLoad, u64)| {
            let starts: Vec<String> = whole(load, *seed)
                .take(20)
                .map(|start| start.at_ns.to_string())
                .collect();
            format!("{name}, seed {seed}:\n{}\n", starts.join(" "))
        };
        let actual: String = cases.iter().map(first).collect();
        assert_eq!(actual, include_str!("first_starts.txt"));
    }
}
