//! HTTP/1.0 and HTTP/1.1 as a client speaks it (RFC 9112).
//!
//! [`RequestEncoder`] turns one kind of request into bytes, [`ResponseReader`] finds where each answer ends and what
//! its status is. Bodies are measured, not kept.

mod chunked;
mod error;
mod field;
mod glimpse;
mod head;
mod last_head;
mod reader;
mod request;

pub use error::{Malformed, NoLength, Truncated};
pub use field::field;
pub use glimpse::Glimpse;
pub use head::{MAX_HEAD_BYTES, MAX_HEADERS};
pub use last_head::LastHead;
pub use reader::{Answer, BodyEnd, Came, Progress, RequestKind, ResponseReader};
pub use request::{InvalidRequest, Part, RequestEncoder, RequestParts, authority};
