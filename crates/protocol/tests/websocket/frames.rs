//! Frames as a service sends them.

#[path = "../frame/mod.rs"]
mod frame;

pub(crate) use frame::frame;

/// The last frame of what it is of.
pub(crate) const LAST: u8 = 0x80;
pub(crate) const CONTINUATION: u8 = 0;
pub(crate) const TEXT: u8 = 1;
pub(crate) const BINARY: u8 = 2;
pub(crate) const CLOSE: u8 = LAST | 8;
pub(crate) const PING: u8 = LAST | 9;
pub(crate) const PONG: u8 = LAST | 10;
