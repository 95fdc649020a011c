//! Files that are derived from code and committed, so that they can be read and linked without building anything.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes every generated file below `root`.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn run(root: &Path) -> Result<()> {
    write_json(root, "docs/findings.schema.json", &plimsoll_report::findings_schema())
}

fn write_json(root: &Path, path: &str, value: &serde_json::Value) -> Result<()> {
    let text = serde_json::to_string_pretty(value).with_context(|| format!("format {path}"))?;
    fs::write(root.join(path), text + "\n").with_context(|| format!("write {path}"))
}
