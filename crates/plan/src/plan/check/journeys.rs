//! The rules about what users do.

use super::lists::check_lists;
use super::{Checked, flaw, rule};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::duration_text;
use crate::plan::action::{self, Action, EachOf, OnFailure, Pause, Rounds, RoundsBy};
use crate::plan::condition::Condition;
use crate::plan::draft::PlanDraft;
use crate::plan::flaw::Flaw;
use crate::plan::load::Load;
use crate::plan::request::{Request, is_token};
use crate::plan::scenario::Scenario;
use crate::plan::take::{Check, TakeFrom, kept_place};
use crate::plan::template::{Piece, Template};
use crate::plan::variable::Values;
use std::collections::HashSet;
use std::time::Duration;

const KEY: &str = "scenario.journeys";
const MOST_WEIGHT: u64 = 10_000;
/// All actions of a journey, those inside others included.
const MOST_ACTIONS: usize = 1_000;
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

pub(super) fn check_journeys(plan: &PlanDraft) -> Checked {
    let scenario = &plan.scenario;
    check_lists(scenario)?;
    let kept = check_around(plan)?;
    check_per_user(plan)?;
    if scenario.journeys.is_empty() {
        return scenario
            .all_requests()
            .try_for_each(|request| check_taken("scenario.requests", request, scenario, &kept));
    }
    let expected = "one of them: what users do is in `journeys` alone";
    rule(scenario.requests.is_empty(), KEY, "`journeys` and `requests`", expected)?;
    rule(
        !matches!(plan.load, Load::Hold(_)),
        "load.model",
        "journeys, and connections that are held",
        "`open` or `closed`: users come and go",
    )?;
    rule(
        plan.connections.pipelining == 1,
        "connections.pipelining",
        "pipelining, and journeys",
        "`1`: a user waits for each response",
    )?;
    let weight: u64 = scenario.journeys.iter().map(|journey| u64::from(journey.weight)).sum();
    let most = format!("at most {MOST_WEIGHT}");
    rule(
        weight <= MOST_WEIGHT,
        KEY,
        format!("weights that add up to {weight}"),
        most,
    )?;
    let mut names = HashSet::new();
    for (index, journey) in scenario.journeys.iter().enumerate() {
        let key = format!("{KEY}[{index}]");
        let name = format!("{key}.name");
        rule(!journey.name.is_empty(), &name, "no name", "a name for the journey")?;
        let found = format!("a second journey named {}", quoted(&journey.name));
        rule(names.insert(&journey.name), &name, found, "a different `name` for each")?;
        rule(
            journey.weight > 0,
            format!("{key}.weight"),
            "`0`",
            "a weight of at least 1",
        )?;
        let key = format!("{key}.actions");
        check_user(&key, &journey.actions, scenario, &mut kept.clone())?;
        check_once(&key, &journey.actions, true)?;
    }
    Ok(())
}

/// A connection of one user carries one request at a time, and is there when the user is.
fn check_per_user(plan: &PlanDraft) -> Checked {
    let connections = &plan.connections;
    if !connections.per_user {
        return Ok(());
    }
    rule(
        !plan.scenario.journeys.is_empty(),
        "connections.per_user",
        "connections of users, and no journeys",
        "`scenario.journeys`: what a user does from the first request to the last",
    )?;
    rule(
        connections.keep_alive,
        "connections.per_user",
        "connections of users without `keep_alive`",
        "one of them: without it each request has a connection of its own",
    )?;
    rule(
        connections.min == 0,
        "connections.min",
        "connections of users, and others at the start",
        "one of them: a user opens its connection for its first request",
    )?;
    rule(
        connections.streams.is_none_or(|streams| streams == 1),
        "connections.streams",
        "connections of users, and several streams on each",
        "`1`: a user waits for each response",
    )
}

/// The rules about what is done before and after the load. Gives the values that are there then for all.
fn check_around(plan: &PlanDraft) -> Result<HashSet<usize>, Flaw> {
    let scenario = &plan.scenario;
    let mut kept = HashSet::new();
    for (key, actions) in [
        ("scenario.before", &scenario.before),
        ("scenario.after", &scenario.after),
    ] {
        if actions.is_empty() {
            continue;
        }
        let target = &plan.target;
        rule(
            !target.url.scheme.is_web_socket(),
            key,
            "actions before or after the load, and WebSockets",
            "a URL that begins with `http`",
        )?;
        let mut needs_row = false;
        action::each_template(actions, &mut |template| {
            let mut variables = template
                .variables()
                .filter_map(|variable| scenario.variables.get(variable));
            needs_row |= variables.any(|variable| matches!(variable.values, Values::Column(_)));
        });
        rule(
            !needs_row,
            key,
            "a row of a table",
            "other values: rows are for the users of the load",
        )?;
        let mut taken = kept.clone();
        check_user(key, actions, scenario, &mut taken)?;
        check_once(key, actions, false)?;
        if key == "scenario.before" {
            kept = taken;
        }
    }
    Ok(kept)
}

/// The rules about what one user does who has these values.
fn check_user(key: &str, actions: &[Action], scenario: &Scenario, taken: &mut HashSet<usize>) -> Checked {
    let count = count(actions);
    let most = format!("at most {MOST_ACTIONS}");
    rule(count <= MOST_ACTIONS, key, format!("{count} actions"), most)?;
    rule(
        has_request(actions),
        key,
        "no `request`",
        "at least one: a user who sends nothing makes no load",
    )?;
    check_in_order(key, actions, scenario, taken)
}

fn count(actions: &[Action]) -> usize {
    actions.iter().map(|action| 1 + count(action.inner())).sum()
}

fn has_request(actions: &[Action]) -> bool {
    let is_or_has = |action: &Action| matches!(action, Action::Request(_)) || has_request(action.inner());
    actions.iter().any(is_or_has)
}

/// Checks actions in the order in which a user comes to them; `taken` are the values that the user has for sure.
fn check_in_order(key: &str, actions: &[Action], scenario: &Scenario, taken: &mut HashSet<usize>) -> Checked {
    rule(!actions.is_empty(), key, "no action", "at least one")?;
    for (index, action) in actions.iter().enumerate() {
        let key = format!("{key}[{index}]");
        match action {
            Action::Request(action) => {
                let key = format!("{key}.request");
                check_taken(&key, &action.request, scenario, taken)?;
                for (index, check) in action.checks.iter().enumerate() {
                    check_check(&format!("{key}.check[{index}]"), check, scenario, taken)?;
                }
                // Who goes on after a failure has nothing of what was to be taken.
                let mut left = HashSet::new();
                let has = match action.on_failure {
                    OnFailure::End => &mut *taken,
                    OnFailure::Continue => &mut left,
                };
                for take in &action.takes {
                    let name = scenario
                        .variables
                        .get(take.variable)
                        .map_or("", |variable| &variable.name);
                    check_take(&format!("{key}.take.{name}"), &take.from)?;
                    has.insert(take.variable);
                }
            }
            Action::Pause(pause) => check_pause(&format!("{key}.pause"), *pause)?,
            Action::Set(set) => {
                for set in set {
                    let name = &scenario.variables[set.variable].name;
                    check_kept(&format!("{key}.set.{name}"), &set.value, scenario, taken)?;
                    taken.insert(set.variable);
                }
            }
            Action::Rounds(rounds) => check_rounds(&format!("{key}.repeat"), rounds, scenario, taken)?,
            Action::Chance(chance) => {
                let share = chance.of.value();
                let key = format!("{key}.chance");
                let found = chance.of.to_string();
                rule(share > 0.0, format!("{key}.of"), found, "a share above 0%")?;
                // Who left them out has nothing of what they take.
                check_in_order(&format!("{key}.actions"), &chance.actions, scenario, &mut taken.clone())?;
            }
            Action::When(when) => {
                let key = format!("{key}.when");
                check_condition(&key, &when.condition, scenario, taken)?;
                check_in_order(&format!("{key}.actions"), &when.actions, scenario, &mut taken.clone())?;
            }
            Action::Once(actions) => {
                let key = format!("{key}.once");
                let expected = "a `request` among the actions";
                rule(has_request(actions), &key, "a `once` that sends nothing", expected)?;
                // Who did them before has what they took.
                check_in_order(&format!("{key}.actions"), actions, scenario, taken)?;
            }
            Action::Repeat(_) | Action::Send(_) => {
                let mismatch = Mismatch::new("a `repeat` without an end", "`times`, or `until` and `at most`");
                return flaw(key, mismatch);
            }
        }
    }
    Ok(())
}

/// That actions which are done once are where it is known whether they were done: at the top of a journey.
fn check_once(key: &str, actions: &[Action], is_top: bool) -> Checked {
    for (index, action) in actions.iter().enumerate() {
        let key = format!("{key}[{index}].{}", action.word());
        let is_once = matches!(action, Action::Once(_));
        let expected = "one among the actions of a journey itself";
        rule(is_top || !is_once, &key, "a `once` elsewhere", expected)?;
        check_once(&format!("{key}.actions"), action.inner(), false)?;
    }
    Ok(())
}

/// Whether the user has every value that is in a request.
fn check_taken(key: &str, request: &Request, scenario: &Scenario, taken: &HashSet<usize>) -> Checked {
    let headers = request
        .headers
        .iter()
        .map(|(name, value)| (format!("{key}.headers.{name}"), value));
    let path = (format!("{key}.path"), &request.path);
    // The key under which a body is written is not known any more; that of the request is near enough.
    let body = (key.to_owned(), &request.body);
    let mut all = [path, body].into_iter().chain(headers);
    all.try_for_each(|(key, template)| check_kept(&key, template, scenario, taken))
}

/// Whether the user has every value that is in a template.
fn check_kept(key: &str, template: &Template, scenario: &Scenario, taken: &HashSet<usize>) -> Checked {
    for variable in template.variables() {
        let Some(kept) = kept_place(&scenario.variables, variable) else {
            continue;
        };
        if !taken.contains(&kept) {
            let name = quoted(&scenario.variables[kept].name);
            let found = format!("{name}, which no action before this one takes for sure");
            let mismatch = Mismatch::new(found, "a value that every user has by then").plain();
            return flaw(
                key,
                mismatch.hint("take or set it before, on every way that leads here"),
            );
        }
    }
    Ok(())
}

/// Whether the user has every value that a condition is about.
fn check_condition(key: &str, condition: &Condition, scenario: &Scenario, taken: &HashSet<usize>) -> Checked {
    let (count, most) = (condition.comparisons(), Condition::MOST);
    let found = format!("{count} comparisons");
    rule(count <= most, key, found, format!("at most {most}"))?;
    let mut checked = Ok(());
    condition.each_template(key, &mut |key, template| {
        if checked.is_ok() {
            checked = check_kept(key, template, scenario, taken);
        }
    });
    checked
}

fn check_rounds(key: &str, rounds: &Rounds, scenario: &Scenario, taken: &mut HashSet<usize>) -> Checked {
    let number = match rounds.by {
        RoundsBy::Times => format!("{key}.times"),
        RoundsBy::Until(_) | RoundsBy::While(_) | RoundsBy::Each(_) => format!("{key}.at most"),
    };
    let most = Rounds::MOST;
    let found = format!("{} rounds", rounds.most);
    rule((1..=most).contains(&rounds.most), number, found, format!("1 to {most}"))?;
    let most = format!("at most {}", duration_text(LONGEST_PAUSE));
    let every = duration_text(rounds.every);
    rule(rounds.every <= LONGEST_PAUSE, format!("{key}.every"), every, most)?;
    let expected = "a `request` among the actions";
    rule(
        has_request(&rounds.actions),
        key,
        "a `repeat` that sends nothing",
        expected,
    )?;
    let is_known = |word: &str, condition: &Condition, taken: &HashSet<usize>| {
        check_condition(&format!("{key}.{word}"), condition, scenario, taken)
    };
    let mut within = taken.clone();
    match &rounds.by {
        RoundsBy::Times | RoundsBy::Until(_) => {}
        RoundsBy::While(so) => is_known("while", so, taken)?,
        RoundsBy::Each(each) => {
            let key = format!("{key}.for each");
            let values: &[Template] = match &each.of {
                EachOf::Variable(list) => &[Template::of([Piece::Variable(*list)])],
                EachOf::Values(values) => values,
            };
            values
                .iter()
                .try_for_each(|value| check_kept(&key, value, scenario, taken))?;
            within.insert(each.variable);
        }
    }
    within.extend(rounds.count.map(|count| count.variable));
    check_in_order(&format!("{key}.actions"), &rounds.actions, scenario, &mut within)?;
    if let RoundsBy::Until(until) = &rounds.by {
        is_known("until", until, &within)?;
    }
    if rounds.is_done_once() {
        // Who does no round has nothing of what is taken in one.
        *taken = within;
    }
    Ok(())
}

fn check_take(key: &str, from: &TakeFrom) -> Checked {
    match from {
        TakeFrom::Json(_) => Ok(()),
        TakeFrom::Header(name) => check_header(&format!("{key}.header"), name),
        TakeFrom::Cookie(name) => rule(
            is_token(name),
            format!("{key}.cookie"),
            quoted(name),
            "the name of a cookie",
        ),
        TakeFrom::Regex { pattern, group, .. } => {
            let (groups, group) = (pattern.groups(), group.unwrap_or_default());
            rule(
                group <= groups,
                format!("{key}.group"),
                format!("group {group} of {groups}"),
                "a group that the expression has",
            )
        }
        TakeFrom::Between { after, before } => {
            let key = format!("{key}.between");
            let expected = "text: what is taken begins behind it";
            rule(!after.reveal().is_empty(), format!("{key}.after"), "nothing", expected)?;
            let expected = "text: what is taken ends in front of it";
            rule(
                !before.reveal().is_empty(),
                format!("{key}.before"),
                "nothing",
                expected,
            )
        }
    }
}

fn check_check(key: &str, check: &Check, scenario: &Scenario, taken: &HashSet<usize>) -> Checked {
    let word = match check {
        Check::Json(_, Some(expected)) | Check::Header(_, Some(expected)) => expected.relation.word(),
        Check::Lacks(_) => "lacks",
        _ => "body",
    };
    let of_text = format!("{key}.{word}");
    if let Some(text) = check.text() {
        check_kept(&of_text, text, scenario, taken)?;
    }
    match check {
        Check::Json(..) => Ok(()),
        Check::Header(name, _) => check_header(&format!("{key}.header"), name),
        Check::Body(text) | Check::Lacks(text) => rule(!text.is_empty(), of_text, "nothing", "text that is looked for"),
        Check::Matches(_) => Ok(()),
        Check::Time(most) => rule(!most.is_zero(), format!("{key}.time"), "0s", "a time above zero"),
        Check::Size { at_least, at_most } => rule(
            at_least <= at_most,
            format!("{key}.size"),
            format!("a size from {at_least} to {at_most}"),
            "the lower number at `at least`",
        ),
    }
}

fn check_header(key: &str, name: &str) -> Checked {
    rule(is_token(name), key, quoted(name), "the name of a header")
}

fn check_pause(key: &str, pause: Pause) -> Checked {
    match pause {
        Pause::Between { from, to } => {
            let found = format!("a pause from {} to {}", duration_text(from), duration_text(to));
            rule(from <= to, key, found, "the shorter time at `from`")?;
        }
        Pause::Exponential { .. } => {}
        Pause::Normal { mean, deviation } => {
            let found = format!(
                "a deviation of {} from {}",
                duration_text(deviation),
                duration_text(mean)
            );
            rule(deviation <= mean, key, found, "one that is no longer than the mean")?;
        }
    }
    let longest = pause.longest();
    rule(!longest.is_zero(), key, "0s", "a time above zero")?;
    let most = format!("at most {}", duration_text(LONGEST_PAUSE));
    rule(longest <= LONGEST_PAUSE, key, duration_text(longest), most)
}
