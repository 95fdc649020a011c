//! Where more is said of a kind of cause.

use plimsoll_findings::CauseKind;

/// The command that explains it.
pub(crate) fn explained_by(kind: CauseKind) -> String {
    format!("plimsoll explain {}", kind.as_str())
}
