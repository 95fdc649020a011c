//! What a diagnosis found.

mod cause;
mod cause_kind;
mod evidence;
mod layer;
mod listing;
mod place;
mod runtime;
mod what_if;

pub use cause::{Bound, BrokeFirst, Cause, FlameCall, PackageCost, Pass, Predicted, ResponseThen, Slice};
pub use cause_kind::CauseKind;
pub use evidence::{Assumption, BoundBecause, CodeClass, Evidence, Garbage, PackageShare, SpentOn, StallCalls, What};
pub use layer::{LayerCost, LayerCosts, LayerRole};
pub use listing::{ListedLine, Listing, Listings};
pub use place::Place;
pub use runtime::{Activity, ActivityTime, Charged, ChargedActivity, Registered, RuntimeCharge, RuntimeTime};
pub use what_if::{MeasuredGain, WhatIf};

use schemars::JsonSchema;
use serde::Serialize;

/// Why the service stops where it stops.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// What runs out first.
    pub bound: Bound,
    /// Why that is said.
    pub bound_because: BoundBecause,
    /// What broke first as the load rose; `None` where nothing did.
    pub broke_first: Option<BrokeFirst>,
    /// The service is asked by messages: what is said here of requests is of these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_message: bool,
    /// Rate of the passes, requests per second.
    pub rate_per_s: Option<f64>,
    /// The passes in the order they were run. The first is without probe.
    pub passes: Vec<Pass>,
    /// What was found, greatest predicted gain first; empty when nothing was.
    pub causes: Vec<Cause>,
    /// Where the main threads spent their time in the profile, greatest first.
    pub breakdown: Vec<Slice>,
    /// What each middleware, hook and handler costs; `None` where the framework is not known.
    pub layers: Option<LayerCosts>,
    /// What Node.js itself does, and for whom; `None` without a profile.
    pub runtime: Option<RuntimeTime>,
    /// The source of the functions that take most time by themselves; `None` where it was not read.
    pub listings: Option<Listings>,
    /// The busiest calls of the profile, callers before the called; empty without a profile.
    pub flame: Vec<FlameCall>,
    /// What leaving something out of the service gave, when that was asked for. Measured: never to be mixed with what is
    /// predicted of the causes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what_if: Vec<WhatIf>,
}
