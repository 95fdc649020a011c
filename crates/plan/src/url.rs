//! Addresses of services.

use crate::mismatch::Mismatch;
use crate::notation::Notation;
use schemars::{Schema, json_schema};
use std::fmt;
use std::str::FromStr;

/// A checked `http` URL, taken apart. It carries no user name, password or fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    /// Protocol.
    pub scheme: Scheme,
    /// Name or address, IPv6 without brackets.
    pub host: String,
    /// Explicit or the default of the scheme.
    pub port: u16,
    /// Path with query; begins with `/`.
    pub path: String,
}

/// Protocol of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1 over TCP.
    Http,
}

impl Url {
    /// Reads an `http` URL such as `http://127.0.0.1:3000/profiles`.
    ///
    /// # Errors
    /// When `text` is no URL, has another scheme, names a user, or carries a fragment.
    pub fn parse(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }

    /// Host and port, as in a `host` header: IPv6 in brackets, without the default port.
    #[must_use]
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        if self.port == 80 {
            host
        } else {
            format!("{host}:{}", self.port)
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority(), self.path)
    }
}

impl FromStr for Url {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Url {
    const EXPECTED: &'static str = "a URL such as http://127.0.0.1:3000";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(match text {
                "" => mismatch(),
                _ => mismatch().hint(format!("did you mean `http://{}`?", text.trim_start_matches('/'))),
            });
        };
        match scheme.to_ascii_lowercase().as_str() {
            "http" => {}
            "https" => {
                let part = 0..scheme.len();
                return Err(Mismatch::new("`https`", "`http`")
                    .at(part)
                    .hint("https is not supported yet"));
            }
            _ => return Err(mismatch().hint("only http is supported")),
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            // Not quoted: what stands there may be a password.
            return Err(Mismatch::new("a user name in the URL", "host and port alone")
                .hint("send an `authorization` header instead"));
        }
        if text.chars().any(char::is_whitespace) {
            return Err(mismatch().hint("write a space as %20"));
        }
        let url = url::Url::parse(text).map_err(|error| mismatch().hint(error.to_string()))?;
        if url.fragment().is_some() {
            return Err(mismatch().hint("leave out what follows `#`: it is never sent"));
        }
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = url.port().unwrap_or(80);
        if host.is_empty() || port == 0 {
            return Err(mismatch());
        }
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(Self {
            scheme: Scheme::Http,
            host: host.to_owned(),
            port,
            path,
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "format": "uri", "pattern": "^[hH][tT][tT][pP]://" })
    }
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
                "http://Example.test/a/../b?x=1",
                "example.test",
                80,
                "/b?x=1",
                "http://example.test/b?x=1",
            ),
            ("http://[::1]:8080/", "::1", 8080, "/", "http://[::1]:8080/"),
            ("http://h:80?x", "h", 80, "/?x", "http://h/?x"),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!((url.host.as_str(), url.port, url.path.as_str()), (host, port, path));
            assert_eq!(url.to_string(), again);
            assert_eq!(Url::parse(again), Ok(url));
        }
    }

    #[test]
    fn a_password_is_never_repeated() {
        let error = Url::parse("http://me:secret@h/").unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }
}
