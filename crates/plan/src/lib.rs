//! Text to a validated, immutable [`Plan`].
//!
//! A [`Plan`] that exists can be run; a [`PlanDraft`] becomes one by [`PlanDraft::validate`]. This crate must not know
//! sockets, clocks, or how a plan is carried out; the only files it reads are a plan, and the bodies and tables that it names.
//!
//! Each directory imports only those before it: `secrets`, `notation`, `plan`. Another language may be written in the same
//! [`notation`].

pub mod notation;
mod plan;
mod schema;
mod secrets;

pub use notation::command_line::split_command;
pub use notation::error::PlanError;
pub use notation::mismatch::Mismatch;
pub use notation::units::{Level, Rate, Share, duration_text, parse_duration, parse_rate, parse_share};
pub use plan::Plan;
pub use plan::action::{
    Action, ActionRequest, Chance, Count, Each, EachOf, OnFailure, Pause, Receivers, Repeat, Rounds, RoundsBy, Set,
    When,
};
pub use plan::address::{Address, NoSocketPath, SOCKET_PATH_BYTES_MAX, Server, SocketPath};
pub use plan::auth::Auth;
pub use plan::condition::{Comparison, Condition, Relation, is_number};
pub use plan::connections::Connections;
pub use plan::destination::Destination;
pub use plan::draft::PlanDraft;
pub use plan::fleet::{FleetPlan, FleetUrl};
pub use plan::grpc::{Grpc, GrpcStatus, Messages};
pub use plan::hold::{HoldLoad, Park, parse_ports};
pub use plan::http::HttpVersion;
pub use plan::journey::Journey;
pub use plan::json_path::{JsonPath, JsonStep};
pub use plan::judging::Judging;
pub use plan::known_secrets::KnownSecrets;
pub use plan::limit::Limit;
pub use plan::limits::{ByteSize, CpuLimit, Limits, parse_byte_size, parse_cpu_limit};
pub use plan::load::{Arrivals, ClosedLoad, Load, OpenLoad, Segment, Stage, UserStage, parse_stage};
pub use plan::masks::BodyLength;
pub use plan::now::Now;
pub use plan::objective::Objective;
pub use plan::pattern::Pattern;
pub use plan::proxy::Proxy;
pub use plan::request::{Expect, Form, Method, Request, Transport};
pub use plan::resolution::Resolution;
pub use plan::running::{Container, Hosted, Running, ServiceName, parse_container, parse_service_name};
pub use plan::scenario::{REQUESTS_APART_MAX, Scenario};
pub use plan::scheme::Scheme;
pub use plan::search::{Amount, Search, SearchUnit};
pub use plan::sizing::{Price, Sizing, parse_price};
pub use plan::stand_in::{MILLION, ResponseTime, StandIn, StandInBody, StandInResponse};
pub use plan::table::{Column, RowOrder, Table};
pub use plan::take::{Check, Take, TakeFrom};
pub use plan::target::{Command, Neighbour, NeighbourPlan, Readiness, Sign, Stdout, Target, cpus_text, parse_cpus};
pub use plan::template::{Piece, Template, escape_braces};
pub use plan::tls::{TlsOptions, TlsVersions};
pub use plan::url::Url;
pub use plan::variable::{Draw, Values, Variable};
pub use plan::zone::without_zone;
pub use schema::json_schema;
pub use secrets::names as secret_names;
pub use secrets::{REDACTED, Secret, Shown};
