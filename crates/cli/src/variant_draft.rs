//! Variants of which the plans are not complete yet.

use crate::args::{GeneratorArgs, LimitArgs, PlanArgs, ServiceArgs};
use crate::exit::Failure;
use crate::plan_source::{generator, limits, named};
use plimsoll_lab::{Revision, VariantPlan};
use plimsoll_plan::{Command, PlanDraft, Shown};
use plimsoll_target::Removal;

/// A variant of which the plan is not complete yet.
pub(crate) struct VariantDraft {
    pub(crate) name: String,
    pub(crate) what: Shown,
    pub(crate) plan: PlanDraft,
    pub(crate) revision: Option<Revision>,
    pub(crate) without: Option<Vec<Removal>>,
}

impl VariantDraft {
    /// The service as the plan has it.
    pub(crate) fn of(name: &str, plan: &PlanDraft) -> Self {
        Self {
            name: name.to_owned(),
            what: plan.target.command.as_ref().map(Command::shown).unwrap_or_default(),
            plan: plan.clone(),
            revision: None,
            without: None,
        }
    }
}

/// The plan that variants begin from. Where nothing is started before a variant says how, there is no output to send anywhere and nothing to limit yet: that
/// comes with [`valid`].
pub(crate) fn base(args: PlanArgs, generated_by: &GeneratorArgs) -> Result<PlanDraft, Failure> {
    let mut plan = named(&PlanArgs {
        service: ServiceArgs {
            stdout: None,
            limits: LimitArgs::default(),
            ..args.service
        },
        ..args
    })?;
    generator(&mut plan, generated_by);
    Ok(plan)
}

/// What is measured with `option` has to be started here.
pub(crate) fn must_be_started(option: &str, plan: &PlanDraft) -> Result<(), Failure> {
    match plan.target.command {
        Some(_) => Ok(()),
        None => Err(
            Failure::bad_plan(format!("{option} needs a service that plimsoll starts"))
                .hint("give its command after `--`, or as `command` in the plan"),
        ),
    }
}

/// Drafts to variants, once nothing changes in them any more.
pub(crate) fn valid(drafts: Vec<VariantDraft>, service: &ServiceArgs) -> Result<Vec<VariantPlan>, Failure> {
    let valid = |mut draft: VariantDraft| {
        if let (Some(stdout), Some(command)) = (service.stdout, &mut draft.plan.target.command) {
            command.stdout = stdout.into();
        }
        limits(&mut draft.plan.target, &service.limits)?;
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
