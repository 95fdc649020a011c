//! What an earlier run has found, from its directory.

use crate::exit::Failure;
use plimsoll_files::Directory;
use serde::de::DeserializeOwned;
use std::path::Path;

const FINDINGS: &str = "findings.json";
/// Far above the findings of any run.
const MOST_FINDINGS_BYTES: u64 = 32 << 20;

/// What `T` has of the findings in this run directory; `hint` says which one is expected.
pub(crate) fn read<T: DeserializeOwned>(directory: &Path, hint: &str) -> Result<T, Failure> {
    let path = directory.join(FINDINGS);
    let read = Directory::open(directory).and_then(|directory| directory.text(FINDINGS, MOST_FINDINGS_BYTES));
    let text = read.map_err(|error| Failure::bad_plan(format!("{}: {error}", path.display())).hint(hint))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::bad_plan(format!("{}: not the findings of a run: {error}", path.display())))
}
