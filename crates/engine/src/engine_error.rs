//! Why a load could not be made.

use std::io;

/// Why a load could not be made at all. The text fits after "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The operating system refused a thread or a descriptor.
    #[error("start a generator thread: {0}")]
    Start(#[source] io::Error),
    /// The thread may not run on the wanted core.
    #[error("pin a generator thread to core {cpu}: {source}")]
    Pin {
        /// The wanted core.
        cpu: usize,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system does not let a thread have descriptors of its own.
    #[error("give a generator thread a descriptor table of its own: {0}")]
    OwnTable(#[source] io::Error),
    /// A generator thread ended by a fault of our own.
    #[error("go on with the load: a generator thread panicked, which is a bug in plimsoll")]
    Panicked,
}
