//! Where the output of a service goes, and its last lines.

use plimsoll_plan::Stdout;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

const MOST_LINES: usize = 20;
const MOST_BYTES: u64 = 4096;

/// A process that ended may have left a child that holds the pipe open, so its end is not waited for long.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// The output of one service.
#[derive(Debug)]
pub(crate) struct Output {
    /// The file, and where the service's part of it begins.
    file: Option<(PathBuf, u64)>,
    /// Closed when the pipe is at its end.
    drained: Option<Receiver<()>>,
}

impl Output {
    /// Standard output and standard error for a new process. A file is appended to.
    pub(crate) fn open(kind: Stdout, path: &Path) -> io::Result<(Self, Stdio, Stdio)> {
        let unseen = Self {
            file: None,
            drained: None,
        };
        match kind {
            Stdout::Null => Ok((unseen, Stdio::null(), Stdio::null())),
            Stdout::Inherit => Ok((unseen, Stdio::inherit(), Stdio::inherit())),
            Stdout::File => {
                let (file, begin) = append(path)?;
                let output = Self {
                    file: Some((path.to_owned(), begin)),
                    ..unseen
                };
                Ok((output, file.try_clone()?.into(), file.into()))
            }
            Stdout::Pipe => {
                let (mut file, begin) = append(path)?;
                let (mut reader, writer) = io::pipe()?;
                let (sender, drained) = channel();
                thread::Builder::new()
                    .name("service-output".to_owned())
                    .spawn(move || {
                        // With nobody to tell; a service whose pipe is closed early gets EPIPE, as from any reader.
                        let _ = io::copy(&mut reader, &mut file);
                        drop(sender);
                    })?;
                let output = Self {
                    file: Some((path.to_owned(), begin)),
                    drained: Some(drained),
                };
                Ok((output, writer.try_clone()?.into(), writer.into()))
            }
        }
    }

    /// At most 20 lines and 4 KiB, without colours.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        if let Some(drained) = &self.drained {
            // Nothing is ever sent: this returns when the pipe ends, or after the timeout.
            let _ = drained.recv_timeout(DRAIN_TIMEOUT);
        }
        let Some((path, begin)) = &self.file else {
            return Vec::new();
        };
        read_last_lines(path, *begin).unwrap_or_default()
    }
}

fn append(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let begin = file.metadata()?.len();
    Ok((file, begin))
}

fn read_last_lines(path: &Path, begin: u64) -> io::Result<Vec<String>> {
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let from = begin.max(end.saturating_sub(MOST_BYTES));
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = plain(&text);
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    if from > begin && lines.len() > 1 {
        // Its beginning is cut off.
        lines.remove(0);
    }
    let skipped = lines.len().saturating_sub(MOST_LINES);
    Ok(lines[skipped..].iter().map(|&line| line.to_owned()).collect())
}

/// Without escape sequences and control characters: foreign output must not drive our user's terminal.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                if letters.next_if_eq(&'[').is_some() {
                    // Parameters, then one letter that ends the sequence (ECMA-48).
                    while letters.next_if(|c| !('@'..='~').contains(c)).is_some() {}
                    letters.next();
                }
            }
            '\n' | '\t' => plain.push(letter),
            control if control.is_control() => {}
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_end_is_cut_to_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("service.log");
        let old = "of an earlier service\n".repeat(3);
        let lines: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        fs::write(&path, format!("{old}{lines}")).expect("written");
        let last = read_last_lines(&path, old.len() as u64).expect("read");
        assert_eq!(last.len(), 20);
        assert_eq!((last[0].as_str(), last[19].as_str()), ("line 980", "line 999"));

        fs::write(&path, format!("{}\nend", "x".repeat(5000))).expect("written");
        assert_eq!(read_last_lines(&path, 0).expect("read"), ["end"]);
        assert_eq!(read_last_lines(&path, 5001).expect("read"), ["end"]);
        assert_eq!(read_last_lines(&path, 5004).expect("read"), [""; 0]);
    }

    #[test]
    fn terminals_are_left_alone() {
        assert_eq!(plain("\u{1b}[1;31mError\u{1b}[0m:\tno\u{7}\r\n"), "Error:\tno\n");
        assert_eq!(plain("cut \u{1b}[3"), "cut ");
    }
}
