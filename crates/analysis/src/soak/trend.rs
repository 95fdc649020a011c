//! Whether a figure grows: a straight line through the means of a few long pieces of the time.
//!
//! What follows each other within a piece, such as the teeth of garbage collection, is gone in its mean. What is left from one piece to
//! the next widens the interval: that of the slope has the freedom of the pieces, not of the windows, and is widened by the correlation
//! of neighbours (see `docs/decisions/0065-growth-is-judged-by-long-pieces.md`).

use plimsoll_findings::{Slope, TrendOutcome};

/// Pieces that the time is cut into.
pub(super) const PIECES: usize = 12;
/// Confidence of the interval.
pub(super) const CONFIDENCE: f64 = 0.999;
/// Growth in an hour that matters, as a share of the mean.
pub(super) const MATTERS_SHARE_PER_H: f64 = 0.1;
/// The quantile of Student's distribution for that confidence on both sides and `PIECES - 2` degrees of freedom.
const STUDENT: f64 = 4.587;
/// The correlation of neighbours that residuals of a line through independent values have in the mean, with its sign turned.
const CORRELATION_BIAS: f64 = 2.0 / PIECES as f64;
/// Beyond, the pieces are one movement.
const CORRELATION_MAX: f64 = 0.8;

/// A piece of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// Its middle, hours.
    pub(super) at_h: f64,
    /// Mean of the figure.
    pub(super) mean: f64,
}

/// What the pieces of a figure say.
pub(super) fn judge(pieces: &[Piece; PIECES]) -> (TrendOutcome, Slope) {
    let line = Line::through(pieces);
    let half_width = STUDENT * line.standard_error();
    let slope = Slope {
        mean: line.mean,
        per_h: line.per_h,
        low_per_h: line.per_h - half_width,
        high_per_h: line.per_h + half_width,
    };
    let outcome = match slope {
        Slope { high_per_h, .. } if high_per_h <= MATTERS_SHARE_PER_H * line.mean => TrendOutcome::Steady,
        Slope { low_per_h, .. } if low_per_h > 0.0 => TrendOutcome::Grows,
        _ => TrendOutcome::Undecided,
    };
    (outcome, slope)
}

/// The line of least squares.
struct Line {
    mean: f64,
    per_h: f64,
    /// What is left of each piece.
    residuals: Vec<f64>,
    /// Sum of the squared distances of the pieces from the middle of the time.
    spread: f64,
}

impl Line {
    fn through(pieces: &[Piece]) -> Self {
        let count = pieces.len() as f64;
        let middle_h = pieces.iter().map(|piece| piece.at_h).sum::<f64>() / count;
        let mean = pieces.iter().map(|piece| piece.mean).sum::<f64>() / count;
        let spread: f64 = pieces.iter().map(|piece| (piece.at_h - middle_h).powi(2)).sum();
        let together = pieces.iter().map(|piece| (piece.at_h - middle_h) * (piece.mean - mean));
        let per_h = together.sum::<f64>() / spread;
        let residual = |piece: &Piece| piece.mean - mean - per_h * (piece.at_h - middle_h);
        Self {
            mean,
            per_h,
            residuals: pieces.iter().map(residual).collect(),
            spread,
        }
    }

    /// Of the slope.
    fn standard_error(&self) -> f64 {
        let squares: f64 = self.residuals.iter().map(|residual| residual.powi(2)).sum();
        if squares <= 0.0 {
            return 0.0;
        }
        let neighbours = self.residuals.windows(2).map(|pair| pair[0] * pair[1]);
        let correlation = neighbours.sum::<f64>() / squares + CORRELATION_BIAS;
        let correlation = correlation.clamp(0.0, CORRELATION_MAX);
        let variance = squares / (self.residuals.len() as f64 - 2.0) / self.spread;
        (variance * (1.0 + correlation) / (1.0 - correlation)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure over the hours.
    type Figure<'a> = &'a dyn Fn(f64) -> f64;

    /// Pieces of five minutes.
    fn pieces(mean: impl Fn(f64) -> f64) -> [Piece; PIECES] {
        std::array::from_fn(|at| {
            let at_h = (at as f64 + 0.5) / PIECES as f64;
            Piece { at_h, mean: mean(at_h) }
        })
    }

    #[test]
    fn figure_is_judged_by_its_slope() {
        // As scattered as it is even: 1 and -1 in turn.
        let turns = |at_h: f64| match ((at_h * PIECES as f64) as u32).is_multiple_of(2) {
            true => 1.0,
            false => -1.0,
        };
        let table: [(&str, Figure<'_>, TrendOutcome); 7] = [
            ("does not move", &|_| 80.0, TrendOutcome::Steady),
            ("is always zero", &|_| 0.0, TrendOutcome::Steady),
            ("falls", &|at_h| 80.0 - 20.0 * at_h, TrendOutcome::Steady),
            (
                "grows by less than matters",
                &|at_h| 80.0 + 4.0 * at_h,
                TrendOutcome::Steady,
            ),
            ("grows", &|at_h| 80.0 + 20.0 * at_h + turns(at_h), TrendOutcome::Grows),
            (
                "settles",
                &|at_h| 80.0 - 40.0 * (-at_h * 8.0).exp(),
                TrendOutcome::Undecided,
            ),
            ("scatters", &|at_h| 80.0 + 20.0 * turns(at_h), TrendOutcome::Undecided),
        ];
        for (what, mean, outcome) in table {
            let (found, slope) = judge(&pieces(mean));
            assert_eq!(found, outcome, "{what}: {slope:?}");
        }
    }

    #[test]
    fn slope_has_the_interval_of_student() {
        let jumps = [3.0, -1.0, 2.0, -4.0, 1.0, 0.0, -2.0, 4.0, -3.0, 1.0, 2.0, -3.0];
        let pieces = pieces(|at_h| 100.0 + 6.0 * at_h + jumps[(at_h * PIECES as f64) as usize]);
        let (_, slope) = judge(&pieces);
        // By hand: Sxx = 143/144 h², Sxy = 6 Sxx - 17/12, squares of the residuals 71.979; neighbours go against each other, so
        // nothing is widened.
        assert!((slope.per_h - 4.5734).abs() < 1e-4, "{slope:?}");
        let half_width = (slope.high_per_h - slope.low_per_h) / 2.0;
        assert!((half_width - 12.3494).abs() < 1e-3, "{half_width}");
    }
}
