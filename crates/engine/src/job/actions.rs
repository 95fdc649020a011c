//! What held connections do besides, as a part of a job.

use super::Job;
use crate::generator::Generator;
use crate::messages::{Ledger, Marks, Sendings};
use plimsoll_plan::{Address, Load, OpenLoad, Repeat};
use plimsoll_schedule::{AgentShare, planned_count};
use plimsoll_tls::Connector;
use std::sync::Arc;

/// What connections do while they are held, all together: the requests of the scenario that are actions.
#[derive(Debug, Clone)]
pub struct Actions {
    /// How often each connection does it.
    pub repeat: Repeat,
    /// How many of the connections each message is for; `None` where nobody knows.
    pub receivers: Option<u64>,
    /// Where they go over connections of their own; `None` where they are messages on the held ones.
    pub elsewhere: Option<Elsewhere>,
}

/// Where actions go over connections of their own.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// Where to.
    pub remote: Address,
    /// How TLS is spoken there; else nothing is encrypted.
    pub tls: Option<Connector>,
}

impl Job {
    /// What is to be known of the messages that the actions send, beside the connections that are held from `start_ns` on.
    pub(super) fn ledger(&self, start_ns: u64) -> Option<Arc<Ledger>> {
        let (Some(actions), Load::Hold(hold)) = (&self.actions, &self.load) else {
            return None;
        };
        let load = actions.repeat.load(hold);
        let all_are_due_ns = start_ns + hold.opening().as_nanos() as u64;
        let sendings = Sendings {
            first_ns: actions.elsewhere.is_some().then_some(all_are_due_ns),
            duration_ns: load.duration().as_nanos() as u64,
            micro_per_s: rate_of(&load),
            count: planned_count(&load, AgentShare::WHOLE),
            senders: hold.connections.into(),
            awaited_ns: self.connections.response_timeout.as_nanos() as u64,
            request: self.requests.first_action(),
            receivers: actions.receivers,
        };
        let sending = match actions.elsewhere {
            Some(_) => 1,
            None => self.generator.shards.max(1),
        };
        let marks = Marks::of_run(self.zero_ns, self.seed);
        Some(Arc::new(Ledger::new(marks, sendings, sending)))
    }

    /// The load that the actions make, where they have connections of their own.
    pub(super) fn acting(&self, ledger: &Ledger) -> Option<Self> {
        let (Some(actions), Load::Hold(hold)) = (&self.actions, &self.load) else {
            return None;
        };
        let elsewhere = actions.elsewhere.as_ref()?;
        let load = actions.repeat.load(hold);
        let mut cpus = self.generator.cpus.clone();
        if !cpus.is_empty() {
            // Of the cores, the next one after those of the shards that hold.
            cpus.rotate_left(self.generator.shards as usize % self.generator.cpus.len());
        }
        Some(Self {
            requests: self.requests.acting(ledger.marks),
            load: Load::Open(load),
            remote: elsewhere.remote.clone(),
            tls: elsewhere.tls.clone(),
            tunnel: None,
            generator: Generator {
                shards: 1,
                cpus,
                ..self.generator.clone()
            },
            actions: None,
            ..self.clone()
        })
    }
}

/// The rate of a load that has one, in millionths per second.
fn rate_of(load: &OpenLoad) -> u64 {
    load.segments.first().map_or(0, |segment| segment.to.micro_per_s())
}
