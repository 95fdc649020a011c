//! Whether a service answers yet.

use plimsoll_plan::Url;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A connection to a service on the same machine is made or refused at once.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a read waits before it is asked whether to go on.
const READ_SLICE: Duration = Duration::from_millis(50);

/// Whether the port of one of the `addresses` is open.
pub(crate) fn is_open(addresses: &[SocketAddr]) -> bool {
    connect(addresses).is_ok()
}

/// Looks once. `Err` says what was found instead.
pub(crate) fn check(
    addresses: &[SocketAddr],
    url: &Url,
    path: Option<&str>,
    deadline: Instant,
    go_on: impl Fn() -> bool,
) -> Result<(), String> {
    let mut stream = connect(addresses).map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::TimedOut => "no answer to the connect".to_owned(),
        _ => error.to_string(),
    })?;
    let Some(path) = path else {
        return Ok(());
    };
    match get(&mut stream, url, path, deadline, go_on) {
        Ok(Some(200..=299)) => Ok(()),
        Ok(Some(status)) => Err(format!("status {status}")),
        Ok(None) => Err("no HTTP answer".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => Err("no answer".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn connect(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    for address in addresses {
        match TcpStream::connect_timeout(address, CONNECT_TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The status of the answer; `None` when it is no HTTP.
fn get(
    stream: &mut TcpStream,
    url: &Url,
    path: &str,
    deadline: Instant,
    go_on: impl Fn() -> bool,
) -> io::Result<Option<u16>> {
    /// `HTTP/1.1 200`
    const STATUS_END: usize = 12;
    let authority = authority(url);
    stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
    stream.set_read_timeout(Some(READ_SLICE))?;
    let agent = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {authority}\r\nuser-agent: {agent}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut chunk = [0; 256];
    while answer.len() < STATUS_END {
        if Instant::now() >= deadline || !go_on() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => answer.extend_from_slice(&chunk[..length]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(status(&answer))
}

fn status(answer: &[u8]) -> Option<u16> {
    let rest = answer.strip_prefix(b"HTTP/1.")?;
    std::str::from_utf8(rest.get(2..5)?).ok()?.parse().ok()
}

/// `host:port`, an IPv6 address in brackets.
pub(crate) fn authority(url: &Url) -> String {
    if url.host.contains(':') {
        format!("[{}]:{}", url.host, url.port)
    } else {
        format!("{}:{}", url.host, url.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read() {
        assert_eq!(status(b"HTTP/1.1 204 No Content\r\n"), Some(204));
        assert_eq!(status(b"HTTP/1.0 503"), Some(503));
        assert_eq!(status(b"HTTP/1.1 "), None);
        assert_eq!(status(b"SSH-2.0-OpenSSH"), None);
    }
}
