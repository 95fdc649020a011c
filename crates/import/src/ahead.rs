//! Headers that ask for what a user is given only later, such as a token in the request that gets it: files set them for all requests.

use crate::fill::each_in_order;
use crate::journey::{Authorization, Journeys, Step, TakeFrom, When};
use crate::text::Text;
use std::collections::BTreeSet;

/// Leaves out such headers, where nothing in the file gives a first value.
pub(crate) fn leave_out(journeys: &mut Journeys, in_order: bool) {
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let values = journeys.values.clone();
    let mut given: BTreeSet<String> = values.keys().cloned().collect();
    given.extend(journeys.lists.iter().map(|(name, _)| name.clone()));
    given.extend(journeys.made.iter().map(|made| made.key.clone()));
    let mut before = BTreeSet::new();
    for when in [When::Before, When::Load, When::After] {
        for sequence in sequences.iter_mut().filter(|sequence| sequence.when == when) {
            let mut later = BTreeSet::new();
            takes(&sequence.steps, &mut later);
            later.retain(|name| !given.contains(name));
            let mut taken = before.clone();
            let is_user = in_order || when != When::Load;
            each_in_order(&mut sequence.steps, is_user, &mut taken, &mut |request, known| {
                let asked = |text: &Text| {
                    let text = text.resolved(&values);
                    let is_later = |name: &&str| is_user && later.contains(*name) && !known.taken.contains(*name);
                    text.variables().find(is_later).map(str::to_owned)
                };
                let mut left_out = Vec::new();
                request.headers.retain(|(header, value)| {
                    let name = asked(value);
                    left_out.extend(name.clone().map(|name| (header.to_ascii_lowercase(), name)));
                    name.is_none()
                });
                let of_authorization = match &request.authorization {
                    None => None,
                    Some(Authorization::Bearer(token)) => asked(token),
                    Some(Authorization::Basic { user, password }) => asked(user).or_else(|| asked(password)),
                };
                if let Some(name) = of_authorization {
                    request.authorization = None;
                    left_out.push(("authorization".to_owned(), name));
                }
                for (header, name) in left_out {
                    let why =
                        format!("nobody has `{name}` yet: this request or a later one takes it from its response");
                    journeys.leave_out(&request.place, format!("the header `{header}`"), why);
                }
            });
            if when == When::Before {
                before = taken;
            }
        }
    }
    journeys.sequences = sequences;
}

/// The names of all that is taken in these steps.
fn takes(steps: &[Step], names: &mut BTreeSet<String>) {
    for step in steps {
        if let Step::Request(request) = step {
            let taken = request.takes.iter().filter(|take| take.from != TakeFrom::Other);
            names.extend(taken.map(|take| take.variable.clone()));
        }
        step.inner().iter().for_each(|steps| takes(steps, names));
    }
}
