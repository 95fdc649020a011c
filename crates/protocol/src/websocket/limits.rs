//! How much a service may send before it is refused.

/// Longest message that is read, compressed or not. Nothing of it is kept; a service that sends more means something else.
pub const MAX_MESSAGE_BYTES: u64 = 100 << 20;
