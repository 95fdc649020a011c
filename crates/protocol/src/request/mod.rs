//! What every protocol has to know about a request, before it is bytes.

mod invalid;
mod kind;
mod parts;
mod places;

pub use invalid::InvalidRequest;
pub(crate) use invalid::check_request;
pub use kind::RequestKind;
pub use parts::{Part, RequestParts};
pub(crate) use parts::{USER_AGENT, literals};
pub(crate) use places::Places;
mod decimal;
pub(crate) use decimal::push_decimal;
