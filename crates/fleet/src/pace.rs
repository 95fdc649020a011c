//! Intervals and timeouts that load agents and target agents share: calls, clock readings, leases.

pub(crate) const MS: u64 = 1_000_000;
pub(crate) const S: u64 = 1_000 * MS;

/// Agents are called this often …
pub(crate) const CALL_NS: u64 = 250 * MS;
/// … and gathered for so long where nobody says how many there have to be …
pub(crate) const GATHER_NS: u64 = 1500 * MS;
/// … or for so long at most until as many are there as are wanted.
pub(crate) const GATHER_MAX_NS: u64 = 30 * S;
/// Clocks are read this often …
pub(crate) const PING_NS: u64 = 15 * MS;
/// … until each was read so many times.
pub(crate) const PONGS: u32 = 6;
/// Leases are renewed this often.
pub(crate) const RENEW_NS: u64 = 500 * MS;
