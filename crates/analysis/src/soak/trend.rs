//! Whether a figure grows: a straight line through the means of a few long pieces of the time.
//!
//! What follows each other within a piece, such as the teeth of garbage collection, is gone in its mean. What is left from one piece to
//! the next widens the interval: that of the slope has the freedom of the pieces, not of the windows, and is widened by the correlation
//! of neighbours (see `docs/decisions/0065-growth-is-judged-by-long-pieces.md`).

use plimsoll_findings::{Slope, TrendOutcome, UndecidedBecause};

/// Pieces that the time is cut into.
pub(super) const PIECES: usize = 12;
/// Confidence of the interval.
pub(super) const CONFIDENCE: f64 = 0.999;
/// Growth in an hour that matters, as a share of the mean.
pub(super) const MATTERS_SHARE_PER_H: f64 = 0.1;
/// The quantile of Student's distribution for that confidence on both sides, from one degree of freedom on.
const STUDENT: [f64; 23] = [
    636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781, 4.587, 4.437, 4.318, 4.221, 4.140, 4.073, 4.015,
    3.965, 3.922, 3.883, 3.850, 3.819, 3.792, 3.768,
];
/// A line leaves residuals that are correlated with their neighbours by this, divided by how many there are, with its sign turned.
const CORRELATION_BIAS: f64 = 2.0;
/// Beyond, the pieces are one movement.
const CORRELATION_MAX: f64 = 0.8;
/// What goes on for good grows in the second half of the time by at least this share of what it grows in the whole …
const HOLDS_ON_SHARE: f64 = 0.5;
/// … and by this many standard errors more than nothing.
const HOLDS_ON_ERRORS: f64 = 2.5;

/// A piece of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// Its middle, hours.
    pub(super) at_h: f64,
    /// Mean of the figure.
    pub(super) mean: f64,
}

/// What growth of a figure has to be to accuse anybody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rule {
    /// Growth in an hour that matters; `None` is a share of the mean of the figure.
    pub(super) matters_per_h: Option<f64>,
    /// It goes on in the second half of the time, and comes to more than this, because everything of this kind grows at first.
    pub(super) least: Option<f64>,
}

/// What the pieces of a figure say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    pub(super) outcome: TrendOutcome,
    pub(super) slope: Slope,
    pub(super) because: Option<UndecidedBecause>,
}

/// What at least six pieces of a figure say.
pub(super) fn judge(pieces: &[Piece], rule: Rule) -> Judged {
    let line = Line::through(pieces);
    let matters_per_h = rule.matters_per_h.unwrap_or(MATTERS_SHARE_PER_H * line.mean);
    let slope = line.slope(matters_per_h);
    let judged = |outcome, slope, because| Judged {
        outcome,
        slope,
        because,
    };
    if slope.high_per_h <= matters_per_h {
        return judged(TrendOutcome::Steady, slope, None);
    }
    let goes_on = rule.least.map(|least| (least, Half::of(pieces, &line, matters_per_h)));
    match goes_on {
        Some((_, half)) if !half.holds_on && half.slope.high_per_h <= matters_per_h => {
            judged(TrendOutcome::Steady, half.slope, None)
        }
        _ if slope.low_per_h <= 0.0 => judged(TrendOutcome::Undecided, slope, None),
        Some((_, half)) if !half.holds_on => judged(TrendOutcome::Undecided, slope, Some(UndecidedBecause::Fades)),
        Some((least, _)) if line.grown(pieces) <= least => {
            let because = UndecidedBecause::Little {
                grown_bytes: line.grown(pieces),
                least_bytes: least,
            };
            judged(TrendOutcome::Undecided, slope, Some(because))
        }
        _ => judged(TrendOutcome::Grows, slope, None),
    }
}

/// The second half of the time.
struct Half {
    slope: Slope,
    /// What the whole of it grew by goes on.
    holds_on: bool,
}

impl Half {
    fn of(pieces: &[Piece], whole: &Line, matters_per_h: f64) -> Self {
        let line = Line::through(&pieces[pieces.len() / 2..]);
        Self {
            slope: line.slope(matters_per_h),
            holds_on: line.per_h > HOLDS_ON_SHARE * whole.per_h && line.per_h > HOLDS_ON_ERRORS * line.least_error(),
        }
    }
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

    /// From the first piece to the last.
    fn grown(&self, pieces: &[Piece]) -> f64 {
        self.per_h * (pieces[pieces.len() - 1].at_h - pieces[0].at_h)
    }

    fn slope(&self, matters_per_h: f64) -> Slope {
        let freedom = (self.residuals.len() - 2).min(STUDENT.len());
        let half_width = STUDENT[freedom - 1] * self.standard_error();
        Slope {
            mean: self.mean,
            per_h: self.per_h,
            low_per_h: self.per_h - half_width,
            high_per_h: self.per_h + half_width,
            matters_per_h,
        }
    }

    fn squares(&self) -> f64 {
        self.residuals.iter().map(|residual| residual.powi(2)).sum()
    }

    /// Of the slope, if pieces do not depend on their neighbours.
    fn least_error(&self) -> f64 {
        (self.squares() / (self.residuals.len() as f64 - 2.0) / self.spread).sqrt()
    }

    /// Of the slope.
    fn standard_error(&self) -> f64 {
        let squares = self.squares();
        if squares <= 0.0 {
            return 0.0;
        }
        let neighbours = self.residuals.windows(2).map(|pair| pair[0] * pair[1]);
        let correlation = neighbours.sum::<f64>() / squares + CORRELATION_BIAS / self.residuals.len() as f64;
        let correlation = correlation.clamp(0.0, CORRELATION_MAX);
        self.least_error() * ((1.0 + correlation) / (1.0 - correlation)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure over the hours.
    type Figure<'a> = &'a dyn Fn(f64) -> f64;

    /// Pieces of five minutes.
    fn pieces(mean: impl Fn(f64) -> f64) -> Vec<Piece> {
        let at_h = (0..PIECES).map(|at| (at as f64 + 0.5) / PIECES as f64);
        at_h.map(|at_h| Piece { at_h, mean: mean(at_h) }).collect()
    }

    const ANY_GROWTH: Rule = Rule {
        matters_per_h: None,
        least: None,
    };

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
            let found = judge(&pieces(mean), ANY_GROWTH);
            assert_eq!(found.outcome, outcome, "{what}: {found:?}");
        }
    }

    #[test]
    fn memory_is_accused_of_what_goes_on_and_is_not_little() {
        let memory = Rule {
            matters_per_h: Some(8.0),
            least: Some(5.0),
        };
        let table: [(&str, Figure<'_>, TrendOutcome); 4] = [
            ("goes on", &|at_h| 80.0 + 20.0 * at_h, TrendOutcome::Grows),
            (
                "stops half-way",
                &|at_h| 80.0 + 40.0 * at_h.min(0.5),
                TrendOutcome::Steady,
            ),
            (
                "becomes slow",
                &|at_h| 80.0 + 40.0 * at_h.min(0.5) + 9.0 * (at_h - 0.5).max(0.0),
                TrendOutcome::Undecided,
            ),
            ("shrinks", &|at_h| 80.0 - 20.0 * at_h, TrendOutcome::Steady),
        ];
        for (what, mean, outcome) in table {
            let found = judge(&pieces(mean), memory);
            assert_eq!(found.outcome, outcome, "{what}: {found:?}");
        }
        let short: Vec<Piece> = pieces(|at_h| 80.0 + 9.0 * at_h)[..6].to_vec();
        let found = judge(&short, memory);
        assert!(
            matches!(found.because, Some(UndecidedBecause::Little { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn slope_has_the_interval_of_student() {
        let jumps = [3.0, -1.0, 2.0, -4.0, 1.0, 0.0, -2.0, 4.0, -3.0, 1.0, 2.0, -3.0];
        let pieces = pieces(|at_h| 100.0 + 6.0 * at_h + jumps[(at_h * PIECES as f64) as usize]);
        let slope = judge(&pieces, ANY_GROWTH).slope;
        // By hand: Sxx = 143/144 h², Sxy = 6 Sxx - 17/12, squares of the residuals 71.979; neighbours go against each other, so
        // nothing is widened.
        assert!((slope.per_h - 4.5734).abs() < 1e-4, "{slope:?}");
        let half_width = (slope.high_per_h - slope.low_per_h) / 2.0;
        assert!((half_width - 12.3494).abs() < 1e-3, "{half_width}");
    }
}
