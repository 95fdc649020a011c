//! A fleet on this machine: a broker and agents that are started for somebody, and end with him.

use super::{HostedService, drawn};
use crate::error::LabError;
use plimsoll_files::Directory;
use plimsoll_fleet::{BusError, Dial};
use plimsoll_plan::{Secret, cpus_text};
use plimsoll_target::{BROKER_VARIABLE, CpuLayout, Kept, Program, ProgramError, Scratch, available_cpus, cpu_layout};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const BROKER: &str = "nats-server";
/// What the target agent is called.
const TARGET: &str = "local";
/// A broker listens within milliseconds.
const BROKER_MAX: Duration = Duration::from_secs(10);
/// Between two looks at whether it does.
const LOOK: Duration = Duration::from_millis(10);
/// The user of a broker with a key.
const USER: &str = "plimsoll";
/// Where the broker says on which port it listens.
const PORTS: &str = ".ports";
const PORTS_MAX_BYTES: u64 = 64 << 10;

/// A fleet on this machine.
#[derive(Debug, Clone)]
pub struct LocalOptions {
    /// So many agents.
    pub agents: u32,
    /// The command that starts an agent, but for its name. It finds its broker in [`BROKER_VARIABLE`].
    pub agent: Vec<String>,
    /// Cores of its generator; empty is those that it finds.
    pub cpus: Vec<usize>,
    /// The port of the broker; `None` is any that is free.
    pub port: Option<u16>,
    /// Nobody else on this machine can use the broker.
    pub private: bool,
    /// What starts services for runs, if anything does.
    pub target: Option<LocalTarget>,
    /// What is at a URL.
    pub dial: fn(&str) -> Result<Arc<dyn Dial>, BusError>,
}

/// A target agent on this machine.
#[derive(Debug, Clone)]
pub struct LocalTarget {
    /// The command that starts it, but for its name and cores. It finds its broker in [`BROKER_VARIABLE`].
    pub command: Vec<String>,
    /// Services that it starts.
    pub services: Vec<HostedService>,
    /// Where services run whose plans name no directory.
    pub directory: PathBuf,
}

impl LocalTarget {
    /// Cores as a run on this machine divides them between services and agents.
    fn layout(&self, available: &[usize]) -> CpuLayout {
        let named = self.services.iter().flat_map(|service| &service.plan.target().cpus);
        let named: BTreeSet<usize> = named.copied().collect();
        cpu_layout(&Vec::from_iter(named), available)
    }

    fn command(&self, cpus: &[usize]) -> Vec<String> {
        let mut command = self.command.clone();
        command.extend(["--name".to_owned(), TARGET.to_owned()]);
        if !cpus.is_empty() {
            command.extend(["--target-cpus".to_owned(), cpus_text(cpus)]);
        }
        command
    }
}

/// A broker and agents that run. Dropping it ends them, the broker last.
#[derive(Debug)]
pub(super) struct LocalFleet {
    agents: Vec<(String, Kept)>,
    broker: Kept,
    dial: Arc<dyn Dial>,
    /// Removed when they have ended.
    _scratch: Scratch,
}

impl LocalFleet {
    /// Starts them; agents may not be there yet.
    pub(super) fn start(options: &LocalOptions, stop: &AtomicBool) -> Result<Self, LabError> {
        let scratch = Scratch::new("plimsoll-fleet-").map_err(LabError::Scratch)?;
        let key = options.private.then(|| format!("{:016x}{:016x}", drawn(), drawn()));
        let broker = start_broker(scratch.path(), options.port, key.as_deref())?;
        let address = listening(scratch.path(), &broker, stop)?;
        let url = match key {
            Some(key) => format!("nats://{USER}:{key}@{address}"),
            None => format!("nats://{address}"),
        };
        let dial = (options.dial)(&url)?;
        let env = [(BROKER_VARIABLE.to_owned(), Secret::from(url))];
        let mut agents = Vec::new();
        let mut start = |called: String, name: &str, command: &[String], directory: &Path| {
            let agent = start_agent(command, name, &env, directory, scratch.path());
            agents.push((called.clone(), agent.map_err(|error| ended(&called, &error))?));
            Ok::<_, LabError>(())
        };
        let mut cpus = options.cpus.clone();
        if let Some(target) = &options.target {
            target.services.iter().try_for_each(HostedService::check)?;
            let layout = target.layout(&available_cpus());
            start(
                format!("target agent {TARGET}"),
                TARGET,
                &target.command(&layout.target),
                &target.directory,
            )?;
            if cpus.is_empty() {
                cpus = layout.generator;
            }
        }
        for number in 1..=options.agents {
            let name = format!("local-{number}");
            let command = agent_command(options, &name, &cpus);
            start(format!("agent {name}"), &name, &command, scratch.path())?;
        }
        Ok(Self {
            agents,
            broker,
            dial,
            _scratch: scratch,
        })
    }

    /// Its bus.
    pub(super) fn dial(&self) -> Arc<dyn Dial> {
        Arc::clone(&self.dial)
    }

    /// Whether all of them still run.
    ///
    /// # Errors
    /// How one of them ended.
    pub(super) fn check(&self) -> Result<(), LabError> {
        self.broker.check().map_err(|error| ended("its broker", &error))?;
        let mut agents = self.agents.iter();
        agents.try_for_each(|(called, agent)| agent.check().map_err(|error| ended(called, &error)))
    }

    /// What its agents have printed since this was asked last, line by line with who it was.
    pub(super) fn said(&mut self) -> Vec<(String, String)> {
        let agents = self.agents.iter_mut();
        let said = agents.flat_map(|(called, agent)| agent.said().into_iter().map(|line| (called.clone(), line)));
        said.collect()
    }
}

fn agent_command(options: &LocalOptions, name: &str, cpus: &[usize]) -> Vec<String> {
    let mut command = options.agent.clone();
    command.extend(["--name".to_owned(), name.to_owned()]);
    if !cpus.is_empty() {
        command.extend(["--generator-cpus".to_owned(), cpus_text(cpus)]);
    }
    command
}

fn start_agent(
    command: &[String],
    name: &str,
    env: &[(String, Secret)],
    directory: &Path,
    scratch: &Path,
) -> Result<Kept, ProgramError> {
    let argv: Vec<Secret> = command.iter().map(|word| Secret::from(word.as_str())).collect();
    Program {
        argv: &argv,
        env,
        directory,
        stdout: &scratch.join(format!("{name}.out")),
        stderr: &scratch.join(format!("{name}.err")),
        limit: BROKER_MAX,
    }
    .keep()
}

fn start_broker(directory: &Path, port: Option<u16>, key: Option<&str>) -> Result<Kept, LabError> {
    // Data files travel with their plan. Only this user can enter the directory.
    let key = key.map(|key| format!("authorization {{ user: {USER}, password: \"{key}\" }}\n"));
    let configuration = format!("max_payload: 8MB\n{}", key.unwrap_or_default());
    let written = Directory::open(directory).and_then(|place| place.write("broker.conf", configuration.as_bytes()));
    written.map_err(LabError::Scratch)?;
    let place = directory.to_string_lossy();
    // It takes a port that is free for -1.
    let port = port.map_or("-1".to_owned(), |port| port.to_string());
    let argv = [
        BROKER,
        "-a",
        "127.0.0.1",
        "-p",
        &port,
        "--ports_file_dir",
        &place,
        "-c",
        "broker.conf",
    ];
    let broker = Program {
        argv: &argv.map(Secret::from),
        env: &[],
        directory,
        stdout: &directory.join("broker.out"),
        stderr: &directory.join("broker.err"),
        limit: BROKER_MAX,
    };
    broker.keep().map_err(|error| match error {
        ProgramError::Spawn { source, .. } if source.kind() == io::ErrorKind::NotFound => LabError::LocalFleet {
            found: format!("found no {BROKER} in PATH, which carries its messages"),
            hint: Some(format!(
                "install it, such as by `apt-get install {BROKER}`, or name a broker that runs elsewhere with --fleet URL"
            )),
        },
        other => ended("its broker", &other),
    })
}

/// Where the broker listens, once it does.
fn listening(directory: &Path, broker: &Kept, stop: &AtomicBool) -> Result<String, LabError> {
    #[derive(Deserialize)]
    struct Ports {
        nats: Vec<String>,
    }
    let place = Directory::open(directory).map_err(LabError::Scratch)?;
    let deadline = Instant::now() + BROKER_MAX;
    while Instant::now() < deadline {
        if stop.load(Ordering::Relaxed) {
            return Err(LabError::Stopped);
        }
        broker.check().map_err(|error| ended("its broker", &error))?;
        let names = place.names().map_err(LabError::Scratch)?;
        let file = names.iter().find(|name| name.ends_with(PORTS));
        let text = file.and_then(|name| place.text(name, PORTS_MAX_BYTES).ok());
        // It may be half written.
        let ports: Option<Ports> = text.and_then(|text| serde_json::from_str(&text).ok());
        let url = ports.and_then(|ports| ports.nats.into_iter().next());
        if let Some(address) = url.as_deref().and_then(|url| url.strip_prefix("nats://")) {
            return Ok(address.to_owned());
        }
        thread::sleep(LOOK);
    }
    Err(LabError::LocalFleet {
        found: format!("its broker did not listen within {} s", BROKER_MAX.as_secs()),
        hint: None,
    })
}

fn ended(who: &str, error: &ProgramError) -> LabError {
    LabError::LocalFleet {
        found: format!("{who}: failed to {error}"),
        hint: error.hint(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::FleetOptions;
    use plimsoll_plan::Plan;

    #[test]
    fn local_services_get_the_cores_that_they_name_or_those_that_agents_do_not_have() {
        let hosted = |name: &str, cpus: Vec<usize>| HostedService {
            name: name.to_owned(),
            plan: Plan::for_url("http://127.0.0.1:9/")
                .expect("a plan")
                .with(|draft| draft.target.cpus = cpus)
                .expect("a plan"),
            reached_at: Vec::new(),
        };
        let target = |services| LocalTarget {
            command: vec!["plimsoll".to_owned()],
            services,
            directory: PathBuf::from("/"),
        };
        let named = target(vec![hosted("a", vec![3]), hosted("b", vec![1, 3])]);
        assert_eq!(named.layout(&[0, 1, 2, 3]).target, [1, 3]);
        assert_eq!(named.layout(&[0, 1, 2, 3]).generator, [0, 2]);
        let unnamed = target(vec![hosted("a", Vec::new())]);
        assert_eq!(unnamed.layout(&[0, 1]), cpu_layout(&[], &[0, 1]));
        let command = unnamed.command(&unnamed.layout(&[0, 1]).target).join(" ");
        assert_eq!(command, "plimsoll --name local --target-cpus 0");
    }

    #[test]
    fn local_agents_get_the_cores_of_the_generator() {
        let options = LocalOptions {
            agents: 2,
            agent: vec!["plimsoll".to_owned(), "agent".to_owned()],
            cpus: Vec::new(),
            port: None,
            private: true,
            target: None,
            dial: |_| panic!("nothing is dialled"),
        };
        let command = |cpus: &[usize]| match FleetOptions::Local(options.clone()).on_cores(cpus) {
            FleetOptions::Local(options) => agent_command(&options, "local-1", &options.cpus).join(" "),
            FleetOptions::On { .. } => panic!("it stays local"),
        };
        assert_eq!(
            command(&[0, 1, 3]),
            "plimsoll agent --name local-1 --generator-cpus 0-1,3"
        );
        // Where nothing can be pinned.
        assert_eq!(command(&[]), "plimsoll agent --name local-1");
    }
}
