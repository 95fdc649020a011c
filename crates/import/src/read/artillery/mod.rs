//! Scripts of Artillery: target, phases, and scenarios with their flows.

mod loops;
mod responses;
mod tables;
mod types;
mod values;

use crate::error::ImportError;
use crate::holds::Holds;
use crate::journey::{Authorization, Body, Condition, Journeys, Load, Members, Phase, Request, Sequence, Step, When};
use crate::left_out::Place;
use crate::made;
use crate::read::json::{entries, list, scalar};
use crate::read::{Files, multipart, query};
use crate::text::{Text, Values};
use plimsoll_plan::Pause;
use serde_json::Value;
use std::collections::BTreeMap;
use values::{condition, constants, duration, percent, random_seconds, texts};

const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];
/// Keys of a request that change nothing of what is sent, or are read elsewhere.
const OF_REQUEST: [&str; 14] = [
    "url", "uri", "headers", "json", "body", "form", "formData", "qs", "auth", "cookie", "gzip", "capture", "expect",
    "name",
];
const OF_DOCUMENT: [&str; 4] = ["config", "scenarios", "before", "after"];
const OF_CONFIG: [&str; 11] = [
    "target",
    "phases",
    "variables",
    "payload",
    "defaults",
    "tls",
    "ensure",
    "http",
    "environments",
    "processor",
    "plugins",
];
/// Plugins that check or report what a plan checks and reports as well: what is left of them is listed where it stands.
const PLUGINS: [&str; 3] = ["expect", "ensure", "metrics-by-endpoint"];
/// Artillery follows so many where a request does not say otherwise.
const REDIRECTS: u32 = 10;
/// Flows in flows.
const DEPTH_MAX: usize = 30;

pub(crate) fn read(document: &Value, files: Files<'_>) -> Result<Journeys, ImportError> {
    let (config, environment) = with_environment(&document["config"]);
    let config = &config;
    let mut reader = Reader {
        journeys: Journeys {
            is_ordered: true,
            functions: Some(made::artillery),
            members: Members::Paths,
            redirects: REDIRECTS,
            insecure: config["tls"]["rejectUnauthorized"] == false,
            ..Journeys::default()
        },
        target: scalar(&config["target"])
            .unwrap_or_default()
            .trim_end_matches('/')
            .to_owned(),
        headers: headers(&config["defaults"]["headers"]),
        constants: constants(document),
        environment,
        types: types::of(document),
    };
    reader.headers.extend(headers(&config["http"]["defaults"]["headers"]));
    reader.config(config, files);
    for (key, _) in entries(document).filter(|(key, _)| !OF_DOCUMENT.contains(key)) {
        let why = match key {
            "plugins" | "ensure" | "phases" | "target" | "variables" => {
                "it stands beside `config`, where Artillery does not look for it"
            }
            _ => "plans have nothing like it",
        };
        reader.journeys.leave_out(&Place::Path(key.to_owned()), key, why);
    }
    let scenarios = &document["scenarios"];
    if !scenarios.is_array() {
        let place = Place::Path("scenarios".to_owned());
        return Err(ImportError::new(
            Some(&place),
            "no list",
            "the scenarios of a script of Artillery",
        ));
    }
    for (index, scenario) in list(scenarios).enumerate() {
        let place = Place::Path("scenarios".to_owned()).index(index);
        reader.scenario(&place, scenario, When::Load)?;
    }
    for (key, when) in [("before", When::Before), ("after", When::After)] {
        if !document[key].is_null() {
            reader.scenario(&Place::Path(key.to_owned()), &document[key], when)?;
        }
    }
    Ok(reader.journeys)
}

struct Reader {
    journeys: Journeys,
    target: String,
    /// Of every request.
    headers: Vec<(String, Text)>,
    /// Variables that nothing in the script changes.
    constants: Values,
    /// The environment that the plan is for.
    environment: Option<String>,
    /// Variables that may have something else than texts.
    types: BTreeMap<String, types::Has>,
}

/// The configuration; of a script that names its service in environments alone with what the first of them says.
fn with_environment(config: &Value) -> (Value, Option<String>) {
    let mut named = entries(&config["environments"]).filter(|(_, environment)| !environment["target"].is_null());
    let Some((name, environment)) = named.next().filter(|_| config["target"].is_null()) else {
        return (config.clone(), None);
    };
    let mut made = config.as_object().cloned().unwrap_or_default();
    made.extend(entries(environment).map(|(key, value)| (key.to_owned(), value.clone())));
    (Value::Object(made), Some(name.to_owned()))
}

fn headers(of: &Value) -> Vec<(String, Text)> {
    let header = |(name, value): (&str, &Value)| Some((name.to_owned(), Text::with_braces(&scalar(value)?)));
    entries(of).filter_map(header).collect()
}

fn joined(values: &[Text]) -> Text {
    let mut joined = Text::default();
    for (index, value) in values.iter().enumerate() {
        joined.push_str(if index == 0 { "" } else { "," });
        joined.append(value);
    }
    joined
}

impl Reader {
    fn config(&mut self, config: &Value, files: Files<'_>) {
        let place = Place::Path("config".to_owned());
        for (name, value) in entries(&config["variables"]) {
            let values: Vec<String> = list(value).filter_map(scalar).collect();
            match scalar(value) {
                Some(value) => {
                    self.journeys.values.insert(name.to_owned(), Text::with_braces(&value));
                }
                None if values.is_empty() => {
                    self.journeys
                        .leave_out(&place.key("variables").key(name), name, "plans have texts as values");
                }
                None => self.journeys.lists.push((name.to_owned(), values)),
            }
        }
        let payloads: Vec<&Value> = match &config["payload"] {
            Value::Array(payloads) => payloads.iter().collect(),
            Value::Null => Vec::new(),
            payload => vec![payload],
        };
        for payload in payloads {
            self.payload(&place.key("payload"), payload, files);
        }
        self.phases(&place.key("phases"), &config["phases"]);
        self.ensure(&place.key("ensure"), &config["ensure"]);
        let of_plugin = &config["plugins"]["ensure"];
        self.ensure(&place.key("plugins").key("ensure"), of_plugin);
        for (key, value) in entries(&config["http"]).filter(|(key, _)| !matches!(*key, "defaults" | "extendedMetrics"))
        {
            let why = "plans have `connections` for how connections are used";
            self.journeys.leave_out(
                &place.key("http").key(key),
                scalar(value).map_or_else(|| key.to_owned(), |value| format!("{key}: {value}")),
                why,
            );
        }
        for key in ["environments", "processor"]
            .into_iter()
            .filter(|key| !config[key].is_null())
        {
            let why = match (key, &self.environment) {
                ("environments", Some(name)) => format!("the plan is for `{name}`; name another service with --url"),
                ("environments", None) => "the plan is for `config.target`; name another service with --url".to_owned(),
                _ => "plans have no functions".to_owned(),
            };
            self.journeys.leave_out(&place.key(key), key, why);
        }
        for (key, _) in entries(&config["plugins"]).filter(|(key, _)| !PLUGINS.contains(key)) {
            let place = place.key("plugins").key(key);
            self.journeys
                .leave_out(&place, format!("the plugin `{key}`"), "plans have no functions");
        }
        for (key, _) in entries(config).filter(|(key, _)| !OF_CONFIG.contains(key)) {
            self.journeys
                .leave_out(&place.key(key), key, "plans have nothing like it");
        }
    }

    fn phases(&mut self, place: &Place, phases: &Value) {
        let mut made = Vec::new();
        for (index, phase) in list(phases).enumerate() {
            let place = place.index(index);
            let per_s = |key: &str| {
                scalar(&phase[key])
                    .and_then(|text| text.parse::<f64>().ok())
                    .filter(|rate| rate.is_finite() && *rate >= 0.0)
            };
            if let Some(pause) = duration(&phase["pause"]) {
                made.push(Phase {
                    from: 0.0,
                    to: 0.0,
                    duration: pause,
                });
                continue;
            }
            let Some(duration) = duration(&phase["duration"]).filter(|duration| !duration.is_zero()) else {
                self.journeys
                    .leave_out(&place, "a phase", "its duration is not a number");
                continue;
            };
            let count = per_s("arrivalCount").map(|count| count / duration.as_secs_f64());
            let Some(from) = per_s("arrivalRate").or(count).or_else(|| per_s("rampTo").map(|_| 0.0)) else {
                self.journeys
                    .leave_out(&place, "a phase", "its arrival rate is not a number");
                continue;
            };
            if !phase["maxVusers"].is_null() {
                let why = "arrivals of a plan do not wait; `connections: { max }` limits how many are open";
                self.journeys.leave_out(&place, "maxVusers", why);
            }
            made.push(Phase {
                from,
                to: per_s("rampTo").unwrap_or(from),
                duration,
            });
        }
        if made.iter().any(|phase| phase.from > 0.0 || phase.to > 0.0) {
            self.journeys.load = Some(Load::Arrivals(made));
        }
    }

    /// Thresholds become objectives.
    fn ensure(&mut self, place: &Place, ensure: &Value) {
        let mut thresholds: Vec<(String, &Value)> = list(&ensure["thresholds"])
            .flat_map(entries)
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let plain = entries(ensure).filter(|(key, _)| !matches!(*key, "thresholds" | "conditions"));
        thresholds.extend(plain.map(|(key, value)| (key.to_owned(), value)));
        for (key, value) in thresholds {
            let number = scalar(value)
                .and_then(|text| text.parse::<f64>().ok())
                .filter(|number| *number >= 0.0);
            let quantile = key.strip_prefix("http.response_time.").unwrap_or(&key);
            let known = match quantile {
                "median" => Some("p50"),
                "p50" | "p75" | "p90" | "p95" | "p99" | "p999" | "max" => Some(quantile),
                _ => None,
            };
            let objective = match (known, number) {
                (Some("p999"), Some(ms)) => Ok(("p99.9", format!("{ms}ms"))),
                (Some(quantile), Some(ms)) => Ok((quantile, format!("{ms}ms"))),
                (None, Some(percent)) if key == "maxErrorRate" && percent <= 100.0 => {
                    Ok(("errors", format!("{percent}%")))
                }
                _ => Err("plans have no such objective"),
            };
            let objectives = &mut self.journeys.objectives;
            let is_new = |about: &str| !objectives.iter().any(|known| known.starts_with(&format!("{about} ")));
            match objective {
                Ok((about, bound)) if is_new(about) => objectives.push(format!("{about} <= {bound}")),
                Ok(_) => {
                    let why = "a plan has one objective about each, and this is another one";
                    self.journeys.leave_out(&place.key(&key), key.clone(), why);
                }
                Err(why) => self.journeys.leave_out(&place.key(&key), key.clone(), why),
            }
        }
        if !ensure["conditions"].is_null() {
            self.journeys.leave_out(
                &place.key("conditions"),
                "conditions",
                "objectives of plans have no expressions",
            );
        }
    }

    fn scenario(&mut self, place: &Place, scenario: &Value, when: When) -> Result<(), ImportError> {
        let name = scenario["name"].as_str().unwrap_or_default().to_owned();
        if let Some(engine) = scenario["engine"].as_str().filter(|engine| *engine != "http") {
            self.journeys.leave_out(
                place,
                format!("a scenario of {engine}"),
                "plans send requests of HTTP alone",
            );
            return Ok(());
        }
        for (key, _) in entries(scenario).filter(|(key, _)| !matches!(*key, "name" | "weight" | "flow" | "engine")) {
            self.journeys.leave_out(&place.key(key), key, "plans have no functions");
        }
        let steps = self.flow(&place.key("flow"), &scenario["flow"], 0)?;
        let weight = scalar(&scenario["weight"]).and_then(|text| text.parse().ok());
        self.journeys.sequences.push(Sequence {
            name,
            place: place.key("flow"),
            when,
            weight: weight
                .filter(|weight: &f64| weight.is_finite() && *weight >= 0.0)
                .unwrap_or(1.0),
            steps,
        });
        Ok(())
    }

    fn flow(&mut self, place: &Place, flow: &Value, depth: usize) -> Result<Vec<Step>, ImportError> {
        if depth > DEPTH_MAX {
            return Err(ImportError::new(
                Some(place),
                "a deeper flow",
                format!("at most {DEPTH_MAX} of them in each other"),
            ));
        }
        let mut steps = Vec::new();
        for (index, step) in list(flow).enumerate() {
            let place = place.index(index);
            if let Some((method, of)) = entries(step).find(|(key, _)| METHODS.contains(key)) {
                let place = place.key(method);
                let request = self.request(&place, method, of);
                steps.extend(request.map(|request| self.sent_on(&place, of, request)));
            } else if let Some(of) = step.get("think") {
                match duration(of) {
                    Some(duration) => steps.push(Step::Pause(place, Pause::always(duration))),
                    None => match random_seconds(of) {
                        Some(pause) => steps.push(Step::Pause(place, pause)),
                        None => self
                            .journeys
                            .leave_out(&place.key("think"), "a pause", "its duration is not a number"),
                    },
                }
            } else if let Some(of) = step.get("loop") {
                let inner = self.flow(&place.key("loop"), of, depth + 1)?;
                steps.push(match loops::rounds(&place, step) {
                    Ok(rounds) => Step::Rounds(Box::new(rounds), inner),
                    Err(why) => {
                        self.journeys.leave_out(&place, "a loop", why);
                        Step::Repeat(1.0, inner)
                    }
                });
            } else if let Some(of) = step.get("parallel") {
                self.journeys
                    .leave_out(&place, "parallel", "users of a plan send these one after the other");
                steps.extend(self.flow(&place.key("parallel"), of, depth + 1)?);
            } else if step.get("log").is_none() {
                let what = entries(step).next().map_or("a step", |(key, _)| key).to_owned();
                let known = step.as_str().map(str::to_owned).unwrap_or(what);
                self.journeys
                    .leave_out(&place, known, "plans send requests of HTTP, and have no functions");
            }
        }
        Ok(steps)
    }

    /// A request, where it is sent by some users alone, or on a condition.
    fn sent_on(&mut self, place: &Place, of: &Value, request: Request) -> Step {
        let mut step = Step::Request(Box::new(request));
        if let Some(percent) = percent(&of["probability"]) {
            step = Step::Repeat(percent / 100.0, vec![step]);
        }
        let (place, what) = (place.key("ifTrue"), "ifTrue");
        let written = condition(&of["ifTrue"]);
        let holds = written.clone().map(|holds| holds.with(&self.constants));
        let why = match &holds {
            Some(Holds::Never) => {
                Some("its condition does not hold with the values that the file has; the request is not sent")
            }
            Some(Holds::Always) if written != holds => {
                Some("its condition holds with the values that the file has; the request is always sent")
            }
            _ => None,
        };
        if let Some(why) = why {
            self.journeys.leave_out(&place, what, why);
        }
        match holds {
            None | Some(Holds::Always) => step,
            Some(Holds::Never) => Step::Repeat(0.0, vec![step]),
            Some(holds) => {
                let what = what.to_owned();
                Step::When(Condition { place, what, holds }, vec![step])
            }
        }
    }

    /// Names with their texts, of which a list has several. What else there is is left out.
    fn named(&mut self, place: &Place, of: &Value) -> Vec<(Text, Vec<Text>)> {
        let mut named = Vec::new();
        for (name, value) in entries(of) {
            match texts(value) {
                Some(texts) => named.push((Text::literal(name), texts)),
                None => self
                    .journeys
                    .leave_out(&place.key(name), name, "plans have texts as values"),
            }
        }
        named
    }

    fn request(&mut self, place: &Place, method: &str, of: &Value) -> Option<Request> {
        let written = of.as_str().or(of["url"].as_str()).or(of["uri"].as_str());
        let Some(written) = written else {
            self.journeys.leave_out(place, "a request", "it has no URL");
            return None;
        };
        let mut url = match written.starts_with('/') {
            true => Text::with_braces(&format!("{}{written}", self.target)),
            false => Text::with_braces(written),
        };
        // Artillery repeats the name of a list in a query, and sends its values as one in a form.
        let repeated = |(name, values): (Text, Vec<Text>)| values.into_iter().map(move |value| (name.clone(), value));
        let queries = self.named(&place.key("qs"), &of["qs"]).into_iter();
        let queries: Vec<(Text, Text)> = queries.flat_map(repeated).collect();
        url = query::with_query(&url, &query::form(queries.iter().map(|(name, value)| (name, value))));
        let mut request = Request::new(place.clone(), method.to_uppercase(), url);
        request.name = of["name"].as_str().map(str::to_owned);
        request.headers = headers(&of["headers"]);
        for (name, value) in self.headers.clone() {
            request.default_header(&name, value);
        }
        if let (Some(user), Some(password)) = (scalar(&of["auth"]["user"]), scalar(&of["auth"]["pass"])) {
            request.authorization = Some(Authorization::Basic {
                user: Text::with_braces(&user),
                password: Text::with_braces(&password),
            });
        }
        let cookies: Vec<String> = entries(&of["cookie"])
            .filter_map(|(name, value)| Some(format!("{name}={}", scalar(value)?)))
            .collect();
        if !cookies.is_empty() {
            request.default_header("cookie", Text::with_braces(&cookies.join("; ")));
        }
        if of["gzip"] == true {
            request.default_header("accept-encoding", "gzip");
        }
        if !of["json"].is_null() {
            request.body = Body::Text(self.json(place, &of["json"]));
            request.default_header("content-type", "application/json");
        } else if let Some(body) = scalar(&of["body"]) {
            request.body = Body::Text(Text::with_braces(&body));
        } else if !of["form"].is_null() {
            let pairs = self.named(&place.key("form"), &of["form"]).into_iter();
            let pairs: Vec<(Text, Text)> = pairs.map(|(name, values)| (name, joined(&values))).collect();
            request.body = Body::Text(query::form(pairs.iter().map(|(name, value)| (name, value))));
            request.default_header("content-type", "application/x-www-form-urlencoded");
        } else if !of["formData"].is_null() {
            if entries(&of["formData"]).any(|(_, value)| value.is_object()) {
                self.journeys.leave_out(
                    &place.key("formData"),
                    "files in a form",
                    "plans do not put files into parts; the form has its other parts",
                );
            }
            let parts = entries(&of["formData"]).filter(|(_, value)| !value.is_object());
            let parts = Value::Object(parts.map(|(name, value)| (name.to_owned(), value.clone())).collect());
            let parts = self.named(&place.key("formData"), &parts).into_iter();
            let parts: Vec<(Text, Text)> = parts.flat_map(repeated).collect();
            multipart::put(&mut request, &parts);
        }
        self.response(place, &mut request, of);
        Some(request)
    }
}
