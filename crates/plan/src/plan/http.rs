//! Which version of HTTP is spoken to the service.

use crate::notation::mismatch::Mismatch;
use crate::notation::{Notation, keyword};
use schemars::{Schema, json_schema};

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HttpVersion {
    /// HTTP/1.1.
    #[default]
    Http1,
    /// HTTP/2: agreed on by ALPN over TLS, and with prior knowledge in clear text (RFC 9113, section 3).
    Http2,
}

const VERSIONS: [(&str, HttpVersion); 2] = [("1.1", HttpVersion::Http1), ("2", HttpVersion::Http2)];

impl HttpVersion {
    /// As in a plan: `1.1` or `2`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http1 => "1.1",
            Self::Http2 => "2",
        }
    }
}

impl Notation for HttpVersion {
    const EXPECTED: &'static str = "`1.1` or `2`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &VERSIONS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["1.1", "2", 1.1, 2] })
    }
}
