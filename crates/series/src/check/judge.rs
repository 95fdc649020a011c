//! When rounds are looked at, and between what the true change of a metric lies at a look.

use crate::crossover::Estimate;
use crate::sequential::levels;
use crate::student::student_quantile;
use plimsoll_measure::run_directory::Look;

/// The share of checks of an unchanged service that fail, at most.
pub(crate) const FALSE_ALARMS: f64 = 0.02;
/// The share of checks of a loss of the threshold that pass, at most.
pub(crate) const LET_THROUGH: f64 = 0.05;
/// The part of both that bounds are made from. The rest is for what real machines do and independent normal values do not:
/// on the record of a busy one, bounds without it err a third more often than they should (`compare/recorded.rs`).
const SPENT: f64 = 0.5;
/// The metric that decides has half of the false alarms, because it has to find the loss. These many share the other half.
const OTHERS: f64 = 4.0;
/// A check goes on while another metric than the deciding one looks worse than one in so many unchanged ones would.
const SUSPICIOUS: f64 = 0.05;

/// Blocks at the first look. With fewer the spread is a guess, and its quantiles are so wide that nothing is decided.
const FIRST_LOOK: u32 = 6;

/// Whether rounds are looked at again with so many complete blocks: each time there are a third more. Only an even number
/// has as many blocks in one order as in the other.
pub(crate) fn is_due(blocks: u32, looks: &[Look]) -> bool {
    let last = looks.last().map_or(0, |look| look.blocks);
    blocks.is_multiple_of(2) && blocks >= FIRST_LOOK && 3 * blocks >= 4 * last && blocks > last
}

/// What part a metric has in a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It has to rule out a loss of the threshold.
    Decides,
    /// It can only fail the check.
    Watched,
}

/// The false alarms that the metric may raise that decides.
pub(super) fn of_deciding() -> f64 {
    SPENT * FALSE_ALARMS / 2.0
}

/// The one-sided levels of the last look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Judge {
    deciding: f64,
    watched: f64,
    passing: f64,
}

impl Judge {
    /// `None` before the first look.
    pub(crate) fn at(looks: &[Look]) -> Option<Self> {
        // A look that is no look of its own changes nothing of the one before.
        let last = |error| levels(error, looks).into_iter().rfind(|level| *level > 0.0);
        Some(Self {
            deciding: last(of_deciding())?,
            watched: last(of_deciding() / OTHERS)?,
            passing: last(SPENT * LET_THROUGH)?,
        })
    }

    /// The loss is at least this, and at most that, in the units of the estimate.
    pub(crate) fn bounds(&self, estimate: &Estimate, role: Role, lower_is_better: bool) -> (f64, f64) {
        let loss = loss(estimate, lower_is_better);
        let margin = |level: f64| estimate.standard_error * student_quantile(1.0 - level, estimate.freedom);
        (loss - margin(self.fails(role)), loss + margin(self.passing))
    }

    fn fails(&self, role: Role) -> f64 {
        match role {
            Role::Decides => self.deciding,
            Role::Watched => self.watched,
        }
    }
}

/// The difference as a loss: more CPU and less throughput are both above zero.
pub(crate) fn loss(estimate: &Estimate, lower_is_better: bool) -> f64 {
    if lower_is_better {
        estimate.difference
    } else {
        -estimate.difference
    }
}

/// Whether a metric looks worse, though not beyond doubt.
pub(crate) fn is_suspicious(estimate: &Estimate, lower_is_better: bool) -> bool {
    loss(estimate, lower_is_better) > estimate.standard_error * student_quantile(1.0 - SUSPICIOUS, estimate.freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks_until(blocks: u32) -> Vec<Look> {
        let mut looks: Vec<Look> = Vec::new();
        for complete in 1..=blocks {
            if is_due(complete, &looks) {
                let time_share = f64::from(complete) / f64::from(blocks);
                looks.push(Look {
                    blocks: complete,
                    time_share,
                });
            }
        }
        looks
    }

    #[test]
    fn looks_are_a_third_apart() {
        let at: Vec<u32> = looks_until(60).iter().map(|look| look.blocks).collect();
        assert_eq!(at, [6, 8, 12, 16, 22, 30, 40, 54]);
    }

    #[test]
    fn bounds_narrow_with_time_that_is_spent() {
        let estimate = Estimate {
            difference: 0.02,
            standard_error: 0.01,
            freedom: 10,
            blocks: 12,
        };
        let at = |time_share| Judge::at(&[Look { blocks: 12, time_share }]).expect("a look");
        let (early, late) = (at(0.2), at(1.0));
        for (role, lower_is_better) in [(Role::Decides, true), (Role::Watched, false)] {
            let (least, most) = early.bounds(&estimate, role, lower_is_better);
            let (later_least, later_most) = late.bounds(&estimate, role, lower_is_better);
            assert!(least < later_least && later_most < most);
        }
        let decides = late.bounds(&estimate, Role::Decides, true);
        let watched = late.bounds(&estimate, Role::Watched, true);
        assert!(watched.0 < decides.0, "a watched metric has less of the error");
        assert_eq!(Judge::at(&[]), None);
        let again = [0.9, 1.0].map(|time_share| Look { blocks: 12, time_share });
        assert_eq!(
            Judge::at(&again),
            Judge::at(&again[..1]),
            "the same blocks say the same"
        );
    }
}
