//! How much a response may send before it is refused.

/// Most bytes of the line that carries a chunk's size and extensions.
pub(super) const MAX_SIZE_LINE_BYTES: u16 = 4096;

/// Most bytes of the fields after the last chunk.
pub(super) const MAX_TRAILER_BYTES: u16 = 32 * 1024;

/// Most bytes of status line and headers, 256 KiB.
pub const MAX_HEAD_BYTES: usize = 256 * 1024;

/// Most headers of one response.
pub const MAX_HEADERS: usize = 5000;

/// Most bytes of the interim responses (1xx) before one response, 1 MiB.
pub(super) const MAX_INTERIM_BYTES: u64 = 1 << 20;
