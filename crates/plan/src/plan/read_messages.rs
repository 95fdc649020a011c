//! Messages that have responses, and what opens their connections, from a document.

use super::read_scenario::append_json;
use crate::notation::error::PlanError;
use crate::notation::json::Json;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::At;
use crate::plan::action;
use crate::plan::request::{Form, Request};
use crate::plan::scenario_document::{ConnectDocument, EventFields, MessageFields, RequestDocument};
use crate::plan::template::Template;
use crate::plan::variable::Variable;

impl Reader<'_> {
    /// Adds the variable that marks messages.
    pub(super) fn add_mark(&self, variables: &mut Vec<Variable>) -> Result<(), PlanError> {
        if variables.iter().any(|variable| variable.name == action::MESSAGE) {
            let expected = "another name: `${message}` is the mark of a message";
            let mismatch = Mismatch::new("the variable `message`", expected);
            return Err(self.error_about("scenario.variables.message", mismatch));
        }
        variables.push(action::message());
        Ok(())
    }

    /// A request that opens a connection of Socket.IO.
    pub(super) fn join(
        &mut self,
        key: &str,
        section: &At<ConnectDocument>,
        request: Request,
        variables: &[Variable],
    ) -> Result<Request, PlanError> {
        if !request.body.is_empty() || request.grpc.is_some() {
            let mismatch = Mismatch::new("`connect`, and a body", "one of them");
            return Err(self.error(section.place, mismatch));
        }
        let namespace = self.field(&format!("{key}.namespace"), &section.value.namespace)?;
        let transport = self.field(&format!("{key}.transport"), &section.value.transport)?;
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let body = match self.section(&format!("{key}.auth"), &section.value.auth) {
            None => Template::default(),
            Some(auth) => {
                let parse = |text: &str| self.parse_template(text, &names, false);
                let mut body = Template::default();
                let read = match &auth.value {
                    // As a saved plan has it.
                    Json::Text(text) => parse(text).map(|text| body = text),
                    auth => append_json(&mut body, auth, variables, &parse),
                };
                read.map_err(|mismatch| self.error(auth.place, mismatch))?;
                body
            }
        };
        Ok(Request {
            body,
            form: Form::Join {
                namespace: namespace.unwrap_or_else(|| "/".to_owned()),
                transport: transport.unwrap_or_default(),
            },
            ..request
        })
    }

    /// Messages, and among them what opens the connections that they are sent on.
    pub(super) fn exchange(
        &mut self,
        section: &At<Vec<At<RequestDocument>>>,
        variables: &[Variable],
        openings: &mut Vec<Request>,
    ) -> Result<Vec<Request>, PlanError> {
        let mut messages = 0;
        let requests = self.each("scenario.requests", section, "request", |reader, _, section| {
            if !section.value.is_message() {
                // Its place is among its kind, as that of the messages is.
                let key = format!("scenario.openings[{}]", openings.len());
                reader.remember(&key, section.place);
                openings.push(reader.weighted_request(&key, section, variables)?);
                return Ok(None);
            }
            let key = format!("scenario.requests[{messages}]");
            messages += 1;
            reader.remember(&key, section.place);
            let RequestDocument {
                name,
                weight,
                send,
                emit,
                ..
            } = &section.value;
            if section.value.is_request() || (send.0.is_some() && emit.0.is_some()) {
                let found = "`send` or `emit`, and other parts of a request";
                let mismatch = Mismatch::new(found, "one of them, with `name` and `weight`");
                return Err(reader.error(
                    section.place,
                    mismatch.hint("what opens the connection is an entry of its own"),
                ));
            }
            let weight = reader.field(&format!("{key}.weight"), weight)?;
            let message = match (&send.0, &emit.0) {
                (Some(send), _) => {
                    let message = MessageFields {
                        name,
                        text: &send.value.text,
                        json: &send.value.json,
                    };
                    reader.message(&format!("{key}.send"), send.place, message, variables)?
                }
                (None, Some(emit)) => {
                    let event = EventFields {
                        name,
                        event: &emit.value.event,
                        args: &emit.value.args,
                        packet: &emit.value.packet,
                    };
                    reader.event(&format!("{key}.emit"), emit.place, event, variables)?
                }
                (None, None) => return Ok(None),
            };
            Ok(Some(Request {
                weight: weight.unwrap_or(1),
                ..message
            }))
        })?;
        Ok(requests.into_iter().flatten().collect())
    }
}
