//! The machine in one line.

use crate::figures;
use plimsoll_measure::Host;

/// What is known of it; what is not is left out.
pub(crate) fn host(host: &Host) -> String {
    let cpus = |cpus: &[usize]| cpus.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut parts = vec![host.kernel.clone(), host.cpu_model.clone()];
    if host.cores > 0 {
        parts.push(figures::counted(host.cores.into(), "core"));
    }
    if host.memory_bytes > 0 {
        parts.push(figures::bytes(host.memory_bytes));
    }
    if !host.target_cpus.is_empty() {
        parts.push(format!("service on cpu {}", cpus(&host.target_cpus)));
    }
    if !host.generator_cpus.is_empty() {
        parts.push(format!("generator on cpu {}", cpus(&host.generator_cpus)));
    }
    parts.push(host.io.clone());
    parts.push(host.wakeups.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}
