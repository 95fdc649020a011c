//! When a service is warm: CPU per request has stopped falling, and the queue has stopped moving.

use crate::window::CpuUse;
use plimsoll_findings::{Notice, Unsteady};
use plimsoll_measure::{StepEnd, StepStart, TickLine};
use std::collections::VecDeque;

/// Ticks before a service may be called warm. The load rises in the first of them.
const TICKS_LEAST: u32 = 8;
/// The newest ticks are set against as many before them: this part of all, so that what is slow to settle is looked at for
/// longer, within these bounds.
const PART: u32 = 6;
const COMPARED: std::ops::RangeInclusive<u32> = 3..=7;
/// CPU per request that falls by no more than this is steady, …
const FALL: f64 = 0.025;
/// … and by so much more for a single request: a mean of n of them errs by this over the root of n.
const FALL_OF_ONE: f64 = 0.5;
/// The queue is steady while it moves by no more than this part of what was served meanwhile, …
const MOVE: f64 = 0.05;
/// … and so many standard deviations of the number in a queue whose requests do not wait for one another (M/G/∞, where
/// the variance is the mean: Kleinrock, Queueing Systems I, 1975, section 3.3).
const DEVIATIONS: f64 = 4.0;

/// A step that warms a service up, while its ticks come in. Its memory does not depend on its length.
#[derive(Debug, Clone)]
pub(crate) struct WarmUp {
    start_ns: u64,
    end_ns: u64,
    ticks: u32,
    /// The newest ones.
    looks: VecDeque<Look>,
    is_warm: bool,
    /// It took as long as it may and was not steady then.
    given_up: Option<Unsteady>,
}

/// What a tick shows.
#[derive(Debug, Clone, Copy)]
struct Look {
    cpu: Option<CpuUse>,
    completed: u64,
    outstanding: u64,
}

impl WarmUp {
    pub(crate) fn begin(start: &StepStart) -> Self {
        Self {
            start_ns: start.at_ns,
            end_ns: start.at_ns,
            ticks: 0,
            looks: VecDeque::new(),
            is_warm: false,
            given_up: None,
        }
    }

    /// Takes in a tick and the service's CPU in it. Once warm, a service stays so: what is left of the step says nothing.
    pub(crate) fn tick(&mut self, line: &TickLine, cpu: Option<CpuUse>) {
        if line.draining || self.is_warm {
            return;
        }
        self.end_ns = line.start_ns.saturating_add(line.duration_ns);
        self.ticks = self.ticks.saturating_add(1);
        self.looks.push_back(Look {
            cpu,
            completed: line.counters.completed,
            outstanding: line.gauges.in_flight.saturating_add(line.gauges.queued),
        });
        if self.looks.len() > 2 * *COMPARED.end() as usize {
            self.looks.pop_front();
        }
        self.is_warm = self.ticks >= TICKS_LEAST && self.unsteady().is_none();
    }

    pub(crate) fn end(&mut self, end: StepEnd) {
        if !self.is_warm && !end.cut_short {
            self.given_up = self.unsteady();
        }
    }

    /// Whether CPU per request and the queue have become steady.
    pub(crate) const fn is_warm(&self) -> bool {
        self.is_warm
    }

    /// That the service was judged before it was warm.
    pub(crate) fn notice(&self) -> Option<Notice> {
        Some(Notice::NotWarm {
            waited_s: self.end_ns.saturating_sub(self.start_ns) as f64 / 1e9,
            because: self.given_up?,
        })
    }

    /// What still moves. Of what was not seen nothing is said.
    fn unsteady(&self) -> Option<Unsteady> {
        let compared = (self.ticks / PART).clamp(*COMPARED.start(), *COMPARED.end()) as usize;
        let newest = self.looks.len().checked_sub(compared)?;
        let before = Part::of(self.looks.range(newest.checked_sub(compared)?..newest));
        let last = Part::of(self.looks.range(newest..));
        if let Some(fell) = last.fall_since(&before) {
            return Some(Unsteady::CpuPerRequest { fell });
        }
        let (least, most) = (before.least.min(last.least), before.most.max(last.most));
        let allowed = MOVE * f64::midpoint(before.completed, last.completed) + DEVIATIONS * (most as f64).sqrt();
        ((most - least) as f64 > allowed).then_some(Unsteady::Queue { least, most })
    }
}

/// Several ticks together.
struct Part {
    completed: f64,
    /// Bounds of the number of requests without a response at the end of a tick.
    least: u64,
    most: u64,
    /// `None` where a tick has no sample.
    cpu_ns: Option<f64>,
}

impl Part {
    fn of<'a>(looks: impl Iterator<Item = &'a Look> + Clone) -> Self {
        let outstanding = || looks.clone().map(|look| look.outstanding);
        Self {
            completed: looks.clone().map(|look| look.completed as f64).sum(),
            least: outstanding().min().unwrap_or(0),
            most: outstanding().max().unwrap_or(0),
            cpu_ns: looks.map(|look| look.cpu.map(|cpu| cpu.used_ns as f64)).sum(),
        }
    }

    fn cpu_per_request(&self) -> Option<f64> {
        self.cpu_ns
            .filter(|&ns| ns > 0.0 && self.completed > 0.0)
            .map(|ns| ns / self.completed)
    }

    /// By which share CPU per request fell, where that is more than steady.
    fn fall_since(&self, before: &Self) -> Option<f64> {
        let fell = 1.0 - self.cpu_per_request()? / before.cpu_per_request()?;
        let doubt = FALL_OF_ONE / self.completed.min(before.completed).sqrt();
        (fell > FALL + doubt).then_some(fell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::Tick;

    const TICK_NS: u64 = 500_000_000;

    /// Ticks until the service is warm, of at most 40, by what each costs a request (ms) and how many requests it leaves.
    /// 400 requests per tick.
    fn warm_after(cost_ms: impl Fn(f64) -> f64, outstanding: impl Fn(f64) -> u64) -> (u32, Option<Unsteady>) {
        let start = StepStart {
            step: 0,
            at_ns: 0,
            rate_micro_per_s: None,
            users: None,
            connections: None,
            planned_ns: Some(40 * TICK_NS),
            warm_up_ns: 40 * TICK_NS,
            warms_up: true,
            target: None,
        };
        let mut warm_up = WarmUp::begin(&start);
        for index in 0..40 {
            let at_s = f64::from(index) / 2.0;
            let mut tick = Tick {
                start_ns: u64::from(index) * TICK_NS,
                duration_ns: TICK_NS,
                ..Tick::default()
            };
            tick.counters.completed = 400;
            tick.gauges.in_flight = outstanding(at_s);
            // A neighbour makes every other tick 2 % dearer.
            let noise = 1.0 + 0.02 * f64::from(index % 2);
            let cpu = CpuUse {
                used_ns: (400.0 * cost_ms(at_s) * noise * 1e6) as u64,
                available_ns: TICK_NS,
                ..CpuUse::default()
            };
            warm_up.tick(&tick.line(0, &[]), Some(cpu));
            if warm_up.is_warm() {
                return (index + 1, None);
            }
        }
        warm_up.end(StepEnd {
            step: 0,
            at_ns: 40 * TICK_NS,
            cut_short: false,
        });
        match warm_up.notice() {
            Some(Notice::NotWarm { waited_s, because }) => {
                assert!((waited_s - 20.0).abs() < 1e-9, "{waited_s}");
                (40, Some(because))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_service_that_is_warm_at_once_is_so_after_the_least() {
        assert_eq!(warm_after(|_| 1.0, |_| 3), (TICKS_LEAST, None));
        // Requests that wait elsewhere are many and no queue.
        assert_eq!(
            warm_after(|_| 1.0, |at_s| 900 + (at_s as u64 % 2) * 60),
            (TICKS_LEAST, None)
        );
    }

    #[test]
    fn a_service_that_gets_cheaper_is_warm_when_little_is_left_to_gain() {
        for over_s in [1.0, 2.0, 3.0] {
            let cost = |at_s: f64| 1.0 + 2.0 * (-at_s / over_s).exp();
            let (ticks, unsteady) = warm_after(cost, |_| 3);
            assert_eq!(unsteady, None, "{over_s}");
            let left = cost(f64::from(ticks) / 2.0) - 1.0;
            assert!(left < 0.15, "{left} is left of 2 that fall over {over_s} s");
        }
    }

    #[test]
    fn a_backlog_is_waited_for() {
        // 4,000 requests that wait, and 200 more a second served than come, from the fourth second on.
        let backlog = |at_s: f64| (4000.0 - 200.0 * (2.0 * at_s - 8.0).max(0.0)).max(0.0) as u64;
        let growing = |at_s: f64| (1000.0 * at_s.min(4.0)) as u64;
        let (ticks, unsteady) = warm_after(|_| 1.0, |at_s| if at_s < 4.0 { growing(at_s) } else { backlog(at_s) });
        assert_eq!(unsteady, None);
        assert!(ticks >= 28, "{ticks}");
    }

    #[test]
    fn what_never_settles_is_said() {
        let (_, fell) = warm_after(|at_s| 1.0 + 2.0 * (-at_s / 12.0).exp(), |_| 3);
        assert!(
            matches!(fell, Some(Unsteady::CpuPerRequest { fell }) if fell > 0.05),
            "{fell:?}"
        );
        let (_, queue) = warm_after(|_| 1.0, |at_s| (100.0 * at_s) as u64);
        assert!(
            matches!(queue, Some(Unsteady::Queue { least, most }) if most > least),
            "{queue:?}"
        );
    }
}
