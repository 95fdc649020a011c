//! `plimsoll doctor`: the limits of this host, why they matter and what fixes them.

use crate::CommandResult;
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::output::{Said, say, style};
use plimsoll_target::host::{Check, State};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(crate) fn doctor(args: &DoctorArgs) -> CommandResult {
    let checks = plimsoll_target::host::checks(args.connections);
    if args.json {
        say(Said::Json(&format!("{:#}\n", json(&checks))))?;
    } else {
        let style = style(args.color);
        let drawn = checks.iter().map(|check| draw(check, style.unicode, style.colour));
        say(Said::Drawn(&(drawn.collect::<String>() + &closing(&checks)), style))?;
    }
    Ok(if checks.iter().any(|check| check.state == State::Bad) {
        Exit::Failed
    } else {
        Exit::Pass
    })
}

fn json(checks: &[Check]) -> Value {
    checks
        .iter()
        .map(|check| {
            json!({
                "name": check.name,
                "state": word(check.state),
                "found": check.found,
                "why": check.why,
                "fix": check.fix,
            })
        })
        .collect()
}

fn word(state: State) -> &'static str {
    match state {
        State::Ok => "ok",
        State::Warn => "warning",
        State::Bad => "bad",
        State::Unknown => "unknown",
    }
}

fn draw(check: &Check, unicode: bool, colour: bool) -> String {
    let (symbol, ascii, ansi) = match check.state {
        State::Ok => ("✔", "+", "32"),
        State::Warn => ("!", "!", "33"),
        State::Bad => ("✖", "x", "31"),
        State::Unknown => ("?", "?", "2"),
    };
    let word = word(check.state);
    let symbol = if unicode { symbol } else { ascii };
    let mark = if colour {
        format!("\x1b[{ansi}m{symbol} {word:<8}\x1b[0m")
    } else {
        format!("{symbol} {word:<8}")
    };
    let mut text = format!("{mark} {}: {}\n", check.name, check.found);
    if check.state != State::Ok {
        let _ = writeln!(text, "           why: {}", check.why);
        if let Some(fix) = &check.fix {
            let _ = writeln!(text, "           fix: {fix}");
        }
    }
    text
}

fn closing(checks: &[Check]) -> String {
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    format!(
        "\n{} ok, {} warnings, {} bad, {} unknown\n",
        count(State::Ok),
        count(State::Warn),
        count(State::Bad),
        count(State::Unknown)
    )
}
