//! Variants of which the plans are not complete yet.

use crate::args::ServiceArgs;
use crate::exit::Failure;
use plimsoll_lab::{Revision, VariantPlan};
use plimsoll_plan::{PlanDraft, Shown};
use plimsoll_target::Removal;

/// A variant of which the plan is not complete yet.
pub(crate) struct VariantDraft {
    pub(crate) name: String,
    pub(crate) what: Shown,
    pub(crate) plan: PlanDraft,
    pub(crate) revision: Option<Revision>,
    pub(crate) without: Option<Vec<Removal>>,
}

/// Drafts to variants, once nothing changes in them any more.
pub(crate) fn valid(drafts: Vec<VariantDraft>, service: &ServiceArgs) -> Result<Vec<VariantPlan>, Failure> {
    let valid = |mut draft: VariantDraft| {
        if let (Some(stdout), Some(command)) = (service.stdout, &mut draft.plan.target.command) {
            command.stdout = stdout.into();
        }
        Ok(VariantPlan {
            name: draft.name,
            what: draft.what,
            plan: draft.plan.validate()?,
            revision: draft.revision,
            without: draft.without,
        })
    };
    drafts.into_iter().map(valid).collect()
}
