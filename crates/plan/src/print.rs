//! A plan as text that reads back as the same plan.

use crate::hold::{HoldLoad, ports_text};
use crate::json::Json;
use crate::read_scenario::base64_text;
use crate::scenario::StatusRange;
use crate::{ClosedLoad, Command, Load, OpenLoad, Plan, Rate, Request, Scenario, Target, Template, Values};
use crate::{cpus_text, duration_text};

/// What stands for a secret.
const REDACTED: &str = "[redacted]";

/// How much of a plan is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    Kept,
    Redacted,
}

pub(crate) fn plan(plan: &Plan, secrets: Secrets) -> Json {
    let Plan {
        name,
        target,
        objectives,
        judging,
        scenario,
        load,
        search,
        connections,
        seed,
    } = plan;
    map([
        ("name", name.as_str().into()),
        ("seed", (*seed).into()),
        ("target", print_target(target, secrets)),
        (
            "objectives",
            objectives.iter().map(ToString::to_string).collect::<Vec<_>>().into(),
        ),
        (
            "judging",
            map([
                ("window", duration_text(judging.window).into()),
                ("passing_windows", judging.passing_windows.to_string().into()),
                ("warm_up", duration_text(judging.warm_up).into()),
            ]),
        ),
        ("scenario", print_scenario(scenario, secrets)),
        ("load", print_load(load)),
        (
            "search",
            map([
                ("start", search.start.to_string().into()),
                ("max", search.max.to_string().into()),
                ("bracket", search.bracket.to_string().into()),
                ("budget", duration_text(search.budget).into()),
                ("step", duration_text(search.step).into()),
            ]),
        ),
        (
            "connections",
            map([
                ("max", connections.max.into()),
                ("keep_alive", connections.keep_alive.into()),
                ("pipelining", connections.pipelining.into()),
                ("connect_timeout", duration_text(connections.connect_timeout).into()),
                ("response_timeout", duration_text(connections.response_timeout).into()),
            ]),
        ),
    ])
}

fn map<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Map(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

fn print_target(target: &Target, secrets: Secrets) -> Json {
    let mut entries = vec![("url".to_owned(), target.url.to_string().into())];
    let mut put = |key: &str, value: Json| entries.push((key.to_owned(), value));
    if let Some(pid) = target.pid {
        put("pid", pid.into());
    }
    if !target.cpus.is_empty() {
        put("cpus", cpus_text(&target.cpus).into());
    }
    if let Some(Command {
        argv,
        env,
        working_dir,
        ready,
        stdout,
        stop_grace,
    }) = &target.command
    {
        let word = |word: &String| match secrets {
            Secrets::Kept => word.clone(),
            Secrets::Redacted => without_user(word),
        };
        put("command", argv.iter().map(word).collect::<Vec<_>>().into());
        if !env.is_empty() {
            let value = |value: &String| match secrets {
                Secrets::Kept => value.as_str().into(),
                Secrets::Redacted => REDACTED.into(),
            };
            put(
                "env",
                Json::Map(env.iter().map(|(name, text)| (name.clone(), value(text))).collect()),
            );
        }
        if let Some(folder) = working_dir {
            put("working_dir", folder.to_string_lossy().into_owned().into());
        }
        let mut readiness = vec![("timeout".to_owned(), duration_text(ready.timeout).into())];
        readiness.extend(
            ready
                .path
                .as_ref()
                .map(|path| ("path".to_owned(), path.as_str().into())),
        );
        put("ready", Json::Map(readiness));
        put("stdout", stdout.as_str().into());
        put("stop_grace", duration_text(*stop_grace).into());
    }
    Json::Map(entries)
}

/// `word` without user name and password, where it contains a URL with them.
fn without_user(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{REDACTED}{}", &rest[at..]),
        None => word.to_owned(),
    }
}

fn print_scenario(scenario: &Scenario, secrets: Secrets) -> Json {
    let names: Vec<&str> = scenario
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    let variables = scenario.variables.iter().map(|variable| {
        let values = match &variable.values {
            Values::Range { from, to } => map([("from", (*from).into()), ("to", (*to).into())]),
            Values::List(texts) => map([("values", texts.clone().into())]),
        };
        (variable.name.clone(), values)
    });
    let requests = scenario
        .requests
        .iter()
        .map(|request| print_request(request, &names, secrets));
    map([
        ("variables", Json::Map(variables.collect())),
        ("requests", Json::List(requests.collect())),
    ])
}

fn print_request(request: &Request, names: &[&str], secrets: Secrets) -> Json {
    let text = |template: &Template| Json::from(template.to_text(names).unwrap_or_default());
    let mut entries = vec![
        ("name".to_owned(), request.name.as_str().into()),
        ("weight".to_owned(), request.weight.into()),
        ("method".to_owned(), request.method.as_str().into()),
        ("path".to_owned(), text(&request.path)),
    ];
    let headers = request.headers.chunk_by(|a, b| a.0 == b.0).map(|same| {
        let value = |value: &Template| match secrets {
            Secrets::Redacted if is_secret(&same[0].0) => REDACTED.into(),
            _ => text(value),
        };
        let value = match same {
            [(_, only)] => value(only),
            same => Json::List(same.iter().map(|(_, template)| value(template)).collect()),
        };
        (same[0].0.clone(), value)
    });
    if !request.headers.is_empty() {
        entries.push(("headers".to_owned(), Json::Map(headers.collect())));
    }
    if let Some(body) = print_body(&request.body, names) {
        entries.push(body);
    }
    let status: Vec<String> = request.expect.status.iter().map(StatusRange::text).collect();
    entries.push(("expect".to_owned(), map([("status", status.into())])));
    Json::Map(entries)
}

/// Text where it can be, unless its escapes would make it longer than base64.
fn print_body(body: &Template, names: &[&str]) -> Option<(String, Json)> {
    if body.is_empty() {
        return None;
    }
    let base64 = || body.as_literal().map(base64_text);
    match body.to_text(names) {
        Some(text) if text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')) => {
            Some(("body".to_owned(), text.into()))
        }
        text => match base64() {
            Some(base64) => Some(("body_base64".to_owned(), base64.into())),
            None => Some(("body".to_owned(), text.unwrap_or_default().into())),
        },
    }
}

/// Whether a header says who one is.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(
        name.as_str(),
        "authorization" | "proxy-authorization" | "cookie" | "set-cookie"
    ) || ["token", "secret", "password", "api-key", "apikey", "session"]
        .iter()
        .any(|part| name.contains(part))
}

fn print_load(load: &Load) -> Json {
    match load {
        Load::Open(open) => print_open(open),
        Load::Closed(closed) => print_closed(closed),
        Load::Hold(hold) => print_hold(hold),
    }
}

fn print_open(open: &OpenLoad) -> Json {
    let arrivals = ("arrivals", Json::from(open.arrivals.as_str()));
    if let [only] = open.segments.as_slice()
        && only.from == only.to
    {
        let (rate, duration) = (only.to.to_string().into(), duration_text(only.duration).into());
        return map([
            ("model", "open".into()),
            ("rate", rate),
            ("duration", duration),
            arrivals,
        ]);
    }
    let mut last = Rate::ZERO;
    let stages = open.segments.iter().map(|segment| {
        let begin = std::mem::replace(&mut last, segment.to);
        let duration = ("duration", duration_text(segment.duration).into());
        let to = segment.to.to_string().into();
        if segment.from == segment.to {
            map([("hold", to), duration])
        } else if segment.from == begin {
            map([("ramp_to", to), duration])
        } else {
            map([("from", segment.from.to_string().into()), ("ramp_to", to), duration])
        }
    });
    map([
        ("model", "open".into()),
        ("stages", Json::List(stages.collect())),
        arrivals,
    ])
}

fn print_closed(closed: &ClosedLoad) -> Json {
    let mut entries = vec![
        ("model".to_owned(), "closed".into()),
        ("connections".to_owned(), closed.connections.into()),
    ];
    entries.extend(
        closed
            .duration
            .map(|duration| ("duration".to_owned(), duration_text(duration).into())),
    );
    entries.extend(closed.requests.map(|requests| ("requests".to_owned(), requests.into())));
    entries.push(("think_time".to_owned(), duration_text(closed.think_time).into()));
    entries.push(("pacing".to_owned(), duration_text(closed.pacing).into()));
    Json::Map(entries)
}

fn print_hold(hold: &HoldLoad) -> Json {
    let mut entries = vec![
        ("model".to_owned(), "hold".into()),
        ("connections".to_owned(), hold.connections.into()),
        ("pace".to_owned(), hold.pace.to_string().into()),
        ("duration".to_owned(), duration_text(hold.duration).into()),
        ("park".to_owned(), hold.park.as_str().into()),
    ];
    entries.extend(hold.ping.map(|ping| ("ping".to_owned(), duration_text(ping).into())));
    if !hold.ports.is_empty() {
        entries.push(("ports".to_owned(), ports_text(&hold.ports).into()));
    }
    Json::Map(entries)
}
