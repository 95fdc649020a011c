//! The coordinator of a run, over a bus.

use super::local::LocalFleet;
use super::{FleetOptions, drawn};
use crate::error::LabError;
use plimsoll_engine::{Control, Job, monotonic_ns};
use plimsoll_fleet::{
    Bus, Coordinator, Fault, FleetSize, FromAgent, Listener, RunId, SentPlan, Stage, StepSpec, decode, encode,
};
use plimsoll_measure::run_directory::FleetRun;
use plimsoll_measure::{AgentHost, Note, NoteKind, Tick};
use plimsoll_plan::{Limit, Load, Plan, Share};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at whether the user has stopped the run, at most.
const LOOK: Duration = Duration::from_millis(50);
/// Messages that are taken in before the clock is looked at again.
const MESSAGES_MAX: usize = 10_000;
/// A generator may take so long to end once its last response has come.
const ENDING: Duration = Duration::from_secs(5);
/// Users who are on a journey when the load ends are waited for at most so long.
const USERS_GO_ON: Duration = Duration::from_secs(30);

/// The agents of a run.
pub(crate) struct Fleet {
    coordinator: Coordinator,
    bus: Box<dyn Bus>,
    wanted: Option<u32>,
    /// What was started for it; ended when its agents have been let go.
    local: Option<LocalFleet>,
}

impl Fleet {
    /// Gathers agents.
    ///
    /// # Errors
    /// When there are too few.
    pub(crate) fn form(options: &FleetOptions, stop: &AtomicBool) -> Result<Self, LabError> {
        let (dial, size, local) = match options {
            FleetOptions::On { dial, size } => (Arc::clone(dial), *size, None),
            FleetOptions::Local(options) => {
                let local = LocalFleet::start(options, stop)?;
                let size = FleetSize {
                    wanted: Some(options.agents),
                    least: None,
                };
                (local.dial(), size, Some(local))
            }
        };
        let run = RunId::new(drawn());
        let bus = dial.dial(&Listener::Coordinator(run.clone()))?;
        let version = env!("CARGO_PKG_VERSION");
        let mut fleet = Self {
            coordinator: Coordinator::new(run, version, size, monotonic_ns()),
            bus,
            wanted: size.wanted,
            local,
        };
        if fleet.wait_while(Stage::Gathering, stop)? == Stage::Formed {
            return Ok(fleet);
        }
        let unusable = fleet.coordinator.unusable_agents().into_iter();
        let unusable: Vec<_> = unusable.map(|(agent, why)| format!("; agent {agent}: {why}")).collect();
        let found = format!(
            "found {} on {}, expected at least {}{}",
            match fleet.coordinator.usable() {
                1 => "1 usable agent".to_owned(),
                usable => format!("{usable} usable agents"),
            },
            dial.place(),
            size.least(),
            unusable.concat()
        );
        let hint = "start them with `plimsoll agent --fleet URL`, on as many machines as are needed".to_owned();
        let hint = Some(hint);
        Err(LabError::Fleet { found, hint })
    }

    /// Lets its agents go, and hands on what was started for it.
    pub(super) fn into_local(mut self) -> Option<LocalFleet> {
        self.local.take()
    }

    /// What weakens what it measures.
    pub(crate) fn note(&self) -> Option<Note> {
        let there = self.coordinator.members().len();
        let wanted = self.wanted.filter(|wanted| there < *wanted as usize)?;
        Some(Note {
            at_ns: 0,
            kind: NoteKind::Warning,
            message: format!("{there} of the {wanted} agents of --agents came, and they make the whole load"),
            hint: Some("check that the others run, and reach the broker".to_owned()),
        })
    }

    /// Its agents, in the order of their shares.
    pub(crate) fn hosts(&self) -> Vec<AgentHost> {
        let members = self.coordinator.members().iter();
        let host = members.map(|member| AgentHost {
            name: member.id.name().to_owned(),
            zone: member.about.zone.clone(),
            cores: member.about.cores,
            cpu_model: member.about.cpu_model.clone(),
            kernel: member.about.kernel.clone(),
        });
        host.collect()
    }

    /// By what its agents know the run; `None` where they end with it, and so have nothing that it has not.
    pub(crate) fn run_there(&self) -> Option<FleetRun> {
        let agents = self.coordinator.members().iter();
        self.local.is_none().then(|| FleetRun {
            run: self.coordinator.run_id().as_str().to_owned(),
            agents: agents.map(|member| member.id.as_str().to_owned()).collect(),
        })
    }

    /// Has all agents get ready for a plan.
    ///
    /// # Errors
    /// When one of them refuses it.
    pub(crate) fn prepare(&mut self, plan: &Plan, stop: &AtomicBool) -> Result<(), LabError> {
        let sent = sent(plan)?;
        self.coordinator.prepare(monotonic_ns(), sent);
        match self.wait_while(Stage::Preparing, stop)? {
            Stage::Ready => Ok(()),
            _ => {
                let faults = self.coordinator.faults();
                let found: Vec<_> = faults.iter().map(ToString::to_string).collect();
                let hint = faults.iter().find_map(Fault::hint);
                let found = found.join("; ");
                Err(LabError::Fleet { found, hint })
            }
        }
    }

    /// Makes the load of a job and hands every merged tick to `on_tick`, as [`Job::run`] does. Returns what went wrong with agents: with that,
    /// the load was not the one that was asked for.
    ///
    /// # Errors
    /// When the bus is gone.
    pub(crate) fn run(
        &mut self,
        job: &Job,
        step: FleetStep,
        stop: &AtomicBool,
        mut on_tick: impl FnMut(Tick) -> Control,
    ) -> Result<Vec<Fault>, LabError> {
        let spec = StepSpec {
            step: step.number,
            load: job.load.clone(),
            seed: job.seed,
            first: job.first,
            users: step.users,
            warm_up_ns: ns(step.warm_up),
            tick_ns: ns(step.tick),
            zero_ns: job.zero_ns,
            drain_ns: ns(drain(job, step.users)),
        };
        self.coordinator.begin(monotonic_ns(), spec);
        loop {
            self.pump()?;
            let is_over = self.coordinator.stage() != Stage::Stepping;
            for tick in self.coordinator.ticks() {
                match on_tick(tick) {
                    Control::Continue => {}
                    Control::Finish => self.coordinator.finish(monotonic_ns()),
                    Control::Stop => self.coordinator.stop(monotonic_ns()),
                }
            }
            if is_over {
                return Ok(self.coordinator.faults().to_vec());
            }
            if stop.load(Ordering::Relaxed) {
                self.coordinator.stop(monotonic_ns());
            }
        }
    }

    /// Waits for another stage.
    fn wait_while(&mut self, stage: Stage, stop: &AtomicBool) -> Result<Stage, LabError> {
        loop {
            let now = self.coordinator.stage();
            if now != stage {
                return Ok(now);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(LabError::Stopped);
            }
            self.local.as_ref().map_or(Ok(()), LocalFleet::check)?;
            self.pump()?;
        }
    }

    /// Takes in what has come, and says what is to be said.
    fn pump(&mut self) -> Result<(), LabError> {
        let wait_ns = self.coordinator.next_timeout_ns().saturating_sub(monotonic_ns());
        let mut wait = Duration::from_nanos(wait_ns).min(LOOK);
        for _ in 0..MESSAGES_MAX {
            let Some(delivery) = self.bus.receive(wait)? else { break };
            // Whatever else comes on the bus is not for us, and who speaks for another agent is not heard.
            if let Ok(message) = decode::<FromAgent>(&delivery.message)
                && delivery.to == message.address()
            {
                self.coordinator.receive(monotonic_ns(), message);
            }
            wait = Duration::ZERO;
        }
        self.coordinator.poll(monotonic_ns());
        self.say()
    }

    fn say(&mut self) -> Result<(), LabError> {
        for (to, message) in self.coordinator.sent() {
            let bytes = encode(&message).map_err(|error| LabError::Fleet {
                found: error.to_string(),
                hint: None,
            })?;
            self.bus.send(&to, bytes)?;
        }
        Ok(())
    }
}

impl Drop for Fleet {
    /// Whoever hears it is free at once; whoever does not, a little later.
    fn drop(&mut self) {
        self.coordinator.release();
        let _ = self.say();
    }
}

/// A plan as agents get it.
fn sent(plan: &Plan) -> Result<SentPlan, LabError> {
    // What is on this machine is none of their business.
    let sent = plan.with(|draft| {
        draft.target.command = None;
        draft.target.beside.clear();
        draft.target.running = None;
        draft.target.cpus.clear();
        draft.fleet = None;
        // Nor is how the service is judged by what it uses, which is refused where it is not watched.
        let is_of_service = |limit: &Limit| limit.is_of_service() || matches!(limit, Limit::LoopDelay { .. });
        draft.objectives.retain(|objective| !is_of_service(&objective.limit));
        if draft.objectives.is_empty() && !matches!(draft.load, Load::Hold(_)) {
            draft.objectives = vec![Limit::Errors { max: Share::default() }.into()];
        }
        draft.scenario.before.clear();
        draft.scenario.after.clear();
    })?;
    Ok(SentPlan {
        text: sent.to_json(),
        rows: plan.rows(),
    })
}

/// A step, as far as its job does not say it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FleetStep {
    pub(crate) number: u32,
    pub(crate) warm_up: Duration,
    pub(crate) tick: Duration,
    /// Users on journeys make the load.
    pub(crate) users: bool,
}

/// How long responses may come after the last request of a load.
fn drain(job: &Job, users: bool) -> Duration {
    let timeouts = job.connections.connect_timeout + job.connections.response_timeout;
    let go_on = if users { USERS_GO_ON } else { Duration::ZERO };
    match &job.load {
        // Whatever is parked ends with the load.
        Load::Hold(_) => timeouts + ENDING,
        Load::Open(_) | Load::Closed(_) => timeouts + go_on + ENDING,
    }
}

fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_that_is_sent_has_nothing_of_this_machine() {
        let plan = "target:
  url: http://127.0.0.1:9/
  command: [node, server-of-shop.js]
  env: { PASSWORD: canary-1 }
  beside:
    - { name: store, command: [store-of-shop, --key, canary-2], env: { KEY: canary-3 }, ready: { port: 9 } }
scenario:
  requests: [{ path: /, headers: { x-key: needed } }]
  after: [request: { path: /canary-4 }]
fleet: { url: 'tls://user:canary-5@broker.example:4222' }
objectives: [cpu <= 90%, p99 <= 100ms]
";
        let plan = Plan::parse(plan, "plan.yaml").expect("a plan");
        let sent = sent(&plan).expect("a plan").text;
        for canary in ["canary", "of-shop", "store", "broker.example", "cpu"] {
            assert!(!sent.contains(canary), "{canary}: {sent}");
        }
        assert!(sent.contains("needed") && sent.contains("p99"), "{sent}");
    }
}
