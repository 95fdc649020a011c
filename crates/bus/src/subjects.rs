//! Where messages go, in the words of NATS. The permissions of a broker can tell these apart.

use plimsoll_fleet::{Address, AgentId, Listener, RunId};

/// What goes to every agent.
pub(crate) const AGENTS: &str = "plimsoll.agents";
/// Before the name of an agent and its number.
const AGENT: &str = "plimsoll.agent";
/// Before a run, and the name and number of the agent that speaks to it.
const RUN: &str = "plimsoll.run";
/// What goes to every target agent.
pub(crate) const TARGETS: &str = "plimsoll.targets";
/// Before the name of a target agent and its number.
const TARGET: &str = "plimsoll.target";
/// Before a run, and the name and number of the target agent that speaks to it.
const SERVICE: &str = "plimsoll.service";

/// Where a message to this address goes.
pub(crate) fn of(address: &Address) -> String {
    match address {
        Address::Agents => AGENTS.to_owned(),
        Address::Agent(agent) => to_one(AGENT, agent),
        Address::Coordinator { run, from } => to_run(RUN, run, from),
        Address::Targets => TARGETS.to_owned(),
        Address::Target(agent) => to_one(TARGET, agent),
        Address::Holder { run, from } => to_run(SERVICE, run, from),
    }
}

fn to_one(head: &str, agent: &AgentId) -> String {
    let (name, number) = agent.parts();
    format!("{head}.{name}.{number}")
}

fn to_run(head: &str, run: &RunId, from: &AgentId) -> String {
    let (name, number) = from.parts();
    format!("{head}.{}.{name}.{number}", run.as_str())
}

/// To what a listener subscribes.
pub(crate) fn heard(listener: &Listener) -> Vec<String> {
    match listener {
        Listener::Agent(agent) => vec![AGENTS.to_owned(), to_one(AGENT, agent)],
        Listener::Coordinator(run) => vec![format!("{RUN}.{}.*.*", run.as_str())],
        Listener::Target(agent) => vec![TARGETS.to_owned(), to_one(TARGET, agent)],
        Listener::Holder(run) => vec![format!("{SERVICE}.{}.*.*", run.as_str())],
    }
}

/// What runs say: to agents and to target agents.
pub(crate) fn from_runs() -> Vec<String> {
    [
        AGENTS.to_owned(),
        format!("{AGENT}.*.*"),
        TARGETS.to_owned(),
        format!("{TARGET}.*.*"),
    ]
    .into()
}

/// What runs hear: what agents and target agents say to one or another.
pub(crate) fn to_runs() -> Vec<String> {
    [RUN, SERVICE].map(|head| format!("{head}.*.*.*")).into()
}

/// What agents of this name say.
pub(crate) fn from_agents_named(name: &str) -> Vec<String> {
    vec![format!("{RUN}.*.{name}.*")]
}

/// What agents of this name hear.
pub(crate) fn to_agents_named(name: &str) -> Vec<String> {
    vec![AGENTS.to_owned(), format!("{AGENT}.{name}.*")]
}

/// What target agents of this name say.
pub(crate) fn from_targets_named(name: &str) -> Vec<String> {
    vec![format!("{SERVICE}.*.{name}.*")]
}

/// What target agents of this name hear.
pub(crate) fn to_targets_named(name: &str) -> Vec<String> {
    vec![TARGETS.to_owned(), format!("{TARGET}.{name}.*")]
}

/// The address of a message that went there; `None` where it is none.
pub(crate) fn address(subject: &str) -> Option<Address> {
    match subject {
        AGENTS => return Some(Address::Agents),
        TARGETS => return Some(Address::Targets),
        _ => {}
    }
    if let Some([name, number]) = parts_behind(AGENT, subject) {
        return AgentId::of_parts(name, number).map(Address::Agent);
    }
    if let Some([name, number]) = parts_behind(TARGET, subject) {
        return AgentId::of_parts(name, number).map(Address::Target);
    }
    let from_one = |head| {
        let [run, name, number] = parts_behind(head, subject)?;
        Some((RunId::of_part(run)?, AgentId::of_parts(name, number)?))
    };
    let coordinator = from_one(RUN).map(|(run, from)| Address::Coordinator { run, from });
    coordinator.or_else(|| from_one(SERVICE).map(|(run, from)| Address::Holder { run, from }))
}

/// The parts of a subject that begins with `head`, where they are so many.
fn parts_behind<'a, const COUNT: usize>(head: &str, subject: &'a str) -> Option<[&'a str; COUNT]> {
    let behind = subject.strip_prefix(head)?.strip_prefix('.')?;
    behind.split('.').collect::<Vec<_>>().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_addresses() {
        let agent = AgentId::new("eu-west", 7);
        let run = RunId::new(9);
        for (to, subject) in [
            (Address::Agents, "plimsoll.agents"),
            (Address::Agent(agent.clone()), "plimsoll.agent.eu-west.00000007"),
            (
                Address::Coordinator {
                    run: run.clone(),
                    from: agent.clone(),
                },
                "plimsoll.run.0000000000000009.eu-west.00000007",
            ),
            (Address::Targets, "plimsoll.targets"),
            (Address::Target(agent.clone()), "plimsoll.target.eu-west.00000007"),
            (
                Address::Holder { run, from: agent },
                "plimsoll.service.0000000000000009.eu-west.00000007",
            ),
        ] {
            assert_eq!(of(&to), subject);
            assert_eq!(address(subject), Some(to));
        }
        for subject in [
            "",
            "plimsoll",
            "plimsoll.agent.a",
            "plimsoll.run.1.a.b.c",
            "other.agent.a.1",
        ] {
            assert_eq!(address(subject), None, "{subject}");
        }
    }
}
