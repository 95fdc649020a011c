//! Sequences as journeys of users: actions in order, with pauses, rounds, and what users take out of responses.

use super::request::element;
use super::taken::{Entries, Parts, Taken, Variables, number, read, seconds};
use super::yaml::{quoted, scalar, template};
use crate::error::ImportError;
use crate::journey::{CheckOf, Journeys, Sequence, Step, Take, TakeFrom};
use crate::left_out::{Place, shown};
use crate::requests::whole;
use crate::text::Text;
use plimsoll_plan::Pause;
use std::collections::BTreeMap;
use std::time::Duration;

/// Actions of a journey, those in others included, that a plan may have.
const MOST_ACTIONS: usize = 1_000;
/// Rounds of a repeat that a plan may have.
const MOST_ROUNDS: f64 = 10_000.0;
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

/// Leaves out what no plan checks, or takes out of a response: then nobody has the value.
pub(crate) fn settle_takes(journeys: &mut Journeys) {
    let mut sequences = std::mem::take(&mut journeys.sequences);
    crate::target::each_request(&mut sequences, &mut |request| {
        request.checks.retain(|one| {
            let alone = format!(
                "target: http://127.0.0.1:1\nscenario:\n  journeys:\n    - actions: [request: {{ path: /, check: [{}] }}]\n",
                check(&one.of)
            );
            let refused = read(&alone).err();
            if let Some(error) = &refused {
                let why = format!("a plan refuses it: {}", error.mismatch().message());
                journeys.left_out.push(crate::left_out::LeftOut::new(&one.place, one.what.clone(), why));
            }
            refused.is_none()
        });
        for take in &mut request.takes {
            let why = match value(&take.from) {
                None => Some(
                    "plans take values of JSON and headers, and of texts by what is around them or by an expression"
                        .to_owned(),
                ),
                Some(value) => {
                    let alone = format!(
                        "target: http://127.0.0.1:1\nscenario:\n  journeys:\n    - actions: [request: {{ path: /, take: {{ x: {value} }} }}]\n"
                    );
                    read(&alone)
                        .err()
                        .map(|error| format!("a plan refuses it: {}", error.mismatch().message()))
                }
            };
            if let Some(why) = why {
                take.from = TakeFrom::Other;
                let what = format!("`{}` from a response", take.variable);
                journeys
                    .left_out
                    .push(crate::left_out::LeftOut::new(&take.place, what, why));
            }
        }
        true
    });
    journeys.sequences = sequences;
}

/// Calls `with` for everything that users take.
pub(super) fn each_take(sequences: &[Sequence], with: &mut dyn FnMut(&Take)) {
    fn of_steps(steps: &[Step], with: &mut dyn FnMut(&Take)) {
        for step in steps {
            match step {
                Step::Request(request) => request
                    .takes
                    .iter()
                    .filter(|take| take.from != TakeFrom::Other)
                    .for_each(&mut *with),
                Step::Repeat(_, steps) => of_steps(steps, with),
                Step::Pause(..) => {}
            }
        }
    }
    sequences.iter().for_each(|sequence| of_steps(&sequence.steps, with));
}

/// Where a plan has a value from; `None` of what it cannot take.
fn value(from: &TakeFrom) -> Option<String> {
    match from {
        TakeFrom::Json(path) => Some(format!("{{ json: {} }}", quoted(path))),
        TakeFrom::Header(name) => Some(format!("{{ header: {} }}", quoted(name))),
        TakeFrom::Between(after, before) => Some(format!(
            "{{ between: {{ after: {}, before: {} }} }}",
            quoted(after),
            quoted(before)
        )),
        TakeFrom::Regex(expression, group) => Some(format!("{{ regex: {}, group: {group} }}", quoted(expression))),
        TakeFrom::Other => None,
    }
}

/// A check as a plan has it.
fn check(of: &CheckOf) -> String {
    let text = |text: &str| quoted(&template(&Text::literal(text), &BTreeMap::new()));
    match of {
        CheckOf::Json(path, is) => format!("{{ json: {}, is: {} }}", quoted(path), text(is)),
        CheckOf::Header(name, is) => format!("{{ header: {}, is: {} }}", quoted(name), text(is)),
        CheckOf::Body(part) => format!("{{ body: {} }}", text(part)),
        CheckOf::Matches(expression) => format!("{{ matches: {} }}", quoted(expression)),
        CheckOf::Time(most) => format!("{{ time: {} }}", seconds(*most)),
        CheckOf::Size(least, most) => {
            let bound = |key: &str, bytes: Option<u64>| bytes.map(|bytes| format!("{key}: {bytes}"));
            let bounds: Vec<String> = bound("at least", *least)
                .into_iter()
                .chain(bound("at most", *most))
                .collect();
            format!("{{ size: {{ {} }} }}", bounds.join(", "))
        }
    }
}

/// An entry for each sequence.
pub(super) fn entries(
    parts: &Parts<'_>,
    journeys: &mut Journeys,
    variables: &Variables,
    sequences: &[Sequence],
) -> Result<Entries, ImportError> {
    let mut writer = Writer {
        taken: Taken::new(parts, variables),
        variables,
        requests: 0,
        actions: 0,
    };
    let mut texts = Vec::new();
    let mut names = std::collections::BTreeSet::new();
    let weighted = whole(sequences.iter().map(|sequence| (sequence.weight, sequence)).collect());
    for (weight, sequence) in weighted {
        let before = writer.requests;
        writer.actions = 0;
        let actions = writer.actions(journeys, &sequence.place, &sequence.steps, 8);
        if writer.actions > MOST_ACTIONS {
            return Err(ImportError::new(
                Some(&sequence.place),
                "too many actions",
                format!("at most {MOST_ACTIONS}"),
            ));
        }
        if writer.requests == before {
            continue;
        }
        let mut head = Vec::new();
        let name = shown(&sequence.name);
        if !name.is_empty() && !name.contains("://") && names.insert(name.clone()) {
            head.push(format!("name: {}", scalar(&name)));
        }
        if weight > 1 {
            head.push(format!("weight: {weight}"));
        }
        head.push("actions:".to_owned());
        texts.push(element(&head, 4, None) + &actions);
    }
    let requests = writer.requests;
    let entries = Entries {
        texts,
        requests,
        ..Entries::default()
    };
    writer.taken.end(journeys, entries)
}

/// A pause as a plan has it, an hour at most.
fn pause(of: Pause) -> String {
    let time = |time: Duration| seconds(time.min(LONGEST_PAUSE));
    match of {
        Pause::Between { from, to } if from == to => time(from),
        Pause::Between { from, to } => format!("{{ from: {}, to: {} }}", time(from), time(to)),
        Pause::Exponential { mean } => format!("{{ mean: {} }}", time(mean)),
        Pause::Normal { mean, deviation } => {
            format!("{{ mean: {}, deviation: {} }}", time(mean), time(deviation.min(mean)))
        }
    }
}

struct Writer<'a> {
    taken: Taken<'a>,
    variables: &'a Variables,
    requests: usize,
    actions: usize,
}

impl Writer<'_> {
    fn actions(&mut self, journeys: &mut Journeys, place: &Place, steps: &[Step], indent: usize) -> String {
        let blanks = " ".repeat(indent);
        let mut text = String::new();
        for step in steps {
            match step {
                Step::Request(request) => {
                    let Some(mut lines) = self.taken.lines(journeys, 1, request) else {
                        continue;
                    };
                    let takes: Vec<String> = request.takes.iter().filter_map(|take| self.take(take)).collect();
                    if !takes.is_empty() {
                        lines.push(format!("take: {{ {} }}", takes.join(", ")));
                    }
                    if !request.checks.is_empty() {
                        let checks: Vec<String> = request.checks.iter().map(|one| check(&one.of)).collect();
                        lines.push(format!("check: [{}]", checks.join(", ")));
                    }
                    self.requests += 1;
                    self.actions += 1;
                    text.push_str(&element(&lines, indent, Some("request")));
                }
                Step::Pause(_, pause) if pause.longest().is_zero() => {}
                Step::Pause(place, given) => {
                    if given.longest() > LONGEST_PAUSE {
                        journeys.leave_out(place, "a longer pause", "a pause of a plan takes an hour at most");
                    }
                    self.actions += 1;
                    text.push_str(&format!("{blanks}- pause: {}\n", pause(*given)));
                }
                Step::Repeat(times, steps) => text.push_str(&self.repeat(journeys, place, *times, steps, indent)),
            }
        }
        text
    }

    /// Once is nothing special; less often is by chance.
    fn repeat(&mut self, journeys: &mut Journeys, place: &Place, times: f64, steps: &[Step], indent: usize) -> String {
        if (times - 1.0).abs() < 1e-9 {
            return self.actions(journeys, place, steps, indent);
        }
        let before = self.requests;
        let inner = self.actions(journeys, place, steps, indent + 6);
        let blanks = " ".repeat(indent);
        if times <= 0.0 || inner.is_empty() {
            self.requests = before;
            return String::new();
        }
        self.actions += 1;
        if times < 1.0 {
            let share = number(times * 100.0);
            return format!("{blanks}- chance:\n{blanks}    of: {share}%\n{blanks}    actions:\n{inner}");
        }
        let rounds = times.min(MOST_ROUNDS).floor();
        if (rounds - times).abs() > 1e-9 {
            journeys.leave_out(place, format!("{times} rounds"), format!("the plan has {rounds}"));
        }
        format!("{blanks}- repeat:\n{blanks}    times: {rounds}\n{blanks}    actions:\n{inner}")
    }

    fn take(&self, take: &Take) -> Option<String> {
        let name = self.variables.names.get(&take.variable)?;
        Some(format!("{}: {}", quoted(name), value(&take.from)?))
    }
}
