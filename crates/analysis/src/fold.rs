//! The one place where records become findings, live and when a run is read back.

mod unjudged;
mod verdict;

use crate::about::JudgedZone;
use crate::generator::generator;
use crate::hold::HoldWatch;
use crate::instances::{self, Turnover};
use crate::journeys::Journeys;
use crate::lateness::Bounds;
use crate::limits::{OomKills, throttled};
use crate::noted::noted;
use crate::requests::Requests;
use crate::rules::{HeldRules, Rules};
use crate::scarcity::Scarcity;
use crate::search::{Decision, Ending, Search, SearchResult, load_line};
use crate::service::fills_one_of_its_cores;
use crate::shock::ShockWatch;
use crate::soak::SoakWatch;
use crate::step::{Step, TickUse};
use crate::step_summary::{StepOutcome, StepSummary};
use crate::throughout::Throughout;
use crate::timeline::Timeline;
use crate::warm_up::WarmUp;
use crate::window::charged_races;
use crate::{errors, handshakes, little, neighbours, outcome, response_notices, sizing};
use plimsoll_findings::{Findings, Headline, NextStep, Notice, StepVerdict, Totals, Verdict};
use plimsoll_measure::{
    CollectionMark, Counters, Ended, Examples, Host, InstancesSample, KeptSample, MachineSample, Note, NoteKind,
    Record, RunEnd, RunInfo, RunKind, ShockMark, StepEnd, StepStart, TargetSample, TickDurations, TickLine, Timing,
};
use plimsoll_plan::Plan;
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
    /// Only where the service is disturbed on purpose.
    shock: Option<ShockWatch>,
    /// Only where the service is watched for growth.
    soak: Option<SoakWatch>,
    end_ns: u64,
    /// `None` while it goes on, and of one that was cut off.
    ended: Option<Ended>,
    totals: Counters,
    requests: Requests,
    journeys: Journeys,
    handshakes: Throughout,
    openings: Throughout,
    pings: Throughout,
    examples: Examples,
    /// The last step that was all warm-up.
    warm_up: Option<WarmUp>,
    step: Option<Step>,
    summaries: Vec<StepSummary>,
    outcomes: Vec<StepOutcome>,
    timeline: Timeline,
    notes: Vec<Note>,
    notes_left_out: u32,
    without_histograms: bool,
    scarcity: Scarcity,
    oom_kills: OomKills,
    turnover: Turnover,
}

impl Fold {
    /// For a run of `plan`. `capacity` runs are judged step by step, all others as a whole.
    #[must_use]
    pub fn new(plan: &Plan, info: &RunInfo, host: &Host) -> Self {
        let search = (info.kind == RunKind::Capacity).then(|| Search::new(plan));
        let unit = search.as_ref().map(|_| plan.search().unit);
        Self {
            search,
            hold: HoldWatch::of(plan, info.kind),
            shock: (info.kind == RunKind::Shock).then(ShockWatch::default),
            soak: (info.kind == RunKind::Soak).then(SoakWatch::default),
            rules: Rules {
                objectives: plan.objectives().to_vec(),
                requests: plan
                    .scenario()
                    .counted_requests()
                    .map(|request| request.name.clone())
                    .collect(),
                journeys: Journeys::of(plan.scenario()).places(),
                neighbours: plan.target().beside.iter().map(|beside| beside.name.clone()).collect(),
                judged_zones: JudgedZone::of(plan.objectives(), &host.agents),
                zones: host.agents.iter().map(|agent| agent.zone.clone()).collect(),
                held: HeldRules::of(plan),
                judging: plan.judging(),
                bounds: Bounds::of(plan, unit),
            },
            plan: plan.clone(),
            info: info.clone(),
            host: host.clone(),
            end_ns: 0,
            ended: None,
            totals: Counters::default(),
            requests: Requests::default(),
            journeys: Journeys::of(plan.scenario()),
            handshakes: Throughout::of(Timing::HandshakeTime),
            openings: Throughout::of(Timing::OpeningTime),
            pings: Throughout::of(Timing::PingLateness),
            examples: Examples::default(),
            warm_up: None,
            step: None,
            summaries: Vec::new(),
            outcomes: Vec::new(),
            timeline: Timeline::default(),
            notes: Vec::new(),
            notes_left_out: 0,
            without_histograms: false,
            oom_kills: OomKills::default(),
            turnover: Turnover::default(),
            scarcity: Scarcity::default(),
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: &Record<'_>) {
        // Behind the end only notes of the reader come.
        if self.has_ended() && !matches!(record, Record::Note(_)) {
            return;
        }
        match record {
            Record::StepStart(start) => self.step_starts(start),
            Record::Tick {
                line,
                durations,
                target,
            } => self.tick(line, durations, *target),
            Record::Machine(sample) => self.machine(*sample),
            Record::Instances(seen) => self.instances(seen),
            Record::Collection(mark) => self.collection(*mark),
            Record::Kept(sample) => self.kept(sample),
            Record::LoopDelays(told) => self.step.iter_mut().for_each(|step| step.loop_delays(told)),
            Record::Neighbour(seen) => self.step.iter_mut().for_each(|step| step.neighbour(seen)),
            Record::Shock(mark) => self.shock(mark),
            Record::StepEnd(end) => self.step_ends(*end),
            Record::Note(note) => self.note(note),
            Record::RunEnd(end) => self.run_ends(end),
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

    /// Whether the service has become warm in a step for that.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.warm_up.as_ref().is_some_and(WarmUp::is_warm)
    }

    /// What the records so far come to. A step that has not ended is judged as if it ended now.
    #[must_use]
    pub fn findings(&self) -> Findings {
        let mut steps = Cow::Borrowed(&self.summaries);
        if let Some(running) = self.step.as_ref().filter(|step| !step.is_warm_up()) {
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
            .and_then(|result| load_line(&self.plan, result, &steps, reported));
        let mut findings = Findings {
            format: "plimsoll.findings/3".to_owned(),
            command: self.info.kind,
            name: self.plan.name().to_owned(),
            target: self.plan.target().url.to_string(),
            target_command: self.plan.target().command.as_ref().map(|c| c.shown().into()),
            started_at: self.info.started_at.clone(),
            duration_s: self.end_ns as f64 / 1e9,
            version: self.info.version.clone(),
            host: self.host.clone(),
            verdict: self.verdict(&steps, searched.as_ref(), reported),
            // What they are follows from the rest.
            headline: Headline::CouldNotGoOn,
            next_step: NextStep::RunToEnd,
            load_line: line,
            sizing: None,
            objectives: reported.map_or_else(|| self.rules.nothing_judged(), |s| s.finding.objectives.clone()),
            totals: self.totals(reported),
            response_time: reported.map(|s| s.response_time.clone()).unwrap_or_default(),
            service_time: reported.map(|s| s.service_time.clone()).unwrap_or_default(),
            schedule_lag: reported.map(|s| s.schedule_lag.clone()).unwrap_or_default(),
            handshakes: handshakes::finding(&self.handshakes, &self.totals),
            openings: self.openings.finding(),
            pings: self.pings.finding(),
            response_time_curve: reported.map(|s| s.response_time_curve.clone()).unwrap_or_default(),
            requests: self.requests.findings(
                &self.rules.requests,
                reported.map_or(&[], |step| step.requests.as_slice()),
            ),
            journeys: self.journeys.findings(&self.totals, self.requests.counters(), reported),
            errors: errors::findings(&self.totals, &self.examples),
            target_resources: reported.and_then(|s| s.service.clone()),
            neighbours: neighbours::findings(&self.plan.target().beside, reported),
            ran_out_first: neighbours::ran_out_first(breached(&steps), !self.plan.scenario().journeys.is_empty()),
            hold: match &self.search {
                None => self.hold.as_ref().map(HoldWatch::finding),
                Some(_) => reported.and_then(|step| step.hold.clone()),
            },
            shock: self.shock.as_ref().and_then(|shock| shock.finding(&self.rules)),
            soak: self.soak.as_ref().map(SoakWatch::finding),
            generator: generator(reported, &steps, &self.host),
            timeline: self.timeline.points(),
            notices: self.notices(&steps, searched.as_ref(), reported),
            steps: steps.iter().map(|s| s.finding.clone()).collect(),
            diagnosis: None,
        };
        if findings.verdict == Verdict::Invalid && findings.shock.is_some() {
            findings.generator.kept_up = Some(false);
        }
        let broken = findings.load_line.as_ref().and_then(little::notice);
        findings.notices.extend(broken);
        self.say_what_was_not_judged(&mut findings, reported);
        findings.headline = outcome::headline(&findings);
        findings.next_step = outcome::next_step(&findings);
        findings.sizing = sizing::finding(self.plan.sizing(), &findings);
        findings
    }

    /// Whether the records so far end where the run did.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// When the last record was, since the beginning of the run, ns.
    #[must_use]
    pub const fn end_ns(&self) -> u64 {
        self.end_ns
    }

    fn run_ends(&mut self, end: &RunEnd) {
        self.close_step();
        self.end_ns = self.end_ns.max(end.at_ns);
        self.ended = Some(end.ended.clone());
    }

    fn step_starts(&mut self, start: &StepStart) {
        self.close_step();
        self.end_ns = self.end_ns.max(start.at_ns);
        self.hold.iter_mut().for_each(|hold| hold.starts(start));
        if start.warms_up {
            self.warm_up = Some(WarmUp::begin(start));
        }
        self.step = Some(Step::begin(start.clone(), &self.rules));
    }

    fn instances(&mut self, seen: &InstancesSample) {
        // A shock may restart them all.
        if self.shock.is_none() {
            self.turnover.see(seen);
        }
        self.step.iter_mut().for_each(|step| step.instances(seen));
    }

    fn collection(&mut self, mark: CollectionMark) {
        self.step.iter_mut().for_each(|step| step.collecting.begins(mark));
    }

    fn kept(&mut self, sample: &KeptSample) {
        self.step.iter_mut().for_each(|step| step.collecting.ends(sample));
        let target = self.step.as_ref().and_then(Step::last_target);
        self.soak.iter_mut().for_each(|soak| soak.kept(sample, target));
    }

    fn machine(&mut self, sample: MachineSample) {
        self.hold.iter_mut().for_each(|hold| hold.machine(sample));
    }

    fn shock(&mut self, mark: &ShockMark) {
        self.end_ns = self.end_ns.max(mark.at_ns);
        self.shock.iter_mut().for_each(|shock| shock.mark(mark));
        self.step.iter_mut().for_each(|step| step.shock(&self.rules));
    }

    fn tick(&mut self, line: &TickLine, durations: &TickDurations, target: Option<TargetSample>) {
        self.end_ns = self.end_ns.max(line.end_ns());
        self.totals.merge(&line.counters);
        self.requests.add(line.requests.iter().map(|request| &request.counters));
        self.handshakes.tick(line, durations);
        self.openings.tick(line, durations);
        self.pings.tick(line, durations);
        self.examples.merge(&line.examples);
        self.scarcity.tick(&line.generator);
        self.hold.iter_mut().for_each(|hold| hold.tick(line, durations, target));
        // A record whose step did not begin is all that a torn directory may hold of that step.
        let Some(step) = &mut self.step else { return };
        let TickUse { used, judged } = step.tick(line, durations, target, &self.rules);
        let cpu = used.cpu;
        if judged {
            self.turnover.is_loaded();
        }
        self.oom_kills.see(target);
        if let Some(shock) = self.shock.as_mut().filter(|_| !step.is_warming_up(line, &self.rules)) {
            shock.tick(line, durations, &used, &self.rules);
        }
        if let Some(warm_up) = self.warm_up.as_mut().filter(|_| step.is_warm_up()) {
            warm_up.tick(line, cpu);
        }
        let finished = &durations[Timing::ResponseTime];
        let quantiles_ns = if finished.count() > 0 {
            Some((finished.quantile_ns(0.5), finished.quantile_ns(0.99)))
        } else {
            self.without_histograms |= line.durations[Timing::ResponseTime].count > 0;
            line.durations[Timing::ResponseTime]
                .quantile_ns(0.5)
                .zip(line.durations[Timing::ResponseTime].quantile_ns(0.99))
                .filter(|_| line.durations[Timing::ResponseTime].count > 0)
        };
        if let Some(soak) = self.soak.as_mut().filter(|_| judged) {
            soak.tick(line, quantiles_ns.map(|(_, p99_ns)| p99_ns), target, cpu);
        }
        self.timeline.push(line, quantiles_ns, target, cpu, judged);
    }

    fn step_ends(&mut self, end: StepEnd) {
        self.end_ns = self.end_ns.max(end.at_ns);
        self.hold.iter_mut().for_each(|hold| hold.ends(end));
        if let Some(step) = &mut self.step {
            step.end(end, &self.rules);
            if let Some(warm_up) = self.warm_up.as_mut().filter(|_| step.is_warm_up()) {
                warm_up.end(end);
            }
        }
        self.close_step();
    }

    fn close_step(&mut self) {
        if let Some(step) = self.step.take().filter(|step| !step.is_warm_up()) {
            let hold = self.hold.as_ref().filter(|_| self.search.is_some());
            self.summaries.push(StepSummary {
                hold: hold.map(HoldWatch::finding_of_step),
                ..step.summary(&self.rules)
            });
            self.outcomes.push(step.outcome(&self.rules));
            if self.search.is_some() {
                self.hold = HoldWatch::of(&self.plan, self.info.kind);
            }
        }
    }

    fn note(&mut self, note: &Note) {
        self.end_ns = self.end_ns.max(note.at_ns);
        // What agents do when the run is gone is counted alone.
        if note.kind == NoteKind::Interrupted {
            self.step.iter_mut().for_each(Step::judge_no_more);
        }
        if self.notes.len() < NOTES_MAX || !self.has_note(note.kind) {
            self.notes.push(note.clone());
        } else {
            self.notes_left_out += 1;
        }
    }

    fn has_note(&self, kind: NoteKind) -> bool {
        self.notes.iter().any(|note| note.kind == kind)
    }

    fn totals(&self, reported: Option<&StepSummary>) -> Totals {
        let all = &self.totals;
        Totals {
            scheduled: all.scheduled,
            sent: all.sent,
            completed: all.completed,
            passed: all.passed,
            errors: all.errors.total().saturating_add(charged_races(all)),
            dropped: all.dropped,
            sent_bytes: all.sent_bytes,
            received_bytes: all.received_bytes,
            connections_opened: all.connections_opened,
            throughput_per_s: reported.and_then(|s| s.finding.throughput_per_s),
            status: all.status,
            status_other: all.status_other,
            redirects: all.redirects,
            followed: all.followed,
            keep_alive_races: all.races(),
            unrequested: all.unrequested,
        }
    }

    fn notices(
        &self,
        steps: &[StepSummary],
        searched: Option<&SearchResult>,
        reported: Option<&StepSummary>,
    ) -> Vec<Notice> {
        let mut notices: Vec<_> = self.notes.iter().map(noted).collect();
        let count = self.notes_left_out;
        notices.extend((count > 0).then_some(Notice::NotesLeftOut { count }));
        let in_shock = self.shock.as_ref();
        let in_shock = in_shock.and_then(|shock| shock.generator().invalid_because(self.rules.bounds));
        if let Some(because) = steps.iter().find_map(|s| s.finding.invalid_because).or(in_shock) {
            notices.push(Notice::GeneratorLate { because });
        }
        notices.extend(self.warm_up.as_ref().and_then(WarmUp::notice));
        notices.extend(self.scarcity.notices());
        notices.extend(response_notices::notices(&self.totals, &self.examples));
        if searched.is_some_and(|r| r.passed.is_some() && r.ending == Ending::BudgetSpent) {
            notices.push(Notice::NotConverged);
        }
        if let Some((failed, judged)) = searched.map(|r| r.windows_up_to_line)
            && f64::from(failed) > f64::from(judged) * (1.0 - self.rules.judging.passing_windows.value())
        {
            notices.push(Notice::FailedBelowLine { failed, judged });
        }
        let reach = searched.and_then(|r| r.reach);
        notices.extend(reach.and_then(|reach| reach.notice(self.plan.search().unit)));
        notices.extend(instances::notices(reported.and_then(|step| step.service.as_ref())));
        notices.extend(self.turnover.notice());
        let breached = breached(steps);
        notices.extend(throttled(breached.clone()));
        notices.extend(
            self.oom_kills
                .notice()
                .filter(|_| !self.has_note(NoteKind::OutOfMemory)),
        );
        if let Some(service) = breached
            .filter_map(|s| s.service.as_ref())
            .find(|service| fills_one_of_its_cores(service))
        {
            notices.push(Notice::OneCoreFull {
                busy_cores: service.busy_cores(),
                cores: service.cores,
            });
        }
        if self.without_histograms {
            notices.push(Notice::HistogramsLost);
        }
        match self.plan.scenario().journeys.is_empty() {
            true => notices,
            false => notices.into_iter().map(Notice::in_users).collect(),
        }
    }
}

/// Steps in which an objective did not hold.
fn breached(steps: &[StepSummary]) -> impl Iterator<Item = &StepSummary> + Clone {
    steps
        .iter()
        .filter(|step| step.finding.verdict == StepVerdict::Breached)
}
