//! What is sent.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::auth::Auth;
use crate::plan::flaw::Flaw;
use crate::plan::masks::{masked_path, masked_url_path};
use crate::plan::request::Request;
use crate::plan::target::Target;
use crate::plan::template::{Span, Template};
use crate::plan::variable::Variable;
use crate::secrets::{Secret, is_harmless_header};

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
