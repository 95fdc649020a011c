//! Sequences as journeys of users: actions in order, with pauses, rounds, and what users take out of responses.

use super::request::element;
use super::responses::{self, check, value};
use super::taken::{Entries, Taken, Variables, number, seconds};
use super::yaml::{quoted, scalar, template};
use crate::conditions;
use crate::error::ImportError;
use crate::fill::each_text;
use crate::holds::Holds;
use crate::journey::{Choice, Condition, Journeys, List, Rounds, RoundsBy, Sequence, Step, Take, TakeFrom, When};
use crate::left_out::{Place, called};
use crate::members;
use crate::once;
use crate::requests::whole;
use crate::text::Text;
use plimsoll_plan::Pause;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Actions of a journey, those in others included, that a plan may have.
const MOST_ACTIONS: usize = 1_000;
/// Rounds of a repeat that a plan may have.
const MOST_ROUNDS: f64 = 10_000.0;
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

/// Leaves out what no plan checks, or takes out of a response: then nobody has the value. The load has users who take something where it is `ordered`.
pub(crate) fn settle_takes(journeys: &mut Journeys, ordered: bool) {
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let has_users = |sequence: &&mut Sequence| ordered || sequence.when != When::Load;
    members::settle(journeys, &mut sequences);
    once::settle(journeys, &mut sequences, ordered);
    conditions::settle_lists(journeys, &mut sequences);
    for sequence in sequences.iter_mut().filter(has_users) {
        responses::settle(journeys, std::slice::from_mut(sequence));
    }
    conditions::settle(journeys, &mut sequences, ordered);
    tell_apart(&mut sequences);
    journeys.sequences = sequences;
}

/// Gives what is taken before the load another name where users take something of the same name, and so after the load.
fn tell_apart(sequences: &mut [Sequence]) {
    let taken = |sequences: &[Sequence], when: When| {
        let mut taken = BTreeSet::new();
        let those: Vec<Sequence> = sequences.iter().filter(|one| one.when == when).cloned().collect();
        each_kept(&those, &mut |name| {
            taken.insert(name.to_owned());
        });
        taken
    };
    for (when, other, word) in [
        (When::Before, When::Load, "before"),
        (When::After, When::Before, "after"),
    ] {
        let both: BTreeSet<String> = taken(sequences, when)
            .intersection(&taken(sequences, other))
            .cloned()
            .collect();
        if both.is_empty() {
            continue;
        }
        let renamed = |name: &str| format!("{name}_{word}");
        for sequence in sequences.iter_mut().filter(|sequence| sequence.when == when) {
            conditions::each(&mut sequence.steps, &mut |condition| {
                condition
                    .holds
                    .each_text(&mut |text| text.renamed(|name| both.contains(name).then(|| renamed(name))));
            });
            conditions::each_rounds(std::slice::from_mut(sequence), &mut |rounds| {
                for name in rounds.variables_mut().filter(|name| both.contains(&**name)) {
                    *name = renamed(name);
                }
                if let RoundsBy::Each {
                    list: List::Named(name) | List::Numbered(name, _),
                    ..
                } = &mut rounds.by
                    && both.contains(name)
                {
                    *name = renamed(name);
                }
            });
            crate::target::each_request(std::slice::from_mut(sequence), &mut |request| {
                each_text(request, &mut |text| {
                    text.renamed(|name| both.contains(name).then(|| renamed(name)))
                });
                for take in request.takes.iter_mut().filter(|take| both.contains(&take.variable)) {
                    take.variable = renamed(&take.variable);
                }
                true
            });
        }
    }
}

/// Calls `with` for the names of everything that users keep.
pub(crate) fn each_kept(sequences: &[Sequence], with: &mut dyn FnMut(&str)) {
    fn of_steps(steps: &[Step], with: &mut dyn FnMut(&str)) {
        for step in steps {
            match step {
                Step::Request(request) => {
                    let taken = request.takes.iter().filter(|take| take.from != TakeFrom::Other);
                    taken.for_each(|take| with(&take.variable));
                }
                Step::Rounds(rounds, _) => rounds.variables().for_each(&mut *with),
                Step::Pause(..) | Step::Repeat(..) | Step::OneOf(..) | Step::When(..) | Step::Once(..) => {}
            }
            step.inner().iter().for_each(|steps| of_steps(steps, with));
        }
    }
    sequences.iter().for_each(|sequence| of_steps(&sequence.steps, with));
}

/// What one user does before or after the load; nothing where no request is in it.
pub(super) fn around(
    taken: &mut Taken<'_>,
    journeys: &mut Journeys,
    variables: &Variables,
    sequences: &[Sequence],
    when: When,
) -> String {
    let mut writer = Writer {
        taken,
        variables,
        requests: 0,
        actions: 0,
        choices: 0,
    };
    let those = sequences.iter().filter(|sequence| sequence.when == when);
    let actions: String = those
        .map(|sequence| writer.actions(journeys, &sequence.place, &sequence.steps, 4))
        .collect();
    match (writer.requests, when) {
        (0, _) | (_, When::Load) => String::new(),
        (_, When::Before) => format!("  before:\n{actions}"),
        (_, When::After) => format!("  after:\n{actions}"),
    }
}

/// An entry for each sequence.
pub(super) fn entries(
    mut taken: Taken<'_>,
    journeys: &mut Journeys,
    variables: &Variables,
    sequences: &[Sequence],
) -> Result<Entries, ImportError> {
    let mut writer = Writer {
        taken: &mut taken,
        variables,
        requests: 0,
        actions: 0,
        choices: 0,
    };
    let mut texts = Vec::new();
    let mut names = BTreeSet::new();
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
        let name = called(&sequence.name);
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
    taken.end(journeys, entries)
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

/// What is done where something is so.
fn when(indent: usize, so: &[String], inner: &str) -> String {
    let blanks = " ".repeat(indent);
    let so: String = so.iter().map(|line| format!("{blanks}    {line}\n")).collect();
    format!("{blanks}- when:\n{so}{blanks}    actions:\n{inner}")
}

/// The keys of a condition as a plan has it.
fn keys_of(holds: &Holds, names: &BTreeMap<String, String>) -> Vec<String> {
    let text = |text: &Text| quoted(&template(text, names));
    let several = |several: &[Holds]| {
        let several = several
            .iter()
            .map(|one| format!("{{ {} }}", keys_of(one, names).join(", ")));
        several.collect::<Vec<_>>().join(", ")
    };
    match holds {
        // What is decided is no step any more.
        Holds::Always | Holds::Never => Vec::new(),
        Holds::Compared(value, relation, with) => {
            let with = match with.as_literal().filter(|_| relation.is_of_numbers()) {
                Some(number) => number.trim().to_owned(),
                None => text(with),
            };
            vec![
                format!("value: {}", text(value)),
                format!("{}: {with}", relation.word()),
            ]
        }
        Holds::All(all) => vec![format!("all: [{}]", several(all))],
        Holds::Any(any) => vec![format!("any: [{}]", several(any))],
        Holds::Not(one) => vec![format!("not: {{ {} }}", keys_of(one, names).join(", "))],
    }
}

struct Writer<'w, 'a> {
    taken: &'w mut Taken<'a>,
    variables: &'w Variables,
    requests: usize,
    actions: usize,
    /// How many choices the step is in.
    choices: usize,
}

impl Writer<'_, '_> {
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
                        let names = &self.variables.names;
                        let checks: Vec<String> = request.checks.iter().map(|one| check(&one.of, names)).collect();
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
                Step::Rounds(rounds, steps) => text.push_str(&self.rounds(journeys, rounds, steps, indent)),
                Step::OneOf(choice, branches) => {
                    text.push_str(&self.one_of(journeys, place, (*choice, branches), indent));
                }
                Step::Once(place, _, steps) => {
                    let before = self.requests;
                    let inner = self.actions(journeys, place, steps, indent + 6);
                    // What sends nothing is nothing that has to be done once.
                    if self.requests > before {
                        self.actions += 1;
                        text.push_str(&format!("{blanks}- once:\n{blanks}    actions:\n{inner}"));
                    }
                }
                Step::When(condition, steps) => {
                    let inner = self.actions(journeys, &condition.place, steps, indent + 6);
                    if !inner.is_empty() {
                        self.actions += 1;
                        text.push_str(&when(indent, &keys_of(&condition.holds, &self.variables.names), &inner));
                    }
                }
            }
        }
        text
    }

    /// A user has a number, or draws one, and each branch is for one. A branch of which nothing is left has one as well.
    fn one_of(
        &mut self,
        journeys: &mut Journeys,
        place: &Place,
        (choice, branches): (Choice, &[Vec<Step>]),
        indent: usize,
    ) -> String {
        let blanks = " ".repeat(indent);
        let source = self.variables.names.get(&choice.key(branches.len()));
        let source = source.cloned().unwrap_or_default();
        self.choices += 1;
        // One in another has a number of its own.
        let drawn = match (choice, self.choices) {
            (Choice::InTurn, _) => source.clone(),
            (Choice::ByChance, 1) => self.variables.free_name("drawn"),
            (Choice::ByChance, inner) => self.variables.free_name(&format!("drawn_{inner}")),
        };
        let mut text = String::new();
        for (at, steps) in (1..).zip(branches) {
            let inner = self.actions(journeys, place, steps, indent + 6);
            if !inner.is_empty() {
                self.actions += 1;
                let so = [
                    format!("value: \"${{{drawn}}}\""),
                    format!("is: {}", quoted(&at.to_string())),
                ];
                text.push_str(&when(indent, &so, &inner));
            }
        }
        self.choices -= 1;
        if text.is_empty() || choice == Choice::InTurn {
            return text;
        }
        self.actions += 1;
        format!("{blanks}- set: {{ {drawn}: \"${{{source}}}\" }}\n{text}")
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

    /// Rounds with something of their own. Where that is a number that nobody asks for, they are plain ones.
    fn rounds(&mut self, journeys: &mut Journeys, rounds: &Rounds, steps: &[Step], indent: usize) -> String {
        const MOST: u32 = MOST_ROUNDS as u32;
        let inner = self.actions(journeys, &rounds.place, steps, indent + 6);
        if inner.is_empty() {
            return inner;
        }
        self.actions += 1;
        let name = |name: &str| self.variables.names.get(name).cloned().unwrap_or_default();
        let condition =
            |condition: &Condition| format!("{{ {} }}", keys_of(&condition.holds, &self.variables.names).join(", "));
        let mut lines = match &rounds.by {
            RoundsBy::Times(times) => vec![format!("times: {times}")],
            RoundsBy::While(so) => vec![format!("while: {}", condition(so)), format!("at most: {MOST}")],
            RoundsBy::Until(so) => vec![format!("until: {}", condition(so)), format!("at most: {MOST}")],
            RoundsBy::Each { variable, list, most } => {
                let list = match list {
                    List::Named(list) | List::Numbered(list, _) => format!("\"${{{}}}\"", name(list)),
                    List::Values(values) => {
                        let plain = |value: &String| quoted(&template(&Text::literal(value), &self.variables.names));
                        format!("[{}]", values.iter().map(plain).collect::<Vec<_>>().join(", "))
                    }
                };
                let most = most.map(|most| format!("at most: {}", most.min(MOST)));
                let each = format!("for each: {{ {}: {list} }}", quoted(&name(variable)));
                std::iter::once(each).chain(most).collect()
            }
        };
        let count = rounds.count.as_ref().map(|(count, from)| (name(count), from));
        let used = count.filter(|(count, _)| inner.contains(&format!("${{{count}}}")));
        lines.extend(used.map(|(count, from)| format!("count: {{ {}: {from} }}", quoted(&count))));
        let blanks = " ".repeat(indent);
        let lines: String = lines.iter().map(|line| format!("{blanks}    {line}\n")).collect();
        format!("{blanks}- repeat:\n{lines}{blanks}    actions:\n{inner}")
    }

    fn take(&self, take: &Take) -> Option<String> {
        let name = self.variables.names.get(&take.variable)?;
        Some(format!("{}: {}", quoted(name), value(take)?))
    }
}
