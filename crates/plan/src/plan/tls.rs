//! How TLS is spoken to the service.

use crate::notation::mismatch::Mismatch;
use crate::notation::{Notation, keyword};
use schemars::{Schema, json_schema};
use std::path::PathBuf;

/// How TLS is spoken to a service whose URL begins with `https`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsOptions {
    /// PEM file of the authorities whose certificates are accepted; `None` is those of the system.
    pub ca: Option<PathBuf>,
    /// PEM file with the certificate of the client.
    pub cert: Option<PathBuf>,
    /// PEM file with its key; `None` where that is in the file of the certificate.
    pub key: Option<PathBuf>,
    /// The name that the certificate must have, and that is sent as SNI; `None` is the host of the URL.
    pub server_name: Option<String>,
    /// Accept any certificate.
    pub insecure: bool,
    /// Resume sessions of earlier connections where the service allows it.
    pub resume: bool,
    /// Versions that may be spoken.
    pub versions: TlsVersions,
}

impl Default for TlsOptions {
    fn default() -> Self {
        Self {
            ca: None,
            cert: None,
            key: None,
            server_name: None,
            insecure: false,
            resume: true,
            versions: TlsVersions::default(),
        }
    }
}

/// Versions of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TlsVersions {
    /// 1.3 where the service speaks it, else 1.2.
    #[default]
    Any,
    /// 1.2 only.
    Tls12,
    /// 1.3 only.
    Tls13,
}

const VERSIONS: [(&str, TlsVersions); 3] = [
    ("any", TlsVersions::Any),
    ("1.2", TlsVersions::Tls12),
    ("1.3", TlsVersions::Tls13),
];

impl TlsVersions {
    /// As in a plan: `any`, `1.2` or `1.3`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Tls12 => "1.2",
            Self::Tls13 => "1.3",
        }
    }
}

impl Notation for TlsVersions {
    const EXPECTED: &'static str = "`any`, `1.2` or `1.3`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &VERSIONS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["any", "1.2", "1.3", 1.2, 1.3] })
    }
}
