//! Where calls that were counted come from.

use crate::growth::Growth;
use plimsoll_measure::probe::SiteFrame;

/// A call site, and what came from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Site {
    pub(crate) counter: String,
    pub(crate) frames: Vec<SiteFrame>,
    /// The constructor of the error that was made, where that is not the innermost frame.
    pub(crate) made_in: Option<SiteFrame>,
    pub(crate) calls: u64,
    pub(crate) ns: u64,
    pub(crate) bytes: u64,
    pub(crate) watched: u64,
    pub(crate) seen_again: u64,
    /// What it adds to and never takes from.
    pub(crate) growth: Growth,
}

impl Site {
    /// The frame for whose function the profile has the time of the calls, as far as it is no frame of Node.js.
    pub(crate) fn takes_time(&self) -> Option<&SiteFrame> {
        self.made_in.as_ref().or_else(|| self.frames.first())
    }
}
