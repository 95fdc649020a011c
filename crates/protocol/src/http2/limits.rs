//! How much a service may send before it is refused.

/// Most bytes of a header block, and of the fields that it says, 256 KiB; as with HTTP/1.1.
pub(super) const MAX_HEAD_BYTES: usize = 256 * 1024;

/// Most fields of one response.
pub(super) const MAX_HEADERS: u32 = 5000;

/// Most frames of one header block: a frame of a few bytes costs the service nothing.
pub(super) const MAX_HEADER_FRAMES: u32 = 1024;

/// Most interim responses (1xx) before one response.
pub(super) const MAX_INTERIM: u8 = 100;

/// Most frames that have to be acknowledged without a request, content or a response between them.
pub(super) const MAX_CONTROL_FRAMES: u32 = 10_000;

/// Most bytes of a response that are kept to be looked at, unless its head is longer, which is kept whole.
pub(super) const KEPT_BYTES: usize = 4096;
