//! Collections of Postman in the format 2.1 or 2.0, with an environment.

mod scripts;

use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Request, Sequence, Step, When};
use crate::left_out::{Place, counted};
use crate::made;
use crate::read::json::{entries, list, scalar};
use crate::read::{multipart, query};
use crate::text::{Text, Values};
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
        Some((name.to_owned(), Text::with_braces(&value)))
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
        if item["item"].is_array() {
            for (name, value) in variables(&item["variable"]) {
                journeys.values.entry(name).or_insert(value);
            }
            let within = Around {
                auth: inherited(&item["auth"]),
                scripts: scripts_of_all(journeys, &place, &item["event"], &around.scripts),
                names,
            };
            items(journeys, &place, item, &within, steps)?;
            continue;
        }
        let of = &item["request"];
        if let Some(mut request) = request(journeys, &place, of, inherited(&of["auth"])) {
            request.name = Some(names.join(" / ")).filter(|name| !name.is_empty());
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

fn request(journeys: &mut Journeys, place: &Place, of: &Value, auth: Option<&Value>) -> Option<Request> {
    if let Some(url) = of.as_str() {
        return Some(Request::new(place.clone(), "GET", Text::with_braces(url)));
    }
    let url = match &of["url"] {
        Value::String(url) => Text::with_braces(url),
        url => url_of(url),
    };
    if url.is_empty() {
        journeys.leave_out(place, "a request", "it has no URL");
        return None;
    }
    let method = of["method"].as_str().unwrap_or("GET");
    let mut request = Request::new(place.clone(), method, url);
    for header in list(&of["header"]).filter(|header| header["disabled"] != true) {
        if let (Some(name), Some(value)) = (
            header["key"].as_str().filter(|name| !name.is_empty()),
            scalar(&header["value"]),
        ) {
            request
                .headers
                .push((name.trim().to_owned(), Text::with_braces(value.trim())));
        }
    }
    body(journeys, place, &mut request, &of["body"]);
    if let Some(auth) = auth {
        authorize(journeys, place, &mut request, auth);
    }
    Some(request)
}

/// `raw` without the queries that are switched off, and with the values of `:name` in its path.
fn url_of(url: &Value) -> Text {
    let raw = url["raw"].as_str().map_or_else(|| assembled(url), str::to_owned);
    let queries: Vec<&Value> = list(&url["query"]).collect();
    let raw = match raw.split_once('?') {
        Some((path, _)) if queries.iter().any(|query| query["disabled"] == true) => {
            let pair = |query: &&Value| {
                let name = query["key"].as_str().unwrap_or_default();
                match scalar(&query["value"]) {
                    Some(value) => format!("{name}={value}"),
                    None => name.to_owned(),
                }
            };
            let on: Vec<String> = queries
                .iter()
                .filter(|query| query["disabled"] != true)
                .map(pair)
                .collect();
            if on.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", on.join("&"))
            }
        }
        _ => raw,
    };
    let (path, query) = raw
        .split_once('?')
        .map_or((raw.as_str(), None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1) {
        let Some(name) = part.strip_prefix(':').filter(|name| !name.is_empty()) else {
            continue;
        };
        let value = list(&url["variable"]).find(|variable| variable["key"] == name || variable["id"] == name);
        let value = value
            .and_then(|variable| scalar(&variable["value"]))
            .filter(|value| !value.is_empty());
        *part = value.unwrap_or_else(|| format!("{{{{{name}}}}}"));
    }
    let path = parts.join("/");
    Text::with_braces(&query.map_or(path.clone(), |query| format!("{path}?{query}")))
}

/// A URL that is written in its parts alone.
fn assembled(url: &Value) -> String {
    let joined = |of: &Value, by: &str| match of {
        Value::String(text) => text.clone(),
        of => list(of)
            .filter_map(|part| scalar(part).or_else(|| scalar(&part["value"])))
            .collect::<Vec<_>>()
            .join(by),
    };
    let host = joined(&url["host"], ".");
    if host.is_empty() {
        return String::new();
    }
    let mut text = url["protocol"]
        .as_str()
        .map(|protocol| format!("{protocol}://"))
        .unwrap_or_default()
        + &host;
    if let Some(port) = scalar(&url["port"]) {
        text += &format!(":{port}");
    }
    let path = joined(&url["path"], "/");
    text += &format!("/{}", path.trim_start_matches('/'));
    let pairs = list(&url["query"])
        .filter_map(|query| Some(format!("{}={}", query["key"].as_str()?, scalar(&query["value"])?)));
    let pairs: Vec<String> = pairs.collect();
    if pairs.is_empty() {
        text
    } else {
        format!("{text}?{}", pairs.join("&"))
    }
}

fn body(journeys: &mut Journeys, place: &Place, request: &mut Request, body: &Value) {
    if body["disabled"] == true {
        return;
    }
    let place = place.key("request.body");
    let pairs = |of: &Value| -> Vec<(Text, Text)> {
        let is_on = |pair: &&Value| pair["disabled"] != true;
        let pair = |pair: &Value| {
            let name = Text::with_braces(pair["key"].as_str()?);
            Some((name, Text::with_braces(&scalar(&pair["value"]).unwrap_or_default())))
        };
        list(of).filter(is_on).filter_map(pair).collect()
    };
    match body["mode"].as_str() {
        Some("raw") => {
            let text = body["raw"].as_str().unwrap_or_default();
            if text.is_empty() {
                return;
            }
            request.body = Body::Text(Text::with_braces(text));
            let media = match body["options"]["raw"]["language"].as_str() {
                Some("json") => "application/json",
                Some("xml") => "application/xml",
                Some("html") => "text/html",
                Some("javascript") => "application/javascript",
                _ => "text/plain",
            };
            request.default_header("content-type", media);
        }
        Some("urlencoded") => {
            let pairs = pairs(&body["urlencoded"]);
            if pairs.is_empty() {
                return;
            }
            request.body = Body::Text(query::form(pairs.iter().map(|(name, value)| (name, value))));
            request.default_header("content-type", "application/x-www-form-urlencoded");
        }
        Some("formdata") => {
            if list(&body["formdata"]).any(|part| part["type"] == "file" && part["disabled"] != true) {
                journeys.leave_out(
                    &place,
                    "files in a form",
                    "plans do not put files into parts; the form has its other parts",
                );
            }
            let parts: Vec<&Value> = list(&body["formdata"]).filter(|part| part["type"] != "file").collect();
            let parts = pairs(&Value::Array(parts.into_iter().cloned().collect()));
            // A form without fields is no body.
            if !parts.is_empty() {
                multipart::put(request, &parts);
            }
        }
        Some("graphql") => {
            let graphql = &body["graphql"];
            let variables = graphql["variables"]
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .unwrap_or("{}");
            let query = Value::from(graphql["query"].as_str().unwrap_or_default());
            request.body = Body::Text(Text::with_braces(&format!(
                "{{\"query\":{query},\"variables\":{variables}}}"
            )));
            request.default_header("content-type", "application/json");
        }
        Some("file") => match body["file"]["src"].as_str() {
            Some(file) => request.body = Body::File(file.to_owned()),
            None => journeys.leave_out(&place, "a file as the body", "the collection does not say which"),
        },
        Some(mode) => journeys.leave_out(
            &place,
            format!("a body of the mode {mode}"),
            "plans have nothing like it",
        ),
        None => {}
    }
}

fn authorize(journeys: &mut Journeys, place: &Place, request: &mut Request, auth: &Value) {
    let Some(kind) = auth["type"].as_str() else { return };
    // A list of keys and values in the format 2.1, an object in 2.0.
    let parameter = |name: &str| {
        let of = &auth[kind];
        let listed = list(of)
            .find(|entry| entry["key"] == name)
            .and_then(|entry| scalar(&entry["value"]));
        let text = listed.or_else(|| {
            entries(of)
                .find(|(key, _)| *key == name)
                .and_then(|(_, value)| scalar(value))
        });
        Text::with_braces(&text.unwrap_or_default())
    };
    match kind {
        "noauth" => {}
        "basic" => {
            let (user, password) = (parameter("username"), parameter("password"));
            request.authorization = Some(Authorization::Basic { user, password });
        }
        "bearer" => request.authorization = Some(Authorization::Bearer(parameter("token"))),
        "oauth2" => request.authorization = Some(Authorization::Bearer(parameter("accessToken"))),
        "apikey" => {
            let (name, value) = (parameter("key"), parameter("value"));
            if parameter("in").as_literal() == Some("query") {
                request.url = query::with_query(&request.url, &query::form([(&name, &value)]));
            } else if let Some(name) = name.as_literal().filter(|name| !name.is_empty()) {
                request.default_header(name, value);
            }
        }
        _ => journeys.leave_out(
            place,
            format!("authorization by {kind}"),
            "plans do not compute credentials for each request",
        ),
    }
}
