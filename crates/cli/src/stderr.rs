//! The one place that writes to standard error.
//!
//! Where it cannot be written, as behind `2>&1 | head -1` or on a full disk, nothing happens: a message that nobody reads
//! must not cost the result or change the exit code. What it writes is plain: names, messages and lines of services may
//! come from anywhere.

use indicatif::{ProgressBar, ProgressDrawTarget};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal as _, Write as _};
use std::panic;

/// Writes lines of text.
#[expect(clippy::disallowed_methods, reason = "everybody else writes through this")]
pub(crate) fn tell(text: &str) {
    let mut text = plimsoll_plain::lines(text).into_owned();
    text.push('\n');
    // In one go, so that lines of several threads do not mix. A failure has nowhere to be told.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

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
