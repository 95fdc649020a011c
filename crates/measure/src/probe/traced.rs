//! Requests that the probe traced: what their calls to other services cost.

use super::{SITES_MAX, bounded};
use serde::{Deserialize, Serialize};

/// A sample of requests, traced exactly. Sums over all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedCounter {
    /// Traced to their end.
    pub requests: u64,
    /// Cut off before their end.
    pub cut: u64,
    /// How many different ones were seen so far, up to a bound; a gauge.
    pub kinds: u64,
    /// Their times from start to end, ns.
    pub ns: u64,
    /// Calls that they made.
    pub calls: u64,
    /// Time with at least one call under way, ns.
    pub waited_ns: u64,
    /// Calls that the same request made before.
    pub repeated: u64,
    /// By how much `waited_ns` would be less without them.
    pub repeated_ns: u64,
    /// Others, for what a request that differs asked as well, and somebody less than a second before.
    pub shared: u64,
    /// By how much `waited_ns` would be less without these, and without those repeated.
    pub shared_ns: u64,
    /// Calls that opened a connection.
    pub connections: u64,
    /// By how much `waited_ns` would be less if those not repeated had one.
    pub connecting_ns: u64,
    /// Calls in a row, of those not repeated.
    pub series: u64,
    /// How much longer these take than the longest call, connections left out, ns.
    pub series_ns: u64,
    /// By call site.
    #[serde(deserialize_with = "bounded::list::<SITES_MAX, _, _>")]
    pub sites: Vec<TracedSite>,
}

/// Calls of traced requests from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedSite {
    /// Number of the [`CallSite`](super::CallSite).
    pub id: u32,
    /// All.
    pub calls: u64,
    /// As in [`TracedCounter`].
    pub repeated: u64,
    /// As in [`TracedCounter`].
    pub shared: u64,
    /// As in [`TracedCounter`].
    pub connections: u64,
    /// As in [`TracedCounter`].
    pub series: u64,
}
