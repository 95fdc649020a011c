//! Rounds of a series to a verdict: variants that are compared, and sizes to which the scalability law is fitted.
//!
//! Pure: no files, no clock, no randomness but from the seed that is passed in. It must not know how a round is run, how a
//! run is judged, or how findings are drawn.

mod check;
mod compare;
mod crossover;
mod noise;
mod responses;
mod scale;
mod sequential;
mod student;
mod what_if;

pub use compare::{ComparedRound, UNUSED_BLOCKS, UNUSED_BLOCKS_OF_LONG, compare, look, next_block, order};
pub use crossover::LEAST_BLOCKS;
pub use noise::noise;
pub use responses::{responses_of_run, responses_together};
pub use scale::scale;
pub use what_if::what_if;
