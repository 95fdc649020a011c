//! Connections that were held, and what they said.

use super::Percentiles;
use schemars::JsonSchema;
use serde::Serialize;

/// Connections that were held open; over HTTP/2, where several may share one, clients with a stream each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct HoldFinding {
    /// Connections, or clients, that were asked for.
    pub wanted: u64,
    /// Connections, or clients, that were opened.
    pub opened: u64,
    /// Connections, or clients, that were open at the end.
    pub live: u64,
    /// Most that were open at the end of a tick.
    pub live_max: u64,
    /// Over HTTP/2: most connections that were open at the end of a tick, which the clients shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections_max: Option<u64>,
    /// Those that were opened and did not last; `errors` has the classes.
    pub lost: u64,
    /// From the beginning to the last one that was opened, seconds; `None` when none was.
    pub opening_s: Option<f64>,
    /// From then to the end, seconds.
    pub held_s: Option<f64>,
    /// Threads of the generator.
    pub shards: u32,
    /// Parked requests that got their response, or pings.
    pub delivered: u64,
    /// From the moment that the service wrote into a response to its last byte, ms. Empty where it writes none.
    pub delivery_time: Percentiles,
    /// Memory of the generator that came with each connection, bytes.
    pub generator_bytes_per_connection: Option<f64>,
    /// Resident memory of the service that came with each connection, bytes; `None` where it could not be sampled.
    pub service_bytes_per_connection: Option<f64>,
    /// Memory of this machine's kernel that came with each connection, bytes: both of its ends where both are here.
    pub kernel_bytes_per_connection: Option<f64>,
    /// The messages, when the connections sent some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<MessageFinding>,
}

/// Messages that held connections sent, and that came to held connections.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct MessageFinding {
    /// Messages that the service accepted.
    pub sent: u64,
    /// Messages among them that arrived.
    pub delivered: u64,
    /// Messages among them that did not, although they were awaited; `None` where the run was cut short, so that they may have been
    /// under way.
    pub lost: Option<u64>,
    /// Arrivals of messages that had arrived before; of those that are for several connections, at the same one.
    pub doubled: u64,
    /// What arrived where, if messages are for several connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<BroadcastFinding>,
    /// Messages that came to a connection behind another one of the same sender, as far as it was remembered.
    pub compared: u64,
    /// Messages among them that were sent before the other one.
    pub out_of_order: u64,
    /// From the moment at which a message was to be sent until it arrived. Of all that arrived.
    pub time: Percentiles,
}

/// Messages that are for several connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct BroadcastFinding {
    /// Connections that each message is for; `None` where nobody knows.
    pub receivers: Option<u64>,
    /// Arrivals of messages at connections, each message once at each.
    pub arrivals: u64,
    /// Arrivals that did not come although they were awaited; `None` where nobody knows how many were to come, or the run was cut short.
    pub missing: Option<u64>,
}
