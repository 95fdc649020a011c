//! Writing a run directory as the run goes.

use super::hlog::{self, Encoder};
use super::whole::Whole;
use super::{
    ALLOCATIONS, DirectoryError, FINDINGS, FLEET, FleetRun, HISTOGRAMS, HOST, Line, ORIGINS, OUTPUT, PLAN, PROBE,
    PROFILE, RUN, RunEndLine, TARGET, TICKS, TargetLine,
};
use crate::probe::ProbeLine;
use crate::record::{Host, Record, RunEnd, RunInfo, StepStart};
use crate::target::TargetSample;
use plimsoll_files::Directory;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A run directory that is being written. Nothing is held back: after a crash at most the record that was
/// being written is lost.
pub struct RunWriter {
    directory: Directory,
    ticks: Appender,
    histograms: Appender,
    target: Appender,
    samples: u64,
    records: u64,
    /// Made with the first line: most runs have no probe.
    probe: Option<Appender>,
    encoder: Encoder,
    failed: bool,
}

impl RunWriter {
    /// Makes a directory `<start>-<command>` in `parent`, which is made as well if need be, and writes what the run is.
    /// Where the name is taken, `-2`, `-3` … is appended.
    ///
    /// `info.format` and `info.marks_end` are set to what is written, whatever they hold.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when a directory or file cannot be made.
    pub fn create(parent: &Path, info: &RunInfo, plan_json: &str) -> Result<Self, DirectoryError> {
        let directory = create_directory(parent, &info.started_at, info.kind.as_str())?;
        // For as long as the run lives, so that nobody takes it for one that was cut off.
        let _ = directory.lock();
        let info = RunInfo {
            format: RunInfo::format(),
            marks_end: true,
            ..info.clone()
        };
        replace(&directory, PLAN, plan_json.as_bytes())?;
        let mut histograms = Appender::create(&directory, HISTOGRAMS)?;
        histograms
            .buffer
            .extend_from_slice(hlog::header(&info.started_at).as_bytes());
        histograms.flush()?;
        let writer = Self {
            ticks: Appender::create(&directory, TICKS)?,
            histograms,
            target: Appender::create(&directory, TARGET)?,
            samples: 0,
            records: 0,
            probe: None,
            encoder: Encoder::new(),
            failed: false,
            directory,
        };
        // Last, because a directory with this file is a run that can be read.
        replace_json(&writer.directory, RUN, &info)?;
        Ok(writer)
    }

    /// Opens the directory of a run that was cut off, to add what is still to be had of it. What the end of a file has of a record that is
    /// not whole is cut off.
    ///
    /// # Errors
    /// [`DirectoryError::GoesOn`] when its run is alive, [`DirectoryError::Io`] when a file cannot be read or written.
    pub fn resume(path: &Path) -> Result<Self, DirectoryError> {
        let directory = reopened(path)?;
        if !directory.lock() {
            return Err(DirectoryError::GoesOn { path: path.to_owned() });
        }
        let whole = Whole::of(&directory)?;
        Ok(Self {
            ticks: Appender::behind(&directory, TICKS, whole.ticks_bytes)?,
            histograms: Appender::behind(&directory, HISTOGRAMS, whole.histograms_bytes)?,
            target: Appender::behind(&directory, TARGET, whole.target_bytes)?,
            samples: whole.samples,
            records: whole.records,
            // Whoever could say more to the probe has ended with the run.
            probe: None,
            encoder: Encoder::new(),
            failed: false,
            directory,
        })
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where the output of the service belongs; not made by this writer.
    #[must_use]
    pub fn output_path(&self) -> PathBuf {
        self.path().join(OUTPUT)
    }

    /// Where the output of a neighbour of the service belongs; not made by this writer.
    #[must_use]
    pub fn output_path_of(&self, neighbour: &str) -> PathBuf {
        self.path().join(format!("beside-{neighbour}.log"))
    }

    /// Writes what machine it is; a second call replaces it.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn host(&self, host: &Host) -> Result<(), DirectoryError> {
        replace_json(&self.directory, HOST, host)
    }

    /// Writes by what the agents of a fleet know it.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn fleet(&self, fleet: &FleetRun) -> Result<(), DirectoryError> {
        replace_json(&self.directory, FLEET, fleet)
    }

    /// Adds one record. After the first failure this does nothing any more: half a line must not be continued,
    /// and one message is enough.
    ///
    /// # Errors
    /// [`DirectoryError::Io`], once, when a file cannot be written, for instance on a full disk.
    pub fn append(&mut self, record: &Record<'_>) -> Result<(), DirectoryError> {
        if self.failed {
            return Ok(());
        }
        let result = self.try_append(record);
        self.failed = result.is_err();
        result
    }

    /// Adds a line of what the probe said. As [`RunWriter::append`], it does nothing after a failure.
    ///
    /// # Errors
    /// [`DirectoryError::Io`], once, when the file cannot be written.
    pub fn probe(&mut self, line: &ProbeLine) -> Result<(), DirectoryError> {
        if self.failed {
            return Ok(());
        }
        let result = self.try_probe(line);
        self.failed = result.is_err();
        result
    }

    fn try_probe(&mut self, line: &ProbeLine) -> Result<(), DirectoryError> {
        let appender = match &mut self.probe {
            Some(appender) => appender,
            None => self.probe.insert(Appender::create(&self.directory, PROBE)?),
        };
        appender.json(line)
    }

    /// Keeps a CPU profile as it is, with what is known of where its lines come from. `number` tells those of one run
    /// apart.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when a file cannot be written.
    pub fn profile(&self, number: u32, json: &str, origins: &impl Serialize) -> Result<(), DirectoryError> {
        self.keep(&format!("profile-{number}.{PROFILE}"), json, origins)
    }

    /// Keeps a sample of where memory was asked for, likewise.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when a file cannot be written.
    pub fn allocations(&self, number: u32, json: &str, origins: &impl Serialize) -> Result<(), DirectoryError> {
        self.keep(&format!("allocations-{number}.{ALLOCATIONS}"), json, origins)
    }

    fn keep(&self, name: &str, json: &str, origins: &impl Serialize) -> Result<(), DirectoryError> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        replace_json(&self.directory, &format!("{stem}.{ORIGINS}"), origins)?;
        replace(&self.directory, name, json.as_bytes())
    }

    /// See [`write_findings`].
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn findings(&self, json: &str) -> Result<(), DirectoryError> {
        replace(&self.directory, FINDINGS, json.as_bytes())
    }

    fn try_append(&mut self, record: &Record<'_>) -> Result<(), DirectoryError> {
        let line = match record {
            Record::StepStart(start) => {
                self.sample(start.step, None, start.target)?;
                let start = StepStart {
                    target: None,
                    ..start.clone()
                };
                Line::StepStart(start)
            }
            Record::Tick {
                line,
                durations,
                target,
            } => {
                self.encoder
                    .lines(line.start_ns, line.duration_ns, durations, &mut self.histograms.buffer)
                    .map_err(|error| DirectoryError::io("append to", &self.histograms.path, error))?;
                self.histograms.flush()?;
                self.sample(line.step, Some(line.index), *target)?;
                Line::Tick(Box::new(line.clone()))
            }
            Record::Machine(sample) => Line::Machine(*sample),
            Record::Instances(sample) => Line::Instances(sample.clone()),
            Record::Collection(mark) => Line::Collection(*mark),
            Record::Kept(sample) => Line::Kept(sample.clone()),
            Record::LoopDelays(delays) => Line::LoopDelays(delays.clone()),
            Record::Neighbour(sample) => Line::Neighbour(sample.clone()),
            Record::Shock(mark) => Line::Shock(mark.clone()),
            Record::StepEnd(end) => Line::StepEnd(*end),
            Record::Note(note) => Line::Note(note.clone()),
            Record::RunEnd(end) => Line::RunEnd(RunEndLine {
                end: end.clone(),
                samples: self.samples,
                records: Some(self.records),
            }),
        };
        self.records += 1;
        // Last, because a line here says that the record is complete.
        self.ticks.json(&line)
    }

    fn sample(&mut self, step: u32, tick: Option<u32>, sample: Option<TargetSample>) -> Result<(), DirectoryError> {
        match sample {
            Some(sample) => {
                self.samples += 1;
                self.target.json(&TargetLine { step, tick, sample })
            }
            None => Ok(()),
        }
    }
}

/// Makes a directory for the directories of several runs, which says what they are together; named as by
/// [`RunWriter::create`].
///
/// # Errors
/// [`DirectoryError::Io`] when a directory or file cannot be made.
pub fn create_outer(parent: &Path, info: &RunInfo, plan_json: &str) -> Result<PathBuf, DirectoryError> {
    let directory = create_directory(parent, &info.started_at, info.kind.as_str())?;
    replace(&directory, PLAN, plan_json.as_bytes())?;
    replace_json(&directory, RUN, info)?;
    Ok(directory.path().to_owned())
}

/// Marks that what the runs in `directory` belong to has ended, in one go. They have streams of their own, and this is all
/// that stands in that of the whole.
///
/// # Errors
/// [`DirectoryError::Io`] when the file cannot be written.
pub fn write_end(directory: &Path, end: &RunEnd) -> Result<(), DirectoryError> {
    let line = Line::RunEnd(RunEndLine {
        end: end.clone(),
        samples: 0,
        records: Some(0),
    });
    let error = |error: serde_json::Error| DirectoryError::io("write", &directory.join(TICKS), error.into());
    let mut json = serde_json::to_vec(&line).map_err(error)?;
    json.push(b'\n');
    replace(&reopened(directory)?, TICKS, &json)
}

/// Writes what the runs in `directory` came to, in one go: a reader sees the old findings or the new ones.
///
/// # Errors
/// [`DirectoryError::Io`] when the file cannot be written.
pub fn write_findings(directory: &Path, json: &str) -> Result<(), DirectoryError> {
    replace(&reopened(directory)?, FINDINGS, json.as_bytes())
}

/// A directory that this program made.
pub(super) fn reopened(directory: &Path) -> Result<Directory, DirectoryError> {
    Directory::open(directory).map_err(|error| DirectoryError::io("open", directory, error))
}

/// A file that grows by whole lines, each batch in one call.
struct Appender {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
}

impl Appender {
    fn create(directory: &Directory, name: &str) -> Result<Self, DirectoryError> {
        Self::of(directory, name, "create", directory.append(name))
    }

    /// One that is there, of which so many bytes are kept.
    fn behind(directory: &Directory, name: &str, kept_bytes: u64) -> Result<Self, DirectoryError> {
        Self::of(directory, name, "append to", directory.append_behind(name, kept_bytes))
    }

    fn of(
        directory: &Directory,
        name: &str,
        doing: &'static str,
        opened: io::Result<File>,
    ) -> Result<Self, DirectoryError> {
        let path = directory.path().join(name);
        match opened {
            Ok(file) => Ok(Self {
                path,
                file,
                buffer: Vec::new(),
            }),
            Err(error) => Err(DirectoryError::io(doing, &path, error)),
        }
    }

    fn json(&mut self, line: &impl Serialize) -> Result<(), DirectoryError> {
        serde_json::to_writer(&mut self.buffer, line).map_err(|error| self.error(error.into()))?;
        self.buffer.push(b'\n');
        self.flush()
    }

    fn flush(&mut self) -> Result<(), DirectoryError> {
        let result = self.file.write_all(&self.buffer);
        self.buffer.clear();
        result.map_err(|error| self.error(error))
    }

    fn error(&self, source: io::Error) -> DirectoryError {
        DirectoryError::io("append to", &self.path, source)
    }
}

/// `2026-10-04T13-05-59-capacity`: sorts by time, and holds nothing that a shell or a file system minds.
fn directory_name(started_at: &str, command: &str) -> String {
    let seconds = started_at.split(['.', 'Z', '+']).next().unwrap_or_default();
    format!("{seconds}-{command}")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

/// Makes a directory `<start>-<command>` in `parent`, which is made as well if need be. Where the name is taken, `-2`,
/// `-3` … is appended.
pub(super) fn create_directory(parent: &Path, started_at: &str, command: &str) -> Result<Directory, DirectoryError> {
    Directory::create_all(parent).map_err(|error| DirectoryError::io("create", parent, error))?;
    let first = directory_name(started_at, command);
    let mut name = first.clone();
    let mut number = 1_u32;
    loop {
        match Directory::create(parent, &name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number += 1;
                name = format!("{first}-{number}");
            }
            made => return made.map_err(|error| DirectoryError::io("create", &parent.join(name), error)),
        }
    }
}

pub(super) fn replace_json(directory: &Directory, name: &str, value: &impl Serialize) -> Result<(), DirectoryError> {
    let error = |error: serde_json::Error| DirectoryError::io("write", &directory.path().join(name), error.into());
    let mut json = serde_json::to_vec_pretty(value).map_err(error)?;
    json.push(b'\n');
    replace(directory, name, &json)
}

/// A reader sees the whole old content or the whole new one.
pub(super) fn replace(directory: &Directory, name: &str, content: &[u8]) -> Result<(), DirectoryError> {
    let written = directory.write(name, content);
    written.map_err(|error| DirectoryError::io("write", &directory.path().join(name), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunKind;
    use crate::record::{Note, NoteKind};
    use crate::run_directory::lines::name;
    use std::fs;

    fn info() -> RunInfo {
        RunInfo {
            format: String::new(),
            kind: RunKind::Capacity,
            started_at: "2026-10-04T13:05:59.123456Z".to_owned(),
            version: "0.1.0".to_owned(),
            quantiles: vec![0.5],
            marks_end: true,
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let parent = tempfile::tempdir().expect("a directory");
        let names: Vec<_> = (0..3)
            .map(|_| name(RunWriter::create(parent.path(), &info(), "{}").expect("created").path()))
            .collect();
        let first = "2026-10-04T13-05-59-capacity";
        assert_eq!(names, [first.to_owned(), format!("{first}-2"), format!("{first}-3")]);
    }

    #[test]
    fn findings_are_replaced_whole() {
        let parent = tempfile::tempdir().expect("a directory");
        let writer = RunWriter::create(parent.path(), &info(), "{}").expect("created");
        writer.findings("{\"a\":1}").expect("written");
        writer.findings("{}").expect("written");
        assert_eq!(fs::read_to_string(writer.path().join(FINDINGS)).expect("there"), "{}");
        let left: Vec<_> = fs::read_dir(writer.path())
            .expect("there")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".tmp"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn a_parent_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = RunWriter::create(&file.path().join("runs"), &info(), "{}")
            .err()
            .expect("refused");
        assert!(
            error.to_string().contains(&file.path().display().to_string()),
            "{error}"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported_once() {
        let parent = tempfile::tempdir().expect("a directory");
        let mut writer = RunWriter::create(parent.path(), &info(), "{}").expect("created");
        writer.ticks.file = File::options().write(true).open("/dev/full").expect("a full device");
        let note = Record::Note(Note {
            at_ns: 1,
            kind: NoteKind::Warning,
            message: "m".to_owned(),
            hint: None,
        });
        let error = writer.append(&note).expect_err("no space");
        assert!(
            error.to_string().ends_with("ticks.jsonl: no space left on device"),
            "{error}"
        );
        assert!(writer.append(&note).is_ok());
    }
}
