//! What lines add to and never take from: listeners of emitters, and rooms of Socket.IO.

use crate::Case;
use crate::counted::Counted;
use crate::site::Site;
use crate::waiting::{at, lines};
use plimsoll_findings::{Cause, CauseKind, Evidence};

pub(crate) fn causes(case: &Case<'_>) -> Vec<Cause> {
    let Some(counted) = case.counted else {
        return Vec::new();
    };
    [("listener", CauseKind::ListenerGrowth), ("room", CauseKind::RoomGrowth)]
        .into_iter()
        .filter_map(|(counter_kind, kind)| cause(case, counted, counter_kind, kind))
        .collect()
}

/// The line that adds most, and the others.
fn cause(case: &Case<'_>, counted: &Counted, counter_kind: &str, kind: CauseKind) -> Option<Cause> {
    let of_kind = |name: &str| {
        let mut functions = counted.functions.iter();
        functions.any(|function| function.name == name && function.kind == counter_kind)
    };
    let growing: Vec<_> = counted
        .sites
        .iter()
        .filter(|site| grows(site) && of_kind(&site.counter))
        .collect();
    let most = growing.iter().max_by_key(|site| site.growth.by)?;
    let added = counted.per_request(growing.iter().map(|site| site.calls).sum());
    let evidence = Evidence::Kept {
        added_per_request: added,
        by: most.growth.by as f64,
        to: most.growth.to as f64,
    };
    let cause = Cause {
        per_request: Some(added),
        ..Cause::of(kind, evidence)
    };
    Some(at(lines(case, counted, counter_kind, grows), cause))
}

const fn grows(site: &Site) -> bool {
    site.growth.by > 0
}
