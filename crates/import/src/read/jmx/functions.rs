//! Values that test plans of JMeter compute.

use super::properties::{collection, defaults_of_functions, number, property, texts};
use crate::conditions;
use crate::fill::each_text;
use crate::journey::{Journeys, Load};
use crate::left_out::Place;
use crate::made::{self, Made, MadeVariable};
use crate::read::xml::Element;
use crate::target::each_request;
use crate::text::{Piece, Text, Values};
use std::collections::BTreeMap;

/// The greatest number of a counter without an end.
const MANY: f64 = 1e9;

/// Gives calls of functions the values that are known when the whole plan is.
pub(super) fn give_values(journeys: &mut Journeys) {
    defaults(journeys);
    threads(journeys);
}

/// A counter, or a variable with a random number.
pub(super) fn variable(journeys: &mut Journeys, element: &Element) {
    let place = Place::Line(element.line);
    let is_counter = element.name == "CounterConfig";
    let [name, from, to, format] = match is_counter {
        true => [
            "CounterConfig.name",
            "CounterConfig.start",
            "CounterConfig.end",
            "CounterConfig.format",
        ],
        false => ["variableName", "minimumValue", "maximumValue", "outputFormat"],
    };
    let said = |name: &str| property(element, name).and_then(|text| number(text, &journeys.values));
    let whole = |number: f64| (number >= 0.0 && number.fract() == 0.0).then_some(number as u64);
    let from_to = (
        whole(said(from).unwrap_or_else(|| f64::from(u8::from(!is_counter)))),
        whole(said(to).unwrap_or(MANY)),
    );
    let steps_by_one = !is_counter || said("CounterConfig.incr").is_none_or(|step| (step - 1.0).abs() < 1e-9);
    let has_format = property(element, format).is_some_and(|format| !format.is_empty());
    let name = property(element, name).unwrap_or_default().to_owned();
    let what = format!("the variable `{name}`");
    let (Some(from), Some(to), true, false) = (from_to.0, from_to.1, steps_by_one, has_format) else {
        let why = "numbers of a plan are whole, not negative, go up by one, and have no format";
        journeys.leave_out(&place, what, why);
        return;
    };
    if is_counter && property(element, "CounterConfig.per_user") == Some("true") {
        journeys.leave_out(&place, what, "all users of the plan count together");
    }
    if from > to || name.is_empty() || journeys.made.iter().any(|known| known.key == name) {
        return;
    }
    journeys.made.push(MadeVariable {
        key: name.clone(),
        name,
        made: if is_counter {
            Made::Turn(from, to)
        } else {
            Made::Number(from, to)
        },
        anew: false,
    });
}

/// Variables of which each thread has values of its own.
pub(super) fn parameters(journeys: &mut Journeys, element: &Element) {
    let names = texts(element, "UserParameters.names");
    let users = collection(element, "UserParameters.thread_values");
    let of_users: Vec<Vec<String>> = users
        .iter()
        .map(|user| user.children.iter().map(|value| value.text.trim().to_owned()).collect())
        .collect();
    let place = Place::Line(element.line);
    if of_users.len() > 1 {
        let why = "each user of the plan has the next values, also where it is a thread that begins anew";
        journeys.leave_out(&place, "values of each thread", why);
    }
    for (at, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let values: Vec<String> = of_users.iter().filter_map(|values| values.get(at).cloned()).collect();
        let is_text = |text: &String| Text::with_dollars(text).as_literal().is_some();
        match values.as_slice() {
            [value] => {
                journeys.values.insert(name.clone(), Text::with_dollars(value));
            }
            several if !several.is_empty() && several.iter().all(is_text) => journeys.add_list(name, values),
            _ => journeys.leave_out(&place, format!("the variable `{name}`"), "its values are not texts"),
        }
    }
}

/// From which number to which a call of `__Random` is any.
pub(super) fn any_of(text: &str) -> Option<(u64, u64)> {
    let text = Text::with_dollars(text);
    match text.pieces() {
        [Piece::Variable(call)] => made::jmeter(call)?.numbers(),
        _ => None,
    }
}

/// Gives the number of a thread the numbers of all.
fn threads(journeys: &mut Journeys) {
    const CALL: &str = "__threadNum";
    let threads = match &journeys.load {
        Some(Load::Clients { clients, .. }) => u64::from(*clients),
        Some(Load::Staged(phases)) => phases
            .iter()
            .map(|phase| phase.from.max(phase.to) as u64)
            .max()
            .unwrap_or(1),
        Some(Load::Arrivals(_)) | None => return,
    };
    let mut calls = BTreeMap::new();
    each_request(&mut journeys.sequences, &mut |request| {
        let place = request.place.clone();
        each_text(request, &mut |text| {
            let numbers = text.variables().filter(|name| matches!(*name, CALL | "__threadNum()"));
            calls.extend(numbers.map(|name| (name.to_owned(), place.clone())));
            text.clone()
        });
        true
    });
    for sequence in &mut journeys.sequences {
        conditions::each(&mut sequence.steps, &mut |condition| {
            let variables = condition.holds.variables().into_iter();
            let numbers = variables.filter(|name| matches!(*name, CALL | "__threadNum()"));
            calls.extend(numbers.map(|name| (name.to_owned(), condition.place.clone())));
        });
    }
    for (call, place) in calls {
        let why = "each user of the plan has the next of the numbers of all threads, also where it is a thread that begins anew";
        journeys.leave_out(&place, format!("`{call}`"), why);
        journeys.made.push(MadeVariable {
            key: call,
            name: "thread".to_owned(),
            made: Made::Turn(1, threads.max(1)),
            anew: false,
        });
    }
}

/// Gives calls of functions the values that they have by default.
fn defaults(journeys: &mut Journeys) {
    let mut values = Values::new();
    let known = journeys.values.clone();
    let mut look = |text: &Text| {
        defaults_of_functions(text, &mut values);
        // Where variables are in a call, it is known by their values.
        defaults_of_functions(&text.resolved(&known), &mut values);
        text.clone()
    };
    journeys.values.values().for_each(|text| {
        look(text);
    });
    each_request(&mut journeys.sequences, &mut |request| {
        each_text(request, &mut look);
        true
    });
    journeys.values.extend(values);
}
