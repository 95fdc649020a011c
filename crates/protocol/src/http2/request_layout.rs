//! One kind of request, laid out for any connection (RFC 9113, section 8.3.1).

use super::hpack::SentField;
use super::hpack::encoder::{Literal, literal, literal_name, plain_length, static_field};
use crate::request::{
    InvalidRequest, Part, Places, RequestKind, RequestParts, USER_AGENT, check_request, literals, push_decimal,
};
use std::sync::Arc;

/// How the service is reached, as a request says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Without encryption.
    Http,
    /// Over TLS.
    Https,
}

impl Scheme {
    fn text(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// Writes one kind of request, again and again, on any number of connections.
///
/// What is the same in every request goes into the header table of the peer when it is first sent on a connection, and is one or
/// two bytes from then on. What varies, and what is secret, is sent in full each time.
#[derive(Debug, Clone)]
pub struct RequestLayout(pub(super) Arc<Layout>);

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    /// What varies, in the order of its fields.
    pub(super) varying: Vec<Value>,
    pub(super) body: Body,
    pub(super) kind: RequestKind,
    places: Places,
}

/// One field of the head, or several.
#[derive(Debug)]
pub(super) enum Field {
    /// These bytes on every connection.
    Fixed(Vec<u8>),
    /// As it stands in the header table.
    Kept(Arc<SentField>),
    /// These bytes, and then the next of the values that vary.
    Varying(Vec<u8>),
}

/// A value that is not the same in every request.
#[derive(Debug)]
pub(super) enum Value {
    Text(Vec<Piece>),
    /// Length of the body in decimal digits.
    BodyLength,
}

#[derive(Debug)]
pub(super) enum Piece {
    Literal(Vec<u8>),
    Variable(usize),
}

#[derive(Debug)]
pub(super) enum Body {
    /// The same in every request; perhaps empty.
    Literal(Vec<u8>),
    Varying {
        pieces: Vec<Piece>,
        /// Without variables.
        literal_bytes: usize,
    },
}

/// Headers of HTTP/1.1 alone (RFC 9113, section 8.2.2).
const OF_CONNECTIONS: &[&str] = &[
    "connection",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];
/// A field whose text is longer is not worth a place in the header table, where others would find none.
const MAX_KEPT_BYTES: usize = 1024;
/// A cookie that is shorter can be guessed from its compressed length; nghttp2, which curl and Node.js use, draws the line here too.
const LONG_COOKIE_BYTES: usize = 20;

impl RequestLayout {
    /// Lays out a request. `user-agent`, `accept` and `content-length` (with a body, or where the method leads a server to wait
    /// for one) are added unless given; names are sent in lower case, and `host` as `:authority`.
    ///
    /// # Errors
    ///
    /// When the request would be malformed: a literal that no field may hold, a header that belongs to HTTP/1.1, `CONNECT`.
    pub fn new(request: &RequestParts<'_>, scheme: Scheme) -> Result<Self, InvalidRequest> {
        Self::of_kind(request, scheme, RequestKind::of_method(request.method))
    }

    /// Lays out a call of gRPC, whose body is its message: only a response that says that the call went well is one.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn call(request: &RequestParts<'_>, scheme: Scheme) -> Result<Self, InvalidRequest> {
        Self::of_kind(request, scheme, RequestKind::Call)
    }

    fn of_kind(request: &RequestParts<'_>, scheme: Scheme, kind: RequestKind) -> Result<Self, InvalidRequest> {
        check_request(request)?;
        if request.method == "CONNECT" {
            return Err(InvalidRequest::Tunnel);
        }
        for &(name, value) in request.headers {
            let name = name.to_ascii_lowercase();
            let is_te = name == "te" && value != [Part::Literal(b"trailers")];
            if is_te || OF_CONNECTIONS.contains(&name.as_str()) {
                return Err(InvalidRequest::ConnectionHeader { name });
            }
        }
        let mut layout = Layout {
            fields: Vec::new(),
            varying: Vec::new(),
            body: Body::of(request.body),
            kind,
            places: Places::of(request),
        };
        layout.head(request, scheme);
        Ok(Self(Arc::new(layout)))
    }

    /// Whether `value` may stand for `variable`. To be asked once for every value that can occur: a
    /// [client](super::Http2) does not look.
    ///
    /// # Errors
    ///
    /// When the value would make the request malformed: a blank or a control character in the target, nothing at all as the
    /// whole target, CR, LF or NUL in a header.
    pub fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        self.0.places.check_value(variable, value)
    }
}

impl Layout {
    fn head(&mut self, request: &RequestParts<'_>, scheme: Scheme) {
        let host = request
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("host"));
        let authority = [Part::Literal(request.authority.as_bytes())];
        self.text(":method", request.method);
        self.text(":scheme", scheme.text());
        self.field(":authority", host.map_or(&authority[..], |(_, value)| value));
        self.field(":path", request.target);
        for &(name, value) in request.headers {
            let name = name.to_ascii_lowercase();
            if name != "host" {
                self.field(&name, value);
            }
        }
        if !request.gives("user-agent") {
            self.text("user-agent", USER_AGENT);
        }
        if !request.gives("accept") {
            self.text("accept", "*/*");
        }
        if request.announces_length() {
            match &self.body {
                Body::Literal(body) => {
                    let length = body.len().to_string();
                    self.text("content-length", &length);
                }
                Body::Varying { .. } => self.varying("content-length", Value::BodyLength),
            }
        }
    }

    fn text(&mut self, name: &str, value: &str) {
        self.field(name, &[Part::Literal(value.as_bytes())]);
    }

    fn field(&mut self, name: &str, value: &[Part<'_>]) {
        if value.iter().any(|part| matches!(part, Part::Variable(_))) {
            self.varying(name, Value::Text(pieces(value)));
            return;
        }
        let value = literals(value).collect::<Vec<_>>().concat();
        // RFC 9113, section 8.2.1: no blanks around it.
        let (name, value) = (name.as_bytes(), value.trim_ascii());
        let mut fixed = Vec::new();
        if static_field(name, value, &mut fixed) {
            self.fixed(&fixed);
        } else if is_secret(name, value.len()) {
            literal(name, value, Literal::NeverIndexed, &mut fixed);
            self.fixed(&fixed);
        } else if name.len() + value.len() > MAX_KEPT_BYTES {
            literal(name, value, Literal::Plain, &mut fixed);
            self.fixed(&fixed);
        } else {
            self.fields.push(Field::Kept(Arc::new(SentField::new(name, value))));
        }
    }

    fn varying(&mut self, name: &str, value: Value) {
        // How long a secret is that varies is not known here.
        let how = match is_secret(name.as_bytes(), 0) {
            true => Literal::NeverIndexed,
            false => Literal::Plain,
        };
        let mut beginning = Vec::new();
        literal_name(name.as_bytes(), how, &mut beginning);
        self.fields.push(Field::Varying(beginning));
        self.varying.push(value);
    }

    fn fixed(&mut self, bytes: &[u8]) {
        match self.fields.last_mut() {
            Some(Field::Fixed(before)) => before.extend_from_slice(bytes),
            _ => self.fields.push(Field::Fixed(bytes.to_vec())),
        }
    }
}

/// Whether a field is to stay out of all tables. Nobody else speaks on a connection of ours, but a proxy may send what it receives
/// on connections that others share (RFC 7541, section 7.1.3).
fn is_secret(name: &[u8], value_bytes: usize) -> bool {
    match name {
        b"authorization" | b"proxy-authorization" => true,
        b"cookie" => value_bytes < LONG_COOKIE_BYTES,
        _ => false,
    }
}

fn pieces(parts: &[Part<'_>]) -> Vec<Piece> {
    let piece = |part: &Part<'_>| match *part {
        Part::Literal(bytes) => Piece::Literal(bytes.to_vec()),
        Part::Variable(variable) => Piece::Variable(variable),
    };
    parts.iter().map(piece).collect()
}

impl Value {
    /// Appends the length of the value and then the value.
    #[inline]
    pub(super) fn write<'v>(&self, body: &Body, value: &impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        match self {
            Self::Text(pieces) => {
                let length = pieces.iter().map(|piece| piece.text(value).len()).sum();
                plain_length(length, out);
                pieces.iter().for_each(|piece| out.extend_from_slice(piece.text(value)));
            }
            Self::BodyLength => {
                // A length of at most twenty digits is one byte.
                let at = out.len();
                out.push(0);
                push_decimal(body.bytes(value), out);
                out[at] = (out.len() - at - 1) as u8;
            }
        }
    }
}

impl Piece {
    #[inline]
    fn text<'a, 'v: 'a>(&'a self, value: &impl Fn(usize) -> &'v [u8]) -> &'a [u8] {
        match self {
            Self::Literal(bytes) => bytes,
            Self::Variable(variable) => value(*variable),
        }
    }
}

impl Body {
    fn of(parts: &[Part<'_>]) -> Self {
        let literals = literals(parts).collect::<Vec<_>>().concat();
        if parts.iter().any(|part| matches!(part, Part::Variable(_))) {
            Self::Varying {
                pieces: pieces(parts),
                literal_bytes: literals.len(),
            }
        } else {
            Self::Literal(literals)
        }
    }

    /// What does not vary of it.
    pub(super) fn literal(&self) -> &[u8] {
        match self {
            Self::Literal(bytes) => bytes,
            Self::Varying { .. } => &[],
        }
    }

    /// How long it is with these values.
    #[inline]
    pub(super) fn bytes<'v>(&self, value: &impl Fn(usize) -> &'v [u8]) -> usize {
        match self {
            Self::Literal(bytes) => bytes.len(),
            Self::Varying { pieces, literal_bytes } => {
                let varying = pieces.iter().map(|piece| match piece {
                    Piece::Literal(_) => 0,
                    Piece::Variable(variable) => value(*variable).len(),
                });
                literal_bytes + varying.sum::<usize>()
            }
        }
    }

    /// Appends it.
    pub(super) fn write<'v>(&self, value: &impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        match self {
            Self::Literal(bytes) => out.extend_from_slice(bytes),
            Self::Varying { pieces, .. } => pieces.iter().for_each(|piece| match piece {
                Piece::Literal(bytes) => out.extend_from_slice(bytes),
                Piece::Variable(variable) => out.extend_from_slice(value(*variable)),
            }),
        }
    }
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

    #[test]
    fn headers_of_connections_are_refused() {
        for (name, value) in [
            ("Connection", "close"),
            ("keep-alive", "timeout=5"),
            ("Transfer-Encoding", "chunked"),
            ("upgrade", "h2c"),
            ("proxy-connection", "close"),
            ("te", "gzip"),
        ] {
            let parts = [Part::Literal(value.as_bytes())];
            let headers: &[(&str, &[Part<'_>])] = &[(name, &parts)];
            let refused = RequestLayout::new(&RequestParts { headers, ..GET }, Scheme::Http).unwrap_err();
            let name = name.to_ascii_lowercase();
            assert_eq!(refused, InvalidRequest::ConnectionHeader { name });
        }
        let trailers: &[(&str, &[Part<'_>])] = &[("te", &[Part::Literal(b"trailers")])];
        let request = RequestParts {
            headers: trailers,
            ..GET
        };
        assert!(RequestLayout::new(&request, Scheme::Http).is_ok());
        let request = RequestParts {
            method: "CONNECT",
            ..GET
        };
        assert_eq!(
            RequestLayout::new(&request, Scheme::Http).unwrap_err(),
            InvalidRequest::Tunnel
        );
    }

    #[test]
    fn values_are_checked_where_they_stand() {
        let headers: &[(&str, &[Part<'_>])] = &[("x-user", &[Part::Variable(1)])];
        let request = RequestParts {
            target: &[Part::Variable(0)],
            headers,
            body: &[Part::Variable(2)],
            ..GET
        };
        let layout = RequestLayout::new(&request, Scheme::Http).unwrap();
        assert_eq!(layout.check_value(0, b""), Err(InvalidRequest::EmptyTarget));
        assert!(layout.check_value(0, b"/a b").is_err());
        assert!(layout.check_value(1, b"a\nb").is_err());
        assert_eq!(layout.check_value(1, b"a b"), Ok(()));
        assert_eq!(layout.check_value(2, b"a\nb"), Ok(()));
    }
}
