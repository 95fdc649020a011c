//! The proxy between the generator and the service.

use crate::notation::mismatch::Mismatch;
use crate::plan::address::Server;
use crate::plan::auth::Auth;
use crate::plan::scheme::Scheme;
use crate::plan::url::Url;
use crate::secrets::Secret;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// A proxy that connections go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Host and port, and perhaps a user.
    url: Url,
}

impl Proxy {
    /// The one at `url`.
    ///
    /// # Errors
    /// When it is not reached by HTTP over TCP, or has a path.
    pub fn at(url: Url) -> Result<Self, Mismatch> {
        const EXPECTED: &str = "the URL of a proxy such as http://127.0.0.1:3128";
        match (&url.server, url.scheme, url.path.reveal()) {
            (Server::Tcp { .. }, Scheme::Http, "/") => Ok(Self { url }),
            (Server::Tcp { .. }, Scheme::Http, _) => Err(Mismatch::new("a path", EXPECTED)),
            _ => Err(Mismatch::new("a URL that does not begin with `http://`", EXPECTED)),
        }
    }

    /// Host and port.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// The value of a `proxy-authorization` header, if it wants one.
    #[must_use]
    pub fn authorization(&self) -> Option<Secret> {
        let user = self.url.user.as_ref()?;
        Some(Secret::sealed(Auth::basic(user.reveal()).header()))
    }

    /// The URL with its user and password.
    pub(crate) fn revealed(&self) -> String {
        let user = self.url.user.as_ref().map_or_else(String::new, |user| {
            let parts: Vec<String> = user
                .reveal()
                .splitn(2, ':')
                .map(|part| utf8_percent_encode(part, NON_ALPHANUMERIC).to_string())
                .collect();
            format!("{}@", parts.join(":"))
        });
        self.url.origin().replacen("://", &format!("://{user}"), 1)
    }
}
