//! The server side of TLS, without I/O: rustls does it.

use anyhow::{Context, Result};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

/// What every session begins with.
#[derive(Debug)]
pub(crate) struct Keys(Arc<ServerConfig>);

impl Keys {
    pub(crate) fn read(directory: &Path, protocol: &[u8]) -> Result<Self> {
        let at = |name| directory.join(name);
        let certificates = CertificateDer::pem_file_iter(at("server.pem"))
            .and_then(Iterator::collect)
            .context("failed to read server.pem")?;
        let key = PrivateKeyDer::from_pem_file(at("server.key")).context("failed to read server.key")?;
        let mut config = ServerConfig::builder_with_protocol_versions(&[&rustls::version::TLS13])
            .with_no_client_auth()
            .with_single_cert(certificates, key)?;
        config.alpn_protocols = vec![protocol.to_vec()];
        Ok(Self(Arc::new(config)))
    }

    pub(crate) fn session(&self) -> Result<Session, rustls::Error> {
        ServerConnection::new(Arc::clone(&self.0)).map(Session)
    }
}

/// One connection's.
#[derive(Debug)]
pub(crate) struct Session(ServerConnection);

impl Session {
    /// Adds what sealed bytes say to `plain`, and what has to be sent in return to `out`, also after a failure.
    pub(crate) fn open(&mut self, sealed: &[u8], plain: &mut Vec<u8>, out: &mut Vec<u8>) -> io::Result<()> {
        let opened = self.read(sealed, plain);
        self.flush(out)?;
        opened
    }

    fn read(&mut self, mut sealed: &[u8], plain: &mut Vec<u8>) -> io::Result<()> {
        while !sealed.is_empty() {
            self.0.read_tls(&mut sealed)?;
            self.0.process_new_packets().map_err(io::Error::other)?;
            match self.0.reader().read_to_end(plain) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds plain bytes to `out`, sealed.
    pub(crate) fn seal(&mut self, plain: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        self.0.writer().write_all(plain)?;
        self.flush(out)
    }

    fn flush(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(out)?;
        }
        Ok(())
    }
}
