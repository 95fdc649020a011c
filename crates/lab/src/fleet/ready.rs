//! What an agent needs for the steps of a plan that came over the bus. Nothing of the plan is executed, and no file is read for it.

use crate::around::hidden;
use crate::generator::{Division, GeneratorOptions};
use crate::secured;
use plimsoll_engine::{Connector, Generator, Job, LaidOut, Ticks, candidates, first_that_accepts, monotonic_ns};
use plimsoll_fleet::{AllowList, Refusal, SentPlan, Set};
use plimsoll_measure::{Note, RunKind};
use plimsoll_plan::{Address, Destination, Load, Plan, Rate, Server};
use plimsoll_schedule::AgentShare;
use std::net::SocketAddr;
use std::time::Duration;

/// What is decided before any step.
pub(super) struct Ready {
    plan: Plan,
    requests: LaidOut,
    tls: Option<Connector>,
    generator: Generator,
    remote: SocketAddr,
    /// What weakens the figures of this machine.
    pub(super) notes: Vec<Note>,
}

impl Ready {
    /// Gets ready for a plan, if its target may be loaded.
    pub(super) fn of(sent: &SentPlan, allow: &AllowList, options: &GeneratorOptions) -> Result<Self, Refusal> {
        let plan = Plan::parse_saved(&sent.text, "plan").and_then(|plan| plan.with_rows(&sent.rows));
        let plan = plan.map_err(|error| refusal(format!("it cannot read the plan: {error}"), None))?;
        check_place(&plan)?;
        let remote = allowed(&plan, allow)?;
        let requests = LaidOut::of(&plan);
        let requests = requests.map_err(|error| refusal(format!("it cannot use the plan: {error}"), None))?;
        let tls = secured::connector(&plan).map_err(|error| failed(&error))?;
        let mut division = Division::new(options, &plan, RunKind::Run).map_err(|error| failed(&error))?;
        let notes = std::mem::take(&mut division.notes);
        let generator = division.generator_for(&Address::Tcp(remote));
        Ok(Self {
            generator: generator.map_err(|error| failed(&error))?,
            plan,
            requests,
            tls,
            remote,
            notes,
        })
    }

    /// What the plan is called.
    pub(super) fn name(&self) -> &str {
        self.plan.name()
    }

    /// Where its load goes.
    pub(super) const fn remote(&self) -> SocketAddr {
        self.remote
    }

    /// Who sends more requests than the load says, so that nobody knows beforehand how many there are.
    fn sends_more(&self) -> Option<&'static str> {
        if !self.plan.scenario().journeys.is_empty() {
            return Some("users on journeys send as many requests as they come to");
        }
        (self.plan.target().follow_redirects > 0).then_some("the service decides how many redirects are followed")
    }

    /// The agent's share of a step.
    pub(super) fn job(&self, set: &Set, allow: &AllowList, max_rate: Option<Rate>) -> Result<Job, Refusal> {
        if set.zero_ns > monotonic_ns() {
            return Err(refusal("it found a run that has not begun yet".to_owned(), None));
        }
        if let Some((most, who)) = max_rate.zip(self.sends_more()) {
            let why = format!("it sends at most {most}, and {who}");
            let hint = "start the agent without --max-rate".to_owned();
            return Err(refusal(why, Some(hint)));
        }
        let share = AgentShare::new(set.index, set.of).zip(set.load.load());
        let (share, load) = share.ok_or_else(|| refusal("it found no share of a load".to_owned(), None))?;
        if let Load::Hold(hold) = &load {
            let mut ports = hold.ports.iter().map(|port| SocketAddr::new(self.remote.ip(), *port));
            ports.try_for_each(|to| check_allowed(to, allow))?;
        }
        Ok(Job {
            requests: self.requests.clone(),
            hidden: hidden(&self.plan),
            load,
            seed: self.plan.seed(),
            first: set.first,
            share,
            connections: self.plan.connections(),
            remote: Address::Tcp(self.remote),
            tls: self.tls.clone(),
            tunnel: None,
            generator: self.generator.clone(),
            ticks: Ticks::with_one_at(Duration::from_nanos(set.warm_up_ns), Duration::from_nanos(set.tick_ns)),
            zero_ns: set.zero_ns,
            actions: None,
        })
    }
}

/// Refuses what would lead past the list of targets, or to files of this machine.
fn check_place(plan: &Plan) -> Result<(), Refusal> {
    let target = plan.target();
    let tls = &target.tls;
    let found = if target.proxy.is_some() {
        "a proxy, which would decide where the load goes"
    } else if matches!(target.url.server, Server::Unix(_)) {
        "a unix socket, which is on one machine alone"
    } else if tls.ca.is_some() || tls.cert.is_some() || tls.key.is_some() {
        "files of certificates or keys, which are on the machine of the coordinator"
    } else if plan.scenario().repeated().is_some() {
        "actions of held connections, whose messages one machine has to count"
    } else {
        return Ok(());
    };
    let hint = "make this run without a fleet";
    Err(refusal(format!("it found {found}"), Some(hint.to_owned())))
}

/// The address to load. Names are resolved here, and nothing is sent to an address that is not on the list, not even to try it.
fn allowed(plan: &Plan, allow: &AllowList) -> Result<SocketAddr, Refusal> {
    let destination = Destination::of_load(plan.target());
    let Server::Tcp { host, port } = &destination.url.server else {
        return Err(refusal("it found no address".to_owned(), None));
    };
    let found = candidates(&destination.names(host), *port);
    let found = found.map_err(|error| refusal(format!("it failed to {error}"), None))?;
    let permitted: Vec<_> = found.iter().copied().filter(|to| allow.permits(*to)).collect();
    match permitted.as_slice() {
        [] => check_allowed(found[0], allow).map(|()| found[0]),
        permitted => Ok(first_that_accepts(permitted)),
    }
}

fn check_allowed(to: SocketAddr, allow: &AllowList) -> Result<(), Refusal> {
    if allow.permits(to) {
        return Ok(());
    }
    let hint = format!("if it may load that target, start it with --allow {to}");
    Err(refusal(
        format!("it found the target {to}, expected one of {allow}"),
        Some(hint),
    ))
}

fn failed(error: &crate::LabError) -> Refusal {
    refusal(format!("it failed to {error}"), error.hint())
}

fn refusal(why: String, hint: Option<String>) -> Refusal {
    Refusal { why, hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_fleet::SentLoad;

    fn sent(text: &str) -> SentPlan {
        let plan = Plan::parse(text, "plan.yaml").expect("a plan");
        SentPlan {
            text: plan.to_json(),
            rows: plan.rows(),
        }
    }

    #[test]
    fn plan_for_what_is_not_allowed_is_refused() {
        for (plan, allow, found) in [
            (
                "target: http://127.0.0.1:81/",
                "127.0.0.1:80",
                Some("found the target 127.0.0.1:81, expected one of 127.0.0.1:80"),
            ),
            ("target: http://127.0.0.1:80/", "127.0.0.1:80", None),
            ("target: http://localhost:80/", "127.0.0.0/8:*", None),
            (
                "target: http://127.0.0.1:80/",
                "10.0.0.0/8:*",
                Some("expected one of 10.0.0.0/8:*"),
            ),
            // The plan says where a name is, and that is what counts.
            (
                "target: { url: 'http://127-0-0-1.example/', resolve: ['127-0-0-1.example:80:10.9.9.9'] }",
                "127.0.0.0/8:*",
                Some("found the target 10.9.9.9:80"),
            ),
            (
                "target: { url: 'http://h/', proxy: 'http://127.0.0.1:80' }",
                "127.0.0.1:*",
                Some("a proxy"),
            ),
            (
                "target: http+unix://%2Frun%2Fapp.sock/",
                "127.0.0.1:*",
                Some("a unix socket"),
            ),
            (
                "target: { url: 'https://127.0.0.1/', tls: { ca: /etc/passwd } }",
                "127.0.0.1:*",
                Some("files of certificates"),
            ),
        ] {
            let allow = AllowList::parse([allow]).expect("a list");
            let ready = Ready::of(&sent(plan), &allow, &GeneratorOptions::default());
            match (ready, found) {
                (Ok(_), None) => {}
                (Err(refusal), Some(found)) => assert!(refusal.why.contains(found), "{plan}: {}", refusal.why),
                (Ok(_), Some(found)) => panic!("{plan}: expected {found}"),
                (Err(refusal), None) => panic!("{plan}: {}", refusal.why),
            }
        }
    }

    #[test]
    fn load_of_which_others_decide_how_much_it_is_has_no_top_rate() {
        for (plan, found) in [
            ("target: http://127.0.0.1:80/", None),
            (
                "target: { url: 'http://127.0.0.1:80/', follow_redirects: 2 }",
                Some("the service decides how many redirects"),
            ),
            (
                "target: http://127.0.0.1:80/\nscenario: { journeys: [{ actions: [request: { path: / }] }] }",
                Some("users on journeys"),
            ),
        ] {
            let sent = sent(plan);
            let allow = AllowList::default();
            let ready = Ready::of(&sent, &allow, &GeneratorOptions::default()).expect("a plan");
            let set = Set {
                step: 0,
                index: 0,
                of: 1,
                load: SentLoad::from(ready.plan.load()),
                first: 0,
                warm_up_ns: 0,
                tick_ns: 1_000_000_000,
                zero_ns: 0,
            };
            assert!(ready.job(&set, &allow, None).is_ok(), "{plan}");
            let refused = ready.job(&set, &allow, Some(Rate::per_s(1_000_000)));
            let why = refused.err().map(|refusal| refusal.why);
            match (&why, found) {
                (None, None) => {}
                (Some(why), Some(found)) if why.contains(found) => {}
                _ => panic!("{plan}: {why:?}, expected {found:?}"),
            }
        }
    }
}
