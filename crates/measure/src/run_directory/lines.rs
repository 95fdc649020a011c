//! Lines of a file that may end anywhere, one in memory at a time.

use super::budget::{Budget, Content};
use super::{DirectoryError, open};
use plimsoll_files::{Bounded, Directory};
use serde::de::DeserializeOwned;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Far above any line that is written; a file without line ends must not fill the memory.
const LONGEST_LINE_BYTES: u64 = 16 << 20;

/// Reads a file line by line and remembers what it could not make use of.
pub(super) struct Lines {
    path: PathBuf,
    /// `None` once the end is reached, and for a file that is not there.
    input: Option<BufReader<Bounded>>,
    missing: bool,
    line: Vec<u8>,
    number: u64,
    unreadable: u64,
    first_unreadable: u64,
    content: Content,
    budget: Budget,
    /// The directory holds more than it may, so that the rest was not read.
    beyond: bool,
}

impl Lines {
    /// A file that is not there has no lines.
    pub(super) fn open(
        directory: &Directory,
        name: &str,
        content: Content,
        budget: &Budget,
    ) -> Result<Self, DirectoryError> {
        let input = open::optional(directory, name, content)?.map(BufReader::new);
        Ok(Self {
            path: directory.path().join(name),
            missing: input.is_none(),
            input,
            line: Vec::new(),
            number: 0,
            unreadable: 0,
            first_unreadable: 0,
            content,
            budget: budget.clone(),
            beyond: false,
        })
    }

    /// The next line for which `parse` makes something of its text. Other lines are counted, unless `ignore`
    /// says that they are no loss.
    pub(super) fn next<T>(
        &mut self,
        parse: impl Fn(&str) -> Option<T>,
        ignore: impl Fn(&str) -> bool,
    ) -> Result<Option<T>, DirectoryError> {
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
            _ if self.beyond => self.left_out(),
            0 => None,
            1 => Some(format!("line {} of {name} is torn", self.first_unreadable)),
            n => Some(format!(
                "{n} lines of {name} are torn, the first is line {}",
                self.first_unreadable
            )),
        }
    }

    /// Number of the line that was read last, from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// What was not read because the directory holds more than it may, for a note.
    pub(super) fn left_out(&self) -> Option<String> {
        let name = name(&self.path);
        self.beyond.then(|| {
            format!(
                "{name} is left out from line {} on: beyond {}",
                self.number,
                self.content.together()
            )
        })
    }

    pub(super) const fn is_missing(&self) -> bool {
        self.missing
    }

    /// False at the end.
    fn advance(&mut self) -> Result<bool, DirectoryError> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        self.line.clear();
        let length = input
            .take(LONGEST_LINE_BYTES)
            .read_until(b'\n', &mut self.line)
            .map_err(|error| DirectoryError::io("read", &self.path, error))?;
        self.number += 1;
        if length as u64 == LONGEST_LINE_BYTES {
            let found = format!("line {} is longer than {LONGEST_LINE_BYTES} bytes", self.number);
            let path = self.path.clone();
            return Err(DirectoryError::Malformed { path, found });
        }
        self.beyond = !self.budget.takes(self.content, length);
        let goes_on = length > 0 && !self.beyond;
        if !goes_on {
            self.input = None;
        }
        Ok(goes_on)
    }
}

/// Reads a line of JSON whose numbers are possible. Up to 10^18 (30 years in ns, an exabyte), several can be added without
/// a thought of what they are; beyond, a line is as good as torn.
pub(super) fn json<T: DeserializeOwned>(text: &str) -> Option<T> {
    numbers_are_possible(text).then(|| serde_json::from_str(text).ok())?
}

fn numbers_are_possible(text: &str) -> bool {
    const MOST_DIGITS: u32 = 18;
    let (mut in_string, mut escaped, mut in_fraction, mut digits) = (false, false, false, 0);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'0'..=b'9' if !in_fraction => {
                digits += 1;
                if digits > MOST_DIGITS {
                    return false;
                }
            }
            b'0'..=b'9' | b'e' | b'E' | b'+' | b'-' => {}
            b'.' => in_fraction = true,
            _ => (in_fraction, digits) = (false, 0),
        }
    }
    true
}

/// The last part of a path, for messages.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_make_a_line_torn() {
        let possible = |text: &str| numbers_are_possible(text);
        assert!(possible(
            r#"{"a":999999999999999999,"b":[1,2.12345678901234567890123,-3],"c":"12345678901234567890"}"#
        ));
        assert!(possible(r#"["\"",1e300]"#));
        assert!(!possible(r#"{"a":1000000000000000000}"#));
        assert!(!possible(r#"{"a":"","b":18446744073709551615}"#));
        assert_eq!(json::<Vec<u64>>("[1]"), Some(vec![1]));
        assert_eq!(json::<Vec<u64>>("[1000000000000000000]"), None);
    }
}
