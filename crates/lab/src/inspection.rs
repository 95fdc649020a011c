//! The profile of a service that runs already, by its inspector. Nothing is counted in it.

use crate::journal::Journal;
use crate::watch::{ALLOCATION_EVERY_BYTES, SAMPLE_EVERY};
use plimsoll_measure::NoteKind;
use plimsoll_measure::probe::{ProbeHello, ProbeLine, ProbeMessage};
use plimsoll_target::{Inspector, InspectorError, Sources, Target};
use std::time::{Duration, Instant};

/// What a pass may take besides its load: the drain, and the profiles that are handed over.
const BESIDES: Duration = Duration::from_secs(180);

/// Profiles one pass.
pub(crate) struct Inspection {
    sources: Sources,
    /// How long the load of the pass takes at most.
    load: Duration,
    state: State,
}

enum State {
    New,
    Profiling {
        inspector: Box<Inspector>,
        began: Instant,
        /// When the window began.
        window: Option<Instant>,
    },
    Over,
}

impl Inspection {
    pub(crate) const fn new(sources: Sources, load: Duration) -> Self {
        Self {
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
            inspector.start_profile(SAMPLE_EVERY)?;
            Ok((inspector, about))
        });
        if let Some((inspector, about)) = told(begun, at_ns, journal) {
            self.sources.serves_from(&about.cwd);
            if let Some(main) = &about.main {
                self.sources.serves_script(main);
            }
            let hello = ProbeHello {
                cwd: about.cwd,
                main: about.main,
                ..ProbeHello::default()
            };
            let message = ProbeMessage::Hello(Box::new(hello));
            journal.probe(at_ns, &ProbeLine::From { connection: 0, message });
            self.state = State::Profiling {
                inspector: Box::new(inspector),
                began: Instant::now(),
                window: None,
            };
        }
    }

    /// The first tick at the end of the warm-up begins the window.
    pub(crate) fn tick(&mut self, at_ns: u64, is_warm: bool, journal: &mut Journal<'_>) {
        if let State::Profiling { inspector, window, .. } = &mut self.state
            && is_warm
            && window.is_none()
        {
            *window = Some(Instant::now());
            told(inspector.start_allocations(ALLOCATION_EVERY_BYTES), at_ns, journal);
        }
    }

    /// Takes what was seen, and lets go of the service. The load is over by now.
    pub(crate) fn end(&mut self, at_ns: u64, journal: &mut Journal<'_>) {
        let State::Profiling {
            mut inspector,
            began,
            window,
        } = std::mem::replace(&mut self.state, State::Over)
        else {
            return;
        };
        let Some(window) = window else { return };
        let warm_up = window.saturating_duration_since(began);
        if let Some(json) = told(inspector.stop_profile(), at_ns, journal) {
            journal.take_profile(at_ns, 0, &json, warm_up, &mut self.sources);
        }
        if let Some(json) = told(inspector.stop_allocations(), at_ns, journal) {
            journal.take_allocations(at_ns, 0, &json, &mut self.sources);
        }
        for message in self.sources.notices() {
            journal.note(at_ns, NoteKind::Warning, message, None);
        }
    }
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
