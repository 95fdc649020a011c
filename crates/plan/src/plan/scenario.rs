//! What is sent.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::auth::Auth;
use crate::plan::flaw::Flaw;
use crate::plan::grpc::Grpc;
use crate::plan::masks::{masked_path, masked_url_path};
use crate::plan::target::Target;
use crate::plan::template::{Span, Template};
use crate::secrets::{REDACTED, Secret, is_harmless_header};
use schemars::{Schema, json_schema};

/// How many requests of a scenario have metrics of their own; from there on they share those of the last place.
pub const REQUESTS_APART_MAX: usize = 64;

/// The requests of a run and the variables they draw from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// At least one.
    pub requests: Vec<Request>,
    /// Named sources of values for `${name}` in templates.
    pub variables: Vec<Variable>,
}

impl Scenario {
    /// Makes every path complete, every request named, and headers of one name adjacent. A scenario without requests
    /// and variables becomes a GET of the target's URL. Each request is authorized as the target says, unless it is already.
    pub(crate) fn complete(&mut self, target: &mut Target) -> Result<(), Flaw> {
        let url = &mut target.url;
        if self.requests.is_empty() && self.variables.is_empty() {
            self.requests.push(Request::get(Template::default()));
        }
        let base = std::mem::replace(&mut url.path, Secret::from("/"));
        if let Some(user) = url.user.take() {
            if target.auth.is_some() {
                let mismatch = Mismatch::new("`auth`, and a user in the URL", "one of them");
                return Err(Flaw {
                    key: "target.auth".to_owned(),
                    mismatch,
                });
            }
            target.auth = Some(Auth::basic(user.reveal()));
        }
        let authorization = target.auth.as_ref().map(|auth| Template::literal(auth.header()));
        let names: Vec<&str> = self.variables.iter().map(|variable| variable.name.as_str()).collect();
        for request in &mut self.requests {
            request.path = if request.path.is_empty() {
                template_of(&base, base.reveal())
            } else if base.reveal().contains('?') {
                let found = format!("the query of {}", quoted(&masked_url_path(&base)));
                let mismatch = Mismatch::new(found, "a URL without a query when requests have paths of their own");
                return Err(Flaw {
                    key: "target.url".to_owned(),
                    mismatch,
                });
            } else {
                let mut path = template_of(&base, base.reveal().trim_end_matches('/'));
                path.append(&request.path);
                path
            };
            if let Some(authorization) = &authorization
                && !request.headers.iter().any(|(name, _)| is_authorization(name))
            {
                request.headers.push((AUTHORIZATION.to_owned(), authorization.clone()));
            }
            request.gather_headers();
        }
        for index in 0..self.requests.len() {
            if self.requests[index].name.is_empty() {
                self.requests[index].name = self.name_of(index, &names);
            }
        }
        Ok(())
    }

    /// Takes out of the requests what [`complete`](Self::complete) put in because of `auth`.
    pub(crate) fn forget(&mut self, auth: &Auth) {
        let value = Template::literal(auth.header());
        for request in &mut self.requests {
            request
                .headers
                .retain(|(name, found)| !is_authorization(name) || *found != value);
        }
    }

    /// Method and path of a request as they are shown, with a number where requests before it that are not the same are
    /// shown alike.
    fn name_of(&self, index: usize, names: &[&str]) -> String {
        let request = &self.requests[index];
        let path = masked_path(&request.path).to_text(names).unwrap_or_default();
        let name = format!("{} {path}", request.method.as_str());
        let taken = |name: &str| self.requests.iter().any(|other| other.name == name);
        let same = |other: &Request| other.method == request.method && other.path == request.path;
        if !taken(&name) || self.requests[..index].iter().any(same) {
            return name;
        }
        let mut numbered = (2..).map(|number| format!("{name} #{number}"));
        numbered.find(|name| !taken(name)).unwrap_or(name)
    }

    /// Which variables stand where nothing may be shown, or what is shown says nothing of them: everywhere but in paths
    /// before the query, and in harmless headers.
    pub(crate) fn hidden_variables(&self) -> Vec<bool> {
        let mut hidden = vec![false; self.variables.len()];
        let mut hide = |index: usize| {
            if let Some(hidden) = hidden.get_mut(index) {
                *hidden = true;
            }
        };
        for request in &self.requests {
            request.body.variables().for_each(&mut hide);
            let texts = request.grpc.iter().flat_map(|grpc| &grpc.texts);
            texts.flat_map(Template::variables).for_each(&mut hide);
            let headers = request.headers.iter().filter(|(name, _)| !is_harmless_header(name));
            headers.for_each(|(_, value)| value.variables().for_each(&mut hide));
            let in_query = request.path.spans.iter().skip_while(|span| match span {
                Span::Literal(bytes) | Span::Sealed(bytes) => !bytes.contains(&b'?') && !bytes.contains(&b';'),
                Span::Variable(_) => true,
            });
            for span in in_query {
                if let Span::Variable(index) = span {
                    hide(*index);
                }
            }
        }
        hidden
    }
}

const AUTHORIZATION: &str = "authorization";

fn is_authorization(name: &str) -> bool {
    name.eq_ignore_ascii_case(AUTHORIZATION)
}

fn template_of(secret: &Secret, text: &str) -> Template {
    let mut template = Template::default();
    if secret.is_sealed() {
        // A path begins with a slash, whatever it is.
        let (first, rest) = text.split_at(text.len().min(1));
        template.push_literal(first.as_bytes());
        template.push_sealed(rest.as_bytes());
    } else {
        template.push_literal(text.as_bytes());
    }
    template
}

impl Variable {
    /// Its values as they are shown: a range that is hidden, and every list, as the placeholder.
    pub(crate) fn shown(&self, hidden: bool) -> Values {
        match &self.values {
            Values::Range { from, to } if !hidden => Values::Range { from: *from, to: *to },
            Values::Range { .. } | Values::List(_) => Values::List(vec![Secret::from(REDACTED)]),
        }
    }
}

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
}

impl Request {
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
        }
    }

    /// Moves each header to the first of its name, whose spelling it takes.
    fn gather_headers(&mut self) {
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

/// A named source of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// As written in `${name}`.
    pub name: String,
    /// Where its values come from. Each request draws once per variable, in turn.
    pub values: Values,
}

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// `from` to `to`, both included, then again.
    Range {
        /// First value.
        from: u64,
        /// Last value.
        to: u64,
    },
    /// These texts in turn, then again. At least one.
    List(Vec<Secret>),
}

impl Values {
    /// How many there are; `u64::MAX` also stands for the one range that is longer by one.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Range { from, to } => to.saturating_sub(*from).saturating_add(1),
            Self::List(texts) => texts.len() as u64,
        }
    }

    /// Appends the value of this index, from 0, to `out`. An index beyond the last appends nothing.
    pub fn append(&self, index: u64, out: &mut Vec<u8>) {
        match self {
            Self::Range { from, .. } => {
                let mut digits = [0; 20];
                let mut value = from.saturating_add(index);
                let mut begin = digits.len();
                loop {
                    begin -= 1;
                    digits[begin] = b'0' + (value % 10) as u8;
                    value /= 10;
                    if value == 0 {
                        break;
                    }
                }
                out.extend_from_slice(&digits[begin..]);
            }
            Self::List(texts) => {
                let text = usize::try_from(index).ok().and_then(|index| texts.get(index));
                out.extend_from_slice(text.map_or(b"", |text| text.reveal().as_bytes()));
            }
        }
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
    fn values_are_appended_by_index() {
        let text = |values: &Values, index| {
            let mut out = b"x".to_vec();
            values.append(index, &mut out);
            String::from_utf8(out).unwrap()
        };
        let range = Values::Range { from: 9, to: 11 };
        assert_eq!(range.count(), 3);
        assert_eq!([text(&range, 0), text(&range, 1)], ["x9", "x10"]);
        assert_eq!(
            text(
                &Values::Range {
                    from: u64::MAX,
                    to: u64::MAX
                },
                0
            ),
            "x18446744073709551615"
        );
        assert_eq!(text(&Values::Range { from: 0, to: 5 }, 0), "x0");
        assert_eq!(text(&Values::List(vec!["a".into(), "b".into()]), 1), "xb");
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
