//! The service of a run on other machines, as the run sees it.

use super::link::{Link, MachineClock, NoReply};
use super::wire::{Question, Reply, Start};
use crate::error::LabError;
use crate::journal::Journal;
use crate::relayed::Relayed;
use crate::trouble::Trouble;
use plimsoll_findings::Event;
use plimsoll_fleet::{Dial, Fault};
use plimsoll_measure::{GroupSample, InstancesSample, NoteKind, TargetSample};
use plimsoll_plan::{Hosted, KnownSecrets};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is asked at a tick is replied within this time, or the machine is lost.
const SOON: Duration = Duration::from_secs(3);
/// What the probe is asked for takes as long as the probe does.
const WATCHING: Duration = Duration::from_secs(90);
/// A service starts and stops as quickly as the plan of its agent says; nothing takes longer than this.
const SERVICE: Duration = Duration::from_secs(900);
/// Samples of a clock that is known less exactly say nothing of a window, ns.
const CLOCK_ERROR_MAX_NS: u64 = 100_000_000;
/// Numbers of threads of one machine are below this.
const THREADS_MAX: u32 = 1 << 20;

/// The service on other machines.
pub(crate) struct There {
    link: Link,
    names: Vec<String>,
    zero_ns: u64,
    /// Fixed for a step, so that what is used between samples is exact.
    clocks: Vec<MachineClock>,
    is_prepared: bool,
    /// What came of the last look, until it is taken.
    latest: Vec<Reply>,
    /// Why a machine is not heard any more, and whether that was said.
    lost: Option<(String, Option<String>)>,
    is_lost_noted: bool,
    is_clock_noted: bool,
    /// What nothing that is kept may show.
    hidden: KnownSecrets,
}

impl There {
    /// Holds the machines with a service, and has it started on each.
    pub(crate) fn start(
        dial: &dyn Dial,
        hosted: &Hosted,
        start: Start,
        (zero_ns, hidden): (u64, KnownSecrets),
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<Self, LabError> {
        let link = Link::hold(dial, hosted, stop)?;
        let (names, clocks) = (link.names(), link.clocks());
        let what = format!("{} on {}", hosted.service, names.join(", "));
        journal.emit(Event::ServiceStarting { command: &what });
        let mut there = Self {
            link,
            zero_ns,
            clocks,
            is_prepared: false,
            latest: Vec::new(),
            lost: None,
            is_lost_noted: false,
            is_clock_noted: false,
            hidden,
            names,
        };
        let is_one_of_several = there.names.len() > 1;
        let question = Question::Start(Start {
            is_one_of_several,
            ..start
        });
        let replies = there.ask(&question, SERVICE, Some(stop));
        if stop.load(Ordering::Relaxed) {
            return Err(LabError::Stopped);
        }
        let failed = |found, hint| LabError::Hosted {
            service: hosted.service.to_string(),
            found,
            hint,
        };
        let Some(replies) = replies else {
            let (found, hint) = there.lost.take().unwrap_or_default();
            return Err(failed(found, hint));
        };
        for (name, reply) in there.names.iter().zip(&replies) {
            if let Some(refusal) = &reply.refusal {
                let found = format!("target agent {name} {}", refusal.why);
                return Err(failed(found, refusal.hint.clone()));
            }
        }
        there.take_said(replies, journal);
        journal.emit(Event::ServiceReady);
        Ok(there)
    }

    /// What is kept from now on is without these.
    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        self.hidden.clone_from(hidden);
    }

    /// Before a step.
    pub(crate) fn prepare(&mut self, journal: &mut Journal<'_>) {
        self.clocks = self.link.clocks();
        if !self.is_prepared {
            self.is_prepared = true;
            let replies = self.ask(&Question::Prepare, WATCHING, None).unwrap_or_default();
            self.take_said(replies, journal);
        }
        let is_unclear = |clock: &MachineClock| clock.error_ns > CLOCK_ERROR_MAX_NS;
        let unclear = self.clocks.iter().zip(&self.names).find(|(clock, _)| is_unclear(clock));
        if let Some((clock, name)) = unclear
            && !std::mem::replace(&mut self.is_clock_noted, true)
        {
            let message = format!(
                "the clock of target agent {name} is known to {:.0} ms alone, so what its service uses is not judged",
                clock.error_ns as f64 / 1e6
            );
            let hint = "look at the network between it and the broker".to_owned();
            journal.note(self.at_ns(), NoteKind::Warning, message, Some(hint));
        }
    }

    /// After a tick: keeps what was said since the last one, and hands on a sample.
    pub(crate) fn tick(&mut self, is_judged: bool, journal: &mut Journal<'_>) -> Option<TargetSample> {
        self.latest = self.ask(&Question::Tick { is_judged }, SOON, None).unwrap_or_default();
        let said = self.taken(|reply| &mut reply.said);
        self.keep(said, journal);
        self.sampled()
    }

    pub(crate) fn sample(&mut self) -> Option<TargetSample> {
        self.latest = self.ask(&Question::Sample, SOON, None).unwrap_or_default();
        self.sampled()
    }

    /// Of all machines together.
    pub(crate) fn record_instances(&mut self, journal: &mut Journal<'_>) {
        let mut all: Option<InstancesSample> = None;
        for (place, name) in self.names.clone().into_iter().enumerate() {
            for relayed in self.taken_of(place, |reply| &mut reply.instances) {
                let Relayed::Instances(mut sample) = relayed else {
                    continue;
                };
                for process in &mut sample.processes {
                    process.machine = Some(name.clone());
                }
                match &mut all {
                    Some(all) => all.processes.extend(sample.processes),
                    None => all = Some(sample),
                }
            }
        }
        self.keep(all.map(Relayed::Instances).into_iter().collect(), journal);
    }

    pub(crate) fn record_neighbours(&mut self, journal: &mut Journal<'_>) {
        let beside = self.taken(|reply| &mut reply.beside);
        self.keep(beside, journal);
    }

    /// Whether anything has gone wrong that ends the step; a note says what.
    pub(crate) fn trouble(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        let told = self.taken(|reply| &mut reply.told);
        self.keep(told, journal);
        let trouble = self.latest.iter().find_map(|reply| reply.trouble);
        trouble.or_else(|| self.note_lost(at_ns, journal))
    }

    /// After the last load.
    pub(crate) fn end(&mut self, journal: &mut Journal<'_>) {
        let replies = self.ask(&Question::End, WATCHING, None).unwrap_or_default();
        self.take_said(replies, journal);
    }

    pub(crate) fn check_port(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        self.latest = self.ask(&Question::CheckPort, SOON, None).unwrap_or_default();
        self.trouble(at_ns, journal)
    }

    pub(crate) fn is_there(&self) -> bool {
        self.lost.is_none() && self.latest.iter().all(|reply| reply.trouble.is_none())
    }

    pub(crate) fn stop(&mut self, stop: &AtomicBool, journal: &mut Journal<'_>) {
        if self.lost.is_none() {
            let is_urgent = stop.load(Ordering::Relaxed);
            let replies = self
                .ask(&Question::Stop { is_urgent }, SERVICE, None)
                .unwrap_or_default();
            self.take_said(replies, journal);
        }
    }

    /// What all machines reply; `None` once one of them is lost.
    fn ask(&mut self, question: &Question, patience: Duration, stop: Option<&AtomicBool>) -> Option<Vec<Reply>> {
        if self.lost.is_some() {
            return None;
        }
        let (found, hint) = match serde_json::to_string(question) {
            Err(error) => (error.to_string(), None),
            Ok(text) => match self.link.ask(text, patience, stop) {
                Ok(texts) => match texts.iter().map(|text| serde_json::from_str(text)).collect() {
                    Ok(replies) => return Some(replies),
                    Err(error) => (format!("a target agent replied what cannot be read: {error}"), None),
                },
                Err(NoReply::Stopped) => return None,
                Err(NoReply::Bus(error)) => (format!("failed to {error}"), error.hint),
                Err(NoReply::Lost(faults)) => {
                    let found: Vec<_> = faults.iter().map(|fault| format!("target {fault}")).collect();
                    (found.join("; "), faults.iter().find_map(Fault::hint))
                }
            },
        };
        self.lost = Some((found, hint));
        None
    }

    fn note_lost(&mut self, at_ns: u64, journal: &mut Journal<'_>) -> Option<Trouble> {
        let (found, hint) = self.lost.clone()?;
        if !std::mem::replace(&mut self.is_lost_noted, true) {
            journal.note(at_ns, NoteKind::AgentLost, found, hint);
        }
        Some(Trouble::MachineLost)
    }

    /// Now, since the beginning of the run, ns.
    fn at_ns(&self) -> u64 {
        plimsoll_engine::monotonic_ns().saturating_sub(self.zero_ns)
    }

    /// What the service uses on all machines together; `None` where one of them does not say it, or its clock says too little.
    fn sampled(&self) -> Option<TargetSample> {
        let samples: Option<Vec<TargetSample>> = self
            .latest
            .iter()
            .zip(&self.clocks)
            .map(|(reply, clock)| {
                let sample = reply.sample.filter(|_| clock.error_ns <= CLOCK_ERROR_MAX_NS)?;
                Some(TargetSample {
                    at_ns: since(self.zero_ns, clock.ahead_ns, sample.at_ns),
                    ..sample
                })
            })
            .collect();
        sum(&samples?)
    }

    /// A part of what all machines replied last, by the clock of the run.
    fn taken(&mut self, part: impl Fn(&mut Reply) -> &mut Vec<Relayed>) -> Vec<Relayed> {
        let places = 0..self.latest.len();
        places.flat_map(|place| self.taken_of(place, &part)).collect()
    }

    /// The same of one machine.
    fn taken_of(&mut self, place: usize, part: impl Fn(&mut Reply) -> &mut Vec<Relayed>) -> Vec<Relayed> {
        let (Some(reply), Some(clock)) = (self.latest.get_mut(place), self.clocks.get(place)) else {
            return Vec::new();
        };
        let time = |at_ns| since(self.zero_ns, clock.ahead_ns, at_ns);
        let thread = |number: u32| place as u32 * THREADS_MAX + number % THREADS_MAX;
        let all = std::mem::take(part(reply)).into_iter();
        all.map(|relayed| relayed.moved(time, thread)).collect()
    }

    fn take_said(&mut self, replies: Vec<Reply>, journal: &mut Journal<'_>) {
        self.latest = replies;
        let said = self.taken(|reply| &mut reply.said);
        self.keep(said, journal);
    }

    fn keep(&self, all: Vec<Relayed>, journal: &mut Journal<'_>) {
        let at_ns = self.at_ns();
        for relayed in all {
            journal.take_in(at_ns, relayed.without(&self.hidden));
        }
    }
}

/// A time by a clock that is so much ahead, since the beginning of the run, ns.
const fn since(zero_ns: u64, ahead_ns: i64, there_ns: u64) -> u64 {
    let here_ns = there_ns.saturating_add_signed(ahead_ns.saturating_neg());
    here_ns.saturating_sub(zero_ns)
}

/// What several machines use together; `None` of none.
fn sum(samples: &[TargetSample]) -> Option<TargetSample> {
    let (first, others) = samples.split_first()?;
    let mut all = *first;
    for other in others {
        all.at_ns = all.at_ns.midpoint(other.at_ns);
        all.cpu_ns += other.cpu_ns;
        all.cores += other.cores;
        all.rss_bytes += other.rss_bytes;
        all.processes += other.processes;
        all.threads += other.threads;
        all.sockets += other.sockets;
        all.descriptors = all.descriptors.zip(other.descriptors).map(|(a, b)| a + b);
        all.context_switches_voluntary += other.context_switches_voluntary;
        all.context_switches_involuntary += other.context_switches_involuntary;
        all.group = all.group.zip(other.group).map(|(a, b)| GroupSample {
            cpu_millicores: a.cpu_millicores.zip(b.cpu_millicores).map(|(a, b)| a + b),
            throttled_ns: a.throttled_ns.zip(b.throttled_ns).map(|(a, b)| a + b),
            memory_bytes: a.memory_bytes.zip(b.memory_bytes).map(|(a, b)| a + b),
            memory_limit_bytes: a.memory_limit_bytes.zip(b.memory_limit_bytes).map(|(a, b)| a + b),
            oom_kills: a.oom_kills + b.oom_kills,
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_there_is_a_time_of_the_run() {
        assert_eq!(since(1_000, 5_000, 6_500), 500);
        assert_eq!(since(1_000, -700, 800), 500);
        // A clock that is known a little wrong leads to no time before the run.
        assert_eq!(since(1_000, 5_000, 5_900), 0);
    }

    #[test]
    fn machines_use_what_each_of_them_does() {
        let sample = |cpu_ns, descriptors| TargetSample {
            at_ns: 10,
            cpu_ns,
            cores: 2,
            descriptors,
            ..TargetSample::default()
        };
        let all = sum(&[sample(5, Some(3)), sample(7, Some(4))]).expect("two");
        assert_eq!(
            (all.cpu_ns, all.cores, all.descriptors, all.at_ns),
            (12, 4, Some(7), 10)
        );
        assert_eq!(
            sum(&[sample(5, Some(3)), sample(7, None)]).expect("two").descriptors,
            None
        );
        assert_eq!(sum(&[]), None);
    }
}
