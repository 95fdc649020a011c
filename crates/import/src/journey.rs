//! What another tool's plan says a client does, whatever the tool: sequences of requests with pauses, what is taken from a
//! response, and what is checked.

use crate::holds::Holds;
use crate::left_out::{LeftOut, Place};
use crate::made::{Functions, MadeVariable};
use crate::text::{Text, Values};
use plimsoll_plan::Pause;
use std::time::Duration;

/// All of a file that may become a plan.
#[derive(Debug, Default, Clone)]
pub(crate) struct Journeys {
    /// What the file calls itself.
    pub(crate) name: Option<String>,
    pub(crate) sequences: Vec<Sequence>,
    /// Variables with one value.
    pub(crate) values: Values,
    /// Variables whose values are taken in turn.
    pub(crate) lists: Vec<(String, Vec<String>)>,
    /// How it names parts of what clients take.
    pub(crate) members: Members,
    /// The functions that make values, by their calls in braces.
    pub(crate) functions: Option<Functions>,
    /// Variables whose values are made.
    pub(crate) made: Vec<MadeVariable>,
    pub(crate) load: Option<Load>,
    /// As a plan has them.
    pub(crate) objectives: Vec<String>,
    /// The certificate of the service is not verified.
    pub(crate) insecure: bool,
    /// The order of requests is meant: a client does them one after the other.
    pub(crate) is_ordered: bool,
    /// Where a client that keeps cookies is written.
    pub(crate) cookies: Option<Place>,
    /// Most redirects that requests follow.
    pub(crate) redirects: u32,
    pub(crate) left_out: Vec<LeftOut>,
}

/// How a file names parts of what clients have taken.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Members {
    /// Not at all.
    #[default]
    None,
    /// As JavaScript does: `user.id`, `ids[0]`.
    Paths,
    /// Of several matches by the number of one, from 1: `ids_1`.
    Numbers,
}

impl Journeys {
    pub(crate) fn leave_out(&mut self, place: &Place, what: impl Into<String>, why: impl Into<String>) {
        self.left_out.push(LeftOut::new(place, what, why));
    }

    /// A variable whose values are taken in turn; none where they are not known yet.
    pub(crate) fn add_list(&mut self, name: &str, values: Vec<String>) {
        if !self.lists.iter().any(|(known, _)| known == name) {
            self.lists.push((name.to_owned(), values));
        }
    }

    /// A request that is sent by itself.
    pub(crate) fn push_alone(&mut self, request: Request) {
        self.sequences.push(Sequence {
            name: request.name.clone().unwrap_or_default(),
            place: request.place.clone(),
            when: When::Load,
            weight: 1.0,
            steps: vec![Step::Request(Box::new(request))],
        });
    }
}

/// What one client does, in order.
#[derive(Debug, Clone)]
pub(crate) struct Sequence {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) when: When,
    /// How often it is done beside the others.
    pub(crate) weight: f64,
    pub(crate) steps: Vec<Step>,
}

/// When a sequence is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Once, ahead of the load.
    Before,
    Load,
    /// Once, when the load is over.
    After,
}

/// A step of a sequence.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Request(Box<Request>),
    /// Nothing is sent for so long.
    Pause(Place, Pause),
    /// Steps that are done several times.
    Repeat(f64, Vec<Step>),
    /// Steps that are done in rounds which have something of their own, or an end that a user sees.
    Rounds(Box<Rounds>, Vec<Step>),
    /// One of these is done. There are at least two.
    OneOf(Choice, Vec<Vec<Step>>),
    /// Steps that are done on a condition.
    When(Condition, Vec<Step>),
    /// Steps that a client does the first time alone, with what the file calls them.
    Once(Place, String, Vec<Step>),
}

/// Which one of several is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Any, each as likely.
    ByChance,
    /// The next one for each client, from the first to the last and then again.
    InTurn,
}

impl Choice {
    /// What stands for the number by which one of `count` branches is taken.
    pub(crate) fn key(self, count: usize) -> String {
        match self {
            Self::ByChance => format!("one of {count}"),
            Self::InTurn => format!("turn of {count}"),
        }
    }
}

impl Step {
    /// The steps that are in it, by branches.
    pub(crate) fn inner(&self) -> &[Vec<Step>] {
        match self {
            Self::Request(_) | Self::Pause(..) => &[],
            Self::Repeat(_, steps) | Self::Rounds(_, steps) | Self::When(_, steps) | Self::Once(_, _, steps) => {
                std::slice::from_ref(steps)
            }
            Self::OneOf(_, branches) => branches,
        }
    }

    pub(crate) fn inner_mut(&mut self) -> &mut [Vec<Step>] {
        match self {
            Self::Request(_) | Self::Pause(..) => &mut [],
            Self::Repeat(_, steps) | Self::Rounds(_, steps) | Self::When(_, steps) | Self::Once(_, _, steps) => {
                std::slice::from_mut(steps)
            }
            Self::OneOf(_, branches) => branches,
        }
    }
}

/// How often steps are done.
#[derive(Debug, Clone)]
pub(crate) struct Rounds {
    pub(crate) place: Place,
    /// What the file calls them.
    pub(crate) what: String,
    pub(crate) by: RoundsBy,
    /// The variable that has the number of the round, and the number of the first.
    pub(crate) count: Option<(String, u64)>,
}

impl Rounds {
    /// Variables that have another value in each.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let each = match &self.by {
            RoundsBy::Each { variable, .. } => Some(variable.as_str()),
            RoundsBy::Times(_) | RoundsBy::While(_) | RoundsBy::Until(_) => None,
        };
        let count = self.count.as_ref().map(|(name, _)| name.as_str());
        each.into_iter().chain(count)
    }

    /// The same, to be changed.
    pub(crate) fn variables_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let each = match &mut self.by {
            RoundsBy::Each { variable, .. } => Some(variable),
            RoundsBy::Times(_) | RoundsBy::While(_) | RoundsBy::Until(_) => None,
        };
        each.into_iter().chain(self.count.as_mut().map(|(name, _)| name))
    }

    pub(crate) fn condition_mut(&mut self) -> Option<&mut Condition> {
        match &mut self.by {
            RoundsBy::While(condition) | RoundsBy::Until(condition) => Some(condition),
            RoundsBy::Times(_) | RoundsBy::Each { .. } => None,
        }
    }
}

/// What there are rounds for.
#[derive(Debug, Clone)]
pub(crate) enum RoundsBy {
    Times(u32),
    /// Each value of a list, which the variable has in that round; the first so many of them where that is said.
    Each {
        variable: String,
        list: List,
        most: Option<u32>,
    },
    /// As long as the condition holds when one is to begin.
    While(Condition),
    /// Until it holds when one is over.
    Until(Condition),
}

/// A list, as a file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum List {
    /// What users take by this name; else the values of the variable.
    Named(String),
    /// What users take by this name; else the variables of this name with a number behind the second text, from 1.
    Numbered(String, &'static str),
    Values(Vec<String>),
}

/// What steps are done on.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) place: Place,
    /// What the file calls it.
    pub(crate) what: String,
    pub(crate) holds: Holds,
}

/// A request, as it is written in the file.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) place: Place,
    pub(crate) name: Option<String>,
    pub(crate) method: String,
    /// With scheme and host.
    pub(crate) url: Text,
    pub(crate) headers: Vec<(String, Text)>,
    pub(crate) body: Body,
    pub(crate) authorization: Option<Authorization>,
    pub(crate) key: Option<Key>,
    /// Statuses that are a success, as a plan has them; none is what plans expect by default.
    pub(crate) statuses: Vec<String>,
    /// Variables that get a value from the response, with the place where that is written.
    pub(crate) takes: Vec<Take>,
    /// What makes the response correct besides its status.
    pub(crate) checks: Vec<Check>,
}

impl Request {
    pub(crate) fn new(place: Place, method: impl Into<String>, url: Text) -> Self {
        Self {
            place,
            name: None,
            method: method.into(),
            url,
            headers: Vec::new(),
            body: Body::None,
            authorization: None,
            key: None,
            statuses: Vec::new(),
            takes: Vec::new(),
            checks: Vec::new(),
        }
    }

    pub(crate) fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    pub(crate) fn remove_header(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }

    /// Adds a header that the request does not have yet.
    pub(crate) fn default_header(&mut self, name: &str, value: impl Into<Text>) {
        if !self.has_header(name) {
            self.headers.push((name.to_owned(), value.into()));
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::literal(text)
    }
}

/// What a request carries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Body {
    #[default]
    None,
    Text(Text),
    /// A file beside the file, sent as it is.
    File(String),
}

/// Credentials that a file has apart from headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Authorization {
    Basic { user: Text, password: Text },
    Bearer(Text),
}

/// A key that a file calls one, whatever its name sounds like. It becomes a header or a part of the query when its value is hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: Text,
    pub(crate) value: Text,
    pub(crate) is_in_query: bool,
}

/// A variable that gets its value from a response.
#[derive(Debug, Clone)]
pub(crate) struct Take {
    pub(crate) place: Place,
    pub(crate) variable: String,
    pub(crate) from: TakeFrom,
    /// Whether all that is found there is taken, as a list.
    pub(crate) all: bool,
}

/// What makes a response correct, with the place where that is written.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) place: Place,
    /// As the file calls it.
    pub(crate) what: String,
    pub(crate) of: CheckOf,
}

/// What is looked at in a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckOf {
    /// The value at this path of a JSON body.
    Json(String, Expected),
    /// The value of the header of this name.
    Header(String, Expected),
    /// The body contains this text.
    Body(Text),
    /// The body does not contain this text.
    Lacks(Text),
    /// The body has a match of this expression.
    Matches(String),
    /// The response comes within this time.
    Time(Duration),
    /// The body has so many bytes, at least and at most.
    Size(Option<u64>, Option<u64>),
}

impl CheckOf {
    /// The text that it is about, if it is about one.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Json(_, Expected::Is(text) | Expected::IsNot(text))
            | Self::Header(_, Expected::Is(text) | Expected::IsNot(text))
            | Self::Body(text)
            | Self::Lacks(text) => Some(text),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn text_mut(&mut self) -> Option<&mut Text> {
        match self {
            Self::Json(_, Expected::Is(text) | Expected::IsNot(text))
            | Self::Header(_, Expected::Is(text) | Expected::IsNot(text))
            | Self::Body(text)
            | Self::Lacks(text) => Some(text),
            _ => None,
        }
    }
}

/// What a value is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// There, whatever it is.
    Any,
    Is(Text),
    IsNot(Text),
}

/// Where in a response a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TakeFrom {
    /// At this path of a JSON body.
    Json(String),
    Header(String),
    /// In the body, between two texts.
    Between(String, String),
    /// In the body, in this group of an expression; 0 is all of the match.
    Regex(String, u32),
    /// By something that plans do not have, such as an expression.
    Other,
}

impl TakeFrom {
    /// `body.items[0].id` of a script as a path.
    pub(crate) fn json_of_script(expression: &str) -> Self {
        let fits = |c: char| c.is_alphanumeric() || "_.[]'\"".contains(c);
        let end = expression.find(|c| !fits(c)).unwrap_or(expression.len());
        let path = expression[..end].replace('"', "'");
        match path.is_empty() || path.starts_with('.') || path.starts_with('[') {
            true => Self::Json(format!("${path}")),
            false => Self::Json(format!("$.{path}")),
        }
    }
}

/// When a file says that clients come.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Load {
    /// Clients arrive, whatever others do; each does one sequence.
    Arrivals(Vec<Phase>),
    /// Clients who come and go, so many at a time, each of which does its sequence again and again.
    Staged(Vec<Phase>),
    /// So many clients, each of which does its sequence again and again.
    Clients {
        clients: u32,
        /// They begin one after the other, evenly over this time.
        ramp: Duration,
        duration: Option<Duration>,
        /// Sequences of all clients together.
        sequences: Option<u64>,
    },
}

/// A stretch of time in which arrivals per second, or clients at a time, move evenly from one number to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Phase {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) duration: Duration,
}
