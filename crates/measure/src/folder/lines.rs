//! Lines of a file that may end anywhere, one in memory at a time.

use super::FolderError;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Far above any line that is written; a file without line ends must not fill the memory.
const LONGEST_LINE_BYTES: u64 = 16 << 20;

/// Reads a file line by line and remembers what it could not make use of.
pub(super) struct Lines {
    path: PathBuf,
    /// `None` once the end is reached, and for a file that is not there.
    input: Option<BufReader<File>>,
    missing: bool,
    line: Vec<u8>,
    number: u64,
    unreadable: u64,
    first_unreadable: u64,
}

impl Lines {
    /// A file that is not there has no lines.
    pub(super) fn open(path: PathBuf) -> Result<Self, FolderError> {
        let input = match File::open(&path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FolderError::io("read", &path, error)),
        };
        Ok(Self {
            path,
            missing: input.is_none(),
            input,
            line: Vec::new(),
            number: 0,
            unreadable: 0,
            first_unreadable: 0,
        })
    }

    /// The next line for which `parse` makes something of its text. Other lines are counted, unless `ignore`
    /// says that they are no loss.
    pub(super) fn next<T>(
        &mut self,
        parse: impl Fn(&str) -> Option<T>,
        ignore: impl Fn(&str) -> bool,
    ) -> Result<Option<T>, FolderError> {
        while self.advance()? {
            let text = std::str::from_utf8(&self.line).unwrap_or_default();
            if let Some(parsed) = parse(text) {
                return Ok(Some(parsed));
            }
            if !ignore(text) {
                self.unreadable += 1;
                if self.unreadable == 1 {
                    self.first_unreadable = self.number;
                }
            }
        }
        Ok(None)
    }

    /// What was lost in this file, for a note.
    pub(super) fn losses(&self) -> Option<String> {
        let name = name(&self.path);
        match self.unreadable {
            0 => None,
            1 => Some(format!("line {} of {name} is torn", self.first_unreadable)),
            n => Some(format!(
                "{n} lines of {name} are torn, the first is line {}",
                self.first_unreadable
            )),
        }
    }

    pub(super) const fn is_missing(&self) -> bool {
        self.missing
    }

    /// False at the end.
    fn advance(&mut self) -> Result<bool, FolderError> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        self.line.clear();
        let length = input
            .take(LONGEST_LINE_BYTES)
            .read_until(b'\n', &mut self.line)
            .map_err(|error| FolderError::io("read", &self.path, error))?;
        self.number += 1;
        if length as u64 == LONGEST_LINE_BYTES {
            let found = format!("line {} is longer than {LONGEST_LINE_BYTES} bytes", self.number);
            let path = self.path.clone();
            return Err(FolderError::Malformed { path, found });
        }
        if length == 0 {
            self.input = None;
        }
        Ok(length > 0)
    }
}

/// The last part of a path, for messages.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
