//! The journeys of a scenario, laid out so that a user needs no more than a place in one.

use super::feeds::Feeds;
use super::response::{Asked, Fault, Received};
use super::session::{Next, Session};
use super::way::Way;
use plimsoll_measure::ErrorClass;
use plimsoll_plan::{ActionRequest, Journey, OnFailure, Piece, Request, Scenario, Template, Values};
use plimsoll_schedule::{AgentShare, Mix};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// What users do.
#[derive(Debug)]
pub(crate) struct Program {
    journeys: Vec<Way>,
    /// By the place of the request in the scenario.
    sendings: Vec<Sending>,
    variables: Vec<Values>,
    /// What gives out rows of tables.
    feeds: Feeds,
    /// The tables that each journey uses, in order.
    tables: Vec<Vec<usize>>,
    /// Stands for the cookies of a user, as if it were a variable of the scenario.
    cookie_variable: usize,
    /// Which journey the next user takes.
    mix: Mix,
    /// Whether something in a journey is done once.
    has_once: bool,
    /// What the first user who came to the end had kept, by the place of the variable. Who is alone is that one.
    left: OnceLock<Kept>,
}

/// Values that were taken, by the place of their variable.
pub(crate) type Kept = Vec<Option<Box<[u8]>>>;

/// What is to be known of a request besides how it is laid out.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) name: String,
    pub(crate) asked: Asked,
    /// Whether a user goes on whose response is not correct.
    pub(crate) goes_on: bool,
    /// Its variables, each where it stands.
    uses: Vec<(usize, Part)>,
}

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of the path, or its beginning.
    PathBegin,
    Path,
    Header(String),
    Body,
}

/// A value that cannot be sent where it is to stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unfit {
    pub(crate) part: Part,
}

impl Unfit {
    pub(crate) const CLASS: ErrorClass = ErrorClass::Take;

    /// What was expected, and what was found. The value is not shown: it may be a secret.
    pub(crate) fn words(&self) -> (String, String) {
        match &self.part {
            Part::PathBegin => (
                "a taken value that a path may begin with".to_owned(),
                "one that does not begin with `/`, or has characters that may not stand in a path".to_owned(),
            ),
            Part::Path => (
                "a taken value that may stand in a path".to_owned(),
                "one with a space, `#`, or characters that are not printable ASCII".to_owned(),
            ),
            Part::Header(name) => (
                format!("a taken value that may stand in the header `{name}`"),
                "one with a line break or another control character".to_owned(),
            ),
            Part::Body => (
                "a taken value that may stand in a body".to_owned(),
                "another one".to_owned(),
            ),
        }
    }
}

impl Part {
    /// Whether a value may stand there.
    fn takes(&self, value: &[u8]) -> bool {
        match self {
            Self::PathBegin => value.starts_with(b"/") && Self::Path.takes(value),
            Self::Path => value.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'#'),
            Self::Header(_) => value.iter().all(|byte| *byte == b'\t' || !byte.is_ascii_control()),
            Self::Body => true,
        }
    }
}

impl Program {
    /// The journeys of a scenario.
    pub(crate) fn of(scenario: &Scenario, cookie_variable: usize) -> Self {
        // The requests of the scenario come in the order in which they are written.
        let mut place = scenario.requests.len() as u16;
        let tables = |journey: &Journey| -> Vec<usize> {
            let places = journey.variables().into_iter().filter_map(|variable| {
                match &scenario.variables.get(variable)?.values {
                    Values::Column(column) => Some(column.table().place()),
                    _ => None,
                }
            });
            places.collect::<BTreeSet<_>>().into_iter().collect()
        };
        let tables = scenario.journeys.iter().map(tables).collect();
        let journeys = scenario.journeys.iter();
        let journeys: Vec<Way> = journeys.map(|journey| Way::of(&journey.actions, &mut place)).collect();
        let sending = |request: &Request, action: Option<&ActionRequest>| Sending {
            name: request.name.clone(),
            asked: action.map_or_else(Asked::default, |action| Asked::of(&action.takes, &action.checks)),
            goes_on: action.is_some_and(|action| action.on_failure == OnFailure::Continue),
            uses: uses(request),
        };
        let plain = scenario.requests.iter().map(|request| sending(request, None));
        let actions = scenario.action_requests().into_iter();
        let sendings = plain.chain(actions.map(|action| sending(&action.request, Some(action))));
        Self {
            sendings: sendings.collect(),
            cookie_variable,
            has_once: journeys.iter().any(|way| way.once().next().is_some()),
            journeys,
            feeds: Feeds::of(scenario),
            tables,
            left: OnceLock::new(),
            variables: scenario
                .variables
                .iter()
                .map(|variable| variable.values.clone())
                .collect(),
            mix: Mix::by_weights(
                scenario
                    .journeys
                    .iter()
                    .map(|journey| u64::from(journey.weight))
                    .collect(),
            ),
        }
    }

    /// User number `number` of the run, who belongs to the `share` of an agent, with a `seed` for what is left to chance; `None` when no row
    /// is left that the user would have.
    pub(crate) fn user(&self, number: u64, seed: u64, share: AgentShare) -> Option<Session> {
        let pick = self.mix.pick(number);
        let turns = self.feeds.turns(&self.tables[pick.request], share)?;
        Some(Session::new(pick.request, (number, pick.nth), turns, seed))
    }

    /// Whether a user who comes again has something of the journey before.
    pub(crate) fn has_once(&self) -> bool {
        self.has_once
    }

    /// Whether a user is to do on its journey what is done once.
    pub(crate) fn is_new(&self, user: &Session) -> bool {
        self.has_once && self.journeys[user.journey()].once().any(|first| !user.has_done(first))
    }

    /// A user has come to the end.
    pub(crate) fn came_to_end(&self, user: &Session) {
        if self.left.get().is_none() {
            // Somebody else may have been the first meanwhile.
            let _ = self.left.set(user.all_kept().to_vec());
        }
    }

    /// What the first user who came to the end had kept.
    pub(crate) fn left(&self) -> Option<&Kept> {
        self.left.get()
    }

    /// The request under which user number `number` is counted.
    pub(crate) fn first_of(&self, number: u64) -> u16 {
        self.journeys[self.mix.pick(number).request].first
    }

    /// Takes a user on to what comes next, at `now_ns`, which is `unix_ns` since 1970.
    pub(crate) fn next(&self, user: &mut Session, now_ns: u64, unix_ns: u64) -> Next {
        user.came_here(unix_ns);
        user.next(&self.journeys[user.journey()], &self.variables, now_ns)
    }

    /// The request under which a user is counted.
    pub(crate) fn first(&self, user: &Session) -> u16 {
        self.journeys[user.journey()].first
    }

    pub(crate) fn sending(&self, request: u16) -> &Sending {
        &self.sendings[usize::from(request)]
    }

    /// Checks the response to a request, and has a user keep what is taken from it.
    ///
    /// # Errors
    /// Why it is not correct.
    pub(crate) fn take(&self, request: u16, received: &Received<'_>, user: &mut Session) -> Result<(), Fault> {
        received.take(&self.sending(request).asked, &self.variables, user)
    }

    /// Buffers for the values of a request: those of the variables, and those that requests need besides.
    pub(crate) fn buffers(&self) -> Vec<Vec<u8>> {
        vec![Vec::new(); self.cookie_variable + 1]
    }

    /// Fills in the values of a request for a user, each in the buffer of its variable.
    ///
    /// # Errors
    /// When one of them cannot be sent where it is to stand.
    pub(crate) fn fill(&self, request: u16, user: &Session, values: &mut [Vec<u8>]) -> Result<(), Unfit> {
        for (variable, part) in &self.sending(request).uses {
            let buffer = &mut values[*variable];
            buffer.clear();
            user.append(*variable, &self.variables, buffer);
            if !part.takes(buffer) {
                return Err(Unfit { part: part.clone() });
            }
        }
        let cookies = &mut values[self.cookie_variable];
        cookies.clear();
        user.cookies.append(cookies);
        Ok(())
    }
}

/// The variables of a request, each where it stands.
fn uses(request: &Request) -> Vec<(usize, Part)> {
    let of = |template: &Template, part: &Part| {
        let variables = template.reveal().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(variable),
            Piece::Literal(_) => None,
        });
        variables.map(|variable| (variable, part.clone())).collect::<Vec<_>>()
    };
    let mut uses = of(&request.path, &Part::Path);
    if let (Some(Piece::Variable(_)), Some((_, part))) = (request.path.reveal().next(), uses.first_mut()) {
        *part = Part::PathBegin;
    }
    for (name, value) in &request.headers {
        uses.extend(of(value, &Part::Header(name.clone())));
    }
    uses.extend(of(&request.body, &Part::Body));
    uses
}
