//! Development only: virtual time and services with known responses.
//!
//! Nothing here reads a clock or opens a socket. It must not know how ticks are judged, and nothing
//! that is shipped depends on it.

pub mod backend;
mod model;
mod random;
mod service;
mod stalls;

pub use model::{Bucket, Cold, Drift, Hiccups, Model, Onset, Pause, Warms, Work};
pub use service::{SimService, StepLoad};
