//! Cores, clocks and what else runs on the machine.

use super::{Check, Root, State};
use crate::{cpu_layout, cpus};
use plimsoll_thread::ControlGroups;

/// Share of all cores that other work may take before it shows in the figures.
const BUSY_SHARE: f64 = 0.25;

pub(super) fn machine(root: &Root<'_>) -> Vec<Check> {
    vec![
        cores(root),
        physical_cores(root),
        cpu_limit(root),
        other_work(root),
        governor(root),
        sleeping_cores(root),
        clock_source(root),
        io_uring(root),
    ]
}

/// A check that is not in the files.
pub(super) fn unknown(name: &'static str, why: &'static str) -> Check {
    check(name, why, State::Unknown, "not visible here".to_owned(), None)
}

pub(super) const fn check(
    name: &'static str,
    why: &'static str,
    state: State,
    found: String,
    fix: Option<String>,
) -> Check {
    Check {
        name,
        state,
        found,
        why,
        fix,
    }
}

/// The cpus that we may use.
fn allowed(root: &Root<'_>) -> Option<Vec<usize>> {
    let status = root.text("proc/self/status")?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(cpus::parse_list(list))
}

fn cores(root: &Root<'_>) -> Check {
    const NAME: &str = "cores";
    const WHY: &str = "with a core of its own, the generator takes no time from the service";
    let Some(cpus) = allowed(root) else {
        return unknown(NAME, WHY);
    };
    let state = if cpus.len() < 2 { State::Warn } else { State::Ok };
    check(
        NAME,
        WHY,
        state,
        format!("{} to share ({})", cpus.len(), cpus::list(&cpus)),
        None,
    )
}

fn physical_cores(root: &Root<'_>) -> Check {
    const NAME: &str = "physical cores";
    const WHY: &str = "two threads of one physical core take time from each other, whatever they are pinned to";
    let siblings = |cpu: usize| {
        let list = root.text(&format!(
            "sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        ))?;
        Some(cpus::parse_list(&list))
    };
    let (Some(cpus), Some(_)) = (allowed(root), siblings(0)) else {
        return unknown(NAME, WHY);
    };
    let layout = cpu_layout(&[], &cpus);
    let shared: Vec<usize> = layout
        .generator
        .iter()
        .flat_map(|&cpu| siblings(cpu).unwrap_or_default())
        .filter(|cpu| layout.target.contains(cpu))
        .collect();
    let (target, generator) = (cpus::list(&layout.target), cpus::list(&layout.generator));
    if shared.is_empty() {
        return check(
            NAME,
            WHY,
            State::Ok,
            "service and generator share no physical core".to_owned(),
            None,
        );
    }
    let found = format!(
        "by default the service gets cpus {target} and the generator {generator}, where {} are threads of the same cores",
        cpus::list(&shared)
    );
    check(NAME, WHY, State::Warn, found, None)
}

fn cpu_limit(root: &Root<'_>) -> Check {
    const NAME: &str = "control group";
    const WHY: &str = "a limit on CPU time stops the service and the generator for parts of every period";
    if root.text("proc/self/cgroup").is_none() {
        return unknown(NAME, WHY);
    }
    match ControlGroups::of(root.path, "self").cpu_limit() {
        None => check(NAME, WHY, State::Ok, "no limit on CPU time".to_owned(), None),
        Some(limit) => check(
            NAME,
            WHY,
            State::Warn,
            format!("at most {limit} cores of CPU time"),
            None,
        ),
    }
}

fn other_work(root: &Root<'_>) -> Check {
    const NAME: &str = "other work";
    const WHY: &str = "other programs take time from the service, and the load line moves with them";
    let load = || root.text("proc/loadavg")?.split(' ').next()?.parse::<f64>().ok();
    let (Some(load), Some(cpus)) = (load(), allowed(root)) else {
        return unknown(NAME, WHY);
    };
    let state = if load > BUSY_SHARE * cpus.len() as f64 {
        State::Warn
    } else {
        State::Ok
    };
    check(
        NAME,
        WHY,
        state,
        format!("load average {load} on {} cores", cpus.len()),
        None,
    )
}

fn governor(root: &Root<'_>) -> Check {
    const NAME: &str = "cpu governor";
    const WHY: &str = "a clock that follows the load makes a service look slower at low load";
    match root.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") {
        None => {
            let found = "not visible, as in most virtual machines".to_owned();
            check(NAME, WHY, State::Unknown, found, None)
        }
        Some(governor) if governor == "performance" => check(NAME, WHY, State::Ok, governor, None),
        Some(governor) => {
            let fix = "sudo cpupower frequency-set -g performance".to_owned();
            check(NAME, WHY, State::Warn, governor, Some(fix))
        }
    }
}

/// A guest that has nothing to do gives its core back, unless the host left the choice of a sleep to it.
fn sleeping_cores(root: &Root<'_>) -> Check {
    const NAME: &str = "sleeping cores";
    const WHY: &str = "the host of a virtual machine may wake an idle core milliseconds late, which shows in the tail";
    let Some(cpus) = root.text("proc/cpuinfo") else {
        return unknown(NAME, WHY);
    };
    let virtual_machine = cpus
        .lines()
        .any(|line| line.starts_with("flags") && line.split(' ').any(|flag| flag == "hypervisor"));
    if !virtual_machine {
        return check(NAME, WHY, State::Ok, "not a virtual machine".to_owned(), None);
    }
    match root.text("sys/devices/system/cpu/cpuidle/current_driver").as_deref() {
        Some("haltpoll") => halt_polling(root, NAME, WHY),
        None | Some("none") => {
            let found = "idle cores go back to the host; an idle-priority loop for each core keeps it awake".to_owned();
            let fix = "chrt --idle 0 sh -c 'while :; do :; done' &".to_owned();
            check(NAME, WHY, State::Warn, found, Some(fix))
        }
        Some(driver) => check(
            NAME,
            WHY,
            State::Ok,
            format!("handled by {driver}, without the host"),
            None,
        ),
    }
}

/// Such a guest can wait for work before it gives its core back, which also makes every wakeup cheaper.
fn halt_polling(root: &Root<'_>, name: &'static str, why: &'static str) -> Check {
    /// Longer than most waits at a few hundred requests per second, ns.
    const ENOUGH_NS: u64 = 10_000_000;
    const SETTING: &str = "sys/module/haltpoll/parameters/guest_halt_poll_ns";
    let waits_ns = root.number(SETTING).unwrap_or(0);
    let found = format!("idle cores go back to the host after {} µs", waits_ns / 1000);
    if waits_ns >= ENOUGH_NS {
        return check(name, why, State::Ok, found, None);
    }
    check(
        name,
        why,
        State::Warn,
        found,
        Some(format!("echo {ENOUGH_NS} | sudo tee /{SETTING}")),
    )
}

fn clock_source(root: &Root<'_>) -> Check {
    const NAME: &str = "clock source";
    const WHY: &str = "reading the clock, several times for every request, should not need a system call";
    let directory = "sys/devices/system/clocksource/clocksource0";
    let Some(source) = root.text(&format!("{directory}/current_clocksource")) else {
        return unknown(NAME, WHY);
    };
    let fast = ["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"];
    if fast.contains(&source.as_str()) {
        return check(NAME, WHY, State::Ok, source, None);
    }
    let available = root
        .text(&format!("{directory}/available_clocksource"))
        .unwrap_or_default();
    let better = available.split(' ').find(|name| fast.contains(name));
    let fix = better.map(|name| format!("echo {name} | sudo tee /{directory}/current_clocksource"));
    check(NAME, WHY, State::Warn, source, fix)
}

fn io_uring(root: &Root<'_>) -> Check {
    const NAME: &str = "io_uring";
    const WHY: &str = "io_uring needs fewer system calls; without it, the generator uses epoll";
    match root.number("proc/sys/kernel/io_uring_disabled") {
        // The switch came with Linux 6.6; where it is missing, only trying tells.
        None => unknown(NAME, WHY),
        Some(0) => check(NAME, WHY, State::Ok, "allowed".to_owned(), None),
        Some(level) => {
            let who = if level == 1 {
                "allowed to a group only"
            } else {
                "forbidden"
            };
            let fix = "sudo sysctl -w kernel.io_uring_disabled=0".to_owned();
            check(NAME, WHY, State::Warn, who.to_owned(), Some(fix))
        }
    }
}

/// The state of a limit that should be at least `wanted`.
pub(super) const fn at_least(limit: u64, wanted: u64) -> State {
    if limit >= wanted { State::Ok } else { State::Bad }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn one_core_is_too_few() {
        let (state, found, _) = check("cores", None, &[("proc/self/status", "Cpus_allowed_list:\t2\n")]);
        assert_eq!((state, found.as_str()), (State::Warn, "1 to share (2)"));
    }

    #[test]
    fn threads_of_one_core_are_noticed() {
        let changes = [
            ("proc/self/status", "Cpus_allowed_list:\t0-1\n"),
            ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n"),
        ];
        let (state, found, _) = check("physical cores", None, &changes);
        assert_eq!(state, State::Warn);
        assert!(found.contains("service gets cpus 0 and the generator 1"), "{found}");
    }

    #[test]
    fn a_limit_on_cpu_time_is_noticed() {
        let (state, found, _) = check("control group", None, &[("sys/fs/cgroup/cpu.max", "150000 100000\n")]);
        assert_eq!((state, found.as_str()), (State::Warn, "at most 1.5 cores of CPU time"));
    }

    #[test]
    fn a_busy_machine_is_noticed() {
        let (state, found, _) = check("other work", None, &[("proc/loadavg", "1.10 1.00 1.00 3/99 1\n")]);
        assert_eq!((state, found.as_str()), (State::Warn, "load average 1.1 on 4 cores"));
    }

    #[test]
    fn cores_that_the_host_takes_back_are_noticed() {
        let cpu = ("proc/cpuinfo", "model name\t: Guest\nflags\t\t: fpu hypervisor avx\n");
        let driver = |name| ("sys/devices/system/cpu/cpuidle/current_driver", name);
        let found = |changes: &[(&str, &str)]| check("sleeping cores", None, changes);
        assert_eq!(found(&[]).0, State::Ok);
        assert_eq!(found(&[cpu, driver("intel_idle\n")]).0, State::Ok);
        assert_eq!(found(&[cpu]).0, State::Warn);
        let polling = |ns| ("sys/module/haltpoll/parameters/guest_halt_poll_ns", ns);
        let (state, text, fix) = found(&[cpu, driver("haltpoll\n"), polling("200000\n")]);
        assert_eq!(
            (state, text.as_str()),
            (State::Warn, "idle cores go back to the host after 200 µs")
        );
        let wanted = "echo 10000000 | sudo tee /sys/module/haltpoll/parameters/guest_halt_poll_ns";
        assert_eq!(fix.as_deref(), Some(wanted));
        assert_eq!(found(&[cpu, driver("haltpoll\n"), polling("10000000\n")]).0, State::Ok);
    }

    #[test]
    fn each_fix_is_a_command() {
        let governor = ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        let clock = (
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "hpet\n",
        );
        let clocks = (
            "sys/devices/system/clocksource/clocksource0/available_clocksource",
            "tsc hpet acpi_pm\n",
        );
        let ring = ("proc/sys/kernel/io_uring_disabled", "2\n");
        let fix = |name| check(name, None, &[governor, clock, clocks, ring]).2.expect("a fix");
        assert_eq!(fix("cpu governor"), "sudo cpupower frequency-set -g performance");
        assert_eq!(
            fix("clock source"),
            "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
        );
        assert_eq!(fix("io_uring"), "sudo sysctl -w kernel.io_uring_disabled=0");
    }
}
