//! Where a result goes: standard output, the run folder, files for build servers.

use crate::args::{ColorWhen, FormArgs};
use crate::exit::Failure;
use plimsoll_report::{Report, Style, Written};
use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// Writes everything that was asked for.
pub(crate) fn deliver(findings: &impl Report, folder: Option<&Path>, form: &FormArgs) -> Result<(), Failure> {
    let mut failure = None;
    let page = folder.and_then(|folder| match keep(findings, folder) {
        Ok(page) => Some(page),
        // A full disk must not cost the user the result on the screen.
        Err(error) => {
            failure = Some(error);
            None
        }
    });
    let text = if form.json {
        findings.json()
    } else {
        let written = Written {
            report: page.as_deref(),
            folder,
        };
        findings.terminal(style(form.color), written)
    };
    say(&text)?;
    if let Some(path) = &form.junit {
        write(path, &findings.junit())?;
    }
    if let Some(path) = &form.markdown {
        write(path, &findings.markdown())?;
    }
    failure.map_or(Ok(()), Err)
}

/// Prints to standard output. A reader that has gone, as in `| head`, is not a failure.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::to(format!("print the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes the page of findings into their folder.
pub(crate) fn keep(findings: &impl Report, folder: &Path) -> Result<PathBuf, Failure> {
    let (name, text) = findings.page();
    let page = folder.join(name);
    write(&page, &text)?;
    Ok(page)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::to(format!("write {}: {error}", path.display())))
}

/// How text is drawn on standard output.
pub(crate) fn style(color: ColorWhen) -> Style {
    let terminal = io::stdout().is_terminal();
    let colour = match color {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        // https://no-color.org: any value but the empty one.
        ColorWhen::Auto => terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
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
