//! Requests as bytes.

use super::error::quote;
use super::request_kind::RequestKind;
use std::ops::Range;

/// One kind of request, as the plan describes it.
#[derive(Debug, Clone, Copy)]
pub struct RequestParts<'a> {
    /// Method token, such as `GET`.
    pub method: &'a str,
    /// Value of the `host` header, see [`authority`].
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
    /// A header's value holds a CR, LF or NUL, which would end it early.
    #[error("value {found} of header `{name}` has a CR, LF or NUL")]
    HeaderValue {
        /// Name of the header.
        name: String,
        /// The value, quoted.
        found: String,
    },
}

/// Writes one kind of request, again and again.
#[derive(Debug, Clone)]
pub struct RequestEncoder {
    /// Every byte that does not vary, in order; the whole request when nothing does.
    literals: Vec<u8>,
    /// What is sent, in order.
    pieces: Vec<Piece>,
    /// Where variables stand in the head.
    head_variables: Vec<(usize, Place)>,
    /// Variables of the body, one entry for each time that one occurs.
    body_variables: Vec<usize>,
    body_literal_bytes: usize,
    varies: bool,
    kind: RequestKind,
}

#[derive(Debug, Clone)]
enum Piece {
    /// This part of the literals.
    Literal(Range<usize>),
    Variable(usize),
    /// Length of the body in decimal digits.
    BodyLength,
}

#[derive(Debug, Clone)]
enum Place {
    Target {
        /// There are no literals beside the variable.
        alone: bool,
    },
    /// The value of the header with this name.
    Header(String),
}

impl RequestEncoder {
    /// Lays out a request. `host`, `user-agent`, `accept`, `connection: close` (without keep-alive) and `content-length`
    /// (with a body, or where the method leads a server to wait for one) are added unless given.
    ///
    /// # Errors
    ///
    /// When a literal would break the framing of the request.
    pub fn new(request: &RequestParts<'_>) -> Result<Self, InvalidRequest> {
        check_request(request)?;
        let mut encoder = Self {
            literals: Vec::new(),
            pieces: Vec::new(),
            head_variables: Vec::new(),
            body_variables: Vec::new(),
            body_literal_bytes: 0,
            varies: false,
            kind: RequestKind::of_method(request.method),
        };
        for part in request.body {
            match part {
                Part::Literal(bytes) => encoder.body_literal_bytes += bytes.len(),
                Part::Variable(variable) => encoder.body_variables.push(*variable),
            }
        }
        encoder.head(request);
        encoder.parts(request.body);
        encoder.varies = encoder.pieces.iter().any(|piece| !matches!(piece, Piece::Literal(_)));
        Ok(encoder)
    }

    /// The whole request, when it is the same every time.
    #[must_use]
    pub fn as_static(&self) -> Option<&[u8]> {
        (!self.varies).then_some(&self.literals)
    }

    /// What a [`ResponseReader`](super::ResponseReader) has to know about this request.
    #[must_use]
    pub fn kind(&self) -> RequestKind {
        self.kind
    }

    /// Whether `value` may stand for `variable`. To be asked once for every value that can occur: [`Self::encode`] does
    /// not look.
    ///
    /// # Errors
    ///
    /// When the value would break the framing: a blank or a control character in the target, nothing at all as the whole
    /// target, CR, LF or NUL in a header.
    pub fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        let places = self.head_variables.iter().filter(|(used, _)| *used == variable);
        places.map(|(_, place)| place).try_for_each(|place| match place {
            Place::Target { alone: true } if value.is_empty() => Err(InvalidRequest::EmptyTarget),
            Place::Target { .. } => check_target(value),
            Place::Header(name) => check_header_value(name, value),
        })
    }

    /// Appends the request to `out`. `value` gives the value of a variable and must give the same one throughout a call.
    #[inline]
    pub fn encode<'v>(&self, value: impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        if let Some(bytes) = self.as_static() {
            out.extend_from_slice(bytes);
            return;
        }
        for piece in &self.pieces {
            match piece {
                Piece::Literal(range) => out.extend_from_slice(&self.literals[range.clone()]),
                Piece::Variable(variable) => out.extend_from_slice(value(*variable)),
                Piece::BodyLength => {
                    let varying: usize = self.body_variables.iter().map(|&variable| value(variable).len()).sum();
                    push_decimal(self.body_literal_bytes + varying, out);
                }
            }
        }
    }

    fn head(&mut self, request: &RequestParts<'_>) {
        let given = |name: &str| {
            request
                .headers
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        self.literal(request.method.as_bytes());
        self.literal(b" ");
        self.parts(request.target);
        let alone = literals(request.target).all(<[u8]>::is_empty);
        let places = variables(request.target).map(|variable| (variable, Place::Target { alone }));
        self.head_variables.extend(places);
        self.literal(b" HTTP/1.1\r\n");
        if !given("host") {
            self.header("host", request.authority);
        }
        for &(name, value) in request.headers {
            self.literal(name.as_bytes());
            self.literal(b": ");
            self.parts(value);
            let places = variables(value).map(|variable| (variable, Place::Header(name.to_owned())));
            self.head_variables.extend(places);
            self.literal(b"\r\n");
        }
        if !given("user-agent") {
            self.header("user-agent", concat!("plimsoll/", env!("CARGO_PKG_VERSION")));
        }
        if !given("accept") {
            self.header("accept", "*/*");
        }
        if !request.keep_alive && !given("connection") {
            self.header("connection", "close");
        }
        // RFC 9110, section 8.6: with these methods a missing length is not the same as a length of zero.
        let announces_body = !request.body.is_empty() || matches!(request.method, "POST" | "PUT" | "PATCH");
        if announces_body && !given("content-length") && !given("transfer-encoding") {
            if self.body_variables.is_empty() {
                self.header("content-length", &self.body_literal_bytes.to_string());
            } else {
                self.literal(b"content-length: ");
                self.pieces.push(Piece::BodyLength);
                self.literal(b"\r\n");
            }
        }
        self.literal(b"\r\n");
    }

    fn header(&mut self, name: &str, value: &str) {
        for text in [name, ": ", value, "\r\n"] {
            self.literal(text.as_bytes());
        }
    }

    fn parts(&mut self, parts: &[Part<'_>]) {
        for part in parts {
            match *part {
                Part::Literal(bytes) => self.literal(bytes),
                Part::Variable(variable) => self.pieces.push(Piece::Variable(variable)),
            }
        }
    }

    /// Appends bytes, to the last piece if that is a literal too.
    fn literal(&mut self, bytes: &[u8]) {
        let start = self.literals.len();
        self.literals.extend_from_slice(bytes);
        let end = self.literals.len();
        match self.pieces.last_mut() {
            Some(Piece::Literal(range)) => range.end = end,
            _ => self.pieces.push(Piece::Literal(start..end)),
        }
    }
}

/// `host` as the `host` header has it: an IPv6 address in brackets, the port unless it is the scheme's own.
#[must_use]
pub fn authority(host: &str, port: u16, default_port: u16) -> String {
    let bare_ipv6 = host.contains(':') && !host.starts_with('[');
    let host = if bare_ipv6 {
        format!("[{host}]")
    } else {
        host.to_owned()
    };
    if port == default_port {
        host
    } else {
        format!("{host}:{port}")
    }
}

fn variables(parts: &[Part<'_>]) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(|part| match part {
        Part::Literal(_) => None,
        Part::Variable(variable) => Some(*variable),
    })
}

fn check_request(request: &RequestParts<'_>) -> Result<(), InvalidRequest> {
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

fn literals<'a>(parts: &'a [Part<'a>]) -> impl Iterator<Item = &'a [u8]> {
    parts.iter().filter_map(|part| match part {
        Part::Literal(bytes) => Some(*bytes),
        Part::Variable(_) => None,
    })
}

fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

fn check_target(bytes: &[u8]) -> Result<(), InvalidRequest> {
    if breaks_target(bytes) {
        Err(InvalidRequest::Target { found: quote(bytes) })
    } else {
        Ok(())
    }
}

fn breaks_target(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte == b' ' || byte.is_ascii_control())
}

fn check_header_value(name: &str, bytes: &[u8]) -> Result<(), InvalidRequest> {
    if bytes.iter().any(|byte| b"\r\n\0".contains(byte)) {
        return Err(InvalidRequest::HeaderValue {
            name: name.to_owned(),
            found: quote(bytes),
        });
    }
    Ok(())
}

fn push_decimal(number: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = number;
    loop {
        // Less than ten.
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out[start..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &[Part<'_>] = &[Part::Literal(b"/")];
    const AGENT: &str = concat!(
        "user-agent: plimsoll/",
        env!("CARGO_PKG_VERSION"),
        "\r\naccept: */*\r\n"
    );

    fn get<'a>() -> RequestParts<'a> {
        RequestParts {
            method: "GET",
            authority: "shop",
            target: ROOT,
            headers: &[],
            body: &[],
            keep_alive: true,
        }
    }

    #[track_caller]
    fn check(request: &RequestParts<'_>, values: &[&str], expected: &str) {
        let encoder = RequestEncoder::new(request).unwrap();
        let mut out = b"before ".to_vec();
        encoder.encode(|variable| values[variable].as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), format!("before {expected}"));
        assert_eq!(encoder.as_static().is_some(), values.is_empty());
        if let Some(bytes) = encoder.as_static() {
            assert_eq!(bytes, expected.as_bytes());
        }
    }

    #[test]
    fn a_plain_get() {
        check(&get(), &[], &format!("GET / HTTP/1.1\r\nhost: shop\r\n{AGENT}\r\n"));
    }

    #[test]
    fn without_keep_alive_the_connection_is_closed() {
        let request = RequestParts {
            keep_alive: false,
            ..get()
        };
        check(
            &request,
            &[],
            &format!("GET / HTTP/1.1\r\nhost: shop\r\n{AGENT}connection: close\r\n\r\n"),
        );
    }

    #[test]
    fn given_headers_replace_added_ones() {
        let headers: &[(&str, &[Part<'_>])] = &[
            ("Host", &[Part::Literal(b"other")]),
            ("Accept", &[Part::Literal(b"text/html")]),
            ("User-Agent", &[Part::Literal(b"mine")]),
            ("Connection", &[Part::Literal(b"keep-alive")]),
        ];
        check(
            &RequestParts {
                headers,
                keep_alive: false,
                ..get()
            },
            &[],
            "GET / HTTP/1.1\r\nHost: other\r\nAccept: text/html\r\nUser-Agent: mine\r\nConnection: keep-alive\r\n\r\n",
        );
    }

    #[test]
    fn a_body_has_a_length() {
        let request = RequestParts {
            method: "POST",
            body: &[Part::Literal(b"abc"), Part::Literal(b"de")],
            ..get()
        };
        check(
            &request,
            &[],
            &format!("POST / HTTP/1.1\r\nhost: shop\r\n{AGENT}content-length: 5\r\n\r\nabcde"),
        );
        let request = RequestParts {
            method: "POST",
            ..get()
        };
        check(
            &request,
            &[],
            &format!("POST / HTTP/1.1\r\nhost: shop\r\n{AGENT}content-length: 0\r\n\r\n"),
        );
    }

    #[test]
    fn a_given_framing_is_left_alone() {
        let headers: &[(&str, &[Part<'_>])] = &[("Transfer-Encoding", &[Part::Literal(b"chunked")])];
        let request = RequestParts {
            method: "POST",
            headers,
            body: &[Part::Literal(b"0\r\n\r\n")],
            ..get()
        };
        check(
            &request,
            &[],
            &format!("POST / HTTP/1.1\r\nhost: shop\r\nTransfer-Encoding: chunked\r\n{AGENT}\r\n0\r\n\r\n"),
        );
    }

    #[test]
    fn variables_are_filled_in_and_counted() {
        let headers: &[(&str, &[Part<'_>])] = &[("x-user", &[Part::Variable(0)])];
        let request = RequestParts {
            method: "PUT",
            target: &[
                Part::Literal(b"/items/"),
                Part::Variable(1),
                Part::Literal(b"?u="),
                Part::Variable(0),
            ],
            headers,
            body: &[
                Part::Variable(0),
                Part::Literal(b"-"),
                Part::Variable(0),
                Part::Variable(1),
            ],
            ..get()
        };
        check(
            &request,
            &["ann", "1234567"],
            &format!(
                "PUT /items/1234567?u=ann HTTP/1.1\r\nhost: shop\r\nx-user: ann\r\n{AGENT}content-length: 14\r\n\r\nann-ann1234567"
            ),
        );
        check(
            &request,
            &["", ""],
            &format!("PUT /items/?u= HTTP/1.1\r\nhost: shop\r\nx-user: \r\n{AGENT}content-length: 1\r\n\r\n-"),
        );
    }

    #[track_caller]
    fn refused(request: &RequestParts<'_>, message: &str) {
        assert_eq!(RequestEncoder::new(request).unwrap_err().to_string(), message);
    }

    #[test]
    fn what_would_break_the_framing_is_refused() {
        refused(
            &RequestParts {
                method: "GE T",
                ..get()
            },
            "method `GE T` is not a token of letters, digits and !#$%&'*+-.^_`|~",
        );
        refused(
            &RequestParts {
                target: &[Part::Literal(b"")],
                ..get()
            },
            "request target is empty; hint: the path of a service's root is `/`",
        );
        refused(
            &RequestParts {
                target: &[Part::Literal(b"/a b")],
                ..get()
            },
            "request target `/a b` has a space or a control character; hint: write a space as %20",
        );
        refused(
            &RequestParts {
                authority: "a\r\nx: y",
                ..get()
            },
            r"host `a\r\nx: y` has a space or a control character",
        );
        refused(
            &RequestParts {
                headers: &[("a:", &[])],
                ..get()
            },
            "header name `a:` is not a token of letters, digits and !#$%&'*+-.^_`|~",
        );
        refused(
            &RequestParts {
                headers: &[("a", &[Part::Literal(b"b\r\nc: d")])],
                ..get()
            },
            r"value `b\r\nc: d` of header `a` has a CR, LF or NUL",
        );
    }

    #[test]
    fn values_are_checked_where_they_stand() {
        let headers: &[(&str, &[Part<'_>])] = &[("x-user", &[Part::Variable(1)])];
        let request = RequestParts {
            target: &[Part::Literal(b"/"), Part::Variable(0)],
            headers,
            body: &[Part::Variable(2)],
            ..get()
        };
        let encoder = RequestEncoder::new(&request).unwrap();
        assert_eq!(encoder.check_value(0, "näme".as_bytes()), Ok(()));
        assert!(encoder.check_value(0, b"a b").is_err());
        assert_eq!(encoder.check_value(1, b"a b"), Ok(()));
        for broken in [b"a\rb", b"a\nb", b"a\0b"] {
            assert!(encoder.check_value(1, broken).is_err());
            assert_eq!(encoder.check_value(2, broken), Ok(()));
        }
    }

    #[test]
    fn a_value_that_is_the_whole_target_is_not_empty() {
        let encoder = RequestEncoder::new(&RequestParts {
            target: &[Part::Variable(0)],
            ..get()
        })
        .unwrap();
        assert_eq!(encoder.check_value(0, b""), Err(InvalidRequest::EmptyTarget));
        assert_eq!(encoder.check_value(0, b"/a"), Ok(()));
    }

    #[test]
    fn the_host_header_omits_the_default_port() {
        assert_eq!(authority("shop", 80, 80), "shop");
        assert_eq!(authority("shop", 8080, 80), "shop:8080");
        assert_eq!(authority("::1", 80, 80), "[::1]");
        assert_eq!(authority("[::1]", 3000, 80), "[::1]:3000");
    }
}
