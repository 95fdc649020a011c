//! The one place where records become findings, live and when a run is read back.

use crate::findings::{Findings, GeneratorFinding, Notice, StepVerdict, Totals, Verdict};
use crate::hold::HoldWatch;
use crate::lateness::Bounds;
use crate::percentiles::ms;
use crate::scarcity::Scarcity;
use crate::search::{Decision, Ending, Search, SearchResult, load_line};
use crate::step::{Rules, Step, StepOutcome, StepSummary};
use crate::timeline::Timeline;
use crate::{errors, sentences};
use plimsoll_measure::{
    Counters, Durations, Host, MachineSample, Note, NoteKind, Record, RunInfo, StepEnd, StepStart, TargetSample,
    TickLine,
};
use plimsoll_plan::{Load, Plan};
use std::borrow::Cow;

/// Notes kept; a run that warns without end must not grow without end.
const NOTES_MAX: usize = 100;

/// Takes in the records of a run in their order and says at any time what they come to.
///
/// Its memory does not depend on how long a step is: one set of histograms for the step that runs,
/// a few kilobytes for each step that is over, and a timeline of at most 600 points.
#[derive(Debug, Clone)]
pub struct Fold {
    plan: Plan,
    info: RunInfo,
    host: Host,
    rules: Rules,
    /// Only in a capacity run.
    search: Option<Search>,
    /// Only where connections are held.
    hold: Option<HoldWatch>,
    end_ns: u64,
    totals: Counters,
    step: Option<Step>,
    summaries: Vec<StepSummary>,
    outcomes: Vec<StepOutcome>,
    timeline: Timeline,
    notes: Vec<Note>,
    notes_left_out: u32,
    without_histograms: bool,
    scarcity: Scarcity,
}

impl Fold {
    /// For a run of `plan`. `capacity` runs are judged step by step, all others as a whole.
    #[must_use]
    pub fn new(plan: &Plan, info: &RunInfo, host: &Host) -> Self {
        let search = (info.command == "capacity").then(|| Search::new(plan));
        let open_model = search.is_some() || matches!(plan.load, Load::Open(_));
        let hold = match &plan.load {
            Load::Hold(load) if search.is_none() => Some(HoldWatch::new(load)),
            _ => None,
        };
        Self {
            search,
            hold,
            rules: Rules {
                objectives: plan.objectives.clone(),
                judging: plan.judging,
                bounds: Bounds::of(&plan.objectives, open_model),
            },
            plan: plan.clone(),
            info: info.clone(),
            host: host.clone(),
            end_ns: 0,
            totals: Counters::default(),
            step: None,
            summaries: Vec::new(),
            outcomes: Vec::new(),
            timeline: Timeline::default(),
            notes: Vec::new(),
            notes_left_out: 0,
            without_histograms: false,
            scarcity: Scarcity::default(),
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: &Record<'_>) {
        match record {
            Record::StepStart(start) => self.step_starts(start),
            Record::Tick {
                line,
                durations,
                target,
            } => self.tick(line, durations, *target),
            Record::Machine(sample) => self.machine(*sample),
            Record::StepEnd(end) => self.step_ends(*end),
            Record::Note(note) => self.note(note),
        }
    }

    /// Steps that are over, in order: the history that the capacity search decides by.
    #[must_use]
    pub fn history(&self) -> &[StepOutcome] {
        &self.outcomes
    }

    /// The last step that is over.
    #[must_use]
    pub fn last_step(&self) -> Option<&StepOutcome> {
        self.outcomes.last()
    }

    /// The step that runs, judged by what was seen of it so far.
    #[must_use]
    pub fn current_step(&self) -> Option<StepOutcome> {
        self.step.as_ref().map(|step| step.outcome(&self.rules))
    }

    /// What to do next in a capacity run; `None` in every other.
    #[must_use]
    pub fn decide(&self) -> Option<Decision> {
        self.search.as_ref().map(|search| search.decide(&self.outcomes))
    }

    /// Whether the rest of the step that runs would be a waste of time. Never in a run that is no
    /// capacity search.
    #[must_use]
    pub fn should_stop_early(&self) -> bool {
        let running = self.search.as_ref().zip(self.current_step());
        running.is_some_and(|(search, running)| search.should_stop_early(&running))
    }

    /// What the records so far come to. A step that has not ended is judged as if it ended now.
    #[must_use]
    pub fn findings(&self) -> Findings {
        let mut steps = Cow::Borrowed(&self.summaries);
        if let Some(running) = &self.step {
            steps.to_mut().push(running.summary(&self.rules));
        }
        // A running step tells the search nothing before it is over.
        let searched = self.search.as_ref().map(|search| search.stopped(&self.outcomes));
        let reported = match &searched {
            Some(result) => result
                .step
                .and_then(|step| steps.iter().find(|s| s.finding.step == step)),
            None => None,
        };
        let reported = reported.or(steps.last());
        let line = searched
            .as_ref()
            .and_then(|r| load_line(r, &self.rules.objectives, reported));
        let mut findings = Findings {
            format: "plimsoll.findings/1".to_owned(),
            command: self.info.command.clone(),
            name: self.plan.name.clone(),
            target: sentences::url(&self.plan.target.url),
            target_command: self.plan.target.command.as_ref().map(|c| c.argv.join(" ")),
            started_at: self.info.started_at.clone(),
            duration_s: self.end_ns as f64 / 1e9,
            version: self.info.version.clone(),
            host: sentences::host(&self.host),
            verdict: self.verdict(&steps, searched.as_ref()),
            headline: String::new(),
            next_step: String::new(),
            load_line: line,
            objectives: reported.map(|s| s.finding.objectives.clone()).unwrap_or_default(),
            totals: self.totals(reported),
            response_time: reported.map(|s| s.response_time.clone()).unwrap_or_default(),
            service_time: reported.map(|s| s.service_time.clone()).unwrap_or_default(),
            schedule_lag: reported.map(|s| s.schedule_lag.clone()).unwrap_or_default(),
            response_time_curve: reported.map(|s| s.response_time_curve.clone()).unwrap_or_default(),
            errors: errors::findings(&self.totals),
            target_resources: reported.and_then(|s| s.service.clone()),
            hold: self.hold.as_ref().map(HoldWatch::finding),
            generator: generator(reported, &steps),
            timeline: self.timeline.points(),
            notices: self.notices(reported, &steps, searched.as_ref()),
            steps: steps.iter().map(|s| s.finding.clone()).collect(),
            diagnosis: None,
        };
        findings.headline = sentences::headline(&findings);
        findings.next_step = sentences::next_step(&findings);
        findings
    }

    fn step_starts(&mut self, start: &StepStart) {
        self.close_step();
        self.end_ns = self.end_ns.max(start.at_ns);
        if let Some(hold) = &mut self.hold {
            hold.starts(start);
        }
        self.step = Some(Step::begin(start.clone(), &self.rules));
    }

    fn machine(&mut self, sample: MachineSample) {
        if let Some(hold) = &mut self.hold {
            hold.machine(sample);
        }
    }

    fn tick(&mut self, line: &TickLine, durations: &Durations, target: Option<TargetSample>) {
        self.end_ns = self.end_ns.max(line.start_ns + line.duration_ns);
        self.totals.merge(&line.counters);
        self.scarcity.tick(&line.generator);
        if let Some(hold) = &mut self.hold {
            hold.tick(line, &durations.delivery_time, target);
        }
        // A record whose step did not begin is all that a torn folder may hold of that step.
        let Some(step) = &mut self.step else { return };
        let (cpu, judged) = step.tick(line, durations, target, &self.rules);
        let finished = &durations.response_time;
        let quantiles_ns = if finished.count() > 0 {
            Some((finished.quantile_ns(0.5), finished.quantile_ns(0.99)))
        } else {
            self.without_histograms |= line.response_time.count > 0;
            line.response_time
                .quantile_ns(0.5)
                .zip(line.response_time.quantile_ns(0.99))
                .filter(|_| line.response_time.count > 0)
        };
        self.timeline.push(line, quantiles_ns, target, cpu, judged);
    }

    fn step_ends(&mut self, end: StepEnd) {
        self.end_ns = self.end_ns.max(end.at_ns);
        if let Some(step) = &mut self.step {
            step.end(end, &self.rules);
        }
        self.close_step();
    }

    fn close_step(&mut self) {
        if let Some(step) = self.step.take() {
            self.summaries.push(step.summary(&self.rules));
            self.outcomes.push(step.outcome(&self.rules));
        }
    }

    fn note(&mut self, note: &Note) {
        self.end_ns = self.end_ns.max(note.at_ns);
        if self.notes.len() < NOTES_MAX || note.kind != NoteKind::Warning {
            self.notes.push(note.clone());
        } else {
            self.notes_left_out += 1;
        }
    }

    fn has_note(&self, kind: NoteKind) -> bool {
        self.notes.iter().any(|note| note.kind == kind)
    }

    fn verdict(&self, steps: &[StepSummary], searched: Option<&SearchResult>) -> Verdict {
        if self.has_note(NoteKind::TargetDied) || self.has_note(NoteKind::PortTaken) {
            return Verdict::Failed;
        }
        if self.has_note(NoteKind::Interrupted) {
            return Verdict::Interrupted;
        }
        if let Some(hold) = &self.hold {
            let breached = steps
                .iter()
                .any(|s| s.finding.objectives.iter().any(|o| o.observed.is_some() && !o.passed));
            return match hold.verdict(&self.totals) {
                Verdict::Passed if breached => Verdict::Breached,
                verdict => verdict,
            };
        }
        match searched {
            Some(result) => self.verdict_of_search(result),
            None => self.verdict_of_run(steps),
        }
    }

    fn verdict_of_search(&self, result: &SearchResult) -> Verdict {
        match result.ending {
            Ending::GeneratorLimit(_) => Verdict::Invalid,
            Ending::Stopped => Verdict::Interrupted,
            _ if result.passed.is_some() => Verdict::Passed,
            _ if self.totals.completed == 0 || result.failed.is_none() => Verdict::Failed,
            _ => Verdict::Breached,
        }
    }

    fn verdict_of_run(&self, steps: &[StepSummary]) -> Verdict {
        let any = |verdict| steps.iter().any(|s| s.finding.verdict == verdict);
        if any(StepVerdict::Invalid) {
            Verdict::Invalid
        } else if self.totals.completed == 0 {
            Verdict::Failed
        } else if any(StepVerdict::Breached) {
            Verdict::Breached
        } else if any(StepVerdict::Passed) {
            Verdict::Passed
        } else {
            Verdict::Failed
        }
    }

    fn totals(&self, reported: Option<&StepSummary>) -> Totals {
        let all = &self.totals;
        Totals {
            scheduled: all.scheduled,
            sent: all.sent,
            completed: all.completed,
            passed: all.passed,
            errors: all.errors.total(),
            dropped: all.dropped,
            sent_bytes: all.sent_bytes,
            received_bytes: all.received_bytes,
            connections_opened: all.connections_opened,
            throughput_per_s: reported.map_or(0.0, |s| s.finding.throughput_per_s),
            status: all.status,
        }
    }

    fn notices(
        &self,
        reported: Option<&StepSummary>,
        steps: &[StepSummary],
        searched: Option<&SearchResult>,
    ) -> Vec<Notice> {
        let warning = |message: String, hint: Option<&str>| Notice {
            code: "warning".to_owned(),
            message,
            hint: hint.map(ToOwned::to_owned),
        };
        let mut notices: Vec<_> = self.notes.iter().map(notice).collect();
        if self.notes_left_out > 0 {
            notices.push(warning(
                format!("{} more warnings were left out", self.notes_left_out),
                None,
            ));
        }
        if let Some(because) = steps.iter().find_map(|s| s.finding.invalid_because.clone()) {
            notices.push(Notice {
                code: "generator_late".to_owned(),
                message: because,
                hint: Some(sentences::GENERATOR_HINT.to_owned()),
            });
        }
        notices.extend(self.scarcity.notices());
        if searched.is_some_and(|r| r.passed.is_some() && r.ending == Ending::BudgetSpent) {
            notices.push(Notice {
                code: "not_converged".to_owned(),
                message: "the time budget ended before both ends of the bracket were confirmed".to_owned(),
                hint: Some("give the search a longer budget, or ask for a wider bracket".to_owned()),
            });
        }
        if let Some((failed, judged)) = searched.map(|r| r.windows_up_to_line)
            && f64::from(failed) > f64::from(judged) * (1.0 - self.rules.judging.passing_windows.value())
        {
            notices.push(warning(
                format!(
                    "{failed} of {judged} windows failed at rates up to the load line, more than the plan forgives"
                ),
                Some("the service or its host stalls at times whatever the rate; take longer steps to see how often"),
            ));
        }
        let breached = steps.iter().filter(|s| s.finding.verdict == StepVerdict::Breached);
        if let Some(service) = breached
            .filter_map(|s| s.service.as_ref())
            .find(|service| service.fills_one_of_its_cores())
        {
            notices.push(warning(sentences::one_core(service), Some(sentences::ONE_CORE_HINT)));
        }
        for objective in reported.map(|s| s.not_observed.as_slice()).unwrap_or_default() {
            notices.push(warning(
                format!("{objective} was not judged: no window showed a figure for it"),
                objective.starts_with("cpu").then_some(sentences::CPU_HINT),
            ));
        }
        if self.without_histograms {
            notices.push(warning(
                "the run folder lacks histograms; percentiles of whole steps are missing".to_owned(),
                None,
            ));
        }
        notices
    }
}

fn notice(note: &Note) -> Notice {
    let code = match note.kind {
        NoteKind::Interrupted => "interrupted",
        NoteKind::TargetDied => "target_died",
        NoteKind::PortTaken => "port_taken",
        NoteKind::Warning => "warning",
    };
    Notice {
        code: code.to_owned(),
        message: note.message.clone(),
        hint: note.hint.clone(),
    }
}

fn generator(reported: Option<&StepSummary>, steps: &[StepSummary]) -> GeneratorFinding {
    let own = reported.map(|s| s.generator).unwrap_or_default();
    GeneratorFinding {
        shards: own.shards,
        busy_share_max: own.busy_share_max,
        lag_p99_ms: reported.map_or(0.0, |s| s.schedule_lag.p99_ms),
        wake_lag_p99_ms: ms(own.wake_lag_p99_ns),
        cpu_us_per_request: own.cpu_us_per_request,
        kept_up: steps.iter().all(|s| s.finding.verdict != StepVerdict::Invalid),
    }
}
