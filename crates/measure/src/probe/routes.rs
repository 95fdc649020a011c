//! Routes of a service, as its framework has them.

use super::bounded;
use serde::{Deserialize, Serialize};

/// A route.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Route {
    /// Such as `GET`; `ALL` for any.
    #[serde(deserialize_with = "bounded::name")]
    pub method: String,
    /// As it is registered, such as `/users/:id`.
    #[serde(deserialize_with = "bounded::name")]
    pub path: String,
    /// The path is a regular expression.
    pub expression: bool,
}
