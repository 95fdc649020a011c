//! What users do, from a document.

use crate::notation::Notation;
use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Entries, Field, Given, Place, ShortOr, Written};
use crate::plan::action::{Action, ActionRequest, Chance, Pause, Receivers, Set, When};
use crate::plan::condition_document::ComparisonFields;
use crate::plan::journey::Journey;
use crate::plan::json_path::JsonPath;
use crate::plan::read_actions::ActionsOf;
use crate::plan::scenario_document::{ActionDocument, ActionRequestDocument, JourneyDocument};
use crate::plan::take::{Check, Take, TakeFrom, kept, kept_place};
use crate::plan::take_document::{BetweenDocument, CheckDocument, PauseDocument, SizeDocument, TakeDocument};
use crate::plan::variable::Variable;
use crate::secrets::Secret;
use std::time::Duration;

impl Reader<'_> {
    /// Reads journeys, and adds the variables of what users keep to `variables`.
    pub(crate) fn journeys(
        &mut self,
        section: &At<Vec<At<JourneyDocument>>>,
        variables: &mut Vec<Variable>,
    ) -> Result<Vec<Journey>, PlanError> {
        let given = variables.len();
        for journey in &section.value {
            if let Some(actions) = &journey.value.actions.0 {
                self.keep_names(&actions.value, given, variables)?;
            }
        }
        let mut number = 0;
        self.each("scenario.journeys", section, "journey", |reader, key, section| {
            number += 1;
            let journey = &section.value;
            let name = reader.field(&format!("{key}.name"), &journey.name)?;
            let weight = reader.field(&format!("{key}.weight"), &journey.weight)?;
            let actions_key = format!("{key}.actions");
            let Some(actions) = reader.section(&actions_key, &journey.actions) else {
                let mismatch = Mismatch::new("no `actions`", "a list of what a user does");
                return Err(reader.error(section.place, mismatch));
            };
            Ok(Journey {
                name: name.unwrap_or_else(|| format!("journey {number}")),
                weight: weight.unwrap_or(1),
                actions: reader.actions(&actions_key, actions, variables, ActionsOf::User)?,
            })
        })
    }

    /// Reads what one user does before or after the load, and adds the variables of what it keeps; the first `given` are there already.
    pub(crate) fn alone(
        &mut self,
        key: &str,
        section: &Given<At<Vec<At<ActionDocument>>>>,
        given: usize,
        variables: &mut Vec<Variable>,
    ) -> Result<Vec<Action>, PlanError> {
        let Some(actions) = self.section(key, section) else {
            return Ok(Vec::new());
        };
        self.keep_names(&actions.value, given, variables)?;
        self.actions(key, actions, variables, ActionsOf::User)
    }

    /// Adds the variables of what is taken in these actions; the first `given` are those of the plan.
    fn keep_names(
        &self,
        actions: &[At<ActionDocument>],
        given: usize,
        variables: &mut Vec<Variable>,
    ) -> Result<(), PlanError> {
        for action in actions {
            let action = &action.value;
            let takes = action
                .request
                .0
                .as_ref()
                .and_then(|request| request.value.take.0.as_ref());
            let taken = takes.iter().flat_map(|takes| &takes.value.0).map(|(name, _)| name);
            let set = action.set.0.as_ref();
            let set = set.iter().flat_map(|set| &set.value.0).map(|(name, _)| name);
            let rounds = action.repeat.0.iter().flat_map(|repeat| repeat.value.names());
            for written in taken.chain(set).chain(rounds) {
                let name = self.read_with(written, String::read)?;
                match variables.iter().position(|variable| variable.name == name) {
                    None => variables.extend(kept(&name)),
                    Some(place) if place >= given => {}
                    Some(place) => {
                        let whose = match kept_place(variables, place) {
                            Some(_) => "which `before` keeps for all",
                            None => "which is one of `scenario.variables`",
                        };
                        let found = format!("{}, {whose}", quoted(&name));
                        let mismatch = Mismatch::new(found, "another name for what a user keeps");
                        return Err(self.error(written.place, mismatch));
                    }
                }
            }
            let inner = [
                action
                    .repeat
                    .0
                    .as_ref()
                    .and_then(|repeat| repeat.value.actions.0.as_ref()),
                action
                    .chance
                    .0
                    .as_ref()
                    .and_then(|chance| chance.value.actions.0.as_ref()),
                action.when.0.as_ref().and_then(|when| when.value.actions.0.as_ref()),
                action.once.0.as_ref().and_then(|once| once.value.actions.0.as_ref()),
            ];
            for actions in inner.into_iter().flatten() {
                self.keep_names(&actions.value, given, variables)?;
            }
        }
        Ok(())
    }

    pub(crate) fn user_request(
        &mut self,
        key: &str,
        section: &At<ActionRequestDocument>,
        variables: &[Variable],
    ) -> Result<ActionRequest, PlanError> {
        self.remember(key, section.place);
        let document = &section.value;
        if let Some(url) = &document.url.0 {
            let mismatch = Mismatch::new("a request of a journey with a `url`", "a `path`");
            return Err(self.error(url.place, mismatch.hint("users stay at the service of `target`")));
        }
        let request = self.request(key, section.place, document.into(), variables)?;
        Ok(ActionRequest {
            url: None,
            request,
            takes: self.takes(&format!("{key}.take"), &document.take, variables)?,
            checks: self.checks(&format!("{key}.check"), &document.check, variables)?,
            on_failure: self
                .field(&format!("{key}.on_failure"), &document.on_failure)?
                .unwrap_or_default(),
            receivers: Receivers::default(),
        })
    }

    /// An action that only users do.
    pub(crate) fn user_action(
        &mut self,
        key: &str,
        section: &At<ActionDocument>,
        variables: &[Variable],
    ) -> Result<Action, PlanError> {
        let action = &section.value;
        if let Some(pause) = &action.pause.0 {
            return Ok(Action::Pause(self.pause(&format!("{key}.pause"), pause)?));
        }
        if let Some(set) = self.section(&format!("{key}.set"), &action.set) {
            return Ok(Action::Set(self.set(&format!("{key}.set"), set, variables)?));
        }
        if let Some(repeat) = self.section(&format!("{key}.repeat"), &action.repeat) {
            return Ok(Action::Rounds(self.rounds(
                &format!("{key}.repeat"),
                repeat,
                variables,
            )?));
        }
        if let Some(chance) = self.section(&format!("{key}.chance"), &action.chance) {
            let key = format!("{key}.chance");
            return Ok(Action::Chance(Chance {
                of: self.required(&format!("{key}.of"), &chance.value.of, chance.place)?,
                actions: self.inner(&key, &chance.value.actions, chance.place, variables)?,
            }));
        }
        if let Some(when) = self.section(&format!("{key}.when"), &action.when) {
            let key = format!("{key}.when");
            return Ok(Action::When(When {
                condition: self.condition(&key, (&when.value).into(), when.place, variables)?,
                actions: self.inner(&key, &when.value.actions, when.place, variables)?,
            }));
        }
        if let Some(once) = self.section(&format!("{key}.once"), &action.once) {
            let key = format!("{key}.once");
            return Ok(Action::Once(self.inner(
                &key,
                &once.value.actions,
                once.place,
                variables,
            )?));
        }
        let mismatch = Mismatch::new("an action without a name", ActionsOf::User.words());
        Err(self.error(section.place, mismatch))
    }

    /// The actions in an action.
    pub(crate) fn inner(
        &mut self,
        key: &str,
        actions: &Given<At<Vec<At<ActionDocument>>>>,
        place: Option<Place>,
        variables: &[Variable],
    ) -> Result<Vec<Action>, PlanError> {
        let key = format!("{key}.actions");
        let Some(actions) = self.section(&key, actions) else {
            return Err(self.error(place, Mismatch::new("no `actions`", "a list of what is done")));
        };
        self.actions(&key, actions, variables, ActionsOf::User)
    }

    fn set(
        &mut self,
        key: &str,
        section: &At<Entries<Written<String>>>,
        variables: &[Variable],
    ) -> Result<Vec<Set>, PlanError> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        if section.value.0.is_empty() {
            return Err(self.error(section.place, Mismatch::new("nothing to set", "a name and its value")));
        }
        let mut all = Vec::new();
        for (name, value) in &section.value.0 {
            let place = name.place;
            let name = self.read_with(name, String::read)?;
            self.remember(&format!("{key}.{name}"), value.place);
            let value = self.template_in(value, &names, false)?;
            let variable = self.kept_named(&name, place, variables)?;
            all.push(Set { variable, value });
        }
        Ok(all)
    }

    /// The variable of what a user keeps by this name.
    pub(crate) fn kept_named(
        &self,
        name: &str,
        place: Option<Place>,
        variables: &[Variable],
    ) -> Result<usize, PlanError> {
        let found = variables.iter().position(|variable| variable.name == name);
        let kept = found.filter(|found| kept_place(variables, *found) == Some(*found));
        kept.ok_or_else(|| self.error(place, Mismatch::new(quoted(name), "another name for what a user keeps")))
    }

    fn pause(&mut self, key: &str, pause: &ShortOr<Duration, PauseDocument>) -> Result<Pause, PlanError> {
        let section = match pause {
            ShortOr::Short(written) => {
                return Ok(Pause::always(self.written(key, written)?));
            }
            ShortOr::Full(section) => section,
        };
        self.remember(key, section.place);
        let pause = &section.value;
        let from = self.field(&format!("{key}.from"), &pause.from)?;
        let to = self.field(&format!("{key}.to"), &pause.to)?;
        let mean = self.field(&format!("{key}.mean"), &pause.mean)?;
        let deviation = self.field(&format!("{key}.deviation"), &pause.deviation)?;
        match (from, to, mean, deviation) {
            (Some(from), Some(to), None, None) => Ok(Pause::Between { from, to }),
            (None, None, Some(mean), None) => Ok(Pause::Exponential { mean }),
            (None, None, Some(mean), Some(deviation)) => Ok(Pause::Normal { mean, deviation }),
            _ => {
                let expected = "`from` and `to`, `mean`, or `mean` and `deviation`";
                Err(self.error(section.place, Mismatch::new("keys that make no pause", expected)))
            }
        }
    }

    fn takes(
        &mut self,
        key: &str,
        section: &Given<At<Entries<At<TakeDocument>>>>,
        variables: &[Variable],
    ) -> Result<Vec<Take>, PlanError> {
        let Some(section) = self.section(key, section) else {
            return Ok(Vec::new());
        };
        let mut takes = Vec::new();
        for (name, section) in &section.value.0 {
            let name = self.read_with(name, String::read)?;
            let key = format!("{key}.{name}");
            self.remember(&key, section.place);
            let variable = self.kept_named(&name, section.place, variables)?;
            let from = self.take_from(&key, section)?;
            takes.push(Take { variable, from });
        }
        Ok(takes)
    }

    fn take_from(&mut self, key: &str, section: &At<TakeDocument>) -> Result<TakeFrom, PlanError> {
        const EXPECTED: &str = "one of `json`, `header`, `cookie`, `between` and `regex`";
        let take = &section.value;
        if let (None, Some(group)) = (&take.regex.0, &take.group.0) {
            let mismatch = Mismatch::new("a `group` without `regex`", "the `regex` that it is of");
            return Err(self.error(group.place, mismatch));
        }
        if let (None, Some(all)) = (&take.regex.0, &take.all.0) {
            let mismatch = Mismatch::new("`all` without `regex`", "the `regex` whose matches are taken");
            return Err(self.error(
                all.place,
                mismatch.hint("in JSON all values are those of a path with `[*]`"),
            ));
        }
        match (
            &take.json.0,
            &take.header.0,
            &take.cookie.0,
            &take.between.0,
            &take.regex.0,
        ) {
            (Some(path), None, None, None, None) => Ok(TakeFrom::Json(self.written(&format!("{key}.json"), path)?)),
            (None, Some(name), None, None, None) => Ok(TakeFrom::Header(self.written(&format!("{key}.header"), name)?)),
            (None, None, Some(name), None, None) => Ok(TakeFrom::Cookie(self.written(&format!("{key}.cookie"), name)?)),
            (None, None, None, Some(between), None) => self.between(&format!("{key}.between"), between),
            (None, None, None, None, Some(pattern)) => Ok(TakeFrom::Regex {
                pattern: self.written(&format!("{key}.regex"), pattern)?,
                group: self.field(&format!("{key}.group"), &take.group)?,
                all: self.field(&format!("{key}.all"), &take.all)?.unwrap_or_default(),
            }),
            (None, None, None, None, None) => {
                Err(self.error(section.place, Mismatch::new("nothing to take it from", EXPECTED)))
            }
            _ => Err(self.error(section.place, Mismatch::new("several places to take it from", EXPECTED))),
        }
    }

    fn between(&mut self, key: &str, section: &At<BetweenDocument>) -> Result<TakeFrom, PlanError> {
        self.remember(key, section.place);
        Ok(TakeFrom::Between {
            after: self.text(&format!("{key}.after"), &section.value.after, section)?,
            before: self.text(&format!("{key}.before"), &section.value.before, section)?,
        })
    }

    /// A text of `parent` that has to be given.
    fn text<N>(&mut self, key: &str, field: &Field<String>, parent: &At<N>) -> Result<Secret, PlanError> {
        self.required(key, field, parent.place)
            .map(|text: String| Secret::new(text))
    }

    fn checks(
        &mut self,
        key: &str,
        section: &Given<At<Vec<At<CheckDocument>>>>,
        variables: &[Variable],
    ) -> Result<Vec<Check>, PlanError> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let Some(section) = self.section(key, section) else {
            return Ok(Vec::new());
        };
        self.each(key, section, "check", |reader, key, section| {
            reader.check(key, section, &names)
        })
    }

    fn check(&mut self, key: &str, section: &At<CheckDocument>, names: &[&str]) -> Result<Check, PlanError> {
        const EXPECTED: &str = "one of `json`, `header`, `body`, `lacks`, `matches`, `size` and `time`";
        let check = &section.value;
        let given = [
            check.json.0.is_some(),
            check.header.0.is_some(),
            check.body.0.is_some(),
            check.lacks.0.is_some(),
            check.matches.0.is_some(),
            check.size.0.is_some(),
            check.time.0.is_some(),
        ];
        let found = match given.iter().filter(|given| **given).count() {
            0 => Some("a check of nothing".to_owned()),
            1 if !given[0] && !given[1] => {
                let compared = ComparisonFields::from(check).given().next();
                compared.map(|(relation, _)| format!("`{}` without `json` or `header`", relation.word()))
            }
            1 => None,
            _ => Some("several checks in one".to_owned()),
        };
        if let Some(found) = found {
            return Err(self.error(section.place, Mismatch::new(found, EXPECTED)));
        }
        if let Some(path) = &check.json.0 {
            let path: JsonPath = self.written(&format!("{key}.json"), path)?;
            return Ok(Check::Json(
                path,
                self.comparison(key, check.into(), section.place, names)?,
            ));
        }
        if let Some(name) = &check.header.0 {
            let name = self.written(&format!("{key}.header"), name)?;
            return Ok(Check::Header(
                name,
                self.comparison(key, check.into(), section.place, names)?,
            ));
        }
        if let Some(text) = &check.body.0 {
            self.remember(&format!("{key}.body"), text.place);
            return Ok(Check::Body(self.template_in(text, names, false)?));
        }
        if let Some(text) = &check.lacks.0 {
            self.remember(&format!("{key}.lacks"), text.place);
            return Ok(Check::Lacks(self.template_in(text, names, false)?));
        }
        if let Some(pattern) = &check.matches.0 {
            return Ok(Check::Matches(self.written(&format!("{key}.matches"), pattern)?));
        }
        if let Some(size) = &check.size.0 {
            return self.size(&format!("{key}.size"), size);
        }
        self.required(&format!("{key}.time"), &check.time, section.place)
            .map(Check::Time)
    }

    fn size(&mut self, key: &str, section: &At<SizeDocument>) -> Result<Check, PlanError> {
        self.remember(key, section.place);
        let at_least = self.field(&format!("{key}.at least"), &section.value.at_least)?;
        let at_most = self.field(&format!("{key}.at most"), &section.value.at_most)?;
        if at_least.is_none() && at_most.is_none() {
            let mismatch = Mismatch::new("a size without bounds", "`at least`, `at most` or both, in bytes");
            return Err(self.error(section.place, mismatch));
        }
        Ok(Check::Size {
            at_least: at_least.unwrap_or(0),
            at_most: at_most.unwrap_or(u64::MAX),
        })
    }
}
