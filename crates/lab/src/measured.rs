//! What is measured in a run, from what its plan says: started here, watched here, or started by target agents.

use crate::collections::Collections;
use crate::error::LabError;
use crate::experiment::{Experiment, Setting};
use crate::fleet::{FleetOptions, Start, There, Watching};
use crate::here::Here;
use crate::inspection::Inspection;
use crate::journal::Journal;
use crate::neighbours::{Cores, Neighbours};
use crate::service::{check_quota, start_target};
use crate::watch::Watch;
use plimsoll_analysis::WarmedRun;
use plimsoll_measure::{RunKind, Shock};
use plimsoll_plan::{Destination, Hosted, KnownSecrets, Limit, Load, Objective, Plan};
use plimsoll_target::{Probe, ProbeMode, Sources};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

impl Experiment {
    /// Starts the service on this machine, with what belongs to it, or watches the one that runs.
    pub(crate) fn here<'a>(
        &self,
        setting: &Setting,
        stop: &'a AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<Here<'a>, LabError> {
        let plan = &self.plan;
        let mode = self.options.without.clone().map(ProbeMode::Without);
        // Into a service that runs already, nothing is put.
        let runs_already = !plan.target().is_started();
        let inspection = (runs_already && matches!(self.kind, RunKind::Profile | RunKind::Soak)).then(|| {
            let warm_up = WarmedRun::of(plan).and_then(|run| run.warm_up.duration());
            let load = [warm_up, plan.load().duration()].into_iter().flatten().sum();
            Inspection::new(self.sources(), load, self.collected().map(Collections::new))
        });
        let of_loop = judges_loop(plan);
        let mode = mode
            .or_else(|| Some(watching_of(self.kind)?.mode()))
            .or_else(|| of_loop.then_some(ProbeMode::Loop));
        let probe = match mode.filter(|_| !runs_already) {
            Some(mode) => {
                let probe = Probe::listen(mode).map_err(LabError::Probe)?;
                Some(if of_loop { probe.telling_loop_delays() } else { probe })
            }
            None => None,
        };
        let cpus = &setting.division.target_cpus;
        let cores = Cores {
            neighbours: &setting.division.neighbour_cpus,
            service: cpus,
        };
        // Ended after the service, whatever becomes of that.
        let neighbours = Neighbours::start(plan, &cores, stop, journal)?;
        let mut target = start_target(
            plan,
            setting.tls.as_ref(),
            cpus,
            &setting.output,
            probe.as_ref(),
            stop,
            journal,
        )?;
        if let (Some(target), Load::Hold(hold)) = (&mut target, plan.load()) {
            target.extend_to(&hold.ports);
        }
        let collections = self.collected().map(Collections::new);
        Ok(Here {
            target,
            neighbours,
            watch: probe.map(|probe| Watch::new(probe, self.sources(), stop).asking(collections)),
            inspection,
        })
    }

    /// Has target agents start the service on their machines.
    pub(crate) fn there(
        &self,
        hosted: &Hosted,
        zero_ns: u64,
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<There, LabError> {
        let plan = &self.plan;
        let dial = FleetOptions::dial_of_targets(self.options.fleet.as_ref())?;
        let disturbed = self.options.shock.as_ref().map(|plan| &plan.shock);
        let unfit = match (&self.options.without, disturbed) {
            (Some(_), _) => "something to leave out of it",
            (None, None | Some(Shock::Burst { .. })) => "",
            (None, Some(_)) => "a shock other than a burst",
        };
        if !unfit.is_empty() {
            return Err(LabError::Plan(format!(
                "found a service of target agents and {unfit}; expected a service on this machine"
            )));
        }
        let of_loop = judges_loop(plan);
        let start = Start {
            origin: Destination::of_load(plan.target()).url.origin(),
            ports: match plan.load() {
                Load::Hold(hold) => hold.ports.clone(),
                Load::Open(_) | Load::Closed(_) => Vec::new(),
            },
            watching: watching_of(self.kind).or_else(|| of_loop.then_some(Watching::Loop)),
            tells_loop_delays: of_loop,
            collections_ns: self.collected().map(|judged| judged.as_nanos() as u64),
            package_maps: self.options.package_maps,
            is_one_of_several: false,
        };
        let mut there = There::start(dial, hosted, start, (zero_ns, KnownSecrets::of(plan)), stop, journal)?;
        check_quota(plan, there.sample())?;
        Ok(there)
    }

    /// What finds out where the code of the service comes from.
    fn sources(&self) -> Sources {
        Sources::new(KnownSecrets::of(&self.plan), self.options.package_maps)
    }

    /// How long a load is judged in which the service is asked now and then what it keeps; `None` where it is not.
    fn collected(&self) -> Option<Duration> {
        let load = self.plan.load().duration().filter(|_| self.kind == RunKind::Soak)?;
        Some(load.saturating_sub(self.plan.judging().warm_up))
    }
}

/// Whether an objective is about the delays of the event loop.
fn judges_loop(plan: &Plan) -> bool {
    let is_of_loop = |objective: &Objective| matches!(objective.limit, Limit::LoopDelay { .. });
    plan.objectives().iter().any(is_of_loop)
}

/// What the probe does in the service in a run of this kind.
const fn watching_of(kind: RunKind) -> Option<Watching> {
    match kind {
        RunKind::Counters => Some(Watching::Counters),
        RunKind::Profile => Some(Watching::Profile),
        RunKind::Soak => Some(Watching::Memory),
        RunKind::Capacity
        | RunKind::Run
        | RunKind::Bench
        | RunKind::Hold
        | RunKind::Shock
        | RunKind::Diagnose
        | RunKind::Plain => None,
    }
}
