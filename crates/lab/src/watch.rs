//! What the probe says during a step, and the window of it that counts: from the end of the warm-up to the last answer.

use crate::journal::Journal;
use plimsoll_measure::NoteKind;
use plimsoll_measure::probe::{ProbeLine, ProbeMessage};
use plimsoll_target::{Probe, ProbeEvent, ProbeMode, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Often enough: some thousands of samples in a pass. Each costs the service some 50 µs.
const SAMPLE_EVERY: Duration = Duration::from_millis(2);
/// Rare enough that it costs little, often enough to see where most memory is asked for.
const ALLOCATION_EVERY_BYTES: u64 = 256 << 10;
/// For the service to load the probe, once it answers.
const HELLO_TIMEOUT: Duration = Duration::from_secs(2);
/// For profiles to begin.
const START_TIMEOUT: Duration = Duration::from_secs(3);
/// For the last counters: the probe's own thread answers, even while the service is stuck.
const COUNTERS_TIMEOUT: Duration = Duration::from_secs(3);
/// For a CPU profile, which has to be written out and sent.
const PROFILE_TIMEOUT: Duration = Duration::from_secs(60);

/// Listens to the probe during one pass.
pub(crate) struct Watch {
    probe: Probe,
    /// Threads that are connected.
    threads: BTreeSet<u32>,
    /// When each thread was asked for a profile.
    profiled: BTreeMap<u32, Instant>,
    /// When the window began.
    begun: Option<Instant>,
    sources: Sources,
}

impl Watch {
    pub(crate) fn new(probe: Probe) -> Self {
        Self {
            probe,
            threads: BTreeSet::new(),
            profiled: BTreeMap::new(),
            begun: None,
            sources: Sources::default(),
        }
    }

    /// Before the load: waits until the service has loaded the probe, which it does as it begins to listen. Profiles
    /// begin now, because V8 names only those regular expressions in a profile that it compiles during one; the
    /// warm-up is left out of them afterwards.
    pub(crate) fn prepare(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        let deadline = Instant::now() + HELLO_TIMEOUT;
        while self.threads.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(event) = self.probe.next(left) else { return };
            self.keep(event, at_ns, journal);
        }
        if self.probe.mode() == ProbeMode::Profile {
            self.await_answers(START_TIMEOUT, 1, at_ns, journal);
        }
    }

    /// Keeps what was said since the last tick. The first tick at the end of the warm-up begins the window; returns
    /// whether this one did.
    pub(crate) fn tick(&mut self, at_ns: u64, is_warm: bool, journal: &mut Journal<'_>) -> bool {
        self.drain(at_ns, journal);
        if !is_warm || self.begun.is_some() {
            return false;
        }
        self.begun = Some(Instant::now());
        journal.probe(at_ns, &ProbeLine::WindowBegins);
        match self.probe.mode() {
            ProbeMode::Counters => self.probe.report(),
            ProbeMode::Profile => self.probe.start_allocations(ALLOCATION_EVERY_BYTES),
        }
        true
    }

    /// Ends the window: asks all threads for what they have, and waits for it.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        self.drain(at_ns, journal);
        if self.begun.is_some() {
            match self.probe.mode() {
                ProbeMode::Counters => {
                    self.probe.report();
                    self.await_answers(COUNTERS_TIMEOUT, 1, at_ns, journal);
                }
                ProbeMode::Profile => {
                    self.probe.stop_profile();
                    self.probe.stop_allocations();
                    self.await_answers(PROFILE_TIMEOUT, 2, at_ns, journal);
                }
            }
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

    /// Keeps events until each thread has given as many answers as it was given commands.
    fn await_answers(&mut self, timeout: Duration, commands: u32, at_ns: u64, journal: &mut Journal<'_>) {
        let deadline = Instant::now() + timeout;
        let mut awaited: BTreeMap<u32, u32> = self.threads.iter().map(|thread| (*thread, commands)).collect();
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
            let closed = matches!(event, ProbeEvent::Closed { .. });
            let Some(thread) = self.keep(event, at_ns, journal) else {
                continue;
            };
            match awaited.get_mut(&thread) {
                Some(open) if *open > 1 && !closed => *open -= 1,
                _ => {
                    awaited.remove(&thread);
                }
            }
        }
    }

    /// Keeps an event; returns the thread that has answered by it, or is gone.
    fn keep(&mut self, event: ProbeEvent, at_ns: u64, journal: &mut Journal<'_>) -> Option<u32> {
        match event {
            ProbeEvent::Message { connection, message } => {
                let is_new = self.threads.insert(connection);
                if is_new && self.probe.mode() == ProbeMode::Profile {
                    self.profiled.insert(connection, Instant::now());
                    self.probe.start_profile(connection, SAMPLE_EVERY);
                }
                let message = match message {
                    ProbeMessage::Site(mut site) => {
                        self.sources.restore_site(&mut site);
                        ProbeMessage::Site(site)
                    }
                    message => message,
                };
                let answers = match &message {
                    ProbeMessage::Counters(_) | ProbeMessage::Started { .. } => true,
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
                let asked = self.profiled.get(&connection);
                let warm_up = asked
                    .zip(self.begun)
                    .map(|(asked, begun)| begun.saturating_duration_since(*asked));
                journal.take_profile(at_ns, connection, &json, warm_up.unwrap_or_default(), &mut self.sources);
                Some(connection)
            }
            ProbeEvent::Allocations { connection, json } => {
                journal.take_allocations(at_ns, connection, &json, &mut self.sources);
                Some(connection)
            }
            ProbeEvent::Closed { connection } => {
                self.threads.remove(&connection);
                Some(connection)
            }
        }
    }
}
