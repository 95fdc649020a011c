//! What a client does the first time alone: a plan has that at the top of a journey, and in front of rounds.

use crate::journey::{Journeys, RoundsBy, Sequence, Step, When};

/// Has what is done once stand where a plan can have it. Elsewhere it is done each time, and left out is that it is not.
pub(crate) fn settle(journeys: &mut Journeys, sequences: &mut [Sequence], ordered: bool) {
    for sequence in sequences {
        let at = match sequence.when {
            When::Load if ordered => At::Top,
            When::Load => At::Elsewhere,
            // One user does these, and once.
            When::Before | When::After => At::Alone,
        };
        let steps = std::mem::take(&mut sequence.steps);
        sequence.steps = settled(journeys, steps, at, &mut Vec::new());
    }
}

/// Where steps are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Each time that a client begins.
    Top,
    /// By one client, once.
    Alone,
    /// In rounds of which each client does at least one, and nothing was sent before in it.
    BeginOfRound,
    Elsewhere,
}

impl At {
    /// Where steps are in rounds, of which each client does at least one or may do none.
    const fn in_rounds(self, is_done: bool) -> Self {
        match (self, is_done) {
            (Self::Alone | Self::Top | Self::BeginOfRound, true) => Self::BeginOfRound,
            _ => Self::Elsewhere,
        }
    }

    /// Where steps are that some clients do.
    const fn of_some(self) -> Self {
        match self {
            Self::Alone => Self::Alone,
            _ => Self::Elsewhere,
        }
    }
}

/// The steps with what can be done once of them; what is to be done ahead of all rounds goes to `ahead`.
fn settled(journeys: &mut Journeys, steps: Vec<Step>, mut at: At, ahead: &mut Vec<Step>) -> Vec<Step> {
    let mut made = Vec::new();
    for step in steps {
        match step {
            Step::Once(place, what, inner) => {
                let mut inner = settled(journeys, inner, At::Alone, ahead);
                match at {
                    At::Top => made.push(Step::Once(place, what, inner)),
                    At::BeginOfRound => ahead.append(&mut inner),
                    At::Alone => made.push(Step::Repeat(1.0, inner)),
                    At::Elsewhere => {
                        journeys.leave_out(&place, what, "what is in it is sent each time");
                        made.push(Step::Repeat(1.0, inner));
                    }
                }
                continue;
            }
            // What is around it alone has nothing ahead of itself.
            Step::Repeat(times, inner) if (times - 1.0).abs() < 1e-9 => {
                made.push(Step::Repeat(times, settled(journeys, inner, at, ahead)));
            }
            Step::Repeat(times, inner) => {
                let mut before = Vec::new();
                let within = if times < 1.0 { at.of_some() } else { at.in_rounds(true) };
                let inner = settled(journeys, inner, within, &mut before);
                made.append(&mut before);
                made.push(Step::Repeat(times, inner));
            }
            Step::Rounds(rounds, inner) => {
                let mut before = Vec::new();
                let is_done = matches!(rounds.by, RoundsBy::Times(_) | RoundsBy::Until(_));
                let inner = settled(journeys, inner, at.in_rounds(is_done), &mut before);
                made.append(&mut before);
                made.push(Step::Rounds(rounds, inner));
            }
            Step::OneOf(choice, branches) => {
                let mut branch = |inner| settled(journeys, inner, at.of_some(), &mut Vec::new());
                made.push(Step::OneOf(choice, branches.into_iter().map(&mut branch).collect()));
            }
            Step::When(condition, inner) => {
                let inner = settled(journeys, inner, at.of_some(), &mut Vec::new());
                made.push(Step::When(condition, inner));
            }
            Step::Request(_) | Step::Pause(..) => made.push(step),
        }
        if at == At::BeginOfRound {
            at = At::Elsewhere;
        }
    }
    made
}
