//! The rules about a plan as a whole, whether it comes from a file or from the command line.

use crate::draft::{MOST_BODIES_BYTES, PlanDraft};
use crate::environment::ENVIRONMENT;
use crate::flaw::Flaw;
use crate::mismatch::{Mismatch, quoted};
use crate::scenario::is_token;
use crate::{
    ClosedLoad, Connections, HoldLoad, Load, Objective, OpenLoad, Rate, Request, Scenario, Search, Target, Template,
};
use crate::{Values, duration_text};
use std::collections::HashSet;
use std::time::Duration;

type Checked = Result<(), Flaw>;

/// The longest load, a leap year.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);
/// More would say that something else is meant, and would make patterns and reports unwieldy.
const MOST_REQUESTS: usize = 1_000;
const MOST_WEIGHT: u64 = 10_000;
/// The kernel takes no longer pause between two probes of a connection.
const LONGEST_PING: Duration = Duration::from_secs(32_767);
const MOST_CONNECTIONS: u32 = 4_000_000;
const MOST_PIPELINING: u32 = 1_024;

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
    check_objectives(&plan.objectives, &plan.load)?;
    check_scenario(&plan.scenario)?;
    match &plan.load {
        Load::Open(open) => check_open(open)?,
        Load::Closed(closed) => check_closed(closed)?,
        Load::Hold(hold) => check_hold(hold)?,
    }
    check_judging(plan)?;
    check_search(&plan.search, plan.judging.window)?;
    check_connections(&plan.connections)
}

fn check_target(target: &Target) -> Checked {
    rule(target.pid != Some(0), "target.pid", "`0`", "the id of a process")?;
    let Some(command) = &target.command else { return Ok(()) };
    let both = "both `pid` and `command`";
    rule(
        target.pid.is_none(),
        "target.pid",
        both,
        "a service that runs already, or one to start",
    )?;
    let program = command.argv.first();
    rule(
        program.is_some_and(|program| !program.reveal().is_empty()),
        "target.command",
        "no program",
        "the program to start",
    )?;
    for word in &command.argv {
        rule(
            !word.reveal().contains('\0'),
            "target.command",
            "a word with a NUL character",
            "words without a NUL character",
        )?;
    }
    for (name, value) in &command.env {
        let valid = !name.is_empty() && !name.contains(['=', '\0']);
        // Not repeated: `NAME=value` is a value as well.
        let found = "a name that is empty, or contains `=`";
        rule(valid, "target.env", found, "the name of an environment variable")?;
        let key = format!("target.env.{name}");
        rule(
            !value.reveal().contains('\0'),
            &key,
            "a NUL character",
            "a value without one",
        )?;
    }
    if let Some(path) = &command.ready.path {
        check_path("target.ready.path", path.reveal().as_bytes(), true)?;
    }
    above_zero("target.ready.timeout", command.ready.timeout)
}

fn check_objectives(objectives: &[Objective], load: &Load) -> Checked {
    // Held connections are to last, whether anything else is asked for or not.
    let enough = !objectives.is_empty() || matches!(load, Load::Hold(_));
    rule(enough, "objectives", "no objective", "at least one")?;
    let mut subjects = HashSet::new();
    for (index, objective) in objectives.iter().enumerate() {
        let key = format!("objectives[{index}]");
        let subject = objective.subject();
        let possible = match objective {
            Objective::Cpu { max } => max.value() > 0.0,
            Objective::ResponseTime { quantile, max } => quantile.value() > 0.0 && !max.is_zero(),
            Objective::Errors { .. } => true,
            Objective::AchievedRate { min } => min.value() > 0.0,
        };
        rule(possible, &key, quoted(&objective.to_string()), "a bound above zero")?;
        let found = format!("a second objective about {subject}");
        rule(subjects.insert(subject), &key, found, "one objective about each")?;
    }
    Ok(())
}

fn check_scenario(scenario: &Scenario) -> Checked {
    let requests = &scenario.requests;
    let key = "scenario.requests";
    rule(!requests.is_empty(), key, "no request", "at least one")?;
    rule(
        requests.len() <= MOST_REQUESTS,
        key,
        format!("{} requests", requests.len()),
        format!("at most {MOST_REQUESTS}"),
    )?;
    let weight: u64 = requests.iter().map(|request| u64::from(request.weight)).sum();
    rule(
        weight <= MOST_WEIGHT,
        key,
        format!("weights that add up to {weight}"),
        format!("at most {MOST_WEIGHT}"),
    )?;
    let body_bytes: usize = requests
        .iter()
        .flat_map(|request| request.body.literals())
        .map(<[u8]>::len)
        .sum();
    let most = format!("at most {MOST_BODIES_BYTES} bytes in all bodies together");
    rule(
        body_bytes <= MOST_BODIES_BYTES,
        key,
        format!("{body_bytes} bytes"),
        most,
    )?;
    let mut variables = HashSet::new();
    for variable in &scenario.variables {
        let key = format!("scenario.variables.{}", variable.name);
        let valid = !variable.name.is_empty() && !variable.name.contains(['{', '}', '$']);
        rule(valid, &key, quoted(&variable.name), "a name without `$`, `{` and `}`")?;
        let ours = variable.name.starts_with(ENVIRONMENT);
        let found = quoted(&variable.name);
        rule(
            !ours,
            &key,
            found,
            "a name that is not one of the environment's, which begin with `env.`",
        )?;
        let found = format!("the variable {} a second time", quoted(&variable.name));
        rule(variables.insert(&variable.name), &key, found, "each variable once")?;
        match &variable.values {
            Values::Range { from, to } => {
                rule(
                    from <= to,
                    &key,
                    format!("a range from {from} to {to}"),
                    "the lower number first",
                )?;
            }
            Values::List(texts) => rule(!texts.is_empty(), format!("{key}.values"), "no value", "at least one")?,
        }
    }
    let mut names = HashSet::new();
    for (index, request) in requests.iter().enumerate() {
        let key = format!("scenario.requests[{index}]");
        let name_key = format!("{key}.name");
        rule(
            !request.name.is_empty(),
            &name_key,
            "no name",
            "a name for the request, different from all others",
        )?;
        let found = format!("a second request named {}", quoted(&request.name));
        rule(
            names.insert(&request.name),
            &name_key,
            found,
            "a different `name` for each",
        )?;
        check_request(&key, request, scenario)?;
    }
    Ok(())
}

fn check_request(key: &str, request: &Request, scenario: &Scenario) -> Checked {
    rule(
        request.weight > 0,
        format!("{key}.weight"),
        "`0`",
        "a weight of at least 1",
    )?;
    let path_key = format!("{key}.path");
    for (index, literal) in request.path.literals().enumerate() {
        check_path(&path_key, literal, index == 0 && request.path.starts_with_literal())?;
    }
    rule(
        request.path.starts_with_literal(),
        &path_key,
        "a path that begins with a variable",
        "a path that begins with `/`",
    )?;
    let safe_in_path = |text: &str| text.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
    check_values(
        &request.path,
        scenario,
        safe_in_path,
        "text that may stand in a path, such as %20 for a space",
    )?;
    for (name, value) in &request.headers {
        // Not repeated: where a colon is missing, the value is in the name.
        let bad = name.chars().find(|c| !is_token(&c.to_string()));
        let found = bad.map_or("no name".to_owned(), |bad| {
            format!("{} in the name", quoted(&bad.to_string()))
        });
        rule(is_token(name), format!("{key}.headers"), found, "the name of a header")?;
        let key = format!("{key}.headers.{name}");
        let hint = match name.to_ascii_lowercase().as_str() {
            "content-length" => Some("it follows from the body"),
            "transfer-encoding" => Some("bodies are sent with `content-length`"),
            "connection" => Some("write `connections: { keep_alive: false }` in the plan, or give --no-keepalive"),
            _ => None,
        };
        if let Some(hint) = hint {
            let found = format!("the header `{name}`");
            return flaw(
                key,
                Mismatch::new(found, "a header that is not the generator's own").hint(hint),
            );
        }
        for literal in value.literals() {
            let text = String::from_utf8_lossy(literal);
            rule(
                is_header_value(&text),
                &key,
                "a line break or a control character",
                "a header without line breaks and control characters",
            )?;
        }
        check_values(value, scenario, is_header_value, "text that may stand in a header")?;
    }
    let body_key = format!("{key}.body");
    let is_text = request
        .body
        .literals()
        .all(|literal| std::str::from_utf8(literal).is_ok());
    let found = "variables in a body that is not UTF-8";
    rule(
        is_text || request.body.as_literal().is_some(),
        body_key,
        found,
        "a body that is text, or has no variables",
    )?;
    let status_key = format!("{key}.expect.status");
    rule(
        !request.expect.status.is_empty(),
        &status_key,
        "no status",
        "at least one",
    )?;
    for (low, high) in &request.expect.status {
        let valid = 100 <= *low && low <= high && *high <= 599;
        rule(
            valid,
            &status_key,
            format!("{low}-{high}"),
            "a status from 100 to 599, the lower one first",
        )?;
    }
    Ok(())
}

/// The variables of `template` exist, and their texts may stand in it.
fn check_values(template: &Template, scenario: &Scenario, safe: impl Fn(&str) -> bool, expected: &str) -> Checked {
    for index in template.variables() {
        let Some(variable) = scenario.variables.get(index) else {
            let found = format!("variable number {index} of {}", scenario.variables.len());
            return flaw("scenario.variables", Mismatch::new(found, "a variable of the scenario"));
        };
        let Values::List(texts) = &variable.values else {
            continue;
        };
        for (index, text) in texts.iter().enumerate() {
            rule(
                safe(text.reveal()),
                format!("scenario.variables.{}.values[{index}]", variable.name),
                format!("value {} of the variable", index + 1),
                expected,
            )?;
        }
    }
    Ok(())
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

fn is_header_value(text: &str) -> bool {
    text.chars().all(|c| c == '\t' || !c.is_ascii_control())
}

fn check_open(open: &OpenLoad) -> Checked {
    rule(!open.segments.is_empty(), "load.stages", "no stage", "at least one")?;
    // In units of half a femto-arrival: twice the area under the rate.
    let mut area: u128 = 0;
    for (index, segment) in open.segments.iter().enumerate() {
        let key = format!("load.segments[{index}]");
        above_zero(&format!("{key}.duration"), segment.duration)?;
        rule(
            segment.duration <= LONGEST,
            format!("{key}.duration"),
            duration_text(segment.duration),
            "at most 366d",
        )?;
        for rate in [segment.from, segment.to] {
            check_rate(&format!("{key}.to"), rate)?;
        }
        area += u128::from(segment.from.micro_per_s() + segment.to.micro_per_s()) * segment.duration.as_nanos();
    }
    if let [segment] = open.segments.as_slice() {
        rule(
            segment.from.max(segment.to) > Rate::ZERO,
            "load.segments[0].to",
            "0/s",
            "a rate above zero",
        )?;
    }
    rule(
        open.duration() <= LONGEST,
        "load",
        duration_text(open.duration()),
        "a load of at most 366d",
    )?;
    rule(
        area >= 2_000_000_000_000_000,
        "load",
        "a load without a single arrival",
        "a higher rate or a longer duration",
    )
}

fn check_closed(closed: &ClosedLoad) -> Checked {
    let connections = closed.connections;
    let valid = (1..=MOST_CONNECTIONS).contains(&connections);
    rule(
        valid,
        "load.connections",
        quoted(&connections.to_string()),
        format!("1 to {MOST_CONNECTIONS} connections"),
    )?;
    let ends = closed.duration.is_some() || closed.requests.is_some();
    rule(ends, "load", "a load that never ends", "`duration`, `requests` or both")?;
    if let Some(duration) = closed.duration {
        above_zero("load.duration", duration)?;
        rule(
            duration <= LONGEST,
            "load.duration",
            duration_text(duration),
            "at most 366d",
        )?;
    }
    rule(
        closed.requests != Some(0),
        "load.requests",
        "`0`",
        "at least one request",
    )
}

fn check_hold(hold: &HoldLoad) -> Checked {
    let connections = hold.connections;
    rule(
        (1..=MOST_CONNECTIONS).contains(&connections),
        "load.connections",
        quoted(&connections.to_string()),
        format!("1 to {MOST_CONNECTIONS} connections"),
    )?;
    check_rate("load.pace", hold.pace)?;
    rule(hold.pace > Rate::ZERO, "load.pace", "0/s", "a rate above zero")?;
    above_zero("load.duration", hold.duration)?;
    let whole = hold.opening().saturating_add(hold.duration);
    rule(whole <= LONGEST, "load", duration_text(whole), "a load of at most 366d")?;
    if let Some(ping) = hold.ping {
        let whole_seconds = ping.subsec_nanos() == 0 && ping <= LONGEST_PING && !ping.is_zero();
        let expected = format!("whole seconds, at most {}", duration_text(LONGEST_PING));
        rule(whole_seconds, "load.ping", duration_text(ping), expected)?;
    }
    rule(
        !hold.ports.contains(&0),
        "load.ports",
        "port 0",
        "ports from 1 to 65535",
    )
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

fn check_search(search: &Search, window: Duration) -> Checked {
    for (key, rate) in [("search.start", search.start), ("search.max", search.max)] {
        check_rate(key, rate)?;
        rule(rate > Rate::ZERO, key, "0/s", "a rate above zero")?;
    }
    rule(
        search.start <= search.max,
        "search.start",
        search.start.to_string(),
        format!("at most `search.max`, {}", search.max),
    )?;
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

fn check_connections(connections: &Connections) -> Checked {
    let Connections {
        max,
        keep_alive,
        pipelining,
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
