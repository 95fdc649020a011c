//! Completes the directory of a run whose process died, with what the agents of its fleet still have.
//!
//! A run writes every tick that all agents have handed in. What is missing is what they measured since, until their leases ended, and the end.

use crate::error::LabError;
use crate::replay::replay;
use crate::replay_run::plan;
use plimsoll_engine::monotonic_ns;
use plimsoll_findings::Findings;
use plimsoll_fleet::{AgentId, Bus, Dial, FromAgent, Had, Listener, Recall, RecallStage, RunId, decode, encode};
use plimsoll_measure::run_directory::{FleetRun, RunReader, RunWriter, write_findings};
use plimsoll_measure::{Ended, Note, NoteKind, Record, RunEnd, StepEnd, Tick};
use plimsoll_plan::Running;
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at the clock, at most.
const LOOK: Duration = Duration::from_millis(20);
/// Messages that are taken in before the clock is looked at again.
const MESSAGES_MAX: usize = 1_000;

/// Completes the run in `directory`, and says what it comes to. At least so many of its agents have to have what they measured; `None` is
/// all of them.
///
/// # Errors
/// When it is complete, or its run goes on, or too few agents respond: then nothing is changed.
pub fn resume(directory: &Path, dial: &dyn Dial, least: Option<u32>, stop: &AtomicBool) -> Result<Findings, LabError> {
    complete(directory, dial, least, stop)?;
    let findings = replay(directory)?;
    write_findings(directory, &plimsoll_report::json(&findings))?;
    Ok(findings)
}

fn complete(directory: &Path, dial: &dyn Dial, least: Option<u32>, stop: &AtomicBool) -> Result<(), LabError> {
    let reader = RunReader::open(directory)?;
    let shows = format!("`plimsoll report {}` shows what it has", directory.display());
    let refused = |found: &str| LabError::Resume {
        found: found.to_owned(),
        hint: Some(shows.clone()),
    };
    let Some(there) = reader.fleet() else {
        if let Some(last) = reader.inner()?.last() {
            let found =
                "found a directory of several runs, expected the directory of the one that was cut off".to_owned();
            let hint = Some(format!("the last of them is {}", last.path().display()));
            return Err(LabError::Resume { found, hint });
        }
        return Err(refused(
            "found no agents of other machines in its directory, so nobody has more of it than that",
        ));
    };
    // Before anything is written.
    if Cut::of(&reader)?.has_ended {
        return Err(refused("found its end in its directory: it is complete"));
    }
    let mut writer = RunWriter::resume(directory)?;
    let cut = Cut::of(&reader)?;
    let asked = Asked::of(&there)?;
    let Some((step, from)) = cut.open else {
        // No agent sends between steps.
        return cut.end(&mut writer);
    };
    let recall = Recall::new(asked.run.clone(), asked.agents.clone(), step, from, monotonic_ns());
    let bus = dial.dial(&Listener::Coordinator(asked.run.clone()))?;
    let mut link = Link { recall, bus };
    match link.ask(stop)? {
        RecallStage::GoesOn(place) => {
            let found = format!("agent {} still makes its load, so the run goes on", asked.agents[place]);
            let hint = Some("wait until it ends, or stop it where it was started".to_owned());
            return Err(LabError::Resume { found, hint });
        }
        RecallStage::Asking | RecallStage::Over => {}
    }
    let had = link.recall.had();
    let lost: Vec<String> = asked.agents.iter().zip(&had).filter_map(lost).collect();
    let there = asked.agents.len() - lost.len();
    if there < least.map_or(asked.agents.len(), |least| least as usize) {
        let found = format!("{} on {}", lost.join("; "), dial.place());
        let hint = match there {
            0 => format!("look whether they and their broker run; {shows}"),
            _ => format!(
                "look whether they run, and ask again; --min-agents {there} does without, and what it measured is lost"
            ),
        };
        return Err(LabError::Resume {
            found,
            hint: Some(hint),
        });
    }
    let ticks = link.recall.ticks();
    let target = plan(&reader)?.target().clone();
    let started = target.command.is_some() || matches!(target.running, Some(Running::Hosted(_)));
    let notes = cut.notes(&asked, &had, &lost, &ticks, started);
    cut.add(&mut writer, reader.info().quantiles.as_slice(), &ticks, &notes)?;
    link.recall.release();
    link.say()
}

/// Why an agent has not what it measured.
fn lost((agent, had): (&AgentId, &Had)) -> Option<String> {
    match had {
        Had::From { .. } => None,
        Had::Nothing => Some(format!("agent {agent} does not know the run any more")),
        Had::Silent => Some(format!("agent {agent} does not respond")),
    }
}

/// The agents of a run as the bus knows them.
struct Asked {
    run: RunId,
    agents: Vec<AgentId>,
}

impl Asked {
    fn of(there: &FleetRun) -> Result<Self, LabError> {
        let agents: Option<Vec<_>> = there.agents.iter().map(|agent| AgentId::of_text(agent)).collect();
        match RunId::of_part(&there.run).zip(agents.filter(|agents| !agents.is_empty())) {
            Some((run, agents)) => Ok(Self { run, agents }),
            None => Err(LabError::Resume {
                found: "found names in fleet.json that no agent has".to_owned(),
                hint: None,
            }),
        }
    }
}

/// Where the records of a run that was cut off end.
#[derive(Default)]
struct Cut {
    has_ended: bool,
    /// The step that went on, and its next tick.
    open: Option<(u32, u32)>,
    /// Requests of each agent in that step, as far as they are there; of all together where there is one.
    started: Vec<u64>,
    end_ns: u64,
}

impl Cut {
    fn of(reader: &RunReader) -> Result<Self, LabError> {
        let mut cut = Self::default();
        reader.for_each(|record| match record {
            Record::StepStart(start) => {
                cut.open = Some((start.step, 0));
                cut.started.clear();
                cut.end_ns = cut.end_ns.max(start.at_ns);
            }
            Record::Tick { line, .. } => {
                cut.open = Some((line.step, line.index.saturating_add(1)));
                let agents = line.agents.iter().map(|agent| agent.counters.scheduled);
                add_each(&mut cut.started, agents, line.counters.scheduled);
                cut.end_ns = cut.end_ns.max(line.end_ns());
            }
            Record::StepEnd(end) => {
                cut.open = None;
                cut.end_ns = cut.end_ns.max(end.at_ns);
            }
            Record::RunEnd(_) => cut.has_ended = true,
            _ => {}
        })?;
        Ok(cut)
    }

    /// What its reader should know of the ticks that are added, and of those that are missing.
    fn notes(&self, asked: &Asked, had: &[Had], lost: &[String], ticks: &[Tick], started: bool) -> Vec<Note> {
        let note = |kind, message, hint: Option<&str>| Note {
            at_ns: self.end_ns,
            kind,
            message,
            hint: hint.map(str::to_owned),
        };
        let after_s = self.end_ns as f64 / 1e9;
        let more: u64 = ticks.iter().map(|tick| tick.counters.scheduled).sum();
        let mut notes = vec![note(
            NoteKind::Interrupted,
            format!(
                "the run was cut off after {after_s:.1} s, and its agents began {more} requests more: these are counted, and not judged"
            ),
            started.then_some(
                "the run had started the service, which ended with it, so the last requests may have failed by that",
            ),
        )];
        notes.extend(lost.iter().map(|why| {
            let message = format!("{why}: what it measured after the first {after_s:.1} s is missing");
            note(NoteKind::AgentLost, message, None)
        }));
        let mut started = self.started.clone();
        for tick in ticks {
            let agents = tick.agents.iter().map(|counters| counters.scheduled);
            add_each(&mut started, agents, tick.counters.scheduled);
        }
        started.resize(asked.agents.len(), 0);
        for ((agent, had), known) in asked.agents.iter().zip(had).zip(started) {
            if let Had::From { started, .. } = had
                && *started != known
            {
                let message = format!(
                    "agent {agent} began {started} requests, and {known} are counted: the others were lost on the way"
                );
                notes.push(note(NoteKind::Warning, message, None));
            }
        }
        notes
    }

    /// Adds ticks behind what is there, and the end.
    fn add(self, writer: &mut RunWriter, quantiles: &[f64], ticks: &[Tick], notes: &[Note]) -> Result<(), LabError> {
        let Some((step, _)) = self.open else { return Ok(()) };
        // What comes behind the interruption is not judged.
        for note in notes {
            writer.append(&Record::Note(note.clone()))?;
        }
        for tick in ticks {
            writer.append(&Record::Tick {
                line: tick.line(step, quantiles),
                durations: Cow::Borrowed(&tick.durations),
                target: None,
            })?;
        }
        let last_ns = ticks
            .iter()
            .map(|tick| tick.start_ns.saturating_add(tick.duration_ns))
            .max();
        let at_ns = self.end_ns.max(last_ns.unwrap_or_default());
        let end = StepEnd {
            step,
            at_ns,
            cut_short: true,
        };
        writer.append(&Record::StepEnd(end))?;
        let end_ns = at_ns;
        Self { end_ns, ..self }.end(writer)
    }

    fn end(&self, writer: &mut RunWriter) -> Result<(), LabError> {
        let end = RunEnd {
            at_ns: self.end_ns,
            ended: Ended::Interrupted,
        };
        Ok(writer.append(&Record::RunEnd(end))?)
    }
}

/// Adds what each of several agents did, or the only one.
fn add_each(sums: &mut Vec<u64>, agents: impl ExactSizeIterator<Item = u64>, all: u64) {
    let each: Vec<u64> = if agents.len() == 0 { vec![all] } else { agents.collect() };
    sums.resize(sums.len().max(each.len()), 0);
    for (sum, one) in sums.iter_mut().zip(each) {
        *sum = sum.saturating_add(one);
    }
}

/// A recall over a bus.
struct Link {
    recall: Recall,
    bus: Box<dyn Bus>,
}

impl Link {
    fn ask(&mut self, stop: &AtomicBool) -> Result<RecallStage, LabError> {
        loop {
            self.recall.poll(monotonic_ns());
            self.say()?;
            let mut wait = LOOK;
            for _ in 0..MESSAGES_MAX {
                let Some(delivery) = self.bus.receive(wait)? else { break };
                // Who speaks for another agent is not heard.
                if let Ok(message) = decode::<FromAgent>(&delivery.message)
                    && delivery.to == message.address()
                {
                    self.recall.receive(monotonic_ns(), message);
                }
                wait = Duration::ZERO;
            }
            match self.recall.stage(monotonic_ns()) {
                RecallStage::Asking if stop.load(Ordering::Relaxed) => return Err(LabError::Stopped),
                RecallStage::Asking => {}
                stage => return Ok(stage),
            }
        }
    }

    fn say(&mut self) -> Result<(), LabError> {
        for (to, message) in self.recall.sent() {
            let bytes = encode(&message).map_err(|error| LabError::Resume {
                found: error.to_string(),
                hint: None,
            })?;
            self.bus.send(&to, bytes)?;
        }
        Ok(())
    }
}
