//! What the service asks others, and its pools of connections to them.

use super::bounded;
use serde::{Deserialize, Serialize};

/// Requests to one other service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UpstreamCounter {
    /// Scheme, host and port.
    #[serde(deserialize_with = "bounded::name")]
    pub origin: String,
    /// `http` or `undici`; each counts for itself.
    #[serde(deserialize_with = "bounded::name")]
    pub client: String,
    /// Sent.
    pub requests: u64,
    /// Those that got a response.
    pub answered: u64,
    /// Most of them that were under way at once since the last message.
    pub active_peak: u64,
    /// Time integral of those under way, ns.
    pub active_ns: u64,
    /// Connections opened.
    pub connections: u64,
    /// GETs of a URL that was asked for less than a second before.
    pub repeated: u64,
}

/// A pool of connections that has a bound.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConnectionPoolCounter {
    /// `pg-pool Pool.connect`, for instance; calls of this function are counted too.
    #[serde(deserialize_with = "bounded::name")]
    pub name: String,
    /// How many connections it may have; 0 where that is not known.
    pub size: u32,
    /// Connections that were asked for.
    pub asked: u64,
    /// Time integral of those that were waited for, ns.
    pub waiting_ns: u64,
}
