//! The profile of a service that runs already, or what it keeps, by its inspector. Nothing is counted in it.

use crate::collections::{ALIVE_EVERY_BYTES, Collections};
use crate::journal::Journal;
use crate::watch::{ALLOCATION_EVERY_BYTES, SAMPLE_EVERY};
use plimsoll_measure::probe::{ProbeHello, ProbeKept, ProbeLine, ProbeMessage};
use plimsoll_measure::{CollectionMark, NoteKind, Record};
use plimsoll_target::{Inspector, InspectorError, Sources, Target, grown_heapprofile};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What a pass may take besides its load: the drain, and the profiles that are handed over.
const BESIDES: Duration = Duration::from_secs(180);

/// The thread that the inspector reaches, the main one.
const THREAD: u32 = 0;

/// Watches one pass.
pub(crate) struct Inspection {
    purpose: Purpose,
    sources: Sources,
    /// How long the load of the pass takes at most.
    load: Duration,
    state: State,
}

/// What it is for.
enum Purpose {
    Profile,
    Memory(Memory),
}

/// Asks the service what it keeps.
struct Memory {
    collections: Collections,
    /// What was sampled of memory in the first half of the time.
    first_half: Option<String>,
}

enum State {
    New,
    Watching {
        inspector: Box<Inspector>,
        began: Instant,
        /// When the window began.
        window: Option<Instant>,
    },
    Over,
}

impl Inspection {
    /// With collections it asks for what the service keeps, else it profiles.
    pub(crate) fn new(sources: Sources, load: Duration, collections: Option<Collections>) -> Self {
        let memory = collections.map(|collections| Memory {
            collections,
            first_half: None,
        });
        Self {
            purpose: memory.map_or(Purpose::Profile, Purpose::Memory),
            sources,
            load,
            state: State::New,
        }
    }

    /// Before the first load: begins the profile; the warm-up is left out of it afterwards.
    pub(crate) fn prepare(&mut self, target: Option<&mut Target>, at_ns: u64, journal: &mut Journal<'_>) {
        if !matches!(self.state, State::New) {
            return;
        }
        self.state = State::Over;
        let Some(opened) = target.map(|target| target.inspect(self.load + BESIDES)) else {
            return;
        };
        let begun = opened.and_then(|mut inspector| {
            let about = inspector.about()?;
            if matches!(self.purpose, Purpose::Profile) {
                inspector.start_profile(SAMPLE_EVERY)?;
            }
            Ok((inspector, about))
        });
        // Of a service that does not run Node.js, resident memory says it.
        if matches!(
            (&self.purpose, &begun),
            (Purpose::Memory(_), Err(InspectorError::NoNode))
        ) {
            return;
        }
        if let Some((inspector, about)) = told(begun, at_ns, journal) {
            if inspector.shares_files() {
                self.sources.serves_from(&about.cwd);
                if let Some(main) = &about.main {
                    self.sources.serves_script(main);
                }
            } else {
                note_foreign_files(&inspector, at_ns, journal);
            }
            let hello = ProbeHello {
                cwd: about.cwd,
                main: about.main,
                ..ProbeHello::default()
            };
            let message = ProbeMessage::Hello(Box::new(hello));
            journal.probe(at_ns, &ProbeLine::From { connection: 0, message });
            self.state = State::Watching {
                inspector: Box::new(inspector),
                began: Instant::now(),
                window: None,
            };
        }
    }

    /// The first tick at the end of the warm-up begins the window.
    pub(crate) fn tick(&mut self, at_ns: u64, is_warm: bool, journal: &mut Journal<'_>) {
        let State::Watching { inspector, window, .. } = &mut self.state else {
            return;
        };
        if !is_warm {
            return;
        }
        let begins = window.is_none();
        window.get_or_insert_with(Instant::now);
        let goes_on = match &mut self.purpose {
            Purpose::Profile if begins => {
                told(inspector.start_allocations(ALLOCATION_EVERY_BYTES), at_ns, journal);
                true
            }
            Purpose::Profile => true,
            Purpose::Memory(memory) => {
                if begins {
                    told(inspector.start_alive(ALIVE_EVERY_BYTES), at_ns, journal);
                }
                memory.tick(inspector, at_ns, journal)
            }
        };
        if !goes_on {
            self.state = State::Over;
        }
    }

    /// Takes what was seen, and lets go of the service. The load is over by now.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        let State::Watching {
            mut inspector,
            began,
            window,
        } = std::mem::replace(&mut self.state, State::Over)
        else {
            return;
        };
        let Some(window) = window else { return };
        let allocations = match &mut self.purpose {
            Purpose::Profile => {
                let warm_up = window.saturating_duration_since(began);
                if let Some(json) = told(inspector.stop_profile(), at_ns, journal) {
                    journal.take_profile(at_ns, 0, &json, warm_up, &mut self.sources);
                }
                told(inspector.stop_allocations(), at_ns, journal)
            }
            Purpose::Memory(memory) => memory.end(&mut inspector, at_ns, journal),
        };
        if let Some(json) = allocations {
            journal.take_allocations(at_ns, 0, &json, &mut self.sources);
        }
        for message in self.sources.notices() {
            journal.note(at_ns, NoteKind::Warning, message, None);
        }
    }
}

impl Memory {
    /// Asks the service what it keeps when it is time to. False where it does not reply any more.
    fn tick(&mut self, inspector: &mut Inspector, at_ns: u64, journal: &mut Journal<'_>) -> bool {
        if !self.collections.is_due(at_ns) {
            return true;
        }
        journal.push(&Record::Collection(CollectionMark { at_ns }));
        let id = self.collections.ask(at_ns, BTreeSet::from([THREAD]));
        self.collections.greet(THREAD, inspector.pid());
        let begun = Instant::now();
        let kept = told(inspector.kept(), at_ns, journal);
        match &kept {
            Some(kept) => self.collections.replied(THREAD, &ProbeKept { id, ..kept.clone() }),
            None => self.collections.failed(THREAD),
        }
        if let Some(collected) = self.collections.take(at_ns + begun.elapsed().as_nanos() as u64) {
            journal.push(&Record::Kept(collected.sample));
            if collected.is_halfway {
                self.first_half = told(inspector.read_allocations(), at_ns, journal);
            }
        }
        kept.is_some()
    }

    /// What came in the second half of the time and is alive.
    fn end(&self, inspector: &mut Inspector, at_ns: u64, journal: &mut Journal<'_>) -> Option<String> {
        // What is garbage by now is not alive.
        told(inspector.kept(), at_ns, journal)?;
        let json = told(inspector.stop_allocations(), at_ns, journal)?;
        let Some(before) = &self.first_half else {
            return Some(json);
        };
        let grown = grown_heapprofile(before.as_bytes(), json.as_bytes());
        if let Err(error) = &grown {
            journal.note(at_ns, NoteKind::Warning, format!("failed to {error}"), None);
        }
        grown.ok()
    }
}

/// What is found here under the path of a file in a container may be another file.
fn note_foreign_files(inspector: &Inspector, at_ns: u64, journal: &mut Journal<'_>) {
    let message = format!(
        "{} has files of its own, as in a container, so its source maps and sources are not read: lines are those of the code that runs, but where Node.js itself has a source map",
        inspector.process()
    );
    let hint =
        "give plimsoll the service to start, outside of a container, where lines of compiled code are not enough";
    journal.note(at_ns, NoteKind::Warning, message, Some(hint.to_owned()));
}

/// What came; of what did not, a note says why.
fn told<T>(result: Result<T, InspectorError>, at_ns: u64, journal: &mut Journal<'_>) -> Option<T> {
    match result {
        Ok(came) => Some(came),
        Err(error) => {
            journal.note(
                at_ns,
                NoteKind::Warning,
                format!("failed to {error}"),
                Some(error.hint()),
            );
            None
        }
    }
}
