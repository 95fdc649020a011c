//! Recorded run to findings: verdicts per window, the capacity search, the summary.
//!
//! Pure: no I/O, no clock, no randomness that is not passed in. It does not know who produced the
//! records or how findings are drawn.

mod about;
mod errors;
mod fold;
mod generator;
mod handshakes;
mod hold;
mod instances;
mod journeys;
mod judge;
mod lateness;
mod limits;
mod little;
mod neighbours;
mod noted;
mod outcome;
mod percentiles;
mod requests;
mod response_notices;
mod rules;
mod scarcity;
mod search;
mod service;
mod shock;
mod sizing;
mod soak;
mod step;
mod step_summary;
mod throughout;
mod timeline;
mod wake_lag;
mod warm_up;
mod window;

pub use fold::Fold;
pub use judge::{Spread, Tally, condition};
pub use search::{Decision, Ending, Purpose, Reach, Search, SearchResult, SearchStep};
pub use step_summary::StepOutcome;
pub use warm_up::WarmedRun;
