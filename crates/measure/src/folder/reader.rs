//! Reading a run folder, whole or torn.

use super::TargetLine;
use super::hlog::{Interval, Kind, Milliseconds};
use super::lines::Lines;
use super::{
    ALLOCATIONS, FINDINGS, FORMAT, FolderError, HISTOGRAMS, HOST, Line, ORIGINS, PLAN, PROBE, PROFILE, RUN, TARGET,
    TICKS,
};
use crate::durations::Durations;
use crate::probe::ProbeLine;
use crate::record::{Host, Note, NoteKind, Record, RunInfo, StepStart};
use crate::target::TargetSample;
use crate::tick::TickLine;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A run folder, perhaps of a run that crashed or still goes on.
#[derive(Debug)]
pub struct RunReader {
    path: PathBuf,
    info: RunInfo,
    plan_json: Option<String>,
    host: Option<Host>,
    findings_json: Option<String>,
    warnings: Vec<String>,
}

/// A profile as it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptProfile {
    /// Its file.
    pub path: PathBuf,
    /// What V8 wrote.
    pub json: String,
    /// What is known of where its lines come from, as JSON.
    pub origins: Option<String>,
}

impl RunReader {
    /// Reads everything but the stream of records. Only `run.json` must be there.
    ///
    /// # Errors
    /// [`FolderError::NotARun`] when `path` holds no run, [`FolderError::Newer`] when a later plimsoll wrote it,
    /// [`FolderError::Malformed`] when `run.json` is damaged, [`FolderError::Io`] when a file cannot be read.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let info = read_info(path)?;
        let mut warnings = Vec::new();
        let host = optional(&path.join(HOST))?.and_then(|text| {
            serde_json::from_str(&text)
                .map_err(|error| warnings.push(format!("{HOST} cannot be read: {error}")))
                .ok()
        });
        Ok(Self {
            path: path.to_owned(),
            info,
            plan_json: optional(&path.join(PLAN))?,
            host,
            findings_json: optional(&path.join(FINDINGS))?,
            warnings,
        })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
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

    /// The findings as they were written; `None` when the run ended before it had any.
    #[must_use]
    pub fn findings_json(&self) -> Option<&str> {
        self.findings_json.as_deref()
    }

    /// The run folders inside of this one, in the order in which they were begun.
    ///
    /// # Errors
    /// [`FolderError::Io`] when the folder cannot be listed, and as [`RunReader::open`].
    pub fn inner(&self) -> Result<Vec<Self>, FolderError> {
        let mut paths: Vec<PathBuf> = fs::read_dir(&self.path)
            .map_err(|error| FolderError::io("list", &self.path, error))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join(RUN).is_file())
            .collect();
        paths.sort();
        paths.iter().map(|path| Self::open(path)).collect()
    }

    /// What the probe said, in order; a torn line is left out. Nothing for a run without probe.
    ///
    /// # Errors
    /// [`FolderError::Io`] when the file cannot be read, [`FolderError::Malformed`] when it holds no lines.
    pub fn for_each_probe_line(&self, mut f: impl FnMut(&ProbeLine)) -> Result<(), FolderError> {
        let mut lines = Lines::open(self.path.join(PROBE))?;
        while let Some(line) = lines.next(|text| serde_json::from_str(text).ok(), |_| false)? {
            f(&line);
        }
        Ok(())
    }

    /// The CPU profiles of the run, by their numbers.
    ///
    /// # Errors
    /// [`FolderError::Io`] when one cannot be read.
    pub fn profiles(&self) -> Result<Vec<KeptProfile>, FolderError> {
        self.kept(PROFILE)
    }

    /// The samples of where memory was asked for, likewise.
    ///
    /// # Errors
    /// [`FolderError::Io`] when one cannot be read.
    pub fn allocations(&self) -> Result<Vec<KeptProfile>, FolderError> {
        self.kept(ALLOCATIONS)
    }

    fn kept(&self, kind: &str) -> Result<Vec<KeptProfile>, FolderError> {
        let mut paths: Vec<PathBuf> = fs::read_dir(&self.path)
            .map_err(|error| FolderError::io("list", &self.path, error))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == kind))
            .collect();
        paths.sort();
        let read = |path: PathBuf| {
            let json = fs::read_to_string(&path).map_err(|error| FolderError::io("read", &path, error))?;
            let origins = optional(&path.with_extension(ORIGINS))?;
            Ok(KeptProfile { path, json, origins })
        };
        paths.into_iter().map(read).collect()
    }

    /// Yields the records in the order in which they were appended. What a crash tore is left out, and a note at the
    /// end says so: of kind [`NoteKind::Torn`] where records are lost, of kind [`NoteKind::Warning`] else.
    ///
    /// # Errors
    /// [`FolderError::Io`] when a file cannot be read, [`FolderError::Malformed`] when it holds no lines.
    pub fn for_each(&self, mut f: impl FnMut(Record<'_>)) -> Result<(), FolderError> {
        let mut ticks = Lines::open(self.path.join(TICKS))?;
        let mut histograms = Histograms::open(self.path.join(HISTOGRAMS))?;
        let mut samples = Samples::open(self.path.join(TARGET))?;
        let mut at_ns = 0;
        let mut samples_written = None;
        while let Some(line) = ticks.next(|text| serde_json::from_str(text).ok(), |_| false)? {
            let record = match line {
                Line::StepStart(start) => {
                    let target = samples.take(start.step, None)?;
                    Record::StepStart(StepStart { target, ..start })
                }
                Line::Tick(line) => Record::Tick {
                    durations: Cow::Owned(histograms.take(&line)?),
                    target: samples.take(line.step, Some(line.index))?,
                    line: *line,
                },
                Line::Machine(sample) => Record::Machine(sample),
                Line::StepEnd(end) => Record::StepEnd(end),
                Line::Note(note) => Record::Note(note),
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
        let torn = [missing, ticks.losses(), samples.losses(samples_written)];
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
    fn open(path: PathBuf) -> Result<Self, FolderError> {
        Ok(Self {
            lines: Lines::open(path)?,
            next: None,
            ticks_torn: 0,
        })
    }

    fn take(&mut self, tick: &TickLine) -> Result<Durations, FolderError> {
        let mut durations = Durations::default();
        let start = Milliseconds::round(tick.start_ns);
        let mut torn = false;
        for kind in Kind::ALL {
            let count = match kind {
                Kind::ResponseTime => tick.response_time.count,
                Kind::ServiceTime => tick.service_time.count,
                Kind::ScheduleLag => tick.schedule_lag.count,
                Kind::DeliveryTime => tick.delivery_time.count,
            };
            if count == 0 {
                continue;
            }
            let found = self
                .take_if(start, kind)?
                .and_then(|interval| interval.histogram())
                .filter(|histogram| histogram.count() == count);
            match found {
                Some(histogram) => *kind.of_mut(&mut durations) = histogram,
                None => torn = true,
            }
        }
        self.ticks_torn += u64::from(torn);
        Ok(durations)
    }

    /// Skips what is older: lines of ticks that were lost.
    fn take_if(&mut self, start: Milliseconds, kind: Kind) -> Result<Option<Interval>, FolderError> {
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
    fn open(path: PathBuf) -> Result<Self, FolderError> {
        Ok(Self {
            lines: Lines::open(path)?,
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

    fn take(&mut self, step: u32, tick: Option<u32>) -> Result<Option<TargetSample>, FolderError> {
        loop {
            let next = match self.next.take() {
                Some(next) => Some(next),
                None => {
                    let line = self.lines.next(|text| serde_json::from_str(text).ok(), |_| false)?;
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

fn end_ns(record: &Record<'_>) -> u64 {
    match record {
        Record::StepStart(start) => start.at_ns,
        Record::Tick { line, .. } => line.start_ns.saturating_add(line.duration_ns),
        Record::Machine(sample) => sample.at_ns,
        Record::StepEnd(end) => end.at_ns,
        Record::Note(note) => note.at_ns,
        Record::RunEnd(end) => end.at_ns,
    }
}

fn read_info(folder: &Path) -> Result<RunInfo, FolderError> {
    let path = folder.join(RUN);
    let Some(text) = optional(&path)? else {
        let found = match fs::metadata(folder) {
            Ok(found) if found.is_dir() => "it is a folder without run.json",
            Ok(_) => "it is a file",
            Err(_) => "there is nothing",
        };
        return Err(FolderError::NotARun {
            path: folder.to_owned(),
            found: found.to_owned(),
        });
    };
    FORMAT.parse(&path, &text)
}

/// `None` when the file is not there.
fn optional(path: &Path) -> Result<Option<String>, FolderError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(FolderError::io("read", path, error)),
    }
}
