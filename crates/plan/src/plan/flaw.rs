//! What is wrong with a plan whose parts are right.

use crate::notation::mismatch::Mismatch;

/// A rule that does not hold, and the key that it is about, such as `load.segments[1].to`.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) key: String,
    pub(crate) mismatch: Mismatch,
}
