//! `plimsoll import`: a plan of what other tools have.

use crate::CommandResult;
use crate::args::ImportArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Said, say, write_new};
use crate::stderr;
use plimsoll_files::{found, given};
use plimsoll_import::{LeftOut, MOST_FILE_BYTES, Needed, Options, Source, counted, import as imported};
use std::path::{Component, Path, PathBuf};

/// Stands for a file on standard input.
const STANDARD_INPUT: &str = "-";
/// Far more than a plan has values.
const MOST_TABLE_BYTES: u64 = 4 << 20;

pub(crate) fn import(args: &ImportArgs) -> CommandResult {
    let is_piped = args.file == Path::new(STANDARD_INPUT);
    let text = if is_piped { piped() } else { read(&args.file) }?;
    let environment = args.environment.as_deref().map(read).transpose()?;
    let name = if is_piped {
        "standard input".into()
    } else {
        args.file.to_string_lossy()
    };
    let source = Source {
        name: &name,
        text: &text,
        format: args.from,
        environment: environment.as_deref(),
        writes: args.writes,
        files: &|path| table(&args.file, path),
    };
    let options = Options {
        url: args.url.as_deref(),
        body_file: &|path| beside(&args.file, args.output.as_deref(), path),
    };
    let imported = imported(&source, &options).map_err(|error| {
        let failure = Failure::bad_plan(format!("failed to import {name}: {error}"));
        match error.hint_text() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })?;
    stderr::tell(&format!(
        "imported {} from {name}, {}",
        counted(imported.requests, "request"),
        imported.format
    ));
    tell_rest(
        &imported.needed,
        ("not carried over", &imported.left_out),
        &format!("{name}:"),
    );
    if args.strict && !imported.left_out.is_empty() {
        let left_out = imported.left_out.len();
        let message = format!(
            "carry over all of {name}: {} left out, and no plan is written",
            counted(left_out, "thing")
        );
        return Err(Failure::to(message).hint("import without --strict, and check what is listed above"));
    }
    match &args.output {
        None => say(Said::Text(&imported.plan))?,
        Some(path) => {
            write_new(path, &imported.plan, args.force)?;
            let path = path.display();
            say(Said::Text(&format!(
                "wrote {path}\n\nnext:\n  plimsoll run {path}   run a short load test, to check that it works\n"
            )))?;
        }
    }
    Ok(Exit::Pass)
}

/// Says what a plan needs, and what it does not have of what it was made of; each place in that begins with `place`.
pub(super) fn tell_rest(needed: &[Needed], (heading, left_out): (&str, &[LeftOut]), place: &str) {
    let mut lines = Vec::new();
    if !needed.is_empty() {
        lines.push("set in the environment before the plan runs:".to_owned());
        lines.extend(needed.iter().map(|needed| format!("  {}: {}", needed.name, needed.why)));
    }
    if !left_out.is_empty() {
        lines.push(format!("{heading}, {}:", left_out.len()));
        lines.extend(left_out.iter().map(|left_out| format!("  {place}{left_out}")));
    }
    if !lines.is_empty() {
        stderr::tell(&lines.join("\n"));
    }
}

pub(super) fn read(path: &Path) -> Result<String, Failure> {
    given::text(path, MOST_FILE_BYTES)
        .map_err(|error| Failure::bad_plan(format!("failed to read {}: {error}", path.display())))
}

fn piped() -> Result<String, Failure> {
    let failed = |why: String| Failure::bad_plan(format!("failed to read standard input: {why}"));
    let bytes = given::standard_input(MOST_FILE_BYTES).map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| failed("it is not UTF-8 text".to_owned()))
}

/// A table that the file names. A file that came from elsewhere has nothing to do with others than those beside it.
fn table(file: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    let is_below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let directory = file.parent().filter(|_| is_below)?;
    found::text(&directory.join(path), MOST_TABLE_BYTES).ok()
}

/// The path from a plan to a file that lies beside the file that was imported.
fn beside(file: &Path, plan: Option<&Path>, path: &str) -> String {
    let directory = |of: &Path| of.parent().map(Path::to_path_buf).unwrap_or_default();
    let (from, to) = (directory(file), plan.map_or_else(PathBuf::new, directory));
    if from == to || Path::new(path).is_absolute() {
        return path.to_owned();
    }
    let whole = from.join(path);
    match to == Path::new("") {
        true => whole,
        false => std::path::absolute(&whole).unwrap_or(whole),
    }
    .display()
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_file_is_named_from_the_directory_of_the_plan() {
        let path = |file: &str, plan: Option<&str>| beside(Path::new(file), plan.map(Path::new), "b.json");
        assert_eq!(path("a/x.http", None), "a/b.json");
        assert_eq!(path("a/x.http", Some("a/plan.yaml")), "b.json");
        assert_eq!(path("x.http", Some("plan.yaml")), "b.json");
        assert!(path("a/x.http", Some("c/plan.yaml")).ends_with("/a/b.json"));
    }
}
