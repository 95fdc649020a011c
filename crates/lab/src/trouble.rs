//! What ends a step before its load does.

use serde::{Deserialize, Serialize};

/// Something went wrong with the service or beside it; a note says what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trouble {
    /// The service ended by itself.
    TargetDied,
    /// A neighbour of the service ended by itself.
    NeighbourDied,
    /// Somebody else got connections that were meant for the service.
    PortTaken,
    /// The machine with the service is not heard any more, or lost it.
    MachineLost,
}
