//! `plimsoll fleet target`: start services on this machine for runs on others.

use super::succession;
use crate::CommandResult;
use crate::args::FleetTargetArgs;
use crate::exit::Failure;
use crate::machine;
use crate::signals::stop_on_signals;
use crate::stderr;
use plimsoll_lab::fleet::{Dial, HostedService, TargetEvent, TargetOptions, serve_targets};
use plimsoll_plan::{Plan, ServiceName};
use std::path::PathBuf;
use std::sync::Arc;

/// On the bus that `dial` leads to.
pub(super) fn fleet_target(args: &FleetTargetArgs, dial: Arc<dyn Dial>) -> CommandResult {
    let mut services = services(&args.services)?;
    if let Some(cpus) = &args.target_cpus {
        for service in services
            .iter_mut()
            .filter(|service| service.plan.target().cpus.is_empty())
        {
            service.plan = service.plan.with(|draft| draft.target.cpus.clone_from(&cpus.0))?;
        }
    }
    for (name, place) in &args.places {
        let service = services.iter_mut().find(|service| service.name == name.as_str());
        let service = service.ok_or_else(|| {
            Failure::bad_plan(format!(
                "failed to use --reached-at: found service {name}, which no --service names"
            ))
        })?;
        service.reached_at.push(place.clone());
    }
    let options = TargetOptions {
        name: args.name.clone().unwrap_or_else(machine::name),
        dial,
        services,
        update_from: succession::directory(&args.update)?,
    };
    let stop = stop_on_signals()?;
    let served = serve_targets(&options, &stop, |event| {
        if !args.quiet || matches!(event, TargetEvent::Declined(_)) {
            stderr::tell(&words(&event));
        }
    })?;
    succession::end(served)
}

/// Services by their names, each with the plan that says how it is started.
pub(super) fn services(named: &[(ServiceName, PathBuf)]) -> Result<Vec<HostedService>, Failure> {
    let mut services: Vec<HostedService> = Vec::new();
    for (name, file) in named {
        let name = name.to_string();
        if services.iter().any(|service| service.name == name) {
            return Err(
                Failure::bad_plan(format!("failed to use --service: found {name} twice"))
                    .hint("give each service a name of its own"),
            );
        }
        services.push(HostedService {
            name,
            plan: Plan::open(file)?,
            reached_at: Vec::new(),
        });
    }
    Ok(services)
}

fn words(event: &TargetEvent<'_>) -> String {
    match event {
        TargetEvent::Listening { broker, services } => {
            let services = services.join(", ");
            format!("target agent on {broker}, starts {services} for runs; stop it with Ctrl-C")
        }
        TargetEvent::Taken { service } => format!("a run has {service}"),
        TargetEvent::Declined(refusal) => match &refusal.hint {
            Some(hint) => format!("refused: {}\nhint: {hint}", refusal.why),
            None => format!("refused: {}", refusal.why),
        },
        TargetEvent::Replaced { version } => {
            format!("a run of version {version} asks for its service: going on as that version")
        }
        TargetEvent::Free { lease_ended: false } => "free".to_owned(),
        TargetEvent::Free { lease_ended: true } => {
            "free: the run was not heard for 5 s, so everything that it had started was ended".to_owned()
        }
    }
}
