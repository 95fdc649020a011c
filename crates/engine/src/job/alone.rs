//! A job whose one user takes a journey alone.

use super::Job;
use crate::engine_error::EngineError;
use crate::event_loop::Control;
use plimsoll_measure::{ErrorClass, Example, Sight, Tick};
use std::sync::atomic::AtomicBool;

/// What became of a user who took a journey alone.
#[derive(Debug)]
pub enum Alone {
    /// The user came to the end, with these values at the places of their variables in the scenario.
    Finished(Vec<Option<Box<[u8]>>>),
    /// A request failed, with this class and, where there is one, what it looked like.
    Failed(ErrorClass, Option<Example>),
    /// The user was stopped on the way.
    Stopped,
}

impl Job {
    /// Sends one user on the way, and waits for it; `goes_on` is asked at each tick. Of its load there has to be one user.
    ///
    /// # Errors
    /// As [`Job::run`].
    pub fn run_alone(&self, stop: &AtomicBool, goes_on: impl Fn() -> bool) -> Result<Alone, EngineError> {
        let mut seen = Tick::default();
        self.run(stop, |tick| {
            seen.merge(&tick);
            if goes_on() { Control::Continue } else { Control::Stop }
        })?;
        if let Some(values) = self.requests.left() {
            return Ok(Alone::Finished(values.clone()));
        }
        let failed = ErrorClass::ALL
            .into_iter()
            .find(|class| seen.counters.errors.get(*class) > 0);
        Ok(match failed {
            Some(class) => Alone::Failed(class, seen.examples.get(Sight::Failure(class)).cloned()),
            None => Alone::Stopped,
        })
    }
}
