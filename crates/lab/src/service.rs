//! The service of a run, from its start to its end.

use crate::error::LabError;
use crate::journal::Journal;
use plimsoll_engine::Connector;
use plimsoll_findings::Event;
use plimsoll_measure::{NoteKind, TargetSample};
use plimsoll_plan::{KnownSecrets, Limit, Objective, Plan};
use plimsoll_target::{Attached, HeapMisfit, Ownership, Probe, Service, Spoken, StartError, Target, heap_misfit};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Starts the service of the plan, or looks at the one that runs already.
pub(crate) fn start_target(
    plan: &Plan,
    tls: Option<&Connector>,
    cpus: &[usize],
    output: &Path,
    probe: Option<&Probe>,
    stop: &AtomicBool,
    journal: &mut Journal<'_>,
) -> Result<Option<Target>, LabError> {
    let target = plan.target();
    let Some(command) = &target.command else {
        return match &target.running {
            Some(running) => {
                let mut attached = Target::Attached(Box::new(Attached::to(running, target)?));
                check_quota(plan, attached.sample(0))?;
                note_unseen(&mut attached, journal);
                Ok(Some(attached))
            }
            None => Ok(None),
        };
    };
    if let Some(misfit) = heap_misfit(command, std::env::var("NODE_OPTIONS").ok().as_deref()) {
        note_misfit(misfit, journal);
    }
    journal.emit(Event::ServiceStarting {
        command: command.shown().as_str(),
    });
    let command = &match probe {
        Some(probe) => probe.put_into(command).map_err(LabError::Probe)?,
        None => command.clone(),
    };
    // What is done to find it ready is not to spare the load its first handshakes.
    let tls = tls.map(Connector::apart);
    let spoken = Spoken {
        destination: target.into(),
        http: target.http,
        tls: tls.as_ref(),
    };
    let hidden = KnownSecrets::of(plan);
    let mut started = Service::start(command, spoken, cpus, output, &hidden, stop);
    // Cores that the plan names are a condition of the measurement; our own choice is not.
    if let Err(error @ StartError::Pin { .. }) = &started
        && target.cpus.is_empty()
    {
        journal.note(
            0,
            NoteKind::Warning,
            format!("failed to {error}; it runs unpinned"),
            error.hint(),
        );
        started = Service::start(command, spoken, &[], output, &hidden, stop);
    }
    let mut service = Target::Service(Box::new(started?));
    check_quota(plan, service.sample(0))?;
    journal.emit(Event::ServiceReady);
    note_unseen(&mut service, journal);
    Ok(Some(service))
}

/// Without a quota nothing is throttled, and a run that says so says nothing.
pub(crate) fn check_quota(plan: &Plan, sample: Option<TargetSample>) -> Result<(), LabError> {
    let is_of_quota = |objective: &Objective| matches!(objective.limit, Limit::Throttled { .. });
    if !plan.objectives().iter().any(is_of_quota) {
        return Ok(());
    }
    let has_quota = |sample: TargetSample| sample.group.is_some_and(|group| group.cpu_millicores.is_some());
    match sample.is_none_or(has_quota) {
        true => Ok(()),
        false => Err(LabError::Plan(
            "found an objective about throttled time, and a service that no quota of CPU time bounds; expected `target.limits.cpu`, \
             --cpu-limit, or a container that has one"
                .to_owned(),
        )),
    }
}

/// The kernel may end the service for a heap that V8 was told it may have.
fn note_misfit(misfit: HeapMisfit, journal: &mut Journal<'_>) {
    let HeapMisfit { heap, limit } = misfit;
    let message =
        format!("the heap of Node.js may grow to {heap} (--max-old-space-size), and the memory limit is {limit}");
    let hint = "leave a fifth of the limit to what is not in that heap, or leave the flag out: Node.js looks at the limit itself";
    journal.note(0, NoteKind::Warning, message, Some(hint.to_owned()));
}

/// Says so where nothing shows that the figures will be those of the service.
fn note_unseen(target: &mut Target, journal: &mut Journal<'_>) {
    if let Ownership::Unseen(why) = target.ownership() {
        let place = target.address().place();
        let message = format!("could not check which process owns {place}: {why}");
        let hint = "make sure that only the service listens there".to_owned();
        journal.note(0, NoteKind::Warning, message, Some(hint));
    }
}

/// Stops it; notes say what it left undone.
pub(crate) fn stop_target(target: Target, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
    let report = target.stop(stop);
    if !report.killed.is_empty() {
        let message = format!(
            "the service did not end within its grace period and was killed: {}",
            report.killed.join(", ")
        );
        let hint = Some("handle SIGTERM, or raise `stop_grace`".to_owned());
        journal.note(at_ns, NoteKind::Warning, message, hint);
    }
    if let Some(message) = report.output_loss {
        journal.note(at_ns, NoteKind::Warning, message, None);
    }
}
