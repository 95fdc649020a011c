//! What a service must not do on a WebSocket.

/// Why what a service sent is not WebSocket. Fits after a colon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Bits that belong to extensions (RFC 6455, section 5.2).
    #[error("a frame with reserved bits, although no extension was agreed")]
    ReservedBits,
    /// Not what compression makes (RFC 7692), or not all of it.
    #[error("a compressed message that cannot be opened, or breaks off")]
    Compressed,
    /// No such kind of frame is defined.
    #[error("a frame of the unknown kind {0}")]
    UnknownKind(u8),
    /// Only clients mask (section 5.1).
    #[error("a masked frame, which only clients send")]
    Masked,
    /// A length in more bytes than it needs, or of more than 63 bits (section 5.2).
    #[error("a length that is not written in the fewest bytes")]
    Length,
    /// Section 5.5.
    #[error("a ping, pong or close that is in fragments or longer than 125 bytes")]
    Control,
    /// A continuation of nothing, or a message in a message (section 5.4).
    #[error("fragments of messages out of order")]
    Fragments,
    /// More than [`MAX_MESSAGE_BYTES`](super::MAX_MESSAGE_BYTES).
    #[error("a message of at least {0} bytes, more than are read")]
    TooLong(u64),
    /// Section 8.1.
    #[error("a text that is not UTF-8")]
    NotUtf8,
    /// Section 7.4.
    #[error("a close with a code that may not be sent")]
    CloseCode,
}
