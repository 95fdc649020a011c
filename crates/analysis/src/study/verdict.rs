//! When an effect counts as reproduced.

use super::EffectVerdict;
use super::values::Ratio;
use plimsoll_plan::{Bound, Direction};

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

/// The verdict, and why.
pub(super) fn of(ratio: &Ratio, bound: Bound) -> (EffectVerdict, String) {
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
fn directed(ratio: &Ratio, wanted: Direction, least: f64) -> (EffectVerdict, String) {
    let reaches = match wanted {
        Direction::More => ratio.high >= least.max(1.0 + NEGLIGIBLE),
        Direction::Less => ratio.low <= least.min(1.0 - NEGLIGIBLE),
    };
    match side(ratio) {
        Some(found) if found == wanted => (EffectVerdict::Reproduced, "the same direction".to_owned()),
        Some(_) => (EffectVerdict::Reversed, "the other direction".to_owned()),
        None if reaches => {
            let because = "the interval holds both no effect and one that is large enough".to_owned();
            (EffectVerdict::Untold, because)
        }
        None => {
            let because = "no effect, or one that is not large enough".to_owned();
            (EffectVerdict::NotReproduced, because)
        }
    }
}

fn sized(ratio: &Ratio, published: f64, least_share: f64) -> (EffectVerdict, String) {
    // A ratio without end is larger than any that was published.
    let share = ratio.share_of(published).unwrap_or(f64::INFINITY);
    let verdict = if share >= least_share {
        EffectVerdict::Reproduced
    } else {
        EffectVerdict::Weaker
    };
    let because = if share.is_finite() {
        format!("the same direction, {:.0} % of the published size", share * 100.0)
    } else {
        "the same direction, and without end here".to_owned()
    };
    (verdict, because)
}

fn same(ratio: &Ratio, within: f64) -> (EffectVerdict, String) {
    let most = 1.0 + within;
    if ratio.low >= 1.0 / most && ratio.high <= most {
        (EffectVerdict::Reproduced, "the same here".to_owned())
    } else if ratio.ratio >= 1.0 / most && ratio.ratio <= most {
        let because = "the same here, but the interval reaches further".to_owned();
        (EffectVerdict::Weaker, because)
    } else {
        (EffectVerdict::NotReproduced, "not the same here".to_owned())
    }
}

fn bounded(inside: bool, surely: bool) -> (EffectVerdict, String) {
    match (inside, surely) {
        (true, true) => (EffectVerdict::Reproduced, "inside the bound".to_owned()),
        (true, false) => {
            let because = "inside the bound, but the interval reaches across it".to_owned();
            (EffectVerdict::Weaker, because)
        }
        (false, _) => (EffectVerdict::NotReproduced, "outside the bound".to_owned()),
    }
}
