//! `plimsoll agent`: make shares of loads that coordinators ask for.

use super::fleet::{allow_list, broker, generator};
use super::succession;
use crate::CommandResult;
use crate::args::AgentArgs;
use crate::machine;
use crate::signals::stop_on_signals;
use crate::stderr;
use plimsoll_lab::fleet::{AgentEvent, AgentOptions, serve};

pub(crate) fn agent(args: &AgentArgs) -> CommandResult {
    let options = AgentOptions {
        name: args.name.clone().unwrap_or_else(machine::name),
        zone: args.zone.clone(),
        dial: broker(&args.broker)?,
        allow: allow_list(&args.work)?,
        max_rate: args.work.max_rate,
        generator: generator(&args.work),
        update_from: succession::directory(&args.update)?,
    };
    let stop = stop_on_signals()?;
    let served = serve(&options, &stop, |event| {
        if !args.quiet || matches!(event, AgentEvent::Refused(_)) {
            stderr::tell(&words(&event));
        }
    })?;
    succession::end(served)
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
        AgentEvent::Replaced { version } => {
            format!("a run of version {version} asks for agents: going on as that version")
        }
    }
}
