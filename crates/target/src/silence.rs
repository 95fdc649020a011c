//! Why the probe said nothing in a service: what its processes are, and what came of the environment that was given them.

use crate::process::Process;
use plimsoll_files::kernel;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Other runtimes, by the beginning of their program's name.
const OTHERS: &[(&str, &str)] = &[("bun", "Bun"), ("deno", "Deno")];

/// Why none of `processes` was heard of, and what to do about it.
pub(crate) fn reason(processes: &[&Process]) -> (String, String) {
    let found: Vec<Found> = processes
        .iter()
        .filter_map(|process| Found::of(process.id.pid))
        .collect();
    words(&found)
}

/// What is seen of a process from outside.
#[derive(Debug, Default)]
struct Found {
    pid: u32,
    program: String,
    uid: u32,
    /// `None` where it may not be read.
    environment: Option<Vec<u8>>,
}

impl Found {
    fn of(pid: u32) -> Option<Self> {
        let directory = Path::new("/proc").join(pid.to_string());
        let program = std::fs::read_link(directory.join("exe")).ok();
        let program = program.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        Some(Self {
            pid,
            program: match program {
                Some(program) => program,
                None => kernel::text(directory.join("comm")).ok()?.trim().to_owned(),
            },
            uid: std::fs::metadata(&directory).ok()?.uid(),
            environment: kernel::bytes(directory.join("environ")).ok(),
        })
    }

    fn is_node(&self) -> bool {
        self.program.starts_with("node") || self.program.starts_with("iojs")
    }

    fn has(&self, name: &str, part: &str) -> bool {
        let variables = self.environment.iter().flat_map(|all| all.split(|byte| *byte == 0));
        let values = variables.filter_map(|variable| std::str::from_utf8(variable).ok()?.split_once('='));
        values
            .filter(|(found, _)| *found == name)
            .any(|(_, value)| value.contains(part))
    }
}

fn words(found: &[Found]) -> (String, String) {
    let is_other = |process: &Found| OTHERS.iter().find(|(start, _)| process.program.starts_with(start));
    let own = rustix::process::getuid().as_raw();
    let (because, hint) = if let Some((_, runtime)) = found.iter().find_map(is_other) {
        (
            format!("the service runs under {runtime}, which does not load it"),
            "diagnose it under Node.js",
        )
    } else if let Some(node) = found.iter().rfind(|process| process.is_node()) {
        let pid = node.pid;
        if node.uid != own {
            (
                format!("process {pid} runs as another user, who can neither read it nor speak with plimsoll"),
                "run plimsoll as the user of the service",
            )
        } else if node.environment.is_some() && !node.has("PLIMSOLL_PROBE", "socket") {
            (
                format!(
                    "something cleared the environment of process {pid}, such as `env -i`, sudo or a process manager"
                ),
                "start Node.js without it, or let NODE_OPTIONS and PLIMSOLL_PROBE through",
            )
        } else if node.environment.is_some() && !node.has("NODE_OPTIONS", "probe.cjs") {
            (
                format!("something replaced the NODE_OPTIONS of process {pid}"),
                "add to NODE_OPTIONS what is needed, and keep what is there",
            )
        } else {
            (
                format!("process {pid} has it in its environment, and no server of `node:net` listened there"),
                "it works from the moment a server of Node.js listens; a program that has Node.js inside may ignore NODE_OPTIONS",
            )
        }
    } else if let Some(process) = found.last() {
        (
            format!(
                "no process of the service is Node.js; the last is {}",
                plimsoll_plain::line(&process.program)
            ),
            "a service in another language is diagnosed by its CPU use only",
        )
    } else {
        ("the service has ended".to_owned(), "see the end of its output")
    };
    (format!("the probe said nothing, because {because}"), hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(program: &str, environment: &str) -> Found {
        Found {
            pid: 7,
            program: program.to_owned(),
            uid: rustix::process::getuid().as_raw(),
            environment: Some(environment.replace(' ', "\0").into_bytes()),
        }
    }

    fn check(found: &[Found], expected: &str) {
        let (words, _) = words(found);
        assert!(words.contains(expected), "{words}");
    }

    #[test]
    fn silence_has_a_reason() {
        let probe = "NODE_OPTIONS=--require=/tmp/x/probe.cjs PLIMSOLL_PROBE={\"socket\":1}";
        check(&[], "the service has ended");
        check(
            &[process("sh", ""), process("python3.11", "")],
            "the last is python3.11",
        );
        check(&[process("sh", ""), process("bun", probe)], "Bun");
        check(&[process("deno", "")], "Deno");
        check(
            &[process("sh", probe), process("node", "PATH=/bin")],
            "cleared the environment of process 7",
        );
        check(
            &[process("node", "PLIMSOLL_PROBE={\"socket\":1} NODE_OPTIONS=-v")],
            "replaced the NODE_OPTIONS",
        );
        check(&[process("node", probe)], "no server of `node:net`");
        let other = Found {
            uid: u32::MAX - 1,
            environment: None,
            ..process("node", "")
        };
        check(&[other], "another user");
    }

    #[test]
    fn processes_are_seen_as_they_are() {
        let own = Found::of(std::process::id()).expect("we are here");
        assert_eq!(own.uid, rustix::process::getuid().as_raw());
        assert!(own.program.starts_with("plimsoll_target"), "{own:?}");
        assert!(own.environment.is_some_and(|all| !all.is_empty()));
    }
}
