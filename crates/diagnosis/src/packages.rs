//! Packages that are costly, each with what it calls in others: what can go is the call of the service.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::cost::{OTHER_PLACES_MAX, SHARE_MIN};
use crate::counted::Counted;
use crate::framework::{frameworks, running};
use crate::own_time::HOT_SHARE_MIN;
use crate::place::via;
use crate::synchronous::COUNTED;
use crate::things::{sum, things};
use plimsoll_findings::{Cause, CauseKind, Evidence, PackageCost, PackageShare, Place, What};
use plimsoll_measure::Frame;
use plimsoll_measure::probe::{FunctionCounter, SiteFrame};
use std::collections::{BTreeMap, HashSet};

/// Functions of one package that the service calls and that take this share of the busy time each are told apart.
const CALL_SHARE_MIN: f64 = 0.1;
/// Packages from this share of the busy time on are listed.
const LISTED_SHARE_MIN: f64 = 0.01;

/// The causes, and what is left of the costs: a package is charged with the expressions that it uses as well.
pub(crate) fn causes<'a>(case: &Case<'a>, costs: &'a [Cost]) -> (Vec<Cause>, Vec<&'a Cost>) {
    let packages = Packages::of(case);
    let calls = packages.found(costs, HOT_SHARE_MIN);
    let is_left = |cost: &&Cost| !calls.iter().any(|call| call.is_charged(cost));
    let left = costs.iter().filter(is_left).collect();
    let causes = calls.into_iter().flat_map(Call::apart).map(|call| call.cause());
    (causes.collect(), left)
}

/// The costliest package that could go, where it takes as much as other causes; for want of a cause.
pub(crate) fn costly_package(case: &Case<'_>) -> Option<PackageCost> {
    let packages = Packages::of(case);
    // What takes part in running the service's code cannot go any more than the framework.
    let could_go = |call: &Call<'_>| !packages.running.contains(call.name);
    let found = packages.found(case.costs, SHARE_MIN).into_iter().filter(could_go);
    let cost = |call: Call<'_>| {
        let cause = call.cause();
        Some(PackageCost {
            name: cause.via?,
            place: cause.place,
            cpu_share: cause.cpu_share?,
        })
    };
    found
        .filter_map(cost)
        .filter(|package| package.cpu_share >= SHARE_MIN)
        .max_by(|a, b| a.cpu_share.total_cmp(&b.cpu_share))
}

/// Who is charged with the time in packages.
struct Packages<'a> {
    case: &'a Case<'a>,
    frameworks: Vec<&'a str>,
    running: HashSet<&'a str>,
    /// Those through which other services are asked: what these calls cost has findings of its own.
    asking: HashSet<String>,
}

impl<'a> Packages<'a> {
    fn of(case: &'a Case<'a>) -> Self {
        Self {
            case,
            frameworks: case.profile.map(frameworks).unwrap_or_default(),
            running: case.profile.map(running).unwrap_or_default(),
            asking: case.counted.map(asking).unwrap_or_default(),
        }
    }

    /// The package that the service called, unless that goes on with running its code or asks others.
    fn charged(&self, called: Option<&'a str>, executing: &'a str) -> &'a str {
        let goes_on =
            |name: &str| self.running.contains(name) || self.frameworks.contains(&name) || self.asking.contains(name);
        called.filter(|name| !goes_on(name)).unwrap_or(executing)
    }

    fn charged_for(&self, cost: &'a Cost) -> Option<&'a str> {
        let called = cost.owner.as_ref().and(cost.via.as_deref());
        match &cost.work {
            Work::Package(name) => Some(self.charged(called, name)),
            // What is counted call by call is found there.
            Work::Known(kind) if COUNTED.contains(kind) => None,
            // What a package has others do for the service goes with the call: Node.js, the collector.
            _ => called,
        }
        .filter(|name| !self.frameworks.contains(name))
    }

    /// Packages whose code and expressions take this share of the busy time, with those of others that they call.
    fn found(&'a self, costs: &'a [Cost], share_min: f64) -> Vec<Call<'a>> {
        let mut by_package: BTreeMap<&str, Vec<&Cost>> = BTreeMap::new();
        for cost in costs {
            if let Some(name) = self.charged_for(cost) {
                by_package.entry(name).or_default().push(cost);
            }
        }
        let call = |(name, costs): (&'a str, Vec<&'a Cost>)| Call {
            packages: self,
            name,
            function: None,
            counted_us: self.counted_us(name, &costs),
            costs: without_what_outweighs(costs),
        };
        let is_costly =
            |call: &Call<'_>| self.case.share_of(call.own_us().saturating_sub(call.counted_us)) >= share_min;
        by_package.into_iter().map(call).filter(is_costly).collect()
    }

    /// Time in a package that is counted elsewhere: JSON that it calls, and templates that it compiles.
    fn counted_us(&self, name: &str, costs: &[&Cost]) -> u64 {
        let Some(counted) = self.case.counted else { return 0 };
        let is_charged = |frames: &[SiteFrame]| {
            let executing = frames.first().and_then(|frame| frame.package.as_deref());
            executing.is_some_and(|executing| self.charged(via(frames).as_deref(), executing) == name)
        };
        let sites = counted.sites.iter();
        let json_ns: u64 = sites
            .filter(|site| site.counter.starts_with("JSON.") && is_charged(&site.frames))
            .map(|site| site.ns)
            .sum();
        let runs = |engine: &str| {
            costs
                .iter()
                .any(|cost| matches!(&cost.work, Work::Package(name) if **name == *engine))
        };
        let compiling = |function: &&FunctionCounter| {
            matches!(function.kind.as_str(), "template" | "construction")
                && function.name.split('.').next().is_some_and(runs)
        };
        let compiling_ns: u64 = counted
            .functions
            .iter()
            .filter(compiling)
            .map(|function| function.ns)
            .sum();
        self.case.counted_in_profile_us(json_ns + compiling_ns)
    }
}

/// Without an expression that takes more than all else: that is what to fix, and a cause of its own.
fn without_what_outweighs(mut costs: Vec<&Cost>) -> Vec<&Cost> {
    let us = |cost: &&Cost| cost.us as f64;
    let used = costs.iter().copied().filter(|cost| cost.expression().is_some());
    let expressions = things(used.collect(), |cost| cost.expression(), us);
    if let Some(greatest) = expressions.first().filter(|of| sum(of, us) * 2.0 > sum(&costs, us)) {
        let pattern = greatest[0].expression();
        costs.retain(|cost| cost.expression() != pattern);
    }
    costs
}

/// Packages through which the service asks others.
fn asking(counted: &Counted) -> HashSet<String> {
    let asks = |name: &str| {
        let mut functions = counted.functions.iter();
        functions.any(|function| function.name == name && matches!(function.kind.as_str(), "fetch" | "connection"))
    };
    let sites = counted.sites.iter().filter(|site| asks(&site.counter));
    sites.filter_map(|site| via(&site.frames)).collect()
}

/// What one package, or one of its functions, costs that the service calls.
struct Call<'a> {
    packages: &'a Packages<'a>,
    name: &'a str,
    /// Where several of its functions are told apart.
    function: Option<&'a Frame>,
    /// The greatest first.
    costs: Vec<&'a Cost>,
    counted_us: u64,
}

impl<'a> Call<'a> {
    /// Costs of code of packages.
    fn own(&self) -> impl Iterator<Item = &'a Cost> {
        let costs = self.costs.iter().copied();
        costs.filter(|cost| matches!(cost.work, Work::Package(_)))
    }

    /// With the expressions that they use.
    fn own_us(&self) -> u64 {
        let expressions = self.costs.iter().filter(|cost| cost.expression().is_some());
        self.own().chain(expressions.copied()).map(|cost| cost.us).sum()
    }

    fn is_charged(&self, cost: &Cost) -> bool {
        self.costs.iter().any(|charged| std::ptr::eq(*charged, cost))
    }

    /// Functions of the package that are each costly, and the others together where these are as costly as a package has to be.
    fn apart(self) -> Vec<Self> {
        let case = self.packages.case;
        let share = |cost: &&Cost| case.share_of(cost.us);
        // Of what is counted elsewhere it is not known in which of them it is.
        // Where a framework or a package that is charged by itself is in between, the entry is a function of that.
        let name = self.name;
        let called = |cost: &&'a Cost| {
            let is_its_own = cost.owner.is_some() && cost.via.as_deref() == Some(name);
            cost.entry
                .as_ref()
                .filter(|entry| is_its_own && !entry.function.is_empty())
        };
        let functions = things(self.costs.clone(), called, share);
        let (mut apart, rest): (Vec<_>, Vec<_>) = functions
            .into_iter()
            .partition(|costs| called(&costs[0]).is_some() && sum(costs, share) >= CALL_SHARE_MIN);
        if apart.len() < 2 || self.counted_us > 0 {
            return vec![self];
        }
        let rest: Vec<&Cost> = rest.into_iter().flatten().collect();
        if sum(&rest, share) >= HOT_SHARE_MIN {
            apart.push(rest);
        }
        let call = |costs: Vec<&'a Cost>| Self {
            function: called(&costs[0]),
            costs,
            ..self
        };
        apart.into_iter().map(call).collect()
    }

    fn cause(&self) -> Cause {
        let case = self.packages.case;
        let us: u64 = self.costs.iter().map(|cost| cost.us).sum();
        let us = us.saturating_sub(self.counted_us);
        let hottest = |cost: &Cost| {
            let (frame, line) = cost.hottest_function(case.profile?)?;
            Some(case.places.of_frame(frame, line))
        };
        let callers = || self.own().filter(|cost| cost.owner.is_some());
        let mut places: Vec<Place> = Vec::new();
        for cost in callers() {
            let place = |owner| case.places.of_frame(owner, cost.hottest_line());
            places.extend(cost.owner.as_ref().map(place).filter(|place| !places.contains(place)));
        }
        // Where nothing of the service's own calls it, its own costliest line is the place.
        if places.is_empty() {
            let within = self.own().find(|cost| cost.owner.is_none());
            places.extend(within.and_then(hottest));
        }
        let cost = case.costing(CauseKind::PackageHot, us);
        let packages = self.listed();
        Cause {
            what: What::Package {
                name: self.name.to_owned(),
                function: self.function.map(|frame| frame.function.clone()),
            },
            place: places.first().cloned(),
            other_places: places.into_iter().skip(1).take(OTHER_PLACES_MAX).collect(),
            via: Some(self.name.to_owned()),
            inside: callers().next().and_then(hottest),
            evidence: match packages.as_slice() {
                [] | [_] => cost.evidence,
                _ => Evidence::Packages {
                    share: case.share_of(us),
                    packages,
                },
            },
            ..cost
        }
    }

    /// Itself and the packages that it calls, each by its own code, the costliest first.
    fn listed(&self) -> Vec<PackageShare> {
        let case = self.packages.case;
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for cost in self.own() {
            if let Work::Package(name) = &cost.work {
                *sums.entry(name).or_default() += cost.us;
            }
        }
        let listed = sums.into_iter().map(|(name, us)| PackageShare {
            name: name.to_owned(),
            share: case.share_of(us),
        });
        let mut listed: Vec<PackageShare> = listed
            .filter(|package| package.share >= LISTED_SHARE_MIN || package.name == self.name)
            .collect();
        listed.sort_by(|a, b| b.share.total_cmp(&a.share));
        listed
    }
}
