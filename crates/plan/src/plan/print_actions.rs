//! Actions as a plan has them.

use crate::duration_text;
use crate::notation::json::Json;
use crate::plan::action::{Action, Each, EachOf, OnFailure, Pause, Receivers, RoundsBy};
use crate::plan::condition::{Comparison, Condition};
use crate::plan::print_request::{Secrets, map, message_keys, message_text, print_request};
use crate::plan::take::{Check, Take, TakeFrom};
use crate::plan::template::{Piece, Template};
use crate::secrets::{REDACTED, Secret};

pub(crate) fn print_actions(actions: &[Action], names: &[&str], secrets: Secrets) -> Json {
    let actions = actions.iter().map(|action| match action {
        Action::Repeat(repeat) => {
            let every = ("every", duration_text(repeat.every).into());
            let actions = ("actions", print_actions(&repeat.actions, names, secrets));
            map([("repeat", map([every, actions]))])
        }
        Action::Request(action) => {
            let url = action.url.as_ref().map(|url| ("url", url.to_string().into()));
            let takes = Some(&action.takes).filter(|takes| !takes.is_empty());
            let takes = takes.map(|takes| ("take", print_takes(takes, names, secrets)));
            let checks = Some(&action.checks).filter(|checks| !checks.is_empty());
            let checks = checks.map(|checks| ("check", print_checks(checks, names, secrets)));
            let on_failure = Some(action.on_failure).filter(|then| *then != OnFailure::default());
            let on_failure = on_failure.map(|then| ("on_failure", then.as_str().into()));
            let beside = url
                .into_iter()
                .chain(takes)
                .chain(checks)
                .chain(on_failure)
                .chain(print_receivers(action.receivers));
            map([("request", print_request(&action.request, beside, names, secrets))])
        }
        Action::Send(action) => {
            let request = &action.request;
            let (word, key) = message_keys(request);
            let text = message_text(request, names, secrets);
            let entries = [("name", request.name.as_str().into()), (key, text)];
            let entries = entries.into_iter().chain(print_receivers(action.receivers));
            let entries = entries.map(|(key, value)| (key.to_owned(), value));
            map([(word, Json::Map(entries.collect()))])
        }
        Action::Set(set) => {
            let set = set.iter().map(|set| {
                let value = shown_template(&set.value, names, secrets);
                (name_of(set.variable, names), value)
            });
            map([("set", Json::Map(set.collect()))])
        }
        Action::Rounds(rounds) => {
            let most = rounds.most.into();
            let mut entries = match &rounds.by {
                RoundsBy::Times => vec![("times", most)],
                RoundsBy::Until(until) => vec![("until", print_condition(until, names, secrets)), ("at most", most)],
                RoundsBy::While(so) => vec![("while", print_condition(so, names, secrets)), ("at most", most)],
                RoundsBy::Each(each) => vec![("for each", print_each(each, names, secrets)), ("at most", most)],
            };
            let count = rounds
                .count
                .map(|count| (name_of(count.variable, names), count.from.into()));
            entries.extend(count.map(|count| ("count", Json::Map(vec![count]))));
            entries.push(("every", duration_text(rounds.every).into()));
            entries.push(("actions", print_actions(&rounds.actions, names, secrets)));
            let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
            map([("repeat", Json::Map(entries.collect()))])
        }
        Action::Chance(chance) => {
            let actions = ("actions", print_actions(&chance.actions, names, secrets));
            map([("chance", map([("of", chance.of.to_string().into()), actions]))])
        }
        Action::When(when) => {
            let mut when_so = print_condition(&when.condition, names, secrets);
            if let Json::Map(entries) = &mut when_so {
                let actions = print_actions(&when.actions, names, secrets);
                entries.push(("actions".to_owned(), actions));
            }
            map([("when", when_so)])
        }
        Action::Pause(pause) => map([("pause", print_pause(*pause))]),
        Action::Once(actions) => {
            let actions = ("actions", print_actions(actions, names, secrets));
            map([("once", map([actions]))])
        }
    });
    Json::List(actions.collect())
}

fn print_pause(pause: Pause) -> Json {
    let times = match pause {
        Pause::Between { from, to } if from == to => return duration_text(from).into(),
        Pause::Between { from, to } => vec![("from", from), ("to", to)],
        Pause::Exponential { mean } => vec![("mean", mean)],
        Pause::Normal { mean, deviation } => vec![("mean", mean), ("deviation", deviation)],
    };
    let times = times
        .into_iter()
        .map(|(key, time)| (key.to_owned(), duration_text(time).into()));
    Json::Map(times.collect())
}

fn print_takes(takes: &[Take], names: &[&str], secrets: Secrets) -> Json {
    let takes = takes.iter().map(|take| {
        let from = match &take.from {
            TakeFrom::Json(path) => map([("json", path.to_string().into())]),
            TakeFrom::Header(name) => map([("header", name.as_str().into())]),
            TakeFrom::Cookie(name) => map([("cookie", name.as_str().into())]),
            TakeFrom::Between { after, before } => {
                let around = [("after", after), ("before", before)];
                map([("between", map(around.map(|(key, text)| (key, shown(text, secrets)))))])
            }
            TakeFrom::Regex { pattern, group, all } => {
                // What is redacted has no groups.
                let group = group.filter(|_| matches!(secrets, Secrets::Kept));
                let group = group.map(|group| ("group".to_owned(), group.into()));
                let regex = ("regex".to_owned(), shown(pattern.text(), secrets));
                let all = all.then(|| ("all".to_owned(), Json::Bool(true)));
                Json::Map(std::iter::once(regex).chain(group).chain(all).collect())
            }
        };
        (name_of(take.variable, names), from)
    });
    Json::Map(takes.collect())
}

fn print_checks(checks: &[Check], names: &[&str], secrets: Secrets) -> Json {
    // A report says what was checked, but for what the environment gave.
    let shown_text = |template: &Template| match template.is_sealed() {
        true => shown_template(template, names, secrets),
        false => template.to_text(names).unwrap_or_default().into(),
    };
    let with_expected = |value, expected: &Option<Comparison>| match expected {
        None => map([value]),
        Some(expected) => map([value, (expected.relation.word(), shown_text(&expected.with))]),
    };
    let checks = checks.iter().map(|check| match check {
        Check::Json(path, expected) => with_expected(("json", path.to_string().into()), expected),
        Check::Header(name, expected) => with_expected(("header", name.as_str().into()), expected),
        Check::Body(text) => map([("body", shown_text(text))]),
        Check::Lacks(text) => map([("lacks", shown_text(text))]),
        Check::Matches(pattern) => map([("matches", shown(pattern.text(), secrets))]),
        Check::Time(most) => map([("time", duration_text(*most).into())]),
        Check::Size { at_least, at_most } => {
            let bounds = [("at least", *at_least), ("at most", *at_most)];
            map([("size", map(bounds.map(|(key, bytes)| (key, bytes.into()))))])
        }
    });
    Json::List(checks.collect())
}

fn print_condition(condition: &Condition, names: &[&str], secrets: Secrets) -> Json {
    let several = |several: &[Condition]| {
        let several = several
            .iter()
            .map(|condition| print_condition(condition, names, secrets));
        Json::List(several.collect())
    };
    match condition {
        Condition::Value(value, Comparison { relation, with }) => {
            let value = ("value", shown_template(value, names, secrets));
            // A number is no secret, unless the environment gave it.
            let with = match relation.is_of_numbers() && !with.is_sealed() {
                true => with.to_text(names).unwrap_or_default().into(),
                false => shown_template(with, names, secrets),
            };
            map([value, (relation.word(), with)])
        }
        Condition::All(all) => map([("all", several(all))]),
        Condition::Any(any) => map([("any", several(any))]),
        Condition::Not(condition) => map([("not", print_condition(condition, names, secrets))]),
    }
}

fn print_each(each: &Each, names: &[&str], secrets: Secrets) -> Json {
    let list = match &each.of {
        EachOf::Variable(list) => shown_template(&Template::of([Piece::Variable(*list)]), names, secrets),
        EachOf::Values(values) => {
            let values = values.iter().map(|value| shown_template(value, names, secrets));
            Json::List(values.collect())
        }
    };
    Json::Map(vec![(name_of(each.variable, names), list)])
}

fn name_of(variable: usize, names: &[&str]) -> String {
    names.get(variable).copied().unwrap_or_default().to_owned()
}

/// A text with its variables in their places; redacted where there is anything besides.
fn shown_template(template: &Template, names: &[&str], secrets: Secrets) -> Json {
    match secrets {
        Secrets::Redacted if template.literals().next().is_some() => REDACTED.into(),
        _ => template.to_text(names).unwrap_or_default().into(),
    }
}

fn shown(text: &Secret, secrets: Secrets) -> Json {
    match secrets {
        Secrets::Kept => text.reveal().into(),
        Secrets::Redacted => REDACTED.into(),
    }
}

/// How many a message comes to, where that is not one.
fn print_receivers(receivers: Receivers) -> Option<(&'static str, Json)> {
    (receivers != Receivers::default()).then(|| ("receivers", receivers.text().into()))
}
