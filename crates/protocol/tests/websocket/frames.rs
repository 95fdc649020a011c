//! Frames as a service sends them.

/// The last frame of what it is of.
pub(crate) const LAST: u8 = 0x80;
pub(crate) const CONTINUATION: u8 = 0;
pub(crate) const TEXT: u8 = 1;
pub(crate) const BINARY: u8 = 2;
pub(crate) const CLOSE: u8 = LAST | 8;
pub(crate) const PING: u8 = LAST | 9;
pub(crate) const PONG: u8 = LAST | 10;

/// A frame with this first byte, whose length is in the fewest bytes.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        length @ 0..=125 => frame.push(length as u8),
        length @ 126..=0xffff => {
            frame.push(126);
            frame.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            frame.push(127);
            frame.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}
