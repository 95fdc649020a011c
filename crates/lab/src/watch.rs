//! What the probe says during a step, and the window of it that counts: from the end of the warm-up to the last response.
//!
//! The probe is code inside of the service, so nothing here waits without an end, and no tick takes in more than a bounded
//! part of what was said. Source files are read once the load is over.

use crate::collections::{ALIVE_EVERY_BYTES, Collections};
use crate::error::LabError;
use crate::journal::Journal;
use crate::removables::Removables;
use plimsoll_measure::probe::{ProbeLine, ProbeMessage};
use plimsoll_measure::{CollectionMark, LoopDelays, NoteKind, Record};
use plimsoll_target::{Probe, ProbeEvent, ProbeMode, Removal, Sources, grown_heapprofile};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Often enough: some thousands of samples in a pass. Each costs the service some 50 µs.
pub(crate) const SAMPLE_EVERY: Duration = Duration::from_millis(2);
/// Rare enough that it costs little, often enough to see where most memory is asked for.
pub(crate) const ALLOCATION_EVERY_BYTES: u64 = 256 << 10;
/// For the service to load the probe, once it responds.
const HELLO_TIMEOUT: Duration = Duration::from_secs(2);
/// For a thread to do what it is asked to, or to say that it is at it: the probe has a thread of its own for that, which
/// speaks even while the service is stuck.
const SILENCE: Duration = Duration::from_secs(2);
/// For a thread that keeps saying that it is at it: what it does with a profile takes less than the window that the profile
/// is of, so it gets as long as that, within these bounds.
const PATIENCE: RangeInclusive<Duration> = Duration::from_secs(4)..=Duration::from_secs(20);
/// Between two looks at whether the user has stopped the run.
const LOOK: Duration = Duration::from_millis(100);
/// Events that one tick takes in. What is left comes with the next.
const EVENTS_PER_TICK: usize = 4096;
/// Notes of what the probe could not do.
const ERRORS_MAX: usize = 3;

/// Listens to the probe during one pass.
pub(crate) struct Watch<'a> {
    probe: Probe,
    stop: &'a AtomicBool,
    /// Threads that are connected.
    threads: BTreeSet<u32>,
    /// One of them is the main thread of a process.
    serves: bool,
    /// Threads that did not do in time what they were asked to; nobody waits for them again.
    silent: BTreeSet<u32>,
    /// When each thread was asked for a profile.
    profiled: BTreeMap<u32, Instant>,
    /// When the window began.
    begun: Option<Instant>,
    /// Profiles that have begun and nobody has asked about yet: threads that work for those that are profiled.
    started: Option<Vec<u32>>,
    errors: BTreeSet<String>,
    /// It was waited for, before the first load.
    prepared: bool,
    /// Something was said.
    heard: bool,
    sources: Sources,
    removables: Removables,
    /// When the service is asked what it keeps, in a run that asks for it.
    collections: Option<Collections>,
    /// What was sampled of memory in the first half of the time, by thread.
    first_half: BTreeMap<u32, String>,
    /// Delays of the event loop since the last tick, µs.
    loop_delays_us: Vec<u32>,
    over: bool,
    /// What was seen is waited for though the user has stopped the run.
    waits: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(probe: Probe, sources: Sources, stop: &'a AtomicBool) -> Self {
        Self {
            probe,
            stop,
            threads: BTreeSet::new(),
            serves: false,
            silent: BTreeSet::new(),
            profiled: BTreeMap::new(),
            begun: None,
            started: None,
            errors: BTreeSet::new(),
            prepared: false,
            heard: false,
            sources,
            removables: Removables::default(),
            collections: None,
            first_half: BTreeMap::new(),
            loop_delays_us: Vec::new(),
            over: false,
            waits: false,
        }
    }

    /// The service is asked now and then what it keeps.
    pub(crate) fn asking(self, collections: Option<Collections>) -> Self {
        Self { collections, ..self }
    }

    /// Before the first load: waits until the service has loaded the probe, which it does as it begins to listen. Profiles
    /// begin now, because V8 names only those regular expressions in a profile that it compiles during one; the
    /// warm-up is left out of them afterwards.
    pub(crate) fn prepare(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        if self.prepared {
            return;
        }
        self.prepared = true;
        let deadline = Instant::now() + HELLO_TIMEOUT;
        // Threads that it starts may speak before that which serves.
        while !self.serves {
            match self.next_until(deadline) {
                Some(event) => self.keep(event, at_ns, journal),
                None => break,
            };
        }
        if *self.probe.mode() == ProbeMode::Profile {
            self.await_replies(1, at_ns, journal);
        }
    }

    /// Before any load: whether the service has all this and it can be left out. What it has, it says as it begins to listen.
    ///
    /// # Errors
    /// When it has none of a name, or it is never left out.
    pub(crate) fn look(&mut self, removals: &[Removal], journal: &mut Journal<'_>) -> Result<(), LabError> {
        let deadline = Instant::now() + HELLO_TIMEOUT;
        while !removals.iter().all(|removal| self.removables.has(removal)) {
            match self.next_until(deadline) {
                Some(event) => self.keep(event, 0, journal),
                None => break,
            };
        }
        removals.iter().try_for_each(|removal| self.removables.look(removal))
    }

    /// Keeps what was said since the last tick. The first tick at the end of the warm-up begins the window.
    pub(crate) fn tick(&mut self, at_ns: u64, is_warm: bool, journal: &mut Journal<'_>) {
        self.drain(at_ns, journal);
        let delays_us = std::mem::take(&mut self.loop_delays_us);
        if !delays_us.is_empty() {
            journal.push(&Record::LoopDelays(LoopDelays::of(at_ns, &delays_us)));
        }
        if is_warm {
            self.collect(at_ns, journal);
        }
        if !is_warm || self.begun.is_some() {
            return;
        }
        self.begun = Some(Instant::now());
        journal.probe(at_ns, &ProbeLine::WindowBegins);
        match self.probe.mode() {
            ProbeMode::Counters => {
                self.probe.report();
                self.probe.collect(0);
            }
            ProbeMode::Profile => self.probe.start_allocations(ALLOCATION_EVERY_BYTES),
            ProbeMode::Memory => self.probe.start_alive(ALIVE_EVERY_BYTES),
            ProbeMode::Without(_) | ProbeMode::Routes | ProbeMode::Loop => {}
        }
    }

    /// Takes what the service said of what it keeps, and asks it again when it is time to.
    fn collect(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        let Some(collections) = &mut self.collections else {
            return;
        };
        if let Some(collected) = collections.take(at_ns) {
            journal.push(&Record::Kept(collected.sample));
            if collected.is_halfway {
                self.probe.read_allocations();
            }
        }
        let threads: BTreeSet<u32> = self.threads.difference(&self.silent).copied().collect();
        if collections.is_due(at_ns) && !threads.is_empty() {
            self.probe.collect(collections.ask(at_ns, threads));
            journal.push(&Record::Collection(CollectionMark { at_ns }));
        }
    }

    /// Once for each time that profiles have begun since: threads that work for those that are profiled.
    pub(crate) fn take_started(&mut self) -> Option<Vec<u32>> {
        self.started.take()
    }

    /// Ends the window: asks all threads for what they have, and waits for it. The load is over by now.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        self.drain(at_ns, journal);
        self.over = true;
        self.probe.ends();
        if self.begun.is_some() {
            match self.probe.mode() {
                ProbeMode::Counters => {
                    self.probe.report();
                    self.await_replies(1, at_ns, journal);
                }
                ProbeMode::Profile => {
                    self.probe.stop_profile();
                    self.probe.stop_allocations();
                    self.await_replies(2, at_ns, journal);
                }
                ProbeMode::Memory => {
                    // A long soak is stopped when its user has seen enough. What is garbage by now is not alive.
                    self.waits = true;
                    self.probe.collect(0);
                    self.await_replies(1, at_ns, journal);
                    self.probe.stop_allocations();
                    self.await_replies(1, at_ns, journal);
                }
                ProbeMode::Without(_) | ProbeMode::Routes | ProbeMode::Loop => {}
            }
            journal.restore_sites(at_ns, &mut self.sources);
            journal.probe(at_ns, &ProbeLine::WindowEnds);
            // What is kept between this and the collection at the beginning grew in the window.
            if *self.probe.mode() == ProbeMode::Counters {
                self.probe.collect(0);
                self.await_replies(1, at_ns, journal);
            }
        }
        let losses = self.probe.losses();
        if !losses.is_nothing() {
            let message = format!("some data from the probe was dropped: {losses}");
            let hint = "this happens only in a very long pass, or where another program poses as the probe".to_owned();
            journal.note(at_ns, NoteKind::Warning, message, Some(hint));
        }
        for message in self.sources.notices() {
            journal.note(at_ns, NoteKind::Warning, message, None);
        }
    }

    /// Whether nothing at all was heard.
    pub(crate) fn heard_nobody(&self) -> bool {
        !self.heard
    }

    /// Whether everything that was to be left out was; a thread of the service has said so by now.
    pub(crate) fn check_removals(&self) -> Result<(), LabError> {
        match self.probe.mode() {
            ProbeMode::Without(removals) => removals.iter().try_for_each(|removal| self.removables.check(removal)),
            ProbeMode::Counters | ProbeMode::Profile | ProbeMode::Routes | ProbeMode::Memory | ProbeMode::Loop => {
                Ok(())
            }
        }
    }

    fn drain(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        for _ in 0..EVENTS_PER_TICK {
            let Some(event) = self.probe.next(Duration::ZERO) else {
                return;
            };
            self.keep(event, at_ns, journal);
        }
    }

    /// The next event before `deadline`, unless the user stops the run.
    fn next_until(&self, deadline: Instant) -> Option<ProbeEvent> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || (!self.waits && self.stop.load(Ordering::Relaxed)) {
                return None;
            }
            if let Some(event) = self.probe.next(left.min(LOOK)) {
                return Some(event);
            }
        }
    }

    /// Keeps events until each thread has replied to as many commands as it was given, or is silent for too long.
    fn await_replies(&mut self, commands: u32, at_ns: u64, journal: &mut Journal<'_>) {
        let begun = Instant::now();
        let window = self
            .begun
            .map_or(Duration::ZERO, |at| begun.saturating_duration_since(at));
        let patient_until = begun + window.clamp(*PATIENCE.start(), *PATIENCE.end());
        let awaited = self.threads.difference(&self.silent);
        let mut awaited: BTreeMap<u32, (u32, Instant)> = awaited.map(|thread| (*thread, (commands, begun))).collect();
        while !awaited.is_empty() {
            let now = Instant::now();
            let heard = awaited.values().map(|(_, heard)| *heard).max().unwrap_or(begun);
            let Some(event) = self.next_until((heard + SILENCE).min(patient_until)) else {
                break;
            };
            let (closed, working) = match &event {
                ProbeEvent::Closed { .. } => (true, None),
                // Counters are there at once.
                ProbeEvent::Working { connection }
                    if matches!(self.probe.mode(), ProbeMode::Profile | ProbeMode::Memory) =>
                {
                    (false, Some(*connection))
                }
                _ => (false, None),
            };
            let keeping = Instant::now();
            let replied = self.keep(event, at_ns, journal);
            // While a profile is read here, nobody else is silent.
            let kept = keeping.elapsed();
            for (_, heard) in awaited.values_mut() {
                *heard += kept;
            }
            if let Some((_, heard)) = working.and_then(|thread| awaited.get_mut(&thread)) {
                *heard = now;
            }
            let Some(thread) = replied else { continue };
            match awaited.get_mut(&thread) {
                Some((open, heard)) if *open > 1 && !closed => {
                    *open -= 1;
                    *heard = now;
                }
                _ => {
                    awaited.remove(&thread);
                }
            }
            // Who is silent for so long is waited for no longer, though others are.
            let now = now + kept;
            let is_silent = |(_, heard): &(u32, Instant)| *heard + SILENCE < now;
            let given_up: Vec<u32> = awaited
                .iter()
                .filter(|(_, state)| is_silent(state))
                .map(|(thread, _)| *thread)
                .collect();
            self.give_up(&given_up, at_ns, journal);
            awaited.retain(|_, state| !is_silent(state));
        }
        let left: Vec<u32> = awaited.into_keys().collect();
        self.give_up(&left, at_ns, journal);
    }

    fn give_up(&mut self, threads: &[u32], at_ns: u64, journal: &mut Journal<'_>) {
        self.silent.extend(threads);
        if threads.is_empty() || self.stop.load(Ordering::Relaxed) {
            return;
        }
        let message = match threads {
            [_] => "a thread of the service did not reply to the probe in time; its figures may be missing".to_owned(),
            _ => format!(
                "{} threads of the service did not reply to the probe in time; their figures may be missing",
                threads.len()
            ),
        };
        journal.note(at_ns, NoteKind::Warning, message, None);
    }

    /// Keeps an event; returns the thread that has replied by it, or is gone.
    fn keep(&mut self, event: ProbeEvent, at_ns: u64, journal: &mut Journal<'_>) -> Option<u32> {
        match event {
            // As much as is told comes with the stream, and none of it again as what the probe said.
            ProbeEvent::Message {
                message: ProbeMessage::LoopDelays { delays_us },
                ..
            } => {
                self.heard = true;
                self.loop_delays_us.extend(delays_us);
                None
            }
            ProbeEvent::Message { connection, message } => {
                self.heard = true;
                let replies = self.heed(connection, &message, at_ns, journal);
                journal.probe(at_ns, &ProbeLine::From { connection, message });
                replies.then_some(connection)
            }
            ProbeEvent::Working { .. } => None,
            ProbeEvent::Profile { connection, json } => {
                let asked = self.profiled.get(&connection);
                let warm_up = asked
                    .zip(self.begun)
                    .map(|(asked, begun)| begun.saturating_duration_since(*asked));
                journal.take_profile(at_ns, connection, &json, warm_up.unwrap_or_default(), &mut self.sources);
                Some(connection)
            }
            ProbeEvent::Allocations { connection, json } if *self.probe.mode() == ProbeMode::Memory => {
                self.keep_alive(connection, json, at_ns, journal);
                Some(connection)
            }
            ProbeEvent::Allocations { connection, json } => {
                journal.take_allocations(at_ns, connection, &json, &mut self.sources);
                Some(connection)
            }
            ProbeEvent::Closed { connection } => {
                self.threads.remove(&connection);
                self.collections.iter_mut().for_each(|all| all.failed(connection));
                Some(connection)
            }
        }
    }

    /// Keeps what a thread sampled of what stays alive: of the whole time, less what was there half-way.
    fn keep_alive(&mut self, connection: u32, json: String, at_ns: u64, journal: &mut Journal<'_>) {
        if !self.over {
            self.first_half.insert(connection, json);
            return;
        }
        let json = match self.first_half.remove(&connection) {
            Some(before) => grown_heapprofile(before.as_bytes(), json.as_bytes()).map_err(|error| error.to_string()),
            None => Ok(json),
        };
        match json {
            Ok(json) => journal.take_allocations(at_ns, connection, &json, &mut self.sources),
            Err(error) => self.complain(format!("failed to {error}"), at_ns, journal),
        }
    }

    /// What a message asks of us. Returns whether it replies to a command.
    fn heed(&mut self, connection: u32, message: &ProbeMessage, at_ns: u64, journal: &mut Journal<'_>) -> bool {
        match message {
            ProbeMessage::Hello(hello) => {
                self.serves |= hello.thread_id == 0;
                self.collections
                    .iter_mut()
                    .for_each(|all| all.greet(connection, hello.pid));
                self.sources.serves_from(&hello.cwd);
                if let Some(main) = &hello.main {
                    self.sources.serves_script(main);
                }
                if self.threads.insert(connection) && *self.probe.mode() == ProbeMode::Profile {
                    self.profiled.insert(connection, Instant::now());
                    self.probe.start_profile(connection, SAMPLE_EVERY);
                }
                for skipped in &hello.skipped {
                    let message = format!(
                        "the probe left out {} because {}; these data are missing",
                        skipped.part, skipped.reason
                    );
                    self.complain(message, at_ns, journal);
                }
                false
            }
            ProbeMessage::Off { reason } => {
                let message = format!("the probe switched itself off because {reason}");
                self.complain(message, at_ns, journal);
                false
            }
            ProbeMessage::Error { message } => {
                let message = format!("the probe could not carry out a command: {message}");
                self.complain(message, at_ns, journal);
                self.collections.iter_mut().for_each(|all| all.failed(connection));
                true
            }
            ProbeMessage::Kept(kept) => {
                self.collections
                    .iter_mut()
                    .for_each(|all| all.replied(connection, kept));
                true
            }
            ProbeMessage::Removable(found) => {
                self.removables.found(found);
                false
            }
            ProbeMessage::Removed(removed) => {
                self.removables.removed(removed);
                false
            }
            ProbeMessage::Started { beside, .. } => {
                // Only for a profile do threads move to other cores.
                if *self.probe.mode() == ProbeMode::Profile {
                    self.started.get_or_insert_default().extend(beside);
                }
                true
            }
            ProbeMessage::Counters(_) => true,
            _ => false,
        }
    }

    /// Notes what the probe could not do; the same is said once, and few of them.
    fn complain(&mut self, message: String, at_ns: u64, journal: &mut Journal<'_>) {
        if self.errors.len() < ERRORS_MAX && self.errors.insert(message.clone()) {
            journal.note(at_ns, NoteKind::Warning, message, None);
        }
    }
}
