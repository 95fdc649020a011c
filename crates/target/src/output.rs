//! Where the output of a service goes, within what bounds, and its last lines.

use crate::terminal;
use plimsoll_files::handed;
use plimsoll_plan::{KnownSecrets, REDACTED, Stdout};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const MOST_LINES: usize = 20;
const MOST_BYTES: u64 = 4096;
/// What a program says when it is ready is at the beginning of its output.
const MOST_SEARCHED_BYTES: u64 = 1 << 20;

/// A process that ended may have left a child that holds the pipe open, so its end is not waited for long.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// Between two looks at how far a file has grown that the service writes by itself. At 1 GB/s that is 100 MB.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How much is kept of what a service writes: its beginning and its end.
const BOUNDS: Bounds = Bounds {
    most: 64 << 20,
    head: 8 << 20,
    tail: 8 << 20,
};

/// The output of one service.
#[derive(Debug)]
pub(crate) struct Output {
    kept: Option<Box<Kept>>,
}

/// Output that goes to a file.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    /// Where the service's part of the file begins.
    begin: u64,
    /// What neither its last lines may show, nor the file when the service has ended.
    hidden: KnownSecrets,
    /// Closed when the pipe is at its end.
    drained: Option<Receiver<()>>,
    /// Why not all of it could be kept.
    failed: Arc<Mutex<Option<io::Error>>>,
    looks: Option<Looks>,
}

/// Looks at how far a file has grown, from a thread of their own that ends when this is dropped.
#[derive(Debug)]
struct Looks {
    more: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Looks {
    fn drop(&mut self) {
        drop(self.more.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to say, and has reported its panic if it had one.
            let _ = thread.join();
        }
    }
}

impl Output {
    /// Standard output and standard error for a new process. A file is appended to.
    ///
    /// With [`Stdout::File`] the service writes the file itself, as it would without plimsoll: what that costs it is part
    /// of what is measured. With [`Stdout::Pipe`] it writes into a pipe that is read to its end, whatever becomes of the
    /// file. With [`Stdout::Terminal`] it writes to a terminal, which is read to its end like a pipe.
    pub(crate) fn open(kind: Stdout, path: &Path, hidden: &KnownSecrets) -> io::Result<(Self, Stdio, Stdio)> {
        match kind {
            Stdout::Null => Ok((Self { kept: None }, Stdio::null(), Stdio::null())),
            Stdout::Inherit => Ok((Self { kept: None }, Stdio::inherit(), Stdio::inherit())),
            Stdout::File => {
                let (log, mut kept) = Kept::open(path, hidden)?;
                let (stdout, stderr) = (log.file.try_clone()?, log.file.try_clone()?);
                kept.looks = log.look_after()?;
                Ok((
                    Self {
                        kept: Some(Box::new(kept)),
                    },
                    stdout.into(),
                    stderr.into(),
                ))
            }
            Stdout::Pipe => {
                let (log, mut kept) = Kept::open(path, hidden)?;
                let (reader, writer) = io::pipe()?;
                kept.drained = Some(log.drain(reader, Arc::clone(&kept.failed))?);
                Ok((
                    Self {
                        kept: Some(Box::new(kept)),
                    },
                    writer.try_clone()?.into(),
                    writer.into(),
                ))
            }
            Stdout::Terminal => {
                let (log, mut kept) = Kept::open(path, hidden)?;
                let (screen, user) = terminal::open()?;
                kept.drained = Some(log.drain(screen, Arc::clone(&kept.failed))?);
                Ok((
                    Self {
                        kept: Some(Box::new(kept)),
                    },
                    user.try_clone()?.into(),
                    user.into(),
                ))
            }
        }
    }

    /// At most 20 lines and 4 KiB, without what would drive a terminal and without the secrets of the plan.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        let Some(kept) = &self.kept else {
            return Vec::new();
        };
        if let Some(drained) = &kept.drained {
            wait_for_end(drained);
        }
        read_last_lines(&kept.path, kept.begin, MOST_LINES, &kept.hidden).unwrap_or_default()
    }

    /// Whether a text is in the beginning of it.
    pub(crate) fn says_at_first(&self, text: &str) -> bool {
        let read = |kept: &Kept| {
            let file = handed::written(&kept.path)?;
            let length = file
                .metadata()?
                .len()
                .saturating_sub(kept.begin)
                .min(MOST_SEARCHED_BYTES);
            read_from(&file, kept.begin, length)
        };
        let bytes = self.kept.as_deref().map(read);
        bytes.is_some_and(|bytes| bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)))
    }

    /// Hides this from now on.
    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        if let Some(kept) = &mut self.kept {
            kept.hidden = hidden.clone();
        }
    }

    /// Why a part of it is lost, one sentence; `None` when all of it was kept, or as much as the bounds allow.
    pub(crate) fn loss(&self) -> Option<String> {
        let kept = self.kept.as_ref()?;
        let failed = kept.failed.lock().ok()?;
        let error = failed.as_ref()?;
        Some(format!(
            "the output of the service is no longer saved: {}: {error}",
            kept.path.display()
        ))
    }
}

impl Kept {
    fn open(path: &Path, hidden: &KnownSecrets) -> io::Result<(Log, Self)> {
        let (file, failed) = match handed::appended(path) {
            // No room for a log is no reason not to start.
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                (handed::appended(Path::new("/dev/null"))?, Some(error))
            }
            opened => (opened?, None),
        };
        let begin = file.metadata()?.len();
        let kept = Self {
            path: path.to_owned(),
            begin,
            hidden: hidden.clone(),
            drained: None,
            failed: Arc::new(Mutex::new(failed)),
            looks: None,
        };
        let log = Log {
            file,
            begin,
            bounds: BOUNDS,
            left_out: 0,
        };
        Ok((log, kept))
    }
}

/// A service logs what it was asked and what it was started with. While it runs, the log is its own; what stays in the run
/// directory holds no secret of the plan.
impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(drained) = &self.drained {
            wait_for_end(drained);
        }
        // A process that escaped may append meanwhile, so nothing else may be cutting.
        drop(self.looks.take());
        // Who removed the file has no secret of ours.
        let _ = hide_in(&self.path, self.begin, &self.hidden);
    }
}

/// Nothing is ever sent: this returns when the pipe ends, or after the timeout.
fn wait_for_end(drained: &Receiver<()>) {
    let _ = drained.recv_timeout(DRAIN_TIMEOUT);
}

/// Overwrites what is `hidden` in a file behind `begin`. Nothing moves, so a full disk is no hindrance, and a process that still
/// appends is not in the way.
fn hide_in(path: &Path, begin: u64, hidden: &KnownSecrets) -> io::Result<()> {
    if hidden.is_empty() {
        return Ok(());
    }
    let file = handed::rewritable(path)?;
    (&file).seek(SeekFrom::Start(begin))?;
    hidden.find_in_stream(&file, |place| {
        let length = usize::try_from(place.end - place.start).unwrap_or(0);
        let mut mask = vec![b'*'; length];
        if let Some(mask) = mask.get_mut(..REDACTED.len()) {
            mask.copy_from_slice(REDACTED.as_bytes());
        }
        file.write_all_at(&mask, begin + place.start)
    })
}

/// In bytes.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Above this the middle is left out.
    most: u64,
    head: u64,
    tail: u64,
}

/// A file that grows, and loses its middle when it has grown too far.
#[derive(Debug)]
struct Log {
    file: File,
    begin: u64,
    bounds: Bounds,
    left_out: u64,
}

impl Log {
    /// Leaves the middle out, if need be. A service that goes on writing meanwhile appends behind what is kept; what it
    /// writes between two lines of this is left out as well.
    fn cut(&mut self) -> io::Result<()> {
        let Bounds { most, head, tail } = self.bounds;
        let about = self.file.metadata()?;
        if !about.is_file() || about.len() <= self.begin + most {
            return Ok(());
        }
        let mut last = vec![0; usize::try_from(tail).unwrap_or(usize::MAX)];
        self.file.read_exact_at(&mut last, about.len() - tail)?;
        let whole_line = last.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let last = &last[whole_line..];
        let end = self.begin + head;
        self.left_out += self.file.metadata()?.len().saturating_sub(end + last.len() as u64);
        self.file.set_len(end)?;
        let mark = format!("\n[plimsoll: about {} bytes are left out here]\n", self.left_out);
        self.file.write_all(&[mark.as_bytes(), last].concat())
    }

    /// Cuts the file of a service that writes it by itself, until the looks are dropped. Nothing to do for a device.
    fn look_after(mut self) -> io::Result<Option<Looks>> {
        if !self.file.metadata()?.is_file() {
            return Ok(None);
        }
        let (more, ended) = channel::<()>();
        let thread = thread::Builder::new()
            .name("service-output".to_owned())
            .spawn(move || {
                while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                    // A full disk is the service's own trouble here; cutting makes room again.
                    let _ = self.cut();
                }
                let _ = self.cut();
            })?;
        Ok(Some(Looks {
            more: Some(more),
            thread: Some(thread),
        }))
    }

    /// Reads a pipe or a terminal to its end, in a thread of its own. When the file cannot be written any more, the pipe is read all the
    /// same: no service may wait, or die, because of what happens to its log. The receiver is closed at the end.
    fn drain(
        mut self,
        mut reader: impl Read + Send + 'static,
        failed: Arc<Mutex<Option<io::Error>>>,
    ) -> io::Result<Receiver<()>> {
        let (sender, drained) = channel();
        thread::Builder::new()
            .name("service-output".to_owned())
            .spawn(move || {
                let mut buffer = vec![0; 64 << 10];
                let mut keeps = true;
                loop {
                    match reader.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(length) if keeps => {
                            if let Err(error) = self.keep(&buffer[..length]) {
                                keeps = false;
                                if let Ok(mut failed) = failed.lock() {
                                    *failed = Some(error);
                                }
                            }
                        }
                        Ok(_) => {}
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(_) => break,
                    }
                }
                drop(sender);
            })?;
        Ok(drained)
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.cut()
    }
}

/// The last lines of a file behind `begin`, at most 4 KiB, without what is `hidden`.
pub(crate) fn read_last_lines(
    path: &Path,
    begin: u64,
    most_lines: usize,
    hidden: &KnownSecrets,
) -> io::Result<Vec<String>> {
    let file = handed::written(path)?;
    let end = file.metadata()?.len();
    // Twice of what is shown, so that a secret at its beginning is seen whole.
    let from = begin.max(end.saturating_sub(2 * MOST_BYTES));
    let bytes = read_from(&file, from, end.saturating_sub(from))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = hidden.hide(&text);
    let shown_from = (text.len().saturating_sub(MOST_BYTES as usize)..=text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    let is_cut = from > begin || shown_from > 0;
    let text = plimsoll_plain::lines(&text[shown_from..]);
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    if is_cut && lines.len() > 1 {
        // Its beginning is cut off.
        lines.remove(0);
    }
    let skipped = lines.len().saturating_sub(most_lines);
    Ok(lines[skipped..].iter().map(|&line| line.to_owned()).collect())
}

/// So many bytes of a file, or as many as there are.
pub(crate) fn read_from(file: &File, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    let mut length = 0;
    while let Some(rest) = bytes.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, from + length as u64)? {
            0 => break,
            read => length += read,
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SMALL: Bounds = Bounds {
        most: 1000,
        head: 100,
        tail: 50,
    };

    fn log(path: &Path, begin: u64) -> Log {
        Log {
            file: handed::appended(path).expect("opened"),
            begin,
            bounds: SMALL,
            left_out: 0,
        }
    }

    #[test]
    fn the_end_is_cut_to_size() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("service.log");
        let old = "of an earlier service\n".repeat(3);
        let lines: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        fs::write(&path, format!("{old}{lines}")).expect("written");
        let last = read_last_lines(&path, old.len() as u64, MOST_LINES, &KnownSecrets::default()).expect("read");
        assert_eq!(last.len(), 20);
        assert_eq!((last[0].as_str(), last[19].as_str()), ("line 980", "line 999"));

        let last = |begin| read_last_lines(&path, begin, MOST_LINES, &KnownSecrets::default()).expect("read");
        fs::write(&path, format!("{}\nend", "x".repeat(5000))).expect("written");
        assert_eq!(last(0), ["end"]);
        assert_eq!(last(5001), ["end"]);
        assert_eq!(last(5004), [""; 0]);
        fs::write(&path, "\u{1b}[1;31mError\u{1b}[0m:\tno\u{7}\u{202e}\r\nend").expect("written");
        assert_eq!(last(0), ["Error:\tno", "end"]);
    }

    #[test]
    fn a_log_keeps_its_beginning_and_its_end() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("service.log");
        fs::write(&path, "of an earlier service\n").expect("written");
        let mut log = log(&path, 22);
        for number in 0..1000 {
            log.keep(format!("line {number}\n").as_bytes()).expect("kept");
        }
        let text = fs::read_to_string(&path).expect("text");
        assert!(text.len() < 1100, "{}", text.len());
        assert!(text.starts_with("of an earlier service\nline 0\nline 1\n"), "{text}");
        assert!(text.ends_with("line 998\nline 999\n"), "{text}");
        assert_eq!(text.matches("left out here").count(), 1, "{text}");
        let left_out: u64 = text
            .split("about ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next()?.parse().ok())
            .expect("a number");
        let written: usize = (0..1000).map(|number| format!("line {number}\n").len()).sum();
        assert!(
            left_out as usize > written - 1000 && (left_out as usize) < written,
            "{left_out} of {written}"
        );
    }

    #[test]
    fn a_pipe_is_read_to_its_end_when_the_log_is_full() {
        let directory = tempfile::tempdir().expect("a directory");
        let (reader, mut writer) = io::pipe().expect("a pipe");
        let failed = Arc::default();
        let mut log = log(&directory.path().join("service.log"), 0);
        log.file = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("a full device");
        let drained = log.drain(reader, Arc::clone(&failed)).expect("a thread");
        writer
            .write_all(&vec![b'x'; 1 << 20])
            .expect("no EPIPE, and nobody waits");
        drop(writer);
        drained.recv().expect_err("closed at the end");
        let kind = failed.lock().expect("whole").as_ref().map(io::Error::kind);
        assert_eq!(kind, Some(io::ErrorKind::StorageFull));
    }

    #[test]
    fn the_log_of_a_service_that_has_ended_holds_no_secret() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("service.log");
        let old = "token=s3cr3t-of-an-earlier-one\n";
        fs::write(&path, old).expect("written");
        let hidden = KnownSecrets::of_settings([("TOKEN", "s3cr3t-of-ours")]);
        let line = |token: &str| format!("GET /?token={token}\n").repeat(10_000);
        for kind in [Stdout::File, Stdout::Pipe, Stdout::Terminal] {
            let before = fs::read_to_string(&path).expect("text");
            let (output, stdout, _stderr) = Output::open(kind, &path, &hidden).expect("opened");
            let mut service = std::process::Command::new("cat")
                .stdin(Stdio::piped())
                .stdout(stdout)
                .spawn()
                .expect("cat runs");
            let mut input = service.stdin.take().expect("its input");
            input.write_all(line("s3cr3t-of-ours").as_bytes()).expect("written");
            drop(input);
            service.wait().expect("it ends");
            drop(_stderr);
            drop(output);
            let expected = before + &line("[redacted]****");
            assert!(fs::read_to_string(&path).expect("text") == expected, "{kind:?}");
        }
        assert_eq!(fs::read_dir(directory.path()).expect("listed").count(), 1);
    }

    #[test]
    fn a_file_that_the_service_writes_is_cut() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("service.log");
        let log = log(&path, 0);
        let mut service = log.file.try_clone().expect("a descriptor");
        let looks = log.look_after().expect("a thread").expect("a file");
        let cut = || fs::read_to_string(&path).is_ok_and(|text| text.contains("left out here"));
        while !cut() {
            service.write_all(b"a line of the service\n").expect("written");
            thread::yield_now();
        }
        drop(looks);
    }
}
