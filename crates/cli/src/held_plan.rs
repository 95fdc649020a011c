//! What commands that need a rate make of a plan that searches connections which are held.

use crate::exit::Failure;
use plimsoll_plan::{Arrivals, Load, Objective, OpenLoad, PlanDraft, Rate, SearchUnit};
use std::time::Duration;

/// Takes out of a plan what it searches, for a command that offers a load of its own. Connections that a search would hold are none.
pub(crate) fn searches_nothing(plan: &mut PlanDraft) {
    plan.search = plan.search.in_unit(SearchUnit::Rate);
}

/// What is diagnosed is a share of the rate at the line, or this rate for so long.
pub(crate) fn diagnosed_at(plan: &mut PlanDraft, rate: Option<Rate>, pass: Duration) -> Result<(), Failure> {
    if plan.search.unit == SearchUnit::Connections && rate.is_none() {
        return Err(
            Failure::bad_plan("the plan searches connections that are held, but a diagnosis needs requests")
                .hint("set their rate with -R, or give a plan whose requests have responses; what connections cost, `plimsoll run` of the plan says"),
        );
    }
    searches_nothing(plan);
    if let (Some(rate), Load::Hold(_)) = (rate, &plan.load) {
        plan.load = Load::Open(OpenLoad::constant(rate, pass, Arrivals::default()));
        if plan.objectives.is_empty() {
            plan.objectives = Objective::defaults(&plan.target);
        }
    }
    Ok(())
}
