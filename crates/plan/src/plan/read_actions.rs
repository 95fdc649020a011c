//! Reads lists of actions, and those of a connection that is held.

use crate::notation::error::PlanError;
use crate::notation::json::Json;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Given, Place};
use crate::plan::action::{Action, ActionRequest, OnFailure, Receivers, Repeat};
use crate::plan::request::{Form, Request};
use crate::plan::scenario::unmarked;
use crate::plan::scenario_document::{
    ActionDocument, ActionRequestDocument, BodyFields, EmitActionDocument, EventFields, MessageFields, RepeatDocument,
    RequestFields, SendDocument,
};
use crate::plan::url::Url;
use crate::plan::variable::Variable;

/// Names of events that only Socket.IO itself may use.
const RESERVED: [&str; 6] = [
    "connect",
    "connect_error",
    "disconnect",
    "disconnecting",
    "newListener",
    "removeListener",
];

impl Reader<'_> {
    pub(crate) fn actions(
        &mut self,
        key: &str,
        section: &At<Vec<At<ActionDocument>>>,
        variables: &[Variable],
        of: ActionsOf,
    ) -> Result<Vec<Action>, PlanError> {
        self.each(key, section, "action", |reader, key, section| {
            reader.action(key, section, variables, of)
        })
    }

    fn action(
        &mut self,
        key: &str,
        section: &At<ActionDocument>,
        variables: &[Variable],
        of: ActionsOf,
    ) -> Result<Action, PlanError> {
        let action = &section.value;
        let given = [
            action.repeat.0.is_some(),
            action.request.0.is_some(),
            action.send.0.is_some(),
            action.emit.0.is_some(),
            action.pause.0.is_some(),
            action.set.0.is_some(),
            action.chance.0.is_some(),
            action.when.0.is_some(),
            action.once.0.is_some(),
        ];
        if given.iter().filter(|given| **given).count() > 1 {
            let mismatch = Mismatch::new("two actions in one", format!("one key for each action, {}", of.words()));
            return Err(self.error(
                section.place,
                mismatch.hint("write each action behind a dash of its own"),
            ));
        }
        if let Some(request) = &action.request.0 {
            let key = format!("{key}.request");
            let request = match of {
                ActionsOf::Connection => self.action_request(&key, request, variables)?,
                ActionsOf::User => self.user_request(&key, request, variables)?,
            };
            return Ok(Action::Request(Box::new(request)));
        }
        if let (ActionsOf::Connection, Some(send)) = (of, &action.send.0) {
            let message = self.send(&format!("{key}.send"), send, variables)?;
            return Ok(Action::Send(Box::new(message)));
        }
        if let (ActionsOf::Connection, Some(emit)) = (of, &action.emit.0) {
            let message = self.emit(&format!("{key}.emit"), emit, variables)?;
            return Ok(Action::Send(Box::new(message)));
        }
        match (of, &action.repeat.0) {
            (ActionsOf::User, _) => self.user_action(key, section, variables),
            (ActionsOf::Connection, Some(repeat)) => {
                let repeat = self.repeat(&format!("{key}.repeat"), repeat, variables)?;
                Ok(Action::Repeat(repeat))
            }
            (ActionsOf::Connection, None) => {
                let found = match given.contains(&true) {
                    true => "an action of a journey on a held connection",
                    false => "an action without a name",
                };
                Err(self.error(section.place, Mismatch::new(found, of.words())))
            }
        }
    }

    fn repeat(&mut self, key: &str, section: &At<RepeatDocument>, variables: &[Variable]) -> Result<Repeat, PlanError> {
        self.remember(key, section.place);
        let repeat = &section.value;
        let ends = [
            repeat.times.0.is_some(),
            repeat.until.0.is_some(),
            repeat.while_so.0.is_some(),
            repeat.for_each.0.is_some(),
            repeat.at_most.0.is_some(),
            repeat.count.0.is_some(),
        ];
        if ends.contains(&true) {
            let mismatch = Mismatch::new("a `repeat` with an end on a held connection", "`every` alone");
            return Err(self.error(section.place, mismatch));
        }
        let every = self.required(&format!("{key}.every"), &repeat.every, section.place)?;
        let key = format!("{key}.actions");
        let Some(actions) = self.section(&key, &repeat.actions) else {
            let mismatch = Mismatch::new("no `actions`", "a list of what is repeated");
            return Err(self.error(section.place, mismatch));
        };
        let actions = self.actions(&key, actions, variables, ActionsOf::Connection)?;
        Ok(Repeat { every, actions })
    }

    fn action_request(
        &mut self,
        key: &str,
        section: &At<ActionRequestDocument>,
        variables: &[Variable],
    ) -> Result<ActionRequest, PlanError> {
        self.remember(key, section.place);
        let url = match &section.value.url.0 {
            Some(url) => Some(self.url(&format!("{key}.url"), url)?),
            None => None,
        };
        let document = &section.value;
        if document.take.0.is_some() || document.check.0.is_some() || document.on_failure.0.is_some() {
            let found = "`take`, `check` or `on_failure` on a held connection";
            let mismatch = Mismatch::new(found, "`expect`");
            return Err(self.error(section.place, mismatch.hint("users of `journeys` take and check")));
        }
        let request = self.request(key, section.place, (&section.value).into(), variables)?;
        if !self.is_marked(&request, variables) {
            let expected =
                "`${message}` in its path, a header or its body: by that a message is known again where it arrives";
            return Err(self.error(section.place, Mismatch::new("a request without `${message}`", expected)));
        }
        let receivers = self.field(&format!("{key}.receivers"), &section.value.receivers)?;
        Ok(delivered(url, request, receivers))
    }

    fn send(
        &mut self,
        key: &str,
        section: &At<SendDocument>,
        variables: &[Variable],
    ) -> Result<ActionRequest, PlanError> {
        let send = &section.value;
        let message = MessageFields {
            name: &send.name,
            text: &send.text,
            json: &send.json,
        };
        let request = self.message(key, section.place, message, variables)?;
        let receivers = self.field(&format!("{key}.receivers"), &send.receivers)?;
        Ok(delivered(None, request, receivers))
    }

    fn emit(
        &mut self,
        key: &str,
        section: &At<EmitActionDocument>,
        variables: &[Variable],
    ) -> Result<ActionRequest, PlanError> {
        let emit = &section.value;
        let event = EventFields {
            name: &emit.name,
            event: &emit.event,
            args: &emit.args,
            packet: &emit.packet,
        };
        let request = self.event(key, section.place, event, variables)?;
        if !self.is_marked(&request, variables) {
            return Err(self.error(section.place, unmarked()));
        }
        let receivers = self.field(&format!("{key}.receivers"), &emit.receivers)?;
        Ok(delivered(None, request, receivers))
    }

    /// An event of Socket.IO, on whatever connection.
    pub(crate) fn event(
        &mut self,
        key: &str,
        place: Option<Place>,
        event: EventFields<'_>,
        variables: &[Variable],
    ) -> Result<Request, PlanError> {
        self.remember(key, place);
        let EventFields {
            name,
            event,
            args,
            packet,
        } = event;
        if event.0.is_some() == packet.0.is_some() || (packet.0.is_some() && args.0.is_some()) {
            let mismatch = Mismatch::new("no `event`, or `packet` beside it", "`event`, with or without `args`");
            return Err(self.error(place, mismatch));
        }
        let event = self.field(&format!("{key}.event"), event)?;
        if let Some(reserved) = event.as_deref().filter(|event| RESERVED.contains(event)) {
            let expected = "another name: Socket.IO has this one for itself";
            return Err(self.error(place, Mismatch::new(quoted(reserved), expected)));
        }
        let mut list: Vec<Json> = event.iter().map(|event| Json::Text(event.clone())).collect();
        if let Some(args) = self.section(&format!("{key}.args"), args) {
            let Json::List(args) = &args.value else {
                let mismatch = Mismatch::new("arguments that are no list", "a list such as [hello]");
                return Err(self.error(args.place, mismatch));
            };
            list.extend_from_slice(args);
        }
        let nothing = ActionRequestDocument::default();
        let list = Given(event.is_some().then_some(At {
            value: Json::List(list),
            place,
        }));
        let usual = RequestFields::from(&nothing);
        let body = BodyFields {
            text: packet,
            json: &list,
            ..usual.body
        };
        let fields = RequestFields { name, body, ..usual };
        let Request { name, body, .. } = self.request(key, place, fields, variables)?;
        let name = match name.is_empty() {
            true => event.unwrap_or_else(|| "emit".to_owned()),
            false => name,
        };
        Ok(Request {
            name,
            form: Form::Event,
            ..Request::message(body)
        })
    }

    /// A message, on whatever connection.
    pub(crate) fn message(
        &mut self,
        key: &str,
        place: Option<Place>,
        message: MessageFields<'_>,
        variables: &[Variable],
    ) -> Result<Request, PlanError> {
        self.remember(key, place);
        let MessageFields { name, text, json } = message;
        if text.0.is_some() == json.0.is_some() {
            let found = match text.0 {
                Some(_) => "`text` and `json`",
                None => "a message that says nothing",
            };
            return Err(self.error(place, Mismatch::new(found, "one of `text` and `json`")));
        }
        let nothing = ActionRequestDocument::default();
        let usual = RequestFields::from(&nothing);
        let body = BodyFields {
            text,
            json,
            ..usual.body
        };
        let fields = RequestFields { name, body, ..usual };
        let Request { name, body, .. } = self.request(key, place, fields, variables)?;
        let mut message = Request::message(body);
        if !name.is_empty() {
            message.name = name;
        }
        if !self.is_marked(&message, variables) {
            return Err(self.error(place, unmarked()));
        }
        Ok(message)
    }

    /// Whether the mark of messages is in a request, the last of the variables. Of a saved plan the body may be redacted.
    fn is_marked(&self, request: &Request, variables: &[Variable]) -> bool {
        self.environment.is_none() || request.needs(variables.len() - 1)
    }
}

/// What a held connection sends, for so many receivers: it neither takes nor checks.
fn delivered(url: Option<Url>, request: Request, receivers: Option<Receivers>) -> ActionRequest {
    ActionRequest {
        url,
        request,
        takes: Vec::new(),
        checks: Vec::new(),
        on_failure: OnFailure::default(),
        receivers: receivers.unwrap_or_default(),
    }
}

/// Who does actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActionsOf {
    /// A connection that is held.
    Connection,
    /// A user on a journey.
    User,
}

impl ActionsOf {
    /// What they can be, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Connection => "`repeat`, `request`, `send` or `emit`",
            Self::User => "`request`, `pause`, `repeat`, `chance`, `when`, `once` or `set`",
        }
    }
}
