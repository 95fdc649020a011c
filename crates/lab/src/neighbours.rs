//! What the service needs beside it: started before it, watched with it, stopped after it.

use crate::error::LabError;
use crate::journal::Journal;
use plimsoll_findings::Event;
use plimsoll_measure::{NeighbourSample, NoteKind, Record};
use plimsoll_plan::{KnownSecrets, Plan};
use plimsoll_target::{ExitReport, Neighbour, Scratch};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The neighbours that run, in the order of the plan. Dropping them ends them, the last one first.
#[derive(Default)]
pub(crate) struct Neighbours {
    all: Vec<Running>,
    /// Where they write when no run directory is kept; removed when they have ended.
    scratch: Option<Scratch>,
}

struct Running {
    neighbour: Neighbour,
    shares_cores: bool,
}

/// The cores of everybody but the generator; empty is not pinned.
pub(crate) struct Cores<'a> {
    /// Of a neighbour whose plan names none.
    pub(crate) neighbours: &'a [usize],
    pub(crate) service: &'a [usize],
}

impl Neighbours {
    /// Starts those of the plan, one after the other.
    pub(crate) fn start(
        plan: &Plan,
        cores: &Cores<'_>,
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<Self, LabError> {
        let mut neighbours = Self::default();
        let hidden = KnownSecrets::of(plan);
        for plan in &plan.target().beside {
            let output = match journal.output_path_of(&plan.name) {
                Some(path) => path,
                None => neighbours.scratch()?.join(&plan.name),
            };
            let cpus = match plan.cpus.as_slice() {
                [] => cores.neighbours,
                own => own,
            };
            journal.emit(Event::NeighbourStarting {
                name: &plan.name,
                command: plan.command.shown().as_str(),
            });
            neighbours.all.push(Running {
                neighbour: Neighbour::start(plan, cpus, &output, &hidden, stop)?,
                shares_cores: shares(cpus, cores.service),
            });
        }
        Ok(neighbours)
    }

    fn scratch(&mut self) -> Result<&Path, LabError> {
        let scratch = match self.scratch.take() {
            Some(scratch) => scratch,
            None => Scratch::new("plimsoll-beside-").map_err(LabError::Scratch)?,
        };
        Ok(self.scratch.insert(scratch).path())
    }

    /// What is told of them is without this from now on, and what they have written when they have ended.
    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        self.all.iter_mut().for_each(|running| running.neighbour.hide(hidden));
    }

    /// Records what each of them used.
    pub(crate) fn record(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        for Running {
            neighbour,
            shares_cores,
        } in &mut self.all
        {
            if let Some(sample) = neighbour.sample(at_ns) {
                journal.push(&Record::Neighbour(NeighbourSample {
                    name: neighbour.name().to_owned(),
                    shares_cores: *shares_cores,
                    sample,
                }));
            }
        }
    }

    /// The first that has ended by itself. Cheap enough to ask every tick.
    pub(crate) fn exited(&self) -> Option<(&str, ExitReport)> {
        let neighbours = self.all.iter().map(|running| &running.neighbour);
        neighbours
            .map(|neighbour| (neighbour.name(), neighbour.exited()))
            .find_map(|(name, exited)| Some((name, exited?)))
    }

    /// Stops them, the last one first; notes say what they left undone.
    pub(crate) fn stop(mut self, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
        while let Some(Running { neighbour, .. }) = self.all.pop() {
            let name = neighbour.name().to_owned();
            let report = neighbour.stop(stop);
            if !report.killed.is_empty() {
                let killed = report.killed.join(", ");
                let message = format!("neighbour {name} did not end within its grace period and was killed: {killed}");
                let hint = Some("let it handle SIGTERM, or raise its `stop_grace`".to_owned());
                journal.note(at_ns, NoteKind::Warning, message, hint);
            }
            if let Some(message) = report.output_loss {
                journal.note(at_ns, NoteKind::Warning, format!("neighbour {name}: {message}"), None);
            }
        }
    }
}

impl Drop for Neighbours {
    fn drop(&mut self) {
        while let Some(Running { neighbour, .. }) = self.all.pop() {
            neighbour.stop(&AtomicBool::new(true));
        }
    }
}

/// Whether who is pinned to these may run on the same core; who is not pinned may run anywhere.
pub(crate) fn shares(some: &[usize], others: &[usize]) -> bool {
    some.is_empty() || others.is_empty() || some.iter().any(|cpu| others.contains(cpu))
}
