//! Addresses of services.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::address::{Server, SocketPath};
use crate::plan::masks::masked_url_path;
use crate::plan::scheme::Scheme;
use crate::plan::socket_url;
use crate::plan::zone::{is_zone, without_zone};
use crate::secrets::{Secret, masked_text};
use schemars::{Schema, json_schema};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A checked `http`, `https`, `ws`, `wss`, `socket.io+ws`, `socket.io+wss` or `http+unix` URL, taken apart. It carries no fragment. What is shown of it has no user name and password, and no
/// values in its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    /// Protocol.
    pub scheme: Scheme,
    /// Where the service listens.
    pub server: Server,
    /// User name and password, `me:secret`, as they are sent: percent-encoding is resolved. A valid plan has moved them
    /// into an `authorization` header.
    pub user: Option<Secret>,
    /// Path with query as it was written; begins with `/`.
    pub path: Secret,
}

impl Url {
    /// The root of a server at a TCP port.
    #[must_use]
    pub fn at(host: impl Into<String>, port: u16) -> Self {
        let host = host.into();
        Self::root(Server::Tcp { host, port })
    }

    /// The root of a server at a unix socket.
    #[must_use]
    pub fn unix(path: SocketPath) -> Self {
        Self::root(Server::Unix(path))
    }

    fn root(server: Server) -> Self {
        Self {
            scheme: Scheme::Http,
            server,
            user: None,
            path: Secret::from("/"),
        }
    }

    /// Reads a URL such as `http://127.0.0.1:3000/profiles` or `http+unix://%2Frun%2Fapp.sock/profiles`.
    ///
    /// # Errors
    /// When `text` is no URL, has another scheme, or carries a fragment.
    pub fn parse(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }

    /// The value of a `host` header: IPv6 in brackets, without the default port and without a zone. A unix socket has neither
    /// host nor port; curl and Node.js send `localhost` then.
    #[must_use]
    pub fn authority(&self) -> String {
        match &self.server {
            Server::Tcp { host, port } => self.authority_of(without_zone(host), *port),
            Server::Unix(_) => "localhost".to_owned(),
        }
    }

    fn authority_of(&self, host: &str, port: u16) -> String {
        let host = match host.contains(':') {
            true => format!("[{host}]"),
            false => host.to_owned(),
        };
        match port == self.scheme.default_port() {
            true => host,
            false => format!("{host}:{port}"),
        }
    }

    /// What the URL begins with, up to its path.
    #[must_use]
    pub fn origin(&self) -> String {
        match &self.server {
            Server::Tcp { host, port } => {
                let host = host.replace('%', ZONE_BEGIN);
                format!("{}://{}", self.scheme.as_str(), self.authority_of(&host, *port))
            }
            Server::Unix(path) => format!("{}{}", socket_url::SCHEME, path.encoded()),
        }
    }

    /// The TCP port.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        match &self.server {
            Server::Tcp { port, .. } => Some(*port),
            Server::Unix(_) => None,
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), masked_url_path(&self.path))
    }
}

impl FromStr for Url {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

const WRITE_VARIABLES_SO: &str = "write `${env.NAME}` for a variable of the environment, with all of the URL in it";

impl Notation for Url {
    const EXPECTED: &'static str = "a URL such as http://127.0.0.1:3000";
    const PLAIN: bool = false;

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || mismatch(text);
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(match is_bare_word(text) {
                // Perhaps the value of an option that was meant to be quoted.
                true => Mismatch::new("a word", Self::EXPECTED),
                false => without_scheme(text, mismatch()),
            });
        };
        let (scheme, is_unix) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (Scheme::Http, false),
            "https" => (Scheme::Https, false),
            "ws" => (Scheme::Ws, false),
            "wss" => (Scheme::Wss, false),
            "socket.io+ws" => (Scheme::SocketIo, false),
            "socket.io+wss" => (Scheme::SocketIoTls, false),
            "http+unix" => (Scheme::Http, true),
            scheme if scheme.split('+').any(|part| part == "unix") => {
                return Err(mismatch().hint(socket_url::hint(text)));
            }
            _ => return Err(mismatch().hint("only http, https, ws, wss, socket.io+ws and socket.io+wss are supported")),
        };
        if text.chars().any(char::is_whitespace) {
            return Err(mismatch().hint("write a space as %20"));
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
        if path.contains('#') {
            return Err(mismatch().hint("leave out what follows `#`: it is never sent"));
        }
        if path.starts_with('\\') {
            return Err(mismatch().hint("a path begins with `/`"));
        }
        let (user, server) = match authority.rsplit_once('@') {
            Some((user, server)) => (Some(user), server),
            None => (None, authority),
        };
        // No server and no port has one: it begins a variable as a shell writes it.
        if server.contains('$') {
            return Err(mismatch().hint(WRITE_VARIABLES_SO));
        }
        let server = if is_unix {
            if server.is_empty() {
                return Err(mismatch().hint(socket_url::hint(text)));
            }
            Server::Unix(socket_url::read_path(server)?)
        } else {
            tcp_server(text, scheme, server, path)?
        };
        // Sent as it was written, like the path of a request: `/a/../b` may be what is to be tested.
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        };
        Ok(Self {
            scheme,
            server,
            user: user.map(|user| Secret::new(decoded(user))),
            path: Secret::new(path),
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "format": "uri", "pattern": "^([hH][tT][tT][pP]([sS]|\\+[uU][nN][iI][xX])?|([sS][oO][cC][kK][eE][tT]\\.[iI][oO]\\+)?[wW][sS][sS]?)://" })
    }
}

/// A URL that cannot be taken apart may have its password anywhere.
fn mismatch(text: &str) -> Mismatch {
    Mismatch::new(quoted(&masked_text(text)), Url::EXPECTED)
}

/// What stands between an address and its zone in a URL (RFC 6874): `%`, encoded.
const ZONE_BEGIN: &str = "%25";

/// Takes the zone out of the brackets of an IPv6 address, which no parser of URLs knows.
fn split_zone(server: &str) -> Result<(Cow<'_, str>, Option<&str>), Mismatch> {
    let bracketed = server.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((inside, after)) = bracketed else {
        return Ok((server.into(), None));
    };
    let Some((address, zone)) = inside.split_once('%') else {
        return Ok((server.into(), None));
    };
    let expected = "the name or the number of a network interface behind the address, such as [fe80::1%25eth0]";
    let mismatch = || Mismatch::new(quoted(&masked_text(server)), expected);
    match zone.strip_prefix("25").filter(|zone| is_zone(zone)) {
        Some(zone) => Ok((format!("[{address}]{after}").into(), Some(zone))),
        None if is_zone(zone) && zone != "25" => {
            Err(mismatch().hint("write the `%` in front of the interface as `%25`"))
        }
        None => Err(mismatch()),
    }
}

/// `text` as the host of a URL, IPv6 without brackets, a name in small letters.
pub(crate) fn tcp_host(text: &str) -> Result<String, Mismatch> {
    let not_a_host = || Mismatch::new(quoted(&masked_text(text)), "the name or address of a host");
    // Between brackets the only colons are those of an address.
    let outside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if text.contains(['@', '/', '?', '#', '\\', '$']) || outside.is_none() && text.contains(':') {
        return Err(not_a_host());
    }
    match tcp_server(text, Scheme::Http, text, "")? {
        Server::Tcp { host, .. } => Ok(host),
        Server::Unix(_) => Err(not_a_host()),
    }
}

/// What stands between the user and the `path` of a URL for TCP.
fn tcp_server(text: &str, scheme: Scheme, server: &str, path: &str) -> Result<Server, Mismatch> {
    let (known, zone) = split_zone(server)?;
    let url = url::Url::parse(&format!("{}://{known}/", scheme.carrier())).map_err(|error| {
        let hint = if path.contains('@') {
            "in a user name or password write `/` as %2F and `?` as %3F".to_owned()
        } else if socket_url::is_meant(text) {
            socket_url::hint(text)
        } else {
            error.to_string()
        };
        mismatch(text).hint(hint)
    })?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port().unwrap_or(scheme.default_port());
    if host.is_empty() || port == 0 {
        return Err(mismatch(text));
    }
    if server.eq_ignore_ascii_case("unix:") {
        return Err(mismatch(text).hint(socket_url::hint(text)));
    }
    Ok(Server::Tcp {
        host: zone.map_or_else(|| host.to_owned(), |zone| format!("{host}%{zone}")),
        port,
    })
}

fn is_bare_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text != "localhost" && text.chars().all(plain)
}

/// `text` as a URL where it is the name or address of a host with its port, and perhaps a path.
pub(crate) fn with_port(text: &str) -> Option<String> {
    let (authority, _) = text.split_at(text.find('/').unwrap_or(text.len()));
    let (host, port) = authority.rsplit_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let url = format!("http://{text}");
    (is_port && host.chars().all(plain) && Url::read(&url).is_ok()).then_some(url)
}

fn without_scheme(text: &str, mismatch: Mismatch) -> Mismatch {
    if text.contains("${") || text.starts_with('$') {
        return mismatch.hint(WRITE_VARIABLES_SO);
    }
    if socket_url::is_meant(text) {
        return mismatch.hint(socket_url::hint(text));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '/' | '[' | ']');
    if text.is_empty() || !text.chars().all(plain) || masked_text(text) != text {
        return mismatch;
    }
    let url = format!("http://{}", text.trim_start_matches('/'));
    if Url::read(&url).is_err() {
        return mismatch;
    }
    mismatch.hint(format!("did you mean `{url}`?"))
}

/// Without percent-encoding; a user who is no text is sent as bytes nowhere, so what is wrong with one is kept.
fn decoded(user: &str) -> String {
    let bytes = percent_encoding::percent_decode_str(user);
    bytes.decode_utf8().map_or_else(|_| user.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        for (text, host, port, path, again) in [
            (
                "http://127.0.0.1:3000",
                "127.0.0.1",
                3000,
                "/",
                "http://127.0.0.1:3000/",
            ),
            (
                "http://Example.test/a/../b",
                "example.test",
                80,
                "/a/../b",
                "http://example.test/a/../b",
            ),
            ("http://[::1]:8080/", "::1", 8080, "/", "http://[::1]:8080/"),
            (
                "http://[FE80::1%25lo]:8080/a",
                "fe80::1%lo",
                8080,
                "/a",
                "http://[fe80::1%25lo]:8080/a",
            ),
            ("http://[fe80::1%252]", "fe80::1%2", 80, "/", "http://[fe80::1%252]/"),
            ("http://h:80?x", "h", 80, "/?x", "http://h/?[redacted]"),
            (
                "http://h/a?x=1&y",
                "h",
                80,
                "/a?x=1&y",
                "http://h/a?x=[redacted]&[redacted]",
            ),
            ("http://h/%2e/%7E", "h", 80, "/%2e/%7E", "http://h/%2e/%7E"),
            ("ws://h/chat", "h", 80, "/chat", "ws://h/chat"),
            ("wss://[::1]/", "::1", 443, "/", "wss://[::1]/"),
        ] {
            let url = Url::parse(text).unwrap();
            let server = Server::Tcp {
                host: host.to_owned(),
                port,
            };
            assert_eq!((&url.server, url.path.reveal()), (&server, path));
            assert_eq!(url.to_string(), again);
        }
    }

    #[test]
    fn a_zone_is_sent_to_nobody_and_written_as_the_standard_has_it() {
        let url = Url::parse("http://[fe80::1%25eth0]:81/").unwrap();
        assert_eq!(url.authority(), "[fe80::1]:81");
        for (text, hint) in [
            (
                "http://[fe80::1%eth0]:81/",
                Some("write the `%` in front of the interface as `%25`"),
            ),
            ("http://[fe80::1%25]/", None),
            ("http://[fe80::1%25a/b]/", None),
            ("http://[fe80::1%25a%20b]/", None),
        ] {
            let error = Url::parse(text).unwrap_err();
            assert_eq!(
                error.hint_text().filter(|hint| hint.starts_with("write")),
                hint,
                "{text}"
            );
        }
        assert!(Url::parse("http://[127.0.0.1%25eth0]/").is_err());
    }

    #[test]
    fn a_user_is_taken_out() {
        for (text, user) in [
            ("http://me:secret@h/", "me:secret"),
            ("http://me@h/", "me"),
            ("http://me:p%40ss%2Fw@h:81/x", "me:p@ss/w"),
            ("http://a@b:c@h/", "a@b:c"),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!(url.user.as_ref().map(Secret::reveal), Some(user));
            assert!(matches!(&url.server, Server::Tcp { host, .. } if host == "h"), "{text}");
            assert!(!url.to_string().contains('@') && !format!("{url:?}").contains("secret"));
        }
    }

    #[test]
    fn variables_of_a_shell_are_refused_with_a_hint() {
        for text in [
            "http://127.0.0.1:$PORT/",
            "http://127.0.0.1:${PORT}/",
            "http://${HOST}:3000/",
            "${URL}",
            "$URL",
        ] {
            let error = Url::parse(text).unwrap_err();
            assert_eq!(error.hint_text(), Some(WRITE_VARIABLES_SO), "{text}");
        }
        assert!(Url::parse("http://me:pa$$word@h/").is_ok());
    }

    #[test]
    fn a_host_with_its_port_is_told_from_a_file() {
        for (text, url) in [
            ("localhost:3000", Some("http://localhost:3000")),
            ("127.0.0.1:3000/a", Some("http://127.0.0.1:3000/a")),
            ("[::1]:3000", Some("http://[::1]:3000")),
            ("plan.yaml", None),
            ("C:plan.yaml", None),
            ("plans/a:1", None),
            ("localhost:0", None),
            (":3000", None),
            ("a b:3000", None),
        ] {
            assert_eq!(with_port(text).as_deref(), url, "{text}");
        }
    }

    #[test]
    fn what_is_suggested_is_accepted() {
        for (text, hint) in [
            ("127.0.0.1:3000", Some("did you mean `http://127.0.0.1:3000`?")),
            ("localhost:3000/a", Some("did you mean `http://localhost:3000/a`?")),
            ("localhost:port", None),
        ] {
            assert_eq!(Url::parse(text).unwrap_err().hint_text(), hint, "{text}");
        }
    }

    #[test]
    fn a_password_is_never_repeated() {
        for text in [
            "http://me:hunter2/x@h/",
            "http://me:hunter2?x@h/",
            "https://me:hunter2@h:99999/",
            "ftp://me:hunter2@h/",
            "me:hunter2@h",
            "http://me:hunter2@h/ x",
            "http://me:hunter2@h/#x",
            "http://h:hunter2/",
            "http://h/?hunter2#",
            "http:/me:hunter2@h/",
            "hunter2",
            "http://h:hunter2$/",
        ] {
            let error = Url::parse(text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{text}: {error}");
        }
    }
}
