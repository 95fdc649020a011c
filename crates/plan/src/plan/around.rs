//! What is done once before the load and once after it, as plans of their own, and the plan that knows what came of it.

use crate::notation::error::PlanError;
use crate::plan::action::Action;
use crate::plan::journey::Journey;
use crate::plan::scenario::Scenario;
use crate::plan::variable::Values;
use crate::secrets::Secret;
use crate::{ClosedLoad, Load, Objective, Plan};
use std::time::Duration;

impl Plan {
    /// What one user does before the load; `None` where that is nothing.
    ///
    /// # Errors
    /// When it breaks a rule by itself, which it does not where the plan is valid.
    pub fn before(&self) -> Result<Option<Self>, PlanError> {
        self.alone("before", &self.scenario().before)
    }

    /// What one user does after the load, in the same way.
    ///
    /// # Errors
    /// As [`Self::before`].
    pub fn after(&self) -> Result<Option<Self>, PlanError> {
        self.alone("after", &self.scenario().after)
    }

    fn alone(&self, name: &str, actions: &[Action]) -> Result<Option<Self>, PlanError> {
        if actions.is_empty() {
            return Ok(None);
        }
        let journey = Journey {
            name: name.to_owned(),
            weight: 1,
            actions: actions.to_vec(),
        };
        let plan = self.with(|draft| {
            draft.scenario = Scenario {
                variables: std::mem::take(&mut draft.scenario.variables),
                journeys: vec![journey],
                ..Scenario::default()
            };
            draft.load = Load::Closed(ClosedLoad {
                connections: 1,
                duration: None,
                requests: Some(1),
                think_time: Duration::ZERO,
                pacing: Duration::ZERO,
                ramp: Duration::ZERO,
                stages: Vec::new(),
            });
            draft.objectives = Objective::defaults(&draft.target);
            draft.connections.pipelining = 1;
        });
        plan.map(Some)
    }

    /// The same plan after what is done before its load left these values, each at the place of its variable. Nothing of them may be shown.
    ///
    /// # Errors
    /// When one of them cannot be sent where it is to stand.
    pub fn given(&self, values: &[Option<Box<[u8]>>]) -> Result<Self, PlanError> {
        let only = |text: &str| Values::List(vec![Secret::sealed(text)]);
        self.with(|draft| {
            draft.scenario.before.clear();
            for (place, value) in values.iter().enumerate() {
                let Some([variable, in_json, ..]) = draft.scenario.variables.get_mut(place..) else {
                    break;
                };
                let (Some(value), true) = (value, variable.values.has_json_behind()) else {
                    continue;
                };
                let text = String::from_utf8_lossy(value);
                let quoted = serde_json::Value::from(&*text).to_string();
                variable.values = only(&text);
                in_json.values = only(&quoted[1..quoted.len() - 1]);
            }
        })
    }
}
