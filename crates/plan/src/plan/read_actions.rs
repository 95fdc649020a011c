//! Reads lists of actions, and those of a connection that is held.

use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::{At, Place};
use crate::plan::action::{Action, ActionRequest, Repeat};
use crate::plan::request::Request;
use crate::plan::scenario::unmarked;
use crate::plan::scenario_document::{
    ActionDocument, ActionRequestDocument, MessageFields, RepeatDocument, RequestFields, SendDocument,
};
use crate::plan::variable::Variable;

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
            action.pause.0.is_some(),
            action.set.0.is_some(),
            action.chance.0.is_some(),
            action.when.0.is_some(),
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
        if repeat.times.0.is_some() || repeat.until.0.is_some() || repeat.at_most.0.is_some() {
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
        if section.value.take.0.is_some() || section.value.check.0.is_some() {
            let mismatch = Mismatch::new("`take` or `check` on a held connection", "`expect`");
            return Err(self.error(section.place, mismatch.hint("users of `journeys` take and check")));
        }
        let request = self.request(key, section.place, (&section.value).into(), variables)?;
        if !self.is_marked(&request, variables) {
            let expected =
                "`${message}` in its path, a header or its body: by that a message is known again where it arrives";
            return Err(self.error(section.place, Mismatch::new("a request without `${message}`", expected)));
        }
        let receivers = self.field(&format!("{key}.receivers"), &section.value.receivers)?;
        Ok(ActionRequest {
            url,
            request,
            takes: Vec::new(),
            checks: Vec::new(),
            receivers: receivers.unwrap_or_default(),
        })
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
        Ok(ActionRequest {
            url: None,
            request,
            takes: Vec::new(),
            checks: Vec::new(),
            receivers: receivers.unwrap_or_default(),
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
        let fields = RequestFields {
            name,
            body: text,
            json,
            ..(&nothing).into()
        };
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
            Self::Connection => "`repeat`, `request` or `send`",
            Self::User => "`request`, `pause`, `repeat`, `chance`, `when` or `set`",
        }
    }
}
