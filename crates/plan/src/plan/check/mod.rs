//! The rules about a plan as a whole, whether it comes from a file or from the command line.

mod actions;
mod fleet;
mod http;
mod journeys;
mod lists;
mod load;
mod scenario;
mod stand_in;
mod target;
mod web_socket;

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::{Level, Rate, duration_text};
use crate::plan::connections::Connections;
use crate::plan::cycle::cycle;
use crate::plan::draft::PlanDraft;
use crate::plan::flaw::Flaw;
use crate::plan::limit::Limit;
use crate::plan::load::Load;
use crate::plan::objective::Objective;
use crate::plan::scenario::{REQUESTS_APART_MAX, Scenario};
use crate::plan::search::SearchUnit;
use crate::plan::sizing::Sizing;
use load::{check_closed, check_hold, check_open};
use scenario::check_scenario;
use std::collections::HashSet;
use std::time::Duration;
use target::check_target;

type Checked = Result<(), Flaw>;

const MOST_CONNECTIONS: u32 = 4_000_000;
const MOST_PIPELINING: u32 = 1_024;
const MOST_HEADROOM: f64 = 0.99;

fn flaw(key: impl Into<String>, mismatch: Mismatch) -> Checked {
    Err(Flaw {
        key: key.into(),
        mismatch,
    })
}

/// A flaw in `key` unless `holds`.
fn rule(holds: bool, key: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Checked {
    if holds {
        Ok(())
    } else {
        flaw(key, Mismatch::new(found, expected))
    }
}

pub(crate) fn check(plan: &PlanDraft) -> Checked {
    check_target(&plan.target)?;
    actions::check_actions(plan)?;
    journeys::check_journeys(plan)?;
    check_scenario(&plan.scenario)?;
    check_objectives(plan)?;
    match &plan.load {
        Load::Open(open) => check_open(open)?,
        Load::Closed(closed) => check_closed(closed)?,
        Load::Hold(hold) => {
            check_hold(hold, &plan.target.url)?;
            rule(
                hold.ports.is_empty() || plan.target.proxy.is_none(),
                "load.ports",
                "ports of the service, and a proxy",
                "one of them",
            )?;
            rule(
                plan.target.follow_redirects == 0,
                "target.follow_redirects",
                "redirects to follow, and connections that are held",
                "one of them: a parked request waits for the response of its own connection",
            )?;
        }
    }
    check_judging(plan)?;
    check_search(plan)?;
    check_sizing(&plan.sizing)?;
    plan.fleet.as_ref().map_or(Ok(()), fleet::check_fleet)?;
    check_connections(&plan.connections)?;
    http::check_http(plan)?;
    web_socket::check_web_socket(plan)
}

fn check_objectives(plan: &PlanDraft) -> Checked {
    let PlanDraft {
        objectives,
        scenario,
        load,
        target,
        ..
    } = plan;
    // Held connections are to last, whether anything else is asked for or not.
    let enough = !objectives.is_empty() || matches!(load, Load::Hold(_));
    rule(enough, "objectives", "no objective", "at least one")?;
    let mut subjects = HashSet::new();
    for (index, objective) in objectives.iter().enumerate() {
        let key = format!("objectives[{index}]");
        let subject = objective.subject();
        let possible = match objective.limit {
            Limit::Cpu { max } | Limit::Throttled { max } => max.value() > 0.0,
            Limit::Memory { max } => max.bytes() > 0,
            Limit::ResponseTime { quantile, max }
            | Limit::HandshakeTime { quantile, max }
            | Limit::OpeningTime { quantile, max }
            | Limit::JourneyTime { quantile, max }
            | Limit::MessageTime { quantile, max }
            | Limit::LoopDelay { quantile, max } => quantile.value() > 0.0 && !max.is_zero(),
            Limit::Errors { .. } | Limit::JourneyFailed { .. } => true,
            Limit::AchievedRate { min } | Limit::Held { min } => min.value() > 0.0,
        };
        match (&objective.request, objective.limit) {
            (journey, limit @ (Limit::JourneyTime { .. } | Limit::JourneyFailed { .. })) => {
                check_journey_of(&key, journey.as_deref(), limit, scenario)?;
            }
            (Some(request), limit) => check_request_of(&key, request, limit, scenario)?,
            (None, _) => {}
        }
        rule(possible, &key, quoted(&objective.to_string()), "a bound above zero")?;
        rule(
            target.url.scheme.is_secure() || !matches!(objective.limit, Limit::HandshakeTime { .. }),
            &key,
            "an objective about TLS handshakes, and a URL that does not begin with `https`",
            "a URL such as https://127.0.0.1:3000",
        )?;
        let opens = target.url.scheme.is_web_socket() && !matches!(load, Load::Hold(_));
        rule(
            opens || !matches!(objective.limit, Limit::OpeningTime { .. }),
            &key,
            "an objective about openings, and no messages over WebSockets that have responses",
            "a URL such as ws://127.0.0.1:3000, and `open` or `closed` as the model of `load`",
        )?;
        rule(
            matches!(load, Load::Hold(_)) || !objective.limit.is_of_held(),
            &key,
            format!("an objective about {subject}, and a load that holds no connections"),
            "`model: hold` under `load`",
        )?;
        rule(
            scenario.repeated().is_some() || !matches!(objective.limit, Limit::MessageTime { .. }),
            &key,
            "an objective about messages, and connections that send none",
            "`actions` in the scenario, which say what is sent",
        )?;
        let is_watched = target.command.is_some() || target.running.is_some();
        rule(
            is_watched || !matches!(objective.limit, Limit::Memory { .. } | Limit::Throttled { .. }),
            &key,
            format!("an objective about {subject}, and a service that is not watched"),
            "a `command`, a `pid`, a `container` or a `fleet_target` in the target",
        )?;
        rule(
            target.is_started() || !matches!(objective.limit, Limit::LoopDelay { .. }),
            &key,
            format!("an objective about {subject}, and a service that plimsoll does not start"),
            "a `command` in the target: the delay is measured by the probe in it",
        )?;
        let found = format!("a second objective about {subject}");
        rule(subjects.insert(subject), &key, found, "one objective about each")?;
    }
    Ok(())
}

/// Whether the journey that an objective is about, or any, is in the scenario, and has metrics of its own.
fn check_journey_of(key: &str, journey: Option<&str>, limit: Limit, scenario: &Scenario) -> Checked {
    let expected = "`journeys` in the scenario";
    rule(
        !scenario.journeys.is_empty(),
        key,
        "an objective about journeys",
        expected,
    )?;
    let Some(name) = journey else { return Ok(()) };
    let names = || scenario.journeys.iter().map(|journey| journey.name.as_str());
    let all_are_apart = scenario.counted_requests().count() <= REQUESTS_APART_MAX;
    // Its time is kept with its first request, and who failed with the request that did.
    let ends = matches!(limit, Limit::JourneyFailed { .. });
    let journey = scenario.journeys.iter().find(|journey| journey.name == name);
    let behind = journey.filter(|_| ends).map_or(1, |journey| journey.requests().len());
    match scenario.place_of_journey(name) {
        Some(first) if all_are_apart || first + behind < REQUESTS_APART_MAX => Ok(()),
        Some(_) => {
            let found = format!("an objective about the journey {}", quoted(name));
            let does = if ends {
                "has its requests among"
            } else {
                "begins with one of"
            };
            let expected = format!(
                "one that {does} the first {} requests, which are kept apart",
                REQUESTS_APART_MAX - 1
            );
            flaw(key, Mismatch::new(found, expected))
        }
        None => {
            let found = format!(
                "an objective about {}, which is no journey of the scenario",
                quoted(name)
            );
            flaw(
                key,
                Mismatch::new(found, "the name of a journey").nearest(name, names()),
            )
        }
    }
}

/// Whether the request that an objective is about is in the scenario, and has metrics of its own.
fn check_request_of(key: &str, request: &str, limit: Limit, scenario: &Scenario) -> Checked {
    let names = || scenario.counted_requests().map(|request| request.name.as_str());
    match names().position(|name| name == request) {
        // From there on they share the last place.
        Some(place) if names().count() <= REQUESTS_APART_MAX || place < REQUESTS_APART_MAX - 1 => Ok(()),
        Some(place) => {
            let found = format!(
                "an objective about request {} of the scenario, {}",
                place + 1,
                quoted(request)
            );
            flaw(
                key,
                Mismatch::new(
                    found,
                    format!("one of the first {}, which are kept apart", REQUESTS_APART_MAX - 1),
                ),
            )
        }
        None => {
            let found = format!(
                "an objective about {}, which is no request of the scenario",
                quoted(request)
            );
            let mismatch = Mismatch::new(found, "the name of a request");
            let is_journey = scenario.place_of_journey(request).is_some();
            let hint = match limit {
                Limit::ResponseTime { quantile, max } if is_journey => {
                    let of_journey = Objective {
                        zone: None,
                        request: Some(request.to_owned()),
                        limit: Limit::JourneyTime { quantile, max },
                    };
                    mismatch.hint(format!("it is a journey: write `{}`", of_journey.subject()))
                }
                Limit::Errors { max } if is_journey => {
                    let of_journey = Objective {
                        zone: None,
                        request: Some(request.to_owned()),
                        limit: Limit::JourneyFailed { max },
                    };
                    mismatch.hint(format!("it is a journey: write `{}`", of_journey.subject()))
                }
                _ => mismatch.nearest(request, names()),
            };
            flaw(key, hint)
        }
    }
}

fn check_path(key: &str, path: &[u8], first: bool) -> Checked {
    let text = String::from_utf8_lossy(path);
    // Of what is no path there is no telling what is a secret.
    let expected = "a path that begins with `/`";
    let begin: String = text.chars().take(1).collect();
    rule(
        !first || path.starts_with(b"/"),
        key,
        format!("a path that begins with {}", quoted(&begin)),
        expected,
    )?;
    if let Some(bad) = text.chars().find(|c| !c.is_ascii_graphic() || *c == '#') {
        let bad = bad.to_string();
        let encoded: String = bad.bytes().map(|b| format!("%{b:02X}")).collect();
        let mismatch = Mismatch::new(
            format!("{} in a path", quoted(&bad)),
            "a path in ASCII without spaces and `#`",
        );
        return flaw(key, mismatch.hint(format!("write `{encoded}` for {}", quoted(&bad))));
    }
    Ok(())
}

fn check_judging(plan: &PlanDraft) -> Checked {
    let judging = &plan.judging;
    above_zero("judging.window", judging.window)?;
    let share = judging.passing_windows;
    rule(
        share.value() > 0.0,
        "judging.passing_windows",
        share.to_string(),
        "a share above 0%",
    )?;
    let Some(duration) = plan.load.duration() else {
        return Ok(());
    };
    let (found, left) = (duration_text(judging.window), duration.saturating_sub(judging.warm_up));
    let longest = format!("at most the {} of the load", duration_text(duration));
    rule(
        judging.window <= duration,
        "judging.window",
        format!("a window of {found}"),
        longest,
    )?;
    let found = format!("a warm-up of {}", duration_text(judging.warm_up));
    let expected = format!(
        "one that leaves a window of {} in {}",
        duration_text(judging.window),
        duration_text(duration)
    );
    rule(judging.window <= left, "judging.warm_up", found, expected)
}

fn check_search(plan: &PlanDraft) -> Checked {
    let (search, window) = (&plan.search, plan.judging.window);
    let text = |level| search.unit.text(level);
    for (key, level) in [("search.start", search.start), ("search.max", search.max)] {
        match search.unit {
            SearchUnit::Rate => {
                check_rate(key, level.rate())?;
                rule(level > Level::ZERO, key, "0/s", "a rate above zero")?;
            }
            SearchUnit::Users | SearchUnit::Connections => rule(
                (1..=MOST_CONNECTIONS).contains(&level.number()),
                key,
                quoted(&text(level)),
                format!("1 to {MOST_CONNECTIONS} {}", search.unit.as_str()),
            )?,
        }
    }
    rule(
        search.start <= search.max,
        "search.start",
        text(search.start),
        format!("at most `search.max`, {}", text(search.max)),
    )?;
    match search.unit {
        SearchUnit::Rate => {}
        SearchUnit::Users => check_search_in_users(plan)?,
        SearchUnit::Connections => rule(
            matches!(plan.load, Load::Hold(_)),
            "search.in",
            "a search in connections, and a load that holds none",
            "`model: hold` under `load`, which says what a connection does while it is held",
        )?,
    }
    let bracket = search.bracket.value();
    rule(
        bracket > 0.0 && bracket < 1.0,
        "search.bracket",
        search.bracket.to_string(),
        "a share above 0% and below 100%",
    )?;
    above_zero("search.step", search.step)?;
    let step = duration_text(search.step);
    rule(
        search.step >= window,
        "search.step",
        &step,
        format!("at least one window, {}", duration_text(window)),
    )?;
    let budget = duration_text(search.budget);
    rule(
        search.budget >= search.step,
        "search.budget",
        budget,
        format!("at least one step, {step}"),
    )
}

/// Users have one request at a time, and a search in them is longer than what they do once.
fn check_search_in_users(plan: &PlanDraft) -> Checked {
    let Connections {
        pipelining, streams, ..
    } = plan.connections;
    let key = if pipelining > 1 {
        "connections.pipelining"
    } else {
        "connections.streams"
    };
    rule(
        pipelining == 1 && streams.is_none_or(|streams| streams == 1),
        key,
        "several requests at a time on a connection, and a search in users",
        "1: a user waits for each response",
    )?;
    let (cycle, budget) = (cycle(plan), plan.search.budget);
    let least = cycle.saturating_add(plan.search.step).saturating_mul(2);
    rule(
        least <= budget,
        "search.budget",
        duration_text(budget),
        format!(
            "at least {}: two steps of {}, each after the {} in which users come round by their pauses",
            duration_text(least),
            duration_text(plan.search.step),
            duration_text(cycle)
        ),
    )
}

fn check_sizing(sizing: &Sizing) -> Checked {
    let Sizing {
        demand,
        headroom,
        price,
    } = sizing;
    if let Some(demand) = *demand {
        check_rate("sizing.demand", demand)?;
        rule(demand > Rate::ZERO, "sizing.demand", "0/s", "a rate above zero")?;
    }
    rule(
        headroom.value() <= MOST_HEADROOM,
        "sizing.headroom",
        headroom.to_string(),
        "a share from 0% to 99%",
    )?;
    let free = price.as_ref().filter(|price| price.is_zero());
    match free {
        Some(price) => flaw("sizing.price", Mismatch::new(price.to_string(), "a price above zero")),
        None => Ok(()),
    }
}

fn check_connections(connections: &Connections) -> Checked {
    let Connections {
        max,
        min,
        keep_alive,
        per_user: _,
        pipelining,
        streams: _,
        connect_timeout,
        response_timeout,
    } = *connections;
    let valid = (1..=MOST_CONNECTIONS).contains(&max);
    rule(
        valid,
        "connections.max",
        quoted(&max.to_string()),
        format!("1 to {MOST_CONNECTIONS} connections"),
    )?;
    rule(
        min <= max,
        "connections.min",
        format!("{min} connections at the start, and at most {max}"),
        "no more than `connections.max`",
    )?;
    let valid = (1..=MOST_PIPELINING).contains(&pipelining);
    rule(
        valid,
        "connections.pipelining",
        quoted(&pipelining.to_string()),
        format!("1 to {MOST_PIPELINING} requests"),
    )?;
    let found = "pipelining without `keep_alive`";
    rule(
        pipelining == 1 || keep_alive,
        "connections.pipelining",
        found,
        "connections that carry several requests",
    )?;
    above_zero("connections.connect_timeout", connect_timeout)?;
    above_zero("connections.response_timeout", response_timeout)
}

fn check_rate(key: &str, rate: Rate) -> Checked {
    rule(
        rate <= Rate::MAX,
        key,
        rate.to_string(),
        format!("a rate of at most {}", Rate::MAX),
    )
}

fn above_zero(key: &str, duration: Duration) -> Checked {
    rule(!duration.is_zero(), key, "0s", "a duration above zero")
}
