//! Where the load line lies, as a probability distribution over levels.
//!
//! A level that is tried is a question with a yes-or-no outcome for every window, which makes the
//! search the same problem as finding a threshold of perception: the share of windows that pass
//! falls with the level along an S-shaped curve. The method is that of Watson and Pelli, "QUEST: a
//! Bayesian adaptive psychometric method", Perception & Psychophysics 33, 1983, with the slope and
//! the lapses unknown too, as in Kontsevich and Tyler, "Bayesian adaptive estimation of
//! psychometric slope and threshold", Vision Research 39, 1999. Lapses, windows that fail for a
//! reason that has nothing to do with the level, follow Wichmann and Hill, "The psychometric
//! function I", Perception & Psychophysics 63, 2001.

/// What one step says: so many of its windows passed at this level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trial {
    /// Natural logarithm of the level per second.
    pub(super) ln_level: f64,
    pub(super) passed: u32,
    pub(super) judged: u32,
}

/// Points of the grid over the logarithm of the level.
const GRID: usize = 128;
/// How far the prior, which is flat, reaches beyond the levels tried.
const REACH: f64 = 2.0 * std::f64::consts::LN_2;
/// How steep the curve may be, each with its prior weight: scale of the logistic function in the
/// logarithm of the level. From 90 % to 10 % of the windows is 4.4 times as much. Steep ones weigh
/// more: most services break all at once.
const SCALES: [(f64, f64); 4] = [(0.003, 0.35), (0.01, 0.3), (0.03, 0.25), (0.1, 0.1)];
/// Lapses as a share of the windows that may fail at the line.
const LAPSES: [f64; 3] = [0.02, 0.3, 0.8];
/// Share of windows that pass however high the level is.
const GUESSES: f64 = 0.01;
/// Probability that a whole step is spoilt and says nothing. It bounds what one step can do.
const SPOILT: f64 = 0.005;

/// Probabilities of the load line over a grid of levels.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    /// Lower border of the first cell, as a logarithm.
    from: f64,
    /// Width of a cell.
    cell: f64,
    /// Probability that the line lies below the upper border of each cell.
    cumulative: Vec<f64>,
}

impl Posterior {
    /// From all trials. `wanted` is the share of windows that must pass at the load line.
    pub(super) fn of(trials: &[Trial], wanted: f64) -> Self {
        let levels = || trials.iter().map(|t| t.ln_level);
        let (low, high) = (
            levels().fold(f64::INFINITY, f64::min),
            levels().fold(f64::NEG_INFINITY, f64::max),
        );
        let curves = Curves::new(wanted);
        let wide = Self::on_grid(trials, &curves, low - REACH, high + REACH);
        // Once more with all the points where the probability is.
        wide.mass_between()
            .map_or(wide.clone(), |(from, to)| Self::on_grid(trials, &curves, from, to))
    }

    fn on_grid(trials: &[Trial], curves: &Curves, from: f64, to: f64) -> Self {
        let cell = (to - from) / GRID as f64;
        let lines = (0..GRID).map(|index| from + (index as f64 + 0.5) * cell);
        let ln_likelihoods: Vec<_> = lines.map(|line| curves.ln_likelihoods(trials, line)).collect();
        let best = ln_likelihoods
            .iter()
            .flatten()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = ln_likelihoods
            .iter()
            .map(|curves| {
                sum += curves.iter().map(|ln| (ln - best).exp()).sum::<f64>();
                sum
            })
            .collect();
        for probability in &mut cumulative {
            *probability /= sum;
        }
        Self { from, cell, cumulative }
    }

    /// The stretch that holds all but a millionth of the probability on either side; `None` when
    /// that is not much less than everything.
    fn mass_between(&self) -> Option<(f64, f64)> {
        const TAIL: f64 = 1e-6;
        let first = self.cumulative.partition_point(|&p| p < TAIL);
        let last = self.cumulative.partition_point(|&p| p < 1.0 - TAIL);
        let border = |index: usize| self.from + index as f64 * self.cell;
        (last - first < GRID / 2).then(|| (border(first), border((last + 1).min(GRID))))
    }

    /// Probability that the line lies below this level.
    pub(super) fn below(&self, ln_level: f64) -> f64 {
        let cells = (ln_level - self.from) / self.cell;
        if cells <= 0.0 {
            return 0.0;
        }
        let index = cells as usize;
        let Some(&upper) = self.cumulative.get(index) else {
            return 1.0;
        };
        let lower = if index == 0 { 0.0 } else { self.cumulative[index - 1] };
        lower + (upper - lower) * cells.fract()
    }

    /// Logarithm of the level below which the line lies with this probability.
    #[cfg(test)]
    fn quantile(&self, probability: f64) -> f64 {
        let index = self.cumulative.partition_point(|&p| p < probability).min(GRID - 1);
        let lower = if index == 0 { 0.0 } else { self.cumulative[index - 1] };
        let in_cell = self.cumulative[index] - lower;
        let part = if in_cell > 0.0 {
            ((probability - lower) / in_cell).clamp(0.0, 1.0)
        } else {
            1.0
        };
        self.from + (index as f64 + part) * self.cell
    }
}

/// The shapes that the curve may have, each brought to pass through the wanted share at the line.
struct Curves(Vec<Curve>);

struct Curve {
    scale: f64,
    ln_weight: f64,
    lapses: f64,
    /// How far beyond the line the curve has its middle, in scales.
    middle: f64,
}

impl Curves {
    fn new(wanted: f64) -> Self {
        // Where no window may fail, "hardly any" takes its place: certainty needs endless windows.
        let wanted = wanted.clamp(0.05, 0.99);
        let curve = |(scale, weight): (f64, f64), lapses: f64| {
            let lapses = lapses * (1.0 - wanted);
            let at_line = (wanted - GUESSES) / (1.0 - GUESSES - lapses);
            Curve {
                scale,
                ln_weight: weight.ln(),
                lapses,
                middle: (at_line / (1.0 - at_line)).ln(),
            }
        };
        Self(
            SCALES
                .iter()
                .flat_map(|&scale| LAPSES.map(|lapses| curve(scale, lapses)))
                .collect(),
        )
    }

    /// Logarithm of the probability of all trials for each curve, if the line were at `line`.
    fn ln_likelihoods(&self, trials: &[Trial], line: f64) -> Vec<f64> {
        let of_curve = |curve: &Curve| {
            let of_trials = trials.iter().map(|trial| curve.ln_likelihood(*trial, line));
            of_trials.sum::<f64>() + curve.ln_weight
        };
        self.0.iter().map(of_curve).collect()
    }
}

impl Curve {
    fn ln_likelihood(&self, trial: Trial, line: f64) -> f64 {
        let (passed, judged) = (f64::from(trial.passed), f64::from(trial.judged));
        let distance = (line - trial.ln_level) / self.scale + self.middle;
        let pass = GUESSES + (1.0 - GUESSES - self.lapses) / (1.0 + (-distance).exp());
        let ln_binomial =
            ln_choose(trial.judged, trial.passed) + passed * pass.ln() + (judged - passed) * (1.0 - pass).ln();
        ((1.0 - SPOILT) * ln_binomial.exp() + SPOILT / (judged + 1.0)).ln()
    }
}

/// Logarithm of the number of ways to choose `k` of `n`.
fn ln_choose(n: u32, k: u32) -> f64 {
    (1..=k.min(n - k))
        .map(|i| (f64::from(n + 1 - i) / f64::from(i)).ln())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(level: f64, passed: u32, judged: u32) -> Trial {
        Trial {
            ln_level: level.ln(),
            passed,
            judged,
        }
    }

    #[test]
    fn the_line_lies_between_what_passed_and_what_failed() {
        let trials = [
            trial(1000.0, 4, 4),
            trial(1050.0, 0, 4),
            trial(1000.0, 8, 8),
            trial(1050.0, 0, 2),
        ];
        let posterior = Posterior::of(&trials, 0.9);
        let (low, high) = (posterior.quantile(0.025).exp(), posterior.quantile(0.975).exp());
        assert!((950.0..1010.0).contains(&low), "{low}");
        assert!((1030.0..1060.0).contains(&high), "{high}");
        assert!(posterior.below(1050_f64.ln()) > 0.95);
    }

    #[test]
    fn one_bad_window_far_below_the_line_moves_nothing() {
        let clean = [trial(400.0, 4, 4), trial(1000.0, 4, 4), trial(1050.0, 0, 4)];
        let mut hiccup = clean.to_vec();
        hiccup.push(trial(200.0, 3, 4));
        let median = |trials: &[Trial]| Posterior::of(trials, 0.9).quantile(0.5).exp();
        let (clean, hiccup) = (median(&clean), median(&hiccup));
        assert!((clean / hiccup - 1.0).abs() < 0.02, "{clean} {hiccup}");
    }

    #[test]
    fn a_spoilt_step_is_outvoted() {
        let spoilt = [trial(200.0, 0, 4), trial(200.0, 4, 4), trial(400.0, 4, 4)];
        assert!(Posterior::of(&spoilt, 0.9).below(400_f64.ln()) < 0.5);
    }

    #[test]
    fn quantile_and_below_are_inverse() {
        let posterior = Posterior::of(&[trial(90.0, 3, 3), trial(110.0, 1, 3)], 0.9);
        for probability in [0.01, 0.2, 0.5, 0.9, 0.999] {
            assert!((posterior.below(posterior.quantile(probability)) - probability).abs() < 1e-9);
        }
    }
}
