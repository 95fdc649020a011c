//! The text of a plan: target, objectives, scenario and load.

use super::journeys;
use super::request::element;
use super::taken::{Entries, Parts, Sent, Taken, Variables, number, read, seconds};
use super::yaml::{quoted, scalar, template};
use crate::error::ImportError;
use crate::journey::{Authorization, Journeys, Load, Phase, When};
use crate::left_out::{called, counted, shown};
use crate::requests::Weighted;
use crate::secrets::{Environment, Needed};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

const REFERENCE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/reference/plan.md");
/// Variables of the environment that are listed in a plan; the command lists all.
const MOST_LISTED: usize = 50;

/// A plan and how many requests it has.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) requests: usize,
    /// How many it has in comments.
    pub(crate) aside: usize,
    pub(crate) needed: Vec<Needed>,
}

pub(crate) fn write(
    parts: &Parts<'_>,
    journeys: &mut Journeys,
    environment: Environment,
) -> Result<Written, ImportError> {
    let mut variables = Variables::of(journeys);
    if let Sent::Journeys(sequences) = parts.sent {
        journeys::each_kept(sequences, &mut |name| variables.take(name));
    }
    journeys::each_kept(parts.around, &mut |name| variables.take(name));
    let target = target(parts, journeys);
    let mut taken = Taken::new(parts, &variables);
    let mut around = |when| journeys::around(&mut taken, journeys, &variables, parts.around, when);
    let (before, after) = (around(When::Before), around(When::After));
    let (key, entries) = match parts.sent {
        Sent::Requests(weighted) => ("requests", requests(taken, parts, journeys, weighted, &target)?),
        Sent::Journeys(sequences) => ("journeys", journeys::entries(taken, journeys, &variables, sequences)?),
    };
    let mut used = BTreeSet::new();
    let texts = format!("{before}  {key}:\n{}{after}", entries.texts.join(""));
    for name in environment.names() {
        if texts.contains(&format!("${{env.{name}}}")) || is_of_target(parts, &name) {
            used.insert(name);
        }
    }
    let needed: Vec<Needed> = environment
        .into_needed()
        .into_iter()
        .filter(|needed| used.contains(&needed.name))
        .collect();
    let mut text = format!("# {} Every key: {REFERENCE}\n", parts.origin);
    if !needed.is_empty() {
        text.push_str("#\n# Set in the environment before it runs:\n");
        for needed in needed.iter().take(MOST_LISTED) {
            let _ = writeln!(text, "#   {}: {}", needed.name, comment(&needed.why));
        }
        if needed.len() > MOST_LISTED {
            let _ = writeln!(text, "#   and {}", counted(needed.len() - MOST_LISTED, "other"));
        }
    }
    let name = journeys
        .name
        .as_deref()
        .map(|name| called(name.trim()))
        .filter(|name| !name.is_empty());
    if let Some(name) = name {
        let _ = write!(text, "\nname: {}\n", scalar(&name));
    }
    text.push('\n');
    text.push_str(&target);
    text.push_str(&objectives(parts, journeys));
    text.push_str("\nscenario:\n");
    let aside: String = entries.aside.iter().map(|(_, entry)| entry.as_str()).collect();
    text.push_str(&variables_text(&variables, &texts, &aside));
    text.push_str(&texts);
    text.push_str(&in_comments(&entries.aside));
    text.push_str(&load(journeys, parts.sent));
    // A defect of ours, if it is refused: each request was read, and so was the load.
    read(&text).map_err(|error| {
        ImportError::new(
            None,
            format!("a plan that plimsoll refuses ({})", error.mismatch().message()),
            "a valid one",
        )
        .hint("this is a defect of plimsoll; please report it with the file")
    })?;
    Ok(Written {
        requests: entries.requests,
        aside: entries.aside.len(),
        text,
        needed,
    })
}

fn is_of_target(parts: &Parts<'_>, name: &str) -> bool {
    let is = |text: &Text| *text == Text::environment(name);
    match parts.authorization {
        None => false,
        Some(Authorization::Bearer(token)) => is(token),
        Some(Authorization::Basic { user, password }) => is(user) || is(password),
    }
}

fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn requests(
    mut taken: Taken<'_>,
    parts: &Parts<'_>,
    journeys: &mut Journeys,
    weighted: &Weighted,
    target: &str,
) -> Result<Entries, ImportError> {
    let mut entries = Entries::default();
    for (weight, request) in &weighted.requests {
        let Some(lines) = taken.lines(journeys, *weight, request) else {
            continue;
        };
        let entry = element(&lines, 4, None);
        match taken.aside(target, &lines) {
            None => entries.texts.push(entry),
            Some(why) => entries.aside.push((why, entry)),
        }
    }
    if entries.texts.is_empty() && parts.tries.is_some() {
        entries.texts.push(root(&taken, target));
    }
    entries.requests = entries.texts.len();
    taken.end(journeys, entries)
}

/// What a first plan asks for where nothing else is known that can be sent.
fn root(taken: &Taken<'_>, target: &str) -> String {
    let lines = ["path: /".to_owned()];
    let why = taken.aside(target, &lines);
    let comment = why.map_or_else(String::new, |why| {
        format!("    # {why} Name a path that the service has.\n")
    });
    comment + &element(&lines, 4, None)
}

/// Requests that cannot be sent as they are, those with the same reason together.
fn in_comments(aside: &[(String, String)]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for (why, _) in aside {
        if !reasons.contains(&why.as_str()) {
            reasons.push(why);
        }
    }
    let mut text = String::new();
    for reason in reasons {
        let _ = writeln!(text, "\n    # {}", comment(reason));
        let entries = aside.iter().filter(|(why, _)| why == reason);
        for line in entries.flat_map(|(_, entry)| entry.lines()) {
            match line.strip_prefix("    ") {
                Some(line) => text.push_str(&format!("    # {line}\n")),
                None => text.push_str("    #\n"),
            }
        }
    }
    text
}

/// Variables of `requests`, and in comments those of requests in comments.
fn variables_text(variables: &Variables, requests: &str, aside: &str) -> String {
    let used = variables.text(requests);
    let of_aside = variables.text(aside);
    let only_aside = of_aside.lines().filter(|line| !used.contains(line));
    let lacking = variables
        .lacking(aside)
        .map(|name| format!("{}: {{ values: [1, 2, 3] }}", scalar(name)));
    let commented: Vec<String> = only_aside.map(|line| line.trim().to_owned()).chain(lacking).collect();
    let lines = |lead: &str| -> String { commented.iter().map(|line| format!("{lead}{line}\n")).collect() };
    match (used.as_str(), commented.as_slice()) {
        ("", []) => String::new(),
        ("", _) => format!("  # variables:\n{}", lines("  #   ")),
        (used, _) => format!("  variables:\n{used}{}", lines("    # ")),
    }
}

fn target(parts: &Parts<'_>, journeys: &Journeys) -> String {
    let mut text = format!("target:\n  url: {}\n", scalar(&parts.target.url));
    if let Some(host) = &parts.target.instead_of {
        let _ = writeln!(
            text,
            "  # Instead of {}. To load that, where its owner allows it, import with --url.",
            shown(host)
        );
    }
    text.push_str(&commands(parts.command));
    let plain = |text: &Text| quoted(&template(text, &BTreeMap::new()));
    match parts.authorization {
        None => {}
        Some(Authorization::Bearer(token)) => {
            let _ = writeln!(text, "  auth: {{ bearer: {} }}", plain(token));
        }
        Some(Authorization::Basic { user, password }) => {
            let _ = writeln!(
                text,
                "  auth: {{ basic: {{ user: {}, password: {} }} }}",
                plain(user),
                plain(password)
            );
        }
    }
    if journeys.redirects > 0 {
        let _ = writeln!(text, "  follow_redirects: {}", journeys.redirects);
    }
    if journeys.insecure && parts.target.url.starts_with("https:") {
        text.push_str("  tls: { insecure: true }\n");
    }
    text
}

/// How the service is started.
fn commands(command: &[String]) -> String {
    if command.is_empty() {
        return "  # To let plimsoll start the service, and to judge its CPU:\n  # command: node server.js\n"
            .to_owned();
    }
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    format!(
        "  # How plimsoll starts the service; PORT is set to the port of the URL, or to the path of its unix socket.\n  \
         command: [{}]\n  \
         # Ready when this path responds with 2xx; without it, when the port is open.\n  \
         # ready: {{ path: /health, timeout: 10s }}\n",
        words.join(", ")
    )
}

fn objectives(parts: &Parts<'_>, journeys: &Journeys) -> String {
    let mut text = "\n# Objectives to judge, most important first.\nobjectives:\n".to_owned();
    let usual = ["cpu <= 80%", "p99 <= 100ms", "errors = 0"].map(str::to_owned);
    // The CPU of a service that plimsoll does not start is not seen.
    let usual = if parts.command.is_empty() {
        &usual[1..]
    } else {
        &usual[..]
    };
    let objectives = if journeys.objectives.is_empty() {
        usual
    } else {
        &journeys.objectives
    };
    for objective in objectives {
        let _ = writeln!(text, "  - {objective}");
    }
    text
}

fn load(journeys: &Journeys, sent: &Sent) -> String {
    let (per_sequence, pause) = match sent {
        Sent::Requests(weighted) => (weighted.per_sequence, weighted.pause),
        // A load of users, who pause themselves.
        Sent::Journeys(_) => (1.0, Duration::ZERO),
    };
    let mut text = "\n# Used by `plimsoll run`; `plimsoll capacity` chooses its own rates.\n".to_owned();
    match &journeys.load {
        None => text.push_str("load: { model: open, rate: 10/s, duration: 30s }\n"),
        Some(Load::Arrivals(phases)) => arrivals(&mut text, phases, per_sequence),
        Some(Load::Staged(phases)) => {
            text.push_str("load:\n  model: closed\n");
            stages(&mut text, phases, number);
            let pause = pause.div_f64(per_sequence.max(1e-9));
            if !pause.is_zero() {
                let _ = writeln!(text, "  think_time: {}", seconds(pause));
            }
        }
        Some(Load::Clients {
            clients,
            ramp,
            duration,
            sequences,
        }) => {
            let _ = write!(text, "load: {{ model: closed, connections: {clients}");
            if let Some(duration) = duration {
                let _ = write!(text, ", duration: {}", seconds(*duration));
            }
            if let Some(sequences) = sequences {
                let requests = (*sequences as f64 * per_sequence).round().max(1.0);
                let _ = write!(text, ", requests: {requests}");
            }
            if !ramp.is_zero() {
                let _ = write!(text, ", ramp: {}", seconds(*ramp));
            }
            let pause = pause.div_f64(per_sequence.max(1e-9));
            if !pause.is_zero() {
                let _ = write!(text, ", think_time: {}", seconds(pause));
            }
            text.push_str(" }\n");
        }
    }
    text
}

fn arrivals(text: &mut String, phases: &[Phase], per_sequence: f64) {
    if (per_sequence - 1.0).abs() > 1e-9 {
        let _ = writeln!(
            text,
            "# Each client sends {} requests, so rates are that much higher than those of clients.",
            number(per_sequence)
        );
    }
    text.push_str("load:\n  model: open\n");
    let rate = |clients: f64| format!("{}/s", number(clients * per_sequence));
    if let [phase] = phases
        && phase.from == phase.to
    {
        let _ = write!(
            text,
            "  rate: {}\n  duration: {}\n",
            rate(phase.from),
            seconds(phase.duration)
        );
        return;
    }
    stages(text, phases, rate);
}

/// Stages, whose levels are written in this way.
fn stages(text: &mut String, phases: &[Phase], level: impl Fn(f64) -> String) {
    text.push_str("  stages:\n");
    let mut last = 0.0;
    for phase in phases {
        let duration = seconds(phase.duration);
        let to = level(phase.to);
        let _ = if phase.from == phase.to {
            writeln!(text, "    - {{ hold: {to}, duration: {duration} }}")
        } else if phase.from == last {
            writeln!(text, "    - {{ ramp_to: {to}, duration: {duration} }}")
        } else {
            let from = level(phase.from);
            writeln!(text, "    - {{ from: {from}, ramp_to: {to}, duration: {duration} }}")
        };
        last = phase.to;
    }
}
