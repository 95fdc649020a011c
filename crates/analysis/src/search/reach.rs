//! Which step alone makes the interval reach far beyond the bracket.

use super::seen::Seen;
use super::{NOMINAL_CONFIDENCE, Search};
use crate::step_summary::StepOutcome;
use plimsoll_findings::Notice;
use plimsoll_plan::{Level, SearchUnit};

/// An end that lies further from the bracket than this many times its wanted width …
const WIDTHS: f64 = 4.0;
/// … and by more than this logarithm of the level is far.
const FAR: f64 = 0.2;
/// A step is named where the distance is at most this share of itself without it.
const LEFT_WITHOUT: f64 = 0.5;

/// An end of the interval that one step moves far away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Number of the step.
    pub step: u32,
    /// Its level.
    pub level: f64,
    /// Whether it moves the upper end; else the lower one.
    pub upper: bool,
    /// Where that end would be without it.
    pub without: f64,
}

impl Reach {
    /// Of a search in this unit; there are no words for one in connections.
    pub(crate) fn notice(self, unit: SearchUnit) -> Option<Notice> {
        (unit != SearchUnit::Connections).then_some(Notice::IntervalFromStep {
            users: false,
            at_a_time: unit == SearchUnit::Users,
            step: self.step,
            rate_per_s: self.level,
            upper: self.upper,
            without_per_s: self.without,
        })
    }
}

impl Search {
    /// The end of the interval that lies furthest from the bracket, if one step alone puts it there.
    pub(super) fn reach(&self, history: &[StepOutcome], seen: &Seen, low: Level, high: Option<Level>) -> Option<Reach> {
        let (from, to) = seen.interval(NOMINAL_CONFIDENCE);
        let below = (low.as_f64() / from).ln();
        let above = high.map_or(0.0, |high| (to / high.as_f64()).ln());
        let upper = above > below;
        let distance = above.max(below);
        if distance <= FAR.max(WIDTHS * self.bounds.bracket.value()) {
            return None;
        }
        let mut nearest: Option<(f64, Reach)> = None;
        for left_out in 0..history.len() {
            let mut others = history.to_vec();
            let step = others.remove(left_out);
            let Some(seen) = self.seen(&others) else { continue };
            let (from, to) = seen.interval(NOMINAL_CONFIDENCE);
            let without = if upper { to } else { from };
            let now = match high.filter(|_| upper) {
                Some(high) => (to / high.as_f64()).ln(),
                None => (low.as_f64() / from).ln(),
            };
            let now = now.max(0.0);
            if now <= distance * LEFT_WITHOUT && nearest.is_none_or(|(least, _)| now < least) {
                let reach = Reach {
                    step: step.step,
                    level: step.level.as_f64(),
                    upper,
                    without,
                };
                nearest = Some((now, reach));
            }
        }
        nearest.map(|(_, reach)| reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Spread, Tally};
    use plimsoll_findings::StepVerdict;
    use plimsoll_plan::Plan;

    /// Steps of four windows: their level, and their mean CPU, of which 80 % is allowed.
    fn reach(steps: &[(u32, f64)]) -> Option<Reach> {
        let text = "target: { url: 'http://127.0.0.1:3000/' }\nobjectives: [cpu <= 80%]\n";
        let search = Search::new(&Plan::parse(text, "plan.yaml").expect("a plan"));
        let outcome = |(number, &(level, mean)): (usize, &(u32, f64))| StepOutcome {
            step: number as u32,
            level: Level::whole(level),
            verdict: if mean <= 0.8 {
                StepVerdict::Passed
            } else {
                StepVerdict::Breached
            },
            broke: (mean > 0.8).then_some(0),
            tallies: vec![Tally {
                passed: if mean <= 0.8 { 4 } else { 0 },
                judged: 4,
                observed: Some(mean),
                worst: Some(mean),
                values: Spread {
                    count: 4,
                    mean,
                    squares: 3e-5,
                },
                ..Tally::default()
            }],
            windows_planned: 4,
            throughput_per_s: f64::from(level),
            cpu_us_per_request: None,
            requests_passed: u64::from(level) * 5,
            start_ns: number as u64 * 6_000_000_000,
            end_ns: (number as u64 + 1) * 6_000_000_000,
        };
        search
            .stopped(&steps.iter().enumerate().map(outcome).collect::<Vec<_>>())
            .reach
    }

    #[test]
    fn odd_step_is_named_where_it_alone_moves_an_end() {
        let alike = [
            (1000, 0.06),
            (14_000, 0.71),
            (15_000, 0.755),
            (15_366, 0.772),
            (16_000, 0.81),
        ];
        assert_eq!(reach(&alike), None);
        // Bimodal: at a level near the line a request cost a third less for once.
        let mut odd = alike.to_vec();
        odd.push((15_600, 0.45));
        let reach = reach(&odd).expect("an end far away");
        assert_eq!((reach.step, reach.level), (5, 15_600.0));
        assert!((14_500.0..16_500.0).contains(&reach.without), "{reach:?}");
    }
}
