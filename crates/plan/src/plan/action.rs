//! What connections do while they are held. A list of actions is done in order; each is a mapping with one key, which names it.

use crate::notation::units::Rate;
use crate::plan::hold::HoldLoad;
use crate::plan::load::{Arrivals, OpenLoad};
use crate::plan::request::Request;
use crate::plan::url::Url;
use crate::plan::variable::{Values, Variable};
use std::time::Duration;

/// What a connection does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sends a request and takes its response.
    Request(Box<ActionRequest>),
    /// Does actions again and again.
    Repeat(Repeat),
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
        Action::Request(request) => vec![&**request],
        Action::Repeat(repeat) => requests(&repeat.actions),
    });
    each.flatten().collect()
}

/// The same, to be changed.
pub(crate) fn requests_mut(actions: &mut [Action]) -> Vec<&mut ActionRequest> {
    let each = actions.iter_mut().map(|action| match action {
        Action::Request(request) => vec![&mut **request],
        Action::Repeat(repeat) => requests_mut(&mut repeat.actions),
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
