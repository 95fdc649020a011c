//! What a load is generated with.

use crate::backend::Io;
use crate::wake_policy::Wakeups;
use std::net::IpAddr;

/// The generator on this machine: its threads, and what they run on.
#[derive(Debug, Clone)]
pub struct Generator {
    /// Number of threads, at least 1.
    pub shards: u32,
    /// Whether each thread has a descriptor table of its own, so that the limit of open descriptors counts for each.
    pub own_tables: bool,
    /// Cores of the threads, used in turn; empty is not pinned.
    pub cpus: Vec<usize>,
    /// How sockets are driven; see [`Io::choose`].
    pub io: Io,
    /// How exactly the times of an open load are kept.
    pub wakeups: Wakeups,
    /// Connections leave from these addresses in turn; empty leaves the choice to the kernel.
    pub local_addrs: Vec<IpAddr>,
}

impl Generator {
    /// One thread that drives sockets by `io`, with everything else left to the kernel.
    #[must_use]
    pub fn single(io: Io) -> Self {
        Self {
            shards: 1,
            own_tables: false,
            cpus: Vec::new(),
            io,
            wakeups: Wakeups::default(),
            local_addrs: Vec::new(),
        }
    }
}
