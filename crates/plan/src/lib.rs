//! Text to a validated, immutable [`Plan`].
//!
//! A [`Plan`] that exists can be run; a [`PlanDraft`] becomes one by [`PlanDraft::validate`]. This crate must not know
//! sockets, clocks, or how a plan is carried out; the only files it reads are a plan and the bodies that it names.

mod check;
mod command_line;
mod connections;
mod document;
mod draft;
mod encoding;
mod environment;
mod error;
mod flaw;
mod hold;
mod json;
mod load;
mod mismatch;
mod notation;
mod objective;
mod plan;
mod print;
mod read_load;
mod read_scenario;
mod reader;
mod scenario;
mod schema;
mod secrets;
mod study;
mod syntax;
mod target;
mod template;
mod units;
mod url;
mod written;

pub use command_line::split_command;
pub use connections::Connections;
pub use draft::PlanDraft;
pub use error::PlanError;
pub use hold::{HoldLoad, Park, parse_ports};
pub use load::{Arrivals, ClosedLoad, Load, OpenLoad, Segment, Stage, parse_stage};
pub use mismatch::Mismatch;
pub use objective::{Judging, Objective, Search};
pub use plan::Plan;
pub use scenario::{Expect, Method, Request, Scenario, Values, Variable};
pub use schema::{json_schema, study_schemas};
pub use secrets::{KnownSecrets, REDACTED, Secret, Shown};
pub use study::{
    Bound, Direction, Effect, Figure, Measurement, MeasurementKind, MeasurementLoad, Published, Service, Study,
    StudyTexts, StudyVariant, Value,
};
pub use target::{Command, Readiness, Stdout, Target, cpus_text, parse_cpus};
pub use template::{Piece, Template};
pub use units::{Rate, Share, duration_text, parse_duration, parse_rate, parse_share};
pub use url::{Scheme, Url};
