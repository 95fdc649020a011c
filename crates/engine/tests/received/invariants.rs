//! What must hold for any bytes in a receive buffer. The replayed corpus and the fuzz target share it.

use super::received::{LENGTHS_BYTES, MESSAGE_BYTES, split};

/// `SOL_SOCKET` and `SCM_TIMESTAMPNS` of Linux.
pub(crate) const LEVEL: i32 = 1;
pub(crate) const KIND: i32 = 35;

/// What is behind the head of the buffer comes out as it is, whatever the head says; a time comes of a whole control message alone.
pub(crate) fn any_buffer_is_read_within_its_bounds(buffer: &[u8]) {
    let (bytes, time_ns) = split(buffer, LEVEL, KIND);
    let head_bytes = LENGTHS_BYTES + MESSAGE_BYTES;
    assert_eq!(bytes, buffer.get(head_bytes..).unwrap_or_default());
    if time_ns.is_some() {
        assert!(buffer.len() >= head_bytes);
        let length = u32::from_ne_bytes([buffer[4], buffer[5], buffer[6], buffer[7]]);
        assert_eq!(length as usize, MESSAGE_BYTES);
    }
}
