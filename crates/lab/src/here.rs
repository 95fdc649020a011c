//! The service on this machine, with its neighbours and what watches it.

use crate::error::LabError;
use crate::inspection::Inspection;
use crate::journal::Journal;
use crate::neighbours::Neighbours;
use crate::service::stop_target;
use crate::trouble::Trouble;
use crate::watch::Watch;
use plimsoll_measure::{NoteKind, Record, TargetSample};
use plimsoll_plan::KnownSecrets;
use plimsoll_target::{Ownership, Target};
use std::sync::atomic::AtomicBool;

/// What is measured, where it is on this machine.
#[derive(Default)]
pub(crate) struct Here<'a> {
    /// `None` where nothing of it is known but its address.
    pub(crate) target: Option<Target>,
    /// Dropped after the service, which needs them until its end.
    pub(crate) neighbours: Neighbours,
    /// What listens to the probe, in a pass that has one.
    pub(crate) watch: Option<Watch<'a>>,
    /// What profiles a service that runs already, in the pass that does.
    pub(crate) inspection: Option<Inspection>,
}

impl Here<'_> {
    /// Before a load: whatever watches the service begins to.
    pub(crate) fn prepare(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        if let Some(watch) = &mut self.watch {
            watch.prepare(at_ns, journal);
        }
        self.arrange_threads();
        if let Some(inspection) = &mut self.inspection {
            inspection.prepare(self.target.as_mut(), at_ns, journal);
        }
    }

    /// After a tick, which counts or warms up: keeps what was said of the service since the last one.
    pub(crate) fn tick(&mut self, at_ns: u64, is_judged: bool, journal: &mut Journal<'_>) {
        if let Some(inspection) = &mut self.inspection {
            inspection.tick(at_ns, is_judged, journal);
        }
        if let Some(watch) = &mut self.watch {
            watch.tick(at_ns, is_judged, journal);
        }
        self.arrange_threads();
    }

    pub(crate) fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.target.as_mut()?.sample(at_ns)
    }

    /// Records its instances as they were sampled then, where there are several.
    pub(crate) fn record_instances(&self, at_ns: u64, journal: &mut Journal<'_>) {
        let instances = self.target.as_ref().and_then(|target| target.instances(at_ns));
        if let Some(instances) = instances {
            journal.push(&Record::Instances(instances));
        }
    }

    pub(crate) fn record_neighbours(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        self.neighbours.record(at_ns, journal);
    }

    /// Whether anything has gone wrong that ends the step; a note says what.
    pub(crate) fn trouble(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        if let Some(report) = self.target.as_ref().and_then(Target::exited) {
            let message = format!("the service ended during the run: it {report}");
            let kind = match report.out_of_memory {
                true => NoteKind::OutOfMemory,
                false => NoteKind::TargetDied,
            };
            journal.note(at_ns, kind, message, report.hint());
            return Some(Trouble::TargetDied);
        }
        if let Some((name, report)) = self.neighbours.exited() {
            let message = format!("neighbour {name} ended during the run: it {report}");
            let hint = format!("see its output in beside-{name}.log");
            journal.note(at_ns, NoteKind::NeighbourDied, message, Some(hint));
            return Some(Trouble::NeighbourDied);
        }
        self.port_is_taken(at_ns, journal)
    }

    /// After the last load: what watches the service ends, and hands over what it has.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        if let Some(watch) = &mut self.watch {
            watch.end(at_ns, journal);
            if watch.heard_nobody()
                && let Some((message, hint)) = self.target.as_mut().and_then(Target::why_no_probe)
            {
                journal.note(at_ns, NoteKind::Warning, message, Some(hint));
            }
            if let Some((message, hint)) = self.target.as_ref().and_then(Target::why_samples_are_late) {
                journal.note(at_ns, NoteKind::Warning, message, Some(hint));
            }
        }
        if let Some(inspection) = &mut self.inspection {
            inspection.end(at_ns, journal);
        }
    }

    /// After a load that came to its end: whether the service still listens, and nobody else does.
    pub(crate) fn check_port(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        let taken = self.port_is_taken(at_ns, journal);
        if let Some(target) = &mut self.target
            && target.exited().is_none()
            && target.ownership() == Ownership::Nobody
        {
            let message = format!(
                "nothing listens on {} any more, although the service is running",
                target.address().place()
            );
            let hint = "a wrapper such as npm may outlive the service; see the output of the service".to_owned();
            journal.note(at_ns, NoteKind::Warning, message, Some(hint));
        }
        taken
    }

    /// Whether it has not ended, as far as anything is known of it.
    pub(crate) fn is_there(&self) -> bool {
        self.target.as_ref().is_none_or(|target| target.exited().is_none())
    }

    /// What is told of it is without this from now on.
    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        self.neighbours.hide(hidden);
        if let Some(target) = &mut self.target {
            target.hide(hidden);
        }
    }

    /// Whether everything was left out of it that was to be.
    pub(crate) fn check_removals(&self) -> Result<(), LabError> {
        self.watch.as_ref().map_or(Ok(()), Watch::check_removals)
    }

    /// Ends what was started, the service first; notes say what that left undone.
    pub(crate) fn stop(&mut self, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
        if let Some(target) = self.target.take() {
            stop_target(target, at_ns, stop, journal);
        }
        std::mem::take(&mut self.neighbours).stop(at_ns, stop, journal);
    }

    /// Whether figures may be those of a stranger; a note says whose.
    fn port_is_taken(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        let Some(Ownership::Foreign(foreign)) = self.target.as_mut().map(Target::ownership) else {
            return None;
        };
        let hint = foreign.hint();
        journal.note(at_ns, NoteKind::PortTaken, foreign.to_string(), Some(hint));
        Some(Trouble::PortTaken)
    }

    /// Of processes that have begun a profile since the last time.
    fn arrange_threads(&mut self) {
        if let (Some(watch), Some(target)) = (&mut self.watch, &mut self.target)
            && let Some(beside) = watch.take_started()
        {
            target.arrange_threads(&beside);
        }
    }
}
