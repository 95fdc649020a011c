//! Causes that only the CPU profile shows: expressions, garbage, packages and own code that are costly.

use super::Case;
use super::calls::{Cost, Work};
use super::cause::{Cause, Kind, Place, Slice};
use super::counted::Site;
use super::synchronous::SHARE_MIN;
use super::words;
use plimsoll_measure::Frame;
use plimsoll_measure::probe::FunctionCounter;
use std::collections::BTreeMap;

/// Some garbage is collected in every service.
const GC_SHARE_MIN: f64 = 0.12;
/// Less of a package, or of the service's own code, is what it is there for.
const HOT_SHARE_MIN: f64 = 0.25;
/// A function counts as the origin of garbage with this share of the memory that was asked for.
const ALLOCATOR_SHARE_MIN: f64 = 0.3;
/// The beats of the loop come this late at the latest where it does not stand still, ns.
const STALL_NS: u64 = 50_000_000;
/// What makes the loop stand still takes at least this share of the busy time.
const STALL_SHARE_MIN: f64 = 0.03;
/// Slices named in the breakdown; the others are summed up.
const SLICES_MAX: usize = 8;

pub(super) fn causes(case: &Case<'_>) -> Vec<Cause> {
    if case.busy_us <= 0.0 {
        return gc(case).into_iter().collect();
    }
    let stalls = stalls(case);
    let stalled = |frame: &Frame| stalls.iter().any(|(stalled, _)| *stalled == frame);
    let allocator = top_allocator(case).map(|(owner, _)| owner);
    let makes_garbage = |frame: &Frame| allocator == Some(frame);
    let mut causes = regexes(case);
    let gc = gc(case);
    causes.extend(packages(case));
    causes.extend(own(case, &|frame| {
        stalled(frame) || gc.is_some() && makes_garbage(frame)
    }));
    // What collects the garbage of a stall goes with it.
    causes.extend(gc.filter(|_| !stalls.iter().any(|(frame, _)| makes_garbage(frame))));
    // A function and those that it calls stall together; the one that does most by itself stands for them.
    let stalls = stalls
        .iter()
        .filter_map(|(frame, longest_us)| stall(case, frame, *longest_us));
    causes.extend(stalls.max_by(|a, b| a.cpu_share.unwrap_or(0.0).total_cmp(&b.cpu_share.unwrap_or(0.0))));
    causes
}

fn regexes(case: &Case<'_>) -> Vec<Cause> {
    let hot = |cost: &&Cost| cost.work == Work::Known(Kind::Regex) && case.share_of(cost.us) >= SHARE_MIN;
    let cause = |cost: &Cost| {
        let pattern = cost.detail.function.strip_prefix("RegExp: ").unwrap_or_default();
        case.profiled(Kind::Regex, cost, words::regex(pattern))
    };
    case.costs.iter().filter(hot).map(cause).collect()
}

/// How long collections take is counted; where memory was asked for is sampled.
fn gc(case: &Case<'_>) -> Option<Cause> {
    let during = case.costs.iter().filter(|cost| cost.work == Work::Known(Kind::Gc));
    let sampled_us: u64 = during.map(|cost| cost.us).sum();
    let pauses_us = case.counted.map(|counted| {
        let gc = &counted.gc;
        let ns = gc.minor.ns + gc.major.ns + gc.incremental.ns + gc.weak.ns;
        counted.per_request(ns) / 1e3
    });
    let share = match (pauses_us, case.cost_us_per_request()) {
        (Some(us), Some(cost_us)) => us / cost_us,
        _ => case.share_of(sampled_us),
    };
    if share < GC_SHARE_MIN {
        return None;
    }
    let place = garbage_from(case);
    // Making the garbage goes with collecting it.
    let allocator = top_allocator(case);
    let making = allocator.map_or(0.0, |(owner, _)| own_time(case, owner).share);
    let making = if making >= HOT_SHARE_MIN { making } else { 0.0 };
    let collecting_us = pauses_us.or_else(|| case.us_of_share(share)).unwrap_or(0.0);
    Some(Cause {
        what: words::gc(place.is_some()),
        place,
        cpu_us_per_request: Some(collecting_us + case.us_of_share(making).unwrap_or(0.0)),
        cpu_share: Some((share + making).min(1.0)),
        evidence: words::gc_evidence(case.counted, share, allocator.map(|(_, share)| share), making),
        ..words::cause(Kind::Gc)
    })
}

/// The function that asked for most memory, by its costliest line.
pub(super) fn garbage_from(case: &Case<'_>) -> Option<Place> {
    let (owner, _) = top_allocator(case)?;
    Some(case.places.of_frame(owner, own_time(case, owner).line))
}

/// The function of the service below which most memory was asked for, and how much of all that is.
fn top_allocator<'a>(case: &Case<'a>) -> Option<(&'a Frame, f64)> {
    let mut owners: BTreeMap<(&str, u32), (&Frame, u64)> = BTreeMap::new();
    let mut all = 0;
    for cost in case.allocated {
        all += cost.us;
        if let Some(owner) = &cost.owner {
            owners.entry((&owner.file, owner.line)).or_insert((owner, 0)).1 += cost.us;
        }
    }
    let (owner, bytes) = owners.into_values().max_by_key(|(_, bytes)| *bytes)?;
    let share = bytes as f64 / all.max(1) as f64;
    (share >= ALLOCATOR_SHARE_MIN).then_some((owner, share))
}

/// What a function of the service does by itself.
struct OwnTime {
    /// Share of the busy time, without the JSON that is counted there: JSON has no frames, so its time is in here.
    share: f64,
    /// The line that costs most.
    line: Option<u32>,
}

fn own_time(case: &Case<'_>, frame: &Frame) -> OwnTime {
    let own = case
        .costs
        .iter()
        .find(|cost| cost.work == Work::Own && cost.owner.as_ref() == Some(frame));
    own.map_or(OwnTime { share: 0.0, line: None }, |own| own_time_in(case, own, frame))
}

/// As [`own_time`], with the costs of the function at hand.
fn own_time_in(case: &Case<'_>, own: &Cost, frame: &Frame) -> OwnTime {
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
    let json_share = case.share_of(sampled_us).max(counted_share(case, counted_ns));
    let hottest = own
        .lines
        .iter()
        .filter(|(line, _)| !is_json(*line))
        .max_by_key(|(_, us)| *us);
    OwnTime {
        share: (case.share_of(own.us) - json_share).max(0.0),
        line: hottest.map(|(line, _)| *line),
    }
}

/// Time that was counted, as a share of what requests cost.
fn counted_share(case: &Case<'_>, ns: u64) -> f64 {
    match (case.counted, case.cost_us_per_request()) {
        (Some(counted), Some(cost_us)) => counted.per_request(ns) / 1e3 / cost_us,
        _ => 0.0,
    }
}

fn own(case: &Case<'_>, taken: &dyn Fn(&Frame) -> bool) -> Vec<Cause> {
    let own = case.costs.iter().filter(|cost| cost.work == Work::Own);
    let owned = own.filter_map(|cost| Some((cost, cost.owner.as_ref()?)));
    owned
        .filter(|(cost, owner)| case.share_of(cost.us) >= HOT_SHARE_MIN && !taken(owner))
        .filter_map(|(cost, owner)| {
            let OwnTime { share, line } = own_time_in(case, cost, owner);
            (share >= HOT_SHARE_MIN).then(|| Cause {
                what: words::own(&owner.function),
                place: Some(case.places.of_frame(owner, line)),
                cpu_us_per_request: case.us_of_share(share),
                cpu_share: Some(share),
                evidence: words::profile_evidence(share),
                ..words::cause(Kind::HotFunction)
            })
        })
        .collect()
}

fn packages(case: &Case<'_>) -> Vec<Cause> {
    let mut sums: BTreeMap<&str, Vec<&Cost>> = BTreeMap::new();
    for cost in case.costs {
        if let Work::Package(name) = &cost.work {
            sums.entry(name).or_default().push(cost);
        }
    }
    let mut causes = Vec::new();
    for (name, costs) in sums {
        let us: u64 = costs.iter().map(|cost| cost.us).sum();
        let share = case.share_of(us) - counted_in_package(case, name);
        if share < HOT_SHARE_MIN {
            continue;
        }
        let callers: Vec<&&Cost> = costs.iter().filter(|cost| cost.owner.is_some()).collect();
        let mut places: Vec<Place> = Vec::new();
        for cost in callers {
            let place = cost
                .owner
                .as_ref()
                .map(|owner| case.places.of_frame(owner, cost.hottest_line()));
            places.extend(place.filter(|place| !places.contains(place)));
        }
        causes.push(Cause {
            what: words::package(name),
            place: places.first().cloned(),
            other_places: places.into_iter().skip(1).take(4).collect(),
            via: Some(name.to_owned()),
            cpu_us_per_request: case.us_of_share(share),
            cpu_share: Some(share),
            evidence: words::profile_evidence(share),
            ..words::cause(Kind::PackageHot)
        });
    }
    causes
}

/// Share of the CPU per request that is in the self time of a package and counted elsewhere: JSON that it calls itself,
/// and templates that it compiles.
fn counted_in_package(case: &Case<'_>, name: &str) -> f64 {
    let Some(counted) = case.counted else { return 0.0 };
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
        function.kind == "template" && function.name.split('.').next().is_some_and(|engine| engine == name)
    };
    let compiling_ns: u64 = counted
        .functions
        .iter()
        .filter(compiling)
        .map(|function| function.ns)
        .sum();
    counted_share(case, ns + compiling_ns)
}

/// Functions of the service that once held the loop for long, although a request usually does not take long.
fn stalls<'a>(case: &Case<'a>) -> Vec<(&'a Frame, u64)> {
    let Some((profile, counted)) = case.profile.zip(case.counted) else {
        return Vec::new();
    };
    if counted.event_loop.longest_delay_ns < STALL_NS {
        return Vec::new();
    }
    let mean_us = case.cost_us_per_request().unwrap_or(0.0);
    let long = profile
        .calls
        .iter()
        .filter(|call| call.longest_us * 1000 >= STALL_NS && call.longest_us as f64 >= 10.0 * mean_us);
    let mut found: Vec<(&Frame, u64)> = Vec::new();
    for call in long {
        let frame = &profile.frames[call.frame];
        let own = case.costs.iter().any(|cost| cost.owner.as_ref() == Some(frame));
        if own && !found.iter().any(|(known, _)| *known == frame) {
            found.push((frame, call.longest_us));
        }
    }
    found
}

fn stall(case: &Case<'_>, frame: &Frame, longest_us: u64) -> Option<Cause> {
    let OwnTime { share, line } = own_time(case, frame);
    if share < STALL_SHARE_MIN {
        return None;
    }
    let counted = case.counted?;
    Some(Cause {
        what: words::stall(&frame.function),
        place: Some(case.places.of_frame(frame, line)),
        cpu_us_per_request: case.us_of_share(share),
        cpu_share: Some(share),
        wait_ms_per_request: None,
        evidence: words::stall_evidence(counted.event_loop.longest_delay_ns, longest_us),
        ..words::cause(Kind::EventLoopStall)
    })
}

/// Where the time went, in a few words each.
pub(super) fn breakdown(case: &Case<'_>) -> Vec<Slice> {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for cost in case.costs {
        *sums.entry(words::work(&cost.work)).or_default() += cost.us;
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
            what: "everything else".to_owned(),
            share: rest,
        });
    }
    slices
}
