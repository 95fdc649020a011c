//! Which cores the service gets and which the generator.

use thiserror::Error;

/// Somebody was given cores that are not there. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("pin the {who} to cpus {}: available are {}", list(wanted), list(available))]
pub struct NoSuchCores {
    who: &'static str,
    wanted: Vec<usize>,
    available: Vec<usize>,
    leave_out: &'static str,
}

impl NoSuchCores {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        format!("choose from {}, or leave out {}", list(&self.available), self.leave_out)
    }
}

/// Looks whether the service can run on the cores that it is given.
///
/// # Errors
/// When one of them is not among the `available`.
pub fn check_target_cpus(wanted: &[usize], available: &[usize]) -> Result<(), NoSuchCores> {
    check("service", wanted, available, "--target-cpus and `cpus`")
}

/// The same of the generator.
///
/// # Errors
/// As [`check_target_cpus`].
pub fn check_generator_cpus(wanted: &[usize], available: &[usize]) -> Result<(), NoSuchCores> {
    check("generator", wanted, available, "--generator-cpus")
}

/// The same of a neighbour of the service.
///
/// # Errors
/// As [`check_target_cpus`].
pub fn check_neighbour_cpus(wanted: &[usize], available: &[usize]) -> Result<(), NoSuchCores> {
    check("neighbours", wanted, available, "`cpus` in `target.beside`")
}

fn check(who: &'static str, wanted: &[usize], available: &[usize], leave_out: &'static str) -> Result<(), NoSuchCores> {
    if wanted.iter().all(|cpu| available.contains(cpu)) {
        return Ok(());
    }
    Err(NoSuchCores {
        who,
        wanted: wanted.to_vec(),
        available: available.to_vec(),
        leave_out,
    })
}

/// Who runs where. An empty list is not pinned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CpuLayout {
    /// Cores of the service.
    pub target: Vec<usize>,
    /// Cores of the generator.
    pub generator: Vec<usize>,
    /// Why the figures are weaker than they could be: the two share cores.
    pub warning: Option<String>,
}

/// The cpus that this process may be pinned to, ascending; empty where pinning is not possible.
#[must_use]
pub fn available_cpus() -> Vec<usize> {
    // Asking changes the affinity of the thread that asks. It gets its own back; a thread for this alone may be refused.
    let before = plimsoll_thread::cpus(None);
    let all = all_cpus();
    // It was allowed to run there a moment ago.
    let _ = plimsoll_thread::pin(&before);
    all
}

/// The cpus that the calling thread may be pinned to, whatever it is pinned to now. It may use them all afterwards.
pub(crate) fn all_cpus() -> Vec<usize> {
    plimsoll_thread::widen(None);
    plimsoll_thread::cpus(None)
}

/// Shares out the `available` cores.
///
/// Where the plan names cores for the service (`wanted`), the generator gets the others. Where it does not, the
/// generator gets the last quarter, at least one core, and the service those before it: making requests is several
/// times cheaper than responding in Node.js. With a single core nothing is pinned.
#[must_use]
pub fn cpu_layout(wanted: &[usize], available: &[usize]) -> CpuLayout {
    let cores = available.len();
    if !wanted.is_empty() {
        let others: Vec<usize> = available.iter().copied().filter(|cpu| !wanted.contains(cpu)).collect();
        let warning = others.is_empty().then(|| {
            let list = list(wanted);
            format!("the service is pinned to all available cpus, {list}: the generator shares them")
        });
        return CpuLayout {
            target: wanted.to_vec(),
            generator: others,
            warning,
        };
    }
    if cores < 2 {
        // An empty list is a system where nothing can be pinned.
        let reason = if cores == 1 {
            "there is one core"
        } else {
            "threads cannot be pinned to cores on this system"
        };
        return CpuLayout {
            warning: Some(format!("{reason}: the generator and the service share it")),
            ..CpuLayout::default()
        };
    }
    let (target, generator) = available.split_at(cores - (cores / 4).max(1));
    CpuLayout {
        target: target.to_vec(),
        generator: generator.to_vec(),
        warning: None,
    }
}

/// Reads `0-2,5`, the kernel's way to write a set of cpus. What is no number is left out.
pub(crate) fn parse_list(text: &str) -> Vec<usize> {
    text.trim()
        .split(',')
        .filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse().ok()?..=last.parse::<usize>().ok()?)
        })
        .flatten()
        .collect()
}

/// Writes `0-2,5`.
pub(crate) fn list(cpus: &[usize]) -> String {
    let mut sorted = cpus.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let ranges: Vec<String> = sorted
        .chunk_by(|a, b| a + 1 == *b)
        .map(|range| match range {
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect();
    if ranges.is_empty() {
        "none".to_owned()
    } else {
        ranges.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(wanted: &[usize], available: &[usize], target: &[usize], generator: &[usize], warns: bool) {
        let layout = cpu_layout(wanted, available);
        assert_eq!(layout.target, target, "target of {wanted:?} in {available:?}");
        assert_eq!(layout.generator, generator, "generator of {wanted:?} in {available:?}");
        assert_eq!(layout.warning.is_some(), warns, "{layout:?}");
    }

    #[test]
    fn cores_that_are_not_there_are_named() {
        assert_eq!(check_target_cpus(&[], &[]), Ok(()));
        assert_eq!(check_generator_cpus(&[1, 0], &[0, 1]), Ok(()));
        let error = check_generator_cpus(&[1, 99], &[0, 1]).expect_err("refused");
        assert_eq!(error.to_string(), "pin the generator to cpus 1,99: available are 0-1");
        assert_eq!(error.hint(), "choose from 0-1, or leave out --generator-cpus");
    }

    #[test]
    fn cores_are_shared_out() {
        shared(&[], &[0, 1], &[0], &[1], false);
        shared(&[], &[0, 1, 2, 3], &[0, 1, 2], &[3], false);
        shared(&[], &[2, 3, 6, 7, 8, 9, 10, 11], &[2, 3, 6, 7, 8, 9], &[10, 11], false);
        shared(&[], &[0], &[], &[], true);
        shared(&[], &[], &[], &[], true);
        shared(&[1], &[0, 1, 2], &[1], &[0, 2], false);
        shared(&[0, 1], &[0, 1], &[0, 1], &[], true);
        shared(&[9], &[0, 1], &[9], &[0, 1], false);
    }

    #[test]
    fn lists_are_written_as_the_kernel_does() {
        assert_eq!(parse_list("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(parse_list("\n"), [0_usize; 0]);
        assert_eq!(list(&[5, 2, 0, 1]), "0-2,5");
        assert_eq!(list(&[]), "none");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn there_is_at_least_one_cpu() {
        assert!(!available_cpus().is_empty());
    }
}
