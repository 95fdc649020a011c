//! Reading a run directory, whole or torn.

use super::TargetLine;
use super::budget::{Budget, Content};
use super::comparison::ComparisonInfo;
use super::hlog::{Interval, Kind, Milliseconds};
use super::lines::{self, Lines};
use super::open::{kept_text, open, optional_text, without_run};
use super::order::Order;
use super::{
    ALLOCATIONS, DirectoryError, FINDINGS, FLEET, FORMAT, FleetRun, HISTOGRAMS, HOST, Line, ORIGINS, PLAN, PROBE,
    PROFILE, RUN, TARGET, TICKS,
};

use crate::durations::TickDurations;
use crate::probe::ProbeLine;
use crate::record::{Host, Note, NoteKind, Record, RunInfo, StepStart};
use crate::target::TargetSample;
use crate::tick::TickLine;
use plimsoll_files::Directory;
use std::borrow::Cow;
use std::path::Path;

/// Of each step that is over some kilobytes are kept.
const MOST_STEPS: u32 = 5000;
const MOST_NOTES: u32 = 5000;
const MOST_NOTE_BYTES: usize = 4096;
/// A diagnosis is one search and three passes.
const MOST_INNER: usize = 64;
/// One for each thread and process.
const MOST_PROFILES: usize = 256;

/// A run directory, perhaps of a run that crashed or still goes on.
#[derive(Debug)]
pub struct RunReader {
    directory: Directory,
    info: RunInfo,
    plan_json: Option<String>,
    host: Option<Host>,
    warnings: Vec<String>,
    budget: Budget,
}

/// A profile as it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptProfile {
    /// The name of its file.
    pub name: String,
    /// What V8 wrote.
    pub json: String,
    /// What is known of where its lines come from, as JSON.
    pub origins: Option<String>,
}

impl RunReader {
    /// Reads everything but the stream of records. Only `run.json` must be there.
    ///
    /// # Errors
    /// [`DirectoryError::NotARun`] when `path` holds no run, [`DirectoryError::Newer`] when a later plimsoll wrote it,
    /// [`DirectoryError::Malformed`] when `run.json` is damaged, [`DirectoryError::Io`] when a file cannot be read.
    pub fn open(path: &Path) -> Result<Self, DirectoryError> {
        Self::of(open(path)?, &Budget::default())
    }

    /// As [`RunReader::open`], of a directory that is open, from what is left of a budget.
    ///
    /// # Errors
    /// As [`RunReader::open`].
    pub fn of(directory: Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        let text = optional_text(&directory, RUN, Content::About, budget)?.ok_or_else(|| without_run(&directory))?;
        let info = FORMAT.parse(&directory.path().join(RUN), &text)?;
        let mut warnings = Vec::new();
        let host = optional_text(&directory, HOST, Content::About, budget)?.and_then(|text| {
            serde_json::from_str(&text)
                .map_err(|error| warnings.push(format!("{HOST} cannot be read: {error}")))
                .ok()
        });
        Ok(Self {
            info,
            plan_json: optional_text(&directory, PLAN, Content::Plan, budget)?,
            host,
            warnings,
            directory,
            budget: budget.clone(),
        })
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// What the run is.
    #[must_use]
    pub const fn info(&self) -> &RunInfo {
        &self.info
    }

    /// The plan as it was written; `None` when the file is gone.
    #[must_use]
    pub fn plan_json(&self) -> Option<&str> {
        self.plan_json.as_deref()
    }

    /// The machine; `None` when the file is not there or damaged.
    #[must_use]
    pub const fn host(&self) -> Option<&Host> {
        self.host.as_ref()
    }

    /// By what the agents of its fleet know it; `None` where no fleet made its load that may have more of it, or the file is damaged.
    #[must_use]
    pub fn fleet(&self) -> Option<FleetRun> {
        let text = optional_text(&self.directory, FLEET, Content::About, &self.budget).ok()?;
        serde_json::from_str(&text?).ok()
    }

    /// The findings as they were written; `None` when the run ended before it had any, or they cannot be read.
    #[must_use]
    pub fn findings_json(&self) -> Option<String> {
        optional_text(&self.directory, FINDINGS, Content::Findings, &self.budget)
            .ok()
            .flatten()
    }

    /// The run directories inside of this one, in the order in which they were begun.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the directory cannot be listed, and as [`RunReader::open`].
    pub fn inner(&self) -> Result<Vec<Self>, DirectoryError> {
        let directories = self
            .names()?
            .into_iter()
            .filter_map(|name| self.directory.inner(&name).ok());
        directories
            .filter(|inner| inner.has(RUN))
            .take(MOST_INNER)
            .map(|inner| Self::of(inner, &self.budget))
            .collect()
    }

    /// The directories of comparisons inside of this one, in the order in which they were begun.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the directory cannot be listed.
    pub fn comparisons(&self) -> Result<Vec<Directory>, DirectoryError> {
        let directories = self
            .names()?
            .into_iter()
            .filter_map(|name| self.directory.inner(&name).ok());
        Ok(directories.filter(ComparisonInfo::is_in).take(MOST_INNER).collect())
    }

    /// What may still be read.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    fn names(&self) -> Result<Vec<String>, DirectoryError> {
        let names = self.directory.names();
        names.map_err(|error| DirectoryError::io("list", self.directory.path(), error))
    }

    /// What the probe said, in order; a torn line is left out. Nothing for a run without probe. Returns what was left
    /// out because there was too much of it.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be read, [`DirectoryError::Malformed`] when it holds no lines.
    pub fn for_each_probe_line(&self, mut f: impl FnMut(&ProbeLine)) -> Result<Option<String>, DirectoryError> {
        let mut lines = Lines::open(&self.directory, PROBE, Content::Probe, &self.budget)?;
        while let Some(line) = lines.next(|text| serde_json::from_str(text).ok(), |_| false)? {
            f(&line);
        }
        Ok(lines.left_out())
    }

    /// The CPU profiles of the run, one in memory at a time, in the order of their names. Returns what was left out
    /// because there was too much of it.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when one cannot be read.
    pub fn for_each_profile(&self, f: impl FnMut(KeptProfile)) -> Result<Option<String>, DirectoryError> {
        self.for_each_kept(PROFILE, f)
    }

    /// The samples of where memory was asked for, in the same way.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when one cannot be read.
    pub fn for_each_allocations(&self, f: impl FnMut(KeptProfile)) -> Result<Option<String>, DirectoryError> {
        self.for_each_kept(ALLOCATIONS, f)
    }

    fn for_each_kept(&self, kind: &str, mut f: impl FnMut(KeptProfile)) -> Result<Option<String>, DirectoryError> {
        let names = self.names()?;
        let stems = names
            .iter()
            .filter_map(|name| name.strip_suffix(kind)?.strip_suffix('.'));
        let stems: Vec<&str> = stems.collect();
        if stems.len() > MOST_PROFILES {
            let found = format!("more than {MOST_PROFILES} files of the kind {kind}");
            return Err(DirectoryError::malformed(self.directory.path(), found));
        }
        for (read, stem) in stems.iter().enumerate() {
            let name = format!("{stem}.{kind}");
            let Some(json) = kept_text(&self.directory, &name, Content::Profile)? else {
                continue;
            };
            let origins = kept_text(&self.directory, &format!("{stem}.{ORIGINS}"), Content::Origins)?;
            let origins_bytes = origins.as_ref().map_or(0, String::len);
            for (content, bytes) in [(Content::Profile, json.len()), (Content::Origins, origins_bytes)] {
                if !self.budget.takes(content, bytes) {
                    let left_out = stems.len() - read;
                    return Ok(Some(format!(
                        "{left_out} of {} files *.{kind} are left out: beyond {}",
                        stems.len(),
                        content.together()
                    )));
                }
            }
            f(KeptProfile { name, json, origins });
        }
        Ok(None)
    }

    /// One more; an error where there are more than any run has.
    fn counted(&self, before: u32, most: u32, what: &str) -> Result<u32, DirectoryError> {
        if before < most {
            return Ok(before + 1);
        }
        let path = self.directory.path().join(TICKS);
        Err(DirectoryError::malformed(&path, format!("more than {most} {what}")))
    }

    /// Yields the records in the order in which they were appended. What a crash tore is left out, and a note at the
    /// end says so: of kind [`NoteKind::Torn`] where records are lost, of kind [`NoteKind::Warning`] else.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when a file cannot be read, [`DirectoryError::Malformed`] when it holds no lines.
    pub fn for_each(&self, mut f: impl FnMut(Record<'_>)) -> Result<(), DirectoryError> {
        let mut ticks = Lines::open(&self.directory, TICKS, Content::Ticks, &self.budget)?;
        let mut histograms = Histograms::open(&self.directory, &self.budget)?;
        let mut samples = Samples::open(&self.directory, &self.budget)?;
        let mut order = Order::default();
        let mut at_ns = 0;
        let mut samples_written = None;
        let (mut steps, mut notes) = (0_u32, 0_u32);
        while let Some(line) = ticks.next(lines::json, |_| false)? {
            if !order.follow(&line, ticks.number()) {
                continue;
            }
            let record = match line {
                Line::StepStart(start) => {
                    steps = self.counted(steps, MOST_STEPS, "steps")?;
                    let target = samples.take(start.step, None)?;
                    Record::StepStart(StepStart { target, ..start })
                }
                Line::Tick(line) => Record::Tick {
                    durations: Cow::Owned(histograms.take(&line)?),
                    target: samples.take(line.step, Some(line.index))?,
                    line: *line,
                },
                Line::Machine(sample) => Record::Machine(sample),
                Line::Instances(sample) => Record::Instances(sample),
                Line::Collection(mark) => Record::Collection(mark),
                Line::Kept(sample) => Record::Kept(sample),
                Line::LoopDelays(delays) => Record::LoopDelays(delays),
                Line::Neighbour(sample) => Record::Neighbour(sample),
                Line::Shock(mark) => Record::Shock(mark),
                Line::StepEnd(end) => Record::StepEnd(end),
                Line::Note(mut note) => {
                    notes = self.counted(notes, MOST_NOTES, "notes")?;
                    for text in [Some(&mut note.message), note.hint.as_mut()].into_iter().flatten() {
                        cut(text, MOST_NOTE_BYTES);
                    }
                    Record::Note(note)
                }
                Line::RunEnd(line) => {
                    samples_written = Some(line.samples);
                    Record::RunEnd(line.end)
                }
                Line::Unknown => continue,
            };
            at_ns = at_ns.max(end_ns(&record));
            f(record);
        }
        let missing = ticks
            .is_missing()
            .then(|| format!("{TICKS} is missing: the run has no figures"));
        // What a tick was judged by is in its line as well; of lines and samples nothing else is left.
        let warnings = self.warnings.iter().cloned().chain(histograms.losses());
        let torn = [
            missing,
            ticks.losses().or_else(|| order.losses()),
            order.additions(),
            samples.losses(samples_written),
        ];
        let notes = warnings.map(|message| (NoteKind::Warning, message));
        let torn = torn.into_iter().flatten().map(|message| (NoteKind::Torn, message));
        for (kind, message) in notes.chain(torn) {
            f(Record::Note(Note {
                at_ns,
                kind,
                message,
                hint: None,
            }));
        }
        Ok(())
    }
}

/// The histograms of `latency.hlog`, matched to ticks by their start: a tick knows from its summary which ones
/// it has, so that a gap is noticed and does not shift the ones behind it.
struct Histograms {
    lines: Lines,
    next: Option<Interval>,
    ticks_torn: u64,
}

impl Histograms {
    fn open(directory: &Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        Ok(Self {
            lines: Lines::open(directory, HISTOGRAMS, Content::Histograms, budget)?,
            next: None,
            ticks_torn: 0,
        })
    }

    fn take(&mut self, tick: &TickLine) -> Result<TickDurations, DirectoryError> {
        let mut durations = TickDurations::with_places(tick.requests.len(), tick.agents.len());
        let start = Milliseconds::round(tick.start_ns);
        let mut torn = false;
        for kind in Kind::all(&durations) {
            let (Some(summaries), Some(durations)) = (tick.summaries(kind.part), durations.part_mut(kind.part)) else {
                continue;
            };
            let count = summaries[kind.timing].count;
            if count == 0 {
                continue;
            }
            let found = self
                .take_if(start, kind)?
                .and_then(Interval::histogram)
                .filter(|histogram| histogram.count() == count);
            match found {
                Some(histogram) => durations[kind.timing] = histogram,
                None => torn = true,
            }
        }
        self.ticks_torn += u64::from(torn);
        Ok(durations)
    }

    /// Skips what is older: lines of ticks that were lost.
    fn take_if(&mut self, start: Milliseconds, kind: Kind) -> Result<Option<Interval>, DirectoryError> {
        loop {
            let next = match self.next.take() {
                Some(next) => Some(next),
                None => self.lines.next(Interval::parse, |text| text.starts_with(['#', '"']))?,
            };
            match next {
                Some(next) if next.start < start => {}
                Some(next) if next.start == start && next.kind == kind => return Ok(Some(next)),
                next => {
                    self.next = next;
                    return Ok(None);
                }
            }
        }
    }

    fn losses(&self) -> Option<String> {
        match self.ticks_torn {
            0 => None,
            _ if self.lines.left_out().is_some() => self.lines.left_out(),
            1 => Some(format!("1 tick has lost histograms: {HISTOGRAMS} is missing or torn")),
            n => Some(format!(
                "{n} ticks have lost histograms: {HISTOGRAMS} is missing or torn"
            )),
        }
    }
}

/// The samples of `target.jsonl`, matched by step and tick.
struct Samples {
    lines: Lines,
    next: Option<TargetLine>,
    read: u64,
}

impl Samples {
    fn open(directory: &Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        Ok(Self {
            lines: Lines::open(directory, TARGET, Content::Samples, budget)?,
            next: None,
            read: 0,
        })
    }

    /// `written` is how many lines there were.
    fn losses(&self, written: Option<u64>) -> Option<String> {
        self.lines.losses().or_else(|| {
            let lost = written?.saturating_sub(self.read);
            (lost > 0).then(|| format!("{lost} samples of the service are lost: {TARGET} is missing or torn"))
        })
    }

    fn take(&mut self, step: u32, tick: Option<u32>) -> Result<Option<TargetSample>, DirectoryError> {
        loop {
            let next = match self.next.take() {
                Some(next) => Some(next),
                None => {
                    let line = self.lines.next(lines::json, |_| false)?;
                    self.read += u64::from(line.is_some());
                    line
                }
            };
            let Some(next) = next else {
                return Ok(None);
            };
            match (next.step, next.tick).cmp(&(step, tick)) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Ok(Some(next.sample)),
                std::cmp::Ordering::Greater => {
                    self.next = Some(next);
                    return Ok(None);
                }
            }
        }
    }
}

/// Keeps at most that many bytes, and no half of a character.
fn cut(text: &mut String, most_bytes: usize) {
    let end = (0..=most_bytes.min(text.len()))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
}

fn end_ns(record: &Record<'_>) -> u64 {
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
