//! How far the files of a run that was cut off are whole, so that more can be added behind.
//!
//! A record goes into `latency.hlog` and `target.jsonl` first and into `ticks.jsonl` last. So what the others have of ticks that are not
//! there is of a record that was being written.

use super::budget::Content;
use super::hlog::{Interval, Milliseconds};
use super::lines::json;
use super::{DirectoryError, HISTOGRAMS, Line, TARGET, TICKS, TargetLine};
use plimsoll_files::Directory;
use std::io::{self, BufRead as _, BufReader, Read as _};

/// Far above any line that is written.
const LONGEST_LINE_BYTES: u64 = 16 << 20;

/// What is kept of each file, and how much is in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) ticks_bytes: u64,
    pub(super) histograms_bytes: u64,
    pub(super) target_bytes: u64,
    /// Lines of `ticks.jsonl`.
    pub(super) records: u64,
    /// Lines of `target.jsonl`.
    pub(super) samples: u64,
}

impl Whole {
    pub(super) fn of(directory: &Directory) -> Result<Self, DirectoryError> {
        let mut whole = Self::default();
        // The last step, and its last tick with the start of that.
        let mut last: Option<(u32, Option<u32>)> = None;
        let mut start = None;
        each_line(directory, TICKS, Content::Ticks, |text, end| {
            let Some(line) = json::<Line>(text) else { return };
            (whole.ticks_bytes, whole.records) = (end, whole.records + 1);
            match line {
                Line::StepStart(step) => last = Some((step.step, None)),
                Line::Tick(tick) => {
                    last = Some((tick.step, Some(tick.index)));
                    start = start.max(Some(Milliseconds::round(tick.start_ns)));
                }
                _ => {}
            }
        })?;
        each_line(directory, HISTOGRAMS, Content::Histograms, |text, end| {
            let is_kept = match Interval::parse(text) {
                Some(interval) => Some(interval.start) <= start,
                None => text.starts_with(['#', '"']),
            };
            if is_kept {
                whole.histograms_bytes = end;
            }
        })?;
        each_line(directory, TARGET, Content::Samples, |text, end| {
            let sample = json::<TargetLine>(text);
            if sample.is_some_and(|sample| Some((sample.step, sample.tick)) <= last) {
                (whole.target_bytes, whole.samples) = (end, whole.samples + 1);
            }
        })?;
        Ok(whole)
    }
}

/// Hands on every line that has an end, with the number of bytes up to that.
fn each_line(
    directory: &Directory,
    name: &str,
    content: Content,
    mut f: impl FnMut(&str, u64),
) -> Result<(), DirectoryError> {
    let error = |error: io::Error| DirectoryError::io("read", &directory.path().join(name), error);
    let mut input = BufReader::new(directory.file(name, content.most_bytes()).map_err(error)?);
    let (mut line, mut end) = (Vec::new(), 0);
    loop {
        line.clear();
        let length = input.by_ref().take(LONGEST_LINE_BYTES).read_until(b'\n', &mut line);
        end += length.map_err(error)? as u64;
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        if let Ok(text) = std::str::from_utf8(&line) {
            f(text, end);
        }
    }
}
