//! Notes of a stream as notices, in the words of then.

use plimsoll_findings::{Noted, Notice};
use plimsoll_measure::{Note, NoteKind};

/// What a note says.
pub(crate) fn noted(note: &Note) -> Notice {
    let words = Noted {
        said: note.message.clone(),
        advice: note.hint.clone(),
    };
    match note.kind {
        NoteKind::Interrupted => Notice::Interrupted(words),
        NoteKind::TargetDied => Notice::TargetDied(words),
        NoteKind::OutOfMemory => Notice::OutOfMemory(words),
        NoteKind::NeighbourDied => Notice::NeighbourDied(words),
        NoteKind::PortTaken => Notice::PortTaken(words),
        NoteKind::AgentLost => Notice::AgentLost(words),
        NoteKind::Warning => Notice::Warning(words),
        NoteKind::Torn => Notice::Torn(words),
    }
}
