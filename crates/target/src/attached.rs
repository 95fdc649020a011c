//! A service that runs already and is only watched.

use crate::ExitReport;
use crate::error::AttachError;
use crate::process::Process;
use crate::sampler::Sampler;
use plimsoll_measure::TargetSample;
use std::path::Path;

/// A process that was not started here, and its descendants.
#[derive(Debug)]
pub struct Attached {
    process: Process,
    sampler: Sampler,
}

impl Attached {
    /// Watches process `pid`.
    ///
    /// # Errors
    /// When there is no such process, or no way to see it.
    pub fn pid(pid: u32) -> Result<Self, AttachError> {
        if !Path::new("/proc/self/stat").exists() {
            return Err(AttachError::NoProc(pid));
        }
        let process = Process::read(pid)
            .filter(|process| !process.zombie)
            .ok_or(AttachError::NoProcess(pid))?;
        Ok(Self {
            sampler: Sampler::new(process.id, None),
            process,
        })
    }

    /// See [`Service::sample`](crate::Service::sample).
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.sampler.sample(at_ns)
    }

    /// Whether the process has ended; how, only its parent learns.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        let runs = Process::read(self.process.id.pid).is_some_and(|found| found.id == self.process.id && !found.zombie);
        (!runs).then(|| ExitReport {
            status: format!("is gone: {}", self.process),
            last_lines: Vec::new(),
        })
    }
}
