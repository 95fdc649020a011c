//! A shock in the middle of a load: what is to disturb the service, and how far it is.

use crate::journal::Journal;
use plimsoll_findings::Event;
use plimsoll_measure::{Record, Shock, ShockMark, ShockPhase};
use std::path::PathBuf;
use std::time::Duration;

/// A shock that is to come.
#[derive(Debug, Clone)]
pub struct ShockPlan {
    /// What disturbs the service. That a load has a burst, its plan says.
    pub shock: Shock,
    /// When it begins, counted from the beginning of the load.
    pub begins: Duration,
    /// How long it lasts. A restart lasts until the service has ended.
    pub lasts: Duration,
    /// For how long every objective has to hold until the service counts as back.
    pub steady: Duration,
}

/// A shock as it goes.
pub(crate) struct Shocking {
    pub(crate) plan: ShockPlan,
    pub(crate) phase: Phase,
    /// Cores of the service.
    pub(crate) cpus: Vec<usize>,
    /// Where it writes.
    pub(crate) output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    ToCome,
    Lasts,
    Over,
}

impl Shocking {
    pub(crate) fn new(plan: ShockPlan, cpus: Vec<usize>, output: PathBuf) -> Self {
        Self {
            plan,
            phase: Phase::ToCome,
            cpus,
            output,
        }
    }

    /// Records that it begins or ends.
    pub(crate) fn mark(&self, phase: ShockPhase, at_ns: u64, journal: &mut Journal<'_>) {
        let shock = &self.plan.shock;
        journal.push(&Record::Shock(ShockMark {
            at_ns,
            phase,
            shock: shock.clone(),
            steady_ns: self.plan.steady.as_nanos() as u64,
        }));
        journal.emit(Event::Shock { phase, shock });
    }
}
