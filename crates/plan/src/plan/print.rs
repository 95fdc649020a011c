//! A plan as text that reads back as the same plan.

use crate::notation::json::Json;
use crate::plan::auth::Auth;
use crate::plan::draft::PlanDraft;
use crate::plan::fleet::FleetPlan;
use crate::plan::hold::{HoldLoad, ports_text};
use crate::plan::http::HttpVersion;
use crate::plan::journey::Journey;
use crate::plan::print_actions::print_actions;
use crate::plan::print_request::{Secrets, map, print_message, print_request};
use crate::plan::print_stand_in::print_stand_in;
use crate::plan::running::Running;
use crate::plan::table::{RowOrder, Table};
use crate::plan::tls::TlsOptions;
use crate::secrets::{REDACTED, shown_words};
use crate::{
    ClosedLoad, Command, Connections, Limits, Load, Neighbour, NeighbourPlan, OpenLoad, Rate, Scenario, Secret, Sign,
    Sizing, Target, Values,
};
use crate::{cpus_text, duration_text};
use std::time::Duration;

pub(crate) fn plan(plan: &PlanDraft, secrets: Secrets) -> Json {
    let PlanDraft {
        name,
        target,
        objectives,
        judging,
        scenario,
        load,
        search,
        sizing,
        fleet,
        connections,
        seed,
    } = plan;
    let mut printed = map([
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
                ("in", search.unit.as_str().into()),
                ("start", search.unit.text(search.start).into()),
                ("max", search.unit.text(search.max).into()),
                ("bracket", search.bracket.to_string().into()),
                ("budget", duration_text(search.budget).into()),
                ("step", duration_text(search.step).into()),
            ]),
        ),
        ("sizing", print_sizing(sizing)),
        ("connections", print_connections(connections)),
    ]);
    if let (Some(fleet), Json::Map(entries)) = (fleet, &mut printed) {
        entries.push(("fleet".to_owned(), print_fleet(fleet, secrets)));
    }
    printed
}

fn print_fleet(fleet: &FleetPlan, secrets: Secrets) -> Json {
    let FleetPlan {
        url,
        key,
        agents,
        min_agents,
    } = fleet;
    let url = match secrets {
        Secrets::Kept => url.reveal().to_owned(),
        Secrets::Redacted => url.shown(),
    };
    let mut entries = vec![("url".to_owned(), url.into())];
    entries.extend(
        key.as_ref()
            .map(|key| ("key".to_owned(), key.display().to_string().into())),
    );
    entries.extend(agents.map(|agents| ("agents".to_owned(), agents.into())));
    entries.extend(min_agents.map(|least| ("min_agents".to_owned(), least.into())));
    Json::Map(entries)
}

fn print_target(target: &Target, secrets: Secrets) -> Json {
    let mut entries = vec![("url".to_owned(), target.url.to_string().into())];
    let mut put = |key: &str, value: Json| entries.push((key.to_owned(), value));
    if !target.resolve.is_empty() {
        let resolve: Vec<String> = target.resolve.iter().map(ToString::to_string).collect();
        put("resolve", resolve.into());
    }
    if let Some(proxy) = &target.proxy {
        let url = match secrets {
            Secrets::Kept => proxy.revealed(),
            Secrets::Redacted => proxy.url().origin(),
        };
        put("proxy", url.into());
    }
    match &target.running {
        Some(Running::Process(pid)) => put("pid", (*pid).into()),
        Some(Running::Container(container)) => put("container", container.to_string().into()),
        Some(Running::Hosted(hosted)) => {
            put("fleet_target", hosted.service.to_string().into());
            if let Some(machines) = hosted.machines {
                put("fleet_targets", machines.into());
            }
        }
        None => {}
    }
    if !target.cpus.is_empty() {
        put("cpus", cpus_text(&target.cpus).into());
    }
    if let Some(auth) = &target.auth {
        put("auth", print_auth(auth, secrets));
    }
    if target.http != HttpVersion::default() {
        put("http", target.http.as_str().into());
    }
    if target.follow_redirects > 0 {
        put("follow_redirects", target.follow_redirects.into());
    }
    if target.tls != TlsOptions::default() {
        put("tls", print_tls(&target.tls));
    }
    if !target.beside.is_empty() {
        let neighbours = target
            .beside
            .iter()
            .map(|neighbour| print_neighbour(neighbour, secrets));
        put("beside", Json::List(neighbours.collect()));
    }
    if let Some(command) = &target.command {
        let mut ready = vec![("timeout".to_owned(), duration_text(command.ready.timeout).into())];
        ready.extend(command.ready.path.as_ref().map(|path| {
            let path = match secrets {
                Secrets::Kept => path.reveal().to_owned(),
                Secrets::Redacted => command.ready.shown_path().into(),
            };
            ("path".to_owned(), path.into())
        }));
        let between = [
            ("ready".to_owned(), Json::Map(ready)),
            ("stdout".to_owned(), command.stdout.as_str().into()),
        ];
        entries.extend(print_command(command, between, secrets));
    }
    Json::Map(entries)
}

fn print_neighbour(neighbour: &NeighbourPlan, secrets: Secrets) -> Json {
    let NeighbourPlan { name, neighbour, cpus } = neighbour;
    let mut entries = vec![("name".to_owned(), name.as_str().into())];
    if !cpus.is_empty() {
        entries.push(("cpus".to_owned(), cpus_text(cpus).into()));
    }
    match neighbour {
        Neighbour::Program { command, ready } => entries.extend(print_program(command, ready, secrets)),
        Neighbour::StandIn(stand_in) => entries.push(("stand_in".to_owned(), print_stand_in(stand_in, secrets))),
    }
    Json::Map(entries)
}

fn print_program(command: &Command, ready: &Sign, secrets: Secrets) -> Vec<(String, Json)> {
    let sign = match ready {
        Sign::Port(port) => ("port", u32::from(*port).into()),
        Sign::Url(url) => (
            "url",
            match secrets {
                Secrets::Kept => format!("{}{}", url.origin(), url.path.reveal()).into(),
                Secrets::Redacted => url.to_string().into(),
            },
        ),
        Sign::Line(line) => ("line", line.as_str().into()),
    };
    let timeout = ("timeout", duration_text(command.ready.timeout).into());
    let ready = ("ready".to_owned(), map([sign, timeout]));
    print_command(command, [ready], secrets)
}

/// What is said of everything that is started, around what is not.
fn print_command(
    command: &Command,
    between: impl IntoIterator<Item = (String, Json)>,
    secrets: Secrets,
) -> Vec<(String, Json)> {
    let Command {
        argv,
        env,
        working_dir,
        stop_grace,
        limits,
        ready: _,
        stdout: _,
    } = command;
    let words: Vec<String> = match secrets {
        Secrets::Kept => argv.iter().map(|word| word.reveal().to_owned()).collect(),
        Secrets::Redacted => shown_words(argv),
    };
    let mut entries = vec![("command".to_owned(), words.into())];
    let mut put = |key: &str, value: Json| entries.push((key.to_owned(), value));
    if !env.is_empty() {
        let value = |value: &Secret| match secrets {
            Secrets::Kept => value.reveal().into(),
            Secrets::Redacted => REDACTED.into(),
        };
        put(
            "env",
            Json::Map(env.iter().map(|(name, text)| (name.clone(), value(text))).collect()),
        );
    }
    if let Some(directory) = working_dir {
        put("working_dir", directory.to_string_lossy().into_owned().into());
    }
    entries.extend(between);
    entries.push(("stop_grace".to_owned(), duration_text(*stop_grace).into()));
    if !limits.is_none() {
        entries.push(("limits".to_owned(), print_limits(*limits)));
    }
    entries
}

fn print_limits(limits: Limits) -> Json {
    let Limits { cpu, memory, pids } = limits;
    let mut entries = Vec::new();
    entries.extend(cpu.map(|cpu| ("cpu".to_owned(), cpu.to_string().into())));
    entries.extend(memory.map(|memory| ("memory".to_owned(), memory.to_string().into())));
    entries.extend(pids.map(|pids| ("pids".to_owned(), pids.into())));
    Json::Map(entries)
}

fn print_auth(auth: &Auth, secrets: Secrets) -> Json {
    let text = |secret: &Secret| match secrets {
        Secrets::Kept => Json::from(secret.reveal()),
        Secrets::Redacted => REDACTED.into(),
    };
    match auth {
        Auth::Basic { user, password } => map([("basic", map([("user", text(user)), ("password", text(password))]))]),
        Auth::Bearer(token) => map([("bearer", text(token))]),
    }
}

fn print_sizing(sizing: &Sizing) -> Json {
    let Sizing {
        demand,
        headroom,
        price,
    } = sizing;
    let mut entries = Vec::new();
    entries.extend(demand.map(|demand| ("demand".to_owned(), demand.to_string().into())));
    entries.push(("headroom".to_owned(), headroom.to_string().into()));
    entries.extend(
        price
            .as_ref()
            .map(|price| ("price".to_owned(), price.to_string().into())),
    );
    Json::Map(entries)
}

fn print_connections(connections: &Connections) -> Json {
    let Connections {
        max,
        min,
        keep_alive,
        per_user,
        pipelining,
        streams,
        connect_timeout,
        response_timeout,
    } = *connections;
    let mut entries = vec![
        ("max".to_owned(), max.into()),
        ("keep_alive".to_owned(), keep_alive.into()),
        ("pipelining".to_owned(), pipelining.into()),
    ];
    entries.extend(per_user.then(|| ("per_user".to_owned(), per_user.into())));
    entries.extend((min > 0).then(|| ("min".to_owned(), min.into())));
    entries.extend(streams.map(|streams| ("streams".to_owned(), streams.into())));
    entries.push(("connect_timeout".to_owned(), duration_text(connect_timeout).into()));
    entries.push(("response_timeout".to_owned(), duration_text(response_timeout).into()));
    Json::Map(entries)
}

fn print_tls(tls: &TlsOptions) -> Json {
    let mut entries = Vec::new();
    for (key, path) in [("ca", &tls.ca), ("cert", &tls.cert), ("key", &tls.key)] {
        if let Some(path) = path {
            entries.push((key.to_owned(), path.to_string_lossy().into_owned().into()));
        }
    }
    if let Some(name) = &tls.server_name {
        entries.push(("server_name".to_owned(), name.as_str().into()));
    }
    entries.push(("insecure".to_owned(), tls.insecure.into()));
    entries.push(("resume".to_owned(), tls.resume.into()));
    entries.push(("versions".to_owned(), tls.versions.as_str().into()));
    Json::Map(entries)
}

fn print_scenario(scenario: &Scenario, secrets: Secrets) -> Json {
    let names: Vec<&str> = scenario
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    let hidden = scenario.hidden_variables();
    let variables = scenario.variables.iter().zip(hidden).filter_map(|(variable, hidden)| {
        let shown = match secrets {
            Secrets::Kept => variable.values.clone(),
            Secrets::Redacted => variable.shown(hidden),
        };
        let values = match &shown {
            Values::Column(column) if column.is_first() => {
                return Some((column.table().name.clone(), print_table(column.table())));
            }
            values => print_values(values)?,
        };
        Some((variable.name.clone(), values))
    });
    let requests = scenario
        .openings
        .iter()
        .chain(&scenario.requests)
        .map(|request| match request.is_message() {
            true => print_message(request, [("weight", request.weight.into())], &names, secrets),
            false => print_request(request, [("weight", request.weight.into())], &names, secrets),
        });
    let mut entries = vec![("variables".to_owned(), Json::Map(variables.collect()))];
    let mut put = |key: &str, value: Json| entries.push((key.to_owned(), value));
    match scenario.journeys.is_empty() {
        true => put("requests", Json::List(requests.collect())),
        false => put("journeys", print_journeys(&scenario.journeys, &names, secrets)),
    }
    for (key, actions) in [
        ("actions", &scenario.actions),
        ("before", &scenario.before),
        ("after", &scenario.after),
    ] {
        if !actions.is_empty() {
            put(key, print_actions(actions, &names, secrets));
        }
    }
    Json::Map(entries)
}

/// Of a table all but its rows.
/// The source of values; `None` of those that are there wherever messages are, or something is taken.
fn print_values(values: &Values) -> Option<Json> {
    let ordered = |of: &Values, order: RowOrder| {
        let mut printed = print_values(of)?;
        if let Json::Map(entries) = &mut printed {
            entries.push(("order".to_owned(), order.as_str().into()));
        }
        Some(printed)
    };
    let mut printed = match values {
        Values::Range { from, to } => map([("from", (*from).into()), ("to", (*to).into())]),
        Values::List(texts) => {
            let texts: Vec<&str> = texts.iter().map(Secret::reveal).collect();
            map([("values", texts.into())])
        }
        Values::Shuffled { of, .. } => ordered(of, RowOrder::Shuffled)?,
        Values::Random { of, .. } => ordered(of, RowOrder::Random)?,
        Values::Uuid(_) => map([("uuid", "random".into())]),
        Values::Text { length, characters, .. } => map([
            ("length", (*length as u64).into()),
            ("characters", String::from_iter(characters).as_str().into()),
        ]),
        Values::Now(now) => map([
            ("now", now.format.text.as_str().into()),
            ("offset", now.offset.to_string().as_str().into()),
        ]),
        Values::Column(_) | Values::Message | Values::Kept { .. } => return None,
    };
    if let (true, Json::Map(entries)) = (values.draw().is_some_and(|draw| draw.anew), &mut printed) {
        entries.push(("anew".to_owned(), true.into()));
    }
    Some(printed)
}

fn print_table(table: &Table) -> Json {
    map([
        ("file", table.file.as_str().into()),
        ("columns", table.rows.columns.clone().into()),
        ("order", table.order.as_str().into()),
        ("once", table.once.into()),
    ])
}

fn print_journeys(journeys: &[Journey], names: &[&str], secrets: Secrets) -> Json {
    let journeys = journeys.iter().map(|journey| {
        map([
            ("name", journey.name.as_str().into()),
            ("weight", journey.weight.into()),
            ("actions", print_actions(&journey.actions, names, secrets)),
        ])
    });
    Json::List(journeys.collect())
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
    let rate = |rate: Rate| Json::from(rate.to_string());
    let stages = open.segments.iter().map(|s| (s.from, s.to, s.duration));
    map([
        ("model", "open".into()),
        ("stages", print_stages(stages, rate)),
        arrivals,
    ])
}

fn print_stages<L: Copy + Default + PartialEq>(
    stages: impl Iterator<Item = (L, L, Duration)>,
    level: impl Fn(L) -> Json,
) -> Json {
    let mut last = L::default();
    let stages = stages.map(|(from, to, duration)| {
        let begin = std::mem::replace(&mut last, to);
        let duration = ("duration", duration_text(duration).into());
        if from == to {
            map([("hold", level(to)), duration])
        } else if from == begin {
            map([("ramp_to", level(to)), duration])
        } else {
            map([("from", level(from)), ("ramp_to", level(to)), duration])
        }
    });
    Json::List(stages.collect())
}

fn print_closed(closed: &ClosedLoad) -> Json {
    let mut entries = vec![("model".to_owned(), "closed".into())];
    if closed.stages.is_empty() {
        entries.push(("connections".to_owned(), closed.connections.into()));
        let duration = closed.duration.map(|duration| duration_text(duration).into());
        entries.extend(duration.map(|duration| ("duration".to_owned(), duration)));
    } else {
        let stages = closed.stages.iter().map(|s| (s.from, s.to, s.duration));
        entries.push(("stages".to_owned(), print_stages(stages, Json::from)));
    }
    entries.extend(closed.requests.map(|requests| ("requests".to_owned(), requests.into())));
    entries.push(("think_time".to_owned(), duration_text(closed.think_time).into()));
    entries.push(("pacing".to_owned(), duration_text(closed.pacing).into()));
    if !closed.ramp.is_zero() {
        entries.push(("ramp".to_owned(), duration_text(closed.ramp).into()));
    }
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
