//! What connections do while they are held, and users on a journey. A list of actions is done in order; each is a mapping with one key,
//! which names it.

use crate::notation::mismatch::Mismatch;
use crate::notation::units::{Rate, Share};
use crate::notation::{Notation, keyword};
use crate::plan::condition::Condition;
use crate::plan::hold::HoldLoad;
use crate::plan::load::{Arrivals, OpenLoad};
use crate::plan::request::Request;
use crate::plan::take::{Check, Take};
use crate::plan::template::{Piece, Template};
use crate::plan::url::Url;
use crate::plan::variable::{Values, Variable};
use schemars::{Schema, json_schema};
use std::time::Duration;

/// What a connection or a user does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sends a request and takes its response.
    Request(Box<ActionRequest>),
    /// Sends a message on the held connection. Of the request it has the name and the body.
    Send(Box<ActionRequest>),
    /// Does nothing for a while.
    Pause(Pause),
    /// Gives values of its own to what it keeps.
    Set(Vec<Set>),
    /// Does actions again and again, for as long as the connection is held.
    Repeat(Repeat),
    /// Does actions a number of times, or until something is so.
    Rounds(Rounds),
    /// Does actions or leaves them out, by chance.
    Chance(Chance),
    /// Does actions where something is so.
    When(When),
    /// Does actions on its first journey alone. At the top of a journey.
    Once(Vec<Action>),
}

impl Action {
    /// The key that names it.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Request(_) => "request",
            Self::Send(_) => "send",
            Self::Pause(_) => "pause",
            Self::Set(_) => "set",
            Self::Repeat(_) | Self::Rounds(_) => "repeat",
            Self::Chance(_) => "chance",
            Self::When(_) => "when",
            Self::Once(_) => "once",
        }
    }

    /// The actions in it.
    pub(crate) fn inner(&self) -> &[Action] {
        match self {
            Self::Request(_) | Self::Send(_) | Self::Pause(_) | Self::Set(_) => &[],
            Self::Repeat(repeat) => &repeat.actions,
            Self::Rounds(rounds) => &rounds.actions,
            Self::Chance(chance) => &chance.actions,
            Self::When(when) => &when.actions,
            Self::Once(actions) => actions,
        }
    }

    fn inner_mut(&mut self) -> &mut [Action] {
        match self {
            Self::Request(_) | Self::Send(_) | Self::Pause(_) | Self::Set(_) => &mut [],
            Self::Repeat(repeat) => &mut repeat.actions,
            Self::Rounds(rounds) => &mut rounds.actions,
            Self::Chance(chance) => &mut chance.actions,
            Self::When(when) => &mut when.actions,
            Self::Once(actions) => actions,
        }
    }
}

/// A time in which a user does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Always the same, or each time another one between two that are equally likely.
    Between {
        /// The shortest.
        from: Duration,
        /// The longest, included.
        to: Duration,
    },
    /// Exponentially distributed: many short ones and a few long ones, none above [`Pause::LONGEST_OF_MEAN`] times the mean.
    Exponential {
        /// On average.
        mean: Duration,
    },
    /// Normally distributed; none is shorter than nothing.
    Normal {
        /// On average.
        mean: Duration,
        /// Two in three are no further from the mean.
        deviation: Duration,
    },
}

impl Pause {
    /// How many times its mean an exponentially distributed pause lasts at most. One in 22,000 would be longer.
    pub const LONGEST_OF_MEAN: u32 = 10;

    /// What it takes on average.
    #[must_use]
    pub fn mean(self) -> Duration {
        match self {
            Self::Between { from, to } => from.saturating_add(to) / 2,
            Self::Exponential { mean } | Self::Normal { mean, .. } => mean,
        }
    }

    /// What bounds it as it is written: the longest, or the mean.
    #[must_use]
    pub const fn longest(self) -> Duration {
        match self {
            Self::Between { to, .. } => to,
            Self::Exponential { mean } | Self::Normal { mean, .. } => mean,
        }
    }

    /// Always as long.
    #[must_use]
    pub const fn always(lasts: Duration) -> Self {
        Self::Between { from: lasts, to: lasts }
    }
}

/// A value that a user gives to what is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Set {
    /// Index into [`Scenario::variables`](crate::Scenario::variables), as of what is [taken](crate::Take).
    pub variable: usize,
    /// The value.
    pub value: Template,
}

/// Actions that a user does in rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounds {
    /// How many there are at most; at least one.
    pub most: u32,
    /// What there are rounds for, where not only their number says so.
    pub by: RoundsBy,
    /// What has the number of the round.
    pub count: Option<Count>,
    /// From the beginning of one to that of the next; zero is at once.
    pub every: Duration,
    /// In order.
    pub actions: Vec<Action>,
}

impl Rounds {
    /// Most rounds of one `repeat`.
    pub const MOST: u32 = 10_000;

    /// How many there are, where that does not depend on responses.
    pub(crate) fn known(&self) -> Option<u32> {
        match &self.by {
            RoundsBy::Times => Some(self.most),
            RoundsBy::Each(Each {
                of: EachOf::Values(values),
                ..
            }) => Some(self.most.min(values.len() as u32)),
            RoundsBy::Until(_) | RoundsBy::While(_) | RoundsBy::Each(_) => None,
        }
    }

    /// Whether each user does at least one.
    pub(crate) fn is_done_once(&self) -> bool {
        match &self.by {
            RoundsBy::Times | RoundsBy::Until(_) => true,
            RoundsBy::While(_) => false,
            RoundsBy::Each(each) => matches!(each.of, EachOf::Values(_)),
        }
    }
}

/// What there are rounds for.
#[derive(Debug, Clone, PartialEq)]
pub enum RoundsBy {
    /// As many as there are to be.
    Times,
    /// Until something is so when one is over.
    Until(Condition),
    /// While something is so when one is to begin.
    While(Condition),
    /// One for each value of a list.
    Each(Each),
}

/// A list, and what has its values one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Each {
    /// Index into [`Scenario::variables`](crate::Scenario::variables), as of what is [taken](crate::Take).
    pub variable: usize,
    /// The list.
    pub of: EachOf,
}

/// A list of values.
#[derive(Debug, Clone, PartialEq)]
pub enum EachOf {
    /// The variable of this index, which is a list in JSON.
    Variable(usize),
    /// These, at least one.
    Values(Vec<Template>),
}

/// What has the number of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Index into [`Scenario::variables`](crate::Scenario::variables), as of what is [taken](crate::Take).
    pub variable: usize,
    /// The number of the first round.
    pub from: u64,
}

/// Actions that a user does by chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// How many of those who come to it do them.
    pub of: Share,
    /// In order.
    pub actions: Vec<Action>,
}

/// Actions that a user does where something is so.
#[derive(Debug, Clone, PartialEq)]
pub struct When {
    /// What has to be so.
    pub condition: Condition,
    /// In order.
    pub actions: Vec<Action>,
}

/// Actions that are done again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// From one time to the next.
    pub every: Duration,
    /// In order.
    pub actions: Vec<Action>,
}

impl Repeat {
    /// When the connections of a load do this, all together: each once in this time, spread evenly, from the moment at which the last
    /// connection is due. Number n is of connection n modulo the connections.
    #[must_use]
    pub fn load(&self, hold: &HoldLoad) -> OpenLoad {
        let every_ns = self.every.as_nanos().max(1);
        let micro_per_s = (u128::from(hold.connections) * 1_000_000_000_000_000 + every_ns / 2) / every_ns;
        let rate = Rate::from_micro_per_s(u64::try_from(micro_per_s).unwrap_or(u64::MAX));
        OpenLoad::constant(rate, hold.duration, Arrivals::Even)
    }
}

/// A request that is an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionRequest {
    /// Where it goes, where that is not the target. In a valid plan its path is `/`.
    pub url: Option<Url>,
    /// What is sent.
    pub request: Request,
    /// What a user keeps of the response.
    pub takes: Vec<Take>,
    /// What makes the response correct besides its status.
    pub checks: Vec<Check>,
    /// What a user does whose response is not correct.
    pub on_failure: OnFailure,
    /// How many connections the service gives the message to.
    pub receivers: Receivers,
}

/// What a user does when the response to a request has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// The journey is over.
    #[default]
    End,
    /// The next action, without what was to be taken.
    Continue,
}

impl OnFailure {
    const ALL: [(&str, Self); 2] = [("end", Self::End), ("continue", Self::Continue)];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Continue => "continue",
        }
    }
}

impl Notation for OnFailure {
    const EXPECTED: &'static str = "`end` or `continue`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &Self::ALL)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["end", "continue"] })
    }
}

/// How many of the held connections a message comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receivers {
    /// So many, at least one.
    Number(u32),
    /// Every one.
    All,
    /// Every one but that of the sender.
    Others,
    /// At least one; nobody knows how many.
    Any,
}

impl Default for Receivers {
    fn default() -> Self {
        Self::Number(1)
    }
}

impl Receivers {
    /// How many these are of so many connections; `None` where nobody knows.
    #[must_use]
    pub fn count(self, connections: u32) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number.into()),
            Self::All => Some(connections.into()),
            Self::Others => Some(connections.saturating_sub(1).into()),
            Self::Any => None,
        }
    }

    /// As in a plan.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::All => "all".to_owned(),
            Self::Others => "others".to_owned(),
            Self::Any => "any".to_owned(),
        }
    }
}

impl Notation for Receivers {
    const EXPECTED: &'static str = "a number of connections such as 1, or `all`, `others` or `any`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        Ok(match text {
            "all" => Self::All,
            "others" => Self::Others,
            "any" => Self::Any,
            _ => match text.parse() {
                Ok(number @ 1..) => Self::Number(number),
                _ => return Err(Self::mismatch(text)),
            },
        })
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "pattern": "^([1-9][0-9]*|all|others|any)$",
            "minimum": 1,
        })
    }
}

/// Name of the built-in variable that is different for each sending, so that a message is known again where it arrives.
pub(crate) const MESSAGE: &str = "message";

/// That variable.
pub(crate) fn message() -> Variable {
    Variable {
        name: MESSAGE.to_owned(),
        values: Values::Message,
    }
}

/// The requests among these actions, in the order in which they are written.
pub(crate) fn requests(actions: &[Action]) -> Vec<&ActionRequest> {
    let each = actions.iter().map(|action| match action {
        Action::Request(request) | Action::Send(request) => vec![&**request],
        other => requests(other.inner()),
    });
    each.flatten().collect()
}

/// Gives `with` every text with places for variables in these actions.
pub(crate) fn each_template(actions: &[Action], with: &mut dyn FnMut(&Template)) {
    for action in actions {
        match action {
            Action::Request(action) | Action::Send(action) => {
                let request = &action.request;
                with(&request.path);
                request.headers.iter().for_each(|(_, value)| with(value));
                with(&request.body);
                action.checks.iter().filter_map(Check::text).for_each(&mut *with);
            }
            Action::Set(sets) => sets.iter().for_each(|set| with(&set.value)),
            Action::Rounds(rounds) => match &rounds.by {
                RoundsBy::Times => {}
                RoundsBy::Until(condition) | RoundsBy::While(condition) => {
                    condition.each_template("", &mut |_, template| with(template));
                }
                RoundsBy::Each(each) => match &each.of {
                    EachOf::Variable(list) => with(&Template::of([Piece::Variable(*list)])),
                    EachOf::Values(values) => values.iter().for_each(&mut *with),
                },
            },
            Action::When(when) => when.condition.each_template("", &mut |_, template| with(template)),
            Action::Pause(_) | Action::Repeat(_) | Action::Chance(_) | Action::Once(_) => {}
        }
        each_template(action.inner(), with);
    }
}

/// The same, to be changed.
pub(crate) fn requests_mut(actions: &mut [Action]) -> Vec<&mut ActionRequest> {
    let each = actions.iter_mut().map(|action| match action {
        Action::Request(request) | Action::Send(request) => vec![&mut **request],
        other => requests_mut(other.inner_mut()),
    });
    each.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Park;

    #[test]
    fn connections_take_turns_evenly() {
        let hold = HoldLoad {
            connections: 15_000,
            pace: HoldLoad::PACE,
            duration: Duration::from_secs(30),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        };
        let repeat = Repeat {
            every: Duration::from_secs(5),
            actions: Vec::new(),
        };
        let expected = OpenLoad::constant(Rate::per_s(3000), Duration::from_secs(30), Arrivals::Even);
        assert_eq!(repeat.load(&hold), expected);
    }
}
