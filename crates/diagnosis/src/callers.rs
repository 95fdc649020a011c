//! Lines that make calls, where these go through a function of the service's own as well: then whoever calls that is the
//! line to show, because what is to be changed is there.

use crate::place::{Places, via};
use plimsoll_findings::Place;
use plimsoll_measure::probe::SiteFrame;
use std::collections::HashMap;

/// By as many calls of the service's own code in a row the probe tells call sites apart.
const OWN_FRAMES: usize = 3;

/// A line that makes calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallLine {
    pub(crate) place: Place,
    /// The package through which they are made.
    pub(crate) via: Option<String>,
    /// Its line that makes them.
    pub(crate) inside: Option<Place>,
    /// The line in a function of the service's own through which they are made, and others too.
    pub(crate) helper: Option<Place>,
}

/// The lines of those sites that have any calls, most first. Sites without any count for who else calls through a line. Where
/// calls follow each other, `in_series`, the function that waited for one and makes the next is the caller to show.
pub(crate) fn lines_of(places: &Places<'_>, sites: &[(&[SiteFrame], u64)], in_series: bool) -> Vec<CallLine> {
    let place_of = |frame: &SiteFrame| (frame.file.clone(), frame.line, frame.column);
    let mut through: HashMap<_, Vec<&[SiteFrame]>> = HashMap::new();
    for (frames, _) in sites {
        if let [innermost, ..] = own(frames) {
            through.entry(place_of(innermost)).or_default().push(own(frames));
        }
    }
    let mut lines: Vec<(CallLine, u64)> = Vec::new();
    for (frames, calls) in sites.iter().filter(|(_, calls)| *calls > 0) {
        let Some(innermost) = places.of_site(frames) else {
            continue;
        };
        let own = own(frames);
        let others = own.first().and_then(|innermost| through.get(&place_of(innermost)));
        let outward = outward(own, others.map(Vec::as_slice).unwrap_or_default());
        let resumed = own.iter().position(|frame| in_series && frame.resumed);
        let outward = outward.max(resumed.unwrap_or(0));
        let line = CallLine {
            place: match outward {
                0 => innermost.clone(),
                outward => places.of_call(&own[outward]),
            },
            via: via(frames),
            inside: places.inside(frames),
            helper: (outward > 0).then_some(innermost),
        };
        match lines.iter_mut().find(|(known, _)| known.place == line.place) {
            Some((_, sum)) => *sum += calls,
            None => lines.push((line, *calls)),
        }
    }
    lines.sort_by_key(|(_, calls)| std::cmp::Reverse(*calls));
    lines.into_iter().map(|(line, _)| line).collect()
}

/// The calls of the service's own code that follow each other, innermost first.
fn own(frames: &[SiteFrame]) -> &[SiteFrame] {
    let is_own = |frame: &SiteFrame| frame.package.is_none();
    let from = frames.iter().position(is_own).unwrap_or(frames.len());
    let rest = &frames[from..];
    let count = rest.iter().take(OWN_FRAMES).take_while(|frame| is_own(frame)).count();
    &rest[..count]
}

/// Whether both are the same place.
fn is_at(a: &SiteFrame, b: &SiteFrame) -> bool {
    (&a.file, a.line, a.column) == (&b.file, b.line, b.column)
}

/// How far out the first call lies in which a stack differs from any of these; 0 where it differs from none.
fn outward(stack: &[SiteFrame], others: &[&[SiteFrame]]) -> usize {
    let differs = |at: &usize| {
        others
            .iter()
            .any(|other| other.get(*at).is_some_and(|frame| !is_at(frame, &stack[*at])))
    };
    (1..stack.len()).find(differs).unwrap_or(0)
}
