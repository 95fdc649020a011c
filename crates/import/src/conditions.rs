//! Conditions on what users know, and rounds for what they have: a plan has those on values that each user has by then.

use crate::journey::{Condition, Journeys, List, Request, Rounds, RoundsBy, Sequence, Step, Take, TakeFrom, When};
use crate::secrets::Environment;
use crate::text::Text;
use std::collections::BTreeSet;

/// Leaves out conditions on anything that a user may not have by then, and rounds for it; without order nobody has anything.
pub(crate) fn settle(journeys: &mut Journeys, sequences: &mut [Sequence], ordered: bool) {
    let given: BTreeSet<String> = journeys.lists.iter().map(|(name, _)| name.clone()).collect();
    let made = journeys.made.iter().map(|made| made.key.clone());
    let mut before: BTreeSet<String> = given.into_iter().chain(made).collect();
    let mut lists = BTreeSet::new();
    crate::target::each_request(sequences, &mut |request| {
        lists.extend(taken(request).filter(|take| take.all).map(|take| take.variable.clone()));
        true
    });
    for when in [When::Before, When::Load, When::After] {
        for sequence in sequences.iter_mut().filter(|sequence| sequence.when == when) {
            let mut settling = Settling {
                is_user: ordered || when != When::Load,
                lists: &lists,
                journeys,
            };
            let mut known = before.clone();
            settling.steps(&mut sequence.steps, &mut known);
            if when == When::Before {
                before = known;
            }
        }
    }
}

/// Has users take lists where there are rounds for each value of one, and one value elsewhere.
pub(crate) fn settle_lists(journeys: &mut Journeys, sequences: &mut [Sequence]) {
    let mut named = BTreeSet::new();
    each_rounds(sequences, &mut |rounds| {
        if let RoundsBy::Each {
            list: List::Named(name) | List::Numbered(name, _),
            ..
        } = &rounds.by
        {
            named.insert(name.clone());
        }
    });
    // A name is a list everywhere or nowhere.
    let mut single = BTreeSet::new();
    each_rounds(sequences, &mut |rounds| {
        single.extend(rounds.variables().map(str::to_owned));
    });
    crate::target::each_request(sequences, &mut |request| {
        let is_one = |take: &&Take| !take.all && take.from != TakeFrom::Other;
        single.extend(request.takes.iter().filter(is_one).map(|take| take.variable.clone()));
        true
    });
    let is_list = |name: &String| named.contains(name) && !single.contains(name);
    crate::target::each_request(sequences, &mut |request| {
        request
            .takes
            .iter_mut()
            .for_each(|take| settle_take(journeys, take, &is_list));
        true
    });
}

fn settle_take(journeys: &mut Journeys, take: &mut Take, is_list: &impl Fn(&String) -> bool) {
    const EVERY: &str = "[*]";
    let is_list = take.all && is_list(&take.variable);
    match &mut take.from {
        TakeFrom::Json(path) if is_list && !path.contains(EVERY) => path.push_str(EVERY),
        TakeFrom::Json(path) if !is_list && path.contains(EVERY) => {
            *path = path.replace(EVERY, "[0]");
            let what = format!("`{}` from several values", take.variable);
            journeys.leave_out(&take.place, what, "the plan takes the first one");
        }
        TakeFrom::Regex(..) if take.all && !is_list => take.from = TakeFrom::Other,
        _ => {}
    }
    take.all = is_list;
}

struct Settling<'j> {
    journeys: &'j mut Journeys,
    is_user: bool,
    /// What users take as lists.
    lists: &'j BTreeSet<String>,
}

impl Settling<'_> {
    fn steps(&mut self, steps: &mut [Step], known: &mut BTreeSet<String>) {
        for step in steps {
            match step {
                Step::Request(request) => {
                    self.checks(request, known);
                    known.extend(taken(request).map(|take| take.variable.clone()));
                }
                Step::Pause(..) => {}
                Step::Repeat(times, steps) if *times < 1.0 => self.steps(steps, &mut known.clone()),
                Step::Repeat(_, steps) | Step::Once(_, _, steps) => self.steps(steps, known),
                Step::Rounds(rounds, steps) => {
                    if let Err(why) = self.rounds(rounds, steps, known) {
                        self.journeys.leave_out(&rounds.place, rounds.what.clone(), why);
                        self.steps(steps, known);
                        *step = Step::Repeat(1.0, std::mem::take(steps));
                        continue;
                    }
                    let mut within = known.clone();
                    within.extend(rounds.variables().map(str::to_owned));
                    self.steps(steps, &mut within);
                    if matches!(rounds.by, RoundsBy::Times(_) | RoundsBy::Until(_)) {
                        *known = within;
                    }
                }
                Step::OneOf(_, branches) => {
                    for steps in branches {
                        self.steps(steps, &mut known.clone());
                    }
                }
                Step::When(condition, steps) if self.is_user && is_known(condition, known) => {
                    self.steps(steps, &mut known.clone());
                }
                Step::When(condition, steps) => {
                    let why = "its condition is not carried over, because a user may not have the value by then; what is in it is always sent";
                    self.journeys.leave_out(&condition.place, condition.what.clone(), why);
                    self.steps(steps, known);
                    *step = Step::Repeat(1.0, std::mem::take(steps));
                }
            }
        }
    }

    /// Leaves out checks against values that a user may not have by then, or has another one of behind the response: a plan checks with those of before.
    fn checks(&mut self, request: &mut Request, known: &BTreeSet<String>) {
        if !self.is_user {
            return;
        }
        let anew: Vec<String> = taken(request).map(|take| take.variable.clone()).collect();
        let journeys = &mut *self.journeys;
        request.checks.retain(|check| {
            let variables = || check.of.text().into_iter().flat_map(Text::variables);
            let why = if !variables().all(|name| known.contains(name) || anew.iter().any(|taken| taken == name)) {
                "a user may not have the value by then that it compares with"
            } else if variables().any(|name| anew.iter().any(|taken| taken == name)) {
                "it compares with a value of the same response, and a plan with one of before"
            } else {
                return true;
            };
            journeys.leave_out(&check.place, check.what.clone(), why);
            false
        });
    }

    /// Has rounds be for what a user has; else why they cannot be.
    fn rounds(&self, rounds: &mut Rounds, steps: &[Step], known: &BTreeSet<String>) -> Result<(), &'static str> {
        const ONCE: &str = "what is in it is sent once, because a user may not have what it is done for by then";
        if !self.is_user {
            return match &rounds.by {
                RoundsBy::Times(_) => Ok(()),
                _ => Err("what is in it is sent once: requests without an order have no rounds"),
            };
        }
        match &mut rounds.by {
            RoundsBy::Times(_) | RoundsBy::Until(_) => Ok(()),
            RoundsBy::While(condition) => {
                let variables = condition.holds.variables();
                if !variables.iter().any(|name| changes(steps, name)) {
                    return Err("what is in it is sent once, because nothing in it takes the value that it waits for");
                }
                if is_known(condition, known) {
                    return Ok(());
                }
                // What nobody has yet does not end it, and is there behind the first round.
                let is_taken = |name: &&str| known.contains(*name) || changes(steps, name);
                let begins = condition.holds.without(&|name| known.contains(name)) == Some(true);
                if !begins || !variables.iter().all(is_taken) {
                    return Err(ONCE);
                }
                condition.holds = condition.holds.clone().not();
                rounds.by = RoundsBy::Until(condition.clone());
                Ok(())
            }
            RoundsBy::Each { variable, list, .. } => {
                let is_given = |name: &str| self.journeys.lists.iter().any(|(given, _)| given == name);
                if is_given(variable) {
                    return Err("what is in it is sent once, because what has its values has others from a list");
                }
                let name = match &*list {
                    List::Values(values) if values.is_empty() => return Err(ONCE),
                    List::Values(_) => return Ok(()),
                    List::Named(name) | List::Numbered(name, _) => name,
                };
                if known.contains(name) && self.lists.contains(name) && !is_given(name) {
                    return Ok(());
                }
                *list = List::Values(self.values(list).ok_or(ONCE)?);
                Ok(())
            }
        }
    }

    /// The values of a list that are in the file.
    fn values(&self, list: &List) -> Option<Vec<String>> {
        const MOST: usize = 1_000;
        match list {
            List::Values(values) => Some(values.clone()),
            List::Named(name) => {
                let (_, values) = self.journeys.lists.iter().find(|(known, _)| known == name)?;
                let is_shown = !values.is_empty() && values.len() <= MOST && !Environment::hides_list(name, values);
                is_shown.then(|| values.clone())
            }
            List::Numbered(name, separator) => {
                let of = |number| self.journeys.values.get(&format!("{name}{separator}{number}"));
                let values = (1..=MOST)
                    .map_while(of)
                    .map(|text| text.as_literal().map(str::to_owned));
                let values: Vec<String> = values.collect::<Option<_>>()?;
                (!values.is_empty() && !Environment::hides_list(name, &values)).then_some(values)
            }
        }
    }
}

/// Whether a user has every value that a condition is about.
fn is_known(condition: &Condition, known: &BTreeSet<String>) -> bool {
    condition.holds.variables().iter().all(|name| known.contains(*name))
}

/// What a plan takes of the response to a request.
fn taken(request: &Request) -> impl Iterator<Item = &Take> {
    request.takes.iter().filter(|take| take.from != TakeFrom::Other)
}

/// Whether a user may have another value behind these steps than before, and has one in any case.
fn changes(steps: &[Step], variable: &str) -> bool {
    steps.iter().any(|step| match step {
        Step::Request(request) => taken(request).any(|take| take.variable == variable),
        Step::Repeat(times, steps) => *times >= 1.0 && changes(steps, variable),
        Step::Rounds(rounds, steps) => {
            matches!(rounds.by, RoundsBy::Times(_) | RoundsBy::Until(_)) && changes(steps, variable)
        }
        Step::Pause(..) | Step::OneOf(..) | Step::When(..) | Step::Once(..) => false,
    })
}

/// Calls `with` for each condition.
pub(crate) fn each(steps: &mut [Step], with: &mut dyn FnMut(&mut Condition)) {
    for step in steps {
        match step {
            Step::When(condition, _) => with(condition),
            Step::Rounds(rounds, _) => rounds.condition_mut().into_iter().for_each(&mut *with),
            Step::Request(_) | Step::Pause(..) | Step::Repeat(..) | Step::OneOf(..) | Step::Once(..) => {}
        }
        step.inner_mut().iter_mut().for_each(|steps| each(steps, with));
    }
}

/// Calls `with` for all rounds.
pub(crate) fn each_rounds(sequences: &mut [Sequence], with: &mut dyn FnMut(&mut Rounds)) {
    fn of_steps(steps: &mut [Step], with: &mut dyn FnMut(&mut Rounds)) {
        for step in steps {
            if let Step::Rounds(rounds, _) = step {
                with(rounds);
            }
            step.inner_mut().iter_mut().for_each(|steps| of_steps(steps, with));
        }
    }
    sequences
        .iter_mut()
        .for_each(|sequence| of_steps(&mut sequence.steps, with));
}
