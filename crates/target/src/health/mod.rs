//! One GET of a path, and in words what came instead of a response with a status 2xx.

mod http2;

use crate::spoken::Spoken;
use crate::unix_socket::SocketFault;
use plimsoll_plan::{Address, HttpVersion};
use plimsoll_protocol::RequestKind;
use plimsoll_protocol::http1::{LastHead, Malformed, Progress, ResponseReader, field};
use plimsoll_protocol::http2::Scheme;
use plimsoll_tls::Failure;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// Requests are small, and fit into the buffer of any socket.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a read waits before it is asked whether to go on.
const READ_SLICE: Duration = Duration::from_millis(50);
/// Most characters of a place that a response redirects to.
const MAX_LOCATION: usize = 100;

/// What was found instead of a service that is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing listens.
    Refused,
    /// The connect was not responded to.
    NoConnect,
    /// No connection was made to a unix socket.
    Socket(SocketFault),
    /// The connection failed in some other way.
    Failed(String),
    /// What accepts the connection does not keep it, or is gone again.
    Gone,
    /// It reset the connection.
    Reset,
    /// It closed the connection before the first byte of a response.
    Closed,
    /// It closed the connection within the head of a response.
    Truncated(usize),
    /// So many bytes, and not the end of the head, for this time.
    Waiting(usize, Duration),
    /// The TLS handshake failed.
    Handshake(Box<Failure>),
    /// It closed the connection before the handshake was done.
    NoHandshake,
    /// The handshake was not done within this time.
    Shaking(Duration),
    /// A TLS record.
    Tls,
    /// An HTTP/2 frame.
    Http2,
    /// Something else that is not HTTP/1.
    Malformed(String),
    /// A response with another status, and where it redirects to.
    Status(u16, Option<String>),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("connection refused"),
            Self::NoConnect => f.write_str("no response to the connect"),
            Self::Socket(fault) => fault.fmt(f),
            Self::Failed(why) => f.write_str(why),
            Self::Gone => f.write_str("it stopped listening"),
            Self::Reset => f.write_str("it reset the connection without a response"),
            Self::Closed => f.write_str("it closed the connection without a response"),
            Self::Truncated(bytes) => write!(f, "it closed the connection after {bytes} bytes of a response"),
            Self::Waiting(0, time) => write!(f, "no response within {time:.1?}"),
            Self::Waiting(bytes, time) => write!(f, "{bytes} bytes of a response within {time:.1?}, and not its head"),
            Self::Handshake(failure) => write!(f, "{failure}"),
            Self::NoHandshake => f.write_str("it closed the connection during the TLS handshake"),
            Self::Shaking(time) => write!(f, "no end of the TLS handshake within {time:.1?}"),
            Self::Tls => f.write_str("a TLS record instead of HTTP: the service expects https"),
            Self::Http2 => f.write_str("an HTTP/2 frame instead of HTTP/1.1: the service speaks HTTP/2 (h2c, gRPC)"),
            Self::Malformed(why) => write!(f, "no HTTP response: {why}"),
            Self::Status(status, None) => write!(f, "status {status}"),
            Self::Status(status, Some(location)) => write!(f, "status {status}, a redirect to {location}"),
        }
    }
}

impl Found {
    /// What the user can do about it, where this is about the path.
    pub(crate) const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Status(status, _) if redirects(*status) => {
                Some("redirects are not followed: set `ready.path` to the path that they lead to")
            }
            Self::Status(401 | 403, _) => Some(
                "`ready.path` needs a path that responds with 2xx without credentials; leave it out to wait until it listens",
            ),
            Self::Status(..) | Self::Truncated(_) => Some(
                "`ready.path` needs a path that responds with 2xx once the service is ready; leave it out to wait until it listens",
            ),
            Self::Waiting(..) => Some(
                "`ready.path` needs a path that responds within `ready.timeout`: name another one, give it longer, or leave it \
                 out to wait until it listens",
            ),
            Self::Handshake(failure) => failure.hint(),
            Self::Tls => Some("use https:// instead of http:// in the URL of the service"),
            Self::NoHandshake | Self::Shaking(_) => Some("use http:// in the URL if the service does not speak TLS"),
            Self::Closed | Self::Reset => Some(
                "use https:// in the URL if the service expects TLS, and set `target.http` to the version of HTTP that it speaks",
            ),
            Self::Http2 => Some("set `http: 2` in `target`, or give --http2"),
            Self::Malformed(_) => Some("set `target.http` to the version of HTTP that the service speaks, 1.1 or 2"),
            _ => None,
        }
    }

    /// Of an attempt to connect.
    pub(crate) fn connecting(address: &Address, error: &io::Error) -> Self {
        if let Address::Unix(path) = address {
            return Self::Socket(SocketFault::of(path, error));
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::TimedOut => Self::NoConnect,
            _ => Self::Failed(error.to_string()),
        }
    }

    /// Of a connection that is open.
    pub(crate) fn talking(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Self::Reset,
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// A connection that is open, to whatever address.
pub(crate) trait Stream: Read + Write {
    /// How long a read and a write wait at most.
    fn set_timeouts(&self, read: Duration, write: Duration) -> io::Result<()>;
}

impl Stream for TcpStream {
    fn set_timeouts(&self, read: Duration, write: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(read))?;
        self.set_write_timeout(Some(write))
    }
}

impl Stream for UnixStream {
    fn set_timeouts(&self, read: Duration, write: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(read))?;
        self.set_write_timeout(Some(write))
    }
}

/// Lets reads and writes of a stream end soon, so that whoever waits for it can be asked whether to go on.
pub(crate) fn hasten(stream: &dyn Stream) -> Result<(), Found> {
    let set = stream.set_timeouts(READ_SLICE, WRITE_TIMEOUT);
    set.map_err(|error| Found::talking(&error))
}

/// Whether a read ended only because nothing has come yet.
pub(crate) fn is_early(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

/// Asks for `path` until `deadline`, or as long as `go_on` says so.
pub(crate) fn get(
    mut stream: &mut dyn Stream,
    spoken: Spoken<'_>,
    path: &str,
    deadline: Instant,
    go_on: impl Fn() -> bool,
) -> Result<(), Found> {
    hasten(stream)?;
    let host = spoken.destination.url.authority();
    if spoken.http == HttpVersion::Http2 {
        let scheme = match spoken.tls {
            Some(_) => Scheme::Https,
            None => Scheme::Http,
        };
        return http2::get(stream, (&host, scheme), path, deadline, go_on);
    }
    let agent = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {host}\r\nuser-agent: {agent}\r\naccept: */*\r\nconnection: close\r\n\r\n"
    );
    let sent = stream.write_all(request.as_bytes());
    sent.map_err(|error| Found::talking(&error))?;
    read(&mut stream, deadline, go_on)
}

fn read(stream: &mut impl Read, deadline: Instant, go_on: impl Fn() -> bool) -> Result<(), Found> {
    let begun = Instant::now();
    let mut head = FinalHead::new();
    let mut chunk = [0; 4096];
    loop {
        if Instant::now() >= deadline || !go_on() {
            return Err(Found::Waiting(head.bytes.len(), begun.elapsed()));
        }
        let length = match stream.read(&mut chunk) {
            Ok(0) if head.bytes.is_empty() => return Err(Found::Closed),
            Ok(0) => return Err(Found::Truncated(head.bytes.len())),
            Ok(length) => length,
            Err(error) if is_early(&error) => continue,
            Err(error) => return Err(Found::talking(&error)),
        };
        if let Some(result) = head.feed(&chunk[..length]) {
            return result;
        }
    }
}

/// Bytes of a response up to the end of its final head; interim ones come before it (RFC 9110, section 15.2). The reader
/// bounds how many there can be.
struct FinalHead {
    bytes: Vec<u8>,
    reader: ResponseReader,
}

impl FinalHead {
    fn new() -> Self {
        Self {
            bytes: Vec::new(),
            // To this reader the response ends with its head. The body is of no interest, however long it is.
            reader: ResponseReader::expecting(RequestKind::Head),
        }
    }

    /// `None` as long as more is needed.
    fn feed(&mut self, bytes: &[u8]) -> Option<Result<(), Found>> {
        self.bytes.extend_from_slice(bytes);
        match self.reader.feed(bytes, &mut LastHead::default()) {
            Ok(Progress::NeedMore) => None,
            Ok(Progress::Done { response, .. }) if matches!(response.status, 200..=299) => Some(Ok(())),
            Ok(Progress::Done { response, consumed }) => {
                let end = self.bytes.len() - bytes.len() + consumed;
                let location = redirects(response.status)
                    .then(|| location(&self.bytes[..end]))
                    .flatten();
                Some(Err(Found::Status(response.status, location)))
            }
            Err(Malformed::Tls) => Some(Err(Found::Tls)),
            Err(Malformed::Http2) => Some(Err(Found::Http2)),
            Err(error) => Some(Err(Found::Malformed(error.to_string()))),
        }
    }
}

/// Whether a response with this status leads elsewhere by its location (RFC 9110, section 15.4).
const fn redirects(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Where the last of these heads redirects to, without what may be secret, fit for a terminal.
fn location(heads: &[u8]) -> Option<String> {
    let begin = heads
        .windows(7)
        .rposition(|bytes| bytes == b"HTTP/1.")
        .unwrap_or_default();
    let value = String::from_utf8_lossy(field(&heads[begin..], "location")?);
    let place = value.split(['?', '#']).next().unwrap_or_default();
    let place = match place.split_once("//") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}//{host}{path}")
        }
        None => place.to_owned(),
    };
    let shown: String = plimsoll_plain::line(&place).chars().take(MAX_LOCATION).collect();
    (!shown.is_empty()).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Gives pieces, and then nothing more.
    struct Pieces(VecDeque<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(piece) = self.0.pop_front() else { return Ok(0) };
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    /// However the bytes are cut.
    fn check(bytes: &[u8], expected: &Result<(), &str>) {
        for cut in [1, 2, 3, 7, 64, 4096] {
            let pieces = bytes.chunks(cut).map(<[u8]>::to_vec).collect();
            let deadline = Instant::now() + Duration::from_secs(600);
            let found = read(&mut Pieces(pieces), deadline, || true);
            let said = found.map_err(|found| found.to_string());
            let text = String::from_utf8_lossy(bytes);
            assert_eq!(said, expected.map_err(str::to_owned), "{text}, {cut} bytes at a time");
        }
    }

    #[test]
    fn the_status_of_the_final_response_counts() {
        let early = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\nlocation: /early\r\n\r\n";
        let ok = "HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\nbody";
        check(ok.as_bytes(), &Ok(()));
        check(
            format!("{early}HTTP/1.1 100 Continue\r\n\r\n{early}{ok}").as_bytes(),
            &Ok(()),
        );
        check(b"HTTP/1.0 204 No Content\n\n", &Ok(()));
        for (status, expected) in [
            ("404 Not Found\r\n", "status 404"),
            ("500 Oh\r\nlocation: /elsewhere\r\n", "status 500"),
            ("304 Not Modified\r\nlocation: /elsewhere\r\n", "status 304"),
            ("300 Multiple Choices\r\nlocation: /elsewhere\r\n", "status 300"),
            ("308 Moved\r\nlocation: /new\r\n", "status 308, a redirect to /new"),
            (
                "302 Found\r\nLocation: /login?token=secret\r\n",
                "status 302, a redirect to /login",
            ),
            (
                "301 Moved\r\nlocation: https://me:secret@there.example/a/b#c\r\n",
                "status 301, a redirect to https://there.example/a/b",
            ),
            (
                "307 Later\r\nlocation: /\u{9b}31m\u{202e}\r\n",
                "status 307, a redirect to /",
            ),
            ("101 Switching\r\nupgrade: x\r\n", "status 101"),
        ] {
            check(format!("{early}HTTP/1.1 {status}\r\n").as_bytes(), &Err(expected));
        }
    }

    #[test]
    fn hints_are_about_what_was_found() {
        for (found, word) in [
            (Found::Status(302, None), "redirects are not followed"),
            (Found::Status(304, None), "responds with 2xx"),
            (Found::Truncated(21), "responds with 2xx"),
            (Found::Waiting(0, Duration::from_secs(3)), "give it longer"),
            (Found::Waiting(9, Duration::from_secs(3)), "give it longer"),
        ] {
            assert!(found.hint().is_some_and(|hint| hint.contains(word)), "{found}");
        }
        assert_eq!(Found::Refused.hint(), None, "it is about the port");
    }

    #[test]
    fn what_is_no_response_is_said() {
        check(b"", &Err("it closed the connection without a response"));
        check(
            b"HTTP/1.1 200 OK\r\na: b",
            &Err("it closed the connection after 21 bytes of a response"),
        );
        check(
            b"HTTP/1.1 103 Early Hints\r\n\r\n",
            &Err("it closed the connection after 28 bytes of a response"),
        );
        check(
            b"\x15\x03\x01\x00\x02\x02\x16",
            &Err("a TLS record instead of HTTP: the service expects https"),
        );
        check(
            b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\0\x08\x07",
            &Err("an HTTP/2 frame instead of HTTP/1.1: the service speaks HTTP/2 (h2c, gRPC)"),
        );
        let ssh = Found::Malformed(String::new());
        assert!(ssh.hint().is_some());
        let deadline = Instant::now() + Duration::from_secs(600);
        let found = read(&mut &b"SSH-2.0-OpenSSH_9.2\r\n"[..], deadline, || true).expect_err("no HTTP");
        assert!(found.to_string().contains("`SSH-2.0-OpenSSH_9.2`"), "{found}");
    }

    #[test]
    fn a_head_without_an_end_is_bounded() {
        let deadline = Instant::now() + Duration::from_secs(600);
        let found = read(&mut io::repeat(b'a'), deadline, || true).expect_err("no HTTP");
        assert!(matches!(found, Found::Malformed(_)), "{found}");
        let early = b"HTTP/1.1 103 Early Hints\r\n\r\n";
        let pieces = std::iter::repeat_n(early.to_vec(), 100_000).collect();
        let found = read(&mut Pieces(pieces), deadline, || true);
        assert!(matches!(found, Err(Found::Malformed(_))), "{found:?}");
        let found = read(&mut Pieces(VecDeque::new()), Instant::now(), || true).expect_err("too late");
        assert!(matches!(found, Found::Waiting(0, _)), "{found}");
        assert!(
            found.hint().is_some_and(|hint| hint.contains("`ready.timeout`")),
            "{found}"
        );
    }
}
