//! What is said of arguments that are no command: help, or what is wrong with them.

use crate::args::ProgressForm;
use crate::exit::Exit;
use crate::{output, stderr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plimsoll_plan::Shown;

/// Options whose values may be secrets, however harmless they look.
const SECRET_OPTIONS: [&str; 6] = ["--header", "--body", "--a", "--b", "--a-env", "--b-env"];

/// What was wrong is named without what may be a secret.
fn hide_values(error: &mut clap::Error) {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let argument = text(error, ContextKind::InvalidArg);
    let is_secret = argument.as_deref().is_some_and(|argument| {
        let option = |part: &str| SECRET_OPTIONS.contains(&part);
        argument.split([' ', '=']).any(option)
    });
    if let Some(value) = text(error, ContextKind::InvalidValue) {
        let shown = if is_secret {
            Shown::hidden()
        } else {
            Shown::of_text(&value)
        };
        error.insert(ContextKind::InvalidValue, ContextValue::String(shown.into()));
    }
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        let shown = text(error, kind).and_then(|found| {
            let option = found.starts_with('-');
            match error.kind() {
                // What is too much is a value whose quotes or whose option were forgotten.
                ErrorKind::UnknownArgument => (!(option && plain(&found))).then(Shown::hidden),
                ErrorKind::InvalidSubcommand => (!(plain(&found) && found.len() < 12)).then(Shown::hidden),
                _ => (!option && !found.starts_with(['<', '['])).then(|| Shown::of_text(&found)),
            }
        });
        if let Some(shown) = shown {
            error.insert(kind, ContextValue::String(shown.into()));
        }
    }
}

/// Help and version are output; everything else is a mistake in the arguments.
pub(crate) fn tell(mut error: clap::Error) -> Exit {
    if error.use_stderr() {
        hide_values(&mut error);
        stderr::tell(error.render().to_string().trim_end());
        return Exit::BadPlan;
    }
    // In the colours of help; a reader that has gone is no failure.
    let help = error.render();
    let text = if output::draws_colours() {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    match output::print("the help", &text) {
        Err(failure) => failure.tell(ProgressForm::Text),
        Ok(()) => Exit::Pass,
    }
}
