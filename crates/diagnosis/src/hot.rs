//! Causes that only the CPU profile shows: expressions, garbage, packages and own code that are costly.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::cost::SHARE_MIN;
use crate::counted::Counted;
use crate::framework::{frameworks, running};
use crate::made;
use crate::own_time::{HOT_SHARE_MIN, own_time, own_time_in};
use crate::stall::Stall;
use crate::synchronous::COUNTED;
use crate::things::{sum, things};
use plimsoll_findings::{Cause, CauseKind, Evidence, Garbage, PackageCost, Place, Slice, SpentOn, What};
use plimsoll_measure::Frame;
use plimsoll_measure::probe::FunctionCounter;
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
    let mut causes = regexes(case, costs);
    causes.extend(made::causes(case, costs));
    causes.extend(packages(case, costs, HOT_SHARE_MIN));
    causes.extend(own(case, costs, &in_gc));
    causes.extend(stall.and_then(|stall| stall.cause(case)));
    causes.extend(gc);
    causes
}

/// An expression is one cause, whoever uses it.
fn regexes(case: &Case<'_>, costs: &[Cost]) -> Vec<Cause> {
    let used = costs.iter().filter(|cost| cost.work == Work::Known(CauseKind::Regex));
    let pattern = |cost: &&Cost| Some(cost.detail.function.clone());
    let share = |cost: &&Cost| case.share_of(cost.us);
    let things = things(used.collect(), pattern, share).into_iter();
    let cause = |costs: &Vec<&Cost>| {
        let pattern = costs[0].detail.function.strip_prefix("RegExp: ").unwrap_or_default();
        let what = What::Regex {
            pattern: pattern.to_owned(),
        };
        case.profiled(CauseKind::Regex, costs, what)
    };
    let hot = things.filter(|costs| sum(costs, share) >= SHARE_MIN);
    hot.map(|costs| cause(&costs)).collect()
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

/// The costliest package that could go, where it takes as much as other causes; for want of a cause.
pub(crate) fn costly_package(case: &Case<'_>) -> Option<PackageCost> {
    // What takes part in running the service's code cannot go any more than the framework.
    let running = case.profile.map(running).unwrap_or_default();
    let could_go = |package: &PackageCost| package.cpu_share >= SHARE_MIN && !running.contains(package.name.as_str());
    let found = packages(case, case.costs, SHARE_MIN).into_iter();
    let cost = |cause: Cause| {
        Some(PackageCost {
            name: cause.via?,
            place: cause.place,
            cpu_share: cause.cpu_share?,
        })
    };
    found
        .filter_map(cost)
        .filter(could_go)
        .max_by(|a, b| a.cpu_share.total_cmp(&b.cpu_share))
}

/// Packages whose own code takes this share of the busy time.
fn packages(case: &Case<'_>, all: &[Cost], share_min: f64) -> Vec<Cause> {
    let mut sums: BTreeMap<&str, Vec<&Cost>> = BTreeMap::new();
    for cost in all {
        if let Work::Package(name) = &cost.work {
            sums.entry(name).or_default().push(cost);
        }
    }
    let frameworks = case.profile.map(frameworks).unwrap_or_default();
    let mut causes = Vec::new();
    for (name, costs) in sums {
        if frameworks.contains(&name) {
            continue;
        }
        let us: u64 = costs.iter().map(|cost| cost.us).sum();
        let counted_us = counted_in_package_us(case, name);
        if case.share_of(us.saturating_sub(counted_us)) < share_min {
            continue;
        }
        let callers: Vec<&&Cost> = costs.iter().filter(|cost| cost.owner.is_some()).collect();
        // Where nothing of the service's own calls it, its own costliest line is the place.
        let within = costs.iter().find(|cost| cost.owner.is_none());
        let mut places: Vec<Place> = Vec::new();
        let hottest = |cost: &Cost| {
            let (frame, line) = cost.hottest_function(case.profile?)?;
            Some(case.places.of_frame(frame, line))
        };
        let inside = callers.first().and_then(|cost| hottest(cost));
        for cost in callers {
            let place = cost
                .owner
                .as_ref()
                .map(|owner| case.places.of_frame(owner, cost.hottest_line()));
            places.extend(place.filter(|place| !places.contains(place)));
        }
        if places.is_empty() {
            places.extend(within.and_then(|cost| hottest(cost)));
        }
        causes.push(Cause {
            what: What::Package { name: name.to_owned() },
            place: places.first().cloned(),
            other_places: places.into_iter().skip(1).take(4).collect(),
            via: Some(name.to_owned()),
            inside,
            ..case.costing(
                CauseKind::PackageHot,
                us.saturating_add(called_by_us(all, name)).saturating_sub(counted_us),
            )
        });
    }
    causes
}

/// Time in what a package calls for the service: other packages, Node.js, the collector. It goes with the call.
fn called_by_us(costs: &[Cost], name: &str) -> u64 {
    let called = |cost: &&Cost| {
        let counted = matches!(cost.work, Work::Known(kind) if COUNTED.contains(&kind));
        let own = matches!(&cost.work, Work::Package(package) if **package == *name);
        cost.owner.is_some() && cost.via.as_deref() == Some(name) && !own && !counted
    };
    costs.iter().filter(called).map(|cost| cost.us).sum()
}

/// Time in a package that is counted elsewhere: JSON that it calls itself, and templates that it compiles.
fn counted_in_package_us(case: &Case<'_>, name: &str) -> u64 {
    let Some(counted) = case.counted else { return 0 };
    let sites = counted.sites.as_slice();
    let ns: u64 = sites
        .iter()
        .filter(|site| site.counter.starts_with("JSON."))
        .filter(|site| {
            site.frames
                .first()
                .is_some_and(|frame| frame.package.as_deref() == Some(name))
        })
        .map(|site| site.ns)
        .sum();
    let compiling = |function: &&FunctionCounter| {
        matches!(function.kind.as_str(), "template" | "construction")
            && function.name.split('.').next().is_some_and(|engine| engine == name)
    };
    let compiling_ns: u64 = counted
        .functions
        .iter()
        .filter(compiling)
        .map(|function| function.ns)
        .sum();
    case.counted_in_profile_us(ns + compiling_ns)
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
