//! Warming a service up before it is judged: with which load, and when it is warm.
//!
//! A warm-up is a step of its own, because then the judged step has the same arrivals however long it took, and begins
//! with an empty queue. It rises to the load and holds it until CPU per request and the queue are steady, within a bound.
//! `docs/decisions/0033-a-warm-up-is-a-step-of-its-own.md` says why.

mod shape;
mod steady;

pub use shape::WarmedRun;
pub(crate) use steady::WarmUp;
