//! The line of a run to its target agents. A thread keeps their leases while nobody asks anything.

use super::super::drawn;
use crate::error::LabError;
use plimsoll_engine::monotonic_ns;
use plimsoll_fleet::{Bus, BusError, Dial, Fault, FromTarget, HoldStage, Holder, Listener, RunId, decode, encode};
use plimsoll_plan::Hosted;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Between two looks at whether the user has stopped the run.
const LOOK: Duration = Duration::from_millis(50);
/// Messages that are taken in before the clock is looked at again.
const MESSAGES_MAX: usize = 10_000;
/// Agents are let go within their lease, and a little.
const RELEASE_MAX: Duration = Duration::from_secs(8);

/// Target agents that belong to the run. Dropping it lets them go.
pub(super) struct Link {
    pump: Arc<Mutex<Pump>>,
    ends: Arc<AtomicBool>,
    keeper: Option<JoinHandle<()>>,
}

/// Why nothing was replied.
#[derive(Debug)]
pub(super) enum NoReply {
    /// The user has stopped the run.
    Stopped,
    /// Agents have gone wrong.
    Lost(Vec<Fault>),
    /// The bus carries nothing.
    Bus(BusError),
}

/// What is known of the clock of a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct MachineClock {
    /// It less ours, ns.
    pub(super) ahead_ns: i64,
    /// How exactly that is known, ns.
    pub(super) error_ns: u64,
}

impl Link {
    /// Finds the agents with a service, and has them belong to the run.
    pub(super) fn hold(dial: &dyn Dial, hosted: &Hosted, stop: &AtomicBool) -> Result<Self, LabError> {
        let run = RunId::new(drawn());
        let bus = dial.dial(&Listener::Holder(run.clone()))?;
        let (version, service) = (env!("CARGO_PKG_VERSION"), hosted.service.as_str());
        let holder = Holder::new(run, version, service, hosted.machines, monotonic_ns());
        let mut pump = Pump { bus, holder };
        while pump.holder.stage() == HoldStage::Gathering {
            if stop.load(Ordering::Relaxed) {
                pump.let_go();
                return Err(LabError::Stopped);
            }
            pump.turn(LOOK)?;
        }
        if pump.holder.stage() != HoldStage::Held {
            let failed = not_held(&pump.holder, hosted, &dial.place());
            pump.let_go();
            return Err(failed);
        }
        let pump = Arc::new(Mutex::new(pump));
        let ends = Arc::new(AtomicBool::new(false));
        let (kept, over) = (Arc::clone(&pump), Arc::clone(&ends));
        let keep = move || {
            while !over.load(Ordering::Relaxed) {
                // Who asks next finds what is wrong.
                let _ = lock(&kept).turn(Duration::ZERO);
                thread::park_timeout(LOOK);
            }
        };
        let keeper = thread::Builder::new().name("hold".to_owned()).spawn(keep);
        Ok(Self {
            pump,
            ends,
            keeper: Some(keeper.map_err(plimsoll_engine::EngineError::Start)?),
        })
    }

    /// Names of the agents, in order.
    pub(super) fn names(&self) -> Vec<String> {
        let pump = lock(&self.pump);
        let machines = pump.holder.machines().iter();
        machines.map(|machine| machine.id.name().to_owned()).collect()
    }

    /// Their clocks, in order, as far as they are known by now.
    pub(super) fn clocks(&self) -> Vec<MachineClock> {
        let (pump, now_ns) = (lock(&self.pump), monotonic_ns());
        let clock = |machine: &plimsoll_fleet::Machine| MachineClock {
            ahead_ns: machine.ahead_ns(),
            error_ns: machine.clock_error_ns(now_ns).unwrap_or(u64::MAX),
        };
        pump.holder.machines().iter().map(clock).collect()
    }

    /// Asks all of them, and waits for what they reply, in order.
    pub(super) fn ask(
        &self,
        text: String,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<Vec<String>, NoReply> {
        let deadline = Instant::now() + patience;
        let mut pump = lock(&self.pump);
        pump.holder.ask(monotonic_ns(), text);
        loop {
            if let Some(replies) = pump.holder.replies() {
                return Ok(replies);
            }
            if pump.holder.stage() != HoldStage::Held {
                return Err(NoReply::Lost(pump.holder.faults()));
            }
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(NoReply::Stopped);
            }
            if Instant::now() >= deadline {
                pump.holder.give_up(monotonic_ns());
                continue;
            }
            pump.turn(LOOK).map_err(NoReply::Bus)?;
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(keeper) = self.keeper.take() {
            keeper.thread().unpark();
            // It panics with nothing left to lose.
            let _ = keeper.join();
        }
        lock(&self.pump).let_go();
    }
}

/// Whoever panicked with it has left it as it was between two messages.
fn lock(pump: &Mutex<Pump>) -> MutexGuard<'_, Pump> {
    pump.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Pump {
    bus: Box<dyn Bus>,
    holder: Holder,
}

impl Pump {
    /// Takes in what has come, waiting so long for it at most, and says what is to be said.
    fn turn(&mut self, within: Duration) -> Result<(), BusError> {
        let wait_ns = self.holder.next_timeout_ns().saturating_sub(monotonic_ns());
        let mut wait = Duration::from_nanos(wait_ns).min(within);
        for _ in 0..MESSAGES_MAX {
            let Some(delivery) = self.bus.receive(wait)? else { break };
            // Who speaks for another agent is not heard.
            if let Ok(message) = decode::<FromTarget>(&delivery.message)
                && delivery.to == message.address()
            {
                self.holder.receive(monotonic_ns(), message);
            }
            wait = Duration::ZERO;
        }
        self.holder.poll(monotonic_ns());
        for (to, message) in self.holder.sent() {
            let bytes = encode(&message).map_err(|error| BusError {
                failed: "ask a target agent".to_owned(),
                found: error.to_string(),
                hint: None,
            })?;
            self.bus.send(&to, bytes)?;
        }
        Ok(())
    }

    /// Until nothing is left of what was started, or leases have ended.
    fn let_go(&mut self) {
        let deadline = Instant::now() + RELEASE_MAX;
        self.holder.release(monotonic_ns());
        while self.holder.stage() != HoldStage::Released && Instant::now() < deadline {
            // Leases end whatever the bus does.
            if self.turn(LOOK).is_err() {
                break;
            }
        }
    }
}

/// Why no service is held.
fn not_held(holder: &Holder, hosted: &Hosted, place: &str) -> LabError {
    let faults = holder.faults();
    if !faults.is_empty() {
        let found: Vec<_> = faults.iter().map(|fault| format!("target {fault}")).collect();
        return LabError::Hosted {
            service: hosted.service.to_string(),
            found: found.join("; "),
            hint: faults.iter().find_map(Fault::hint),
        };
    }
    let unusable = holder.unusable_agents().into_iter();
    let unusable: Vec<_> = unusable
        .map(|(agent, why)| format!("; target agent {agent}: {why}"))
        .collect();
    LabError::Hosted {
        service: hosted.service.to_string(),
        found: format!(
            "found {} with it on {place}, expected at least {}{}",
            match holder.usable() {
                0 => "no target agent".to_owned(),
                1 => "1 target agent".to_owned(),
                usable => format!("{usable} target agents"),
            },
            hosted.machines.unwrap_or(1),
            unusable.concat()
        ),
        hint: Some(format!(
            "start one on the machine of the service: plimsoll fleet target --fleet URL --service {}=plimsoll.yaml",
            hosted.service
        )),
    }
}
