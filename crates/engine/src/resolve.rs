//! A host name becomes an address once, before the load begins.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long a candidate address may take to respond when a name has several.
const PROBE_TIMEOUT: Duration = Duration::from_millis(500);

/// Why a name has no address. The text fits after "failed to".
#[derive(Debug, thiserror::Error)]
#[error("resolve host `{host}`: {source}")]
pub struct ResolveError {
    /// The name.
    pub host: String,
    /// What the resolver said.
    #[source]
    pub source: io::Error,
}

/// The address to load, of those of the first of `names` and then of the others. Of several the first that accepts a connection;
/// when none does, the first, so that the run shows how it refuses.
///
/// # Errors
/// When one of the names has no address.
pub fn resolve(names: &[&str], port: u16) -> Result<SocketAddr, ResolveError> {
    candidates(names, port).map(|candidates| first_that_accepts(&candidates))
}

/// All addresses of the first of `names` and then of the others, at least one. Nothing is sent to them.
///
/// # Errors
/// As [`resolve`].
pub fn candidates(names: &[&str], port: u16) -> Result<Vec<SocketAddr>, ResolveError> {
    let failed = |name: &str, source| ResolveError {
        host: name.to_owned(),
        source,
    };
    let mut candidates: Vec<SocketAddr> = Vec::new();
    for name in names {
        candidates.extend((*name, port).to_socket_addrs().map_err(|source| failed(name, source))?);
    }
    if candidates.is_empty() {
        let nothing = io::Error::from(io::ErrorKind::NotFound);
        return Err(failed(names.first().unwrap_or(&""), nothing));
    }
    Ok(candidates)
}

/// The first of several candidates that accepts a connection; when none does, the first.
///
/// # Panics
/// Without any candidate.
#[must_use]
pub fn first_that_accepts(candidates: &[SocketAddr]) -> SocketAddr {
    let [first, others @ ..] = candidates else {
        unreachable!("a name that has no address is refused")
    };
    if others.is_empty() {
        return *first;
    }
    let accepts = |address: &&SocketAddr| TcpStream::connect_timeout(address, PROBE_TIMEOUT).is_ok();
    *candidates.iter().find(accepts).unwrap_or(first)
}
