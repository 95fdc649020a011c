//! What runs beside the service, and whether it ran out of CPU before the service did.

use crate::service::{Service, fills_one_of_its_cores, has_full_instance};
use crate::step_summary::{NeighbourSummary, StepSummary};
use plimsoll_findings::{FullNeighbour, NeighbourFinding, Quantity, TargetFinding};
use plimsoll_measure::NeighbourSample;
use plimsoll_plan::NeighbourPlan;

/// CPU that is busy for so much of the time is full: what comes at random then waits for most of its time.
const FULL: f64 = 0.85;
/// A quota that stops it for so much of the time has run out, also where what it leaves over in quiet moments is more: what comes
/// at random then finds it stopped as often as it would find a full one busy with others.
const STOPPED: f64 = 1.0 - FULL;

/// The neighbours over one step, in the order of the plan.
#[derive(Debug, Clone)]
pub(crate) struct Neighbours(Vec<Neighbour>);

#[derive(Debug, Clone)]
struct Neighbour {
    name: String,
    shares_cores: bool,
    used: Service,
}

impl Neighbours {
    /// Others than these are not known.
    pub(crate) fn named(names: &[String]) -> Self {
        let neighbour = |name: &String| Neighbour {
            name: name.clone(),
            shares_cores: false,
            used: Service::default(),
        };
        Self(names.iter().map(neighbour).collect())
    }

    /// Takes in a sample of one of them. Between it and the last one so many requests completed; they count if the tick is
    /// `judged`.
    pub(crate) fn see(&mut self, seen: &NeighbourSample, judged: bool, completed: u64) {
        let Some(known) = self.0.iter_mut().find(|known| known.name == seen.name) else {
            return;
        };
        known.shares_cores = seen.shares_cores;
        let before = known.used.last;
        let cpu = known.used.cpu_since_last(seen.sample);
        if judged {
            known.used.count(before, Some(seen.sample), cpu, completed);
        }
    }

    pub(crate) fn summaries(&self) -> Vec<NeighbourSummary> {
        let summary = |known: &Neighbour| NeighbourSummary {
            name: known.name.clone(),
            shares_cores: known.shares_cores,
            resources: known.used.finding(),
        };
        self.0.iter().map(summary).collect()
    }
}

/// What the report says of them: over the step that is reported.
pub(crate) fn findings(plans: &[NeighbourPlan], reported: Option<&StepSummary>) -> Vec<NeighbourFinding> {
    let seen = reported.map(|step| step.neighbours.as_slice()).unwrap_or_default();
    let finding = |plan: &NeighbourPlan| NeighbourFinding {
        name: plan.name.clone(),
        command: plan.neighbour.shown(),
        resources: seen
            .iter()
            .find(|seen| seen.name == plan.name)
            .and_then(|seen| seen.resources.clone()),
    };
    plans.iter().map(finding).collect()
}

/// The neighbour that is fullest at the least rate that failed, where another objective than that on the CPU of the service broke
/// and the service itself has CPU left.
pub(crate) fn ran_out_first<'a>(breached: impl Iterator<Item = &'a StepSummary>, users: bool) -> Option<FullNeighbour> {
    let rate = |step: &&StepSummary| step.finding.offered().unwrap_or(f64::INFINITY);
    let least = breached.min_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let broke_cpu = least
        .finding
        .broke
        .as_ref()
        .is_some_and(|broke| broke.quantity == Quantity::Cpu);
    let service = least.service.as_ref().filter(|_| !broke_cpu)?;
    if service.cpu_share >= FULL || fills_one_of_its_cores(service) || has_full_instance(service, FULL) {
        return None;
    }
    let full = least.neighbours.iter().filter_map(|neighbour| {
        let used = neighbour.resources.as_ref()?;
        let own = used.cpu_share >= FULL || fills_one_of_its_cores(used) || stopped_ms_per_s(used).is_some();
        let shared = neighbour.shares_cores
            && used.busy_cores() + service.busy_cores() >= FULL * used.cpu_cores().max(service.cpu_cores())
            && used.busy_cores() > service.busy_cores();
        (own || shared).then_some((neighbour, used, own))
    });
    let (neighbour, used, own) = full.max_by(|(_, a, _), (_, b, _)| a.cpu_share.total_cmp(&b.cpu_share))?;
    Some(FullNeighbour {
        name: neighbour.name.clone(),
        busy_cores: used.busy_cores(),
        cpu_cores: used.cpu_cores(),
        throttled_ms_per_s: stopped_ms_per_s(used),
        shares_cores: !own,
        service_cpu_share: service.cpu_share,
        users,
        offered_per_s: least.finding.offered_per_s,
    })
}

/// For how much of each second its quota stops it, ms, where that is too much.
fn stopped_ms_per_s(used: &TargetFinding) -> Option<f64> {
    let throttled_ms_per_s = used.limits.as_ref()?.throttled_ms_per_s?;
    (throttled_ms_per_s >= STOPPED * 1e3).then_some(throttled_ms_per_s)
}
