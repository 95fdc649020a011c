//! HTTP/1.0 and HTTP/1.1 as a client speaks it (RFC 9112).
//!
//! [`Http1`] is the client of one connection. It is made of [`RequestEncoder`], which turns one kind of request into bytes, and
//! [`ResponseReader`], which finds where each response ends and what its status is. Bodies are measured, not kept.

mod chunked;
mod client;
mod error;
mod field;
mod glimpse;
mod head;
mod last_head;
mod limits;
mod reader;
mod request_encoder;
mod whole;

pub use client::{Common, Http1};
pub use error::{Malformed, NoLength, Truncated};
pub use field::field;
pub use glimpse::Glimpse;
pub use last_head::LastHead;
pub use limits::{MAX_HEAD_BYTES, MAX_HEADERS};
pub use reader::{Completed, Progress, ResponseReader};
pub use request_encoder::RequestEncoder;
pub(crate) use whole::Whole;
