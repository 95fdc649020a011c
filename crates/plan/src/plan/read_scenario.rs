//! What is sent, from a document.

use crate::notation::Notation;
use crate::notation::error::PlanError;
use crate::notation::json::Json;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Entries, Field, Given, OneOrMany, Place};
use crate::plan::draft::MOST_BODIES_BYTES;
use crate::plan::read_actions::ActionsOf;
use crate::plan::request::{Expect, Form, Method, Request};
use crate::plan::scenario::Scenario;
use crate::plan::scenario_document::{BodyFields, RequestDocument, RequestFields, ScenarioDocument};
use crate::plan::template::{Span, Template};
use crate::plan::variable::{Values, Variable};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

impl Reader<'_> {
    pub(crate) fn scenario(&mut self, section: &At<ScenarioDocument>) -> Result<Scenario, PlanError> {
        let (mut variables, mut tables) = (Vec::new(), 0);
        if let Some(entries) = self.section("scenario.variables", &section.value.variables) {
            for (name, values) in &entries.value.0 {
                let name = self.read_with(name, String::read)?;
                if let Some(file) = &values.value.file.0 {
                    self.remember(&format!("scenario.variables.{name}"), values.place);
                    let table = self.table(&name, values, file, tables)?;
                    variables.extend(Variable::of_table(&table));
                    tables += 1;
                    continue;
                }
                let values = self.variable(&name, values)?;
                variables.push(Variable { name, values });
            }
        }
        let given = variables.len();
        let before = self.alone("scenario.before", &section.value.before, given, &mut variables)?;
        let given = variables.len();
        let journeys = match self.section("scenario.journeys", &section.value.journeys) {
            None => Vec::new(),
            Some(journeys) => self.journeys(journeys, &mut variables)?,
        };
        let says = section.value.requests.0.as_ref().is_some_and(|requests| {
            let mut requests = requests.value.iter();
            requests.any(|request| request.value.is_message())
        });
        if says {
            self.add_mark(&mut variables)?;
        }
        let mut openings = Vec::new();
        let after = self.alone("scenario.after", &section.value.after, given, &mut variables)?;
        let requests = match self.section("scenario.requests", &section.value.requests) {
            Some(requests) if says => self.exchange(requests, &variables, &mut openings)?,
            Some(requests) => self.each("scenario.requests", requests, "request", |reader, key, section| {
                reader.weighted_request(key, section, &variables)
            })?,
            None if !journeys.is_empty() => Vec::new(),
            // What actions are done on is opened as it would be without them.
            None if section.value.actions.0.is_some() => vec![Request::get(Template::default())],
            None => {
                let mismatch = Mismatch::new("no `requests`", "a list of what is sent");
                return Err(self.error(section.place, mismatch));
            }
        };
        let actions = match self.section("scenario.actions", &section.value.actions) {
            None => Vec::new(),
            Some(actions) if says => {
                let expected = "one of them: a load sends the former, and held connections do the latter";
                let mismatch = Mismatch::new("requests with `send`, and `actions`", expected);
                return Err(self.error(actions.place, mismatch));
            }
            Some(actions) => {
                self.add_mark(&mut variables)?;
                if !journeys.is_empty() {
                    let mismatch = Mismatch::new("`actions` and `journeys`", "one of them");
                    return Err(self.error(actions.place, mismatch));
                }
                self.actions("scenario.actions", actions, &variables, ActionsOf::Connection)?
            }
        };
        Ok(Scenario {
            requests,
            variables,
            actions,
            journeys,
            openings,
            before,
            after,
        })
    }

    pub(super) fn weighted_request(
        &mut self,
        key: &str,
        section: &At<RequestDocument>,
        variables: &[Variable],
    ) -> Result<Request, PlanError> {
        let weight = self.field(&format!("{key}.weight"), &section.value.weight)?;
        let request = Request {
            weight: weight.unwrap_or(1),
            ..self.request(key, section.place, (&section.value).into(), variables)?
        };
        match self.section(&format!("{key}.connect"), &section.value.connect) {
            None => Ok(request),
            Some(connect) => self.join(&format!("{key}.connect"), connect, request, variables),
        }
    }

    /// A request without its weight.
    pub(crate) fn request(
        &mut self,
        key: &str,
        place: Option<Place>,
        request: RequestFields<'_>,
        variables: &[Variable],
    ) -> Result<Request, PlanError> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let grpc_key = format!("{key}.grpc");
        let call = request.grpc;
        self.remember(&grpc_key, call.and_then(|section| section.place));
        let grpc = call.map(|section| self.grpc(&grpc_key, section, variables, &names));
        let mut grpc = grpc.transpose()?;
        let method = self.field(&format!("{key}.method"), request.method)?;
        let usual = if grpc.is_some() { "POST" } else { "GET" };
        let method = method.unwrap_or_else(|| Method(usual.to_owned()));
        let path = self.template(&format!("{key}.path"), request.path, &names, true)?;
        let path = match &grpc {
            Some(grpc) => path.unwrap_or_else(|| Template::literal(format!("/{}", grpc.call))),
            None => path.unwrap_or_default(),
        };
        // A request without a name is named when its path is complete.
        let name = self.field(&format!("{key}.name"), request.name)?.unwrap_or_default();
        let mut headers = self.headers(key, request.headers, &names)?;
        if grpc.is_some() && request.body.given() > 0 {
            return Err(self.several_bodies(place));
        }
        let body = self.body(key, place, request.body, variables, &mut headers)?;
        let mut expect = Expect::default();
        if let Some(section) = call {
            expect.status = vec![(200, 200)];
            self.add_metadata(&grpc_key, &section.value, &mut headers)?;
        }
        if let Some(section) = self.section(&format!("{key}.expect"), request.expect) {
            let (parent, key) = (key, format!("{key}.expect.status"));
            let ranges = match &section.value.status.0 {
                None => &[],
                Some(OneOrMany::One(range)) => std::slice::from_ref(range),
                Some(OneOrMany::Many(ranges, place)) => {
                    self.remember(&key, *place);
                    ranges
                }
            };
            if section.value.status.0.is_some() {
                let ranges = ranges
                    .iter()
                    .enumerate()
                    .map(|(index, range)| self.written(&format!("{key}[{index}]"), range));
                expect.status = ranges
                    .map(|range| range.map(|range| (range.0, range.1)))
                    .collect::<Result<_, _>>()?;
            }
            self.accepted_calls(
                &format!("{parent}.expect.grpc_status"),
                &section.value.grpc_status,
                grpc.as_mut(),
            )?;
        }
        Ok(Request {
            name,
            weight: 1,
            method,
            path,
            headers,
            body,
            grpc,
            expect,
            form: Form::Http,
        })
    }

    pub(crate) fn template(
        &mut self,
        key: &str,
        field: &Field<String>,
        names: &[&str],
        shown: bool,
    ) -> Result<Option<Template>, PlanError> {
        let Some(written) = &field.0 else { return Ok(None) };
        self.remember(key, written.place);
        self.template_in(written, names, shown).map(Some)
    }

    /// Header fields of what has the key `key`, with the variables `names`.
    pub(crate) fn headers(
        &mut self,
        key: &str,
        given: &Given<At<Entries<OneOrMany<String>>>>,
        names: &[&str],
    ) -> Result<Vec<(String, Template)>, PlanError> {
        let mut headers = Vec::new();
        let Some(entries) = self.section(&format!("{key}.headers"), given) else {
            return Ok(headers);
        };
        for (name, values) in &entries.value.0 {
            let name = self.read_with(name, String::read)?;
            let header_key = format!("{key}.headers.{name}");
            let values = match values {
                OneOrMany::One(value) => std::slice::from_ref(value),
                OneOrMany::Many(values, place) => {
                    self.remember(&header_key, *place);
                    values
                }
            };
            for value in values {
                self.remember(&header_key, value.place);
                headers.push((name.clone(), self.template_in(value, names, false)?));
            }
        }
        Ok(headers)
    }

    fn several_bodies(&self, place: Option<Place>) -> PlanError {
        let expected = "one of `body`, `json`, `body_file`, `body_base64` and `grpc`";
        self.error(place, Mismatch::new("several bodies", expected))
    }

    /// The body of what has the key `key`, empty where none is given. JSON adds its type to the `headers`.
    pub(crate) fn body(
        &mut self,
        key: &str,
        place: Option<Place>,
        body: BodyFields<'_>,
        variables: &[Variable],
        headers: &mut Vec<(String, Template)>,
    ) -> Result<Template, PlanError> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        if body.given() > 1 {
            return Err(self.several_bodies(place));
        }
        if let Some(json) = self.section(&format!("{key}.json"), body.json) {
            if !headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            {
                headers.push(("content-type".to_owned(), Template::literal("application/json")));
            }
            let mut body = Template::default();
            return match append_json(&mut body, &json.value, variables, &|text| {
                self.parse_template(text, &names, false)
            }) {
                Ok(()) => Ok(body),
                Err(mismatch) => Err(self.error(json.place, mismatch)),
            };
        }
        if let Some(written) = &body.file.0 {
            let path = self.field(&format!("{key}.body_file"), body.file)?.unwrap_or_default();
            let bytes = self.file(&self.beside_plan(&path), MOST_BODIES_BYTES as u64);
            return bytes.map(Template::literal).map_err(|error| {
                let mismatch = Mismatch::new(quoted(&path), "a readable file of at most 16 MiB");
                self.error(written.place, mismatch.hint(error.to_string()))
            });
        }
        if let Some(written) = &body.base64.0 {
            self.remember(&format!("{key}.body_base64"), written.place);
            return self.read_with(written, |text| {
                let bytes = BASE64
                    .decode(text)
                    .map_err(|_| Mismatch::new("other characters", "base64"))?;
                Ok(Template::literal(bytes))
            });
        }
        Ok(self
            .template(&format!("{key}.body"), body.text, &names, false)?
            .unwrap_or_default())
    }
}

/// Reads a text of a JSON body.
type Parse<'a> = &'a dyn Fn(&str) -> Result<Template, Mismatch>;

/// Appends `json` as text with places for variables. A text that is nothing but a numeric variable becomes a number.
pub(super) fn append_json(
    body: &mut Template,
    json: &Json,
    variables: &[Variable],
    parse: Parse<'_>,
) -> Result<(), Mismatch> {
    match json {
        Json::Text(text) => append_text(body, text, variables, parse),
        Json::List(items) => {
            body.push_literal(b"[");
            for (index, item) in items.iter().enumerate() {
                body.push_literal(if index == 0 { b"" } else { b"," });
                append_json(body, item, variables, parse)?;
            }
            body.push_literal(b"]");
            Ok(())
        }
        Json::Map(entries) => {
            body.push_literal(b"{");
            for (index, (key, value)) in entries.iter().enumerate() {
                body.push_literal(if index == 0 { b"" } else { b"," });
                body.push_literal(json_text(key).as_bytes());
                body.push_literal(b":");
                append_json(body, value, variables, parse)?;
            }
            body.push_literal(b"}");
            Ok(())
        }
        Json::Null => {
            body.push_literal(b"null");
            Ok(())
        }
        Json::Bool(value) => {
            body.push_literal(value.to_string().as_bytes());
            Ok(())
        }
        Json::Number(number) => {
            body.push_literal(number.to_string().as_bytes());
            Ok(())
        }
    }
}

fn append_text(body: &mut Template, text: &str, variables: &[Variable], parse: Parse<'_>) -> Result<(), Mismatch> {
    let mut template = parse(text)?;
    if let [Span::Variable(index)] = template.spans.as_slice()
        && variables[*index].values.is_numeric()
    {
        body.append(&template);
        return Ok(());
    }
    for span in &mut template.spans {
        match span {
            Span::Literal(bytes) | Span::Sealed(bytes) => {
                let quoted = json_text(&String::from_utf8_lossy(bytes)).into_bytes();
                *bytes = quoted[1..quoted.len() - 1].to_vec();
            }
            Span::Variable(index) => {
                check_text_in_json(&variables[*index])?;
                // What a user keeps, or has of a table, is another variable where it is to be escaped.
                *index += usize::from(variables[*index].values.has_json_behind());
            }
        }
    }
    body.push_literal(b"\"");
    body.append(&template);
    body.push_literal(b"\"");
    Ok(())
}

/// Values are filled in as they are, so inside a JSON string none may need an escape.
fn check_text_in_json(variable: &Variable) -> Result<(), Mismatch> {
    let needs_escape = |text: &str| json_text(text).len() != text.len() + 2;
    let (found, hint) = match variable.values.in_turn() {
        Values::List(texts) => match texts.iter().position(|text| needs_escape(text.reveal())) {
            Some(index) => (
                format!("value {} of", index + 1),
                "escape it in `values`, or send the body as text",
            ),
            None => return Ok(()),
        },
        Values::Text { characters, .. } if needs_escape(&String::from_iter(characters)) => (
            "characters of".to_owned(),
            "leave out quotes and backslashes, or send the body as text",
        ),
        Values::Now(now) if needs_escape(&now.sample()) => (
            "the format of".to_owned(),
            "leave out quotes and backslashes, or send the body as text",
        ),
        _ => return Ok(()),
    };
    let found = format!("{found} the variable `{}`", variable.name);
    Err(Mismatch::new(found, "text that JSON takes as it is").hint(hint))
}

/// `text` as a JSON string.
fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
