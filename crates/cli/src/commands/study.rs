//! `plimsoll study`: a published case measured here, side by side with its published figures.

use super::fleet;
use crate::CommandResult;
use crate::args::{FormArgs, StudyArgs};
use crate::exit::{Exit, Failure};
use crate::live::Live;
use crate::output::{self, Said};
use crate::signals::stop_on_signals;
use crate::study_source::{Found, Studies};
use plimsoll_lab::{GeneratorOptions, Options};
use plimsoll_report::Listed;
use plimsoll_study::{MeasuredPart, Studied, StudiedPart, Studying};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) fn study(args: &StudyArgs) -> CommandResult {
    let studies = Studies::find(args.studies.as_deref())?;
    match args.name.as_str() {
        "list" => list(args, &studies),
        "all" => all(args, &studies),
        name => {
            let found = studies.named(name)?;
            if args.size.is_some() && found.study.size.is_none() {
                return Err(
                    Failure::bad_plan(format!("--size: the study `{name}` has one size only"))
                        .hint("--rounds and --duration make it shorter"),
                );
            }
            let stop = stop_on_signals()?;
            one(args, found, &studies, &mut Live::new(&args.output), &stop)
        }
    }
}

fn list(args: &StudyArgs, studies: &Studies) -> CommandResult {
    let mut listed = Vec::new();
    for found in studies.all()? {
        let study = args.chosen(found.study);
        listed.push(Listed {
            takes_s: study.takes().as_secs_f64(),
            name: study.name,
            title: study.title,
            question: study.question,
        });
    }
    if args.output.form.json {
        output::say(Said::Json(&plimsoll_report::studies_json(&listed)))?;
    } else {
        let style = output::style(args.output.form.color);
        output::say(Said::Drawn(&plimsoll_report::studies(&listed, style), style))?;
    }
    Ok(Exit::Pass)
}

/// Each in turn; one that cannot be made does not keep the others from being made.
fn all(args: &StudyArgs, studies: &Studies) -> CommandResult {
    if args.output.form.junit.is_some() || args.output.form.markdown.is_some() {
        return Err(
            Failure::bad_plan("--junit and --markdown name one file, but `all` runs several studies")
                .hint("run them one by one; every study leaves a report.md in its directory"),
        );
    }
    let found = studies.all()?;
    let takes: Duration = found.iter().map(|found| args.chosen(found.study.clone()).takes()).sum();
    let stop = stop_on_signals()?;
    let mut live = Live::new(&args.output);
    live.say(&format!(
        "{} studies, about {} min; Ctrl-C stops them and keeps what was measured",
        found.len(),
        takes.as_secs().div_ceil(60)
    ));
    let mut worst = Exit::Pass;
    for found in found {
        if stop.load(Ordering::Relaxed) {
            return Ok(Exit::Interrupted);
        }
        live.say(&format!("──── study {}", found.study.name));
        let exit =
            one(args, found, studies, &mut live, &stop).unwrap_or_else(|failure| failure.tell(args.output.progress));
        worst = worst.or(exit);
    }
    Ok(worst)
}

fn one(args: &StudyArgs, found: Found, studies: &Studies, live: &mut Live, stop: &AtomicBool) -> CommandResult {
    let study = args.chosen(found.study);
    live.say(&format!("{}: about {} s", study.name, study.takes().as_secs()));
    let studying = Studying {
        study,
        texts: found.texts,
        root: studies.root().to_owned(),
        program: std::env::current_exe()
            .map_err(|error| Failure::to(format!("find this program for those of the study: {error}")))?,
        runs_dir: args.output.runs_dir(),
        options: Options {
            fleet: fleet(&args.fleet, None, &GeneratorOptions::default())?,
            ..Options::default()
        },
    };
    let studied = studying.run(stop, |event| live.follow(&event))?;
    deliver(&studied, &args.output.form)
}

/// Prints and keeps what a study came to, and the pages of its measurements.
pub(crate) fn deliver(studied: &Studied, form: &FormArgs) -> CommandResult {
    for StudiedPart { part, directory } in &studied.parts {
        let Some(directory) = directory else { continue };
        match part {
            MeasuredPart::Compared(comparison) => output::keep(&**comparison, directory)?,
            MeasuredPart::Scaled(scaling) => output::keep(&**scaling, directory)?,
            MeasuredPart::Ran(findings) => output::keep(&**findings, directory)?,
            MeasuredPart::Printed(_) | MeasuredPart::Failed(_) => continue,
        };
    }
    output::deliver(&studied.findings, Some(&studied.directory), form)?;
    Ok(Exit::of_study(studied.findings.verdict))
}
