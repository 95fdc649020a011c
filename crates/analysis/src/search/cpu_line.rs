//! Where CPU will meet its bound, from how it grows with the level.
//!
//! Whether a window passes is one bit; its CPU share says much more. Near the line the share is a
//! straight line over the level, so this is the calibration problem: fit a line, read off the level
//! at which it meets the bound (Draper and Smith, Applied Regression Analysis, 3rd ed. 1998, section
//! 3.2). The slope begins near the proportion that one step shows, and is learnt from several. Steps
//! err by more than their windows tell, so each weighs by both variances, as in a meta-analysis with
//! random effects (DerSimonian and Laird, Controlled Clinical Trials 7, 1986).

use super::normal::{normal_quantile, student_below};

/// CPU in the windows of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) level: f64,
    /// Windows.
    pub(super) count: f64,
    /// Mean share.
    pub(super) mean: f64,
    /// Sum of squared distances of the windows from that mean.
    pub(super) squares: f64,
}

/// Steps further from the line than this factor do not count: nothing is straight for ever.
const REACH: f64 = 1.25;
/// Above this share the cores are saturated and CPU no longer follows the level.
const SATURATED: f64 = 0.95;
/// Slope before more than one level was tried, as a share of the proportion of CPU to level: a service
/// that is woken less often under load takes less per request. And the doubt about it.
const SLOPE_GUESS: f64 = 0.8;
const SLOPE_DOUBT: f64 = 0.3;
/// Least believed standard deviation of a window: what sampling CPU costs in accuracy.
const DEVIATION_FLOOR: f64 = 0.002;
/// By how much the mean share of a step errs beyond what its windows explain, as on a host that has
/// neighbours. The steps teach better; this is believed as if `STEP_FREEDOM` of them had shown it.
const STEP_DEVIATION: f64 = 0.006;
const STEP_FREEDOM: f64 = 4.0;
/// Rounds in which the weights of the steps and their deviation settle.
const ROUNDS: usize = 5;
/// Correlation of one step's error with the next, beyond which it is not believed: few steps tell
/// little of it.
const CORRELATION_MAX: f64 = 0.6;
/// Least number of degrees of freedom for an estimate.
const FREEDOM_MIN: f64 = 5.0;

/// The load line as far as CPU is concerned: Student-distributed around an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CpuLine {
    pub(super) level: f64,
    standard_error: f64,
    /// Factor on its square if steps that follow each other err alike.
    persistence: f64,
    freedom: f64,
}

impl CpuLine {
    /// `None` while too few windows were seen near the line.
    pub(super) fn of(points: &[Point], bound: f64, wanted: f64) -> Option<Self> {
        let usable = || points.iter().filter(|p| p.mean > 0.0 && p.mean < SATURATED);
        let nearest = usable().min_by(|a, b| (a.mean - bound).abs().total_cmp(&(b.mean - bound).abs()))?;
        let near: Vec<_> = usable()
            .filter(|p| p.level < nearest.level * REACH && p.level > nearest.level / REACH)
            .collect();
        let sum = |figure: &dyn Fn(&Point) -> f64| near.iter().map(|p| figure(p)).sum::<f64>();
        let freedom = sum(&|p| p.count - 1.0);
        if near.len() < 2 || freedom < FREEDOM_MIN {
            return None;
        }
        let deviation = (sum(&|p| p.squares) / freedom).sqrt().max(DEVIATION_FLOOR);
        let quantile = normal_quantile(wanted.clamp(0.5, 0.99));
        // The wanted share of windows is inside the bound when the mean keeps this distance.
        let target = bound - quantile * deviation;
        let of_windows = deviation * deviation;
        let mut of_steps = STEP_DEVIATION * STEP_DEVIATION;
        let mut fit = Fit::of(&near, of_windows, of_steps)?;
        for _ in 0..ROUNDS {
            of_steps = fit.variance_of_steps(&near, of_windows);
            fit = Fit::of(&near, of_windows, of_steps)?;
        }
        let line = fit.level + (target - fit.share) / fit.slope;
        let variance_of_share = fit.variance_of_share
            + quantile * quantile * of_windows / (2.0 * freedom)
            + (line - fit.level).powi(2) * fit.variance_of_slope;
        (line > 0.0).then(|| Self {
            level: line,
            standard_error: variance_of_share.sqrt() / fit.slope,
            persistence: fit.persistence(&near, of_windows, of_steps),
            freedom: STEP_FREEDOM + near.len() as f64 - 2.0,
        })
    }

    /// The same with the doubt that steps which err alike leave. The interval has it; the next level to try does not need it.
    pub(super) fn widened(self) -> Self {
        Self {
            standard_error: self.standard_error * self.persistence.sqrt(),
            ..self
        }
    }

    /// Probability that the line lies below this level.
    pub(super) fn below(&self, level: f64) -> f64 {
        student_below((level - self.level) / self.standard_error, self.freedom)
    }
}

/// A straight line through the steps, each weighed by how well its mean is known.
struct Fit {
    /// Centre of the steps, and the share there.
    level: f64,
    share: f64,
    slope: f64,
    variance_of_share: f64,
    variance_of_slope: f64,
}

impl Fit {
    /// `None` when CPU does not grow with the level.
    fn of(near: &[&Point], of_windows: f64, of_steps: f64) -> Option<Self> {
        let weight = |p: &Point| 1.0 / (of_windows / p.count + of_steps);
        let sum = |figure: &dyn Fn(&Point) -> f64| near.iter().map(|p| weight(p) * figure(p)).sum::<f64>();
        let weights = sum(&|_| 1.0);
        let level = sum(&|p| p.level) / weights;
        let share = sum(&|p| p.mean) / weights;
        let xx = sum(&|p| (p.level - level).powi(2));
        let xy = sum(&|p| (p.level - level) * (p.mean - share));
        let (proportion, doubt) = (SLOPE_GUESS * share / level, SLOPE_DOUBT * share / level);
        let precision = xx + 1.0 / (doubt * doubt);
        let slope = (xy + proportion / (doubt * doubt)) / precision;
        (slope > 0.0).then_some(Self {
            level,
            share,
            slope,
            variance_of_share: 1.0 / weights,
            variance_of_slope: 1.0 / precision,
        })
    }

    /// How many times more a mean of steps varies because steps that follow each other err alike:
    /// (1 + r)/(1 − r) for errors of which each keeps the share r of the one before (Box, Jenkins
    /// and Reinsel, Time Series Analysis, 4th ed. 2008, section 2.1). The estimate of r from n
    /// errors is too small by 1/n for each parameter that was fitted (Kendall, Biometrika 41, 1954).
    fn persistence(&self, near: &[&Point], of_windows: f64, of_steps: f64) -> f64 {
        let residual = |p: &Point| p.mean - self.share - self.slope * (p.level - self.level);
        let squares: f64 = near.iter().map(|p| residual(p).powi(2)).sum();
        let expected: f64 = near.iter().map(|p| of_windows / p.count + of_steps).sum();
        let products: f64 = near.windows(2).map(|pair| residual(pair[0]) * residual(pair[1])).sum();
        // Errors smaller than expected show nothing of a host that comes and goes.
        let correlation = products / squares.max(expected) + 2.0 / near.len() as f64;
        let correlation = correlation.clamp(0.0, CORRELATION_MAX);
        (1.0 + correlation) / (1.0 - correlation)
    }

    /// By how much steps differ beyond what their windows explain.
    fn variance_of_steps(&self, near: &[&Point], of_windows: f64) -> f64 {
        let excess = |p: &&Point| {
            let residual = p.mean - self.share - self.slope * (p.level - self.level);
            residual * residual - of_windows / p.count
        };
        let count = near.len() as f64;
        let seen = near.iter().map(excess).sum::<f64>() * count / (count - 2.0).max(1.0);
        (STEP_FREEDOM * STEP_DEVIATION * STEP_DEVIATION + seen.max(0.0)) / (STEP_FREEDOM + count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(level: f64, mean: f64) -> Point {
        Point {
            level,
            count: 4.0,
            mean,
            squares: 3.0 * 0.01 * 0.01,
        }
    }

    #[test]
    fn the_line_keeps_the_wanted_share_of_windows_below_the_bound() {
        let line = CpuLine::of(&[point(900.0, 0.72), point(950.0, 0.76), point(1000.0, 0.80)], 0.8, 0.9);
        let line = line.expect("three steps near the line");
        // 80 % less 1.28 standard deviations of 1 %, at 0.08 % per request and a little less by the guess.
        assert!((line.level - 985.0).abs() < 2.0, "{line:?}");
        assert!(line.below(965.0) < 0.1 && line.below(1005.0) > 0.9, "{line:?}");
    }

    #[test]
    fn saturated_and_distant_steps_do_not_bend_it() {
        let near = [point(950.0, 0.76), point(1000.0, 0.80), point(1010.0, 0.81)];
        let mut all = near.to_vec();
        all.extend([point(100.0, 0.2), point(1400.0, 0.99)]);
        assert_eq!(CpuLine::of(&near, 0.8, 0.9), CpuLine::of(&all, 0.8, 0.9));
    }

    #[test]
    fn steps_that_disagree_leave_more_doubt_than_their_windows_do() {
        let doubt = |apart: f64| {
            let shares = [0.77 + apart, 0.77 - apart, 0.78 + apart, 0.78 - apart];
            let points = [960.0, 960.0, 980.0, 980.0].into_iter().zip(shares);
            let points: Vec<_> = points.map(|(level, mean)| point(level, mean)).collect();
            CpuLine::of(&points, 0.8, 0.75).map(|line| line.standard_error)
        };
        assert!(doubt(0.03) > doubt(0.0).map(|quiet| 1.5 * quiet), "{:?}", doubt(0.03));
    }

    #[test]
    fn steps_that_err_in_the_order_of_time_leave_more_doubt() {
        let doubt = |errors: [f64; 8]| {
            let points: Vec<_> = errors.iter().map(|error| point(970.0, 0.78 + error)).collect();
            CpuLine::of(&points, 0.8, 0.75).map(|line| line.widened().standard_error)
        };
        let e = 0.02;
        assert!(doubt([e, e, e, e, -e, -e, -e, -e]) > doubt([e, -e, e, -e, e, -e, e, -e]));
    }

    #[test]
    fn one_step_is_not_enough() {
        assert_eq!(CpuLine::of(&[point(950.0, 0.76)], 0.8, 0.9), None);
    }
}
