//! What shares of the samples of a profile tell of the time.

use crate::Case;
use plimsoll_findings::{Cause, Evidence, Notice};
use plimsoll_measure::share_interval;

/// What is to be said of a cause that rests on few samples: so few that the interval of its share is wider than the share.
pub(crate) fn rests_on_few(case: &Case<'_>, cause: &Cause) -> Option<Notice> {
    let (Evidence::Profile { share } | Evidence::Packages { share, .. }) = &cause.evidence else {
        return None;
    };
    let all = case.profile.map_or(0, |profile| profile.samples);
    let (low, high) = share_interval(*share, all as f64);
    (all > 0 && high - low > *share).then(|| Notice::FewSamples {
        cause: cause.kind.as_str().to_owned(),
        samples: (*share * all as f64).round() as u64,
        low,
        high,
    })
}
