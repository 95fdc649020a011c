//! Credentials that every request carries: user and password, or a token.

use crate::notation::encoding::base64_text;
use crate::notation::mismatch::Mismatch;
use crate::secrets::Secret;

/// How the requests are authorized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// By name and password (RFC 7617).
    Basic {
        /// Name, without a colon.
        user: Secret,
        /// Password; may be empty.
        password: Secret,
    },
    /// By a token (RFC 6750).
    Bearer(Secret),
}

impl Auth {
    /// Those of `user:password`, as a URL and an argument have them. Without a colon the password is empty.
    #[must_use]
    pub fn basic(text: &str) -> Self {
        let (user, password) = text.split_once(':').unwrap_or((text, ""));
        Self::Basic {
            user: Secret::sealed(user),
            password: Secret::sealed(password),
        }
    }

    /// A token.
    #[must_use]
    pub fn bearer(token: &str) -> Self {
        Self::Bearer(Secret::sealed(token))
    }

    /// The value of an `authorization` header.
    pub(crate) fn header(&self) -> String {
        match self {
            Self::Basic { user, password } => {
                let both = format!("{}:{}", user.reveal(), password.reveal());
                format!("Basic {}", base64_text(both.as_bytes()))
            }
            Self::Bearer(token) => format!("Bearer {}", token.reveal()),
        }
    }

    /// The part of it that cannot be sent, by its key, and why. What was found is never repeated.
    pub(crate) fn check(&self) -> Result<(), (&'static str, Mismatch)> {
        let controls = |secret: &Secret| secret.reveal().contains(char::is_control);
        match self {
            Self::Basic { user, .. } if user.reveal().contains(':') => Err((
                "basic.user",
                Mismatch::new("a user with a colon", "one without: it ends the name"),
            )),
            Self::Basic { user, .. } if controls(user) => Err((
                "basic.user",
                Mismatch::new("a line break or a control character", "a name without"),
            )),
            Self::Basic { password, .. } if controls(password) => Err((
                "basic.password",
                Mismatch::new("a line break or a control character", "a password without"),
            )),
            Self::Bearer(token) if token.reveal().is_empty() => {
                Err(("bearer", Mismatch::new("an empty text", "a token")))
            }
            Self::Bearer(token) if !token.reveal().bytes().all(|byte| byte.is_ascii_graphic()) => Err((
                "bearer",
                Mismatch::new("a blank, a line break or a character beyond ASCII", "a token without"),
            )),
            Self::Basic { .. } | Self::Bearer(_) => Ok(()),
        }
    }
}
