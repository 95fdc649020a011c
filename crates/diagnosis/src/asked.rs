//! Lines of the service that ask Node.js, or native functions, for costly work: joining buffers, formatting, giving threads copies,
//! queries of a database in the process.

use crate::Case;
use crate::calls::is_own;
use crate::charges::Whom;
use crate::own_time::is_in;
use crate::synchronous::COUNTED;
use plimsoll_findings::{Activity, Cause, CauseKind, Place, What};
use plimsoll_measure::Frame;
use std::collections::BTreeMap;

/// Of the busy time: some of it is in every service.
pub(crate) const ASKED_SHARE_MIN: f64 = 0.1;

/// Whether a line could ask for less of it. What serves requests has to be done, and the rest has findings of its own.
const fn could_go(activity: Activity) -> bool {
    matches!(
        activity,
        Activity::Buffers
            | Activity::Formatting
            | Activity::Urls
            | Activity::Processes
            | Activity::Observing
            | Activity::NativeFunctions
            | Activity::Other
    )
}

/// Causes that take no time of what Node.js does for a function.
const fn of_its_own(kind: CauseKind) -> bool {
    matches!(kind, CauseKind::HotFunction | CauseKind::Gc | CauseKind::HeapGrowth)
}

/// What one function of the service asks for.
struct Asked<'a> {
    frame: &'a Frame,
    us: f64,
    activities: BTreeMap<Activity, f64>,
    /// By the line that asks; `None` where the profile and the text do not say which.
    lines: BTreeMap<Option<u32>, f64>,
    /// By the package that the function calls for it; `None` where it calls Node.js or the native function itself.
    through: BTreeMap<Option<&'a str>, f64>,
}

/// One cause for each function that asks for enough, unless a line of it is the place of another cause already.
pub(crate) fn causes(case: &Case<'_>, known: &[Cause]) -> Vec<Cause> {
    let mut functions: BTreeMap<(&str, u32, u32), Asked<'_>> = BTreeMap::new();
    for charge in &case.charges {
        let (Whom::Function(frame), Some(activity)) = (charge.whom, charge.activity.filter(|&of| could_go(of))) else {
            continue;
        };
        // What is counted call by call is found there, such as what the console formats.
        if !is_own(frame) || charge.kind.is_some_and(|kind| COUNTED.contains(&kind)) {
            continue;
        }
        let asked = functions
            .entry((&frame.file, frame.line, frame.column))
            .or_insert_with(|| Asked {
                frame,
                us: 0.0,
                activities: BTreeMap::new(),
                lines: BTreeMap::new(),
                through: BTreeMap::new(),
            });
        asked.us += charge.us;
        *asked.activities.entry(activity).or_default() += charge.us;
        *asked.lines.entry(charge.line).or_default() += charge.us;
        *asked.through.entry(charge.through).or_default() += charge.us;
    }
    functions
        .into_values()
        .filter(|asked| case.share_of(asked.us as u64) >= ASKED_SHARE_MIN)
        .filter_map(|asked| cause(case, known, &asked))
        .collect()
}

fn cause(case: &Case<'_>, known: &[Cause], asked: &Asked<'_>) -> Option<Cause> {
    let place = case.places.of_frame(asked.frame, most(&asked.lines).flatten());
    // What was counted in the function takes the same time, and says more of it.
    let is_known = |cause: &Cause| {
        let at = cause.place.as_ref().filter(|at| at.file == place.file);
        let within = |at: &Place| {
            let from = (at.line, at.column.unwrap_or(u32::MAX));
            asked.lines.contains_key(&Some(at.line)) || is_in(case, &asked.frame.file, from, asked.frame)
        };
        !of_its_own(cause.kind) && at.is_some_and(within)
    };
    if known.iter().any(is_known) {
        return None;
    }
    Some(Cause {
        what: What::Node {
            activity: most(&asked.activities)?,
        },
        place: Some(place),
        via: most(&asked.through).flatten().map(str::to_owned),
        ..case.costing(CauseKind::NodeHot, asked.us as u64)
    })
}

/// What most of the time, or of a share of it, is of.
pub(crate) fn most<K: Copy>(times: &BTreeMap<K, f64>) -> Option<K> {
    times.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(key, _)| *key)
}
