//! Words for what a service may use, and what its limits denied it.

use crate::figures;
use plimsoll_findings::TargetFinding;

/// `0.5 core`, `4 cores`: CPU time, in cores.
pub(crate) fn cpu_cores(cores: f64) -> String {
    let number = figures::small(cores);
    let unit = if cores > 1.0 { "cores" } else { "core" };
    format!("{number} {unit}")
}

/// The limits of a service and what they denied it, as names and texts; none where nothing bounds it.
pub(crate) fn limits(target: &TargetFinding) -> Vec<(&'static str, String)> {
    let Some(limits) = &target.limits else {
        return Vec::new();
    };
    let mut all = Vec::new();
    all.extend(limits.throttled_ms_per_s.map(|ms| {
        let text = match ms {
            0.0 => "never".to_owned(),
            ms => format!("for {} of each second", figures::duration_ms(ms)),
        };
        ("throttled", text)
    }));
    all.extend(limits.memory_limit_bytes.map(|limit| {
        let taken = figures::known(limits.memory_max_bytes, figures::bytes);
        ("memory limit", format!("{taken} of {} at most", figures::bytes(limit)))
    }));
    all
}
