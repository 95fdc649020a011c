//! Why a service cannot be limited, in words for its user.

use plimsoll_plan::{ByteSize, CpuLimit, Limits};
use std::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What is limited; a controller of the kernel does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// CPU time.
    Cpu,
    /// Memory and swap.
    Memory,
    /// Processes and threads.
    Pids,
}

impl Limited {
    /// What `limits` limit.
    pub(super) fn all(limits: &Limits) -> Vec<Self> {
        let Limits { cpu, memory, pids } = limits;
        let wanted = [
            cpu.map(|_| Self::Cpu),
            memory.map(|_| Self::Memory),
            pids.map(|_| Self::Pids),
        ];
        wanted.into_iter().flatten().collect()
    }

    /// As the kernel calls its controller.
    pub(super) const fn controller(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Pids => "pids",
        }
    }
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "CPU",
            Self::Memory => "memory",
            Self::Pids => "processes",
        })
    }
}

/// A service cannot be limited here. The text fits after "failed to".
#[derive(Debug, Error)]
pub enum NoLimits {
    /// The kernel has no such controller, or does not show it.
    #[error(
        "limit the {limited}: found no {} controller below /sys/fs/cgroup, expected one of control groups, version 1 or 2",
        limited.controller()
    )]
    NoController {
        /// What was to be limited.
        limited: Limited,
    },
    /// No group passes its controller on.
    #[error(
        "limit the {}: control group {} passes {} on to groups below it, expected {}",
        list(limited),
        place.display(),
        passed_on,
        controllers(limited)
    )]
    NotPassedOn {
        /// What was to be limited.
        limited: Vec<Limited>,
        /// The group of this process.
        place: PathBuf,
        /// What it passes on.
        passed_on: String,
    },
    /// The kernel refuses it.
    #[error(
        "limit the {}: found a control group {} that cannot be divided ({source}), expected one of this user",
        list(limited),
        place.display()
    )]
    Refused {
        /// What was to be limited.
        limited: Vec<Limited>,
        /// Below which group.
        place: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The group was made, and cannot be entered or left.
    #[error("limit a program: cannot move it into its control group {}: {found}", place.display())]
    Closed {
        /// Which group.
        place: PathBuf,
        /// Why not.
        found: String,
    },
    /// This process has less itself.
    #[error("limit the CPU to {wanted} cores: the control group of plimsoll itself has {granted:.2}, expected no more")]
    CpuOfHolder {
        /// As asked.
        wanted: CpuLimit,
        /// What there is, in cores.
        granted: f64,
    },
    /// This process has less itself.
    #[error("limit the memory to {wanted}: the control group of plimsoll itself has {}, expected no more", ByteSize::new(*granted))]
    MemoryOfHolder {
        /// As asked.
        wanted: ByteSize,
        /// What there is, bytes.
        granted: u64,
    },
}

impl NoLimits {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoController { .. } => {
                "see `cat /proc/cgroups`; without control groups, leave the limits out and pin the service with --target-cpus"
                    .to_owned()
            }
            Self::Refused { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                "the container shows its control groups read-only: give it the limits from outside, as in \
                 `docker run --cpus 0.5 --memory 512m`, and leave them out here"
                    .to_owned()
            }
            Self::NotPassedOn { .. } | Self::Refused { .. } | Self::Closed { .. } => {
                "run it in a group of your own, `systemd-run --user --scope -p Delegate=yes plimsoll …`, or as root".to_owned()
            }
            Self::CpuOfHolder { .. } | Self::MemoryOfHolder { .. } => {
                "lower the limit, or give the container of plimsoll more".to_owned()
            }
        }
    }
}

fn list(limited: &[Limited]) -> String {
    let all: Vec<String> = limited.iter().map(ToString::to_string).collect();
    match all.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => all.concat(),
    }
}

fn controllers(limited: &[Limited]) -> String {
    let all: Vec<String> = limited
        .iter()
        .map(|limited| format!("`{}`", limited.controller()))
        .collect();
    all.join(" and ")
}
