//! Why a service stops where it stops: from what three passes at one rate saw to ranked causes.
//!
//! The passes are never mixed up: what a request costs comes from the plain pass, how often something is called and
//! how long that takes from the pass with counters, where the time goes from the pass with a CPU profile. The rules
//! and their thresholds are in `docs/concepts/diagnosis.md`.
//!
//! Pure: no files, no clock. It must not know how a pass is run, how the probe reports, or how causes are drawn.

mod activities;
mod alive;
mod asked;
mod blocked;
mod bound;
mod broke;
mod callers;
mod calls;
mod charges;
mod compilers;
mod cost;
mod counted;
#[cfg(test)]
mod drawn;
mod flame;
mod framework;
mod grown;
mod growth;
mod hot;
mod joined;
mod kept;
mod layers;
mod listings;
mod made;
mod own_time;
mod packages;
mod parts;
mod pieces;
mod place;
mod predict;
mod rank;
mod runtime;
mod sampled;

mod site;
mod stacks;
mod stall;
mod synchronous;
mod things;
mod threadpool;
mod traced;
mod upstream;
mod waiting;
mod wrappers;

pub use alive::lines_alive;
pub use counted::CounterFold;

use calls::{Cost, Told};
use charges::Charge;
use cost::{OTHER_PLACES_MAX, cpu_us_per_request};
use counted::Counted;
use place::Places;
use plimsoll_findings::{
    Bound, BrokeFirst, Cause, CauseKind, Diagnosis, Evidence, Findings, Headline, LoadLine, NextStep, Notice, Pass,
    Place, Totals, Verdict, What,
};
use plimsoll_measure::{Profile, RunKind};
use plimsoll_plan::Plan;

/// What the passes saw, as far as they were made.
#[derive(Debug, Clone, Copy)]
pub struct Passes<'a> {
    /// Without probe, at the rate of the diagnosis.
    pub plain: &'a Findings,
    /// With counters.
    pub counters: Option<(&'a Findings, &'a CounterFold)>,
    /// With a CPU profile.
    pub profile: Option<(&'a Findings, &'a Profile)>,
    /// Where memory was asked for in that pass, with bytes for times.
    pub allocations: &'a Profile,
    /// The directory in which the service runs, where the profile is all that says it.
    pub directory: Option<&'a str>,
}

/// What every rule looks at.
struct Case<'a> {
    plan: &'a Plan,
    plain: &'a Findings,
    /// The search of the line, or the plain pass again.
    base: &'a Findings,
    line: Option<&'a LoadLine>,
    broke: Option<BrokeFirst>,
    counted: Option<&'a Counted>,
    /// Time of the profile by cause; empty without one.
    costs: &'a [Cost],
    profile: Option<&'a Profile>,
    /// Bytes that were asked for, by cause.
    allocated: &'a [Cost],
    /// Where they were asked for.
    allocations: &'a Profile,
    /// To whom the time of the profile is charged; empty without one.
    charges: Vec<Charge<'a>>,
    /// Time in the profile, and how long it is with the time in which the threads were idle.
    busy_us: f64,
    span_us: f64,
    /// Cores that the service kept busy in the pass with the profile, without those of the sampling.
    profile_cores: Option<f64>,
    /// CPU of the service per request with counters, µs.
    counted_cpu_us: Option<f64>,
    /// Share of the requests of that pass that got no response: the generator gave up and closed their connections, and the service
    /// may still be at them.
    given_up: f64,
    places: Places<'a>,
}

impl Case<'_> {
    /// A cause of which only the profile tells, by what belongs to it, the costliest first.
    fn profiled(&self, kind: CauseKind, costs: &[&Cost], what: What) -> Cause {
        let place = |cost: &&Cost| Some(self.places.of_frame(cost.owner.as_ref()?, cost.hottest_line()));
        let mut places: Vec<Place> = Vec::new();
        for place in costs.iter().filter_map(place) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let mut places = places.into_iter();
        let costliest = costs.first();
        Cause {
            what,
            place: places.next(),
            other_places: places.take(OTHER_PLACES_MAX).collect(),
            via: costliest.and_then(|cost| cost.via.as_deref()).map(str::to_owned),
            ..self.costing(kind, costs.iter().map(|cost| cost.us).sum())
        }
    }

    /// A cause that costs this much time in the profile.
    fn costing(&self, kind: CauseKind, us: u64) -> Cause {
        let share = self.cpu_share_of(us);
        Cause {
            cpu_us_per_request: self.us_of_share(share),
            cpu_share: Some(share),
            ..Cause::of(
                kind,
                Evidence::Profile {
                    share: self.share_of(us),
                },
            )
        }
    }

    /// Mean time of a request in the service, ms; `None` when there was none.
    fn mean_ms(&self) -> Option<f64> {
        let inside_ns = self.counted.and_then(Counted::mean_ns);
        inside_ns.map(|ns| ns / 1e6).or(self.plain.service_time.mean_ms)
    }
}

/// What the passes come to: the findings of `base`, which is the search of the line or else the plain pass, as
/// those of the whole diagnosis.
#[must_use]
pub fn diagnose(plan: &Plan, base: &Findings, passes: &Passes<'_>) -> Findings {
    let by_message = plan.target().url.scheme.is_web_socket();
    let counted = passes
        .counters
        .and_then(|(_, fold)| fold.counted(plan.target().url.port(), by_message));
    let profile = passes.profile.map(|(_, profile)| profile);
    let told = if counted.is_some() { Told::Counted } else { Told::Shown };
    let costs = profile.map(|profile| calls::costs(profile, told)).unwrap_or_default();
    let allocated = calls::costs(passes.allocations, told);
    let case = Case {
        plan,
        plain: passes.plain,
        base,
        broke: broke::broke_first(base, passes.plain),
        line: base.load_line.as_ref(),
        counted: counted.as_ref(),
        busy_us: profile.map_or(0.0, |profile| profile.total_us() as f64),
        span_us: profile.map_or(0.0, |profile| profile.span_us as f64),
        profile_cores: passes
            .profile
            .and_then(|(pass, profile)| cost::profiled_cores(pass, profile)),
        counted_cpu_us: passes.counters.and_then(|(pass, _)| cpu_us_per_request(pass)),
        given_up: passes.counters.map_or(0.0, |(pass, _)| given_up(pass)),
        costs: &costs,
        allocated: &allocated,
        allocations: passes.allocations,
        charges: profile.map_or_else(Vec::new, |profile| charges::charges(profile, passes.allocations, told)),
        profile,
        // Paths below it are shown relative to it.
        places: Places::new(
            passes
                .counters
                .and_then(|(_, fold)| fold.directory())
                .or(passes.directory)
                .unwrap_or_default(),
        ),
    };
    let mut causes = synchronous::causes(&case);
    causes.extend(hot::causes(&case));
    causes.extend(upstream::causes(&case));
    causes.extend(waiting::causes(&case));
    causes.extend(kept::causes(&case));
    causes.extend(pieces::causes(&case));
    causes.extend(threadpool::causes(&case, &causes));
    causes.extend(asked::causes(&case, &causes));
    let (bound, bound_because) = bound::bound(&case, &causes);
    joined::join(bound, &mut causes);
    rank::rank(&case, bound, &mut causes);
    place::mark_compiled(&case, &mut causes);
    wrappers::mark_callers(&case, &mut causes);
    for cause in &mut causes {
        cause.by_message = by_message;
    }
    let mut findings = base.clone();
    findings.command = RunKind::Diagnose;
    findings.verdict = verdict(base, passes);
    let diagnosis = Diagnosis {
        bound,
        bound_because,
        broke_first: case.broke.clone(),
        by_message,
        rate_per_s: rate(passes.plain),
        passes: pass_list(passes),
        breakdown: hot::breakdown(&case),
        layers: layers::layer_costs(&case),
        runtime: runtime::runtime_time(&case),
        listings: listings::listings(&case),
        flame: profile
            .map(|profile| flame::flame(profile, &case.places))
            .unwrap_or_default(),
        causes,
        what_if: Vec::new(),
    };
    let few = |cause: &Cause| sampled::rests_on_few(&case, cause);
    // What may be chance explains nothing.
    let explains = |cause: &&Cause| explains(bound, cause) && few(cause).is_none();
    let first = diagnosis.causes.iter().find(explains);
    let layer = match first {
        Some(_) => None,
        None => diagnosis.layers.as_ref().and_then(layers::worth_leaving_out),
    };
    let package = match (first, layer) {
        (None, None) => packages::costly_package(&case),
        _ => None,
    };
    findings.headline = Headline::Limit {
        bound,
        cause: first.map(|cause| cause.what.clone()),
        place: first.and_then(|cause| cause.place.clone()),
        layer: layer.cloned().map(Box::new),
        package: package.map(Box::new),
        cut_off: false,
        few_samples: first.is_none() && diagnosis.causes.iter().any(|cause| few(cause).is_some()),
    };
    let broke = diagnosis.broke_first.as_ref();
    let full = broke.and_then(|broke| broke.neighbour.as_ref());
    findings.next_step = match (full, first, layer.and_then(layers::removal)) {
        (Some(full), ..) => NextStep::RelieveNeighbour {
            name: full.name.clone(),
        },
        (None, Some(cause), _) => NextStep::FixCause { kind: cause.kind },
        (None, None, Some(removal)) => NextStep::LeaveOut { removal },
        (None, None, None) => NextStep::SeeFlame,
    };
    notices(&mut findings, passes, counted.as_ref());
    findings.notices.extend(diagnosis.causes.iter().filter_map(few));
    findings.diagnosis = Some(diagnosis);
    findings
}

/// Whether a cause is one of what runs out first, as far as that is known.
fn explains(bound: Bound, cause: &Cause) -> bool {
    match bound {
        // What only makes requests wait does not explain why the CPU runs out.
        Bound::Cpu => {
            cause.predicted.is_some() || cause.wait_ms_per_request.is_none() || threadpool::takes_the_cpu(cause)
        }
        Bound::Neither | Bound::Unknown | Bound::Upstream | Bound::Neighbour => true,
        Bound::EventLoop | Bound::Threadpool | Bound::ConnectionPool | Bound::Memory | Bound::Terminal => {
            blocked::is_about(bound, cause)
        }
    }
}

/// Requests per second of the passes; `None` when none was offered.
fn rate(plain: &Findings) -> Option<f64> {
    let offered = plain.steps.first().and_then(|step| step.offered_per_s);
    offered.or(plain.totals.throughput_per_s).filter(|rate| *rate > 0.0)
}

fn given_up(pass: &Findings) -> f64 {
    let Totals { sent, completed, .. } = pass.totals;
    sent.saturating_sub(completed) as f64 / sent.max(1) as f64
}

fn made<'a>(passes: &Passes<'a>) -> impl Iterator<Item = (RunKind, &'a Findings)> {
    [
        Some((RunKind::Plain, passes.plain)),
        passes.counters.map(|(findings, _)| (RunKind::Counters, findings)),
        passes.profile.map(|(findings, _)| (RunKind::Profile, findings)),
    ]
    .into_iter()
    .flatten()
}

/// An objective that breaks under the load of a pass does not spoil a diagnosis; what else ends a pass does.
fn verdict(base: &Findings, passes: &Passes<'_>) -> Verdict {
    let all = made(passes).map(|(_, findings)| findings.verdict).chain([base.verdict]);
    let worst = |verdict: Verdict| match verdict {
        Verdict::Failed => 4,
        Verdict::Interrupted => 3,
        Verdict::Invalid => 2,
        Verdict::Unjudged => 1,
        Verdict::Passed | Verdict::Breached => 0,
    };
    match all.max_by_key(|verdict| worst(*verdict)) {
        Some(verdict) if worst(verdict) > 0 => verdict,
        _ => Verdict::Passed,
    }
}

fn pass_list(passes: &Passes<'_>) -> Vec<Pass> {
    let plain_us = cpu_us_per_request(passes.plain);
    made(passes)
        .map(|(name, findings)| Pass {
            name,
            throughput_per_s: findings.totals.throughput_per_s,
            cpu_us_per_request: cpu_us_per_request(findings),
            extra_cpu_share: cpu_us_per_request(findings)
                .zip(plain_us)
                .filter(|_| name != RunKind::Plain)
                .map(|(us, plain_us)| us / plain_us - 1.0),
            p50_ms: findings.response_time.p50_ms,
            p99_ms: findings.response_time.p99_ms,
        })
        .collect()
}

/// What the passes have to say besides, and what is missing.
fn notices(findings: &mut Findings, passes: &Passes<'_>, counted: Option<&Counted>) {
    for (_, pass) in made(passes) {
        for notice in &pass.notices {
            if !findings.notices.iter().any(|known| known.is_same(notice)) {
                findings.notices.push(notice.clone());
            }
        }
    }
    // A pass that was cut off may have ended before anything was read of it.
    let whole = |pass: &Findings| pass.verdict != Verdict::Interrupted;
    if passes.counters.is_some_and(|(pass, _)| whole(pass)) && counted.is_none() {
        findings.notices.push(Notice::NothingCounted);
    }
    if counted.is_some_and(upstream::hides_repetition) {
        findings.notices.push(Notice::RequestsAllAlike);
    }
    if passes
        .profile
        .is_some_and(|(pass, profile)| whole(pass) && profile.total_us() == 0)
    {
        findings.notices.push(Notice::NoProfile);
    }
}
