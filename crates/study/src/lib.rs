//! Published cases measured here: the language of studies, the running of their measurements, each of them an ordinary
//! comparison, sweep, search, run or program, and what they come to beside what was published.
//!
//! It must not know how a run is made, which is the lab's, or how anything is drawn.

mod error;
mod judging;
mod language;
mod running;

pub use error::StudyError;
pub use judging::{MeasuredPart, judge};
pub use language::{
    Bound, Direction, Effect, Figure, Measurement, MeasurementKind, MeasurementLoad, Published, Service, Study,
    StudySize, StudyTexts, StudyVariant, Value, study_schemas,
};
pub use running::{Studied, StudiedPart, Studying, is_study, replay_study};
