//! Fleets as users name them, and `plimsoll fleet`.

use super::{fleet_keys, fleet_manifests, fleet_resume, fleet_target, threads};
use crate::CommandResult;
use crate::args::{AgentWorkArgs, BrokerArgs, FleetArgs, FleetCommand, FleetCommandArgs, FleetUpArgs};
use crate::exit::{Exit, Failure};
use crate::output::{Said, say};
use crate::signals::stop_on_signals;
use crate::stderr;
use plimsoll_bus::Nats;
use plimsoll_lab::fleet::{AllowList, BusError, Dial, FleetSize, LocalEvent, LocalOptions, LocalTarget, up};
use plimsoll_lab::{FleetOptions, GeneratorOptions};
use plimsoll_plan::{FleetPlan, FleetUrl, ServiceName};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const LOCAL_AGENTS: u32 = 2;
const LOCAL_AGENTS_MAX: u32 = 64;
/// Who asks local agents for load is who started them.
const ANYWHERE: [&str; 4] = ["--allow", "0.0.0.0/0:*", "--allow", "[::/0]:*"];

/// The fleet that the arguments ask for, or the plan where they do not. Local agents make their load as `generator` says.
pub(crate) fn fleet(
    args: &FleetArgs,
    planned: Option<&FleetPlan>,
    generator: &GeneratorOptions,
) -> Result<Option<FleetOptions>, Failure> {
    let Some(FleetPlan {
        url,
        key,
        agents: wanted,
        min_agents: least,
    }) = asked(args, planned)?
    else {
        return Ok(None);
    };
    let size = FleetSize { wanted, least };
    if let Some((wanted, least)) = size.wanted.zip(size.least)
        && least > wanted
    {
        let found = format!("found {least}, expected at most the {wanted} of --agents");
        return Err(Failure::bad_plan(format!("failed to use --min-agents: {found}"))
            .hint("lower --min-agents, or raise --agents"));
    }
    if !url.is_local() {
        let dial = dial(url.reveal(), key.as_deref())?;
        return Ok(Some(FleetOptions::On { dial, size }));
    }
    if key.is_some() {
        return Err(
            Failure::bad_plan("failed to use --fleet-key: a local fleet has a key of its own")
                .hint("leave it out, or name a broker that runs elsewhere with --fleet URL"),
        );
    }
    // Those that are started here all come.
    let agents = size.wanted.or(size.least).unwrap_or(LOCAL_AGENTS);
    if agents > LOCAL_AGENTS_MAX {
        let found = format!("found {agents} agents on this machine, expected at most {LOCAL_AGENTS_MAX}");
        return Err(Failure::bad_plan(format!("failed to use --fleet local: {found}")));
    }
    let mut agent = agent_command(generator)?;
    agent.extend(ANYWHERE.map(str::to_owned));
    Ok(Some(FleetOptions::Local(LocalOptions {
        agents,
        agent,
        cpus: generator.cpus.clone(),
        port: None,
        private: true,
        target: None,
        dial: dial_nats,
    })))
}

/// What the arguments say, and of what they do not say, what the plan says. Another fleet has another key.
fn asked(args: &FleetArgs, planned: Option<&FleetPlan>) -> Result<Option<FleetPlan>, Failure> {
    let url = args.fleet.as_deref().map(FleetUrl::new);
    let key = match url {
        Some(_) => args.fleet_key.clone(),
        None => args.fleet_key.clone().or_else(|| planned?.key.clone()),
    };
    let agents = args.agents.or_else(|| planned?.agents);
    let min_agents = args.min_agents.or_else(|| planned?.min_agents);
    let Some(url) = url.or_else(|| Some(planned?.url.clone())) else {
        let options = [
            ("--agents", agents.is_some()),
            ("--min-agents", min_agents.is_some()),
            ("--fleet-key", key.is_some()),
        ];
        return match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::bad_plan(format!("{option} says nothing without a fleet"))
                .hint("name one with --fleet URL, or by `fleet` in the plan")),
            None => Ok(None),
        };
    };
    Ok(Some(FleetPlan {
        url,
        key,
        agents,
        min_agents,
    }))
}

pub(crate) fn fleet_command(args: &FleetCommandArgs) -> CommandResult {
    match &args.command {
        FleetCommand::Up(args) => fleet_up(args),
        FleetCommand::Keys(args) => fleet_keys::fleet_keys(args),
        FleetCommand::Target(args) => fleet_target::fleet_target(args, broker(&args.broker)?),
        FleetCommand::Resume(args) => fleet_resume::fleet_resume(args, broker(&args.broker)?.as_ref()),
        FleetCommand::Manifests(args) => fleet_manifests::fleet_manifests(args),
    }
}

fn fleet_up(args: &FleetUpArgs) -> CommandResult {
    let allow = allow_list(&args.work)?;
    let generator = generator(&args.work);
    let mut agent = agent_command(&generator)?;
    // What they refuse is for the user to see; the rest, runs say.
    agent.push("--quiet".to_owned());
    for target in &args.work.allow {
        agent.extend(["--allow".to_owned(), target.clone()]);
    }
    if let Some(rate) = args.work.max_rate {
        agent.extend(["--max-rate".to_owned(), rate.to_string()]);
    }
    let options = LocalOptions {
        agents: args.agents,
        agent,
        cpus: generator.cpus,
        port: args.port,
        private: false,
        target: local_target(&args.services)?,
        dial: dial_nats,
    };
    let stop = stop_on_signals()?;
    let mut said = Ok(());
    up(&options, &stop, |event| {
        let place = match event {
            LocalEvent::Up { place } => place,
            LocalEvent::Said { agent, line } => return stderr::tell(&format!("{agent}: {line}")),
        };
        let url = format!("nats://{place}");
        said = say(Said::Text(&format!("{url}\n")));
        let agents = match args.agents {
            1 => "1 agent is".to_owned(),
            agents => format!("{agents} agents are"),
        };
        // With a service of a target agent, its load line can be found at once.
        let load = match options.target.iter().flat_map(|target| &target.services).next() {
            Some(service) => {
                let target = &service.plan.target().url;
                format!(
                    "plimsoll capacity {target} --fleet {url} --fleet-target {}",
                    service.name
                )
            }
            None => format!("plimsoll run http://127.0.0.1:3000/ -R 1000 --fleet {url}"),
        };
        stderr::tell(&format!(
            "{agents} ready, and may send to {allow}; stop them with Ctrl-C\nload a service with them: {load}"
        ));
    })?;
    said?;
    Ok(Exit::Pass)
}

/// A target agent on this machine that starts these services.
fn local_target(named: &[(ServiceName, PathBuf)]) -> Result<Option<LocalTarget>, Failure> {
    let services = fleet_target::services(named)?;
    if services.is_empty() {
        return Ok(None);
    }
    let mut command = vec![this_program()?];
    command.extend(["fleet", "target", "--quiet"].map(str::to_owned));
    for (name, file) in named {
        let file = std::path::absolute(file).map_err(|error| Failure::refused("find the plan of a service", &error))?;
        command.extend(["--service".to_owned(), format!("{name}={}", file.display())]);
    }
    let directory = std::env::current_dir().map_err(|error| Failure::refused("find this directory", &error))?;
    Ok(Some(LocalTarget {
        command,
        services,
        directory,
    }))
}

/// The broker that the arguments name.
pub(super) fn broker(args: &BrokerArgs) -> Result<Arc<dyn Dial>, Failure> {
    dial(&args.fleet, args.fleet_key.as_deref())
}

/// The broker with this URL, which knows us by the key in this file.
fn dial(url: &str, key: Option<&Path>) -> Result<Arc<dyn Dial>, Failure> {
    let nats = Nats::at(url).map_err(|error| {
        let failure = Failure::bad_plan(format!("failed to {error}"));
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })?;
    Ok(match key {
        Some(file) => Arc::new(nats.with_key(fleet_keys::read(file)?)),
        None => Arc::new(nats),
    })
}

fn dial_nats(url: &str) -> Result<Arc<dyn Dial>, BusError> {
    Ok(Arc::new(Nats::at(url)?))
}

/// Where agents may send.
pub(super) fn allow_list(args: &AgentWorkArgs) -> Result<AllowList, Failure> {
    match args.allow.as_slice() {
        [] => Ok(AllowList::default()),
        texts => AllowList::parse(texts.iter().map(String::as_str))
            .map_err(|error| Failure::bad_plan(format!("failed to use --allow: {error}"))),
    }
}

/// The generator of an agent.
pub(super) fn generator(args: &AgentWorkArgs) -> GeneratorOptions {
    threads(args.threads, args.generator_cpus.as_ref(), args.io, &args.local_addrs)
}

fn this_program() -> Result<String, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::refused("find this program", &error))?;
    program.into_os_string().into_string().map_err(|path| {
        let path = path.to_string_lossy();
        Failure::to(format!("start agents: the path of this program is no text: {path}"))
    })
}

/// The command of an agent with this generator, but for its cores.
fn agent_command(generator: &GeneratorOptions) -> Result<Vec<String>, Failure> {
    let mut command = vec![this_program()?, "agent".to_owned()];
    let mut add = |option: &str, value: Option<String>| {
        command.extend(value.map(|value| [option.to_owned(), value]).into_iter().flatten());
    };
    add("--threads", generator.shards.map(|shards| shards.to_string()));
    add("--io", generator.io.map(|io| io.as_str().to_owned()));
    add("--local-addrs", listed(&generator.local_addrs));
    Ok(command)
}

fn listed(values: &[impl ToString]) -> Option<String> {
    let texts: Vec<_> = values.iter().map(ToString::to_string).collect();
    (!texts.is_empty()).then(|| texts.join(","))
}
