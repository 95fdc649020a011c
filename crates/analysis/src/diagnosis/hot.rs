//! Causes that only the CPU profile shows: expressions, garbage, packages and own code that are costly.

use super::Case;
use super::calls::{Cost, Work};
use super::cause::{Cause, Kind, Place, Slice};
use super::synchronous::SHARE_MIN;
use super::words;
use plimsoll_measure::Frame;
use std::collections::BTreeMap;

/// Some garbage is collected in every service.
const GC_SHARE_MIN: f64 = 0.12;
/// Less of a package, or of the service's own code, is what it is there for.
const HOT_SHARE_MIN: f64 = 0.25;
/// A function counts as the origin of garbage with this share of the time of collection.
const GC_OWNER_SHARE_MIN: f64 = 0.3;
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
    let mut causes = regexes(case);
    causes.extend(gc(case));
    causes.extend(packages(case));
    causes.extend(own(case, &stalled));
    for (frame, longest_us) in &stalls {
        let stall = stall(case, frame, *longest_us);
        // A function and what it is given to call, as in a sort, may stand on one line.
        let new = stall.filter(|new| {
            !causes
                .iter()
                .any(|known| known.kind == new.kind && same_line(known, new))
        });
        causes.extend(new);
    }
    causes
}

fn same_line(a: &Cause, b: &Cause) -> bool {
    let line = |cause: &Cause| cause.place.as_ref().map(|place| (place.file.clone(), place.line));
    line(a) == line(b)
}

fn share_of(case: &Case<'_>, us: u64) -> f64 {
    us as f64 / case.busy_us.max(1.0)
}

fn regexes(case: &Case<'_>) -> Vec<Cause> {
    let hot = |cost: &&Cost| cost.work == Work::Known(Kind::Regex) && share_of(case, cost.us) >= SHARE_MIN;
    let cause = |cost: &Cost| {
        let share = share_of(case, cost.us);
        let pattern = cost.detail.function.strip_prefix("RegExp: ").unwrap_or_default();
        Cause {
            what: words::regex(pattern),
            place: cost
                .owner
                .as_ref()
                .map(|owner| case.places.of_frame(owner, cost.hottest_line())),
            via: cost.via.as_ref().map(ToString::to_string),
            cpu_us_per_request: case.us_of_share(share),
            cpu_share: Some(share),
            evidence: words::profile_evidence(share),
            ..words::cause(Kind::Regex)
        }
    };
    case.costs.iter().filter(hot).map(cause).collect()
}

/// How long collections take is counted; the profile knows during which function they came.
fn gc(case: &Case<'_>) -> Option<Cause> {
    let during: Vec<&Cost> = case
        .costs
        .iter()
        .filter(|cost| cost.work == Work::Known(Kind::Gc))
        .collect();
    let sampled_us: u64 = during.iter().map(|cost| cost.us).sum();
    let pauses_us = case.counted.map(|counted| {
        let gc = &counted.gc;
        let ns = gc.minor.ns + gc.major.ns + gc.incremental.ns + gc.weak.ns;
        counted.per_request(ns) / 1e3
    });
    let share = match (pauses_us, case.cost_us_per_request()) {
        (Some(us), Some(cost_us)) => us / cost_us,
        _ => share_of(case, sampled_us),
    };
    if share < GC_SHARE_MIN {
        return None;
    }
    let place = garbage_from(case);
    Some(Cause {
        what: words::gc(place.is_some()),
        place,
        cpu_us_per_request: pauses_us.or_else(|| case.us_of_share(share)),
        cpu_share: Some(share.min(1.0)),
        evidence: words::gc_evidence(case.counted, share),
        ..words::cause(Kind::Gc)
    })
}

/// The function during which most of the garbage was collected, by its costliest line: mostly the one that makes it.
pub(super) fn garbage_from(case: &Case<'_>) -> Option<Place> {
    let during = case.costs.iter().filter(|cost| cost.work == Work::Known(Kind::Gc));
    let mut owners: BTreeMap<(&str, u32), (&Frame, u64)> = BTreeMap::new();
    let mut all_us = 0;
    for cost in during {
        all_us += cost.us;
        if let Some(owner) = &cost.owner {
            owners.entry((&owner.file, owner.line)).or_insert((owner, 0)).1 += cost.us;
        }
    }
    let (owner, us) = owners.into_values().max_by_key(|(_, us)| *us)?;
    if (us as f64) < all_us as f64 * GC_OWNER_SHARE_MIN {
        return None;
    }
    let own = case
        .costs
        .iter()
        .find(|cost| cost.work == Work::Own && cost.owner.as_ref() == Some(owner));
    Some(case.places.of_frame(owner, own.and_then(Cost::hottest_line)))
}

/// JSON has no frames: what was counted at these lines is not the function's own.
fn json_lines(case: &Case<'_>, owner: &Frame) -> Vec<u32> {
    let sites = case.counted.map(|counted| counted.sites.as_slice()).unwrap_or_default();
    let directly = sites
        .iter()
        .filter(|site| site.counter.starts_with("JSON."))
        .filter_map(|site| site.frames.first());
    directly
        .filter(|frame| frame.file == owner.file)
        .map(|frame| frame.line)
        .collect()
}

fn own(case: &Case<'_>, stalled: &dyn Fn(&Frame) -> bool) -> Vec<Cause> {
    let mut causes = Vec::new();
    for cost in case.costs.iter().filter(|cost| cost.work == Work::Own) {
        let Some(owner) = cost.owner.as_ref().filter(|owner| !stalled(owner)) else {
            continue;
        };
        let json = json_lines(case, owner);
        let json_us: u64 = cost
            .lines
            .iter()
            .filter(|(line, _)| json.contains(line))
            .map(|(_, us)| us)
            .sum();
        let share = share_of(case, cost.us.saturating_sub(json_us));
        if share < HOT_SHARE_MIN {
            continue;
        }
        let hottest = cost
            .lines
            .iter()
            .filter(|(line, _)| !json.contains(line))
            .max_by_key(|(_, us)| *us);
        causes.push(Cause {
            what: words::own(&owner.function),
            place: Some(case.places.of_frame(owner, hottest.map(|(line, _)| *line))),
            cpu_us_per_request: case.us_of_share(share),
            cpu_share: Some(share),
            evidence: words::profile_evidence(share),
            ..words::cause(Kind::HotFunction)
        });
    }
    causes
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
        let share = share_of(case, us) - counted_in_package(case, name);
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

/// Share of the CPU per request that is JSON called by a package itself, and so in its self time.
fn counted_in_package(case: &Case<'_>, name: &str) -> f64 {
    let (Some(counted), Some(cost_us)) = (case.counted, case.cost_us_per_request()) else {
        return 0.0;
    };
    let ns: u64 = counted
        .sites
        .iter()
        .filter(|site| site.counter.starts_with("JSON."))
        .filter(|site| {
            site.frames
                .first()
                .is_some_and(|frame| frame.package.as_deref() == Some(name))
        })
        .map(|site| site.ns)
        .sum();
    counted.per_request(ns) / 1e3 / cost_us
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
    let of_it = |cost: &&Cost| cost.owner.as_ref() == Some(frame) && matches!(cost.work, Work::Own);
    let costs: Vec<&Cost> = case.costs.iter().filter(of_it).collect();
    let share = share_of(case, costs.iter().map(|cost| cost.us).sum());
    if share < STALL_SHARE_MIN {
        return None;
    }
    let hottest = costs.iter().flat_map(|cost| &cost.lines).max_by_key(|(_, us)| *us);
    let counted = case.counted?;
    Some(Cause {
        what: words::stall(&frame.function),
        place: Some(case.places.of_frame(frame, hottest.map(|(line, _)| *line))),
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
            share: share_of(case, us),
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
