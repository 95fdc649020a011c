//! The parts of a plan.

use crate::plan::connections::Connections;
use crate::plan::fleet::FleetPlan;
use crate::plan::judging::Judging;
use crate::plan::limit::Limit;
use crate::plan::load::Load;
use crate::plan::objective::Objective;
use crate::plan::scenario::Scenario;
use crate::plan::search::{Search, SearchUnit};
use crate::plan::sizing::Sizing;
use crate::plan::target::Target;

/// The most bytes that all bodies of a plan have together.
pub(crate) const MOST_BODIES_BYTES: usize = 16 << 20;

/// The parts of a plan, which may not fit together yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanDraft {
    /// What the plan is called in reports.
    pub name: String,
    /// The service under test.
    pub target: Target,
    /// What must hold, most important first.
    pub objectives: Vec<Objective>,
    /// How windows are judged.
    pub judging: Judging,
    /// What is sent.
    pub scenario: Scenario,
    /// When it is sent. `capacity` replaces it by the steps of its search.
    pub load: Load,
    /// Bounds of the capacity search.
    pub search: Search,
    /// What is asked about the number of instances that a demand needs.
    pub sizing: Sizing,
    /// The machines that make the load; `None` is this one.
    pub fleet: Option<FleetPlan>,
    /// How connections are used.
    pub connections: Connections,
    /// Seed of every random choice in the run.
    pub seed: u64,
}

impl PlanDraft {
    /// A search in connections asks that every one is held, whatever else is asked for: what a service refuses is not judged by
    /// what those meet that it lets in.
    pub fn complete_search(&mut self) {
        if self.search.unit != SearchUnit::Connections || !matches!(self.load, Load::Hold(_)) {
            return;
        }
        let defaults = Objective::defaults_of_held(&self.target, self.scenario.repeated().is_some());
        let is_held = |objective: &Objective| matches!(objective.limit, Limit::Held { .. });
        if self.objectives.is_empty() {
            self.objectives = defaults;
        } else if !self.objectives.iter().any(is_held) {
            self.objectives.extend(defaults.into_iter().filter(is_held));
        }
    }
}
