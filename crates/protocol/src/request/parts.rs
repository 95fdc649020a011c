//! What a request consists of, before it is bytes.

/// One kind of request, as the plan describes it.
#[derive(Debug, Clone, Copy)]
pub struct RequestParts<'a> {
    /// Method token, such as `GET`.
    pub method: &'a str,
    /// Value of the `host` header or of `:authority`: IPv6 in brackets, the port unless it is the default one.
    pub authority: &'a str,
    /// Request target: path with query, beginning with `/`; the authority for `CONNECT`; `*` for `OPTIONS`.
    pub target: &'a [Part<'a>],
    /// In the order in which they are sent. One that is given here is not added by the encoder.
    pub headers: &'a [(&'a str, &'a [Part<'a>])],
    /// Empty when there is none.
    pub body: &'a [Part<'a>],
    /// Whether the connection is to be kept for another request; if not, `connection: close` is sent.
    pub keep_alive: bool,
}

impl RequestParts<'_> {
    /// Whether the header `name` is given, in letters of either case.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
    }

    /// Whether the length of the body is to be said. RFC 9110, section 8.6: with some methods a missing length is not the same
    /// as a length of zero.
    pub(crate) fn announces_length(&self) -> bool {
        let has_length = !self.body.is_empty() || matches!(self.method, "POST" | "PUT" | "PATCH");
        has_length && !self.gives("content-length") && !self.gives("transfer-encoding")
    }
}

/// What `user-agent` is unless it is given.
pub(crate) const USER_AGENT: &str = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));

/// A piece of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Bytes that are the same in every request.
    Literal(&'a [u8]),
    /// Number of a variable, whose value comes with each request.
    Variable(usize),
}

pub(crate) fn literals<'a>(parts: &'a [Part<'a>]) -> impl Iterator<Item = &'a [u8]> {
    parts.iter().filter_map(|part| match part {
        Part::Literal(bytes) => Some(*bytes),
        Part::Variable(_) => None,
    })
}

pub(super) fn variables(parts: &[Part<'_>]) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(|part| match part {
        Part::Literal(_) => None,
        Part::Variable(variable) => Some(*variable),
    })
}
