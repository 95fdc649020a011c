//! What a request consists of, before it is bytes.

/// One kind of request, as the plan describes it.
#[derive(Debug, Clone, Copy)]
pub struct RequestParts<'a> {
    /// Method token, such as `GET`.
    pub method: &'a str,
    /// Value of the `host` header: IPv6 in brackets, the port unless it is the default one.
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

/// A piece of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Bytes that are the same in every request.
    Literal(&'a [u8]),
    /// Number of a variable, whose value comes with each request.
    Variable(usize),
}

pub(super) fn literals<'a>(parts: &'a [Part<'a>]) -> impl Iterator<Item = &'a [u8]> {
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
