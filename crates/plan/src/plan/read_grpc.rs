//! Calls of gRPC, from a document: messages are encoded here, so that none is later.

use crate::notation::error::PlanError;
use crate::notation::json::Json;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Given, OneOrMany};
use crate::plan::grpc::{Grpc, GrpcStatus, MOST_MESSAGES_BYTES, Messages, framed};
use crate::plan::scenario_document::GrpcDocument;
use crate::plan::template::{Span, Template};
use crate::plan::variable::{Values, Variable};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use plimsoll_grpc::{Call, CallError, Schema};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Headers of each call, unless it has them.
const OF_CALLS: [(&str, &str); 2] = [("content-type", "application/grpc"), ("te", "trailers")];
/// Units of `grpc-timeout`, ns.
const UNITS: [(u64, char); 6] = [
    (3_600_000_000_000, 'H'),
    (60_000_000_000, 'M'),
    (1_000_000_000, 'S'),
    (1_000_000, 'm'),
    (1_000, 'u'),
    (1, 'n'),
];
/// Greatest number of units in it: eight digits.
const MOST_UNITS: u64 = 99_999_999;
/// Longest `.proto` file.
const MOST_PROTO_BYTES: u64 = 4 << 20;
/// Most combinations of values of which each is a message.
const MOST_MESSAGES: u64 = 1_000_000;
/// Most names of a file that a hint lists.
const MOST_LISTED: usize = 5;

impl Reader<'_> {
    /// A call; `names` are those of the variables.
    pub(crate) fn grpc(
        &mut self,
        key: &str,
        section: &At<GrpcDocument>,
        variables: &[Variable],
        names: &[&str],
    ) -> Result<Grpc, PlanError> {
        let grpc = &section.value;
        let call_key = format!("{key}.call");
        let Some(call) = self.field(&call_key, &grpc.call)? else {
            let mismatch = Mismatch::new("no `call`", "service and method, such as `shop.Cart/Add`");
            return Err(self.error(section.place, mismatch));
        };
        let encoded = self.encoded_messages(&format!("{key}.message_base64"), &grpc.message_base64)?;
        let message = self.section(&format!("{key}.message"), &grpc.message);
        if encoded.is_some() && message.is_some() {
            let mismatch = Mismatch::new("`message` and `message_base64`", "one of them");
            return Err(self.error(section.place, mismatch));
        }
        let described = self.described(key, section, &call)?;
        let mut texts: Vec<Template> = Vec::new();
        let messages = match (encoded, described) {
            (Some(messages), _) => messages,
            (None, None) if message.is_some() => {
                let mismatch = Mismatch::new("a `message` without `proto`", "the `.proto` file that defines it");
                return Err(self.error(section.place, mismatch));
            }
            (None, None) => Messages::framed([framed(&[])]),
            (None, Some(described)) => {
                let nothing = Json::Map(Vec::new());
                let (json, place) = message.map_or((&nothing, section.place), |json| (&json.value, json.place));
                let parse = |text: &str| self.parse_template(text, names, false);
                let message = Message::of(json, &parse).map_err(|mismatch| self.error(place, mismatch))?;
                let mut found = Vec::new();
                message.texts(&mut found);
                texts = found.into_iter().cloned().collect();
                let encoded = encode(&described, &message, variables);
                encoded.map_err(|mismatch| self.error(place, mismatch))?
            }
        };
        Ok(Grpc {
            call,
            messages,
            accepted: vec![GrpcStatus::OK],
            texts,
        })
    }

    /// Adds the headers that calls have, unless a plan gives them.
    pub(crate) fn add_metadata(
        &mut self,
        key: &str,
        grpc: &GrpcDocument,
        headers: &mut Vec<(String, Template)>,
    ) -> Result<(), PlanError> {
        let is_given = |name: &str| {
            let mut names = headers.iter().map(|(given, _)| given);
            names.any(|given| given.eq_ignore_ascii_case(name))
        };
        let mut metadata = OF_CALLS.map(|(name, value)| (name, value.to_owned())).to_vec();
        if let Some(written) = &grpc.deadline.0 {
            let deadline = self.written(&format!("{key}.deadline"), written)?;
            if deadline.is_zero() {
                return Err(self.error(written.place, Mismatch::new("`0`", "a deadline above 0")));
            }
            if is_given("grpc-timeout") {
                let mismatch = Mismatch::new("`deadline` and the header `grpc-timeout`", "one of them");
                return Err(self.error(written.place, mismatch));
            }
            metadata.push(("grpc-timeout", timeout_text(deadline)));
        }
        metadata.retain(|(name, _)| !is_given(name));
        headers.extend(
            metadata
                .into_iter()
                .map(|(name, value)| (name.to_owned(), Template::literal(value))),
        );
        Ok(())
    }

    fn encoded_messages(&mut self, key: &str, field: &Given<OneOrMany<String>>) -> Result<Option<Messages>, PlanError> {
        let written = match &field.0 {
            None => return Ok(None),
            Some(OneOrMany::One(one)) => std::slice::from_ref(one),
            Some(OneOrMany::Many(many, place)) => {
                self.remember(key, *place);
                if many.is_empty() {
                    return Err(self.error(*place, Mismatch::new("no message", "at least one")));
                }
                many
            }
        };
        let mut messages = Vec::new();
        for (index, written) in written.iter().enumerate() {
            self.remember(&format!("{key}[{index}]"), written.place);
            messages.push(self.read_with(written, |text| {
                let bytes = BASE64.decode(text);
                bytes
                    .map(|bytes| framed(&bytes))
                    .map_err(|_| Mismatch::new("other characters", "base64"))
            })?);
        }
        Ok(Some(Messages::framed(messages)))
    }

    /// Statuses of a call that count as successes.
    pub(crate) fn accepted_calls(
        &mut self,
        key: &str,
        field: &Given<OneOrMany<GrpcStatus>>,
        grpc: Option<&mut Grpc>,
    ) -> Result<(), PlanError> {
        let (written, place) = match &field.0 {
            None => return Ok(()),
            Some(OneOrMany::One(one)) => (std::slice::from_ref(one), one.place),
            Some(OneOrMany::Many(many, place)) => (many.as_slice(), *place),
        };
        self.remember(key, place);
        let Some(grpc) = grpc else {
            let mismatch = Mismatch::new(
                "`grpc_status` of a request without `grpc`",
                "a call of gRPC, or `status`",
            );
            return Err(self.error(place, mismatch));
        };
        let numbered = written.iter().enumerate();
        let accepted = numbered.map(|(index, status)| self.written(&format!("{key}[{index}]"), status));
        grpc.accepted = accepted.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The call as its `.proto` file describes it, where one is given.
    fn described(&mut self, key: &str, section: &At<GrpcDocument>, call: &str) -> Result<Option<Call>, PlanError> {
        let grpc = &section.value;
        let Some(written) = &grpc.proto.0 else {
            if grpc.import_paths.0.is_some() {
                let mismatch = Mismatch::new("`import_paths` without `proto`", "the `.proto` file that imports");
                return Err(self.error(section.place, mismatch));
            }
            return Ok(None);
        };
        let proto = self.written(&format!("{key}.proto"), written)?;
        let import_paths = self.import_paths(&format!("{key}.import_paths"), &grpc.import_paths)?;
        let read = |path: &Path| self.file(path, MOST_PROTO_BYTES);
        let schema = Schema::read(&self.beside_plan(&proto), &import_paths, &read).map_err(|error| {
            let mismatch = Mismatch::new(quoted(&proto), "a valid `.proto` file");
            self.error(written.place, mismatch.hint(error.to_string()))
        })?;
        let place = self.place(&format!("{key}.call"));
        let found = schema.call(call);
        found
            .map(Some)
            .map_err(|error| self.error(place, no_call(call, &error)))
    }

    fn import_paths(&mut self, key: &str, field: &Given<OneOrMany<String>>) -> Result<Vec<PathBuf>, PlanError> {
        let written = match &field.0 {
            None => &[],
            Some(OneOrMany::One(one)) => std::slice::from_ref(one),
            Some(OneOrMany::Many(many, place)) => {
                self.remember(key, *place);
                many
            }
        };
        let mut paths = Vec::new();
        for (index, written) in written.iter().enumerate() {
            let path = self.written(&format!("{key}[{index}]"), written)?;
            paths.push(self.beside_plan(&path));
        }
        Ok(paths)
    }
}

/// A duration as `grpc-timeout` has it: in the coarsest unit that says it exactly, or else the finest that has room for it, rounded up.
fn timeout_text(duration: Duration) -> String {
    let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    let fits = |(unit_ns, _): &&(u64, char)| ns.div_ceil(*unit_ns) <= MOST_UNITS;
    let mut fitting = UNITS.iter().filter(fits);
    let exact = fitting.clone().find(|(unit_ns, _)| ns % unit_ns == 0);
    let (unit_ns, name) = exact.or(fitting.next_back()).unwrap_or(&UNITS[0]);
    format!("{}{name}", ns.div_ceil(*unit_ns))
}

fn no_call(call: &str, error: &CallError) -> Mismatch {
    let expected = "a method with one request and one response, such as `shop.Cart/Add`";
    let mismatch = Mismatch::new(quoted(call), expected);
    match error {
        CallError::Form => mismatch.hint("write a `/` between service and method"),
        CallError::NoService { others, .. } => mismatch.hint(format!("{error}, but {}", listed(others))),
        CallError::NoMethod { others, .. } => mismatch.hint(format!("{error}, but {}", listed(others))),
        CallError::Streams { .. } => mismatch.hint(error.to_string()),
    }
}

/// Some of these names.
fn listed(names: &[String]) -> String {
    let listed: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST_LISTED) {
        _ if names.is_empty() => "none at all".to_owned(),
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// JSON whose texts may have variables in them.
enum Message {
    Fixed(serde_json::Value),
    Text(Template),
    List(Vec<Message>),
    Map(Vec<(String, Message)>),
}

impl Message {
    fn of(json: &Json, parse: &dyn Fn(&str) -> Result<Template, Mismatch>) -> Result<Self, Mismatch> {
        Ok(match json {
            Json::Null => Self::Fixed(serde_json::Value::Null),
            Json::Bool(value) => Self::Fixed((*value).into()),
            Json::Number(number) => Self::Fixed(number.clone().into()),
            Json::Text(text) => Self::Text(parse(text)?),
            Json::List(items) => {
                let items = items.iter().map(|item| Self::of(item, parse));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Json::Map(entries) => {
                let entry = |(key, value): &(String, Json)| Ok((key.clone(), Self::of(value, parse)?));
                Self::Map(entries.iter().map(entry).collect::<Result<_, Mismatch>>()?)
            }
        })
    }

    fn texts<'a>(&'a self, found: &mut Vec<&'a Template>) {
        match self {
            Self::Fixed(_) => {}
            Self::Text(text) => found.push(text),
            Self::List(items) => items.iter().for_each(|item| item.texts(found)),
            Self::Map(entries) => entries.iter().for_each(|(_, value)| value.texts(found)),
        }
    }

    /// The message that the `nth` call sends.
    fn nth(&self, nth: u64, variables: &[Variable]) -> serde_json::Value {
        match self {
            Self::Fixed(value) => value.clone(),
            Self::Text(text) => {
                let mut filled = Vec::new();
                for span in &text.spans {
                    match span {
                        Span::Literal(bytes) | Span::Sealed(bytes) => filled.extend_from_slice(bytes),
                        Span::Variable(index) => {
                            let values = &variables[*index].values;
                            values.append(nth % values.count().max(1), &mut filled);
                        }
                    }
                }
                String::from_utf8_lossy(&filled).into_owned().into()
            }
            Self::List(items) => items.iter().map(|item| item.nth(nth, variables)).collect(),
            Self::Map(entries) => {
                let entry = |(key, value): &(String, Self)| (key.clone(), value.nth(nth, variables));
                serde_json::Value::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

/// Encodes a message for each combination of values that occurs.
fn encode(call: &Call, message: &Message, variables: &[Variable]) -> Result<Messages, Mismatch> {
    let mut texts = Vec::new();
    message.texts(&mut texts);
    let used: BTreeSet<usize> = texts.iter().flat_map(|text| text.variables()).collect();
    let combinations = used.iter().try_fold(1, |all, index| {
        let count = variables[*index].values.count().max(1);
        least_common_multiple(all, count).filter(|all| *all <= MOST_MESSAGES)
    });
    let Some(combinations) = combinations else {
        let expected = format!("at most {MOST_MESSAGES} messages, one for each combination of values that occurs");
        let mismatch = Mismatch::new("variables with too many values together", expected);
        return Err(mismatch.hint("give variables of one message as many values each, or a multiple"));
    };
    // What does not fit may be a secret, and is shown only where it stands in the plan as it is or is a number of a range.
    let is_plain = |span: &Span| match span {
        Span::Literal(_) => true,
        Span::Variable(index) => matches!(variables[*index].values.in_turn(), Values::Range { .. }),
        Span::Sealed(_) => false,
    };
    let shows = texts.iter().all(|text| text.spans.iter().all(is_plain));
    let mut bytes = 0;
    let mut encoded = Vec::new();
    for nth in 0..combinations {
        let one = call.encode(&message.nth(nth, variables)).map_err(|error| {
            let expected = format!("a message `{}`", call.message_name());
            match shows {
                true => Mismatch::new("JSON that does not fit", expected).hint(error.to_string()),
                false => Mismatch::new("JSON that does not fit with the values of its variables", expected),
            }
        })?;
        bytes += one.len();
        if bytes > MOST_MESSAGES_BYTES {
            let expected = format!("at most {MOST_MESSAGES_BYTES} bytes in all messages of a call together");
            return Err(Mismatch::new(
                format!("more than {nth} messages of so many bytes"),
                expected,
            ));
        }
        encoded.push(one);
    }
    Ok(Messages::framed(encoded))
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROTO: &str = r#"
        syntax = "proto3";
        package shop;
        message Item { uint32 id = 1; string name = 2; double price = 3; }
        service Cart { rpc Add(Item) returns (Item); }
    "#;

    fn call() -> Call {
        let schema = Schema::read(Path::new("cart.proto"), &[], &|_| Ok(PROTO.as_bytes().to_vec()));
        schema
            .map(|schema| schema.call("shop.Cart/Add"))
            .expect("valid")
            .expect("a call")
    }

    fn range(name: &str, from: u64, to: u64) -> Variable {
        let values = Values::Range { from, to };
        Variable {
            name: name.to_owned(),
            values,
        }
    }

    fn encoded(message: serde_json::Value, variables: &[Variable]) -> Result<Messages, String> {
        let json: Json = serde_json::from_value(message).expect("JSON");
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let parse = |text: &str| Template::parse(text, &names);
        Message::of(&json, &parse)
            .and_then(|message| encode(&call(), &message, variables))
            .map_err(|mismatch| format!("{mismatch:?}"))
    }

    #[test]
    fn each_combination_of_values_is_a_message() {
        let message = serde_json::json!({ "id": "${a}", "name": "${a} of ${b}" });
        let messages = encoded(message, &[range("a", 7, 8), range("b", 1, 3), range("unused", 1, 5)]).expect("it fits");
        assert_eq!(messages.count(), 6);
        let texts: Vec<String> = messages
            .bare()
            .map(|bytes| String::from_utf8_lossy(&bytes[4..]).into_owned())
            .collect();
        assert_eq!(texts, ["7 of 1", "8 of 2", "7 of 3", "8 of 1", "7 of 2", "8 of 3"]);
        assert_eq!(messages.bare().next(), Some(&b"\x08\x07\x12\x067 of 1"[..]));
    }

    #[test]
    fn numbers_may_be_texts() {
        let message = serde_json::json!({ "id": "${a}", "price": "${a}.5" });
        let messages = encoded(message, &[range("a", 3, 3)]).expect("it fits");
        assert_eq!(messages.bare().next(), Some(&b"\x08\x03\x19\0\0\0\0\0\0\x0c\x40"[..]));
    }

    #[test]
    fn a_deadline_is_written_in_at_most_eight_digits() {
        let year = 365 * 24 * 3600;
        for (deadline, text) in [
            (Duration::from_millis(500), "500m"),
            (Duration::from_millis(1_500), "1500m"),
            (Duration::from_secs(90), "90S"),
            (Duration::from_secs(7_200), "2H"),
            (Duration::from_nanos(1), "1n"),
            (Duration::from_nanos(99_999_999), "99999999n"),
            (Duration::from_nanos(100_000_001), "100001u"),
            (Duration::new(3_600, 1), "3600001m"),
            (Duration::from_secs(292 * year), "2557920H"),
        ] {
            assert_eq!(timeout_text(deadline), text);
        }
    }

    #[test]
    fn too_many_combinations_are_refused() {
        let message = || serde_json::json!({ "name": "${a} ${b}" });
        let error = encoded(message(), &[range("a", 1, 1009), range("b", 1, 1000)]).unwrap_err();
        assert!(error.contains("too many values together"), "{error}");
        let error = encoded(message(), &[range("a", 0, u64::MAX), range("b", 1, 2)]).unwrap_err();
        assert!(error.contains("too many values together"), "{error}");
    }

    #[test]
    fn what_does_not_fit_is_shown_only_where_it_is_no_secret() {
        let error = encoded(serde_json::json!({ "id": "seven" }), &[]).unwrap_err();
        assert!(
            error.contains("shop.Item") && error.contains("invalid digit"),
            "{error}"
        );
        let message = serde_json::json!({ "id": "${a}", "name": 7 });
        let error = encoded(message, &[range("a", 1, 2)]).unwrap_err();
        assert!(error.contains("expected a string"), "{error}");
        let values = Values::List(vec!["hunter2".into()]);
        let secret = Variable {
            name: "a".to_owned(),
            values,
        };
        let error = encoded(serde_json::json!({ "id": "${a}" }), &[secret]).unwrap_err();
        assert!(error.contains("shop.Item") && !error.contains("hunter2"), "{error}");
    }
}
