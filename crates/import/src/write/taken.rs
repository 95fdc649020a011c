//! Requests that a plan takes: each is read alone, as a plan reads it, before it is taken in; and the variables in them.

use super::request::{element, is_of_generator, lines};
use super::yaml::{quoted, scalar, template};
use crate::error::ImportError;
use crate::journey::{Authorization, Journeys, Request, Sequence, Take, TakeFrom};
use crate::left_out::{Place, called, counted, shown};
use crate::requests::Weighted;
use crate::target::Target;
use plimsoll_plan::{Plan, PlanError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// Most bytes of the values of all variables.
const MOST_VALUE_BYTES: usize = 256 << 10;
/// What is left then of the most bytes that a plan may have, when target, load and comments are written.
const MOST_REQUEST_BYTES: usize = (1 << 20) - MOST_VALUE_BYTES - (64 << 10);
const LONGEST_NAME: usize = 80;

/// Sends the request of a plan that has it in `before`, and says why it stands in a comment if that was no success.
pub(crate) type Tries<'a> = &'a dyn Fn(&str) -> Result<(), String>;

/// What a plan is written of.
pub(crate) struct Parts<'a> {
    /// Where it comes from, as its first line says it.
    pub(crate) origin: &'a str,
    pub(crate) target: &'a Target,
    /// What starts the service; empty where it is not known.
    pub(crate) command: &'a [String],
    pub(crate) authorization: Option<&'a Authorization>,
    pub(crate) sent: &'a Sent,
    /// What is done before and after the load.
    pub(crate) around: &'a [Sequence],
    /// The path of a file that is sent, as the plan has it.
    pub(crate) body_file: &'a dyn Fn(&str) -> String,
    /// A first plan: what cannot be sent as it is stands in comments.
    pub(crate) tries: Option<Tries<'a>>,
}

/// What a plan sends.
pub(crate) enum Sent {
    /// Requests, in no order.
    Requests(Weighted),
    /// What users do, in order.
    Journeys(Vec<Sequence>),
}

/// Entries of a list of the scenario, and how many requests are in them.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) texts: Vec<String>,
    pub(super) requests: usize,
    /// Those that cannot be sent as they are, each with the reason.
    pub(super) aside: Vec<(String, String)>,
}

/// Requests that a plan takes, each of which is read alone first.
pub(super) struct Taken<'a> {
    parts: &'a Parts<'a>,
    variables: &'a Variables,
    names: BTreeSet<String>,
    bytes: usize,
    too_large: Option<(Place, usize)>,
}

impl<'a> Taken<'a> {
    pub(super) fn new(parts: &'a Parts<'a>, variables: &'a Variables) -> Self {
        Self {
            parts,
            variables,
            names: BTreeSet::new(),
            bytes: 0,
            too_large: None,
        }
    }

    /// The lines of a request, unless a plan refuses it or has no place for it.
    pub(super) fn lines(&mut self, journeys: &mut Journeys, weight: u32, request: &Request) -> Option<Vec<String>> {
        let request = with_valid_headers(journeys, request);
        let name = name(&request, self.variables, &mut self.names);
        let lines = lines(
            &request,
            weight,
            name.as_deref(),
            &self.variables.names,
            self.parts.body_file,
        );
        let entry = element(&lines, 4, None);
        let variables = self.variables.text(&entry) + &self.variables.stand_ins(&entry);
        let key = if variables.is_empty() { "" } else { "  variables:\n" };
        let alone = format!("target: http://127.0.0.1:1\nscenario:\n{key}{variables}  requests:\n{entry}");
        if let Err(error) = read(&alone) {
            let why = format!("a plan refuses it: {}", error.mismatch().message());
            journeys.leave_out(&request.place, format!("a request, {}", request.method), why);
            return None;
        }
        if self.bytes + entry.len() > MOST_REQUEST_BYTES {
            let (_, count) = self.too_large.get_or_insert((request.place.clone(), 0));
            *count += 1;
            return None;
        }
        self.bytes += entry.len();
        Some(lines)
    }

    /// Why a request cannot be sent as it is, in a first plan.
    pub(super) fn aside(&self, target: &str, lines: &[String]) -> Option<String> {
        let tries = self.parts.tries?;
        let entry = element(lines, 4, None);
        let lacking: Vec<String> = self.variables.lacking(&entry).map(|name| format!("`{name}`")).collect();
        if !lacking.is_empty() {
            return Some(format!("It needs values of {}, above.", lacking.join(" and ")));
        }
        let variables = self.variables.text(&entry);
        let key = if variables.is_empty() { "" } else { "  variables:\n" };
        let before = element(lines, 4, Some("request"));
        let alone = format!("{target}scenario:\n{key}{variables}  before:\n{before}  requests: [path: /]\n");
        tries(&alone).err()
    }

    /// Says what found no place, and fails where nothing did.
    pub(super) fn end(self, journeys: &mut Journeys, entries: Entries) -> Result<Entries, ImportError> {
        if let Some((place, count)) = self.too_large {
            let why = "a plan has at most 1 MiB, and these do not fit into it";
            journeys.leave_out(&place, counted(count, "request"), why);
        }
        if entries.requests > 0 {
            return Ok(entries);
        }
        let error = ImportError::new(None, "no request that a plan can have", "at least one request of HTTP");
        // Requests that are refused come last.
        Err(match journeys.left_out.as_slice() {
            [] => error,
            [only] => error.hint(format!("left out: {only}")),
            [others @ .., last] => error.hint(format!("left out: {last}, and {}", counted(others.len(), "other"))),
        })
    }
}

/// Whether a header can be called so (RFC 9110, section 5.6.2).
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn with_valid_headers(journeys: &mut Journeys, request: &Request) -> Request {
    let mut request = request.clone();
    request.headers.retain(|(name, value)| {
        if name.eq_ignore_ascii_case("connection") && value.as_literal() == Some("close") {
            let why = "write `connections: { keep_alive: false }` in the plan to close all connections after a request";
            journeys.leave_out(&request.place, "connection: close", why);
        }
        if !is_token(name) {
            let what = format!("the header `{}`", shown(name));
            journeys.leave_out(&request.place, what, "it is not the name of a header");
        }
        is_token(name) && !is_of_generator(name)
    });
    request
}

/// Has each variable get one value of a response: the last of several, which a client is left with.
pub(super) fn keep_last(journeys: &mut Journeys, takes: &mut [Take]) {
    for place in 0..takes.len() {
        let (earlier, later) = takes.split_at_mut(place);
        let is_taken = later[0].from != TakeFrom::Other;
        let same = |take: &&mut Take| is_taken && take.from != TakeFrom::Other && take.variable == later[0].variable;
        for take in earlier.iter_mut().filter(same) {
            take.from = TakeFrom::Other;
            let what = format!("`{}` from a response", take.variable);
            journeys.leave_out(&take.place, what, "what is taken behind it has the same name");
        }
    }
}

/// A name that no other request has. A request without one is called by method and path in reports, and needs one where another is called so.
fn name(request: &Request, variables: &Variables, names: &mut BTreeSet<String>) -> Option<String> {
    let written = request.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    // A plan shows no value of the environment, so what differs in these alone is called the same.
    let default = || {
        let shown = request.url.hiding_environment();
        format!("{} {}", request.method, template(&shown, &variables.names))
    };
    let name: String = written.map_or_else(default, |name| called(name).chars().take(LONGEST_NAME).collect());
    let name = name.trim().to_owned();
    if names.insert(name.clone()) {
        return written.map(|_| name);
    }
    let numbered = (2..)
        .map(|number| format!("{name} #{number}"))
        .find(|name| !names.contains(name))?;
    names.insert(numbered.clone());
    Some(numbered)
}

/// Variables whose values are taken in turn, or made.
pub(super) struct Variables {
    /// Their names in the plan, by their names in the file.
    pub(super) names: BTreeMap<String, String>,
    /// Names in the plan of values that users take.
    taken: Vec<String>,
    lists: Vec<(String, String)>,
    /// Names in the plan of what has no values yet.
    lacking: Vec<String>,
}

impl Variables {
    pub(super) fn of(journeys: &mut Journeys) -> Self {
        let mut variables = Self {
            names: BTreeMap::new(),
            taken: Vec::new(),
            lists: Vec::new(),
            lacking: Vec::new(),
        };
        let lists = std::mem::take(&mut journeys.lists);
        let fitting = fitting(&lists);
        for (name, values) in lists {
            let free = variables.free_name(&name);
            let most = fitting.get(&values.len()).copied().unwrap_or_default();
            let kept: Vec<String> = values.iter().take(most).map(|value| written(value)).collect();
            if kept.len() < values.len() {
                let what = format!("{} values of `{name}`", values.len() - kept.len());
                journeys.leave_out(
                    &Place::Path(name.clone()),
                    what,
                    "a plan holds at most 256 KiB of values",
                );
            }
            variables.names.insert(name, free.clone());
            match kept.as_slice() {
                [] => variables.lacking.push(free),
                kept => variables
                    .lists
                    .push((free, format!("{{ values: [{}] }}", kept.join(", ")))),
            }
        }
        for variable in std::mem::take(&mut journeys.made) {
            let free = variables.free_name(&variable.name);
            variables.names.insert(variable.key, free.clone());
            variables.lists.push((free, variable.made.source(variable.anew)));
        }
        variables
    }

    /// The name in the plan of a value that users take.
    pub(super) fn take(&mut self, name: &str) {
        if self.names.contains_key(name) {
            return;
        }
        let free = self.free_name(name);
        self.names.insert(name.to_owned(), free.clone());
        self.taken.push(free);
    }

    /// A name that a plan takes and none of the variables has.
    pub(super) fn free_name(&self, name: &str) -> String {
        let plain: String = name
            .trim_start_matches('$')
            .trim_end_matches(']')
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        let is_used =
            |name: &str| name.is_empty() || name == "message" || self.names.values().any(|known| known == name);
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        names.find(|name| !is_used(name)).unwrap_or_default()
    }

    /// Values in the places of those that users take or that are lacking, where a request is read alone.
    fn stand_ins(&self, requests: &str) -> String {
        let used = self.taken.iter().filter(|name| is_in(name, requests));
        used.chain(self.lacking(requests))
            .map(|name| format!("    {}: {{ values: [x] }}\n", scalar(name)))
            .collect()
    }

    /// Names of what has no values yet in `requests`.
    pub(super) fn lacking(&self, requests: &str) -> impl Iterator<Item = &String> {
        self.lacking.iter().filter(|name| is_in(name, requests))
    }

    /// Those that stand in `requests`.
    pub(super) fn text(&self, requests: &str) -> String {
        let used: Vec<_> = self.lists.iter().filter(|(name, _)| is_in(name, requests)).collect();
        let mut text = String::new();
        for (name, values) in used {
            let _ = writeln!(text, "    {}: {values}", scalar(name));
        }
        text
    }
}

/// A value as a plan has it.
fn written(value: &str) -> String {
    quoted(&value.replace("${env.", "$${env."))
}

/// How many values a plan holds of lists of each length: each list has the same room, and those of one table keep the same rows.
fn fitting(lists: &[(String, Vec<String>)]) -> BTreeMap<usize, usize> {
    let room = MOST_VALUE_BYTES / lists.len().max(1);
    let mut fitting = BTreeMap::new();
    for (_, values) in lists {
        let mut bytes = 0;
        let fits = values.iter().take_while(|value| {
            bytes += written(value).len() + 2;
            bytes <= room
        });
        let fits = fits.count();
        let known = fitting.entry(values.len()).or_insert(fits);
        *known = fits.min(*known);
    }
    fitting
}

fn is_in(name: &str, requests: &str) -> bool {
    requests.contains(&format!("${{{name}}}"))
}

/// Reads a plan as `plimsoll` does, with something for every variable of the environment and every file.
pub(super) fn read(text: &str) -> Result<Plan, PlanError> {
    let any_file = |_: &std::path::Path, _| Ok(b"x".to_vec());
    let any_value = |_: &str| Some("x".to_owned());
    Plan::parse_with(text, "plan.yaml", &any_file, &any_value)
}

/// Exact to a millionth, as rates of a plan are.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn seconds(duration: Duration) -> String {
    match (duration.as_secs(), duration.subsec_nanos()) {
        (seconds, 0) => format!("{seconds}s"),
        (_, nanos) if nanos % 1_000_000 == 0 => format!("{}ms", duration.as_millis()),
        _ => format!("{}us", duration.as_micros().max(1)),
    }
}
