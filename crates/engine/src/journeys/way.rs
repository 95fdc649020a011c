//! The actions of a journey in one list, with jumps where some are left out or done again.

use plimsoll_plan::{Action, Condition, Count, Each, Pause, RoundsBy, Share};

/// The actions of a journey.
#[derive(Debug, Default)]
pub(crate) struct Way {
    pub(super) steps: Vec<Step>,
    pub(super) conditions: Vec<Condition>,
    pub(super) sets: Vec<plimsoll_plan::Set>,
    pub(super) eaches: Vec<Each>,
    pub(super) rounds: Vec<Rounds>,
    /// The request of the scenario that is written first: under it the users of the journey are counted.
    pub(super) first: u16,
}

/// One step. What it needs besides is in a list of the way, at the place that it names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Sends this request of the scenario.
    Request(u16),
    Pause(Pause),
    /// Gives a value of its own to what is kept.
    Set(usize),
    /// Goes to `to` instead of on, but for this share of users.
    Chance {
        of: Share,
        to: usize,
    },
    /// Goes to `to` unless a condition holds.
    Unless {
        condition: usize,
        to: usize,
    },
    /// The first of several rounds begins, unless there is none: then it goes to `to`.
    Begin {
        rounds: usize,
        to: usize,
    },
    /// What is done once begins, which is known by its first request; goes to `to` where it was done.
    Once {
        first: u16,
        to: usize,
    },
    /// It is over.
    Done(u16),
    /// A round is over; the next one begins at `to`.
    Again {
        rounds: usize,
        to: usize,
    },
}

/// How often actions are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounds {
    pub(super) most: u32,
    pub(super) by: By,
    pub(super) count: Option<Count>,
    pub(super) every_ns: u64,
}

/// What there are rounds for: conditions and lists are at these places of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Times,
    Until(usize),
    While(usize),
    Each(usize),
}

impl Way {
    /// Lays out actions, whose requests have the places from `place` on in the scenario; moves it behind them.
    pub(super) fn of(actions: &[Action], place: &mut u16) -> Self {
        let mut way = Self {
            first: *place,
            ..Self::default()
        };
        way.lay_out(actions, place);
        way
    }

    fn lay_out(&mut self, actions: &[Action], place: &mut u16) {
        for action in actions {
            match action {
                Action::Request(_) => {
                    self.steps.push(Step::Request(*place));
                    *place += 1;
                }
                Action::Pause(pause) => self.steps.push(Step::Pause(*pause)),
                // Only held connections send these.
                Action::Send(_) => {}
                Action::Set(sets) => {
                    for set in sets {
                        self.steps.push(Step::Set(self.sets.len()));
                        self.sets.push(set.clone());
                    }
                }
                Action::Chance(chance) => {
                    let at = self.steps.len();
                    self.steps.push(Step::Chance { of: chance.of, to: 0 });
                    self.lay_out(&chance.actions, place);
                    let to = self.steps.len();
                    self.steps[at] = Step::Chance { of: chance.of, to };
                }
                Action::When(when) => {
                    let (at, condition) = (self.steps.len(), self.condition(&when.condition));
                    self.steps.push(Step::Unless { condition, to: 0 });
                    self.lay_out(&when.actions, place);
                    let to = self.steps.len();
                    self.steps[at] = Step::Unless { condition, to };
                }
                Action::Rounds(all) => {
                    let by = match &all.by {
                        RoundsBy::Times => By::Times,
                        RoundsBy::Until(until) => By::Until(self.condition(until)),
                        RoundsBy::While(so) => By::While(self.condition(so)),
                        RoundsBy::Each(each) => {
                            self.eaches.push(each.clone());
                            By::Each(self.eaches.len() - 1)
                        }
                    };
                    let rounds = self.rounds.len();
                    self.rounds.push(Rounds {
                        most: all.most,
                        by,
                        count: all.count,
                        every_ns: all.every.as_nanos() as u64,
                    });
                    let at = self.steps.len();
                    self.steps.push(Step::Begin { rounds, to: 0 });
                    self.lay_out(&all.actions, place);
                    self.steps.push(Step::Again { rounds, to: at + 1 });
                    let to = self.steps.len();
                    self.steps[at] = Step::Begin { rounds, to };
                }
                Action::Once(actions) => {
                    let (at, first) = (self.steps.len(), *place);
                    self.steps.push(Step::Once { first, to: 0 });
                    self.lay_out(actions, place);
                    self.steps.push(Step::Done(first));
                    let to = self.steps.len();
                    self.steps[at] = Step::Once { first, to };
                }
                // No valid plan has one in a journey.
                Action::Repeat(repeat) => self.lay_out(&repeat.actions, place),
            }
        }
    }

    /// What is done once, by its first request.
    pub(super) fn once(&self) -> impl Iterator<Item = u16> {
        self.steps.iter().filter_map(|step| match step {
            Step::Done(first) => Some(*first),
            _ => None,
        })
    }

    fn condition(&mut self, condition: &Condition) -> usize {
        self.conditions.push(condition.clone());
        self.conditions.len() - 1
    }
}
