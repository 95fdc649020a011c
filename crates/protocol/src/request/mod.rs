//! What every protocol has to know about a request, before it is bytes.

mod invalid;
mod kind;
mod parts;

pub use invalid::InvalidRequest;
pub(crate) use invalid::{check_header_value, check_request, check_target};
pub use kind::RequestKind;
pub use parts::{Part, RequestParts};
pub(crate) use parts::{USER_AGENT, literals, variables};
