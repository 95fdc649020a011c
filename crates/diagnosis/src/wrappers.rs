//! Short functions of the service's own that pass on what they are asked for: whoever calls them is named as well, because what
//! is to be changed may be there.

use crate::Case;
use crate::calls::{Class, class};
use plimsoll_findings::{Cause, Place};
use plimsoll_measure::Profile;
use plimsoll_measure::probe::SiteFrame;

/// A line is in a short function if it is the first one or the next.
const LINES_MAX: u32 = 1;

pub(crate) fn mark_callers(case: &Case<'_>, causes: &mut [Cause]) {
    for cause in causes {
        let place = cause.place.as_ref().filter(|place| !place.is_function);
        cause.called_from = place.and_then(|place| called_from(case, place));
    }
}

/// The line that has the greatest share of the calls through the function that the place is in; `None` where that is not short, or
/// nothing of the service's own calls it.
fn called_from(case: &Case<'_>, place: &Place) -> Option<Place> {
    let profile = case.profile?;
    let begin = begin_of(case, profile, place).filter(|begin| is_near(begin.0, place))?;
    let mut callers = by_sites(case, profile, place);
    if callers.is_empty() {
        callers = by_profile(case, profile, place, begin);
    }
    let most = callers.into_iter().max_by_key(|(_, weight)| *weight)?;
    Some(most.0).filter(|caller| !caller.is_same_line(place))
}

fn is_near(begin_line: u32, place: &Place) -> bool {
    place.line.saturating_sub(begin_line) <= LINES_MAX
}

/// Where the function begins that a place is in.
fn begin_of(case: &Case<'_>, profile: &Profile, place: &Place) -> Option<(u32, u32)> {
    let at = (place.line, place.column.unwrap_or(u32::MAX));
    let of_file = profile
        .frames
        .iter()
        .filter(|frame| case.places.path(&frame.file) == place.file);
    of_file
        .map(|frame| (frame.line, frame.column))
        .filter(|begin| *begin <= at)
        .max()
}

/// By the stacks of calls that were counted or traced.
fn by_sites(case: &Case<'_>, profile: &Profile, place: &Place) -> Vec<(Place, u64)> {
    let mut callers = Vec::new();
    let counted = case.counted.iter();
    let sites = counted.clone().flat_map(|counted| &counted.sites);
    let traced = counted.filter_map(|counted| counted.traced.as_ref());
    let traced = traced.flat_map(|traced| &traced.sites);
    let stacks = sites
        .map(|site| (site.frames.as_slice(), site.calls))
        .chain(traced.map(|site| (site.frames.as_slice(), site.calls.calls)));
    for (frames, weight) in stacks {
        if let Some(caller) = outward(case, profile, frames, place) {
            add(&mut callers, caller, weight);
        }
    }
    callers
}

/// The first line above a place that is in no short function, or else the outermost.
fn outward(case: &Case<'_>, profile: &Profile, frames: &[SiteFrame], place: &Place) -> Option<Place> {
    let is_here = |frame: &SiteFrame| frame.package.is_none() && case.places.of_call(frame).is_same_line(place);
    let at = frames.iter().position(is_here)?;
    let above = frames[at + 1..].iter().take_while(|frame| frame.package.is_none());
    let mut caller = None;
    for frame in above {
        let line = case.places.of_call(frame);
        let is_short = begin_of(case, profile, &line).is_some_and(|begin| is_near(begin.0, &line));
        caller = Some(line);
        if !is_short {
            break;
        }
    }
    caller
}

/// By who is above the function in the profile.
fn by_profile(case: &Case<'_>, profile: &Profile, place: &Place, begin: (u32, u32)) -> Vec<(Place, u64)> {
    let mut callers = Vec::new();
    for (call, us) in profile.calls.iter().zip(profile.inclusive_us()) {
        let frame = &profile.frames[call.frame];
        if (frame.line, frame.column) != begin || case.places.path(&frame.file) != place.file {
            continue;
        }
        let (mut at, mut called_on) = (call.caller, call.called_on);
        while let Some(above) = at {
            let caller = &profile.calls[above];
            let frame = &profile.frames[caller.frame];
            match class(frame) {
                Class::Own => {
                    add(&mut callers, case.places.of_frame(frame, called_on), us);
                    break;
                }
                // A package decides for itself when it calls.
                Class::Package(_) => break,
                _ => (at, called_on) = (caller.caller, caller.called_on),
            }
        }
    }
    callers
}

fn add(callers: &mut Vec<(Place, u64)>, caller: Place, weight: u64) {
    match callers.iter_mut().find(|(known, _)| *known == caller) {
        Some((_, sum)) => *sum += weight,
        None => callers.push((caller, weight)),
    }
}
