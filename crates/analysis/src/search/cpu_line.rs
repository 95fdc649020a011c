//! Where CPU will meet its bound, from how it grows with the rate.
//!
//! Whether a window passes is one bit; its CPU share says much more. Near the line the share is a
//! straight line over the rate, so this is the calibration problem: fit a line, read off the rate
//! at which it meets the bound (Draper and Smith, Applied Regression Analysis, 3rd ed. 1998, section
//! 3.2). The slope begins as the proportion that one step shows, and is learnt from several.

use super::normal::{normal_quantile, student_below};

/// CPU in the windows of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) rate_per_s: f64,
    /// Windows.
    pub(super) count: f64,
    /// Mean share.
    pub(super) mean: f64,
    /// Sum of squared distances of the windows from that mean.
    pub(super) squares: f64,
}

/// Steps further from the line than this factor do not count: nothing is straight for ever.
const REACH: f64 = 1.25;
/// Above this share the cores are saturated and CPU no longer follows the rate.
const SATURATED: f64 = 0.95;
/// Doubt about the slope before more than one rate was tried, as a share of it.
const SLOPE_DOUBT: f64 = 0.3;
/// Least believed standard deviation of a window: what sampling CPU costs in accuracy.
const DEVIATION_FLOOR: f64 = 0.002;
/// Least number of degrees of freedom for an estimate.
const FREEDOM_MIN: f64 = 5.0;

/// The load line as far as CPU is concerned: Student-distributed around an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CpuLine {
    pub(super) rate_per_s: f64,
    standard_error: f64,
    freedom: f64,
}

impl CpuLine {
    /// `None` while too few windows were seen near the line.
    pub(super) fn of(points: &[Point], bound: f64, wanted: f64) -> Option<Self> {
        let usable = || points.iter().filter(|p| p.mean > 0.0 && p.mean < SATURATED);
        let nearest = usable().min_by(|a, b| (a.mean - bound).abs().total_cmp(&(b.mean - bound).abs()))?;
        let near: Vec<_> = usable()
            .filter(|p| p.rate_per_s < nearest.rate_per_s * REACH && p.rate_per_s > nearest.rate_per_s / REACH)
            .collect();
        let sum = |figure: &dyn Fn(&Point) -> f64| near.iter().map(|p| figure(p)).sum::<f64>();
        let (windows, freedom) = (sum(&|p| p.count), sum(&|p| p.count - 1.0));
        if near.len() < 2 || freedom < FREEDOM_MIN {
            return None;
        }
        let deviation = (sum(&|p| p.squares) / freedom).sqrt().max(DEVIATION_FLOOR);
        let variance = deviation * deviation;
        let rate = sum(&|p| p.count * p.rate_per_s) / windows;
        let share = sum(&|p| p.count * p.mean) / windows;
        let xx = sum(&|p| p.count * (p.rate_per_s - rate).powi(2));
        let xy = sum(&|p| p.count * (p.rate_per_s - rate) * (p.mean - share));
        let (proportion, doubt) = (share / rate, SLOPE_DOUBT * share / rate);
        let precision = xx / variance + 1.0 / (doubt * doubt);
        let slope = (xy / variance + proportion / (doubt * doubt)) / precision;
        if slope <= 0.0 {
            return None;
        }
        // Steps may differ by more than their windows do; then every step counts for less.
        let misfit = sum(&|p| p.count * (p.mean - share - slope * (p.rate_per_s - rate)).powi(2));
        let misfit = (misfit / variance / (near.len() as f64 - 1.0)).max(1.0);
        // The wanted share of windows is inside the bound when the mean keeps this distance.
        let quantile = normal_quantile(wanted.clamp(0.5, 0.99));
        let line = rate + (bound - quantile * deviation - share) / slope;
        let variance_of_share = misfit * variance / windows
            + quantile * quantile * variance / (2.0 * freedom)
            + (line - rate).powi(2) * misfit / precision;
        (line > 0.0).then(|| Self {
            rate_per_s: line,
            standard_error: variance_of_share.sqrt() / slope,
            freedom,
        })
    }

    /// Probability that the line lies below this rate.
    pub(super) fn below(&self, rate_per_s: f64) -> f64 {
        student_below((rate_per_s - self.rate_per_s) / self.standard_error, self.freedom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rate_per_s: f64, mean: f64) -> Point {
        Point {
            rate_per_s,
            count: 4.0,
            mean,
            squares: 3.0 * 0.01 * 0.01,
        }
    }

    #[test]
    fn the_line_keeps_the_wanted_share_of_windows_below_the_bound() {
        let line = CpuLine::of(&[point(900.0, 0.72), point(950.0, 0.76), point(1000.0, 0.80)], 0.8, 0.9);
        let line = line.expect("three steps near the line");
        // 80 % less 1.28 standard deviations of 1 %, at 0.08 % per request.
        assert!((line.rate_per_s - 984.0).abs() < 1.0, "{line:?}");
        assert!(line.below(975.0) < 0.1 && line.below(995.0) > 0.9, "{line:?}");
    }

    #[test]
    fn saturated_and_distant_steps_do_not_bend_it() {
        let near = [point(950.0, 0.76), point(1000.0, 0.80), point(1010.0, 0.81)];
        let mut all = near.to_vec();
        all.extend([point(100.0, 0.2), point(1400.0, 0.99)]);
        assert_eq!(CpuLine::of(&near, 0.8, 0.9), CpuLine::of(&all, 0.8, 0.9));
    }

    #[test]
    fn one_step_is_not_enough() {
        assert_eq!(CpuLine::of(&[point(950.0, 0.76)], 0.8, 0.9), None);
    }
}
