//! How a service is spoken to.

use plimsoll_plan::{Destination, HttpVersion};
use plimsoll_tls::Connector;

/// How a service is spoken to.
#[derive(Debug, Clone, Copy)]
pub struct Spoken<'a> {
    /// Where it listens.
    pub destination: Destination<'a>,
    /// In which version of HTTP.
    pub http: HttpVersion,
    /// How TLS is spoken; else nothing is encrypted.
    pub tls: Option<&'a Connector>,
}

impl<'a> Spoken<'a> {
    /// HTTP/1.1 in clear text.
    #[must_use]
    pub fn plainly(destination: impl Into<Destination<'a>>) -> Self {
        Self {
            destination: destination.into(),
            http: HttpVersion::Http1,
            tls: None,
        }
    }
}
