//! What can be left out of the service, and whether it responds the same without it.

use super::{SiteFrame, bounded};
use serde::{Deserialize, Serialize};

/// Something that can be left out of the service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Removable {
    /// Such as `log` or `middleware:logger`.
    #[serde(deserialize_with = "bounded::name")]
    pub name: String,
    /// The line that installs it.
    pub place: Option<SiteFrame>,
    /// It keeps requests out, and so it is never left out.
    pub guards: bool,
}

/// What a response said, as hashes: two are equal if the same request got the same status and body.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Content {
    /// Of method, path and query.
    #[serde(deserialize_with = "bounded::name")]
    pub request: String,
    /// Status.
    pub status: u16,
    /// Of the body.
    #[serde(deserialize_with = "bounded::name")]
    pub content: String,
    /// Length of the body.
    pub bytes: u64,
}
