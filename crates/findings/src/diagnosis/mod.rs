//! What a diagnosis found.

mod cause;
mod cause_kind;
mod evidence;

pub use cause::{Bound, Cause, Diagnosis, FlameCall, Pass, Place, Predicted, Slice};
pub use cause_kind::CauseKind;
pub use evidence::{Assumption, BoundBecause, CodeClass, Evidence, Garbage, SpentOn, What};
