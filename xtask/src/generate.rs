//! Files that are derived from code and committed, so that they can be read and linked without building anything.

use crate::tidy;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes every generated file below `root`.
///
/// # Errors
/// When the program cannot be built and asked, or a file cannot be written.
pub(crate) fn run(root: &Path) -> Result<()> {
    for (path, text) in tidy::clippy_files(root)? {
        write(root, &path, &text)?;
    }
    write_json(root, "docs/reference/plan.schema.json", &plimsoll_plan::json_schema())?;
    write_json(
        root,
        "docs/reference/findings.schema.json",
        &plimsoll_report::findings_schema(),
    )?;
    write_json(
        root,
        "docs/reference/compare.schema.json",
        &plimsoll_report::comparison_schema(),
    )?;
    write_json(
        root,
        "docs/reference/noise.schema.json",
        &plimsoll_report::noise_schema(),
    )?;
    write_json(
        root,
        "docs/reference/scale.schema.json",
        &plimsoll_report::scaling_schema(),
    )?;
    write_json(
        root,
        "docs/reference/study.schema.json",
        &plimsoll_report::study_schema(),
    )?;
    write_json(
        root,
        "docs/reference/event.schema.json",
        &plimsoll_report::event_schema(),
    )?;
    // What the report page is given besides findings: of no use to others, so it lies beside the page.
    write_json(
        root,
        "crates/report/assets/document.schema.json",
        &plimsoll_report::document_schema(),
    )?;
    let [study, published] = plimsoll_study::study_schemas();
    write_json(root, "docs/reference/study-file.schema.json", &study)?;
    write_json(root, "docs/reference/published.schema.json", &published)?;
    build(root)?;
    write(
        root,
        "docs/reference/commands.md",
        &commands(&|arguments| help(root, arguments))?,
    )
}

fn write_json(root: &Path, path: &str, value: &serde_json::Value) -> Result<()> {
    let text = serde_json::to_string_pretty(value).with_context(|| format!("format {path}"))?;
    write(root, path, &(text + "\n"))
}

fn write(root: &Path, path: &str, text: &str) -> Result<()> {
    fs::write(root.join(path), text).with_context(|| format!("write {path}"))
}

/// Builds the program, as part of the workspace: with the features that it has alone, its dependencies would be compiled once
/// more.
fn build(root: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--workspace", "--all-targets"])
        .current_dir(root)
        .status()
        .context("run cargo")?;
    ensure!(status.success(), "build the workspace: its message is above");
    Ok(())
}

/// What the program says of itself.
fn help(root: &Path, arguments: &[&str]) -> Result<String> {
    let beside = std::env::current_exe().context("find the directory of the programs")?;
    let output = Command::new(beside.with_file_name("plimsoll"))
        .args(arguments)
        .current_dir(root)
        .env_remove("COLUMNS")
        .output()
        .context("run plimsoll")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "run plimsoll {}: {said}", arguments.join(" "));
    String::from_utf8(output.stdout).context("read what plimsoll says")
}

/// The command reference, from the help of the program and of each of its commands.
fn commands(help: &dyn Fn(&[&str]) -> Result<String>) -> Result<String> {
    let overview = help(&["--help"])?;
    let names = command_names(&overview);
    ensure!(
        !names.is_empty(),
        "find commands in what plimsoll --help says: {overview}"
    );
    let mut page = String::from("# Commands\n\nWritten by `make generate` from the help of the program.\n");
    section(&mut page, "plimsoll", &overview);
    for name in names {
        let own = help(&[name, "--help"])?;
        section(&mut page, &format!("plimsoll {name}"), &own);
        for inner in command_names(&own) {
            let title = format!("plimsoll {name} {inner}");
            section(&mut page, &title, &help(&[name, inner, "--help"])?);
        }
    }
    Ok(page)
}

fn section(page: &mut String, title: &str, help: &str) {
    let lines: Vec<_> = help.trim_end().lines().map(str::trim_end).collect();
    write!(page, "\n## {title}\n\n```text\n{}\n```\n", lines.join("\n")).expect("a String takes what is written");
}

/// The names in the section `Commands:` of a help text, without `help` itself.
fn command_names(overview: &str) -> Vec<&str> {
    let listed = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERVIEW: &str = "Finds it\n\nUsage: plimsoll <COMMAND>\n\nCommands:\n  run    One load\n           test\n  \
                            report  Draw again\n  help   Print this\n\nOptions:\n  -h  Help\n";

    #[test]
    fn commands_are_found_in_the_help() {
        assert_eq!(command_names(OVERVIEW), ["run", "report"]);
        assert!(command_names("Usage: plimsoll\n").is_empty());
    }

    #[test]
    fn each_command_has_a_section() {
        let said = |arguments: &[&str]| {
            Ok(match arguments {
                ["--help"] => OVERVIEW.to_owned(),
                ["report", "--help"] => "Usage: plimsoll report\n\nCommands:\n  all  Draw all\n".to_owned(),
                ["report", "all", "--help"] => "Usage: plimsoll report all\n".to_owned(),
                [name, "--help"] => format!("Usage: plimsoll {name}  \n\n"),
                other => panic!("not asked for: {other:?}"),
            })
        };
        let page = commands(&said).expect("every help is there");
        assert!(
            page.contains("\n## plimsoll report all\n\n```text\nUsage: plimsoll report all\n```\n"),
            "{page}"
        );
        assert_eq!(page.matches("## ").count(), 4);
    }

    #[test]
    fn a_program_without_commands_is_an_error() {
        assert!(commands(&|_| Ok(String::new())).is_err());
    }
}
