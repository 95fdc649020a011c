//! The text of a plan: target, objectives, scenario and load. Each request is read as a plan reads it before it is taken in.

use super::request::{entry, is_of_generator};
use super::yaml::{quoted, scalar, template};
use crate::error::ImportError;
use crate::journey::{Authorization, Journeys, Load, Phase, Request};
use crate::left_out::{Place, counted, shown};
use crate::requests::Weighted;
use crate::secrets::{Environment, Needed};
use crate::target::Target;
use crate::text::Text;
use plimsoll_plan::{Plan, PlanError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

const REFERENCE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/reference/plan.md");
/// Most bytes of the values of all variables.
const MOST_VALUE_BYTES: usize = 256 << 10;
/// What is left then of the most bytes that a plan may have, when target, load and comments are written.
const MOST_REQUEST_BYTES: usize = (1 << 20) - MOST_VALUE_BYTES - (64 << 10);
/// Variables of the environment that are listed in a plan; the command lists all.
const MOST_LISTED: usize = 50;
const LONGEST_NAME: usize = 80;

/// What a plan is written of.
pub(crate) struct Parts<'a> {
    /// The file, as messages call it.
    pub(crate) file: &'a str,
    pub(crate) target: &'a Target,
    pub(crate) authorization: Option<&'a Authorization>,
    pub(crate) weighted: &'a Weighted,
    /// The path of a file that is sent, as the plan has it.
    pub(crate) body_file: &'a dyn Fn(&str) -> String,
}

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
    let variables = Variables::of(journeys);
    let requests = requests(parts, journeys, &variables)?;
    let mut used = BTreeSet::new();
    let texts = requests.join("");
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
    text.push_str(&variables.text(&texts));
    text.push_str("  requests:\n");
    text.push_str(&texts);
    text.push_str(&load(journeys, parts.weighted));
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
        requests: requests.len(),
        text,
        needed,
    })
}

/// Whether a header can be called so (RFC 9110, section 5.6.2).
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn is_of_target(parts: &Parts<'_>, name: &str) -> bool {
    let is = |text: &Text| *text == Text::environment(name);
    match parts.authorization {
        None => false,
        Some(Authorization::Bearer(token)) => is(token),
        Some(Authorization::Basic { user, password }) => is(user) || is(password),
    }
}

/// Reads a plan as `plimsoll` does, with something for every variable of the environment and every file.
fn read(text: &str) -> Result<Plan, PlanError> {
    let any_file = |_: &std::path::Path, _| Ok(b"x".to_vec());
    let any_value = |_: &str| Some("x".to_owned());
    Plan::parse_with(text, "plan.yaml", &any_file, &any_value)
}

fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Entries of the requests that a plan takes.
fn requests(parts: &Parts<'_>, journeys: &mut Journeys, variables: &Variables) -> Result<Vec<String>, ImportError> {
    let mut entries = Vec::new();
    let mut names = BTreeSet::new();
    let mut bytes = 0;
    let mut too_large: Option<(Place, usize)> = None;
    for (weight, request) in &parts.weighted.requests {
        let mut request = request.clone();
        request.headers.retain(|(name, value)| {
            let closes = name.eq_ignore_ascii_case("connection") && value.as_literal() == Some("close");
            if closes {
                let why =
                    "write `connections: { keep_alive: false }` in the plan to close all connections after a request";
                journeys.leave_out(&request.place, "connection: close", why);
            }
            if !is_token(name) {
                journeys.leave_out(
                    &request.place,
                    format!("the header `{}`", shown(name)),
                    "it is not the name of a header",
                );
            }
            is_token(name) && !is_of_generator(name)
        });
        let request = &request;
        let name = name(request, variables, &mut names);
        let entry = entry(request, *weight, name.as_deref(), &variables.names, parts.body_file);
        let alone = format!(
            "target: http://127.0.0.1:1\nscenario:\n{}  requests:\n{entry}",
            variables.text(&entry)
        );
        if let Err(error) = read(&alone) {
            let why = format!("a plan refuses it: {}", error.mismatch().message());
            journeys.leave_out(&request.place, format!("a request, {}", request.method), why);
            continue;
        }
        if bytes + entry.len() > MOST_REQUEST_BYTES {
            let (_, count) = too_large.get_or_insert((request.place.clone(), 0));
            *count += 1;
            continue;
        }
        bytes += entry.len();
        entries.push(entry);
    }
    if let Some((place, count)) = too_large {
        journeys.leave_out(
            &place,
            counted(count, "request"),
            "a plan has at most 1 MiB, and these do not fit into it",
        );
    }
    match entries.is_empty() {
        false => Ok(entries),
        true => {
            let error = ImportError::new(None, "no request that a plan can have", "at least one request of HTTP");
            // Requests that are refused come last.
            Err(match journeys.left_out.as_slice() {
                [] => error,
                [only] => error.hint(format!("left out: {only}")),
                [others @ .., last] => error.hint(format!("left out: {last}, and {}", counted(others.len(), "other"))),
            })
        }
    }
}

/// A name that no other request has. A request without one is called by method and path in reports, and needs one where another is called so.
fn name(request: &Request, variables: &Variables, names: &mut BTreeSet<String>) -> Option<String> {
    let written = request.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let default = || format!("{} {}", request.method, template(&request.url, &variables.names));
    let name: String = written.map_or_else(default, |name| shown(name).chars().take(LONGEST_NAME).collect());
    let name = name.trim().to_owned();
    if names.insert(name.clone()) {
        return written.map(|_| name);
    }
    let name = shown(&name);
    let numbered = (2..)
        .map(|number| format!("{name} #{number}"))
        .find(|name| !names.contains(name))?;
    names.insert(numbered.clone());
    Some(numbered)
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

/// Variables whose values are taken in turn.
struct Variables {
    /// Their names in the plan, by their names in the file.
    names: BTreeMap<String, String>,
    lists: Vec<(String, String)>,
}

impl Variables {
    fn of(journeys: &mut Journeys) -> Self {
        let mut variables = Self {
            names: BTreeMap::new(),
            lists: Vec::new(),
        };
        let mut bytes = 0;
        for (name, values) in std::mem::take(&mut journeys.lists) {
            let plain: String = name
                .chars()
                .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' })
                .collect();
            let is_taken = |name: &str| {
                variables.lists.iter().any(|(known, _)| known == name) || name == "message" || name.is_empty()
            };
            let free = match is_taken(&plain) {
                false => plain,
                true => (2..)
                    .map(|number| format!("{plain}_{number}"))
                    .find(|name| !is_taken(name))
                    .unwrap_or_default(),
            };
            let mut kept = Vec::new();
            for value in &values {
                let value = quoted(&value.replace("${env.", "$${env."));
                bytes += value.len() + 2;
                if bytes > MOST_VALUE_BYTES {
                    break;
                }
                kept.push(value);
            }
            if kept.len() < values.len() {
                let what = format!("{} values of `{name}`", values.len() - kept.len());
                journeys.leave_out(
                    &Place::Path(name.clone()),
                    what,
                    "a plan holds at most 256 KiB of values",
                );
            }
            variables.names.insert(name, free.clone());
            variables
                .lists
                .push((free, format!("{{ values: [{}] }}", kept.join(", "))));
        }
        variables
    }

    /// Those that stand in `requests`.
    fn text(&self, requests: &str) -> String {
        let used: Vec<_> = self
            .lists
            .iter()
            .filter(|(name, _)| requests.contains(&format!("${{{name}}}")))
            .collect();
        let mut text = String::new();
        if !used.is_empty() {
            text.push_str("  variables:\n");
        }
        for (name, values) in used {
            let _ = writeln!(text, "    {}: {values}", scalar(name));
        }
        text
    }
}

fn load(journeys: &Journeys, weighted: &Weighted) -> String {
    let mut text = "\n# Used by `plimsoll run`; `plimsoll capacity` chooses its own rates.\n".to_owned();
    match &journeys.load {
        None => text.push_str("load: { model: open, rate: 10/s, duration: 30s }\n"),
        Some(Load::Arrivals(phases)) => arrivals(&mut text, phases, weighted.per_sequence),
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
                let requests = (*sequences as f64 * weighted.per_sequence).round().max(1.0);
                let _ = write!(text, ", requests: {requests}");
            }
            let pause = weighted
                .pause
                .div_f64(weighted.per_sequence.max(f64::MIN_POSITIVE).max(1e-9));
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

/// Exact to a millionth, as rates of a plan are.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn seconds(duration: Duration) -> String {
    match (duration.as_secs(), duration.subsec_nanos()) {
        (seconds, 0) => format!("{seconds}s"),
        (_, nanos) if nanos % 1_000_000 == 0 => format!("{}ms", duration.as_millis()),
        _ => format!("{}us", duration.as_micros().max(1)),
    }
}
