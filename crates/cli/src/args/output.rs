//! Where the result goes, and what is made of it.

use clap::{Args, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};

/// Where the result goes.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// Keep run directories here [default: runs; bench keeps none]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) runs_dir: Option<PathBuf>,
    /// Print the result only, without progress
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Write progress in this form, to standard error
    #[arg(
        long,
        value_name = "FORM",
        default_value = "text",
        conflicts_with = "quiet",
        help_heading = "Output"
    )]
    pub(crate) progress: ProgressForm,
}

impl OutputArgs {
    /// Where run directories are made.
    pub(crate) fn runs_dir(&self) -> PathBuf {
        runs_dir(self.runs_dir.as_deref())
    }
}

/// Where run directories are made, if nothing else is said.
pub(crate) fn runs_dir(given: Option<&Path>) -> PathBuf {
    given.unwrap_or(Path::new("runs")).to_owned()
}

/// How progress is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressForm {
    /// For people: a bar on a terminal, else lines of text
    Text,
    /// For programs: a JSON object on each line; a failure is one as well
    Json,
}

/// What is made of findings.
#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// Print the findings as JSON instead of the summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print the findings as Markdown of at most 4 kB, for a coding assistant, instead of the summary
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) brief: bool,
    /// Write a JUnit XML report to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a Markdown summary to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) markdown: Option<PathBuf>,
    /// Print verdict, causes and warnings as annotations of this build server, to standard error
    #[arg(long, value_name = "SERVER", help_heading = "Output")]
    pub(crate) annotations: Option<AnnotationsArg>,
    /// Write what is not as it should be to this file, as a code quality report of GitLab
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) code_quality: Option<PathBuf>,
    /// Control the use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: ColorWhen,
}

/// A build server that reads annotations from what a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnnotationsArg {
    /// GitHub Actions: workflow commands
    Github,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}
