//! What users do on a journey: which action comes next, which values they take from responses, and whether these are as they are to be.
//!
//! Nothing here knows connections, clocks or records.

mod cookies;
mod feeds;
mod json;
mod program;
mod response;
mod session;
mod way;

pub(crate) use program::{Kept, Program, Unfit};
pub(crate) use response::{BODY_BYTES_MAX, Fault, Received, final_response};
pub(crate) use session::{Belongings, Next, Session};
