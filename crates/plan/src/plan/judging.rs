//! How a run is cut into windows and judged.

use crate::notation::units::Share;
use std::time::Duration;

/// How a run is cut into windows and judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judging {
    /// Length of one window.
    pub window: Duration,
    /// Share of windows that must pass each objective.
    pub passing_windows: Share,
    /// Windows that begin before this much of the run has passed are not judged.
    pub warm_up: Duration,
}

impl Default for Judging {
    fn default() -> Self {
        Self {
            window: Duration::from_secs(1),
            passing_windows: Share::percent(90),
            warm_up: Duration::from_secs(2),
        }
    }
}

impl Judging {
    /// The default for a run of this length: the first tenth of it, at most 2 s, is warm-up; windows are 1 s long, or
    /// as long as what remains.
    #[must_use]
    pub fn for_run(duration: Duration) -> Self {
        let default = Self::default();
        let warm_up = default.warm_up.min(duration / 10);
        Self {
            window: default.window.min(duration.saturating_sub(warm_up)),
            warm_up,
            ..default
        }
    }
}
