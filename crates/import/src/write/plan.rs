//! The text of a plan: target, objectives, scenario and load.

use super::journeys;
use super::request::element;
use super::taken::{Entries, Parts, Sent, Taken, Variables, number, read, seconds};
use super::yaml::{quoted, scalar, template};
use crate::error::ImportError;
use crate::journey::{Authorization, Journeys, Load, Phase};
use crate::left_out::{counted, shown};
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
    pub(crate) needed: Vec<Needed>,
}

pub(crate) fn write(
    parts: &Parts<'_>,
    journeys: &mut Journeys,
    environment: Environment,
) -> Result<Written, ImportError> {
    let mut variables = Variables::of(journeys);
    if let Sent::Journeys(sequences) = parts.sent {
        journeys::each_take(sequences, &mut |take| variables.take(&take.variable));
    }
    let (key, entries) = match parts.sent {
        Sent::Requests(weighted) => ("requests", requests(parts, journeys, &variables, weighted)?),
        Sent::Journeys(sequences) => ("journeys", journeys::entries(parts, journeys, &variables, sequences)?),
    };
    let mut used = BTreeSet::new();
    let texts = entries.texts.join("");
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
    let mut text = format!(
        "# Imported from {} by `plimsoll import`. Every key: {REFERENCE}\n",
        shown(parts.file)
    );
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
        .map(|name| shown(name.trim()))
        .filter(|name| !name.is_empty());
    if let Some(name) = name {
        let _ = write!(text, "\nname: {}\n", scalar(&name));
    }
    text.push('\n');
    text.push_str(&target(parts, journeys));
    text.push_str(&objectives(journeys));
    text.push_str("\nscenario:\n");
    let used = variables.text(&texts);
    text.push_str(if used.is_empty() { "" } else { "  variables:\n" });
    text.push_str(&used);
    let _ = writeln!(text, "  {key}:");
    text.push_str(&texts);
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
    parts: &Parts<'_>,
    journeys: &mut Journeys,
    variables: &Variables,
    weighted: &Weighted,
) -> Result<Entries, ImportError> {
    let mut taken = Taken::new(parts, variables);
    let lines = weighted
        .requests
        .iter()
        .filter_map(|(weight, request)| taken.lines(journeys, *weight, request));
    let texts: Vec<String> = lines.map(|lines| element(&lines, 4, None)).collect();
    let requests = texts.len();
    taken.end(journeys, Entries { texts, requests })
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
    text.push_str("  # To let plimsoll start the service, and to judge its CPU:\n  # command: node server.js\n");
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

fn objectives(journeys: &Journeys) -> String {
    let mut text = "\n# Objectives to judge, most important first.\nobjectives:\n".to_owned();
    let usual = ["p99 <= 100ms".to_owned(), "errors = 0".to_owned()];
    let objectives = if journeys.objectives.is_empty() {
        &usual[..]
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
        Some(Load::Clients {
            clients,
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
    text.push_str("  stages:\n");
    for phase in phases {
        let duration = seconds(phase.duration);
        let _ = match phase.from == phase.to {
            true => writeln!(text, "    - {{ hold: {}, duration: {duration} }}", rate(phase.from)),
            false => writeln!(
                text,
                "    - {{ from: {}, ramp_to: {}, duration: {duration} }}",
                rate(phase.from),
                rate(phase.to)
            ),
        };
    }
}
