//! What a function of the service does by itself.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::counted::Site;
use plimsoll_measure::Frame;

/// Less of a package, or of the service's own code, is what it is there for.
pub(crate) const HOT_SHARE_MIN: f64 = 0.25;

/// What a function of the service does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct OwnTime {
    /// Without the JSON that is counted there, µs.
    pub(crate) us: u64,
    /// The JSON. It has no frames, so the profile has its time in the function.
    pub(crate) json_us: u64,
    /// The line that costs most.
    pub(crate) line: Option<u32>,
}

impl OwnTime {
    pub(crate) fn is_hot(&self, case: &Case<'_>) -> bool {
        case.share_of(self.us) >= HOT_SHARE_MIN
    }
}

pub(crate) fn own_time(case: &Case<'_>, frame: &Frame) -> OwnTime {
    let own = case
        .costs
        .iter()
        .find(|cost| cost.work == Work::Own && cost.owner.as_ref() == Some(frame));
    own.map(|own| own_time_in(case, own, frame)).unwrap_or_default()
}

/// As [`own_time`], with the costs of the function at hand.
pub(crate) fn own_time_in(case: &Case<'_>, own: &Cost, frame: &Frame) -> OwnTime {
    let sites = case.counted.map(|counted| counted.sites.as_slice()).unwrap_or_default();
    let json: Vec<&Site> = sites
        .iter()
        .filter(|site| site.counter.starts_with("JSON."))
        .filter(|site| {
            site.frames
                .first()
                .is_some_and(|innermost| innermost.file == frame.file)
        })
        .collect();
    let is_json = |line: u32| {
        json.iter()
            .any(|site| site.frames.iter().take(1).any(|frame| frame.line == line))
    };
    let sampled_us: u64 = own
        .lines
        .iter()
        .filter(|(line, _)| is_json(*line))
        .map(|(_, us)| us)
        .sum();
    // Lines are not always known; what was counted in this function is.
    let of_function = |site: &&&Site| {
        site.frames
            .first()
            .is_some_and(|innermost| innermost.function == frame.function)
    };
    let counted_ns: u64 = json.iter().filter(of_function).map(|site| site.ns).sum();
    let json_us = sampled_us.max(case.counted_in_profile_us(counted_ns));
    let hottest = own
        .lines
        .iter()
        .filter(|(line, _)| !is_json(*line))
        .max_by_key(|(_, us)| *us);
    OwnTime {
        us: own.us.saturating_sub(json_us),
        json_us,
        line: hottest.map(|(line, _)| *line),
    }
}
