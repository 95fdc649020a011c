//! What the service needs beside it: started before it, watched with it, stopped after it.

use crate::error::LabError;
use crate::journal::Journal;
use crate::stand_in;
use plimsoll_findings::Event;
use plimsoll_measure::{NeighbourSample, NoteKind, Record};
use plimsoll_plan::{self as plan, Command, KnownSecrets, NeighbourPlan, Plan};
use plimsoll_target::{ExitReport, Neighbour, NeighbourError, Scratch, ToStart};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The neighbours that run, in the order of the plan. Dropping them ends them, the last one first.
#[derive(Default)]
pub(crate) struct Neighbours {
    all: Vec<Running>,
    /// Where stand-ins read what they do, and all write when no run directory is kept; removed when they have ended.
    scratch: Option<Scratch>,
}

struct Running {
    to_start: ToStart,
    hidden: KnownSecrets,
    shares_cores: bool,
    /// Not there while it is gone on purpose.
    neighbour: Option<Neighbour>,
}

impl Running {
    fn start(&mut self, stop: &AtomicBool) -> Result<(), NeighbourError> {
        let started = Neighbour::start(&self.to_start, &self.hidden, stop)?;
        self.neighbour = Some(started);
        Ok(())
    }
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
        for beside in &plan.target().beside {
            let output = match journal.output_path_of(&beside.name) {
                Some(path) => path,
                None => neighbours.scratch()?.join(&beside.name),
            };
            let NeighbourPlan { name, neighbour, cpus } = beside;
            let cpus = match cpus.as_slice() {
                [] => cores.neighbours,
                own => own,
            };
            journal.emit(Event::NeighbourStarting {
                name,
                command: &neighbour.shown(),
            });
            let (command, ready) = match neighbour {
                plan::Neighbour::Program { command, ready } => (Command::clone(command), ready.clone()),
                plan::Neighbour::StandIn(stand_in) => {
                    let file = neighbours.scratch()?.join(format!("{name}.json"));
                    stand_in::to_start(name, stand_in, plan.seed(), &file)?
                }
            };
            let mut running = Running {
                to_start: ToStart {
                    name: name.clone(),
                    command,
                    ready,
                    cpus: cpus.to_vec(),
                    output,
                },
                hidden: hidden.clone(),
                shares_cores: shares(cpus, cores.service),
                neighbour: None,
            };
            running.start(stop)?;
            neighbours.all.push(running);
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
        for running in &mut self.all {
            running.hidden = hidden.clone();
            running
                .neighbour
                .iter_mut()
                .for_each(|neighbour| neighbour.hide(hidden));
        }
    }

    /// Records what each of them used.
    pub(crate) fn record(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        for running in &mut self.all {
            let sample = running.neighbour.as_mut().and_then(|neighbour| neighbour.sample(at_ns));
            if let Some(sample) = sample {
                journal.push(&Record::Neighbour(NeighbourSample {
                    name: running.to_start.name.clone(),
                    shares_cores: running.shares_cores,
                    sample,
                }));
            }
        }
    }

    /// Lets one stand still. Its connections stay open.
    pub(crate) fn pause(&mut self, name: &str) {
        self.named(name).for_each(Neighbour::pause);
    }

    /// Lets it go on.
    pub(crate) fn go_on(&mut self, name: &str) {
        self.named(name).for_each(Neighbour::go_on);
    }

    /// Ends one; notes say what it left undone.
    pub(crate) fn end(&mut self, name: &str, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
        let one = self.all.iter_mut().find(|running| running.to_start.name == name);
        if let Some(neighbour) = one.and_then(|running| running.neighbour.take()) {
            end(neighbour, at_ns, stop, journal);
        }
    }

    /// Starts one again that was ended, and waits until it is ready.
    pub(crate) fn start_again(&mut self, name: &str, stop: &AtomicBool) -> Result<(), NeighbourError> {
        let mut gone = self.all.iter_mut().filter(|running| running.neighbour.is_none());
        gone.find(|running| running.to_start.name == name)
            .map_or(Ok(()), |running| running.start(stop))
    }

    fn named(&mut self, name: &str) -> impl Iterator<Item = &mut Neighbour> {
        let those = self.all.iter_mut().filter_map(|running| running.neighbour.as_mut());
        those.filter(move |neighbour| neighbour.name() == name)
    }

    /// The first that has ended by itself. Cheap enough to ask every tick.
    pub(crate) fn exited(&self) -> Option<(&str, ExitReport)> {
        let neighbours = self.all.iter().filter_map(|running| running.neighbour.as_ref());
        neighbours
            .map(|neighbour| (neighbour.name(), neighbour.exited()))
            .find_map(|(name, exited)| Some((name, exited?)))
    }

    /// Stops them, the last one first; notes say what they left undone.
    pub(crate) fn stop(mut self, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
        while let Some(running) = self.all.pop() {
            if let Some(neighbour) = running.neighbour {
                end(neighbour, at_ns, stop, journal);
            }
        }
    }
}

/// Stops a neighbour; notes say what it left undone.
fn end(neighbour: Neighbour, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
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

impl Drop for Neighbours {
    fn drop(&mut self) {
        while let Some(running) = self.all.pop() {
            running
                .neighbour
                .map(|neighbour| neighbour.stop(&AtomicBool::new(true)));
        }
    }
}

/// Whether who is pinned to these may run on the same core; who is not pinned may run anywhere.
pub(crate) fn shares(some: &[usize], others: &[usize]) -> bool {
    some.is_empty() || others.is_empty() || some.iter().any(|cpu| others.contains(cpu))
}
