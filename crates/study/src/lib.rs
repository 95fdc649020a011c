//! Published cases measured here: each measurement of a study is an ordinary comparison, sweep, search, run or program.
//!
//! It must not know how a run is made, which is the lab's, or how anything is drawn.

mod error;
mod event;
mod judging;
mod running;

pub use error::StudyError;
pub use event::StudyEvent;
pub use judging::{MeasuredPart, judge};
pub use running::{Studied, StudiedPart, Studying, is_study, replay_study};
