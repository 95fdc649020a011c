//! The bounds of the capacity search.

use crate::notation::units::{Level, Share};
use std::time::Duration;

/// Bounds of the capacity search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// What the first step offers.
    pub start: Level,
    /// The search never offers more.
    pub max: Level,
    /// Wanted width of the bracket, as a share of the load line.
    pub bracket: Share,
    /// The search ends after this long, whatever it knows by then.
    pub budget: Duration,
    /// Length of one judged step.
    pub step: Duration,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            start: Level::whole(100),
            max: Level::whole(1_000_000),
            bracket: Share::percent(5),
            budget: Duration::from_secs(90),
            step: Duration::from_secs(5),
        }
    }
}
