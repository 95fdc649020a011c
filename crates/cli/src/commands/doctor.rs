//! `plimsoll doctor`: the limits of this host, why they matter and what fixes them.

use crate::CommandResult;
use crate::args::{DoctorArgs, ProgressForm};
use crate::check_source::DEFAULT_TIME;
use crate::exit::Exit;
use crate::live::Live;
use crate::noise_source;
use crate::output::{Said, say, style};
use crate::signals::stop_on_signals;
use plimsoll_lab::io_uring_refused;
use plimsoll_target::host::{Check, State};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

pub(crate) fn doctor(args: &DoctorArgs) -> CommandResult {
    if args.noise {
        return noise(args);
    }
    let mut checks = plimsoll_target::host::checks(args.connections);
    if let Some(why) = io_uring_refused() {
        refuse_io_uring(&mut checks, &why);
    }
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

/// What a container forbids is in no file of the host: only trying tells.
fn refuse_io_uring(checks: &mut [Check], why: &str) {
    let told = checks.iter_mut().find(|check| check.name == "io_uring");
    if let Some(check) = told.filter(|check| check.state != State::Warn) {
        check.state = State::Warn;
        check.found = format!("refused to this process: {why}");
        check.fix = Some(
            "in a container, start it with --security-opt seccomp=unconfined, or with a profile that allows io_uring"
                .to_owned(),
        );
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_uring_that_a_container_forbids_is_a_warning() {
        let check = |state| Check {
            name: "io_uring",
            state,
            found: "forbidden".to_owned(),
            why: "",
            fix: Some("sysctl".to_owned()),
        };
        let mut checks = [check(State::Ok)];
        refuse_io_uring(&mut checks, "Function not implemented");
        let drawn = draw(&checks[0], true, false);
        for said in [
            "warning",
            "refused to this process: Function not implemented",
            "seccomp",
        ] {
            assert!(drawn.contains(said), "{drawn}");
        }
        // The kernel's own switch is turned on first.
        let mut checks = [check(State::Warn)];
        refuse_io_uring(&mut checks, "Function not implemented");
        assert_eq!(checks[0].fix.as_deref(), Some("sysctl"));
    }
}
