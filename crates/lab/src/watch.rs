//! What the probe says during a step, and the window of it that counts: from the end of the warm-up to the last answer.

use crate::journal::Journal;
use plimsoll_measure::NoteKind;
use plimsoll_measure::probe::{ProbeLine, ProbeMessage};
use plimsoll_target::{Probe, ProbeEvent, ProbeMode, Sources};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Often enough for functions of a millisecond, at a tenth more CPU.
const SAMPLE_EVERY: Duration = Duration::from_millis(1);
/// For the last counters: the probe's own thread answers, even while the service is stuck.
const COUNTERS_TIMEOUT: Duration = Duration::from_secs(3);
/// For a CPU profile, which has to be written out and sent.
const PROFILE_TIMEOUT: Duration = Duration::from_secs(60);

/// Listens to the probe during one pass.
pub(crate) struct Watch {
    probe: Probe,
    /// Threads that are connected.
    threads: BTreeSet<u32>,
    begun: bool,
    sources: Sources,
}

impl Watch {
    pub(crate) fn new(probe: Probe) -> Self {
        Self {
            probe,
            threads: BTreeSet::new(),
            begun: false,
            sources: Sources::default(),
        }
    }

    /// Keeps what was said since the last tick. The first tick at the end of the warm-up begins the window.
    pub(crate) fn tick(&mut self, at_ns: u64, is_warm: bool, journal: &mut Journal<'_>) {
        self.drain(at_ns, journal);
        if is_warm && !self.begun {
            self.begun = true;
            journal.probe(at_ns, &ProbeLine::WindowBegins);
            match self.probe.mode() {
                ProbeMode::Counters => self.probe.report(),
                ProbeMode::Profile => self.probe.start_profile(SAMPLE_EVERY),
            }
        }
    }

    /// Ends the window: asks all threads for what they have, and waits for it.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        self.drain(at_ns, journal);
        if self.begun {
            let timeout = match self.probe.mode() {
                ProbeMode::Counters => {
                    self.probe.report();
                    COUNTERS_TIMEOUT
                }
                ProbeMode::Profile => {
                    self.probe.stop_profile();
                    PROFILE_TIMEOUT
                }
            };
            self.await_answers(Instant::now() + timeout, at_ns, journal);
            journal.probe(at_ns, &ProbeLine::WindowEnds);
        }
        let damaged = self.probe.damaged_lines();
        if damaged > 0 {
            let message = format!("{damaged} lines of the probe could not be read; what they said is missing");
            journal.note(at_ns, NoteKind::Warning, message, None);
        }
    }

    fn drain(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        while let Some(event) = self.probe.next(Duration::ZERO) {
            self.keep(event, at_ns, journal);
        }
    }

    fn await_answers(&mut self, deadline: Instant, at_ns: u64, journal: &mut Journal<'_>) {
        let mut awaited = self.threads.clone();
        while !awaited.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(event) = self.probe.next(left) else {
                let message = format!(
                    "{} threads of the service did not answer the probe in time",
                    awaited.len()
                );
                journal.note(at_ns, NoteKind::Warning, message, None);
                return;
            };
            if let Some(answered) = self.keep(event, at_ns, journal) {
                awaited.remove(&answered);
            }
        }
    }

    /// Keeps an event; returns the thread of which nothing more is to come.
    fn keep(&mut self, event: ProbeEvent, at_ns: u64, journal: &mut Journal<'_>) -> Option<u32> {
        match event {
            ProbeEvent::Message { connection, message } => {
                self.threads.insert(connection);
                let message = match message {
                    ProbeMessage::Site(mut site) => {
                        self.sources.restore_site(&mut site);
                        ProbeMessage::Site(site)
                    }
                    message => message,
                };
                let answers = match &message {
                    ProbeMessage::Counters(_) => true,
                    ProbeMessage::Error { message } => {
                        let message = format!("the probe could not do what it was asked to: {message}");
                        journal.note(at_ns, NoteKind::Warning, message, None);
                        true
                    }
                    _ => false,
                };
                journal.probe(at_ns, &ProbeLine::From { connection, message });
                answers.then_some(connection)
            }
            ProbeEvent::Profile { connection, json } => {
                journal.take_profile(at_ns, connection, &json, &mut self.sources);
                Some(connection)
            }
            ProbeEvent::Closed { connection } => {
                self.threads.remove(&connection);
                Some(connection)
            }
        }
    }
}
