//! `plimsoll agent`: make shares of loads that coordinators ask for.

use crate::CommandResult;
use crate::args::{AgentArgs, FleetArgs};
use crate::exit::{Exit, Failure};
use crate::signals::stop_on_signals;
use crate::stderr;
use plimsoll_bus::Nats;
use plimsoll_lab::fleet::{AgentEvent, AgentOptions, AllowList, Dial, serve};
use plimsoll_lab::{FleetOptions, GeneratorOptions, Wakeups};
use std::sync::Arc;

pub(crate) fn agent(args: &AgentArgs) -> CommandResult {
    let options = AgentOptions {
        name: args.name.clone().unwrap_or_else(name_of_this_machine),
        dial: dial(&args.fleet)?,
        allow: match args.allow.as_slice() {
            [] => AllowList::default(),
            texts => AllowList::parse(texts.iter().map(String::as_str))
                .map_err(|error| Failure::bad_plan(format!("failed to use --allow: {error}")))?,
        },
        max_rate: args.max_rate,
        generator: GeneratorOptions {
            shards: args.threads,
            cpus: args.generator_cpus.clone().map(|cpus| cpus.0).unwrap_or_default(),
            io: args.io.map(Into::into),
            wakeups: Wakeups::Adaptive,
            local_addrs: args.local_addrs.clone(),
            one_table: false,
        },
    };
    let stop = stop_on_signals()?;
    serve(&options, &stop, |event| {
        if !args.quiet {
            stderr::tell(&words(&event));
        }
    })?;
    Ok(Exit::Pass)
}

/// The fleet that the arguments ask for.
pub(crate) fn fleet(args: &FleetArgs) -> Result<Option<FleetOptions>, Failure> {
    let Some(url) = &args.fleet else { return Ok(None) };
    Ok(Some(FleetOptions {
        dial: dial(url)?,
        agents: args.agents,
    }))
}

fn dial(url: &str) -> Result<Arc<dyn Dial>, Failure> {
    let nats = Nats::at(url).map_err(|error| {
        let failure = Failure::bad_plan(format!("failed to {error}"));
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    });
    Ok(Arc::new(nats?))
}

fn name_of_this_machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn words(event: &AgentEvent<'_>) -> String {
    match event {
        AgentEvent::Listening { broker, allow } => {
            format!("agent on {broker}, may send to {allow}; stop it with Ctrl-C")
        }
        AgentEvent::Prepared { plan, target } => format!("ready for {plan}, at {target}"),
        AgentEvent::Refused(refusal) => match &refusal.hint {
            Some(hint) => format!("refused: {}\nhint: {hint}", refusal.why),
            None => format!("refused: {}", refusal.why),
        },
        AgentEvent::Noted(note) => match &note.hint {
            Some(hint) => format!("{}\nhint: {hint}", note.message),
            None => note.message.clone(),
        },
        AgentEvent::Began { step, index, of } => format!("step {}: share {} of {of}", step + 1, index + 1),
        AgentEvent::Ended { step, failed: None } => format!("step {}: over", step + 1),
        AgentEvent::Ended {
            step,
            failed: Some(why),
        } => format!("step {}: {why}", step + 1),
        AgentEvent::Released => "free".to_owned(),
    }
}
