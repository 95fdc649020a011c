//! Lines that make calls, where these go through a function of the service's own as well: then whoever calls that is the
//! line to show, because what is to be changed is there.

use crate::place::{Places, via};
use plimsoll_findings::Place;
use plimsoll_measure::probe::SiteFrame;
use std::collections::{HashMap, HashSet};

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
    // In the first turn of a loop the function that waits was still called by somebody.
    let waits: HashSet<_> = sites
        .iter()
        .flat_map(|(frames, _)| own(frames))
        .filter(|frame| in_series && frame.resumed)
        .map(place_of)
        .collect();
    let mut lines: Vec<(CallLine, u64)> = Vec::new();
    for (frames, calls) in sites.iter().filter(|(_, calls)| *calls > 0) {
        let Some(innermost) = places.of_site(frames) else {
            continue;
        };
        let own = own(frames);
        let others = own.first().and_then(|innermost| through.get(&place_of(innermost)));
        let outward = outward(own, others.map(Vec::as_slice).unwrap_or_default());
        let resumed = own.iter().position(|frame| waits.contains(&place_of(frame)));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(line: u32, resumed: bool) -> SiteFrame {
        SiteFrame {
            file: "/srv/app.js".to_owned(),
            line,
            resumed,
            ..SiteFrame::default()
        }
    }

    fn lines(sites: &[(&[SiteFrame], u64)], in_series: bool) -> Vec<(u32, Option<u32>)> {
        let line = |place: &Place| place.line;
        lines_of(&Places::new("/srv"), sites, in_series)
            .iter()
            .map(|found| (line(&found.place), found.helper.as_ref().map(line)))
            .collect()
    }

    #[test]
    fn a_series_is_made_by_the_function_that_waits() {
        // A helper in two functions, called from a loop: in its first turn by somebody, then from the queue.
        let first = [frame(20, false), frame(19, false), frame(40, false)];
        let later = [frame(20, false), frame(19, false), frame(40, true)];
        let sites: [(&[SiteFrame], u64); 2] = [(&first, 40), (&later, 120)];
        assert_eq!(lines(&sites, true), [(40, Some(20))]);
        assert_eq!(lines(&sites, false), [(20, None)]);
        // The helper has the loop.
        let looping: [(&[SiteFrame], u64); 2] = [
            (&[frame(20, false), frame(40, false)], 40),
            (&[frame(20, true), frame(40, false)], 120),
        ];
        assert_eq!(lines(&looping, true), [(20, None)]);
    }
}
