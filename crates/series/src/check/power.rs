//! What a machine can see in which time, from how much its rounds scatter.

use super::judge::{is_due, of_deciding};
use crate::crossover::Estimate;
use crate::sequential::levels;
use crate::student::student_quantile;
use plimsoll_measure::run_directory::Look;
use statrs::distribution::{ChiSquared, ContinuousCDF as _};

/// A check finds a loss as large as promised with this probability at its last look: nine of ten, and what passes a loss of
/// the threshold beforehand.
const POWER: f64 = 0.92;
/// Nobody waits for a day.
const LONGEST_S: f64 = 86_400.0;
/// Nobody waits for more.
const MOST_BLOCKS: u32 = 1 << 13;
/// How sure it is that the true scatter is no larger than what is promised from it.
const CONFIDENCE: f64 = 0.8;

/// How much a metric scatters from block to block on a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Noise {
    pub(crate) deviation: f64,
}

impl Noise {
    /// As it was seen.
    pub(crate) fn seen(estimate: &Estimate) -> Self {
        Self {
            deviation: estimate.deviation(),
        }
    }

    /// What it is at most: a scatter that was seen in few blocks may be twice as large the next time.
    pub(crate) fn at_most(estimate: &Estimate) -> Self {
        let freedom = f64::from(estimate.freedom);
        let below = ChiSquared::new(freedom).map_or(freedom, |squares| squares.inverse_cdf(1.0 - CONFIDENCE));
        Self {
            deviation: estimate.deviation() * (freedom / below).sqrt(),
        }
    }

    /// How many blocks a check needs to find this loss in nine of ten; `None` where nobody would wait for them.
    pub(crate) fn blocks_for(self, loss: f64) -> Option<u32> {
        fewest(|blocks| self.deviation * least_deviations(blocks) <= loss)
    }

    /// In which time a check finds this loss in nine of ten, with blocks that take `block_s` after some that are not used; `None`
    /// where nobody would wait for it, or where it is not known how long blocks take.
    pub(crate) fn seconds_for(self, loss: f64, unused_blocks: u32, block_s: f64) -> Option<f64> {
        let seconds = f64::from(unused_blocks + self.blocks_for(loss)?) * block_s;
        Some(seconds).filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST_S)
    }

    /// The least loss that a check which ends with so many blocks finds in nine of ten.
    pub(crate) fn least_found(self, blocks: u32) -> f64 {
        self.deviation * least_deviations(blocks)
    }
}

/// The least even number of blocks that finds what is to be found; more of them find it as well.
pub(crate) fn fewest(mut finds: impl FnMut(u32) -> bool) -> Option<u32> {
    let (mut few, mut many) = (1, 2);
    while !finds(2 * many) {
        (few, many) = (many, 2 * many);
        if 2 * many > MOST_BLOCKS {
            return None;
        }
    }
    while many - few > 1 {
        let middle = u32::midpoint(few, many);
        if finds(2 * middle) {
            many = middle;
        } else {
            few = middle;
        }
    }
    Some(2 * many)
}

/// The least loss that a check which ends with so many blocks finds in nine of ten, in standard deviations of a block. Infinite
/// for fewer than four blocks.
pub(crate) fn least_deviations(blocks: u32) -> f64 {
    let Some(freedom) = blocks.checked_sub(2).filter(|freedom| *freedom >= 2) else {
        return f64::INFINITY;
    };
    let level = levels(of_deciding(), &looks_until(blocks))
        .last()
        .copied()
        .unwrap_or_default();
    let quantiles = student_quantile(1.0 - level, freedom) + student_quantile(POWER, freedom);
    quantiles / f64::from(blocks).sqrt()
}

/// The looks of a check whose time is over after so many blocks.
fn looks_until(blocks: u32) -> Vec<Look> {
    let mut looks: Vec<Look> = Vec::new();
    for complete in 1..=blocks {
        if complete == blocks || is_due(complete, &looks) {
            let time_share = f64::from(complete) / f64::from(blocks);
            looks.push(Look {
                blocks: complete,
                time_share,
            });
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_blocks_find_smaller_losses() {
        let noise = Noise { deviation: 0.05 };
        let found = [4, 6, 8, 12, 20, 40, 80, 160].map(|blocks| noise.least_found(blocks));
        assert!(found.is_sorted_by(|more, less| more > less), "{found:?}");
        assert_eq!(noise.least_found(3), f64::INFINITY);
        // Four times as many blocks find half the loss, once their number hides in no quantile any more.
        assert!((found[7] / found[5] - 0.5).abs() < 0.02, "{found:?}");
    }

    #[test]
    fn blocks_are_the_fewest_that_find_the_loss() {
        for deviation in [0.01, 0.05] {
            for loss in [0.05, 0.1] {
                let noise = Noise { deviation };
                let blocks = noise.blocks_for(loss).expect("not too many");
                assert!(noise.least_found(blocks) <= loss && noise.least_found(blocks - 2) > loss);
            }
        }
        assert_eq!(Noise { deviation: 10.0 }.blocks_for(0.001), None);
    }

    #[test]
    fn few_blocks_promise_less_than_many() {
        let seen = |blocks| Estimate {
            difference: 0.0,
            standard_error: 0.05 / f64::from(blocks).sqrt(),
            freedom: blocks - 2,
            blocks,
        };
        let promised = [4, 8, 16, 64].map(|blocks| Noise::at_most(&seen(blocks)).deviation);
        assert!(
            promised.is_sorted_by(|few, many| few > many) && promised[3] < 0.055,
            "{promised:?}"
        );
    }
}
