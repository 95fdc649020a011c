//! What is sent.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::action::{self, Action, ActionRequest, Repeat};
use crate::plan::auth::Auth;
use crate::plan::flaw::Flaw;
use crate::plan::journey::Journey;
use crate::plan::masks::{masked_path, masked_url_path};
use crate::plan::request::{Expect, Request};
use crate::plan::table::Table;
use crate::plan::target::Target;
use crate::plan::template::{Span, Template};
use crate::plan::variable::{Draw, Values, Variable};
use crate::secrets::{Secret, is_harmless_header};

/// How many requests of a scenario have metrics of their own; from there on they share those of the last place.
pub const REQUESTS_APART_MAX: usize = 64;

/// The status with which a service opens a WebSocket (RFC 6455, section 4.2.2).
const SWITCHED: (u16, u16) = (101, 101);

/// The requests of a run and the variables they draw from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// At least one, or none where there are journeys.
    pub requests: Vec<Request>,
    /// Named sources of values for `${name}` in templates.
    pub variables: Vec<Variable>,
    /// What each held connection does besides, one after the other.
    pub actions: Vec<Action>,
    /// What users do; with journeys there is nothing else that is sent but before and after.
    pub journeys: Vec<Journey>,
    /// What opens connections, where all that the load sends are messages on them.
    pub openings: Vec<Request>,
    /// What one user does before the load. What it keeps is for all.
    pub before: Vec<Action>,
    /// What one user does after the load.
    pub after: Vec<Action>,
}

impl Scenario {
    /// All requests of the load: those that are counted, and behind them those that open connections.
    pub fn all_requests(&self) -> impl Iterator<Item = &Request> {
        self.counted_requests().chain(&self.openings)
    }

    /// The requests that have metrics: those of the scenario, and behind them those that are actions.
    pub fn counted_requests(&self) -> impl Iterator<Item = &Request> {
        let actions = self.action_requests().into_iter();
        self.requests.iter().chain(actions.map(|action| &action.request))
    }

    /// The same, and behind them those before and after the load.
    pub(crate) fn written_requests(&self) -> impl Iterator<Item = &Request> {
        let actions = self.written_actions().into_iter();
        let requests = self.requests.iter().chain(actions.map(|action| &action.request));
        requests.chain(&self.openings)
    }

    pub(crate) fn written_requests_mut(&mut self) -> impl Iterator<Item = &mut Request> {
        let actions = action_requests_mut(&mut self.actions, &mut self.journeys);
        let around = requests_around_mut(&mut self.before, &mut self.after);
        self.requests
            .iter_mut()
            .chain(actions.chain(around).map(|action| &mut action.request))
            .chain(&mut self.openings)
    }

    /// Sends `text` on WebSockets, in which `${message}` is the mark; what was sent before opens them.
    ///
    /// # Errors
    /// When the text has no `${message}`, or something else that is no variable.
    pub fn say(&mut self, text: &str) -> Result<(), Mismatch> {
        let mark = self.mark();
        let names: Vec<&str> = self.variables.iter().map(|variable| variable.name.as_str()).collect();
        let message = Request::message(Template::parse(text, &names)?);
        if !message.needs(mark) {
            return Err(unmarked());
        }
        let before = std::mem::replace(&mut self.requests, vec![message]);
        if self.openings.is_empty() {
            self.openings = before;
        }
        Ok(())
    }

    /// The variable that marks messages, which is there from now on.
    fn mark(&mut self) -> usize {
        let known = self
            .variables
            .iter()
            .position(|variable| variable.values == Values::Message);
        known.unwrap_or_else(|| {
            self.variables.push(action::message());
            self.variables.len() - 1
        })
    }

    /// The requests that are actions, and behind them those before and after the load.
    pub(crate) fn written_actions(&self) -> Vec<&ActionRequest> {
        let around = [&self.before, &self.after].into_iter();
        let around = around.flat_map(|actions| action::requests(actions));
        self.action_requests().into_iter().chain(around).collect()
    }

    /// The requests that are actions, those of the journeys one journey after the other.
    #[must_use]
    pub fn action_requests(&self) -> Vec<&ActionRequest> {
        let journeys = self.journeys.iter().map(|journey| &journey.actions);
        let each = std::iter::once(&self.actions).chain(journeys);
        each.flat_map(|actions| action::requests(actions)).collect()
    }

    /// The place of the first request of the journey with this name, under which its users are counted.
    #[must_use]
    pub fn place_of_journey(&self, name: &str) -> Option<usize> {
        let before = self.journeys.iter().take_while(|journey| journey.name != name);
        let first = self.requests.len() + before.map(|journey| journey.requests().len()).sum::<usize>();
        self.journeys
            .iter()
            .any(|journey| journey.name == name)
            .then_some(first)
    }

    /// The one request that each held connection sends again and again, and how often; `None` where they do nothing. A valid plan has
    /// no other actions.
    #[must_use]
    pub fn repeated(&self) -> Option<(&Repeat, &ActionRequest)> {
        let [Action::Repeat(repeat)] = self.actions.as_slice() else {
            return None;
        };
        match repeat.actions.as_slice() {
            [Action::Request(request) | Action::Send(request)] => Some((repeat, request)),
            _ => None,
        }
    }

    /// Whether what they send are messages on the held connections themselves, and no requests.
    #[must_use]
    pub fn sends_messages(&self) -> bool {
        match self.actions.as_slice() {
            [Action::Repeat(repeat)] => matches!(repeat.actions.as_slice(), [Action::Send(_)]),
            _ => false,
        }
    }

    /// Makes every path complete, every request named, and headers of one name adjacent. A scenario without requests
    /// and variables becomes a GET of the target's URL. Each request is authorized as the target says, unless it is already.
    pub(crate) fn complete(&mut self, target: &mut Target) -> Result<(), Flaw> {
        let url = &mut target.url;
        if self.requests.is_empty() && self.variables.is_empty() && self.journeys.is_empty() {
            self.requests.push(Request::get(Template::default()));
        }
        if self.openings.is_empty() && self.requests.iter().any(Request::is_message) {
            self.openings.push(Request::get(Template::default()));
        }
        if url.scheme.is_web_socket() {
            // What opens a WebSocket has succeeded with this status alone.
            let usual = Expect::default();
            let opens = |request: &&mut Request| !request.is_message() && request.expect == usual;
            for request in self.requests.iter_mut().chain(&mut self.openings).filter(opens) {
                request.expect.status = vec![SWITCHED];
            }
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
        let of_target = Base {
            path: base,
            authorization: target.auth.as_ref().map(|auth| Template::literal(auth.header())),
            key: "target.url",
        };
        let opening = self.requests.iter_mut().filter(|request| !request.is_message());
        for request in opening.chain(&mut self.openings) {
            of_target.complete(request)?;
        }
        let sends_messages = self.sends_messages();
        for action in action_requests_mut(&mut self.actions, &mut self.journeys) {
            if sends_messages {
                // It goes nowhere but to the other end of its connection.
                action.request.path = Template::literal("/");
                continue;
            }
            let Some(url) = &mut action.url else {
                of_target.complete(&mut action.request)?;
                continue;
            };
            let of_action = Base {
                path: std::mem::replace(&mut url.path, Secret::from("/")),
                authorization: url
                    .user
                    .take()
                    .map(|user| Template::literal(Auth::basic(user.reveal()).header())),
                key: "scenario.actions",
            };
            of_action.complete(&mut action.request)?;
        }
        for action in requests_around_mut(&mut self.before, &mut self.after) {
            of_target.complete(&mut action.request)?;
        }
        let unnamed = self
            .written_requests()
            .enumerate()
            .filter(|(_, request)| request.name.is_empty());
        for index in unnamed.map(|(index, _)| index).collect::<Vec<_>>() {
            let name = self.name_of(index);
            if let Some(request) = self.written_requests_mut().nth(index) {
                request.name = name;
            }
        }
        Ok(())
    }

    /// Takes out of the requests what [`complete`](Self::complete) put in because of `auth`.
    pub(crate) fn forget(&mut self, auth: &Auth) {
        let value = Template::literal(auth.header());
        for request in self.written_requests_mut() {
            request
                .headers
                .retain(|(name, found)| !is_authorization(name) || *found != value);
        }
    }

    /// Method and path of a request as they are shown, with a number where requests before it that are not the same are
    /// shown alike.
    fn name_of(&self, index: usize) -> String {
        let names: Vec<&str> = self.variables.iter().map(|variable| variable.name.as_str()).collect();
        let names = names.as_slice();
        let all: Vec<&Request> = self.written_requests().collect();
        let request = all[index];
        let path = masked_path(&request.path).to_text(names).unwrap_or_default();
        let name = format!("{} {path}", request.method.as_str());
        let taken = |name: &str| all.iter().any(|other| other.name == name);
        let same = |other: &&Request| other.method == request.method && other.path == request.path;
        if !taken(&name) || all[..index].iter().any(same) {
            return name;
        }
        let mut numbered = (2..).map(|number| format!("{name} #{number}"));
        numbered.find(|name| !taken(name)).unwrap_or(name)
    }

    /// Has what is shuffled and random follow from the seed of the plan: rows of tables by it alone, values each in a way of their own.
    pub(crate) fn shuffle_by(&mut self, seed: u64) {
        for (place, variable) in self.variables.iter_mut().enumerate() {
            match &mut variable.values {
                Values::Column(column) => column.table.seed = seed,
                Values::Shuffled { seed: own, .. }
                | Values::Random {
                    draw: Draw { seed: own, .. },
                    ..
                }
                | Values::Uuid(Draw { seed: own, .. })
                | Values::Text {
                    draw: Draw { seed: own, .. },
                    ..
                } => {
                    *own = seed ^ (place as u64 + 1).rotate_right(16);
                }
                Values::Range { .. } | Values::List(_) | Values::Now(_) | Values::Message | Values::Kept { .. } => {}
            }
        }
    }

    /// The tables whose rows its users, or requests, are given.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.variables.iter().filter_map(|variable| match &variable.values {
            Values::Column(column) if column.is_first() => Some(column.table()),
            _ => None,
        })
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
        for request in self.written_requests() {
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

/// The requests among actions and journeys, in the order of [`Scenario::action_requests`].
fn action_requests_mut<'a>(
    actions: &'a mut [Action],
    journeys: &'a mut [Journey],
) -> impl Iterator<Item = &'a mut ActionRequest> {
    let journeys = journeys
        .iter_mut()
        .flat_map(|journey| action::requests_mut(&mut journey.actions));
    action::requests_mut(actions).into_iter().chain(journeys)
}

/// What is wrong with a message that nobody can know again.
pub(crate) fn unmarked() -> Mismatch {
    Mismatch::new(
        "a message without `${message}`",
        "`${message}` in its text: by that a message is known again where it arrives",
    )
}

/// The requests before and after the load, in the order of [`Scenario::written_actions`].
fn requests_around_mut<'a>(
    before: &'a mut [Action],
    after: &'a mut [Action],
) -> impl Iterator<Item = &'a mut ActionRequest> {
    action::requests_mut(before)
        .into_iter()
        .chain(action::requests_mut(after))
}

/// What the URL of a service gives to the requests for it.
struct Base {
    /// In front of their paths.
    path: Secret,
    authorization: Option<Template>,
    /// Where the URL is written.
    key: &'static str,
}

impl Base {
    fn complete(&self, request: &mut Request) -> Result<(), Flaw> {
        let base = &self.path;
        request.path = if request.path.is_empty() {
            template_of(base, base.reveal())
        } else if !request.path.starts_with_literal() {
            // What a user was given, such as `location`, begins at the root.
            request.path.clone()
        } else if base.reveal().contains('?') {
            let found = format!("the query of {}", quoted(&masked_url_path(base)));
            let mismatch = Mismatch::new(found, "a URL without a query when requests have paths of their own");
            return Err(Flaw {
                key: self.key.to_owned(),
                mismatch,
            });
        } else {
            let mut path = template_of(base, base.reveal().trim_end_matches('/'));
            path.append(&request.path);
            path
        };
        if let Some(authorization) = &self.authorization
            && !request.headers.iter().any(|(name, _)| is_authorization(name))
        {
            request.headers.push((AUTHORIZATION.to_owned(), authorization.clone()));
        }
        request.gather_headers();
        Ok(())
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
