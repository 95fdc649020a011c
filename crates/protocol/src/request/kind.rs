//! What of a request decides how its response is framed.

/// What a response's framing has to know about its request (RFC 9112, section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RequestKind {
    /// `HEAD`: the response has no body, whatever its headers say.
    Head,
    /// `CONNECT`: a 2xx response ends HTTP on this connection.
    Connect,
    /// A call of gRPC over HTTP/2: the content is one message, and trailers say how the call ended.
    Call,
    /// Any other method.
    #[default]
    Other,
}

impl RequestKind {
    /// The kind of a request with this method; methods are case-sensitive.
    #[must_use]
    pub fn of_method(method: &str) -> Self {
        match method {
            "HEAD" => Self::Head,
            "CONNECT" => Self::Connect,
            _ => Self::Other,
        }
    }
}
