//! What a diagnosis found.

mod cause;
mod cause_kind;
mod evidence;

pub use cause::{Bound, BrokeFirst, Cause, Diagnosis, FlameCall, Pass, Place, Predicted, ResponseThen, Slice};
pub use cause_kind::CauseKind;
pub use evidence::{Assumption, BoundBecause, CodeClass, Evidence, Garbage, SpentOn, What};
