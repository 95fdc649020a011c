//! Gives the texts of requests their values, and hides what is secret in them.

use crate::conditions;
use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Key, Request, RoundsBy, Sequence, Step, TakeFrom, When};
use crate::left_out::{Place, counted, shown};
use crate::made::{Call, Functions, MadeVariable, Part, name_of};
use crate::read::query;
use crate::secrets::Environment;
use crate::target::each_request;
use crate::text::{Piece, Text, Values};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::{BTreeMap, BTreeSet};

/// Gives every text of the requests its values, and hides what is secret. Variables whose values are taken in turn stay. Gives the credentials that
/// all requests have in common.
pub(crate) fn fill(
    journeys: &mut Journeys,
    environment: &mut Environment,
    in_order: bool,
) -> Result<Option<Authorization>, ImportError> {
    hide_lists(journeys);
    let mut values = std::mem::take(&mut journeys.values);
    let lists: Vec<String> = journeys.lists.iter().map(|(name, _)| name.clone()).collect();
    let is_made = |name: &String| journeys.made.iter().any(|made| made.key == *name);
    values.retain(|name, _| !lists.contains(name) && !is_made(name));
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let mut filler = Filler {
        lists,
        used: used(&mut sequences, &values),
        values,
        functions: journeys.functions,
        made: std::mem::take(&mut journeys.made),
        calls: BTreeMap::new(),
        strange: Vec::new(),
    };
    let mut all: Option<Option<Authorization>> = None;
    let mut fill = |request: &mut Request, known: &Known<'_>| {
        filler.request(request, environment, known);
        let own = request
            .authorization
            .clone()
            .filter(|_| !request.has_header("authorization"));
        match &all {
            None => all = Some(own),
            Some(known) if *known != own => all = Some(None),
            Some(_) => {}
        }
    };
    let mut before = BTreeSet::new();
    for when in [When::Before, When::Load, When::After] {
        for sequence in sequences.iter_mut().filter(|sequence| sequence.when == when) {
            // What is taken before the load is known to all behind it.
            let mut taken = before.clone();
            let is_ordered = in_order || when != When::Load;
            each_in_order(&mut sequence.steps, is_ordered, &mut taken, &mut fill);
            if when == When::Before {
                before = taken;
            }
        }
    }
    journeys.made = filler.made;
    for (place, name, why) in filler.strange {
        journeys.leave_out(&place, format!("`{name}`"), why);
    }
    let common = all.flatten();
    each_request(&mut sequences, &mut |request| {
        match request.authorization.take() {
            Some(authorization) if common.is_none() => {
                let value = header(&authorization, environment, &request.place);
                request.default_header("authorization", value);
            }
            _ => {}
        }
        if let Some(key) = request.key.take() {
            put_key(journeys, request, &key, environment);
        }
        hide(request, environment);
        true
    });
    let place = first_place(&sequences);
    let common = common.map(|authorization| hidden(environment, &authorization, &place));
    // Only now all secrets are known.
    let known = environment.known()?;
    each_request(&mut sequences, &mut |request| {
        each_text(request, &mut |text| known.veil(text));
        if request.name.as_deref().is_some_and(|name| known.is_in(name)) {
            request.name = None;
        }
        true
    });
    for sequence in &mut sequences {
        conditions::each(&mut sequence.steps, &mut |condition| {
            condition.holds.each_text(&mut |text| known.veil(text));
        });
        if known.is_in(&sequence.name) {
            sequence.name.clear();
        }
    }
    journeys.name = journeys.name.take().filter(|name| !known.is_in(name));
    journeys.sequences = sequences;
    if environment.other_cookies() > 0 {
        let what = format!("the cookies of {}", counted(environment.other_cookies(), "request"));
        journeys.leave_out(&place, what, "all requests of the plan have those of the first");
    }
    Ok(common)
}

/// Has variables whose values call functions stand for what these make: a user keeps it, wherever the variable stands.
pub(crate) fn make_values(journeys: &mut Journeys, environment: &mut Environment) {
    let Some(functions) = journeys.functions else { return };
    let place = first_place(&journeys.sequences);
    let used = used(&mut journeys.sequences, &journeys.values);
    for (name, text) in std::mem::take(&mut journeys.values) {
        let mut filled = Text::default();
        for (index, piece) in text.pieces().iter().enumerate() {
            let call = match piece {
                Piece::Variable(written) if used.contains(&name) => functions(written).map(|call| (written, call)),
                Piece::Variable(_) | Piece::Literal(_) | Piece::Environment(_) => None,
            };
            let Some((written, call)) = call else {
                filled.push(piece.clone());
                continue;
            };
            if let Some(otherwise) = call.otherwise {
                journeys.leave_out(&place, format!("`{written}`"), otherwise);
            }
            for part in call.parts {
                match part {
                    Part::Literal(literal) => filled.push_str(&literal),
                    Part::Environment(name) => filled.append(&environment.variable(&name, &place)),
                    Part::Made(made) => {
                        let key = format!("{name} #{index}");
                        filled.append(&Text::variable(&key));
                        journeys.made.push(MadeVariable {
                            key,
                            name: name.clone(),
                            made,
                            anew: false,
                        });
                    }
                }
            }
        }
        journeys.values.insert(name, filled);
    }
}

/// What is known to whom a request is sent by.
pub(crate) struct Known<'a> {
    /// Variables that a user has taken by then.
    pub(crate) taken: &'a BTreeSet<String>,
    /// Whether it is a user who does one thing after the other.
    is_user: bool,
}

/// Calls `with` for each request with the variables that its user has taken by then.
pub(crate) fn each_in_order(
    steps: &mut [Step],
    is_user: bool,
    taken: &mut BTreeSet<String>,
    with: &mut dyn FnMut(&mut Request, &Known<'_>),
) {
    for step in steps {
        match step {
            Step::Request(request) => {
                with(request, &Known { taken, is_user });
                let known = request
                    .takes
                    .iter()
                    .filter(|take| is_user && take.from != TakeFrom::Other);
                taken.extend(known.map(|take| take.variable.clone()));
            }
            Step::Pause(..) => {}
            // Who leaves them out has nothing of what they take.
            Step::Repeat(times, steps) if *times < 1.0 => each_in_order(steps, is_user, &mut taken.clone(), with),
            Step::When(_, steps) => each_in_order(steps, is_user, &mut taken.clone(), with),
            Step::Repeat(_, steps) | Step::Once(_, _, steps) => each_in_order(steps, is_user, taken, with),
            Step::Rounds(rounds, steps) => {
                let mut within = taken.clone();
                within.extend(rounds.variables().map(str::to_owned).filter(|_| is_user));
                each_in_order(steps, is_user, &mut within, with);
                if matches!(rounds.by, RoundsBy::Times(_) | RoundsBy::Until(_)) {
                    *taken = within;
                }
            }
            Step::OneOf(_, branches) => {
                for steps in branches {
                    each_in_order(steps, is_user, &mut taken.clone(), with);
                }
            }
        }
    }
}

/// The names of all variables in requests and in the values of others.
fn used(sequences: &mut [Sequence], values: &Values) -> BTreeSet<String> {
    let mut used: BTreeSet<String> = values.values().flat_map(Text::variables).map(str::to_owned).collect();
    each_request(sequences, &mut |request| {
        each_text(request, &mut |text| {
            used.extend(text.variables().map(str::to_owned));
            text.clone()
        });
        true
    });
    used
}

/// A plan has lists of values in the clear.
fn hide_lists(journeys: &mut Journeys) {
    let mut lists = std::mem::take(&mut journeys.lists);
    lists.retain(|(name, values)| {
        let hides = !values.is_empty() && Environment::hides_list(name, values);
        if hides {
            let why = "they are secrets; the plan has one from the environment";
            journeys.leave_out(&Place::Path(name.clone()), counted(values.len(), "value"), why);
        }
        !hides
    });
    journeys.lists = lists;
}

fn first_place(sequences: &[Sequence]) -> Place {
    sequences
        .first()
        .map_or(Place::Line(1), |sequence| sequence.place.clone())
}

struct Filler {
    values: Values,
    lists: Vec<String>,
    /// Names of variables that something stands for somewhere.
    used: BTreeSet<String>,
    functions: Option<Functions>,
    made: Vec<MadeVariable>,
    /// How many times each function was called in the request so far.
    calls: BTreeMap<String, usize>,
    /// Calls of functions that plans do not have, or have otherwise: where the first of each stands, and what is said of it.
    strange: Vec<(Place, String, &'static str)>,
}

impl Filler {
    fn request(&mut self, request: &mut Request, environment: &mut Environment, known: &Known<'_>) {
        let place = request.place.clone();
        self.calls.clear();
        let mut fill = |text: &Text| self.text(text, environment, &place, known);
        each_text(request, &mut fill);
        match &mut request.authorization {
            None => {}
            Some(Authorization::Bearer(token)) => *token = fill(token),
            Some(Authorization::Basic { user, password }) => {
                *user = fill(user);
                *password = fill(password);
            }
        }
    }

    fn text(&mut self, text: &Text, environment: &mut Environment, place: &Place, known: &Known<'_>) -> Text {
        let mut filled = Text::default();
        let taken = known.taken;
        let is_taken = text.variables().any(|name| taken.contains(name));
        let text = match is_taken {
            // What a user has taken comes before what the file has.
            true => text.resolved(
                &self
                    .values
                    .iter()
                    .filter(|(name, _)| !taken.contains(*name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            ),
            false => text.resolved(&self.values),
        };
        for piece in text.pieces() {
            match piece {
                Piece::Variable(name) if !self.is_known(name) && !taken.contains(name) => {
                    let call = self.functions.and_then(|functions| functions(name));
                    match call {
                        Some(call) => filled.append(&self.made(name, call, environment, place, known.is_user)),
                        None => {
                            if is_function(name) {
                                let why =
                                    "a value that is made anew for each request; the plan has one of the environment";
                                self.say(place, name, why);
                            }
                            filled.append(&environment.variable(name, place));
                        }
                    }
                }
                other => filled.push(other.clone()),
            }
        }
        filled
    }

    /// Whether a variable has values in the plan.
    fn is_known(&self, name: &str) -> bool {
        self.lists.iter().any(|list| list == name) || self.made.iter().any(|made| made.key == name)
    }

    fn say(&mut self, place: &Place, name: &str, why: &'static str) {
        if !self.strange.iter().any(|(_, known, _)| known == name) {
            self.strange.push((place.clone(), name.to_owned(), why));
        }
    }

    /// What stands for a call of a function. Each one of a request makes a value of its own.
    fn made(&mut self, name: &str, call: Call, environment: &mut Environment, place: &Place, is_user: bool) -> Text {
        if let Some(otherwise) = call.otherwise {
            self.say(place, name, otherwise);
        }
        // A variable that nobody asks for keeps nothing.
        let keeps = call.keeps.filter(|keeps| self.used.contains(keeps));
        let nth = self.calls.entry(name.to_owned()).or_default();
        *nth += 1;
        let nth = *nth;
        let mut text = Text::default();
        for part in call.parts {
            match part {
                Part::Literal(literal) => text.push_str(&literal),
                Part::Environment(name) => text.append(&environment.variable(&name, place)),
                Part::Made(made) => {
                    let anew = is_user && made.is_by_chance() && !call.is_of_client && keeps.is_none();
                    // One time, one user and one turn are the same wherever they stand.
                    let nth = if made.is_by_chance() && !call.is_of_client {
                        nth
                    } else {
                        1
                    };
                    let key = keeps
                        .clone()
                        .unwrap_or_else(|| format!("{name} #{nth}{}", if anew { " anew" } else { "" }));
                    if !self.made.iter().any(|known| known.key == key) {
                        let name = keeps.clone().unwrap_or_else(|| name_of(name));
                        self.made.push(MadeVariable {
                            key: key.clone(),
                            name,
                            made,
                            anew,
                        });
                    }
                    text.append(&Text::variable(key));
                }
            }
        }
        text
    }
}

/// Whether a variable is a call that makes a value. What comes from the environment is none.
fn is_function(name: &str) -> bool {
    let of_environment = ["$processEnv ", "$dotenv ", "$env.", "$processEnvironment."];
    (name.starts_with('$') || name.starts_with("__")) && !of_environment.iter().any(|prefix| name.starts_with(prefix))
}

pub(crate) fn each_text(request: &mut Request, change: &mut dyn FnMut(&Text) -> Text) {
    request.url = change(&request.url);
    for (_, value) in &mut request.headers {
        *value = change(value);
    }
    if let Body::Text(text) = &mut request.body {
        *text = change(text);
    }
    if let Some(key) = &mut request.key {
        key.name = change(&key.name);
        key.value = change(&key.value);
    }
    for text in request.checks.iter_mut().filter_map(|check| check.of.text_mut()) {
        *text = change(text);
    }
}

/// Puts a key where the service looks for it. All of it is secret but what variables stand for.
fn put_key(journeys: &mut Journeys, request: &mut Request, key: &Key, environment: &mut Environment) {
    let Some(name) = key.name.as_literal().filter(|name| !name.is_empty()) else {
        let why = "its name has no value in the file";
        journeys.leave_out(&request.place, "a key of the request", why);
        return;
    };
    let value = environment.veil_all(&key.value, name, &format!("the key `{}`", shown(name)), &request.place);
    if key.is_in_query {
        request.url = query::with_query(&request.url, &query::form([(&key.name, &value)]));
    } else {
        request.remove_header(name);
        request.headers.push((name.to_owned(), value));
    }
}

fn hide(request: &mut Request, environment: &mut Environment) {
    request.url = environment.veil_path(&request.url, &request.place);
    for (name, value) in &mut request.headers {
        *value = environment.veil_header(name, value, &request.place);
    }
    if let Body::Text(text) = &mut request.body {
        *text = environment.veil_body(text, &request.place);
    }
}

/// As the value of a header. What is not known here cannot be encoded here.
fn header(authorization: &Authorization, environment: &mut Environment, place: &Place) -> Text {
    match authorization {
        Authorization::Bearer(token) => {
            let mut value = Text::literal("Bearer ");
            value.append(token);
            value
        }
        Authorization::Basic { user, password } => match (user.as_literal(), password.as_literal()) {
            (Some(user), Some(password)) => {
                Text::literal(format!("Basic {}", BASE64.encode(format!("{user}:{password}"))))
            }
            _ => {
                let mut value = Text::literal("Basic ");
                value.append(&environment.named("BASIC_CREDENTIALS", "`user:password` in base64", place));
                value
            }
        },
    }
}

fn hidden(environment: &mut Environment, authorization: &Authorization, place: &Place) -> Authorization {
    let mut hide = |text: &Text, name: &str, what: &str| environment.veil_all(text, name, what, place);
    match authorization {
        Authorization::Bearer(token) => Authorization::Bearer(hide(token, "BEARER_TOKEN", "the token of all requests")),
        Authorization::Basic { user, password } => Authorization::Basic {
            user: hide(user, "BASIC_USER", "the user of all requests"),
            password: hide(password, "BASIC_PASSWORD", "the password of all requests"),
        },
    }
}
