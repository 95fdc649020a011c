//! A load line as users name it.

use plimsoll_plan::Rate;
use std::path::PathBuf;

/// Of an earlier search.
#[derive(Debug, Clone)]
pub(crate) enum LineArg {
    /// What it found.
    Rate(Rate),
    /// Its run directory.
    Run(PathBuf),
}
