//! The experiment: starts the service, lets `analysis` decide the next step, drives the engine,
//! appends to the run directory, and tells what happens in one stream of events.
//!
//! It does not know how anything is drawn, and it holds no statistics.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

mod around;
mod collections;
mod comparison;
mod course;
mod diagnosis;
mod disturb;
mod error;
mod experiment;
pub mod fleet;
mod generator;
mod here;
mod history;
mod inspection;
mod journal;
mod keeping;
mod local_addresses;
mod look;
mod measured;
mod neighbours;
mod outcome;
mod progress;
mod relayed;
mod removables;
mod replay;
mod replay_run;
mod replay_series;
mod revisions;
mod rounds;
mod run_info;
mod secured;
mod service;
mod shock;
mod stand_in;
mod stepper;
mod subject;
mod tables;
mod trouble;
mod visit;
mod watch;
mod what_if;

pub use comparison::{Compared, Comparing, Rounds, VariantPlan};
pub use diagnosis::Diagnosis;
pub use error::LabError;
pub use experiment::{Experiment, Options};
pub use fleet::FleetOptions;
pub use generator::{GeneratorOptions, io_uring_refused};
pub use history::HistoryFile;
pub use keeping::Keeping;
pub use outcome::Outcome;
pub use plimsoll_engine::Wakeups;
pub use plimsoll_engine::backend::Io;
pub use plimsoll_measure::run_directory::{Gate, Prediction, Sweep};
pub use plimsoll_measure::{RunKind, Shock};
pub use plimsoll_series::{UNUSED_BLOCKS, UNUSED_BLOCKS_OF_LONG};
pub use replay::{replay, replay_as, replay_in};
pub use replay_series::{Series, is_series, replay_series, replay_series_in};
pub use revisions::Revision;
pub use shock::ShockPlan;
pub use visit::{Visit, visit};
pub use what_if::WhatIfs;
