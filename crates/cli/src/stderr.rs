//! The one place that writes to standard error.
//!
//! Where it cannot be written, as behind `2>&1 | head -1` or on a full disk, nothing happens: a message that nobody reads
//! must not cost the result or change the exit code. What it writes is plain: names, messages and lines of services may
//! come from anywhere.

use indicatif::{ProgressBar, ProgressDrawTarget};
use plimsoll_files::stream;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal as _};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Writes lines of text.
#[expect(clippy::disallowed_methods, reason = "everybody else writes through this")]
pub(crate) fn tell(text: &str) {
    let mut text = plimsoll_plain::lines(text).into_owned();
    text.push('\n');
    // In one go, so that lines of several threads do not mix. A failure has nowhere to be told.
    let stderr = io::stderr().lock();
    let patience = if GAVE_UP.load(Ordering::Relaxed) {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let begin = Instant::now();
    let left = || Some(patience.saturating_sub(begin.elapsed()));
    let written = stream::write_all(stderr, text.as_bytes(), left);
    GAVE_UP.store(written.is_err(), Ordering::Relaxed);
}

/// How long a text waits for a reader where standard error does not block. Nobody may hold a run up by it …
const PATIENCE: Duration = Duration::from_secs(1);
/// … so while nobody reads, the next text does not wait.
static GAVE_UP: AtomicBool = AtomicBool::new(false);

/// Whether a bar can be drawn and drawn over again.
#[expect(clippy::disallowed_methods, reason = "everybody else asks this")]
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal() && anstyle_query::term_supports_ansi_color()
}

/// A bar, in colours where `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` allow them.
pub(crate) fn bar(steps: u64) -> ProgressBar {
    ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr())
}

/// Sends what is said of a panic here as well.
pub(crate) fn takes_panics() {
    panic::set_hook(Box::new(|panicked| {
        tell(&format!("internal error, please report it: {panicked}"));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            tell(&trace.to_string());
        }
    }));
}
