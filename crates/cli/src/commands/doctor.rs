//! `plimsoll doctor`: the limits of this host, why they matter and what fixes them.

use crate::CommandResult;
use crate::args::{DoctorArgs, ProgressForm};
use crate::check_source::DEFAULT_TIME;
use crate::exit::Exit;
use crate::live::Live;
use crate::noise_source;
use crate::output::{Said, say, style};
use crate::signals::stop_on_signals;
use plimsoll_target::host::{Check, State};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

pub(crate) fn doctor(args: &DoctorArgs) -> CommandResult {
    if args.noise {
        return noise(args);
    }
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

/// How noisy this machine is.
fn noise(args: &DoctorArgs) -> CommandResult {
    let (comparing, _service) = noise_source::noise(args)?;
    let stop = stop_on_signals()?;
    let mut live = Live::of(args.quiet, ProgressForm::Text);
    let (noise, _) = comparing.noise(DEFAULT_TIME, &stop, |event| live.follow(&event))?;
    if args.json {
        say(Said::Json(&plimsoll_report::noise_json(&noise)))?;
    } else {
        let style = style(args.color);
        say(Said::Drawn(&plimsoll_report::noise(&noise, style), style))?;
    }
    Ok(match noise.metric {
        _ if stop.load(Ordering::Relaxed) => Exit::Interrupted,
        Some(_) => Exit::Pass,
        None => Exit::Failed,
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
