//! OpenAPI 3: each operation with the examples of the document.

use crate::error::ImportError;
use crate::journey::{Authorization, Body, Journeys, Request};
use crate::left_out::{Place, counted};
use crate::read::json::{entries, list, scalar};
use crate::read::multipart::{self, Part};
use crate::read::openapi_parameters as parameters;
use crate::read::openapi_schema::{Document, Example};
use crate::read::query;
use crate::text::Text;
use serde_json::Value;
use std::collections::BTreeSet;

/// Operations, and whether they only read.
const METHODS: [(&str, bool); 7] = [
    ("get", true),
    ("head", true),
    ("options", true),
    ("post", false),
    ("put", false),
    ("patch", false),
    ("delete", false),
];

/// Values of parameters that the user gives, by their names.
pub(crate) type Given = [(String, Vec<String>)];

/// Where a first plan is made, `given` has the values of parameters, and those without one and without an example in the document have no values yet.
pub(crate) fn read(document: &Value, writes: bool, given: Option<&Given>) -> Result<Journeys, ImportError> {
    let version = scalar(&document["openapi"]).unwrap_or_default();
    if !version.starts_with("3.") {
        let place = Place::Path("openapi".to_owned());
        let found = if document["swagger"].is_null() {
            format!("the version `{version}`")
        } else {
            "Swagger 2".to_owned()
        };
        return Err(
            ImportError::new(Some(&place), found, "OpenAPI 3").hint("convert it first: npx swagger2openapi FILE")
        );
    }
    let mut reader = Reader {
        journeys: Journeys {
            name: document["info"]["title"].as_str().map(str::to_owned),
            ..Journeys::default()
        },
        document: Document(document),
        server: String::new(),
        writes,
        given,
    };
    reader.server = reader.server();
    let root = Place::Path("paths".to_owned());
    for (path, item) in entries(&document["paths"]) {
        let place = root.key(path);
        let item = reader.document.resolved(item);
        let Some(item) = item else {
            reader
                .journeys
                .leave_out(&place, path, "a reference that leads nowhere in this document");
            continue;
        };
        for (method, reads) in METHODS {
            if item[method].is_object() {
                reader.operation(&place.key(method), path, method, reads, item);
            }
        }
        if item["trace"].is_object() {
            reader.journeys.leave_out(
                &place.key("trace"),
                format!("TRACE {path}"),
                "services seldom respond to it",
            );
        }
    }
    if document["webhooks"].is_object() {
        let place = Place::Path("webhooks".to_owned());
        reader
            .journeys
            .leave_out(&place, "webhooks", "the service calls them, and not its clients");
    }
    Ok(reader.journeys)
}

struct Reader<'a> {
    journeys: Journeys,
    document: Document<'a>,
    server: String,
    writes: bool,
    given: Option<&'a Given>,
}

impl Reader<'_> {
    /// The first server of the document.
    fn server(&mut self) -> String {
        let servers = &self.document.0["servers"];
        let others = list(servers).count().saturating_sub(1);
        if others > 0 {
            let place = Place::Path("servers[1]".to_owned());
            self.journeys.leave_out(
                &place,
                counted(others, "further server"),
                "a plan has one service; the first is taken",
            );
        }
        first_server(servers)
    }

    fn operation(&mut self, place: &Place, path: &str, method: &str, reads: bool, item: &Value) {
        let operation = &item[method];
        let title = format!("{} {path}", method.to_uppercase());
        if !reads && !self.writes {
            self.journeys
                .leave_out(place, title, "it may change data; import it with --writes");
            return;
        }
        let mut parameters: Vec<&Value> = Vec::new();
        for parameter in list(&item["parameters"]).chain(list(&operation["parameters"])) {
            let Some(parameter) = self.document.resolved(parameter) else {
                self.journeys
                    .leave_out(place, "a parameter", "a reference that leads nowhere in this document");
                continue;
            };
            // Those of the operation take the place of those of the path.
            parameters.retain(|known| known["name"] != parameter["name"] || known["in"] != parameter["in"]);
            parameters.push(parameter);
        }
        let mut filled = path.to_owned();
        let mut pairs = Vec::new();
        let mut headers = Vec::new();
        let mut cookies = Vec::new();
        for &parameter in &parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            let example = self.document.example_of_parameter(parameter);
            if self.is_variable(parameter, example.as_ref()) {
                if parameter["in"] == "query" {
                    pairs.push((Text::literal(name), Text::variable(name)));
                }
                let given = self.given.and_then(|given| given.iter().find(|(of, _)| of == name));
                let values = given.map(|(_, values)| values.clone()).unwrap_or_default();
                self.journeys.add_list(name, values);
                continue;
            }
            let Some(example) = example else {
                self.journeys.leave_out(
                    place,
                    format!("the parameter `{name}`"),
                    "it has no example and no type of which one could be made",
                );
                continue;
            };
            let is_path = parameter["in"] == "path";
            if !is_path && parameter["required"] != true && example.is_made_up {
                continue;
            }
            if example.is_made_up {
                let value = scalar(&example.value).unwrap_or_else(|| example.value.to_string());
                self.journeys.leave_out(
                    place,
                    format!("an example for `{name}`"),
                    format!("the file has none; the plan sends `{value}`"),
                );
            }
            let values = texts(&example.value);
            match parameter["in"].as_str() {
                Some("path") => {
                    let value = query::encoded(&Text::literal(values.join(",")));
                    filled = filled.replace(&format!("{{{name}}}"), value.as_literal().unwrap_or_default());
                }
                Some("query") => {
                    let written = parameters::in_query(parameter, name, &example.value, values);
                    pairs.extend(
                        written
                            .into_iter()
                            .map(|(name, value)| (Text::literal(name), Text::literal(value))),
                    );
                }
                // These three are described elsewhere in the document.
                Some("header")
                    if ["accept", "content-type", "authorization"]
                        .iter()
                        .any(|own| name.eq_ignore_ascii_case(own)) => {}
                Some("header") => headers.push((name.to_owned(), Text::literal(values.join(",")))),
                Some("cookie") => cookies.push(format!("{name}={}", values.join(","))),
                _ => {}
            }
        }
        let query = query::form(pairs.iter().map(|(name, value)| (name, value)));
        // What is left in braces has no value.
        let filled = Text::with_curly(&filled);
        let without_value: BTreeSet<&str> = filled.variables().collect();
        for name in without_value {
            let is_it = |parameter: &&Value| parameter["in"] == "path" && parameter["name"] == name;
            if !parameters.iter().any(is_it) {
                self.undescribed(place, name);
            }
        }
        // Those of an operation take the place of those of its path, and these of those of the document.
        let own = [operation, item].into_iter().map(|of| &of["servers"]);
        let server = own.filter(|servers| servers[0].is_object()).map(first_server).next();
        let mut url = Text::literal(server.unwrap_or_else(|| self.server.clone()));
        url.append(&filled);
        let url = query::with_query(&url, &query);
        let mut request = Request::new(place.clone(), method.to_uppercase(), url);
        request.name = operation["operationId"]
            .as_str()
            .or(operation["summary"].as_str())
            .map(str::to_owned);
        request.headers = headers;
        if !cookies.is_empty() {
            request
                .headers
                .push(("cookie".to_owned(), Text::literal(cookies.join("; "))));
        }
        if let Some(media) = self.accepted(operation) {
            request.default_header("accept", media.as_str());
        }
        if !reads {
            self.body(place, &mut request, &operation["requestBody"]);
        }
        self.authorize(place, &mut request, operation);
        self.journeys.push_alone(request);
    }

    /// A parameter of a path that the document does not describe.
    fn undescribed(&mut self, place: &Place, name: &str) {
        let Some(given) = self.given else {
            let why = "the document does not describe it; the plan has it from the environment";
            self.journeys.leave_out(place, format!("the parameter `{name}`"), why);
            return;
        };
        let values = given.iter().find(|(of, _)| of == name);
        self.journeys
            .add_list(name, values.map(|(_, values)| values.clone()).unwrap_or_default());
    }

    /// Whether a parameter is a variable of the plan: where one is made for a user who gives values.
    fn is_variable(&self, parameter: &Value, example: Option<&Example>) -> bool {
        let (Some(given), Some("path" | "query")) = (self.given, parameter["in"].as_str()) else {
            return false;
        };
        let name = parameter["name"].as_str().unwrap_or_default();
        let is_needed = parameter["in"] == "path" || parameter["required"] == true;
        let is_known = example.is_some_and(|example| !example.is_made_up);
        given.iter().any(|(of, _)| of == name) || is_needed && !is_known
    }

    /// The first media type of a success.
    fn accepted(&self, operation: &Value) -> Option<String> {
        let success = entries(&operation["responses"]).find(|(status, _)| status.starts_with('2'));
        let (_, response) = success?;
        let content = &self.document.resolved(response)?["content"];
        entries(content).next().map(|(media, _)| media.to_owned())
    }

    fn body(&mut self, place: &Place, request: &mut Request, body: &Value) {
        let Some(body) = self.document.resolved(body).filter(|body| body.is_object()) else {
            return;
        };
        let is_json = |media: &str| media.starts_with("application/json") || media.ends_with("+json");
        let content = &body["content"];
        let found = entries(content)
            .find(|(media, _)| is_json(media))
            .or_else(|| entries(content).next());
        let Some((media, content)) = found else { return };
        let Some(Example { value, is_made_up }) = self.document.example_of_media(content) else {
            self.journeys.leave_out(
                place,
                "the body",
                "it has no example and no schema of which one could be made",
            );
            return;
        };
        if is_made_up {
            self.journeys.leave_out(
                place,
                "an example of the body",
                "the file has none; the plan sends what the schema allows",
            );
        }
        if media.starts_with("multipart/form-data") && value.is_object() {
            return self.form(place, request, content, &value);
        }
        let text = if is_json(media) {
            value.to_string()
        } else if media.starts_with("application/x-www-form-urlencoded") {
            let pairs: Vec<(Text, Text)> = entries(&value)
                .flat_map(|(name, value)| {
                    texts(value)
                        .into_iter()
                        .map(move |value| (Text::literal(name), Text::literal(value)))
                })
                .collect();
            query::form(pairs.iter().map(|(name, value)| (name, value)))
                .as_literal()
                .unwrap_or_default()
                .to_owned()
        } else if let Some(text) = value.as_str() {
            text.to_owned()
        } else {
            self.journeys
                .leave_out(place, format!("the body, {media}"), "no example of it is text");
            return;
        };
        request.default_header("content-type", media);
        request.body = Body::Text(Text::literal(text));
    }

    /// The parts of a form but for files.
    fn form(&mut self, place: &Place, request: &mut Request, content: &Value, value: &Value) {
        let properties = self
            .document
            .resolved(&content["schema"])
            .map(|schema| &schema["properties"]);
        let is_file = |name: &str| {
            let property = properties.and_then(|properties| self.document.resolved(&properties[name]));
            let is = |property: &Value| property["format"] == "binary" || !property["contentMediaType"].is_null();
            property.is_some_and(|property| is(property) || is(&property["items"]))
        };
        let (files, texts): (Vec<_>, Vec<_>) = entries(value).partition(|(name, _)| is_file(name));
        if !files.is_empty() {
            let why = "plans do not put files into parts; the form has its other parts";
            self.journeys.leave_out(place, "files in a form", why);
        }
        let written = |value: &Value| scalar(value).unwrap_or_else(|| value.to_string());
        let part = |(name, value): &(&str, &Value)| {
            let said = content["encoding"][*name]["contentType"].as_str();
            let said = said.filter(|media| !media.contains(['*', ',']));
            // What has no form as a text is JSON.
            let content_type = said.or(value.is_object().then_some("application/json"));
            Part {
                name: Text::literal(*name),
                value: Text::literal(written(value)),
                content_type: content_type.map(Text::literal),
            }
        };
        let parts: Vec<Part> = texts.iter().map(part).collect();
        if !parts.is_empty() {
            multipart::put_parts(request, &parts);
        }
    }

    /// By the first of the alternatives.
    fn authorize(&mut self, place: &Place, request: &mut Request, operation: &Value) {
        let own = &operation["security"];
        let security = if own.is_array() {
            own
        } else {
            &self.document.0["security"]
        };
        let names: Vec<String> = entries(&security[0]).map(|(name, _)| name.to_owned()).collect();
        for name in names {
            let scheme = self
                .document
                .resolved(&self.document.0["components"]["securitySchemes"][&name])
                .unwrap_or(&Value::Null);
            let of_scheme = scheme["scheme"].as_str().unwrap_or_default().to_ascii_lowercase();
            let value = Text::variable(name.clone());
            match (scheme["type"].as_str(), of_scheme.as_str()) {
                (Some("http"), "basic") => {
                    request.authorization = Some(Authorization::Basic {
                        user: Text::variable(format!("{name}_user")),
                        password: Text::variable(format!("{name}_password")),
                    });
                }
                (Some("http"), "bearer") | (Some("oauth2" | "openIdConnect"), _) => {
                    request.authorization = Some(Authorization::Bearer(value));
                }
                (Some("apiKey"), _) => {
                    let called = scheme["name"].as_str().unwrap_or(&name).to_owned();
                    match scheme["in"].as_str() {
                        Some("query") => {
                            request.url =
                                query::with_query(&request.url, &query::form([(&Text::literal(called), &value)]));
                        }
                        Some("cookie") => {
                            let mut cookie = Text::literal(format!("{called}="));
                            cookie.append(&value);
                            request.headers.push(("cookie".to_owned(), cookie));
                        }
                        _ => request.default_header(&called, value),
                    }
                }
                _ => self.journeys.leave_out(
                    place,
                    format!("the security scheme `{name}`"),
                    "plans have no such credentials",
                ),
            }
        }
    }
}

/// The first server, with the defaults of its variables. A path alone is one of the service itself.
fn first_server(servers: &Value) -> String {
    let first = &servers[0];
    let mut url = first["url"].as_str().unwrap_or_default().to_owned();
    for (name, variable) in entries(&first["variables"]) {
        if let Some(value) = scalar(&variable["default"]) {
            url = url.replace(&format!("{{{name}}}"), &value);
        }
    }
    // Below the document, where it begins with no host.
    let url = url.trim_end_matches('/');
    let first = url.split('/').next().unwrap_or_default();
    match first {
        "" => url.to_owned(),
        "." => url[1..].to_owned(),
        host if host == "localhost" || host.contains(['.', ':', '{']) => url.to_owned(),
        _ => format!("/{url}"),
    }
}

/// A value as texts; a list is several.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(scalar).collect(),
        Value::Object(_) => vec![value.to_string()],
        value => scalar(value).into_iter().collect(),
    }
}
