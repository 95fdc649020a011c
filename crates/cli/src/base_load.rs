//! A rate that does not change: given, a share of a load line, or that of the plan.

use crate::args::LineArg;
use crate::exit::Failure;
use crate::findings_file;
use plimsoll_plan::{Arrivals, Load, Rate, Segment};
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;

/// What the arguments say of it.
pub(crate) struct BaseLoad<'a> {
    pub(crate) rate: Option<Rate>,
    pub(crate) line: Option<&'a LineArg>,
    pub(crate) poisson: bool,
    /// What of a load line is offered.
    pub(crate) share_of_line: f64,
    /// What it is for, such as `before and after the shock`.
    pub(crate) what_for: &'a str,
}

impl BaseLoad<'_> {
    /// The rate and its arrivals, where `load` is that of the plan.
    pub(crate) fn of(&self, load: &Load) -> Result<(Rate, Arrivals), Failure> {
        let planned = match load {
            Load::Open(open) => Some(open),
            Load::Closed(_) | Load::Hold(_) => None,
        };
        let of_plan = || {
            let [only] = planned?.segments.as_slice() else {
                return None;
            };
            (only.from == only.to).then_some(only.from)
        };
        let arrivals = match self.poisson {
            true => Arrivals::Poisson,
            false => planned.map_or(Arrivals::Even, |open| open.arrivals),
        };
        let of_line = self.line.map(line_per_s).transpose()?;
        let of_line = of_line.map(|per_s| Rate::from_f64_per_s(per_s * self.share_of_line));
        match self.rate.or(of_line).or_else(of_plan) {
            Some(rate) => Ok((rate, arrivals)),
            None => Err(
                Failure::bad_plan("no rate given, and the plan has no constant one").hint(format!(
                    "give the rate{} with -R, or the load line that `plimsoll capacity` found with --line",
                    self.what_for
                )),
            ),
        }
    }
}

/// A rate for a while.
pub(crate) fn constant(rate: Rate, duration: Duration) -> Segment {
    Segment {
        from: rate,
        to: rate,
        duration,
    }
}

/// What is read of `findings.json`, in any of its formats.
#[derive(Deserialize)]
struct Findings {
    #[serde(rename = "format")]
    _format: String,
    load_line: Option<LoadLine>,
}

#[derive(Deserialize)]
struct LoadLine {
    rate_per_s: f64,
    held: Option<Held>,
}

/// The line is one in connections.
#[derive(Deserialize)]
struct Held {}

fn line_per_s(line: &LineArg) -> Result<f64, Failure> {
    const HINT: &str = "--line takes a rate such as 800/s, or the run directory of a completed `plimsoll capacity`";
    let directory: &Path = match line {
        LineArg::Rate(rate) => return Ok(rate.as_f64_per_s()),
        LineArg::Run(directory) => directory,
    };
    let findings: Findings = findings_file::read(directory, HINT)?;
    if findings.load_line.as_ref().is_some_and(|line| line.held.is_some()) {
        let found = format!(
            "{}: found a load line in connections, expected one in requests",
            directory.display()
        );
        return Err(Failure::bad_plan(found).hint(HINT));
    }
    let line = findings.load_line.map(|line| line.rate_per_s);
    // What is read may be anything.
    line.filter(|per_s| *per_s > 0.0 && per_s.is_finite())
        .ok_or_else(|| Failure::bad_plan(format!("{}: a run without a load line", directory.display())).hint(HINT))
}
