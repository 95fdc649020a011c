//! Where messages go, in the words of NATS. The permissions of a broker can tell these apart.

use plimsoll_fleet::{Address, AgentId, Listener, RunId};

/// What goes to every agent.
pub(crate) const AGENTS: &str = "plimsoll.agents";
/// Before the name of an agent and its number.
const AGENT: &str = "plimsoll.agent";
/// Before a run, and the name and number of the agent that speaks to it.
const RUN: &str = "plimsoll.run";

/// Where a message to this address goes.
pub(crate) fn of(address: &Address) -> String {
    match address {
        Address::Agents => AGENTS.to_owned(),
        Address::Agent(agent) => to_agent(agent),
        Address::Coordinator { run, from } => {
            let (name, number) = from.parts();
            format!("{RUN}.{}.{name}.{number}", run.as_str())
        }
    }
}

fn to_agent(agent: &AgentId) -> String {
    let (name, number) = agent.parts();
    format!("{AGENT}.{name}.{number}")
}

/// To what a listener subscribes.
pub(crate) fn heard(listener: &Listener) -> Vec<String> {
    match listener {
        Listener::Agent(agent) => vec![AGENTS.to_owned(), to_agent(agent)],
        Listener::Coordinator(run) => vec![format!("{RUN}.{}.*.*", run.as_str())],
    }
}

/// What goes to one agent or another.
pub(crate) fn to_any_agent() -> String {
    format!("{AGENT}.*.*")
}

/// What goes to agents of this name.
pub(crate) fn to_agents_named(name: &str) -> String {
    format!("{AGENT}.{name}.*")
}

/// What goes to one run or another.
pub(crate) fn to_any_run() -> String {
    format!("{RUN}.*.*.*")
}

/// What agents of this name say.
pub(crate) fn from_agents_named(name: &str) -> String {
    format!("{RUN}.*.{name}.*")
}

/// The address of a message that went there; `None` where it is none.
pub(crate) fn address(subject: &str) -> Option<Address> {
    if subject == AGENTS {
        return Some(Address::Agents);
    }
    if let Some([name, number]) = parts_behind(AGENT, subject) {
        return AgentId::of_parts(name, number).map(Address::Agent);
    }
    let [run, name, number] = parts_behind(RUN, subject)?;
    Some(Address::Coordinator {
        run: RunId::of_part(run)?,
        from: AgentId::of_parts(name, number)?,
    })
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
                Address::Coordinator { run, from: agent },
                "plimsoll.run.0000000000000009.eu-west.00000007",
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
