//! When an effect counts as reproduced.

use super::values::Ratio;
use crate::language::{Bound, Direction};
use plimsoll_findings::{EffectBecause, EffectVerdict, Rule};

/// Closer to 1 a ratio is never called an effect, as in a comparison.
const NEGLIGIBLE: f64 = 0.01;

/// On which side of 1 a ratio lies with its whole interval; `None` where that cannot be told.
fn side(ratio: &Ratio) -> Option<Direction> {
    if ratio.low > 1.0 && ratio.ratio >= 1.0 + NEGLIGIBLE {
        Some(Direction::More)
    } else if ratio.high < 1.0 && ratio.ratio <= 1.0 - NEGLIGIBLE {
        Some(Direction::Less)
    } else {
        None
    }
}

/// The rule, as findings have it.
pub(super) const fn rule(bound: Bound) -> Rule {
    match bound {
        Bound::Ratio { least_share, .. } => Rule::SameSide { least_share },
        Bound::Same { within } => Rule::Within { within },
        Bound::Direction(Direction::More) => Rule::Above,
        Bound::Direction(Direction::Less) => Rule::Below,
        Bound::AtLeast(_) => Rule::AtLeast,
        Bound::AtMost(_) => Rule::AtMost,
    }
}

/// The verdict, and why.
pub(super) fn of(ratio: &Ratio, bound: Bound) -> (EffectVerdict, EffectBecause) {
    match bound {
        Bound::Ratio {
            ratio: published,
            least_share,
            ..
        } => {
            let least = published.powf(least_share);
            match directed(ratio, side_of(published), least) {
                (EffectVerdict::Reproduced, _) => sized(ratio, published, least_share),
                other => other,
            }
        }
        Bound::Direction(wanted) => directed(ratio, wanted, 1.0),
        Bound::Same { within } => same(ratio, within),
        Bound::AtLeast(_) => bounded(ratio.ratio >= 1.0, ratio.low >= 1.0),
        Bound::AtMost(_) => bounded(ratio.ratio <= 1.0, ratio.high <= 1.0),
    }
}

const fn side_of(ratio: f64) -> Direction {
    if ratio > 1.0 { Direction::More } else { Direction::Less }
}

/// `least` is the ratio that would be large enough.
fn directed(ratio: &Ratio, wanted: Direction, least: f64) -> (EffectVerdict, EffectBecause) {
    let reaches = match wanted {
        Direction::More => ratio.high >= least.max(1.0 + NEGLIGIBLE),
        Direction::Less => ratio.low <= least.min(1.0 - NEGLIGIBLE),
    };
    match side(ratio) {
        Some(found) if found == wanted => (EffectVerdict::Reproduced, EffectBecause::SameDirection),
        Some(_) => (EffectVerdict::Reversed, EffectBecause::OtherDirection),
        None if reaches => (EffectVerdict::Untold, EffectBecause::IntervalHoldsBoth),
        None => (EffectVerdict::NotReproduced, EffectBecause::NoEffect),
    }
}

fn sized(ratio: &Ratio, published: f64, least_share: f64) -> (EffectVerdict, EffectBecause) {
    // A ratio without end is larger than any that was published.
    let share = ratio.share_of(published).unwrap_or(f64::INFINITY);
    let verdict = if share >= least_share {
        EffectVerdict::Reproduced
    } else {
        EffectVerdict::Weaker
    };
    let because = if share.is_finite() {
        EffectBecause::SameDirectionOfSize { share }
    } else {
        EffectBecause::SameDirectionWithoutEnd
    };
    (verdict, because)
}

fn same(ratio: &Ratio, within: f64) -> (EffectVerdict, EffectBecause) {
    let most = 1.0 + within;
    if ratio.low >= 1.0 / most && ratio.high <= most {
        (EffectVerdict::Reproduced, EffectBecause::Same)
    } else if ratio.ratio >= 1.0 / most && ratio.ratio <= most {
        (EffectVerdict::Weaker, EffectBecause::SameAndInterval)
    } else {
        (EffectVerdict::NotReproduced, EffectBecause::NotSame)
    }
}

fn bounded(inside: bool, surely: bool) -> (EffectVerdict, EffectBecause) {
    match (inside, surely) {
        (true, true) => (EffectVerdict::Reproduced, EffectBecause::Inside),
        (true, false) => (EffectVerdict::Weaker, EffectBecause::InsideAndInterval),
        (false, _) => (EffectVerdict::NotReproduced, EffectBecause::Outside),
    }
}
