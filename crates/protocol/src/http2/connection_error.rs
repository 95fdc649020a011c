//! What ends a connection, in words (RFC 9113, section 5.4.1).

use super::error_code::ErrorCode;
use super::frame::{Kind, MAX_PAYLOAD_BYTES};
use super::hpack::HpackError;
use super::limits::{MAX_CONTROL_FRAMES, MAX_HEAD_BYTES, MAX_HEADER_FRAMES};

/// What a service did that leaves its connection without a meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ConnectionError {
    #[error("the response is a TLS record, not HTTP/2; hint: the service seems to expect https")]
    Tls,
    #[error(
        "the response is HTTP/1.x, not HTTP/2: {found}; hint: the service does not speak HTTP/2 on this port, or not without TLS"
    )]
    Http1 { found: String },
    #[error("the service does not begin with a SETTINGS frame but with {found}")]
    NoSettings { found: String },
    #[error("a {kind} has {length} bytes, {MAX_PAYLOAD_BYTES} are allowed")]
    FrameTooLarge { kind: Kind, length: u32 },
    #[error("a {kind} has {length} bytes, which is not its length")]
    FrameLength { kind: Kind, length: u32 },
    #[error("a {kind} is padded with more bytes than it has")]
    Padding { kind: Kind },
    #[error("a {kind} came on stream {stream}, where none belongs")]
    WrongStream { kind: Kind, stream: u32 },
    #[error("a {kind} came on stream {stream}, which no request has opened")]
    IdleStream { kind: Kind, stream: u32 },
    #[error("a {kind} came on stream {stream} behind the end of its response")]
    ClosedStream { kind: Kind, stream: u32 },
    #[error("the service pushes a response, which was turned off")]
    Push,
    #[error("a CONTINUATION frame came on stream {stream}, where no header block goes on")]
    NoBlock { stream: u32 },
    #[error("a {kind} came on stream {stream} within the header block of stream {block}")]
    WithinBlock { kind: Kind, stream: u32, block: u32 },
    #[error("a header block has more than {MAX_HEAD_BYTES} bytes")]
    BlockTooLarge,
    #[error("a header block has more than {MAX_HEADER_FRAMES} frames")]
    BlockTooScattered,
    #[error("{0}")]
    Hpack(#[from] HpackError),
    #[error("the service allows pushes by setting ENABLE_PUSH to {value}")]
    EnablePush { value: u32 },
    #[error("the service sets INITIAL_WINDOW_SIZE to {value}, which is above 2^31 - 1")]
    InitialWindow { value: u32 },
    #[error("the service sets MAX_FRAME_SIZE to {value}, which is not between 2^14 and 2^24 - 1")]
    MaxFrame { value: u32 },
    #[error("the service opens a window of the connection by 0 bytes")]
    ZeroIncrement,
    #[error("the service opens a window beyond 2^31 - 1 bytes")]
    WindowOverflow,
    #[error("the service sends more than the window of the connection allows")]
    WindowExceeded,
    #[error(
        "the last stream of a GOAWAY frame is {last}, which is no stream of this end or above the one that it said before"
    )]
    LastStream { last: u32 },
    #[error("the service sent {MAX_CONTROL_FRAMES} PING and SETTINGS frames and no response")]
    Flood,
}

impl ConnectionError {
    /// Whether what came is no HTTP/2 at all.
    pub(super) fn is_of_other_protocol(&self) -> bool {
        matches!(self, Self::Tls | Self::Http1 { .. } | Self::NoSettings { .. })
    }

    /// What the service is told; nothing where it speaks another protocol.
    pub(super) fn code(&self) -> Option<ErrorCode> {
        Some(match self {
            Self::Tls | Self::Http1 { .. } => return None,
            Self::NoSettings { .. }
            | Self::Padding { .. }
            | Self::WrongStream { .. }
            | Self::IdleStream { .. }
            | Self::Push
            | Self::NoBlock { .. }
            | Self::WithinBlock { .. }
            | Self::EnablePush { .. }
            | Self::MaxFrame { .. }
            | Self::ZeroIncrement
            | Self::LastStream { .. } => ErrorCode::PROTOCOL,
            Self::FrameTooLarge { .. } | Self::FrameLength { .. } => ErrorCode::FRAME_SIZE,
            Self::ClosedStream { .. } => ErrorCode::STREAM_CLOSED,
            Self::BlockTooLarge | Self::BlockTooScattered | Self::Flood => ErrorCode::ENHANCE_YOUR_CALM,
            Self::Hpack(_) => ErrorCode::COMPRESSION,
            Self::InitialWindow { .. } | Self::WindowOverflow | Self::WindowExceeded => ErrorCode::FLOW_CONTROL,
        })
    }
}
