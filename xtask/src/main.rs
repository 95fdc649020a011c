//! Development tasks: `cargo xtask tidy` checks the tree itself, `cargo xtask generate` writes what is derived from code.
//!
//! It knows the layout of this repository and nothing else does. No crate may depend on it.
#![expect(
    clippy::disallowed_methods,
    reason = "it reads and writes the files of this repository, which no one else has touched"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command whose output is its purpose"
)]

mod generate;
mod tidy;

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <task>

  tidy       check the tree itself: layers, names, size, documents, links
  generate   write the generated files: JSON Schemas, settings of clippy, the command reference";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let done = match task.as_deref() {
        Some("tidy") => tidy(),
        Some("generate") => root().and_then(|root| generate::run(&root)).map(|()| true),
        _ => {
            eprintln!("{USAGE}");
            Ok(false)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints every violation; `true` when there is none.
fn tidy() -> Result<bool> {
    let report = tidy::run(&root()?)?;
    for violation in &report.violations {
        println!("{violation}");
    }
    if report.violations.is_empty() {
        println!("tidy: {} checks over {} files", report.checks, report.files);
    } else {
        println!("tidy: {} violations", report.violations.len());
    }
    Ok(report.violations.is_empty())
}

/// The root of the repository, wherever in it the task was started.
fn root() -> Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .context("find the directory above xtask")
}
