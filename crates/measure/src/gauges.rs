//! The state of a load at the end of a tick.

use serde::{Deserialize, Serialize};

/// State at the end of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Gauges {
    /// Requests sent and not yet finished.
    pub in_flight: u64,
    /// Arrivals that wait for a connection. Where connections are held: those that are still to come.
    pub queued: u64,
    /// Open connections.
    pub connections: u64,
    /// Clients that are held, where several may share a connection; else each has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clients: Option<u64>,
    /// Users who are there, where the load says in stages how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
}

impl Gauges {
    /// Requests that are sent or wait for a connection.
    #[must_use]
    pub fn outstanding(&self) -> u64 {
        self.in_flight.saturating_add(self.queued)
    }

    /// Adds `other`.
    pub fn merge(&mut self, other: &Self) {
        self.in_flight = self.in_flight.saturating_add(other.in_flight);
        self.queued = self.queued.saturating_add(other.queued);
        self.connections = self.connections.saturating_add(other.connections);
        let sum = |ours: Option<u64>, theirs: Option<u64>| ours.into_iter().chain(theirs).reduce(u64::saturating_add);
        self.clients = sum(self.clients, other.clients);
        self.users = sum(self.users, other.users);
    }
}
