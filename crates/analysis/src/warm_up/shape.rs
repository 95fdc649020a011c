//! The loads of a run that warms its service up first.

use plimsoll_plan::{ClosedLoad, Load, OpenLoad, Plan, Rate, Stage};
use std::time::Duration;

/// The longest warm-up, as a multiple of the least, which is the one that the plan asks for.
const LONGEST: u32 = 5;
/// Ticks of the least warm-up: enough to tell a fall from noise before it is over, …
const TICKS: u32 = 8;
/// … after these, in which the load rises.
const TICKS_RISING: u32 = 2;
/// Part of the least warm-up that the judged step begins with: it opens its connections, and its queue fills.
const LEAD_IN: u32 = 4;

/// A run of two steps: one that warms the service up, and one that is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct WarmedRun {
    /// Rises to the load of the plan and holds it, for as long as it may take at most. All of it is warm-up.
    pub warm_up: Load,
    /// Length of a tick of the warm-up.
    pub tick: Duration,
    /// The load of the plan for as long as the plan judges it, and before that for `lead_in`.
    pub judged: Load,
    /// The first part of the judged step, which is not judged.
    pub lead_in: Duration,
}

impl WarmedRun {
    /// The run of `plan`; `None` where its load is not the same throughout, or it asks for no warm-up.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        let least = plan.judging().warm_up;
        let tick = least / TICKS;
        if tick.is_zero() {
            return None;
        }
        let longest = least * LONGEST;
        let lead_in = least / LEAD_IN;
        let judged_for = |whole: Duration| whole.saturating_sub(least) + lead_in;
        let (warm_up, judged) = match plan.load() {
            Load::Open(open) => {
                let rate = constant_rate(open)?;
                let rising = tick * TICKS_RISING;
                let to = |duration| Stage { duration, rate };
                (
                    Load::Open(OpenLoad::from_stages(
                        &[to(rising), to(longest - rising)],
                        open.arrivals,
                    )),
                    Load::Open(OpenLoad::constant(rate, judged_for(open.duration()), open.arrivals)),
                )
            }
            // A number of requests says for itself when it is over.
            Load::Closed(closed) if closed.requests.is_none() && closed.stages.is_empty() => {
                let lasting = |duration| {
                    Load::Closed(ClosedLoad {
                        duration: Some(duration),
                        ..closed.clone()
                    })
                };
                (lasting(longest), lasting(judged_for(closed.duration?)))
            }
            Load::Closed(_) | Load::Hold(_) => return None,
        };
        Some(Self {
            warm_up,
            tick,
            judged,
            lead_in,
        })
    }
}

fn constant_rate(open: &OpenLoad) -> Option<Rate> {
    let rate = open.segments.first()?.from;
    let is_constant = open.segments.iter().all(|s| s.from == rate && s.to == rate);
    is_constant.then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::{Arrivals, Judging};

    fn plan(load: Load, warm_up_s: u64) -> Plan {
        Plan::parse("target: { url: 'http://127.0.0.1:3000/' }\n", "plan.yaml")
            .expect("a plan")
            .with(|plan| {
                plan.load = load;
                plan.judging = Judging {
                    warm_up: Duration::from_secs(warm_up_s),
                    ..Judging::default()
                };
            })
            .expect("a plan that can be run")
    }

    fn closed(requests: Option<u64>) -> Load {
        Load::Closed(ClosedLoad {
            connections: 4,
            duration: Some(Duration::from_secs(8)),
            requests,
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        })
    }

    fn seconds(load: &Load) -> f64 {
        load.duration().expect("a length").as_secs_f64()
    }

    #[test]
    fn a_rate_is_risen_to_and_held_and_judged_as_long_as_planned() {
        let open = OpenLoad::constant(Rate::per_s(100), Duration::from_secs(12), Arrivals::Poisson);
        let run = WarmedRun::of(&plan(Load::Open(open), 4)).expect("a warm-up");
        let Load::Open(warm_up) = &run.warm_up else {
            panic!("{run:?}");
        };
        let rates: Vec<_> = warm_up.segments.iter().map(|s| (s.from, s.to, s.duration)).collect();
        let (rate, second) = (Rate::per_s(100), Duration::from_secs(1));
        assert_eq!(rates, [(Rate::ZERO, rate, second), (rate, rate, 19 * second)]);
        assert_eq!((run.lead_in, run.tick), (second, second / 2));
        // 12 s less the 4 s of warm-up are judged.
        assert!((seconds(&run.judged) - 9.0).abs() < 1e-9, "{run:?}");
    }

    #[test]
    fn connections_are_held_busy_at_once() {
        let run = WarmedRun::of(&plan(closed(None), 2)).expect("a warm-up");
        assert!((seconds(&run.warm_up) - 10.0).abs() < 1e-9, "{run:?}");
        assert!((seconds(&run.judged) - 6.5).abs() < 1e-9, "{run:?}");
    }

    #[test]
    fn a_load_that_changes_counts_requests_or_has_no_warm_up_is_one_step() {
        let stage = |seconds, per_s| Stage {
            duration: Duration::from_secs(seconds),
            rate: Rate::per_s(per_s),
        };
        let rising = OpenLoad::from_stages(&[stage(10, 100), stage(10, 200)], Arrivals::Even);
        for (load, warm_up_s) in [(Load::Open(rising), 2), (closed(Some(500)), 2), (closed(None), 0)] {
            assert_eq!(WarmedRun::of(&plan(load.clone(), warm_up_s)), None, "{load:?}");
        }
    }
}
