//! A look at the service before anything is measured: whether it has what is to be left out of it. The probe knows as soon as
//! the service listens.

use crate::error::LabError;
use crate::experiment::Options;
use crate::generator::Division;
use crate::journal::Journal;
use crate::run_info::run_info;
use crate::secured;
use crate::service::{start_target, stop_target};
use crate::watch::Watch;
use plimsoll_analysis::Fold;
use plimsoll_findings::Event;
use plimsoll_measure::RunKind;
use plimsoll_plan::Plan;
use plimsoll_target::{Probe, ProbeMode, Removal, Sources, StartError, Target};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Starts the service, and stops it once everything is found that goes by a name of the service's own.
///
/// # Errors
/// When the service does not start, or has none of that name, or it is never left out.
pub(crate) fn look(
    plan: &Plan,
    removals: &[Removal],
    options: &Options,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
    let named: Vec<Removal> = removals
        .iter()
        .filter(|removal| matches!(removal, Removal::Middleware(_)))
        .cloned()
        .collect();
    let Some(first) = named.first() else {
        return Ok(());
    };
    on_event(Event::Preparing {
        what: &format!("looking for {first} in the service"),
    });
    let division = Division::new(&options.generator, plan, RunKind::Run)?;
    let probe = Probe::listen(ProbeMode::Without(named.clone())).map_err(LabError::Probe)?;
    let fold = Fold::new(plan, &run_info(plan, RunKind::Run), &division.host());
    let mut journal = Journal::new(None, fold, on_event);
    let output = Path::new("/dev/null");
    let tls = secured::connector(plan)?;
    let mut target = start_target(
        plan,
        tls.as_ref(),
        &division.target_cpus,
        output,
        Some(&probe),
        stop,
        &mut journal,
    )?;
    let mut watch = Watch::new(probe, Sources::default(), stop);
    let mut found = watch.look(&named, &mut journal);
    if watch.heard_nobody()
        && let Some((why, hint)) = target.as_mut().and_then(Target::why_no_probe)
    {
        found = Err(LabError::Removal {
            name: first.to_string(),
            found: why,
            hint: Some(hint),
        });
    }
    if let Some(target) = target {
        stop_target(target, 0, stop, &mut journal);
    }
    match stop.load(Ordering::Relaxed) {
        true => Err(StartError::Cancelled.into()),
        false => found,
    }
}
