//! Gives the texts of requests their values, and hides what is secret in them.

use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Request, Step, TakeFrom};
use crate::left_out::{Place, counted};
use crate::secrets::Environment;
use crate::target::each_request;
use crate::text::{Piece, Text, Values};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::BTreeSet;

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
    values.retain(|name, _| !lists.contains(name));
    let mut filler = Filler {
        values,
        lists,
        functions: Vec::new(),
    };
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let mut all: Option<Option<Authorization>> = None;
    let mut fill = |request: &mut Request, taken: &BTreeSet<String>| {
        filler.request(request, environment, taken);
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
    for sequence in &mut sequences {
        each_in_order(&mut sequence.steps, in_order, &mut BTreeSet::new(), &mut fill);
    }
    for (place, name) in filler.functions {
        journeys.leave_out(
            &place,
            format!("`{name}`"),
            "a value that is made anew for each request; the plan has one of the environment",
        );
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
    journeys.sequences = sequences;
    if environment.other_cookies() > 0 {
        let what = format!("the cookies of {}", counted(environment.other_cookies(), "request"));
        journeys.leave_out(&place, what, "all requests of the plan have those of the first");
    }
    Ok(common)
}

/// Calls `with` for each request with the variables that its user has taken by then.
fn each_in_order(
    steps: &mut [Step],
    takes: bool,
    taken: &mut BTreeSet<String>,
    with: &mut dyn FnMut(&mut Request, &BTreeSet<String>),
) {
    for step in steps {
        match step {
            Step::Request(request) => {
                with(request, taken);
                let known = request
                    .takes
                    .iter()
                    .filter(|take| takes && take.from != TakeFrom::Other);
                taken.extend(known.map(|take| take.variable.clone()));
            }
            Step::Pause(..) => {}
            // Who leaves them out has nothing of what they take.
            Step::Repeat(times, steps) if *times < 1.0 => each_in_order(steps, takes, &mut taken.clone(), with),
            Step::Repeat(_, steps) => each_in_order(steps, takes, taken, with),
        }
    }
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

fn first_place(sequences: &[crate::journey::Sequence]) -> Place {
    sequences
        .first()
        .map_or(Place::Line(1), |sequence| sequence.place.clone())
}

struct Filler {
    values: Values,
    lists: Vec<String>,
    /// Calls of functions that make a value for each request, and where the first of each stands.
    functions: Vec<(Place, String)>,
}

impl Filler {
    fn request(&mut self, request: &mut Request, environment: &mut Environment, taken: &BTreeSet<String>) {
        let place = request.place.clone();
        let mut fill = |text: &Text| self.text(text, environment, &place, taken);
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

    fn text(&mut self, text: &Text, environment: &mut Environment, place: &Place, taken: &BTreeSet<String>) -> Text {
        let mut filled = Text::default();
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
                Piece::Variable(name) if !self.lists.contains(name) && !taken.contains(name) => {
                    if is_function(name) && !self.functions.iter().any(|(_, known)| known == name) {
                        self.functions.push((place.clone(), name.clone()));
                    }
                    filled.append(&environment.variable(name, place));
                }
                other => filled.push(other.clone()),
            }
        }
        filled
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
    let mut hide = |text: &Text, name: &str, what: &str| match text.as_literal() {
        None | Some("") => text.clone(),
        Some(secret) => environment.secret(secret, name, what, place),
    };
    match authorization {
        Authorization::Bearer(token) => Authorization::Bearer(hide(token, "BEARER_TOKEN", "the token of all requests")),
        Authorization::Basic { user, password } => Authorization::Basic {
            user: hide(user, "BASIC_USER", "the user of all requests"),
            password: hide(password, "BASIC_PASSWORD", "the password of all requests"),
        },
    }
}
