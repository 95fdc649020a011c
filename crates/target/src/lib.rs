//! The service under test: started, pinned, watched and stopped.
//!
//! This crate knows processes, and the files in which Linux describes them. It does not know load: not how
//! requests are made, nor what the samples are used for. Where there is no `/proc` it compiles, starts and stops
//! services, and has no samples.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

mod attached;
mod bounded;
mod call_frame;
mod container;
mod cpuprofile;
mod cpus;
mod descriptors;
mod error;
mod family;
mod file_url;
mod health;
mod heapprofile;
pub mod host;
mod inspector;
mod instances;
mod limits;
mod machine;
mod namespace;
mod neighbour;
mod output;
mod ownership;
mod port;
mod probe;
mod process;
mod program;
mod program_error;
mod ready;
mod sampler;
mod scratch;
mod secured;
mod service;
mod silence;
mod sources;
mod spoken;
mod started;
pub mod supervisor;
mod sys;
mod terminal;
mod unix_diag;
mod unix_socket;

pub use attached::Attached;
pub use container::NoContainer;
pub use cpuprofile::{CpuProfileError, read_cpuprofile, read_cpuprofile_after};
pub use cpus::{
    CpuLayout, NoSuchCores, available_cpus, check_generator_cpus, check_neighbour_cpus, check_target_cpus, cpu_layout,
};
pub use error::{AttachError, NotListening, StartError, hint_on_refusal};
pub use family::end_all;
pub use health::Found;
pub use heapprofile::{HeapProfileError, grown_heapprofile, read_heapprofile};
pub use inspector::{Inspected, Inspector, InspectorError};
pub use limits::{HeapMisfit, Limited, NoLimits, check_limits, heap_misfit};
pub use machine::sample_machine;
pub use neighbour::{Neighbour, NeighbourError, ToStart};
pub use ownership::{Endpoint, Foreign, Ownership};
pub use port::Owner;
pub use probe::{Probe, ProbeEvent, ProbeLosses, ProbeMode, Removal, reads_probe_line};
pub use program::{Beside, Captured, Kept, Program, run_captured};
pub use program_error::ProgramError;
pub use scratch::Scratch;
pub use service::Service;
pub use sources::{Origins, Sources, reads_source_map};
pub use spoken::Spoken;
pub use supervisor::wire::BROKER_VARIABLE;
pub use unix_socket::{SocketError, SocketFault, check_socket};

use plimsoll_measure::{InstancesSample, TargetSample};
use plimsoll_plan::{Address, KnownSecrets};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A service under test that can be watched.
#[derive(Debug)]
pub enum Target {
    /// Started here, and ended with the run.
    Service(Box<Service>),
    /// Runs already, and goes on afterwards.
    Attached(Box<Attached>),
}

impl Target {
    /// See [`Service::sample`].
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        match self {
            Self::Service(service) => service.sample(at_ns),
            Self::Attached(attached) => attached.sample(at_ns),
        }
    }

    /// See [`Service::instances`].
    #[must_use]
    pub fn instances(&self, at_ns: u64) -> Option<InstancesSample> {
        match self {
            Self::Service(service) => service.instances(at_ns),
            Self::Attached(attached) => attached.instances(at_ns),
        }
    }

    /// See [`Service::tell_instances`].
    pub fn tell_instances(&mut self) {
        if let Self::Service(service) = self {
            service.tell_instances();
        }
    }

    /// See [`Service::arrange_threads`].
    pub fn arrange_threads(&mut self, beside: &[u32]) {
        if let Self::Service(service) = self {
            service.arrange_threads(beside);
        }
    }

    /// See [`Service::hide`].
    pub fn hide(&mut self, hidden: &KnownSecrets) {
        if let Self::Service(service) = self {
            service.hide(hidden);
        }
    }

    /// Where it gets its connections.
    #[must_use]
    pub const fn address(&self) -> &Address {
        match self {
            Self::Service(service) => service.address(),
            Self::Attached(attached) => attached.address(),
        }
    }

    /// Connections will go to these ports of its host as well.
    pub fn extend_to(&mut self, ports: &[u16]) {
        match self {
            Self::Service(service) => service.extend_to(ports),
            Self::Attached(attached) => attached.extend_to(ports),
        }
    }

    /// Who gets the connections to its addresses. Cheap enough to ask every tick, as long as that is the service.
    pub fn ownership(&mut self) -> Ownership {
        match self {
            Self::Service(service) => service.ownership(),
            Self::Attached(attached) => attached.ownership(),
        }
    }

    /// See [`Service::why_no_probe`].
    pub fn why_no_probe(&mut self) -> Option<(String, String)> {
        match self {
            Self::Service(service) => service.why_no_probe(),
            Self::Attached(_) => None,
        }
    }

    /// See [`Service::why_samples_are_late`].
    #[must_use]
    pub fn why_samples_are_late(&self) -> Option<(String, String)> {
        match self {
            Self::Service(service) => service.why_samples_are_late(),
            Self::Attached(_) => None,
        }
    }

    /// Opens the inspector of the busiest of its processes; after `closes_after` that closes it again, whatever becomes of us.
    ///
    /// # Errors
    /// [`InspectorError`].
    pub fn inspect(&mut self, closes_after: Duration) -> Result<Inspector, InspectorError> {
        match self {
            Self::Service(service) => Inspector::open(&service.members(), closes_after),
            Self::Attached(attached) => Inspector::open(&attached.members(), closes_after),
        }
    }

    /// Whether it has ended by itself. Cheap enough to ask every tick.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        match self {
            Self::Service(service) => service.exited(),
            Self::Attached(attached) => attached.exited(),
        }
    }

    /// Ends what was started here, more quickly from the moment on that `interrupted` is set; leaves alone what ran before.
    pub fn stop(self, interrupted: &AtomicBool) -> StopReport {
        match self {
            Self::Service(service) => service.stop(interrupted),
            Self::Attached(_) => StopReport::left_running(),
        }
    }
}

/// How a service ended that was not asked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitReport {
    /// For instance `exited with status 1` or `was killed by SIGSEGV`.
    pub status: String,
    /// The kernel ended a process of it because memory ran out.
    pub out_of_memory: bool,
    /// Its last lines of output, at most 20; empty when they did not go to a file.
    pub last_lines: Vec<String>,
}

impl ExitReport {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = "give the service more with `target.limits.memory`, or find what holds the memory, such as a heap that may grow \
                    beyond it (--max-old-space-size)";
        self.out_of_memory.then(|| hint.to_owned())
    }
}

impl fmt::Display for ExitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.status)?;
        self.last_lines.iter().try_for_each(|line| write!(f, "\n  | {line}"))
    }
}

/// How a service was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopReport {
    /// What it took.
    pub ended: Ended,
    /// How its first process ended, as in [`ExitReport`].
    pub status: Option<String>,
    /// Names and pids of the processes that had to be killed.
    pub killed: Vec<String>,
    /// Why a part of its output was not kept, one sentence.
    pub output_loss: Option<String>,
}

impl StopReport {
    const fn left_running() -> Self {
        Self {
            ended: Ended::LeftRunning,
            status: None,
            killed: Vec::new(),
            output_loss: None,
        }
    }
}

/// What it took to stop a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing: it had ended before.
    ByItself,
    /// SIGTERM.
    Terminated,
    /// SIGKILL, after the grace period.
    Killed,
    /// It was not ours to stop.
    LeftRunning,
}
