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

/// The lines of those sites that have any calls, most first. Sites without any count for who else calls through a line.
pub(crate) fn lines_of(places: &Places<'_>, sites: &[(&[SiteFrame], u64)]) -> Vec<CallLine> {
    let mut through: HashMap<&SiteFrame, Vec<&[SiteFrame]>> = HashMap::new();
    for (frames, _) in sites {
        if let [innermost, ..] = own(frames) {
            through.entry(innermost).or_default().push(own(frames));
        }
    }
    let mut lines: Vec<(CallLine, u64)> = Vec::new();
    for (frames, calls) in sites.iter().filter(|(_, calls)| *calls > 0) {
        let Some(innermost) = places.of_site(frames) else {
            continue;
        };
        let own = own(frames);
        let others = own.first().and_then(|innermost| through.get(innermost));
        let outward = outward(own, others.map(Vec::as_slice).unwrap_or_default());
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

/// How far out the first call lies in which a stack differs from any of these; 0 where it differs from none.
fn outward(stack: &[SiteFrame], others: &[&[SiteFrame]]) -> usize {
    let differs = |at: &usize| {
        others
            .iter()
            .any(|other| other.get(*at).is_some_and(|frame| *frame != stack[*at]))
    };
    (1..stack.len()).find(differs).unwrap_or(0)
}
