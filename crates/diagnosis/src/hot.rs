//! Causes that only the CPU profile shows: expressions, garbage, packages and own code that are costly.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::cost::SHARE_MIN;
use crate::counted::Counted;
use crate::framework::frameworks;
use crate::own_time::{own_time, own_time_in};
use crate::stall::Stall;
use crate::things::{sum, things};
use crate::{made, packages};
use plimsoll_findings::{Cause, CauseKind, Evidence, Garbage, Place, Slice, SpentOn, What};
use plimsoll_measure::{Frame, Makes};
use std::collections::BTreeMap;

/// Some garbage is collected in every service: this share of the CPU per request for that of one function, …
const GC_SHARE_MIN: f64 = 0.12;
/// … or this for all, where no function makes that much.
const GC_OF_ALL_SHARE_MIN: f64 = 0.25;
/// A function counts as the origin of garbage with this share of the memory that was asked for.
const ALLOCATOR_SHARE_MIN: f64 = 0.3;
/// Slices named in the breakdown; the others are summed up.
const SLICES_MAX: usize = 8;

pub(crate) fn causes(case: &Case<'_>) -> Vec<Cause> {
    if case.busy_us <= 0.0 {
        return gc(case).into_iter().collect();
    }
    // What runs while the loop stands still belongs to that.
    let stall = Stall::find(case);
    let rest = stall.as_ref().map(Stall::rest);
    let costs = rest.as_deref().unwrap_or(case.costs);
    let allocator = top_allocator(case).map(|(owner, _)| owner);
    let makes_garbage = |frame: &Frame| allocator == Some(frame);
    let gc = gc(case).filter(|_| stall.as_ref().is_none_or(|stall| !makes_garbage(stall.frame)));
    let in_gc = |frame: &Frame| gc.as_ref().is_some_and(|gc| gc.place.is_some()) && makes_garbage(frame);
    let (mut causes, left) = packages::causes(case, costs);
    causes.extend(regexes(case, &left));
    causes.extend(made::causes(case, costs));
    causes.extend(own(case, costs, &in_gc));
    causes.extend(stall.and_then(|stall| stall.cause(case)));
    causes.extend(gc);
    causes
}

/// An expression is one cause, whoever uses it. What has no frame goes with one that the same function uses.
fn regexes(case: &Case<'_>, costs: &[&Cost]) -> Vec<Cause> {
    let used = costs.iter().copied().filter(|cost| cost.expression().is_some());
    let share = |cost: &&Cost| case.share_of(cost.us);
    let mut things = things(used.collect(), |cost| cost.expression(), share);
    let new = made::files_of_new_expressions(case.costs);
    let without_frame = costs
        .iter()
        .filter(|cost| cost.work == Work::Made(Makes::Match) && !cost.is_in(&new));
    for cost in without_frame {
        match things.iter_mut().find(|used| used[0].owner == cost.owner) {
            Some(used) => used.push(cost),
            None => things.push(vec![cost]),
        }
    }
    for used in &mut things {
        used.sort_by_key(|cost| std::cmp::Reverse(cost.us));
    }
    let cause = |costs: &Vec<&Cost>| {
        let expression = costs.iter().find_map(|cost| cost.expression());
        let pattern = expression.and_then(|expression| expression.strip_prefix("RegExp: "));
        let what = pattern.map_or(What::Kind { kind: CauseKind::Regex }, |pattern| What::Regex {
            pattern: pattern.to_owned(),
        });
        case.profiled(CauseKind::Regex, costs, what)
    };
    let hot = things.iter().filter(|costs| sum(costs, share) >= SHARE_MIN);
    hot.map(cause).collect()
}

/// Where the memory was asked for that is collected is sampled.
fn gc(case: &Case<'_>) -> Option<Cause> {
    let share = case.collecting_share();
    // Collections are shared out by the memory that was asked for. What one function makes goes with it.
    let allocator = top_allocator(case).filter(|(_, memory)| share * memory >= GC_SHARE_MIN);
    let Some((owner, memory)) = allocator else {
        return (share >= GC_OF_ALL_SHARE_MIN).then(|| Cause {
            cpu_us_per_request: case.us_of_share(share),
            cpu_share: Some(share),
            ..Cause::of(CauseKind::Gc, collections(case, share, None))
        });
    };
    let own = own_time(case, owner);
    let making_us = if own.is_hot(case) { own.us } else { 0 };
    let cost = (share * memory + case.cpu_share_of(making_us)).min(1.0);
    let garbage = Garbage {
        memory_share: memory,
        making_share: case.share_of(making_us),
    };
    Some(Cause {
        place: Some(case.places.of_frame(owner, own.line)),
        cpu_us_per_request: case.us_of_share(cost),
        cpu_share: Some(cost),
        ..Cause::new(
            CauseKind::Gc,
            What::GarbageOfFunction,
            collections(case, share, Some(garbage)),
        )
    })
}

fn collections(case: &Case<'_>, share: f64, garbage: Option<Garbage>) -> Evidence {
    let often = |counted: &Counted| counted.per_request(counted.gc.minor.count + counted.gc.major.count) * 1e3;
    Evidence::Collections {
        per_1000_requests: case.counted.map(often),
        share,
        garbage,
    }
}

/// The function that asked for most memory, by its costliest line.
pub(crate) fn garbage_from(case: &Case<'_>) -> Option<Place> {
    let (owner, _) = top_allocator(case)?;
    Some(case.places.of_frame(owner, own_time(case, owner).line))
}

/// The function of the service that asks for most memory, by itself or in packages, and how much of all that is. What
/// Node.js needs to read a request and to respond is nobody's.
fn top_allocator<'a>(case: &Case<'a>) -> Option<(&'a Frame, f64)> {
    let mut owners: BTreeMap<(&str, u32), (&Frame, u64)> = BTreeMap::new();
    let mut all = 0;
    for cost in case.allocated {
        all += cost.us;
        if let (Some(owner), true) = (&cost.owner, cost.work != Work::Runtime) {
            owners.entry((&owner.file, owner.line)).or_insert((owner, 0)).1 += cost.us;
        }
    }
    let (owner, bytes) = owners.into_values().max_by_key(|(_, bytes)| *bytes)?;
    let share = bytes as f64 / all.max(1) as f64;
    (share >= ALLOCATOR_SHARE_MIN).then_some((owner, share))
}

fn own(case: &Case<'_>, costs: &[Cost], taken: &dyn Fn(&Frame) -> bool) -> Vec<Cause> {
    let own = costs.iter().filter(|cost| cost.work == Work::Own);
    let owned = own.filter_map(|cost| Some((cost, cost.owner.as_ref()?)));
    owned
        .filter(|(_, owner)| !taken(owner))
        .map(|(cost, owner)| (own_time_in(case, cost, owner), owner))
        .filter(|(own, _)| own.is_hot(case))
        .map(|(own, owner)| Cause {
            what: What::Own {
                function: owner.function.clone(),
            },
            place: Some(case.places.of_frame(owner, own.line)),
            ..case.costing(CauseKind::HotFunction, own.us)
        })
        .collect()
}

fn spent_on(work: &Work, frameworks: &[&str]) -> SpentOn {
    match work {
        Work::Package(name) if frameworks.contains(&&**name) => SpentOn::Framework { name: name.to_string() },
        Work::Known(kind) => SpentOn::Cause { kind: *kind },
        Work::Made(makes) => SpentOn::Cause {
            kind: made::kind_of(*makes),
        },
        Work::Package(name) => SpentOn::Package { name: name.to_string() },
        Work::Own => SpentOn::Own,
        Work::Runtime => SpentOn::Runtime,
    }
}

/// Where the time went.
pub(crate) fn breakdown(case: &Case<'_>) -> Vec<Slice> {
    let frameworks = case.profile.map(frameworks).unwrap_or_default();
    let mut sums: BTreeMap<SpentOn, u64> = BTreeMap::new();
    for cost in case.costs {
        *sums.entry(spent_on(&cost.work, &frameworks)).or_default() += cost.us;
    }
    let mut slices: Vec<Slice> = sums
        .into_iter()
        .map(|(what, us)| Slice {
            what,
            share: case.share_of(us),
        })
        .collect();
    slices.sort_by(|a, b| b.share.total_cmp(&a.share));
    let rest: f64 = slices.iter().skip(SLICES_MAX).map(|slice| slice.share).sum();
    slices.truncate(SLICES_MAX);
    if rest > 0.0 {
        slices.push(Slice {
            what: SpentOn::Rest,
            share: rest,
        });
    }
    slices
}
