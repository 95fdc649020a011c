//! Collections of Postman in the format 2.1 or 2.0, with an environment.

mod auth;
mod request;
mod scripts;

use crate::error::ImportError;
use crate::journey::{Journeys, Sequence, Step, When};
use crate::left_out::{Place, counted};
use crate::made;
use crate::read::json::{list, scalar};
use crate::text::{Text, Values};
use request::request;
use scripts::{Scripts, scripts};
use serde_json::Value;

/// Directories in directories.
const DEPTH_MAX: usize = 50;

/// The variables of an environment that Postman has exported.
pub(crate) fn environment(document: &Value) -> Result<Values, ImportError> {
    if !document["values"].is_array() {
        let place = Place::Path("values".to_owned());
        return Err(ImportError::new(
            Some(&place),
            "no list",
            "the values of an environment of Postman",
        ));
    }
    Ok(variables(&document["values"]))
}

fn variables(of: &Value) -> Values {
    let is_on = |entry: &&Value| entry["disabled"] != true && entry["enabled"] != false;
    let pair = |entry: &Value| {
        let name = entry["key"].as_str().or(entry["id"].as_str())?;
        let value = scalar(&entry["value"]).filter(|value| !value.is_empty())?;
        let value = match entry["type"] == "secret" || entry["secret"] == true {
            // It stands for itself, as one without a value does.
            true => Text::variable(name),
            false => Text::with_braces(&value),
        };
        Some((name.to_owned(), value))
    };
    list(of).filter(is_on).filter_map(pair).collect()
}

pub(crate) fn read(document: &Value) -> Result<Journeys, ImportError> {
    if !document["item"].is_array() {
        let place = Place::Path("item".to_owned());
        return Err(
            ImportError::new(Some(&place), "no list", "the requests of a collection")
                .hint("export it in the format Collection v2.1"),
        );
    }
    let mut journeys = Journeys {
        name: document["info"]["name"].as_str().map(str::to_owned),
        values: variables(&document["variable"]),
        functions: Some(made::postman),
        ..Journeys::default()
    };
    let root = Place::Path(String::new());
    let mut steps = Vec::new();
    let around = Around {
        auth: Some(&document["auth"]),
        prunes_bodies: prunes_bodies(document, true),
        scripts: scripts_of_all(&mut journeys, &root, &document["event"], &Scripts::default()),
        names: Vec::new(),
    };
    items(&mut journeys, &root, document, &around, &mut steps)?;
    // Many collections list what an API has; in one that takes something along, the order is meant.
    let takes = |step: &Step| matches!(step, Step::Request(request) if !request.takes.is_empty());
    journeys.is_ordered = steps.iter().any(takes);
    if !journeys.is_ordered {
        leave_out_checks(&mut journeys, &mut steps);
    }
    journeys.sequences.push(Sequence {
        name: journeys.name.clone().unwrap_or_default(),
        place: Place::Path("item".to_owned()),
        when: When::Load,
        weight: 1.0,
        steps,
    });
    Ok(journeys)
}

/// What directories say of the requests in them.
struct Around<'a> {
    auth: Option<&'a Value>,
    /// Methods that have no body are sent without the one that is left of them.
    prunes_bodies: bool,
    scripts: Scripts,
    names: Vec<&'a str>,
}

fn items<'a>(
    journeys: &mut Journeys,
    place: &Place,
    of: &'a Value,
    around: &Around<'a>,
    steps: &mut Vec<Step>,
) -> Result<(), ImportError> {
    if around.names.len() > DEPTH_MAX {
        return Err(ImportError::new(
            Some(place),
            "a deeper directory",
            format!("at most {DEPTH_MAX} of them in each other"),
        ));
    }
    for (index, item) in list(&of["item"]).enumerate() {
        let place = place.key("item").index(index);
        let name = item["name"].as_str().unwrap_or_default();
        let names = [around.names.as_slice(), &[name]].concat();
        // Inherited where there is none; `noauth` is one.
        let inherited = |auth: &'a Value| if auth.is_object() { Some(auth) } else { around.auth };
        let prunes_bodies = prunes_bodies(item, around.prunes_bodies);
        if item["item"].is_array() {
            for (name, value) in variables(&item["variable"]) {
                journeys.values.entry(name).or_insert(value);
            }
            let within = Around {
                auth: inherited(&item["auth"]),
                prunes_bodies,
                scripts: scripts_of_all(journeys, &place, &item["event"], &around.scripts),
                names,
            };
            items(journeys, &place, item, &within, steps)?;
            continue;
        }
        let of = &item["request"];
        let within = Around {
            auth: inherited(&of["auth"]),
            prunes_bodies,
            scripts: Scripts::default(),
            names,
        };
        if let Some(mut request) = request(journeys, &place, of, &within) {
            request.name = Some(within.names.join(" / ")).filter(|name| !name.is_empty());
            let own = scripts(journeys, &place, &item["event"]);
            request.takes = own.takes;
            request.statuses = match own.statuses.is_empty() {
                true => around.scripts.statuses.clone(),
                false => own.statuses,
            };
            request.checks = [around.scripts.checks.as_slice(), &own.checks].concat();
            steps.push(Step::Request(Box::new(request)));
        }
    }
    Ok(())
}

fn prunes_bodies(of: &Value, around: bool) -> bool {
    let keeps = of["protocolProfileBehavior"]["disableBodyPruning"].as_bool();
    keeps.map_or(around, |keeps| !keeps)
}

/// Scripts of a directory run behind each request in it, and those of the directories around it before.
fn scripts_of_all(journeys: &mut Journeys, place: &Place, events: &Value, around: &Scripts) -> Scripts {
    let own = scripts(journeys, place, events);
    for take in own.takes {
        let what = format!("`{}` from each response", take.variable);
        journeys.leave_out(&take.place, what, "plans take a value where it is said of a request");
    }
    Scripts {
        takes: Vec::new(),
        statuses: match own.statuses.is_empty() {
            true => around.statuses.clone(),
            false => own.statuses,
        },
        checks: [around.checks.as_slice(), &own.checks].concat(),
    }
}

/// Requests without an order are no users, who check more than the status.
fn leave_out_checks(journeys: &mut Journeys, steps: &mut [Step]) {
    for step in steps {
        let Step::Request(request) = step else { continue };
        let checks = std::mem::take(&mut request.checks);
        if let Some(first) = checks.first() {
            let why = "requests without an order check the status alone, by `expect`";
            journeys.leave_out(&first.place, counted(checks.len(), "check"), why);
        }
    }
}
