//! Words for the processes of a service that run Node.js, where there are several.

use crate::figures::{self, share};
use plimsoll_findings::{Findings, InstanceFinding, InstanceRole, TargetFinding};

/// Title of their section.
pub(crate) const INSTANCES: &str = "Instances";

/// Heads of what they are called and run.
pub(crate) const INSTANCE_NAME_HEADS: [&str; 3] = ["instance", "process", "script"];

/// Heads of their figures, behind those.
pub(crate) const INSTANCE_HEADS: [&str; 3] = ["main thread", "all threads", "memory at most"];

/// Of which part of the run, and in what, their figures are.
pub(crate) fn instances_taken(findings: &Findings) -> String {
    format!("{}; CPU in shares of one core", super::taken_at(findings))
}

/// What one is called and runs, under its heads.
pub(crate) fn instance_names(instance: &InstanceFinding) -> [String; 3] {
    let ended = if instance.ended { ", ended" } else { "" };
    [
        format!("{}{ended}", name(instance)),
        match &instance.machine {
            Some(machine) => format!("{} on {machine}", instance.pid),
            None => instance.pid.to_string(),
        },
        figures::or_dash(instance.script.clone()),
    ]
}

/// Figures of one under their heads.
pub(crate) fn instance_figures(instance: &InstanceFinding) -> [String; 3] {
    [
        share(instance.main_thread_share),
        share(instance.busy_cores),
        figures::bytes(instance.rss_max_bytes),
    ]
}

/// `instance 2`.
fn name(instance: &InstanceFinding) -> String {
    let role = match instance.role {
        InstanceRole::Leader => "parent",
        InstanceRole::Instance => "instance",
        InstanceRole::Beside => "beside",
    };
    format!("{role} {}", instance.number)
}

/// The one that an objective on CPU is held against: `92% of a core, instance 3 (process 4711)`.
pub(crate) fn hottest(target: &TargetFinding) -> Option<String> {
    let hottest = target.hottest()?;
    let name = name(hottest);
    let busy = share(hottest.main_thread_share);
    Some(format!(
        "{busy} of a core, the main thread of {name} (process {})",
        hottest.pid
    ))
}
