//! What ends one request while its connection goes on, in words (RFC 9113, section 5.4.2).

use super::error_code::ErrorCode;
use super::limits::{MAX_HEAD_BYTES, MAX_HEADERS, MAX_INTERIM};

/// What is wrong with one response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum StreamError {
    #[error("the response has no :status")]
    NoStatus,
    #[error("the response has more than one :status")]
    TwoStatuses,
    #[error(":status is not three digits: {found}")]
    Status { found: String },
    #[error("the response has the pseudo-header {name}, which none may have")]
    PseudoHeader { name: String },
    #[error("pseudo-header {name} comes behind other headers")]
    LatePseudoHeader { name: String },
    #[error("header name {name} has an upper-case letter or a byte that no name may have")]
    HeaderName { name: String },
    #[error("the value of header {name} has a byte or a space that it may not have")]
    HeaderValue { name: String },
    #[error("header {name} is about an HTTP/1.1 connection, which HTTP/2 forbids")]
    ConnectionHeader { name: String },
    #[error("content-length is not a number below 2^64: {found}")]
    ContentLength { found: String },
    #[error("content-length is given as both {first} and {second}")]
    TwoLengths { first: u64, second: u64 },
    #[error("the headers are longer than {MAX_HEAD_BYTES} bytes")]
    HeadTooLarge,
    #[error("the response has more than {MAX_HEADERS} headers")]
    TooManyHeaders,
    #[error("the response has status 101, which HTTP/2 does not have")]
    SwitchingProtocols,
    #[error("an interim response (1xx) ends the stream")]
    InterimEnds,
    #[error("more than {MAX_INTERIM} interim responses (1xx) came without a final one")]
    TooManyInterim,
    #[error("content came before the headers of the response")]
    ContentBeforeHead,
    #[error("a response to which no content belongs has some")]
    NoContentBelongs,
    #[error("the content is longer than content-length says: {length} bytes")]
    TooLong { length: u64 },
    #[error("the content ended after {received} of {length} bytes")]
    TooShort { received: u64, length: u64 },
    #[error("trailers came without the end of the stream")]
    TrailersGoOn,
    #[error("the service sends more than the window of the stream allows")]
    WindowExceeded,
    #[error("the service opens the window of a stream by 0 bytes")]
    ZeroIncrement,
    #[error("the service opens the window of a stream beyond 2^31 - 1 bytes")]
    WindowOverflow,
    #[error("the response has no content-type application/grpc")]
    ContentOfNoCall,
    #[error("grpc-status is no number: {found}")]
    CallStatus { found: String },
    #[error("grpc-status is 0, and there is no message")]
    NoMessage,
    #[error("there is more than one message")]
    TwoMessages,
    #[error("the message is shorter than it says")]
    MessageCutOff,
    #[error("the message is compressed, although no compression was offered")]
    CompressedMessage,
    #[error("the message begins with {flag} instead of 0 or 1")]
    MessagePrefix { flag: u8 },
    #[error("a PRIORITY frame has {length} bytes, which is not its length")]
    Priority { length: u32 },
}

impl StreamError {
    /// What the service is told.
    pub(super) fn code(&self) -> ErrorCode {
        match self {
            Self::WindowExceeded | Self::WindowOverflow => ErrorCode::FLOW_CONTROL,
            Self::Priority { .. } => ErrorCode::FRAME_SIZE,
            Self::HeadTooLarge | Self::TooManyHeaders | Self::TooManyInterim => ErrorCode::ENHANCE_YOUR_CALM,
            _ => ErrorCode::PROTOCOL,
        }
    }
}
