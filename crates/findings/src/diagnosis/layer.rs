//! What the functions cost that a framework calls for a request.

use super::place::Place;
use schemars::JsonSchema;
use serde::Serialize;

/// What each middleware, hook and handler costs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LayerCosts {
    /// The costliest first.
    pub layers: Vec<LayerCost>,
    /// Share of the CPU per request that none of them causes: Node.js and the framework.
    pub rest_share: f64,
}

/// What one of them costs: what it does, what its callbacks and promises do later, its garbage, its tasks for the threadpool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LayerCost {
    /// What it is.
    pub role: LayerRole,
    /// Its name; empty for an anonymous function.
    pub name: String,
    /// The line that registers it.
    pub place: Option<Place>,
    /// The package that this line is in; `None` for the service's own code.
    pub package: Option<String>,
    /// The line where the function begins, where the profile saw it.
    pub defined: Option<Place>,
    /// The package that this line is in; `None` for the service's own code.
    pub defined_in: Option<String>,
    /// It decides which requests get through.
    pub guards: bool,
    /// CPU per request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// That CPU as a share of all CPU per request.
    pub cpu_share: f64,
    /// Lower end of the interval that holds this share in 95 of 100 profiles of the same load.
    pub cpu_share_low: f64,
    /// Upper end of that interval.
    pub cpu_share_high: f64,
    /// The part of that share that collects its garbage.
    pub garbage_share: f64,
    /// The part of that share that the threadpool does for it.
    pub threadpool_share: f64,
}

/// What a function is that a framework calls for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerRole {
    /// It runs for many routes, and passes requests on.
    Middleware,
    /// It runs at some moment of a request.
    Hook,
    /// It responds.
    Handler,
    /// No function, but a server that listens. Its requests are read before any function of the service knows of them.
    Server,
}
