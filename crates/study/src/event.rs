//! What happens while a study is made.

use plimsoll_lab::Event;

/// Something happened in the study.
#[derive(Debug)]
pub enum StudyEvent<'a> {
    /// A measurement begins.
    MeasurementStarted {
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
        /// What the study calls it.
        name: &'a str,
        /// `compare`, `scale`, `capacity`, `run` or `command`.
        kind: &'static str,
    },
    /// Something happened in a measurement.
    Within(Event<'a>),
}
