//! What connections cost on this machine.

use serde::{Deserialize, Serialize};

/// Memory at one moment. What other programs do meanwhile is in the kernel's figures too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MachineSample {
    /// When it was taken, since the beginning of the run, ns.
    pub at_ns: u64,
    /// Memory of the generator, with its share of what it shares with others (PSS), bytes.
    pub generator_bytes: u64,
    /// Objects of the kernel: sockets, descriptors, their places in epoll (`Slab` of `/proc/meminfo`), bytes.
    pub kernel_objects_bytes: u64,
    /// Data in the buffers of TCP sockets (`mem` of `/proc/net/sockstat`), bytes.
    pub socket_buffers_bytes: u64,
    /// TCP sockets that are not in TIME_WAIT, both ends where both are here (`inuse` of `/proc/net/sockstat`).
    pub tcp_sockets: u64,
}
