//! Calls of gRPC as `.proto` files describe them: which there are, and messages for them from JSON.
//!
//! Files are read by whoever calls, so that this crate touches none. It must not know plans, HTTP, or what becomes of a call.

mod call;
mod schema;

pub use call::{Call, CallError, MessageError};
pub use schema::{ReadFile, Schema, SchemaError};
