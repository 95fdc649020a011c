//! What signals do: the first ends the run with what it has, the second ends everything at once. A reader that is gone is
//! a first signal, where it was asked for.

use crate::exit::Failure;
use plimsoll_files::kernel;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};
use rustix::stdio::stdout;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// `timeout` and terminals send a signal twice, to the process and to its group, and npm passes on what it got, on a machine that is busy
/// with load. Nobody presses Ctrl-C twice so quickly.
const ONE_AND_THE_SAME: Duration = Duration::from_millis(100);
/// Set to 1 by a program that starts this one for its result: what was begun ends when nobody reads that any more, however
/// the reader ended.
const ENDS_WITH_READER: &str = "PLIMSOLL_ENDS_WITH_READER";
/// How long everything may take to be gone after the second signal.
const KILL_TIMEOUT: Duration = Duration::from_secs(4);

/// The flag that the first SIGINT, SIGTERM, SIGHUP or SIGQUIT sets. The second kills every process that was started, and
/// then this one.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let failed = |error| Failure::refused("watch for signals", &error);
    // Whoever starts it with `nohup` wants it to outlive the terminal.
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let signals = [SIGINT, SIGTERM, SIGQUIT].into_iter().chain(hangup);
    let mut signals = Signals::new(signals).map_err(failed)?;
    let flag = Arc::clone(&stop);
    let watch = move || {
        let mut first: Option<Instant> = None;
        for signal in &mut signals {
            let before = *first.get_or_insert_with(Instant::now);
            if !flag.swap(true, Ordering::Relaxed) || before.elapsed() < ONE_AND_THE_SAME {
                continue;
            }
            plimsoll_target::end_all(KILL_TIMEOUT);
            end_by(signal);
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)
        .map_err(failed)?;
    if std::env::var_os(ENDS_WITH_READER).is_some_and(|value| value == "1") {
        let is_ending = Arc::clone(&stop);
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || stop_without_reader(&is_ending))
            .map_err(failed)?;
    }
    Ok(stop)
}

/// Waits until the other end of standard output is gone, for ever where there is none, and is a signal then; but never the second one:
/// what ends already may take the time that it needs, although nobody waits for it any more.
fn stop_without_reader(is_ending: &AtomicBool) {
    let output = stdout();
    // What is not asked for is said all the same: that it is gone.
    let mut ends = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut ends, None) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => break,
            Err(_) => return,
        }
    }
    if !is_ending.load(Ordering::Relaxed) {
        let _ = kill_process(getpid(), Signal::TERM);
    }
}

/// Whether a signal was ignored when this program was started, as far as `/proc` tells.
fn is_ignored(signal: i32) -> bool {
    let status = kernel::text("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// As if it had never been caught.
fn end_by(signal: i32) {
    // SIGQUIT would leave a core of a program that did nothing wrong.
    let signal = if signal == SIGQUIT { SIGTERM } else { signal };
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    let _ = kill_process(getpid(), Signal::KILL);
}
