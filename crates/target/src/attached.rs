//! A service that runs already and is only watched.

use crate::ExitReport;
use crate::container::{self, Contained};
use crate::error::{AttachError, NotListening};
use crate::namespace;
use crate::ownership::{Claim, Ownership, endpoints};
use crate::process::{Process, Tree};
use crate::ready::{self, Look, Looker};
use crate::sampler::Sampler;
use crate::spoken::Spoken;
use plimsoll_measure::{InstancesSample, TargetSample};
use plimsoll_plan::{Address, Container, Destination, Running};
use std::path::Path;
use std::time::Instant;

/// A process that was not started here, and its descendants.
#[derive(Debug)]
pub struct Attached {
    process: Process,
    sampler: Sampler,
    /// Of the address at which it listens.
    claim: Claim,
}

impl Attached {
    /// Watches what runs already, and listens at the `destination` itself or through one of its processes.
    ///
    /// # Errors
    /// When there is no such process or container, no way to see it, or when it is not the one that listens there.
    pub fn to<'a>(running: &Running, destination: impl Into<Destination<'a>>) -> Result<Self, AttachError> {
        match running {
            Running::Process(pid) => Self::pid(*pid, destination),
            Running::Container(container) => Self::container(container, destination),
            Running::Hosted(hosted) => Err(AttachError::Elsewhere(hosted.service.to_string())),
        }
    }

    /// Watches process `pid` and its descendants.
    ///
    /// # Errors
    /// See [`Attached::to`].
    pub fn pid<'a>(pid: u32, destination: impl Into<Destination<'a>>) -> Result<Self, AttachError> {
        let watched = format!("process {pid}");
        if !has_proc() {
            return Err(AttachError::NoProc(watched));
        }
        let process = Process::read(pid)
            .filter(|process| !process.zombie)
            .ok_or(AttachError::NoProcess(pid))?;
        let tree = Tree::new(process.id, None);
        Self::at(destination.into(), process, tree, watched)
    }

    /// Watches whatever runs in a container.
    fn container<'a>(container: &Container, destination: impl Into<Destination<'a>>) -> Result<Self, AttachError> {
        let watched = format!("container {container}");
        if !has_proc() {
            return Err(AttachError::NoProc(watched));
        }
        let Contained { main, group } = container::find(container)?;
        let tree = Tree::contained(main.id, group);
        Self::at(destination.into(), main, tree, watched)
    }

    fn at(destination: Destination<'_>, process: Process, tree: Tree, watched: String) -> Result<Self, AttachError> {
        let url = destination.url;
        let addresses = ready::resolve(destination).map_err(|error| AttachError::Resolve {
            host: error.host,
            found: error.source.to_string(),
        })?;
        let mut sampler = Sampler::new(tree, process.id.pid);
        let mut looker = Looker::new(Spoken::plainly(url), &addresses, None, Instant::now());
        match looker.look(|| sampler.alive(), || true) {
            Look::Ready(claim) => Ok(Self {
                process,
                sampler,
                claim,
            }),
            Look::Foreign(foreign) => Err(AttachError::Foreign {
                watched,
                foreign: Box::new(foreign),
            }),
            Look::NotYet => Err(AttachError::NotListening(Box::new(NotListening {
                watched,
                place: addresses[0].clone(),
                authority: url.authority(),
                found: looker.into_found(),
                listens_on: endpoints(&sampler.alive()),
                addresses: namespace::addresses(process.id.pid),
            }))),
        }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> &Address {
        self.claim.address()
    }

    pub(crate) fn extend_to(&mut self, ports: &[u16]) {
        self.claim.extend_to(ports);
    }

    /// See [`Target::ownership`](crate::Target::ownership).
    pub fn ownership(&mut self) -> Ownership {
        let Self { claim, sampler, .. } = self;
        claim.look(|| sampler.alive())
    }

    /// Its living processes.
    pub(crate) fn members(&mut self) -> Vec<Process> {
        self.sampler.alive()
    }

    /// See [`Service::sample`](crate::Service::sample).
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.sampler.sample(at_ns)
    }

    /// See [`Service::instances`](crate::Service::instances).
    #[must_use]
    pub fn instances(&self, at_ns: u64) -> Option<InstancesSample> {
        self.sampler.instances(at_ns)
    }

    /// Whether the process has ended; how, only its parent learns.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        let runs = Process::read(self.process.id.pid).is_some_and(|found| found.id == self.process.id && !found.zombie);
        (!runs).then(|| ExitReport {
            status: format!("is gone: {}", self.process),
            out_of_memory: false,
            last_lines: Vec::new(),
        })
    }
}

fn has_proc() -> bool {
    Path::new("/proc/self/stat").exists()
}
