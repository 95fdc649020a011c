//! What a function of the service does by itself.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::site::Site;
use plimsoll_measure::probe::SiteFrame;
use plimsoll_measure::{Frame, Makes};

/// Less of a package, or of the service's own code, is what it is there for.
pub(crate) const HOT_SHARE_MIN: f64 = 0.25;

/// What a function of the service does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct OwnTime {
    /// Without the JSON that is counted there, and what is made there, µs.
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
        us: own.us.saturating_sub(json_us + made_us(case, sites, frame)),
        json_us,
        line: hottest.map(|(line, _)| *line),
    }
}

/// What is counted as it is made, and what the profile takes its lines for where their text shows it.
const MADE: [(&str, Makes); 3] = [
    ("construction", Makes::Formatter),
    ("error", Makes::Stack),
    ("expression", Makes::Expression),
];

/// Time of what is counted as it is made in a function, where the profile has it as time of the function: a line of minified code says
/// nothing of what it makes, and neither does `super()` of an error.
fn made_us(case: &Case<'_>, sites: &[Site], frame: &Frame) -> u64 {
    let functions = || case.counted.into_iter().flat_map(|counted| &counted.functions);
    let mut ns = 0;
    for (kind, makes) in MADE {
        let is_of_kind = |site: &&Site| functions().any(|of| of.kind == kind && of.name == site.counter);
        let here = sites.iter().filter(is_of_kind).filter(|site| {
            let at = site.takes_time();
            at.is_some_and(|at| contains(case, frame, at))
        });
        let hidden = here.filter(|site| match &site.made_in {
            Some(constructor) => !is_made_on(case, makes, constructor),
            None => !is_shown(case, makes, site),
        });
        ns += hidden.map(|site| site.ns).sum::<u64>();
    }
    case.counted_in_profile_us(ns)
}

/// Whether the text of a line of the function shows the profile that it makes this.
pub(crate) fn is_shown(case: &Case<'_>, makes: Makes, site: &Site) -> bool {
    site.takes_time().is_some_and(|at| {
        let mut owners = makers(case, makes).filter_map(|cost| cost.owner.as_ref());
        owners.any(|owner| contains(case, owner, at))
    })
}

/// Whether the text of a line shows the profile that it makes this.
pub(crate) fn is_made_on(case: &Case<'_>, makes: Makes, at: &SiteFrame) -> bool {
    makers(case, makes).any(|cost| {
        let is_here = cost.owner.as_ref().is_some_and(|owner| owner.file == at.file);
        is_here && cost.lines.iter().any(|(line, _)| *line == at.line)
    })
}

fn makers<'a>(case: &Case<'a>, makes: Makes) -> impl Iterator<Item = &'a Cost> {
    case.costs.iter().filter(move |cost| cost.work == Work::Made(makes))
}

/// Whether a frame of a call site is in a function.
pub(crate) fn contains(case: &Case<'_>, function: &Frame, at: &SiteFrame) -> bool {
    is_in(case, &at.file, (at.line, at.column), function)
}

/// Whether a place is in a function. Their names may differ, as those of minified code do.
pub(crate) fn is_in(case: &Case<'_>, file: &str, at: (u32, u32), frame: &Frame) -> bool {
    frame.file == file && begin_of(case, file, at) == Some((frame.line, frame.column))
}

/// Where the function begins that a place is in: the last one of the profile that begins before.
pub(crate) fn begin_of(case: &Case<'_>, file: &str, at: (u32, u32)) -> Option<(u32, u32)> {
    let frames = case.profile.into_iter().flat_map(|profile| &profile.frames);
    let before = frames.filter(|other| other.file == file && (other.line, other.column) <= at);
    before.map(|other| (other.line, other.column)).max()
}
