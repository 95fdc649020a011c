//! Conditions on what users know: a plan has those on values that each user has by then.

use crate::journey::{Condition, Journeys, Sequence, Step, TakeFrom, When};
use std::collections::BTreeSet;

/// Leaves out conditions on anything that a user may not have by then; without order nobody has anything.
pub(crate) fn settle(journeys: &mut Journeys, sequences: &mut [Sequence], ordered: bool) {
    let given: BTreeSet<String> = journeys.lists.iter().map(|(name, _)| name.clone()).collect();
    let made = journeys.made.iter().map(|made| made.key.clone());
    let mut before: BTreeSet<String> = given.into_iter().chain(made).collect();
    for when in [When::Before, When::Load, When::After] {
        for sequence in sequences.iter_mut().filter(|sequence| sequence.when == when) {
            let mut known = before.clone();
            let is_user = ordered || when != When::Load;
            of_steps(journeys, &mut sequence.steps, &mut known, is_user);
            if when == When::Before {
                before = known;
            }
        }
    }
}

fn of_steps(journeys: &mut Journeys, steps: &mut [Step], known: &mut BTreeSet<String>, is_user: bool) {
    for step in steps {
        match step {
            Step::Request(request) => {
                let taken = request.takes.iter().filter(|take| take.from != TakeFrom::Other);
                known.extend(taken.map(|take| take.variable.clone()));
            }
            Step::Pause(..) => {}
            Step::Repeat(times, steps) if *times < 1.0 => of_steps(journeys, steps, &mut known.clone(), is_user),
            Step::Repeat(_, steps) => of_steps(journeys, steps, known, is_user),
            Step::OneOf(branches) => {
                for steps in branches {
                    of_steps(journeys, steps, &mut known.clone(), is_user);
                }
            }
            Step::When(condition, steps) if is_user && known.contains(&condition.variable) => {
                of_steps(journeys, steps, &mut known.clone(), is_user);
            }
            Step::When(condition, steps) => {
                let why = "its condition is not carried over, because a user may not have the value by then; what is in it is always sent";
                journeys.leave_out(&condition.place, condition.what.clone(), why);
                of_steps(journeys, steps, known, is_user);
                *step = Step::Repeat(1.0, std::mem::take(steps));
            }
        }
    }
}

/// Calls `with` for each condition.
pub(crate) fn each(steps: &mut [Step], with: &mut dyn FnMut(&mut Condition)) {
    for step in steps {
        if let Step::When(condition, _) = step {
            with(condition);
        }
        step.inner_mut().iter_mut().for_each(|steps| each(steps, with));
    }
}
