//! What would break the framing of a request, and is refused.

use super::parts::{Part, RequestParts, literals};
use crate::quote::quote;

/// Why a request cannot be encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRequest {
    /// The method is not a token (RFC 9110, section 5.6.2).
    #[error("method {method} is not a token of letters, digits and !#$%&'*+-.^_`|~")]
    Method {
        /// The method, quoted.
        method: String,
    },
    /// The request target is empty.
    #[error("request target is empty; hint: the path of a service's root is `/`")]
    EmptyTarget,
    /// The request target holds a blank or a control character.
    #[error("request target {found} has a space or a control character; hint: write a space as %20")]
    Target {
        /// The text, quoted.
        found: String,
    },
    /// `host` holds a blank or a control character.
    #[error("host {found} has a space or a control character")]
    Authority {
        /// The text, quoted.
        found: String,
    },
    /// A header's name is not a token.
    #[error("header name {name} is not a token of letters, digits and !#$%&'*+-.^_`|~")]
    HeaderName {
        /// The name, quoted.
        name: String,
    },
    /// The header belongs to HTTP/1.1 and would make an HTTP/2 request malformed (RFC 9113, section 8.2.2).
    #[error("header `{name}` is about an HTTP/1.1 connection, which HTTP/2 forbids; hint: leave it out")]
    ConnectionHeader {
        /// Name of the header.
        name: String,
    },
    /// The method would turn a stream into a tunnel.
    #[error("method CONNECT makes a tunnel, which is not supported over HTTP/2")]
    Tunnel,
    /// A header's value holds a CR, LF or NUL, which would end it early.
    #[error("value {found} of header `{name}` has a CR, LF or NUL")]
    HeaderValue {
        /// Name of the header.
        name: String,
        /// The value, quoted.
        found: String,
    },
}

pub(crate) fn check_request(request: &RequestParts<'_>) -> Result<(), InvalidRequest> {
    if !is_token(request.method) {
        return Err(InvalidRequest::Method {
            method: quote(request.method.as_bytes()),
        });
    }
    if breaks_target(request.authority.as_bytes()) {
        return Err(InvalidRequest::Authority {
            found: quote(request.authority.as_bytes()),
        });
    }
    if request.target.iter().all(|part| matches!(part, Part::Literal(b""))) {
        return Err(InvalidRequest::EmptyTarget);
    }
    literals(request.target).try_for_each(check_target)?;
    for &(name, value) in request.headers {
        if !is_token(name) {
            return Err(InvalidRequest::HeaderName {
                name: quote(name.as_bytes()),
            });
        }
        literals(value).try_for_each(|bytes| check_header_value(name, bytes))?;
    }
    Ok(())
}

fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

pub(super) fn check_target(bytes: &[u8]) -> Result<(), InvalidRequest> {
    if breaks_target(bytes) {
        Err(InvalidRequest::Target { found: quote(bytes) })
    } else {
        Ok(())
    }
}

fn breaks_target(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte == b' ' || byte.is_ascii_control())
}

pub(super) fn check_header_value(name: &str, bytes: &[u8]) -> Result<(), InvalidRequest> {
    if bytes.iter().any(|byte| b"\r\n\0".contains(byte)) {
        return Err(InvalidRequest::HeaderValue {
            name: name.to_owned(),
            found: quote(bytes),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: RequestParts<'_> = RequestParts {
        method: "GET",
        authority: "shop",
        target: &[Part::Literal(b"/")],
        headers: &[],
        body: &[],
        keep_alive: true,
    };

    #[track_caller]
    fn refused(request: &RequestParts<'_>, message: &str) {
        assert_eq!(check_request(request).unwrap_err().to_string(), message);
    }

    #[test]
    fn what_would_break_the_framing_is_refused() {
        refused(
            &RequestParts { method: "GE T", ..GET },
            "method `GE T` is not a token of letters, digits and !#$%&'*+-.^_`|~",
        );
        refused(
            &RequestParts {
                target: &[Part::Literal(b"")],
                ..GET
            },
            "request target is empty; hint: the path of a service's root is `/`",
        );
        refused(
            &RequestParts {
                target: &[Part::Literal(b"/a b")],
                ..GET
            },
            "request target `/a b` has a space or a control character; hint: write a space as %20",
        );
        refused(
            &RequestParts {
                authority: "a\r\nx: y",
                ..GET
            },
            r"host `a\r\nx: y` has a space or a control character",
        );
        refused(
            &RequestParts {
                headers: &[("a:", &[])],
                ..GET
            },
            "header name `a:` is not a token of letters, digits and !#$%&'*+-.^_`|~",
        );
        refused(
            &RequestParts {
                headers: &[("a", &[Part::Literal(b"b\r\nc: d")])],
                ..GET
            },
            r"value `b\r\nc: d` of header `a` has a CR, LF or NUL",
        );
    }
}
