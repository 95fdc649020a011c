//! The difference between two variants that were run alternately: the analysis of the two-period crossover.
//!
//! A block has one round of each variant, one after the other. Half of the blocks run them in one order and half in the
//! other, so whatever changes steadily from a round to the next (a host that warms up, a neighbour that goes) adds to
//! the differences of one order what it takes from those of the other. It cancels in the mean of the two orders, and it
//! is not in the spread that the interval is made from.
//!
//! M. Hills and P. Armitage, The two-period cross-over clinical trial, British Journal of Clinical Pharmacology 8,
//! 1979, pages 7 to 20.

use crate::student::student_quantile;

/// What one block says: second variant less first one, and whether the first one ran first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    pub(crate) difference: f64,
    pub(crate) forward: bool,
}

/// A difference with what is known of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) difference: f64,
    pub(crate) standard_error: f64,
    pub(crate) freedom: u32,
    pub(crate) blocks: u32,
}

impl Estimate {
    /// `None` when an order is missing, or too few blocks are left to see how much they scatter.
    pub(crate) fn of(blocks: &[Block]) -> Option<Self> {
        let group = |forward| {
            let differences = blocks.iter().filter(move |block| block.forward == forward);
            Group::of(differences.map(|block| block.difference))
        };
        let (there, back) = (group(true), group(false));
        let count = u32::try_from(blocks.len()).ok()?;
        let freedom = count.checked_sub(2)?;
        if there.count == 0.0 || back.count == 0.0 || freedom < LEAST_FREEDOM {
            return None;
        }
        let variance = (there.squares + back.squares) / f64::from(freedom);
        Some(Self {
            difference: f64::midpoint(there.mean, back.mean),
            standard_error: (variance * (1.0 / there.count + 1.0 / back.count)).sqrt() / 2.0,
            freedom,
            blocks: count,
        })
    }

    /// How much a difference scatters from block to block.
    pub(crate) fn deviation(&self) -> f64 {
        self.standard_error * f64::from(self.blocks).sqrt()
    }

    /// Half the width of the interval that holds the true difference with this confidence.
    pub(crate) fn margin(&self, confidence: f64) -> f64 {
        self.standard_error * student_quantile(f64::midpoint(1.0, confidence), self.freedom)
    }

    /// The least true difference for which, in four of five such comparisons, an interval of this confidence leaves out
    /// zero. It would be nine of ten if the error were known; that it is itself taken from few blocks costs the rest.
    pub(crate) fn detectable(&self, confidence: f64) -> f64 {
        self.margin(confidence) + self.standard_error * student_quantile(0.9, self.freedom)
    }
}

/// With one degree of freedom an interval is so wide that it says nothing.
const LEAST_FREEDOM: u32 = 2;

/// Fewer complete blocks decide nothing, whatever they are like.
pub const LEAST_BLOCKS: u32 = LEAST_FREEDOM + 2;

struct Group {
    count: f64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Group {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count.max(1.0);
        Self {
            count,
            mean,
            squares: values.map(|value| (value - mean).powi(2)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(there: &[f64], back: &[f64]) -> Vec<Block> {
        let group = |differences: &[f64], forward| {
            let block = move |&difference| Block { difference, forward };
            differences.iter().map(block).collect::<Vec<_>>()
        };
        [group(there, true), group(back, false)].concat()
    }

    /// With the differences of one order turned round it is the test of two samples. These are the hours of sleep that
    /// two drugs gave, from Student, The probable error of a mean, Biometrika 6, 1908; R has them as `sleep`, and its
    /// `t.test(extra ~ group, data = sleep, var.equal = TRUE)` says t = -1.8608 at 18 degrees of freedom.
    #[test]
    fn it_agrees_with_the_test_of_two_samples() {
        let one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let found = Estimate::of(&blocks(&one, &other.map(|hours: f64| -hours))).expect("blocks enough");
        assert_eq!(found.freedom, 18);
        assert!((found.difference - (0.75 - 2.33) / 2.0).abs() < 1e-9, "{found:?}");
        let t = found.difference / found.standard_error;
        assert!((t + 1.8608).abs() < 5e-5, "{t}");
    }

    #[test]
    fn a_steady_drift_is_neither_in_the_difference_nor_in_its_error() {
        let found = Estimate::of(&blocks(&[5.0 + 1.0; 5], &[5.0 - 1.0; 5])).expect("blocks enough");
        assert_eq!((found.difference, found.standard_error), (5.0, 0.0));
    }

    #[test]
    fn without_both_orders_or_with_three_blocks_nothing_is_said() {
        assert_eq!(Estimate::of(&blocks(&[1.0, 2.0, 3.0, 4.0, 5.0], &[])), None);
        assert_eq!(Estimate::of(&blocks(&[1.0, 2.0], &[3.0])), None);
        assert!(Estimate::of(&blocks(&[1.0, 2.0], &[3.0, 4.0])).is_some());
        assert_eq!(Estimate::of(&[]), None);
    }
}
