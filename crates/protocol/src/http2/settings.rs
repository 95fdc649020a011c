//! What the two ends say of themselves (RFC 9113, section 6.5).

use super::connection_error::ConnectionError;
use super::frame;
use super::hpack::SentTable;
use super::limits::MAX_HEAD_BYTES;
use super::window::{INITIAL_BYTES, MAX_BYTES, RECEIVE_BYTES};

const HEADER_TABLE_SIZE: u16 = 0x1;
const ENABLE_PUSH: u16 = 0x2;
const MAX_CONCURRENT_STREAMS: u16 = 0x3;
const INITIAL_WINDOW_SIZE: u16 = 0x4;
const MAX_FRAME_SIZE: u16 = 0x5;
const MAX_HEADER_LIST_SIZE: u16 = 0x6;

/// What every connection begins with (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Streams that are taken for allowed until the service says how many are: fewer than 100 it is not to allow (RFC 9113, section
/// 6.5.2), and a request beyond what it does allow is refused and goes out again.
const STREAMS_BEFORE_SETTINGS: u32 = 100;

/// Begins a connection: no pushes, windows that hardly ever have to be opened again.
pub(super) fn begin(out: &mut Vec<u8>) {
    out.extend_from_slice(PREFACE);
    let settings = [
        (ENABLE_PUSH, 0),
        (INITIAL_WINDOW_SIZE, RECEIVE_BYTES),
        (MAX_HEADER_LIST_SIZE, MAX_HEAD_BYTES as u32),
    ];
    frame::settings(&settings, out);
    frame::window_update(0, RECEIVE_BYTES - INITIAL_BYTES, out);
}

/// What the service has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PeerSettings {
    /// Most streams at once.
    pub(super) streams: u32,
    /// Window of a new stream, bytes.
    pub(super) window_bytes: u32,
    /// Whether it has said anything.
    pub(super) known: bool,
}

impl PeerSettings {
    /// Before anything was said.
    pub(super) fn new() -> Self {
        Self {
            streams: STREAMS_BEFORE_SETTINGS,
            window_bytes: INITIAL_BYTES,
            known: false,
        }
    }

    /// Takes the payload of a SETTINGS frame, whose length is a multiple of six; `table` is what the decoder of the service holds.
    pub(super) fn take(&mut self, payload: &[u8], table: &mut SentTable) -> Result<(), ConnectionError> {
        if !self.known {
            // Where it sets no limit there is none.
            *self = Self {
                streams: u32::MAX,
                known: true,
                ..*self
            };
        }
        for setting in payload.chunks_exact(6) {
            let value = frame::number(&setting[2..]);
            match u16::from(setting[0]) << 8 | u16::from(setting[1]) {
                HEADER_TABLE_SIZE => table.resize(value),
                ENABLE_PUSH if value != 0 => return Err(ConnectionError::EnablePush { value }),
                MAX_CONCURRENT_STREAMS => self.streams = value,
                INITIAL_WINDOW_SIZE if i64::from(value) > MAX_BYTES => {
                    return Err(ConnectionError::InitialWindow { value });
                }
                INITIAL_WINDOW_SIZE => self.window_bytes = value,
                MAX_FRAME_SIZE if !(1 << 14..1 << 24).contains(&value) => {
                    return Err(ConnectionError::MaxFrame { value });
                }
                // What is not known is ignored, and larger frames than usual are not sent.
                _ => {}
            }
        }
        Ok(())
    }
}
