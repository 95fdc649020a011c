//! One kind of request, and what makes its response correct.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::{Notation, keyword};
use crate::plan::grpc::Grpc;
use crate::plan::masks::{BodyLength, body_length};
use crate::plan::template::Template;
use schemars::{Schema, json_schema};

/// One kind of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Tells it apart from the others.
    pub name: String,
    /// Relative frequency among the requests of the scenario; at least 1.
    pub weight: u32,
    /// HTTP method.
    pub method: Method,
    /// Path with query, beginning with `/`. It includes the path of the target's URL.
    pub path: Template,
    /// In the order of the plan, those of one name side by side. Never `content-length`, `transfer-encoding` or
    /// `connection`, which follow from the body and the connections; the engine adds `host` unless it is given here.
    pub headers: Vec<(String, Template)>,
    /// Empty when there is none.
    pub body: Template,
    /// What is sent instead of a body, where it is a call of gRPC.
    pub grpc: Option<Grpc>,
    /// What makes a response correct.
    pub expect: Expect,
    /// What it is sent as.
    pub form: Form,
}

/// What a request is sent as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Form {
    /// A request of HTTP.
    #[default]
    Http,
    /// A message on a WebSocket, which has its response once `${message}` comes back. The body is what it says.
    Message,
    /// An event of Socket.IO, whose response is its acknowledgement. The body is a list in JSON: its name and its arguments.
    Event,
    /// What opens a connection of Socket.IO. The body is what the client says of itself, an object in JSON, or nothing.
    Join {
        /// Begins with `/`.
        namespace: String,
        /// How its session begins.
        transport: Transport,
    },
}

/// How a session of Socket.IO begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transport {
    /// On a WebSocket.
    #[default]
    WebSocket,
    /// By long polling. Once the client is let in, a WebSocket takes over.
    Upgrade,
}

const TRANSPORTS: [(&str, Transport); 2] = [("websocket", Transport::WebSocket), ("upgrade", Transport::Upgrade)];

impl Transport {
    /// As in a plan: `websocket` or `upgrade`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WebSocket => "websocket",
            Self::Upgrade => "upgrade",
        }
    }
}

impl Notation for Transport {
    const EXPECTED: &'static str = "`websocket` or `upgrade`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &TRANSPORTS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["websocket", "upgrade"] })
    }
}

impl Request {
    /// How long its body is, also in a plan that was recorded, where a text stands for it.
    #[must_use]
    pub fn body_length(&self) -> BodyLength {
        body_length(&self.body)
    }

    /// A `GET` of `path` without headers or body, counted as correct when its status is 200 to 399.
    #[must_use]
    pub fn get(path: Template) -> Self {
        Self {
            name: String::new(),
            weight: 1,
            method: Method("GET".to_owned()),
            path,
            headers: Vec::new(),
            body: Template::default(),
            grpc: None,
            expect: Expect::default(),
            form: Form::Http,
        }
    }

    /// A message on a WebSocket.
    #[must_use]
    pub fn message(body: Template) -> Self {
        Self {
            name: "send".to_owned(),
            body,
            form: Form::Message,
            ..Self::get(Template::literal("/"))
        }
    }

    /// Whether it is a message on a connection that others open; of what else there is, it has name, weight and body.
    #[must_use]
    pub const fn is_message(&self) -> bool {
        matches!(self.form, Form::Message | Form::Event)
    }

    /// The namespace of Socket.IO in which it opens a connection.
    #[must_use]
    pub fn namespace(&self) -> &str {
        match &self.form {
            Form::Join { namespace, .. } => namespace,
            Form::Http | Form::Message | Form::Event => "/",
        }
    }

    /// How a session of Socket.IO begins that it opens.
    #[must_use]
    pub fn transport(&self) -> Transport {
        match self.form {
            Form::Join { transport, .. } => transport,
            Form::Http | Form::Message | Form::Event => Transport::default(),
        }
    }

    /// Whether the variable with this index is in it.
    pub(crate) fn needs(&self, variable: usize) -> bool {
        let headers = self.headers.iter().map(|(_, value)| value);
        let mut templates = [&self.path, &self.body].into_iter().chain(headers);
        templates.any(|template| template.variables().any(|index| index == variable))
    }

    /// Moves each header to the first of its name, whose spelling it takes.
    pub(crate) fn gather_headers(&mut self) {
        let mut gathered: Vec<(String, Template)> = Vec::with_capacity(self.headers.len());
        for (name, value) in self.headers.drain(..) {
            match gathered
                .iter()
                .rposition(|(known, _)| known.eq_ignore_ascii_case(&name))
            {
                Some(last) => gathered.insert(last + 1, (gathered[last].0.clone(), value)),
                None => gathered.push((name, value)),
            }
        }
        self.headers = gathered;
    }
}

/// An HTTP method token, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method(pub(crate) String);

impl Method {
    /// `None` when `name` is no RFC 9110 token, or `CONNECT`, which opens a tunnel and makes no request.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        (is_token(name) && name != "CONNECT").then(|| Self(name.to_owned()))
    }

    /// The token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Method {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

/// Whether `text` is a token of RFC 9110, section 5.6.2: what methods and header names are made of.
pub(crate) fn is_token(text: &str) -> bool {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !text.is_empty() && text.bytes().all(token)
}

impl Notation for Method {
    const EXPECTED: &'static str = "an HTTP method such as GET";

    fn read(text: &str) -> Result<Self, Mismatch> {
        const KNOWN: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"];
        match KNOWN
            .iter()
            .find(|known| known.eq_ignore_ascii_case(text) && **known != text)
        {
            Some(known) => {
                Err(Self::mismatch(text).hint(format!("did you mean `{known}`? methods are case-sensitive")))
            }
            None => Self::new(text).ok_or_else(|| Self::mismatch(text)),
        }
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "examples": ["GET", "POST", "PUT"] })
    }
}

/// What makes a response correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    /// Accepted status codes as inclusive ranges; default 200 to 399.
    pub status: Vec<(u16, u16)>,
}

impl Default for Expect {
    fn default() -> Self {
        Self {
            status: vec![(200, 399)],
        }
    }
}

impl Expect {
    /// Whether `status` is among the accepted ones.
    #[must_use]
    pub fn accepts(&self, status: u16) -> bool {
        self.status.iter().any(|&(low, high)| (low..=high).contains(&status))
    }
}

/// An inclusive range of status codes: `200`, `2xx` or `200-299`.
#[derive(Debug)]
pub(crate) struct StatusRange(pub(crate) u16, pub(crate) u16);

impl StatusRange {
    pub(crate) fn text(&(low, high): &(u16, u16)) -> String {
        if low == high {
            low.to_string()
        } else if low % 100 == 0 && high == low + 99 {
            format!("{}xx", low / 100)
        } else {
            format!("{low}-{high}")
        }
    }
}

impl Notation for StatusRange {
    const EXPECTED: &'static str = "a status such as 200, 2xx or 200-299";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let code = |text: &str| -> Result<u16, Mismatch> {
            let code = text.trim().parse().map_err(|_| Self::mismatch(text))?;
            if (100..=599).contains(&code) {
                Ok(code)
            } else {
                Err(Mismatch::new(quoted(text), "a status from 100 to 599"))
            }
        };
        if let Some(class) = text.strip_suffix("xx") {
            let low = code(&format!("{class}00")).map_err(|_| Self::mismatch(text))?;
            return Ok(Self(low, low + 99));
        }
        let (low, high) = match text.split_once('-') {
            Some((low, high)) => (code(low)?, code(high)?),
            None => (code(text)?, code(text)?),
        };
        if low > high {
            return Err(Mismatch::new(quoted(text), "the lower status first"));
        }
        Ok(Self(low, high))
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "pattern": "^[1-5]([0-9][0-9](-[1-5][0-9][0-9])?|xx)$",
            "minimum": 100,
            "maximum": 599,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_ranges_read_back_as_they_are_written() {
        for (text, range) in [
            ("200", (200, 200)),
            ("2xx", (200, 299)),
            ("200-399", (200, 399)),
            ("5xx", (500, 599)),
        ] {
            let read = StatusRange::read(text).unwrap();
            assert_eq!((read.0, read.1), range);
            assert_eq!(StatusRange::text(&range), text);
        }
        for text in ["", "20", "6xx", "xx", "22xx", "600", "299-200", "ok", "200-"] {
            assert!(StatusRange::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn methods_are_tokens() {
        assert_eq!(
            Method::read("PURGE").map(|method| method.as_str().to_owned()),
            Ok("PURGE".to_owned())
        );
        for text in ["", "GET /", "get", "CONNECT", "GÉT"] {
            assert!(Method::read(text).is_err(), "{text}");
        }
    }
}
