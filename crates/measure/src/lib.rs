//! What a run saw: counters, histograms and the run directory that keeps them.
//!
//! Everything here can be merged, so that shards and agents add up. This crate does not know how
//! the figures were produced, and it does not judge them.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

mod apart;
mod compiler;
mod durations;
mod error_class;
mod example;
mod frame;
mod function_time;
mod gauges;
mod generator_load;
mod histogram;
pub mod history;
mod instance;
mod kept;
mod layers;
mod loop_delays;
mod machine;
mod neighbour;
pub mod probe;
mod profile;
mod profile_text;
mod record;
pub mod run_directory;
mod run_kind;
mod share;
mod shock;
mod summary;
mod target;
mod tick;

pub use apart::{AGENTS_MAX, Part, REQUESTS_APART_MAX, apart, merge_each};
pub use compiler::Compiler;
pub use durations::{Durations, PerTiming, Summaries, TickDurations, Timing};
pub use error_class::{ErrorClass, ErrorCounts};
pub use example::{EXAMPLE_BYTES_MAX, Example, Examples, Sight, printable};
pub use frame::{Frame, package_of};
pub use function_time::FunctionTime;
pub use gauges::Gauges;
pub use generator_load::{GeneratorLoad, Resource, ShardLoad, Taken};
pub use histogram::{HIGHEST_NS, Histogram};
pub use instance::{InstanceSample, InstancesSample};
pub use kept::{CollectionMark, KeptSample};
pub use layers::{CausedTime, Causer, Layer, LayerCounts, LayerKind, Layers};
pub use loop_delays::LoopDelays;
pub use machine::MachineSample;
pub use neighbour::NeighbourSample;
pub use profile::{Call, Profile};
pub use profile_text::{Makes, MakingLine, ProfileText, Texts};
pub use record::{AgentHost, Ended, Host, Note, NoteKind, Record, RunEnd, RunInfo, StepEnd, StepStart};
pub use run_kind::RunKind;
pub use share::share_interval;
pub use shock::{Shock, ShockMark, ShockPhase};
pub use summary::Summary;
pub use target::{GroupSample, TargetSample};
pub use tick::{Counters, HeldClients, MessageCounts, PartLine, Tick, TickLine, UserCounts};
