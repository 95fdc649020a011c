//! A request as a plan has it, with or without what it hides.

use crate::notation::encoding::base64_text;
use crate::notation::json::Json;
use crate::plan::grpc::Grpc;
use crate::plan::masks::{body_text, masked_header, masked_path};
use crate::plan::request::StatusRange;
use crate::{Form, Request, Template};

/// How much of a plan is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    Kept,
    Redacted,
}

pub(crate) fn map<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Map(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

/// A request with what it has beside what every request has.
pub(crate) fn print_request(
    request: &Request,
    beside: impl IntoIterator<Item = (&'static str, Json)>,
    names: &[&str],
    secrets: Secrets,
) -> Json {
    let text = |template: &Template| Json::from(template.to_text(names).unwrap_or_default());
    let mut entries = vec![("name".to_owned(), request.name.as_str().into())];
    entries.extend(beside.into_iter().map(|(key, value)| (key.to_owned(), value)));
    entries.extend([
        ("method".to_owned(), request.method.as_str().into()),
        (
            "path".to_owned(),
            match secrets {
                Secrets::Kept => text(&request.path),
                Secrets::Redacted => text(&masked_path(&request.path)),
            },
        ),
    ]);
    entries.extend(print_headers(&request.headers, names, secrets));
    if let Form::Join { namespace, transport } = &request.form {
        let mut connect = vec![
            ("namespace".to_owned(), namespace.as_str().into()),
            ("transport".to_owned(), transport.as_str().into()),
        ];
        if !request.body.is_empty() {
            connect.push(("auth".to_owned(), message_text(request, names, secrets)));
        }
        entries.push(("connect".to_owned(), Json::Map(connect)));
    }
    if !matches!(request.form, Form::Join { .. }) {
        entries.extend(print_body(&request.body, names, secrets));
    }
    let status: Vec<String> = request.expect.status.iter().map(StatusRange::text).collect();
    let mut expect = vec![("status".to_owned(), status.into())];
    if let Some(grpc) = &request.grpc {
        entries.push(("grpc".to_owned(), print_grpc(grpc, secrets)));
        let accepted: Vec<&str> = grpc.accepted.iter().map(|status| status.as_str()).collect();
        expect.push(("grpc_status".to_owned(), accepted.into()));
    }
    entries.push(("expect".to_owned(), Json::Map(expect)));
    Json::Map(entries)
}

/// Header fields, if there are any.
pub(crate) fn print_headers(
    headers: &[(String, Template)],
    names: &[&str],
    secrets: Secrets,
) -> Option<(String, Json)> {
    let text = |template: &Template| Json::from(template.to_text(names).unwrap_or_default());
    let entries = headers.chunk_by(|a, b| a.0 == b.0).map(|same| {
        let value = |value: &Template| match secrets {
            Secrets::Kept => text(value),
            Secrets::Redacted => text(&masked_header(&same[0].0, value)),
        };
        let value = match same {
            [(_, only)] => value(only),
            same => Json::List(same.iter().map(|(_, template)| value(template)).collect()),
        };
        (same[0].0.clone(), value)
    });
    (!headers.is_empty()).then(|| ("headers".to_owned(), Json::Map(entries.collect())))
}

/// A message that the load sends.
pub(crate) fn print_message(
    message: &Request,
    beside: impl IntoIterator<Item = (&'static str, Json)>,
    names: &[&str],
    secrets: Secrets,
) -> Json {
    let (action, key) = message_keys(message);
    let said = map([(key, message_text(message, names, secrets))]);
    let entries = [("name", message.name.as_str().into())].into_iter().chain(beside);
    let entries = entries.chain([(action, said)]);
    Json::Map(entries.map(|(key, value)| (key.to_owned(), value)).collect())
}

/// What a message is written as, and under which key is what it says.
pub(crate) fn message_keys(message: &Request) -> (&'static str, &'static str) {
    match message.form {
        Form::Event => ("emit", "packet"),
        Form::Http | Form::Message | Form::Join { .. } => ("send", "text"),
    }
}

/// What a message says.
pub(crate) fn message_text(message: &Request, names: &[&str], secrets: Secrets) -> Json {
    match secrets {
        Secrets::Kept => message.body.to_text(names).unwrap_or_default(),
        Secrets::Redacted => body_text(&message.body),
    }
    .into()
}

/// The messages as they are encoded, which takes no `.proto` file to read.
fn print_grpc(grpc: &Grpc, secrets: Secrets) -> Json {
    let mut entries = vec![("call".to_owned(), grpc.call.as_str().into())];
    if secrets == Secrets::Kept {
        let messages: Vec<String> = grpc.messages.bare().map(base64_text).collect();
        entries.push(("message_base64".to_owned(), messages.into()));
    }
    Json::Map(entries)
}

/// Text where it can be, unless its escapes would make it longer than base64.
pub(crate) fn print_body(body: &Template, names: &[&str], secrets: Secrets) -> Option<(String, Json)> {
    if body.is_empty() {
        return None;
    }
    if secrets == Secrets::Redacted {
        return Some(("body".to_owned(), body_text(body).into()));
    }
    let base64 = || body.as_literal().map(base64_text);
    match body.to_text(names) {
        Some(text) if text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')) => {
            Some(("body".to_owned(), text.into()))
        }
        text => match base64() {
            Some(base64) => Some(("body_base64".to_owned(), base64.into())),
            None => Some(("body".to_owned(), text.unwrap_or_default().into())),
        },
    }
}
