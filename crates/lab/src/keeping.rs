//! What becomes of a directory that cannot be written while something is measured: it is incomplete, which is said once, and
//! the measuring goes on.

use plimsoll_findings::Event;
use plimsoll_measure::run_directory::DirectoryError;
use plimsoll_measure::{Note, NoteKind};

/// Whether the directory of a diagnosis, a comparison or a study holds all that it should.
#[derive(Debug, Default)]
pub struct Keeping {
    incomplete: bool,
}

impl Keeping {
    /// Takes note of a failure. What was measured is in memory, and is worth more than its copy.
    pub fn bear(&mut self, kept: Result<(), DirectoryError>, on_event: &mut dyn FnMut(Event<'_>)) {
        let Err(error) = kept else {
            return;
        };
        if !self.incomplete {
            self.incomplete = true;
            on_event(Event::Note(&incomplete(0, &error)));
        }
    }
}

/// The note that says so.
pub(crate) fn incomplete(at_ns: u64, error: &DirectoryError) -> Note {
    Note {
        at_ns,
        kind: NoteKind::Warning,
        message: format!("the run directory is incomplete: failed to {error}"),
        hint: error.hint(),
    }
}
