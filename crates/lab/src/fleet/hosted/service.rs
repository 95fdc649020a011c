//! A service on the machine of a target agent: does with it what a run asks, by what a run does with one on its own machine.

use super::wire::{Question, Reply, Start};
use crate::collections::Collections;
use crate::error::LabError;
use crate::here::Here;
use crate::journal::Journal;
use crate::neighbours::{Cores, Neighbours};
use crate::run_info::run_info;
use crate::secured;
use crate::service::start_target;
use crate::watch::Watch;
use plimsoll_analysis::Fold;
use plimsoll_engine::monotonic_ns;
use plimsoll_fleet::Refusal;
use plimsoll_measure::{Host, RunKind};
use plimsoll_plan::{KnownSecrets, Plan};
use plimsoll_target::{Probe, Scratch, Sources, available_cpus, check_limits, check_target_cpus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// A service that a target agent may start.
#[derive(Debug, Clone)]
pub struct HostedService {
    /// What runs call it.
    pub name: String,
    /// The plan whose target it is. Nothing else in it counts.
    pub plan: Plan,
    /// Where loads reach it besides the URL of that target, such as at a balancer: scheme, host and port of each.
    pub reached_at: Vec<String>,
}

impl HostedService {
    /// Checks that it can be started on this machine.
    ///
    /// # Errors
    /// When its plan starts nothing, or wants what is not there.
    pub fn check(&self) -> Result<(), LabError> {
        let target = self.plan.target();
        let Some(command) = &target.command else {
            let found = format!(
                "found no command in the target of service {}, expected one to start",
                self.name
            );
            return Err(LabError::Plan(found));
        };
        check_target_cpus(&target.cpus, &available_cpus())?;
        check_limits(&command.limits)?;
        Ok(())
    }

    /// Whether a load that goes there reaches it.
    fn is_reached_at(&self, origin: &str) -> Result<(), Refusal> {
        let own = self.plan.target().url.origin();
        if own == origin || self.reached_at.iter().any(|place| place == origin) {
            return Ok(());
        }
        let expected: Vec<&str> = [own.as_str()]
            .into_iter()
            .chain(self.reached_at.iter().map(String::as_str))
            .collect();
        Err(Refusal {
            why: format!(
                "refused: it found a load of {origin}, and service {} is reached at {}",
                self.name,
                expected.join(", ")
            ),
            hint: Some(format!(
                "load that, or start the target agent with --reached-at {}={origin} if that leads to it",
                self.name
            )),
        })
    }
}

/// Does what is asked until nobody asks any more, or `stop` is set; nothing of the service is left then.
pub(super) fn work(
    service: &HostedService,
    questions: &Receiver<(u64, String)>,
    replies: &Sender<(u64, String)>,
    stop: &AtomicBool,
) {
    let plan = &service.plan;
    let fold = Fold::new(plan, &run_info(plan, RunKind::Run), &Host::default());
    let mut ignored = |_: plimsoll_findings::Event<'_>| {};
    let mut journal = Journal::relaying(fold, &mut ignored);
    // Removed when the service has ended.
    let mut scratch = None;
    let mut here = None;
    while let Ok((number, text)) = questions.recv() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let reply = match serde_json::from_str::<Question>(&text) {
            Ok(Question::Start(_)) if here.is_some() => refused("refused: it has started the service".to_owned(), None),
            Ok(Question::Start(start)) => match begin(service, &start, &mut scratch, stop, &mut journal) {
                Ok(started) => {
                    here = Some(started);
                    Reply {
                        said: journal.take_relayed(),
                        ..Reply::default()
                    }
                }
                Err(reply) => *reply,
            },
            Ok(question) => match &mut here {
                Some(here) => respond(here, &question, stop, &mut journal),
                None => refused("refused: it has not started the service".to_owned(), None),
            },
            Err(error) => refused(format!("refused what it cannot read: {error}"), None),
        };
        let Ok(text) = serde_json::to_string(&reply) else {
            return;
        };
        if replies.send((number, text)).is_err() {
            return;
        }
    }
}

fn begin<'a>(
    service: &HostedService,
    start: &Start,
    scratch: &mut Option<Scratch>,
    stop: &'a AtomicBool,
    journal: &mut Journal<'_>,
) -> Result<Here<'a>, Box<Reply>> {
    let checked = service.is_reached_at(&start.origin);
    checked.map_err(|refusal| Box::new(refused(refusal.why, refusal.hint)))?;
    let started = started(service, start, scratch, stop, journal);
    started.map_err(|error| Box::new(refused(format!("failed to {error}"), error.hint())))
}

fn started<'a>(
    service: &HostedService,
    start: &Start,
    scratch: &mut Option<Scratch>,
    stop: &'a AtomicBool,
    journal: &mut Journal<'_>,
) -> Result<Here<'a>, LabError> {
    let plan = &service.plan;
    let probe = match start.watching {
        Some(watching) => {
            let probe = Probe::listen(watching.mode()).map_err(LabError::Probe)?;
            Some(match start.tells_loop_delays {
                true => probe.telling_loop_delays(),
                false => probe,
            })
        }
        None => None,
    };
    let output = scratch.insert(Scratch::new("plimsoll-target-").map_err(LabError::Scratch)?);
    let output = output.path().join("output.txt");
    // No generator wants cores of this machine.
    let cpus = &plan.target().cpus;
    let cores = Cores {
        neighbours: &[],
        service: cpus,
    };
    let neighbours = Neighbours::start(plan, &cores, stop, journal)?;
    let tls = secured::connector(plan)?;
    let mut target = start_target(plan, tls.as_ref(), cpus, &output, probe.as_ref(), stop, journal)?;
    if let Some(target) = &mut target {
        target.extend_to(&start.ports);
        if start.is_one_of_several {
            target.tell_instances();
        }
    }
    let sources = Sources::new(KnownSecrets::of(plan), start.package_maps);
    let collections = start.collections_ns.map(Duration::from_nanos).map(Collections::new);
    Ok(Here {
        target,
        neighbours,
        watch: probe.map(|probe| Watch::new(probe, sources, stop).asking(collections)),
        inspection: None,
    })
}

fn respond(here: &mut Here<'_>, question: &Question, stop: &AtomicBool, journal: &mut Journal<'_>) -> Reply {
    let at_ns = monotonic_ns();
    let mut reply = Reply::default();
    match question {
        Question::Start(_) => {}
        Question::Prepare => here.prepare(at_ns, journal),
        Question::Tick { is_judged } => {
            here.tick(at_ns, *is_judged, journal);
            reply.said = journal.take_relayed();
            look(here, &mut reply, journal);
            reply.trouble = here.trouble(monotonic_ns(), journal);
            reply.told = journal.take_relayed();
        }
        Question::Sample => look(here, &mut reply, journal),
        Question::End => here.end(at_ns, journal),
        Question::CheckPort => {
            reply.trouble = here.check_port(at_ns, journal);
            reply.told = journal.take_relayed();
        }
        Question::Stop { is_urgent } => match is_urgent {
            true => here.stop(at_ns, &AtomicBool::new(true), journal),
            false => here.stop(at_ns, stop, journal),
        },
    }
    reply.said.extend(journal.take_relayed());
    reply
}

fn look(here: &mut Here<'_>, reply: &mut Reply, journal: &mut Journal<'_>) {
    let at_ns = monotonic_ns();
    reply.sample = here.sample(at_ns);
    here.record_instances(at_ns, journal);
    reply.instances = journal.take_relayed();
    here.record_neighbours(at_ns, journal);
    reply.beside = journal.take_relayed();
}

fn refused(why: String, hint: Option<String>) -> Reply {
    Reply {
        refusal: Some(Refusal { why, hint }),
        ..Reply::default()
    }
}
