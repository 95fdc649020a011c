//! What is sent.

/// The requests of a run and the variables they draw from.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// At least one.
    pub requests: Vec<Request>,
    /// Named sources of values for `${name}` in templates.
    pub variables: Vec<Variable>,
}

/// One kind of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Name in reports.
    pub name: String,
    /// Relative frequency among the requests of the scenario; at least 1.
    pub weight: u32,
    /// HTTP method.
    pub method: Method,
    /// Path with query, beginning with `/`.
    pub path: Template,
    /// In the order of the plan; without `host` and `content-length`, which the engine adds unless given here.
    pub headers: Vec<(String, Template)>,
    /// Empty when there is none.
    pub body: Template,
    /// What makes an answer correct.
    pub expect: Expect,
}

/// An HTTP method token, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method(pub(crate) String);

impl Method {
    /// `None` when `name` is no RFC 9110 token.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        (!name.is_empty() && name.bytes().all(token)).then(|| Self(name.to_owned()))
    }

    /// The token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text with places for variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// In order.
    pub spans: Vec<Span>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Bytes copied as they are.
    Literal(Vec<u8>),
    /// Index into [`Scenario::variables`].
    Variable(usize),
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
    List(Vec<String>),
}

/// What makes an answer correct.
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
