//! How long what ends has from SIGTERM to SIGKILL, and what cuts that short.

use crate::supervisor::wire::Request;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at what starts or ends.
pub(super) const POLL: Duration = Duration::from_millis(10);
/// From SIGTERM to SIGKILL when this process ended without a goodbye; shorter if that is what it would have given.
pub(crate) const ORPHAN_GRACE: Duration = Duration::from_secs(2);

/// How long what ends has from SIGTERM to SIGKILL.
#[derive(Debug)]
pub(crate) struct Grace<'a> {
    pub(super) until: Instant,
    /// What cuts it short, and what is left then.
    cut: Option<(&'a AtomicBool, Duration)>,
}

impl<'a> Grace<'a> {
    pub(crate) fn of(grace: Duration) -> Self {
        // Beyond a year nobody waits.
        let grace = grace.min(Duration::from_secs(365 * 24 * 60 * 60));
        Self {
            until: Instant::now() + grace,
            cut: None,
        }
    }

    /// At most `short` from the moment on that `interrupted` is set, be it already.
    pub(crate) fn unless(self, interrupted: &'a AtomicBool, short: Duration) -> Self {
        let mut grace = Self {
            cut: Some((interrupted, short)),
            ..self
        };
        grace.was_cut();
        grace
    }

    pub(super) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Whether it has become shorter since it was asked last.
    pub(super) fn was_cut(&mut self) -> bool {
        let Some((_, short)) = self.cut.filter(|(interrupted, _)| interrupted.load(Ordering::Relaxed)) else {
            return false;
        };
        self.cut = None;
        let until = self.until.min(Instant::now() + short);
        std::mem::replace(&mut self.until, until) != until
    }

    /// How long one may wait without missing that it becomes shorter.
    pub(super) fn next_look(&self, deadline: Instant) -> Duration {
        let left = deadline.saturating_duration_since(Instant::now());
        if self.cut.is_some() { left.min(POLL) } else { left }
    }

    pub(super) fn request(&self) -> Request {
        Request::Stop {
            grace_ms: u64::try_from(self.left().as_millis()).unwrap_or(u64::MAX),
        }
    }
}
