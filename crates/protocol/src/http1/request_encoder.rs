//! One kind of request as bytes, with what varies in its place.

use crate::request::{
    InvalidRequest, Part, Places, RequestKind, RequestParts, USER_AGENT, check_request, push_decimal,
};
use std::ops::Range;

/// Writes one kind of request, again and again.
#[derive(Debug, Clone)]
pub struct RequestEncoder {
    /// Every byte that does not vary, in order; the whole request when nothing does.
    literals: Vec<u8>,
    /// What is sent, in order.
    pieces: Vec<Piece>,
    places: Places,
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
            places: Places::of(request),
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
        self.places.check_value(variable, value)
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
        self.literal(request.method.as_bytes());
        self.literal(b" ");
        self.parts(request.target);
        self.literal(b" HTTP/1.1\r\n");
        if !request.gives("host") {
            self.header("host", request.authority);
        }
        for &(name, value) in request.headers {
            self.literal(name.as_bytes());
            self.literal(b": ");
            self.parts(value);
            self.literal(b"\r\n");
        }
        if !request.gives("user-agent") {
            self.header("user-agent", USER_AGENT);
        }
        if !request.gives("accept") {
            self.header("accept", "*/*");
        }
        if !request.keep_alive && !request.gives("connection") {
            self.header("connection", "close");
        }
        if request.announces_length() {
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
}
