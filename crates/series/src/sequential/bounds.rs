//! The bounds themselves: the distribution of a sum that goes on as long as it has crossed none of them.
//!
//! P. Armitage, C. K. McPherson and B. C. Rowe, Repeated significance tests on accumulating data, Journal of the Royal
//! Statistical Society A 132, 1969, pages 235 to 244: the density of the sum at a look is that at the look before, as far as
//! it was below the bound, spread by what came since.

use statrs::distribution::{Continuous as _, ContinuousCDF as _, Normal};

/// Points at which a density is known. With so many, bounds agree with published ones to four digits.
const POINTS: usize = 121;
/// A standard normal value is below this with a probability that no level comes near.
const LOWEST: f64 = -7.0;
/// Halvings that find a bound between [`LOWEST`] and its opposite, to 1e-6.
const HALVINGS: u32 = 24;

/// The sum of standard normal values after so many of them, as long as no look has ended it.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    information: f64,
    /// Values of the sum, and the probability that stands for each.
    going_on: Vec<(f64, f64)>,
}

impl Bounds {
    /// How many values there were at the last look.
    pub(super) fn information(&self) -> f64 {
        self.information
    }

    /// The one-sided level of a look at so many values that the sum crosses with probability `part`, not having crossed any
    /// bound before.
    pub(super) fn next(&mut self, information: f64, part: f64) -> f64 {
        let came = (information - self.information).sqrt();
        let before = match self.going_on.as_slice() {
            [] => &[(0.0, 1.0)],
            going_on => going_on,
        };
        let unit = information.sqrt();
        let crossed = |bound: f64| -> f64 {
            before
                .iter()
                .map(|(sum, weight)| weight * beyond((bound - sum) / came))
                .sum()
        };
        let (mut low, mut high) = (LOWEST * unit, -LOWEST * unit);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if crossed(middle) > part {
                low = middle;
            } else {
                high = middle;
            }
        }
        let bound = f64::midpoint(low, high);
        let normal = Normal::standard();
        let density = |sum: f64| -> f64 {
            let near = before
                .iter()
                .filter(|(before, _)| (sum - before).abs() < -LOWEST * came);
            near.map(|(before, weight)| weight * normal.pdf((sum - before) / came) / came)
                .sum()
        };
        let going_on = points(LOWEST * unit, bound)
            .map(|(sum, width)| (sum, width * density(sum)))
            .collect();
        self.going_on = going_on;
        self.information = information;
        beyond(bound / unit)
    }
}

/// Probability that a standard normal value is above `z`.
fn beyond(z: f64) -> f64 {
    Normal::standard().sf(z)
}

/// The value above which a standard normal one is with this probability.
#[cfg(test)]
pub(super) fn above(probability: f64) -> f64 {
    -Normal::standard().inverse_cdf(probability)
}

/// Points from `low` to `high` and the widths that they stand for, by the rule of Simpson.
fn points(low: f64, high: f64) -> impl Iterator<Item = (f64, f64)> {
    let step = (high - low) / (POINTS - 1) as f64;
    (0..POINTS).map(move |index| {
        let times = match index {
            0 => 1.0,
            last if last == POINTS - 1 => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        (low + step * index as f64, times * step / 3.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C. Jennison and B. W. Turnbull, Group Sequential Methods with Applications to Clinical Trials, Chapman and Hall,
    /// 2000, tables 2.1 and 2.3: with these bounds five looks after equal parts err with 0.05 on both sides, so nearly with
    /// 0.025 on one. Pocock's are the same at each look, those of O'Brien and Fleming fall with its root.
    #[test]
    fn bounds_agree_with_published_ones() {
        let pocock = [2.413; 5];
        let obrien_fleming = [1.0, 2.0, 3.0, 4.0, 5.0].map(|look: f64| 2.040 * (5.0 / look).sqrt());
        for published in [pocock, obrien_fleming] {
            // The other way round: what these bounds spend at each look leads back to them.
            let mut spent = 0.0;
            let mut bounds = Bounds::default();
            for (look, bound) in (1_u32..).zip(published) {
                let part = {
                    let information = f64::from(look);
                    let came = (information - bounds.information).sqrt();
                    let before = if bounds.going_on.is_empty() {
                        vec![(0.0, 1.0)]
                    } else {
                        bounds.going_on.clone()
                    };
                    before
                        .iter()
                        .map(|(sum, weight)| weight * beyond((bound * information.sqrt() - sum) / came))
                        .sum::<f64>()
                };
                let level = bounds.next(f64::from(look), part);
                assert!((above(level) - bound).abs() < 1e-6, "{look}: {}", above(level));
                spent += part;
            }
            assert!((spent - 0.025).abs() < 1e-4, "{published:?}: {spent}");
        }
    }

    /// The bounds of Lan and DeMets that spend like O'Brien and Fleming, 0.025 on one side at five equal parts; D. M. Reboussin
    /// and others, Computations for group sequential boundaries using the Lan-DeMets spending function method, Controlled
    /// Clinical Trials 21, 2000.
    #[test]
    fn spent_error_leads_to_published_bounds() {
        let spent = |share: f64| 2.0 * beyond(above(0.0125) / share.sqrt());
        let mut bounds = Bounds::default();
        let mut before = 0.0;
        for (look, published) in (1_u32..).zip([4.877, 3.357, 2.680, 2.290, 2.031]) {
            let until = spent(f64::from(look) / 5.0);
            let bound = above(bounds.next(f64::from(look), until - before));
            assert!((bound - published).abs() < 2e-3, "{look}: {bound}");
            before = until;
        }
    }
}
