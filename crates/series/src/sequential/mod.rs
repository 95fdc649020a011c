//! Looking several times at data that grow, without erring more often than one look would.
//!
//! Who looks after every few blocks and stops at the first difference finds one sooner or later, whether it is there or not.
//! So each look gets a part of the error that is allowed: the share that may have been spent by then is a function of how
//! much of the time is over, and the bound of a look follows from what was spent before it. Neither the number of looks nor
//! their times have to be known beforehand, and it does not matter why there is no further one.
//!
//! K. K. G. Lan and D. L. DeMets, Discrete sequential boundaries for clinical trials, Biometrika 70, 1983, pages 659 to 663;
//! the same, Group sequential procedures: calendar versus information time, Statistics in Medicine 8, 1989, pages 1191 to
//! 1198. The function is the square of the time, of the family of K. Kim and D. L. DeMets, Design and analysis of group
//! sequential tests based on the type I error spending rate function, Biometrika 74, 1987, pages 149 to 154: with the first
//! power looks at the end cost a tenth more time, with the third a large loss is found a tenth later.

mod bounds;

use bounds::Bounds;
use plimsoll_measure::run_directory::Look;

/// Share of the error that may be spent when this share of the time is over.
fn spendable(time_share: f64) -> f64 {
    time_share.clamp(0.0, 1.0).powi(2)
}

/// The one-sided level of each look: the probability with which that look alone may err, so that all of them together err
/// with `error`. Looks are in their order, each at more blocks and at a later time than the one before; what is not is no
/// look of its own and gets zero.
pub(crate) fn levels(error: f64, looks: &[Look]) -> Vec<f64> {
    let mut bounds = Bounds::default();
    let mut spent = 0.0;
    let mut level = |look: &Look| {
        let part = error * spendable(look.time_share) - spent;
        if part <= 0.0 || f64::from(look.blocks) <= bounds.information() {
            return 0.0;
        }
        spent += part;
        bounds.next(f64::from(look.blocks), part)
    };
    looks.iter().map(&mut level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn look(blocks: u32, time_share: f64) -> Look {
        Look { blocks, time_share }
    }

    #[test]
    fn single_look_at_the_end_spends_everything() {
        for error in [0.001, 0.01, 0.05] {
            let found = levels(error, &[look(12, 1.0)]);
            assert!((found[0] - error).abs() < 1e-7, "{found:?}");
        }
    }

    #[test]
    fn look_that_is_no_later_gets_nothing() {
        let looks = [look(8, 0.5), look(8, 0.9), look(12, 0.5), look(16, 1.0)];
        let found = levels(0.05, &looks);
        assert_eq!((found[1], found[2]), (0.0, 0.0));
        assert_eq!(found[3], levels(0.05, &[looks[0], looks[3]])[1]);
        assert!(levels(0.05, &[]).is_empty());
    }

    /// Sums of normal values cross a bound at any of the looks as often as is allowed, whatever the looks are.
    #[test]
    fn together_looks_err_as_often_as_allowed() {
        const TRIALS: u32 = 20_000;
        for (seed, looks) in [
            vec![look(4, 0.2), look(8, 0.4), look(12, 0.6), look(16, 0.8), look(20, 1.0)],
            vec![look(6, 0.1), look(8, 0.15), look(40, 0.9), look(42, 1.0)],
            vec![look(10, 0.7)],
        ]
        .into_iter()
        .enumerate()
        {
            let allowed = 0.05 * spendable(looks[looks.len() - 1].time_share);
            let bounds: Vec<f64> = levels(0.05, &looks).into_iter().map(bounds::above).collect();
            let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
            let crosses = |rng: &mut ChaCha8Rng| {
                let (mut sum, mut count) = (0.0, 0);
                looks.iter().zip(&bounds).any(|(look, bound)| {
                    while count < look.blocks {
                        sum += bounds::above(1.0 - rng.random::<f64>());
                        count += 1;
                    }
                    sum / f64::from(count).sqrt() > *bound
                })
            };
            let crossed = (0..TRIALS).filter(|_| crosses(&mut rng)).count() as f64 / f64::from(TRIALS);
            // Four standard errors of the count.
            let error = 4.0 * (allowed * (1.0 - allowed) / f64::from(TRIALS)).sqrt();
            assert!(
                (crossed - allowed).abs() < error,
                "{looks:?}: {crossed}, allowed {allowed}"
            );
        }
    }
}
