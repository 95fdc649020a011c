//! The processes of a service that run Node.js, where there are several: workers of a cluster, what a process manager started, or what
//! stands behind a balancer.

use crate::process::Process;
use crate::sys;
use plimsoll_files::kernel;
use plimsoll_measure::InstanceSample;
use std::collections::BTreeMap;
use std::path::Path;

/// More of them are not told apart.
const MOST: usize = 256;
/// Ends of the names of scripts.
const SCRIPTS: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "cts"];

/// Finds them among the processes of one service.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    /// There were several. From then on the last one that is left is worth a word.
    several: bool,
}

impl Instances {
    /// It is one of several on other machines, so even a single one is worth a word.
    pub(crate) const fn are_several(&mut self) {
        self.several = true;
    }

    /// Those of `alive`; none as long as there was never more than one.
    pub(crate) fn of(&mut self, alive: &[&Process], page_bytes: u64, ns_per_clock_tick: u64) -> Vec<InstanceSample> {
        if alive.len() < 2 && !self.several {
            return Vec::new();
        }
        let runs_node: Vec<&Process> = alive.iter().copied().filter(|process| process.runs_node()).collect();
        self.several |= runs_node.len() > 1;
        if !self.several {
            return Vec::new();
        }
        let parents: BTreeMap<u32, u32> = alive.iter().map(|process| (process.id.pid, process.parent)).collect();
        let sample = |process: &&Process| {
            let pid = process.id.pid;
            let cpu_ns = sys::cpu_ns(pid).unwrap_or(process.own_ticks * ns_per_clock_tick);
            InstanceSample {
                pid,
                machine: None,
                began: process.id.start,
                script: script(&kernel::bytes(format!("/proc/{pid}/cmdline")).unwrap_or_default()),
                leads: runs_node.iter().any(|other| stems_from(&parents, other.id.pid, pid)),
                cpu_ns,
                main_ns: main_ns(pid).unwrap_or(cpu_ns),
                rss_bytes: process.rss_pages * page_bytes,
            }
        };
        runs_node.iter().take(MOST).map(sample).collect()
    }
}

/// Whether a process is a descendant of another one.
fn stems_from(parents: &BTreeMap<u32, u32>, process: u32, ancestor: u32) -> bool {
    let mut next = parents.get(&process);
    // The list is not from one moment, so it might lead in a circle.
    for _ in 0..parents.len() {
        match next {
            Some(&parent) if parent == ancestor => return true,
            Some(parent) => next = parents.get(parent),
            None => return false,
        }
    }
    false
}

/// CPU time of the main thread, which runs the JavaScript of a process, ns.
fn main_ns(pid: u32) -> Option<u64> {
    let text = kernel::text(format!("/proc/{pid}/task/{pid}/schedstat")).ok()?;
    text.split_ascii_whitespace().next()?.parse().ok()
}

/// File name of the first script in a command line. Nothing else of that is looked at: it may hold secrets, or be code.
fn script(command_line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(command_line);
    let is_script = |path: &&Path| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| SCRIPTS.contains(&end))
    };
    // Who sets its title has all of it in one.
    let words = text.split(['\0', ' ']).filter(|word| !word.starts_with('-'));
    let path = words.map(Path::new).find(is_script)?;
    let name = path.file_name()?.to_str()?;
    Some(plimsoll_plain::line(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_is_the_first_file_of_one_in_a_command_line() {
        for (command_line, found) in [
            (
                "node\0--max-old-space-size=100\0/srv/app/server.mjs\x004001\0",
                Some("server.mjs"),
            ),
            ("node /srv/app/server.js", Some("server.js")),
            ("node\0--import=./tracing.js\0server.ts\0", Some("server.ts")),
            ("node\0-e\0require('http')\0", None),
            ("PM2 v6: God Daemon (/srv/.pm2)", None),
            ("", None),
        ] {
            assert_eq!(script(command_line.as_bytes()).as_deref(), found, "{command_line}");
        }
    }

    #[test]
    fn process_leads_whatever_stems_from_it() {
        let parents = BTreeMap::from([(10, 1), (11, 10), (12, 11), (20, 21), (21, 20)]);
        let table = [
            (12, 11, true),
            (12, 10, true),
            (10, 12, false),
            (12, 12, false),
            (20, 10, false),
        ];
        for (process, ancestor, stems) in table {
            assert_eq!(
                stems_from(&parents, process, ancestor),
                stems,
                "{process} from {ancestor}"
            );
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn main_thread_uses_no_more_than_its_process() {
        let pid = std::process::id();
        let main_ns = main_ns(pid).expect("it can be read");
        assert!(main_ns <= sys::cpu_ns(pid).expect("it can be read"), "{main_ns}");
    }
}
