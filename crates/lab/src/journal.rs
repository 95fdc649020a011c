//! Every record goes three ways: into the run directory, into the findings, to the renderer.

use crate::keeping::incomplete;
use crate::outcome::Outcome;
use crate::relayed::{Relayed, RelayedProfile};
use plimsoll_analysis::Fold;
use plimsoll_diagnosis::{CounterFold, lines_alive};
use plimsoll_findings::{Event, Findings, TrendOutcome, TrendQuantity};
use plimsoll_measure::probe::{Content, ProbeLine, ProbeMessage};
use plimsoll_measure::run_directory::{DirectoryError, RunWriter};
use plimsoll_measure::{Ended, Note, NoteKind, Profile, Record, RunEnd};
use plimsoll_target::{Origins, Sources, read_cpuprofile_after, read_heapprofile};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// Contents that are remembered: those of a cluster with many workers.
const CONTENTS_MAX: usize = 4096;

pub(crate) struct Journal<'a> {
    writer: Option<RunWriter>,
    pub(crate) fold: Fold,
    pub(crate) counters: CounterFold,
    contents: BTreeSet<Content>,
    pub(crate) profile: Profile,
    /// As a profile whose times are bytes.
    pub(crate) allocations: Profile,
    on_event: &'a mut dyn FnMut(Event<'_>),
    /// What was kept since it was [taken](Journal::take_relayed), for the journal of a run on another machine.
    relayed: Option<Vec<Relayed>>,
}

impl<'a> Journal<'a> {
    pub(crate) fn new(writer: Option<RunWriter>, fold: Fold, on_event: &'a mut dyn FnMut(Event<'_>)) -> Self {
        Self {
            writer,
            fold,
            counters: CounterFold::default(),
            contents: BTreeSet::new(),
            profile: Profile::default(),
            allocations: Profile::default(),
            on_event,
            relayed: None,
        }
    }

    /// One that keeps what is to be relayed to the journal of a run on another machine.
    pub(crate) fn relaying(fold: Fold, on_event: &'a mut dyn FnMut(Event<'_>)) -> Self {
        Self {
            relayed: Some(Vec::new()),
            ..Self::new(None, fold, on_event)
        }
    }

    /// What was kept since the last time, in order.
    pub(crate) fn take_relayed(&mut self) -> Vec<Relayed> {
        self.relayed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn relay(&mut self, relayed: impl FnOnce() -> Option<Relayed>) {
        if let Some(all) = &mut self.relayed {
            all.extend(relayed());
        }
    }

    /// Keeps what was relayed from another machine.
    pub(crate) fn take_in(&mut self, at_ns: u64, relayed: Relayed) {
        match relayed {
            Relayed::Note(note) => self.push(&Record::Note(note)),
            Relayed::Instances(sample) => self.push(&Record::Instances(sample)),
            Relayed::Collection(mark) => self.push(&Record::Collection(mark)),
            Relayed::Kept(sample) => self.push(&Record::Kept(sample)),
            Relayed::LoopDelays(delays) => self.push(&Record::LoopDelays(delays)),
            Relayed::Neighbour(sample) => self.push(&Record::Neighbour(sample)),
            Relayed::Probe(line) => self.probe(at_ns, &line),
            Relayed::Profile(profile) => {
                let RelayedProfile { number, json, origins } = profile;
                self.write(at_ns, |writer| writer.profile(number, &json, &origins));
                self.kept_profile(&json, &origins);
            }
            Relayed::Allocations(profile) => {
                let RelayedProfile { number, json, origins } = profile;
                self.write(at_ns, |writer| writer.allocations(number, &json, &origins));
                self.kept_allocations(&json, &origins);
            }
        }
    }

    pub(crate) fn emit(&mut self, event: Event<'_>) {
        (self.on_event)(event);
    }

    /// Keeps a record. When the run directory cannot be written any more, the run goes on without it.
    pub(crate) fn push(&mut self, record: &Record<'_>) {
        self.fold.push(record);
        if let Record::Note(note) = record {
            (self.on_event)(Event::Note(note));
        }
        self.write(at_ns(record), |writer| writer.append(record));
        self.relay(|| Relayed::of(record));
    }

    /// Keeps what the probe said.
    pub(crate) fn probe(&mut self, at_ns: u64, line: &ProbeLine) {
        self.counters.push(line);
        if let ProbeLine::From { message, .. } = line
            && let ProbeMessage::Content(content) = message
            && self.contents.len() < CONTENTS_MAX
        {
            self.contents.insert(content.clone());
        }
        self.write(at_ns, |writer| writer.probe(line));
        self.relay(|| Some(Relayed::Probe(line.clone())));
    }

    /// Says of each call site once more where it is, if someone wrote it elsewhere.
    pub(crate) fn restore_sites(&mut self, at_ns: u64, sources: &mut Sources) {
        sources.look_up_sites(self.counters.sites().map(|(_, site)| site));
        let mut restored = Vec::new();
        for (connection, site) in self.counters.sites() {
            let mut found = site.clone();
            sources.restore_site(&mut found);
            if found != *site {
                let message = ProbeMessage::Site(found);
                restored.push(ProbeLine::From { connection, message });
            }
        }
        for line in restored {
            self.probe(at_ns, &line);
        }
    }

    /// Keeps a CPU profile that was just taken, with what `sources` knows of where its code comes from.
    /// Its first part was warm-up.
    pub(crate) fn take_profile(
        &mut self,
        at_ns: u64,
        number: u32,
        json: &str,
        warm_up: Duration,
        sources: &mut Sources,
    ) {
        let Some(mut profile) = self.readable(at_ns, read_cpuprofile_after(json.as_bytes(), warm_up)) else {
            return;
        };
        let mut origins = sources.origins_with_lines(&profile);
        origins.warm_up_us = warm_up.as_micros() as u64;
        self.write(at_ns, |writer| writer.profile(number, json, &origins));
        self.relay(|| Some(Relayed::Profile(RelayedProfile::new(number, json, &origins))));
        origins.restore(&mut profile);
        self.profile.merge(&profile);
    }

    /// Keeps what was sampled of memory, likewise.
    pub(crate) fn take_allocations(&mut self, at_ns: u64, number: u32, json: &str, sources: &mut Sources) {
        let Some(mut profile) = self.readable(at_ns, read_heapprofile(json.as_bytes())) else {
            return;
        };
        let origins = sources.origins(&profile);
        self.write(at_ns, |writer| writer.allocations(number, json, &origins));
        self.relay(|| Some(Relayed::Allocations(RelayedProfile::new(number, json, &origins))));
        origins.restore(&mut profile);
        self.allocations.merge(&profile);
    }

    /// Takes in what was kept of memory.
    pub(crate) fn kept_allocations(&mut self, json: &str, origins: &Origins) {
        if let Some(mut profile) = self.readable(0, read_heapprofile(json.as_bytes())) {
            origins.restore(&mut profile);
            self.allocations.merge(&profile);
        }
    }

    /// Takes in a CPU profile that was kept.
    pub(crate) fn kept_profile(&mut self, json: &str, origins: &Origins) {
        let warm_up = Duration::from_micros(origins.warm_up_us);
        if let Some(mut profile) = self.readable(0, read_cpuprofile_after(json.as_bytes(), warm_up)) {
            origins.restore(&mut profile);
            self.profile.merge(&profile);
        }
    }

    /// What was read; of what could not be read a note says why.
    fn readable<T>(&mut self, at_ns: u64, read: Result<T, impl Display>) -> Option<T> {
        if let Err(error) = &read {
            self.note(at_ns, NoteKind::Warning, format!("failed to {error}"), None);
        }
        read.ok()
    }

    /// Where the output of a neighbour of the service is kept, if it is.
    pub(crate) fn output_path_of(&self, neighbour: &str) -> Option<PathBuf> {
        Some(self.writer.as_ref()?.output_path_of(neighbour))
    }

    /// Writes to the run directory, if there is one.
    fn write(&mut self, at_ns: u64, write: impl FnOnce(&mut RunWriter) -> Result<(), DirectoryError>) {
        if let Some(Err(error)) = self.writer.as_mut().map(write) {
            self.directory_failed(at_ns, &error);
        }
    }

    fn directory_failed(&mut self, at_ns: u64, error: &DirectoryError) {
        let note = incomplete(at_ns, error);
        self.fold.push(&Record::Note(note.clone()));
        (self.on_event)(Event::Note(&note));
    }

    /// What the records come to, with the lines that hold what grows.
    pub(crate) fn findings(&self) -> Findings {
        let mut findings = self.fold.findings();
        if let Some(soak) = &mut findings.soak
            && let Some(kept) = &mut soak.kept
            && soak
                .trends
                .iter()
                .any(|trend| trend.quantity == TrendQuantity::KeptBytes && trend.outcome == TrendOutcome::Grows)
        {
            kept.lines = lines_alive(&self.allocations, self.counters.directory().unwrap_or_default());
        }
        findings
    }

    /// Closes the stream: without this it counts as cut off.
    pub(crate) fn end(&mut self, at_ns: u64, ended: Ended) {
        self.push(&Record::RunEnd(RunEnd { at_ns, ended }));
    }

    /// Keeps what the run came to.
    pub(crate) fn keep(&mut self, findings: &Findings) {
        let json = plimsoll_report::json(findings);
        self.write(0, |writer| writer.findings(&json));
    }

    pub(crate) fn note(&mut self, at_ns: u64, kind: NoteKind, message: String, hint: Option<String>) {
        self.push(&Record::Note(Note {
            at_ns,
            kind,
            message,
            hint,
        }));
    }

    pub(crate) fn into_outcome(self, findings: Findings) -> Outcome {
        Outcome {
            findings,
            directory: self.writer.map(|writer| writer.path().to_owned()),
            counters: self.counters,
            contents: self.contents,
            profile: self.profile,
            allocations: self.allocations,
        }
    }
}

fn at_ns(record: &Record<'_>) -> u64 {
    match record {
        Record::StepStart(start) => start.at_ns,
        Record::Tick { line, .. } => line.start_ns.saturating_add(line.duration_ns),
        Record::Machine(sample) => sample.at_ns,
        Record::Instances(sample) => sample.at_ns,
        Record::Collection(mark) => mark.at_ns,
        Record::Kept(sample) => sample.at_ns,
        Record::LoopDelays(delays) => delays.at_ns,
        Record::Neighbour(neighbour) => neighbour.sample.at_ns,
        Record::Shock(mark) => mark.at_ns,
        Record::StepEnd(end) => end.at_ns,
        Record::Note(note) => note.at_ns,
        Record::RunEnd(end) => end.at_ns,
    }
}
