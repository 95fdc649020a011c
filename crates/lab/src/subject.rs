//! What is measured: the service, wherever it is, with its neighbours and what watches it.

use crate::error::LabError;
use crate::fleet::There;
use crate::here::Here;
use crate::journal::Journal;
use crate::trouble::Trouble;
use plimsoll_measure::TargetSample;
use plimsoll_plan::KnownSecrets;
use std::sync::atomic::AtomicBool;

/// What is measured. See [`Here`] for what each of these does.
pub(crate) enum Subject<'a> {
    /// On this machine, or nothing is known of it but its address.
    Here(Box<Here<'a>>),
    /// On others, whose target agents do with it what is done here with one.
    There(Box<There>),
}

impl<'a> Subject<'a> {
    /// The service, where it is on this machine.
    pub(crate) fn here(&mut self) -> Option<&mut Here<'a>> {
        match self {
            Self::Here(here) => Some(here),
            Self::There(_) => None,
        }
    }

    pub(crate) fn prepare(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        match self {
            Self::Here(here) => here.prepare(at_ns, journal),
            Self::There(there) => there.prepare(journal),
        }
    }

    /// After a tick: keeps what was said since the last one, and takes a sample.
    pub(crate) fn tick(&mut self, at_ns: u64, is_judged: bool, journal: &mut Journal<'_>) -> Option<TargetSample> {
        match self {
            Self::Here(here) => {
                here.tick(at_ns, is_judged, journal);
                here.sample(at_ns)
            }
            Self::There(there) => there.tick(is_judged, journal),
        }
    }

    pub(crate) fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        match self {
            Self::Here(here) => here.sample(at_ns),
            Self::There(there) => there.sample(),
        }
    }

    pub(crate) fn record_instances(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        match self {
            Self::Here(here) => here.record_instances(at_ns, journal),
            Self::There(there) => there.record_instances(journal),
        }
    }

    pub(crate) fn record_neighbours(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        match self {
            Self::Here(here) => here.record_neighbours(at_ns, journal),
            Self::There(there) => there.record_neighbours(journal),
        }
    }

    pub(crate) fn trouble(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        match self {
            Self::Here(here) => here.trouble(at_ns, journal),
            Self::There(there) => there.trouble(at_ns, journal),
        }
    }

    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        match self {
            Self::Here(here) => here.end(at_ns, journal),
            Self::There(there) => there.end(journal),
        }
    }

    pub(crate) fn check_port(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        match self {
            Self::Here(here) => here.check_port(at_ns, journal),
            Self::There(there) => there.check_port(at_ns, journal),
        }
    }

    pub(crate) fn is_there(&self) -> bool {
        match self {
            Self::Here(here) => here.is_there(),
            Self::There(there) => there.is_there(),
        }
    }

    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        match self {
            Self::Here(here) => here.hide(hidden),
            Self::There(there) => there.hide(hidden),
        }
    }

    pub(crate) fn check_removals(&self) -> Result<(), LabError> {
        match self {
            Self::Here(here) => here.check_removals(),
            Self::There(_) => Ok(()),
        }
    }

    pub(crate) fn stop(&mut self, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
        match self {
            Self::Here(here) => here.stop(at_ns, stop, journal),
            Self::There(there) => there.stop(stop, journal),
        }
    }
}
