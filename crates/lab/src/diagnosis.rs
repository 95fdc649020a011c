//! A diagnosis: the load line, then three passes at one rate under the same arrivals, and what they come to.

use crate::error::LabError;
use crate::experiment::{Experiment, Options};
use crate::keeping::Keeping;
use crate::look::look;
use crate::outcome::{Outcome, ended};
use crate::run_info::run_info;
use crate::what_if::{Removing, WhatIfs, number_of_cause};
use plimsoll_diagnosis::{CounterFold, Passes, diagnose};
use plimsoll_findings::{Event, Findings, Headline, NextStep, Notice, Verdict, WhatIf};
use plimsoll_measure::run_directory::{self, DirectoryError};
use plimsoll_measure::{Ended, Note, NoteKind, Profile, RunEnd, RunKind};
use plimsoll_plan::{Arrivals, Load, OpenLoad, Plan, Rate};
use plimsoll_target::{Removal, StartError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The passes load the service with this share of its line: enough that costs show, and far enough from the line that
/// a service that the probe makes a little slower still keeps up.
const SHARE_OF_LINE: f64 = 0.7;

/// A pass starts the service anew, and while V8 still compiles it a request costs several times as much: a pass begins
/// with at least so much warm-up, …
const WARM_UP: Duration = Duration::from_secs(4);
/// … but of a short pass at most one part of so many.
const WARM_UP_PARTS: u32 = 3;

/// A diagnosis that is to be made.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// What to do.
    pub plan: Plan,
    /// Rate of the passes; `None` searches the load line and takes a share of it.
    pub rate: Option<Rate>,
    /// Length of each pass.
    pub pass: Duration,
    /// Least warm-up of each pass and round; `None` leaves it to us.
    pub warm_up: Option<Duration>,
    /// What is left out of the service after the passes, to measure what that gives.
    pub what_if: Option<WhatIfs>,
    /// How.
    pub options: Options,
}

impl Diagnosis {
    /// Makes it. Setting `stop` ends it early with what was seen until then, as does a service that dies.
    ///
    /// # Errors
    /// When there is nothing to report: no service to start, or it did not start, or it has no load line.
    pub fn run(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Outcome, LabError> {
        let target = self.plan.target();
        if target.command.is_none() && target.running.is_none() {
            return Err(LabError::Diagnosis(
                "plimsoll must start it, or know its process or container".to_owned(),
            ));
        }
        if target.command.is_none() && self.what_if.is_some() {
            return Err(LabError::Diagnosis(
                "plimsoll must start it, to leave anything out of it".to_owned(),
            ));
        }
        if let Some(what_if) = &self.what_if {
            look(&self.plan, &what_if.named, &self.options, stop, &mut on_event)?;
        }
        let directory = match &self.options.runs_dir {
            Some(parent) => {
                let info = run_info(&self.plan, RunKind::Diagnose);
                Some(run_directory::create_outer(
                    parent,
                    &info,
                    &self.plan.to_json_redacted(),
                )?)
            }
            None => None,
        };
        if let Some(directory) = &directory {
            on_event(Event::DirectoryCreated { path: directory });
        }
        let mut course = Course {
            runs_dir: directory.clone(),
            diagnosis: self,
            keeping: Keeping::default(),
            stop,
            on_event: &mut on_event,
        };
        let mut seen = Seen::of(&self.plan);
        let made = self.make(&mut course, &mut seen, directory.as_deref());
        if let (Ok(()), Some(directory), None) = (&made, &directory, &seen.ended) {
            course.what_ifs(&mut seen, directory);
        }
        let ended = seen.ended.get_or_insert_with(|| ended(&made, stop)).clone();
        if let Some(directory) = &directory {
            let at_ns = seen.made().map(|made| (made.duration_s * 1e9) as u64).sum();
            course.kept(run_directory::write_end(directory, &RunEnd { at_ns, ended }));
        }
        made?;
        let findings = seen
            .findings(&self.plan)
            .ok_or_else(|| LabError::Diagnosis("no pass was run".to_owned()))?;
        course.kept(keep(directory.as_deref(), &findings));
        on_event(Event::Finished(&findings));
        Ok(Outcome {
            findings,
            directory,
            counters: seen.counters.map(|(_, counters)| counters).unwrap_or_default(),
            contents: BTreeSet::new(),
            profile: seen.profile.map(|(_, profile)| profile).unwrap_or_default(),
            allocations: seen.allocations,
        })
    }

    /// Makes the search and the passes, as far as they go.
    fn make(&self, course: &mut Course<'_>, seen: &mut Seen, directory: Option<&Path>) -> Result<(), LabError> {
        while let Some((kind, plan)) = self.next(seen)? {
            let is_last = course.make(kind, plan, seen)?;
            if let Some(findings) = seen.findings(&self.plan) {
                course.kept(keep(directory, &findings));
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// The warm-up of a pass, where nothing else is said.
    fn least_warm_up(&self) -> Duration {
        WARM_UP.min(self.pass / WARM_UP_PARTS)
    }

    /// What is judged of a pass.
    fn judged(&self) -> Duration {
        self.pass - self.least_warm_up()
    }

    /// What is to be run next, and by which plan.
    fn next(&self, seen: &Seen) -> Result<Option<(RunKind, Plan)>, LabError> {
        let rate = match (self.rate, &seen.line) {
            (Some(rate), _) => rate,
            (None, None) => return Ok(Some((RunKind::Capacity, self.plan.clone()))),
            // Without a line there is no rate to diagnose at; the search says why.
            (None, Some(search)) => {
                let Some(line) = &search.load_line else {
                    return Ok(None);
                };
                Rate::from_f64_per_s(line.rate_per_s * SHARE_OF_LINE)
            }
        };
        let kind = if seen.plain.is_none() {
            RunKind::Plain
        } else if seen.counters.is_none() && !seen.runs_already && !seen.failed.contains(&RunKind::Counters) {
            RunKind::Counters
        } else if seen.profile.is_none() && !seen.failed.contains(&RunKind::Profile) {
            RunKind::Profile
        } else {
            return Ok(None);
        };
        let arrivals = match self.plan.load() {
            Load::Open(open) => open.arrivals,
            Load::Closed(_) | Load::Hold(_) => Arrivals::default(),
        };
        let judged = self.judged();
        let warm_up = self.warm_up.unwrap_or_else(|| self.least_warm_up());
        let plan = self.plan.with(|plan| {
            plan.load = Load::Open(OpenLoad::constant(rate, warm_up + judged, arrivals));
            plan.judging.warm_up = warm_up;
            plan.judging.window = plan.judging.window.min(judged);
        })?;
        Ok(Some((kind, plan)))
    }
}

fn keep(directory: Option<&Path>, findings: &Findings) -> Result<(), DirectoryError> {
    if let Some(directory) = directory {
        let json = plimsoll_report::json(findings);
        run_directory::write_findings(directory, &json)?;
    }
    Ok(())
}

/// What was seen so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) line: Option<Findings>,
    pub(crate) plain: Option<Findings>,
    pub(crate) counters: Option<(Findings, CounterFold)>,
    pub(crate) profile: Option<(Findings, Profile)>,
    pub(crate) allocations: Profile,
    pub(crate) what_ifs: Vec<WhatIf>,
    /// Where the service runs, if the pass with a profile said so.
    directory: Option<String>,
    /// How it ended; `None` while it goes on and of one that was cut off.
    pub(crate) ended: Option<Ended>,
    /// The service ran before, so nothing is counted in it.
    runs_already: bool,
    /// Passes for which the service did not start.
    failed: Vec<RunKind>,
}

impl Seen {
    /// Nothing yet.
    pub(crate) fn of(plan: &Plan) -> Self {
        Self {
            runs_already: !plan.target().is_started(),
            ..Self::default()
        }
    }

    /// What it comes to; `None` while there is nothing.
    pub(crate) fn findings(&self, plan: &Plan) -> Option<Findings> {
        let base = self.line.as_ref().or(self.plain.as_ref())?;
        let mut findings = match &self.plain {
            Some(plain) => diagnose(
                plan,
                base,
                &Passes {
                    plain,
                    counters: self.counters.as_ref().map(|(findings, fold)| (findings, fold)),
                    profile: self.profile.as_ref().map(|(findings, profile)| (findings, profile)),
                    allocations: &self.allocations,
                    directory: self.directory.as_deref(),
                },
            ),
            None => base.clone(),
        };
        findings.command = RunKind::Diagnose;
        let rounds_s: f64 = self.what_ifs.iter().map(|what_if| what_if.duration_s).sum();
        findings.duration_s = self.made().map(|made| made.duration_s).sum::<f64>() + rounds_s;
        if let Some(diagnosis) = &mut findings.diagnosis {
            let causes = &diagnosis.causes;
            let of_cause = |what_if: &WhatIf| WhatIf {
                cause: number_of_cause(causes, &what_if.without),
                ..what_if.clone()
            };
            diagnosis.what_if = self.what_ifs.iter().map(of_cause).collect();
        }
        if self.runs_already && self.plain.is_some() {
            findings.notices.insert(0, Notice::NotCounted);
        }
        // A service that died has ended it, whoever else did so too.
        if findings.verdict == Verdict::Failed {
            return Some(findings);
        }
        match (&self.ended, self.missing()) {
            (Some(Ended::Failed(why)), _) => {
                findings.verdict = Verdict::Failed;
                findings.notices.push(Notice::DiagnosisIncomplete { why: why.clone() });
                say_cut_off(&mut findings);
            }
            (None | Some(Ended::Interrupted), before) => {
                findings.verdict = Verdict::Interrupted;
                findings.notices.push(Notice::DiagnosisCutOff { before });
                if before.is_some() {
                    say_cut_off(&mut findings);
                }
            }
            (Some(Ended::Complete), _) => {}
        }
        Some(findings)
    }

    /// The search and the passes, as far as they were made.
    fn made(&self) -> impl Iterator<Item = &Findings> {
        let counters = self.counters.as_ref().map(|(findings, _)| findings);
        let profile = self.profile.as_ref().map(|(findings, _)| findings);
        [self.line.as_ref(), self.plain.as_ref(), counters, profile]
            .into_iter()
            .flatten()
    }

    /// The first pass that was not made, though there was a rate to make it at.
    pub(crate) fn missing(&self) -> Option<RunKind> {
        let found_no_line = self.line.as_ref().is_some_and(|line| line.load_line.is_none());
        match (&self.plain, &self.counters, &self.profile) {
            (None, ..) if found_no_line => None,
            (None, ..) => Some(RunKind::Plain),
            (_, None, _) if !self.runs_already => Some(RunKind::Counters),
            (_, _, None) => Some(RunKind::Profile),
            _ => None,
        }
    }

    pub(crate) fn put(&mut self, kind: RunKind, outcome: Outcome) {
        match kind {
            RunKind::Plain => self.plain = Some(outcome.findings),
            RunKind::Counters => self.counters = Some((outcome.findings, outcome.counters)),
            RunKind::Profile => {
                self.directory = outcome.counters.directory().map(ToOwned::to_owned);
                self.profile = Some((outcome.findings, outcome.profile));
                self.allocations = outcome.allocations;
            }
            _ => self.line = Some(outcome.findings),
        }
    }
}

/// What was not looked at may be what costs most.
fn say_cut_off(findings: &mut Findings) {
    if let Headline::Limit { cut_off, .. } = &mut findings.headline {
        *cut_off = true;
    }
    if findings.next_step == NextStep::SeeFlame {
        findings.next_step = NextStep::RunToEnd;
    }
}

fn nothing_to_leave_out() -> Note {
    Note {
        at_ns: 0,
        kind: NoteKind::Warning,
        message: "--what-if: none of the causes comes from something that the probe can leave out".to_owned(),
        hint: Some("name a part of the service, such as --what-if middleware:session".to_owned()),
    }
}

fn not_measured(removal: &Removal, error: &LabError) -> Note {
    Note {
        at_ns: 0,
        kind: NoteKind::Warning,
        message: format!("what leaving out {removal} gives was not measured: failed to {error}"),
        hint: error.hint(),
    }
}

/// The passes as they are made one after the other.
struct Course<'a> {
    diagnosis: &'a Diagnosis,
    runs_dir: Option<PathBuf>,
    keeping: Keeping,
    stop: &'a AtomicBool,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

impl Course<'_> {
    fn kept(&mut self, kept: Result<(), DirectoryError>) {
        self.keeping.bear(kept, self.on_event);
    }

    /// Leaves one thing after the other out of the service, each in rounds of its own. One that fails costs no other.
    fn what_ifs(&mut self, seen: &mut Seen, directory: &Path) {
        let plan = &self.diagnosis.plan;
        let found = seen.findings(plan).and_then(|findings| findings.diagnosis);
        let (Some(what_if), Some(found)) = (&self.diagnosis.what_if, found) else {
            return;
        };
        let Some(rate) = found.rate_per_s.map(Rate::from_f64_per_s) else {
            return;
        };
        let removals = what_if.of(&found.causes);
        if removals.is_empty() {
            (self.on_event)(Event::Note(&nothing_to_leave_out()));
        }
        let end = Instant::now() + what_if.budget;
        for (number, removal) in removals.iter().enumerate() {
            (self.on_event)(Event::WhatIfStarted {
                without: &removal.to_string(),
            });
            // What one leaves of its part is there for those after it.
            let left = end.saturating_duration_since(Instant::now());
            let removing = Removing {
                plan,
                rate,
                warm_up: self.diagnosis.warm_up,
                judged: self.diagnosis.judged(),
                directory,
                options: &self.diagnosis.options,
                until: Instant::now() + left / (removals.len() - number) as u32,
                stop: self.stop,
            };
            match removing.measure(removal, self.on_event) {
                Ok(what_if) => seen.what_ifs.push(what_if),
                Err(error) => (self.on_event)(Event::Note(&not_measured(removal, &error))),
            }
            if self.stop.load(Ordering::Relaxed) {
                seen.ended = Some(Ended::Interrupted);
                return;
            }
            if let Some(findings) = seen.findings(plan) {
                self.kept(keep(Some(directory), &findings));
            }
        }
    }

    /// Makes one run and notes what it saw. Returns whether it was the last.
    fn make(&mut self, kind: RunKind, plan: Plan, seen: &mut Seen) -> Result<bool, LabError> {
        (self.on_event)(Event::PassStarted { pass: kind });
        let experiment = Experiment {
            plan,
            kind,
            warms_up: true,
            options: Options {
                runs_dir: self.runs_dir.clone(),
                ..self.diagnosis.options.clone()
            },
        };
        let on_event = &mut *self.on_event;
        let made = experiment.run(self.stop, |event| match event {
            // The diagnosis has a directory and an end of its own.
            Event::DirectoryCreated { .. } | Event::Finished(_) => {}
            event => on_event(event),
        });
        let outcome = match made {
            Ok(outcome) => outcome,
            // What was seen before is worth telling, and the other pass with the probe may still be made.
            Err(LabError::Start(StartError::Cancelled)) if seen.made().next().is_some() => {
                seen.ended = Some(Ended::Interrupted);
                return Ok(true);
            }
            Err(error) if seen.made().next().is_some() => {
                let pass = match kind {
                    RunKind::Counters => "pass with counters",
                    RunKind::Profile => "pass with a profile",
                    _ => "first pass",
                };
                let why = format!("its {pass} could not be run: {}", error.with_hint());
                seen.failed.push(kind);
                seen.ended = Some(match seen.ended.take() {
                    Some(Ended::Failed(before)) => Ended::Failed(format!("{before}; {why}")),
                    _ => Ended::Failed(why),
                });
                // Without the first there is nothing to set the others beside.
                return Ok(seen.plain.is_none());
            }
            Err(error) => return Err(error),
        };
        let interrupted = outcome.findings.verdict == Verdict::Interrupted;
        let over = interrupted || outcome.findings.verdict == Verdict::Failed;
        if interrupted {
            seen.ended = Some(Ended::Interrupted);
        }
        seen.put(kind, outcome);
        Ok(over)
    }
}
