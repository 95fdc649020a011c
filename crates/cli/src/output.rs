//! Where a result goes: standard output, the run directory, files for build servers.

use crate::args::{AnnotationsArg, ColorWhen, FormArgs};
use crate::exit::Failure;
use crate::repository;
use crate::stderr;
use anstream::{AutoStream, ColorChoice};
use plimsoll_files::{Directory, given, stream};
use plimsoll_report::{Report, Style, Written};
use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes everything that was asked for.
pub(crate) fn deliver(findings: &impl Report, directory: Option<&Path>, form: &FormArgs) -> Result<(), Failure> {
    // What cannot be written in one place must not cost the user the result in another.
    let (page, kept) = match directory.map(|directory| keep(findings, directory)) {
        Some(Ok(page)) => (Some(page), Ok(())),
        Some(Err(error)) => (None, Err(error)),
        None => (None, Ok(())),
    };
    let written = Written {
        report: page.as_deref(),
        directory,
    };
    let said = if form.json {
        say(Said::Json(&findings.json()))
    } else if form.brief {
        say(Said::Text(&findings.brief(written)))
    } else {
        let style = style(form.color);
        say(Said::Drawn(&findings.terminal(style, written), style))
    };
    let file = |path: &Option<PathBuf>, text: fn(&_) -> String| {
        path.as_deref().map_or(Ok(()), |path| write(path, &text(findings)))
    };
    let (junit, markdown) = (file(&form.junit, Report::junit), file(&form.markdown, Report::markdown));
    kept.and(said).and(junit).and(markdown).and(annotate(findings, form))
}

/// What a build server shows beside a change, in the paths of the repository.
fn annotate(findings: &impl Report, form: &FormArgs) -> Result<(), Failure> {
    if form.annotations.is_none() && form.code_quality.is_none() {
        return Ok(());
    }
    let annotations = findings.annotations().into_iter();
    let annotations: Vec<_> = annotations
        .map(|annotation| annotation.in_repository(repository::path_of))
        .collect();
    if form.annotations == Some(AnnotationsArg::Github) {
        stderr::tell(plimsoll_report::github(&annotations).trim_end());
    }
    form.code_quality.as_deref().map_or(Ok(()), |path| {
        write(
            path,
            &plimsoll_report::code_quality(&annotations, &repository::elsewhere()),
        )
    })
}

/// Without this, a file above the limit of its size (`ulimit -f`) ends the process. With a handler the write fails, as on
/// a full disk; and unlike a signal that is ignored, the service does not inherit it.
pub(crate) fn survives_file_limits() {
    // Where it cannot be registered, the limit ends the process as it does others.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// What is printed to standard output.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Said<'a> {
    /// For people; names and messages in it may come from anywhere.
    Text(&'a str),
    /// For people, in a style: where it has colours, they stay.
    Drawn(&'a str, Style),
    /// For programs.
    Json(&'a str),
    /// For a shell, and ours to the last byte.
    Script(&'a str),
}

impl Said<'_> {
    /// Without anything that drives a terminal.
    fn plain(&self) -> Cow<'_, str> {
        match self {
            Self::Drawn(text, style) if style.colour => plain_but_colours(text).into(),
            Self::Text(text) | Self::Drawn(text, _) => plimsoll_plain::lines(text),
            Self::Json(text) => plimsoll_plain::json(text),
            Self::Script(text) => (*text).into(),
        }
    }
}

/// Leaves in what sets colours: `ESC [`, digits and `;`, `m`.
fn plain_but_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut from = 0;
    for (begin, _) in text.match_indices("\x1b[") {
        let parameters = text[begin + 2..].bytes();
        let digits = parameters
            .take_while(|byte| byte.is_ascii_digit() || *byte == b';')
            .count();
        let end = begin + 2 + digits + 1;
        if begin >= from && text.as_bytes().get(end - 1) == Some(&b'm') {
            plain.push_str(&plimsoll_plain::lines(&text[from..begin]));
            plain.push_str(&text[begin..end]);
            from = end;
        }
    }
    plain.push_str(&plimsoll_plain::lines(&text[from..]));
    plain
}

/// Prints to standard output. A reader that has gone, as in `| head`, is not a failure.
pub(crate) fn say(said: Said<'_>) -> Result<(), Failure> {
    print("the result", &said.plain())
}

/// Whole, however slow its reader is.
pub(crate) fn print(what: &str, text: &str) -> Result<(), Failure> {
    match stream::write_all(io::stdout().lock(), text.as_bytes(), || None) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::to(format!("print {what}: {error}"))),
        _ => Ok(()),
    }
}

/// Writes the page of findings into their directory.
pub(crate) fn keep(findings: &impl Report, directory: &Path) -> Result<PathBuf, Failure> {
    let (name, text) = findings.page();
    let page = directory.join(name);
    Directory::open(directory)
        .and_then(|directory| directory.write(name, text.as_bytes()))
        .map_err(|error| unwritten(&page, &error))?;
    Ok(page)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    given::write(path, text.as_bytes()).map_err(|error| unwritten(path, &error))
}

/// Fails where [`write_new`] would, before anything else is done.
pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<(), Failure> {
    match !force && path.symlink_metadata().is_ok() {
        true => Err(exists(path)),
        false => Ok(()),
    }
}

fn exists(path: &Path) -> Failure {
    Failure::to(format!("write {}: it exists already", path.display()))
        .hint("choose another name with --output, or overwrite it with --force")
}

/// Writes a file that the user gets from here, over one that exists only by `force`.
pub(crate) fn write_new(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let write = if force { given::write } else { given::create };
    write(path, text.as_bytes()).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => unwritten(path, &error),
    })
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::to(format!("write {}: {error}", path.display()))
}

/// How text is drawn on standard output.
pub(crate) fn style(color: ColorWhen) -> Style {
    let terminal = io::stdout().is_terminal();
    let colour = match color {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => draws_colours(),
    };
    let width = if terminal {
        terminal_width()
    } else {
        Style::default().width
    };
    Style {
        colour,
        width,
        unicode: speaks_unicode(),
    }
}

/// What `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `TERM` say.
pub(crate) fn draws_colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

fn terminal_width() -> u16 {
    // Wider lines are hard to read, however wide the window is.
    const WIDEST: u16 = 100;
    rustix::termios::tcgetwinsize(io::stdout()).map_or(Style::default().width, |size| size.ws_col.min(WIDEST))
}

/// The locale decides; a system that says nothing is taken for a modern one.
fn speaks_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_control_sequences_are_removed() {
        let colours = |colour| Style {
            colour,
            ..Style::default()
        };
        let hostile = "a\x1b]0;own\x07\u{9b}31m\u{202e}b\x1b[2Jc\x1b[1;32md\x1b[0m\x1b[9\x1b";
        let of = |said: Said<'_>| said.plain().into_owned();
        let text = of(Said::Text(hostile));
        assert!(!text.contains(plimsoll_plain::is_unsafe), "{text:?}");
        assert_eq!(of(Said::Drawn(hostile, colours(false))), text);
        let drawn = of(Said::Drawn(hostile, colours(true)));
        assert!(drawn.contains("c\x1b[1;32md\x1b[0m"), "{drawn:?}");
        let left = drawn.replace("\x1b[1;32m", "").replace("\x1b[0m", "");
        assert!(!left.contains(plimsoll_plain::is_unsafe), "{drawn:?}");
        assert_eq!(of(Said::Json("{\"a\":\"\u{9b}\"}")), r#"{"a":"\u009b"}"#);
    }
}
