//! How a server is reached: the arguments that all of them take.

use crate::tls::Keys;
use crate::wire::Version;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// How a server is reached.
#[derive(Debug, Args)]
pub struct Door {
    /// On 127.0.0.1
    pub port: u16,
    /// Speak TLS 1.3 with server.pem and server.key of this directory
    #[arg(long, value_name = "DIR")]
    tls: Option<PathBuf>,
    /// Speak HTTP/2, from the first byte or as agreed by ALPN
    #[arg(long)]
    http2: bool,
}

impl Door {
    pub(crate) fn version(&self) -> Version {
        if self.http2 { Version::Http2 } else { Version::Http1 }
    }

    /// None without TLS.
    pub(crate) fn keys(&self) -> Result<Option<Keys>> {
        let protocol = self.version().alpn();
        self.tls
            .as_deref()
            .map(|directory| Keys::read(directory, protocol))
            .transpose()
    }
}
