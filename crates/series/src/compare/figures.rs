//! The figures that are compared: where they are in a round, how they are set against each other, what is judged.

use super::{Blocks, runs_forward};
use crate::check::{Judge, Role, is_suspicious};
use crate::crossover::{Block, Estimate};
use crate::responses::responses_of_run;
use plimsoll_findings::{
    EndedBecause, FigureFinding, FigureVerdict, Findings, Headline, Metric, Notice, ResponsesFinding, StepFinding,
    Unit, Unused, Verdict,
};
use plimsoll_measure::probe::Content;
use plimsoll_measure::run_directory::{self, ComparisonInfo};
use plimsoll_measure::{Host, RunKind};
use std::collections::BTreeSet;

/// Confidence that the intervals of all judged figures hold at once. Each gets its part of what is missing from 1, so
/// that a figure more does not make a false verdict more likely: the inequality of Bonferroni.
pub(super) const JUDGED_CONFIDENCE: f64 = 0.95;
/// Changes below this are never called better or worse, however sure: where code and stack happen to lie in memory
/// moves a program by as much. T. Mytkowicz et al., Producing wrong data without doing anything obviously wrong,
/// ASPLOS 2009.
pub(super) const NEGLIGIBLE: f64 = 0.01;
/// The same for the share of errors, which is compared by difference.
const NEGLIGIBLE_ERRORS: f64 = 0.001;
/// A service whose CPU per request falls by more than this within the rounds was still warming up.
const WARMING_UP: f64 = 0.05;

/// What a round left, for the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRound {
    pub(crate) number: u32,
    pub(crate) block: u32,
    pub(crate) variant: usize,
    pub(crate) directory: String,
    pub(crate) target: String,
    pub(crate) host: Host,
    pub(crate) duration_s: f64,
    /// The generator was late.
    pub(crate) invalid: bool,
    pub(crate) interrupted: bool,
    pub(crate) unused_because: Option<Unused>,
    pub(crate) cpu_us_per_request: Option<f64>,
    pub(crate) rss_max_bytes: Option<f64>,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p90_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    pub(crate) p999_ms: Option<f64>,
    pub(crate) throughput_per_s: Option<f64>,
    pub(crate) error_share: Option<f64>,
    pub(crate) load_line_per_s: Option<f64>,
    /// What that is.
    pub(crate) load_line_unit: Unit,
    /// Why nothing failed above the load line, so that it may be higher; `None` where something did.
    pub(crate) open_ended: Option<EndedBecause>,
    /// CPU per request of the second half of the judged part over that of the first.
    pub(crate) halves: Option<f64>,
    pub(crate) responses: ResponsesFinding,
    /// Responses and their bytes, heads included.
    pub(crate) received: (u64, u64),
    /// What the first of them said, where the probe looked.
    pub(crate) contents: BTreeSet<Content>,
    pub(crate) notices: Vec<Notice>,
}

impl ComparedRound {
    /// Round `number` of a comparison, which is `place`, from what it found.
    #[must_use]
    pub fn of(number: u32, place: &run_directory::Round, findings: &Findings) -> Self {
        let line = findings.load_line.as_ref();
        let step = reported(findings);
        let resources = findings.target_resources.as_ref();
        let is_search = findings.command == RunKind::Capacity;
        let unused_because = match findings.verdict {
            _ if findings.is_torn() => Some(Unused::LostRecords),
            Verdict::Passed => None,
            // Objectives are not what is asked here, except in a search, which has no line then.
            Verdict::Breached | Verdict::Unjudged if !is_search && step.is_some_and(has_figures) => None,
            Verdict::Unjudged if line.is_some() => None,
            _ => Some(Unused::CameTo {
                headline: Box::new(findings.headline.clone()),
            }),
        };
        Self {
            number,
            block: place.block,
            variant: place.variant,
            directory: place.directory.clone(),
            target: findings.target.clone(),
            host: findings.host.clone(),
            duration_s: findings.duration_s,
            invalid: findings.verdict == Verdict::Invalid,
            interrupted: findings.verdict == Verdict::Interrupted || findings.is_torn(),
            unused_because,
            cpu_us_per_request: resources.and_then(|r| r.cpu_us_per_request),
            rss_max_bytes: resources.map(|r| r.rss_max_bytes as f64),
            p50_ms: findings.response_time.p50_ms,
            p90_ms: findings.response_time.p90_ms,
            p99_ms: findings.response_time.p99_ms,
            p999_ms: findings.response_time.p999_ms,
            throughput_per_s: step.and_then(|step| step.throughput_per_s),
            error_share: step.and_then(|step| step.error_share),
            load_line_per_s: line.map(|line| line.rate_per_s),
            // A comparison searches for rates, of requests or of users.
            load_line_unit: match line.is_some_and(|line| line.users) {
                true => Unit::UsersPerS,
                false => Unit::PerS,
            },
            open_ended: line.filter(|line| !line.has_failed()).map(|line| line.ended_because),
            halves: if is_search { None } else { halves(findings) },
            responses: responses_of_run(findings),
            received: (findings.totals.completed, findings.totals.received_bytes),
            contents: BTreeSet::new(),
            notices: findings
                .notices
                .iter()
                .filter(|notice| notice.is_warning() || notice.says_what_was_measured())
                .cloned()
                .collect(),
        }
    }

    /// With what its first responses said.
    #[must_use]
    pub fn saying(mut self, contents: BTreeSet<Content>) -> Self {
        self.contents = contents;
        self
    }

    /// Why the comparison cannot go on after it: the variant does not work. `None` when it can.
    #[must_use]
    pub fn fatal(&self) -> Option<&Unused> {
        self.unused_because
            .as_ref()
            .filter(|_| !self.invalid && !self.interrupted)
    }

    /// Whether the generator was late in it. Where an agent was lost, even what the kernel counted is not that of the load.
    pub(crate) fn is_late(&self) -> bool {
        let lost =
            |because: &Unused| matches!(because, Unused::CameTo { headline } if **headline == Headline::AgentLost);
        self.invalid && !self.unused_because.as_ref().is_some_and(lost)
    }

    /// The machine that it was made on.
    pub(crate) const fn host(&self) -> &Host {
        &self.host
    }

    /// Whether the user stopped it.
    #[must_use]
    pub const fn interrupted(&self) -> bool {
        self.interrupted
    }
}

/// requests completed while it was judged, and there are figures of them.
fn has_figures(step: &StepFinding) -> bool {
    step.throughput_per_s.is_some_and(|per_s| per_s > 0.0)
}

fn reported(findings: &Findings) -> Option<&StepFinding> {
    let line = findings.load_line.as_ref().map(|line| line.rate_per_s);
    let at_line = |step: &&StepFinding| line.is_some() && step.offered_per_s == line;
    findings.steps.iter().rfind(at_line).or(findings.steps.last())
}

fn halves(findings: &Findings) -> Option<f64> {
    let judged: Vec<_> = findings.timeline.iter().filter(|point| point.judged).collect();
    let per_request = |points: &[&plimsoll_findings::TimelinePoint]| {
        let cpu: f64 = points.iter().filter_map(|p| Some(p.cpu_share? * p.duration_s)).sum();
        let completed: f64 = points.iter().map(|p| p.throughput_per_s * p.duration_s).sum();
        (cpu > 0.0 && completed > 0.0).then(|| cpu / completed)
    };
    let (first, second) = judged.split_at(judged.len() / 2);
    Some(per_request(second)? / per_request(first)?)
}

/// A kind of figure.
struct Kind {
    figure: Metric,
    judged: bool,
    value: fn(&ComparedRound) -> Option<f64>,
}

impl Kind {
    /// CPU is counted by the kernel, and errors are what the service said, so both are those of the service however late the generator
    /// was. All else is not.
    fn counts(&self, round: &ComparedRound) -> bool {
        let is_of_service = matches!(self.figure, Metric::CpuPerRequest | Metric::Errors);
        !round.invalid || is_of_service && comparable(self, round).is_some()
    }
}

fn kinds(info: &ComparisonInfo, rounds: &[&ComparedRound]) -> Vec<Kind> {
    let kind = |figure, value: fn(&ComparedRound) -> Option<f64>| Kind {
        figure,
        judged: true,
        value,
    };
    let shown = |kind: Kind| Kind { judged: false, ..kind };
    let throughput = || kind(Metric::Throughput, |r| r.throughput_per_s);
    let mut kinds = Vec::new();
    if rounds.iter().any(|round| round.load_line_per_s.is_some()) {
        kinds.push(kind(Metric::LoadLine, |r| r.load_line_per_s));
        kinds.push(kind(Metric::CpuPerRequest, |r| r.cpu_us_per_request));
        // At different rates they say nothing of each other.
        return kinds;
    }
    if info.closed {
        kinds.push(throughput());
    }
    kinds.push(kind(Metric::CpuPerRequest, |r| r.cpu_us_per_request));
    kinds.push(kind(Metric::ResponseTimeP50, |r| r.p50_ms));
    kinds.push(kind(Metric::ResponseTimeP99, |r| r.p99_ms));
    if !info.closed {
        kinds.push(throughput());
    }
    if rounds.iter().any(|round| round.error_share > Some(0.0)) {
        kinds.push(kind(Metric::Errors, |r| r.error_share));
    }
    kinds.push(shown(kind(Metric::ResponseTimeP90, |r| r.p90_ms)));
    kinds.push(shown(kind(Metric::ResponseTimeP999, |r| r.p999_ms)));
    kinds.push(shown(kind(Metric::ResidentMemory, |r| r.rss_max_bytes)));
    kinds
}

/// A figure of one variant, compared.
pub(super) struct Figure {
    pub(super) finding: FigureFinding,
    /// What it was made from.
    pub(super) estimate: Estimate,
    /// A check goes by it.
    pub(super) decides: bool,
}

/// The metric that a check goes by, whatever else is known.
pub(crate) const fn deciding(info: &ComparisonInfo) -> Metric {
    if info.closed {
        Metric::Throughput
    } else {
        Metric::CpuPerRequest
    }
}

impl Figure {
    pub(super) fn is_errors(&self) -> bool {
        self.finding.figure == Metric::Errors
    }

    /// Whether it looks worse, though not beyond doubt.
    pub(super) fn is_suspicious(&self) -> bool {
        let is_open = self.finding.judged && self.finding.verdict == FigureVerdict::Undecided;
        is_open && is_suspicious(&self.estimate, self.finding.lower_is_better)
    }

    /// Whether it is called worse, and by more than `limit`.
    fn is_worse_by(&self, limit: f64) -> bool {
        let worse = self.finding.verdict == FigureVerdict::Worse;
        // What is wrong is wrong; that it is rare is no excuse.
        worse && (self.is_errors() || for_the_worse(&self.finding, self.finding.change) > limit)
    }
}

/// The change as a share for the worse, so that 5 % less throughput and 5 % more CPU count alike.
fn for_the_worse(figure: &FigureFinding, change: f64) -> f64 {
    if figure.lower_is_better { change } else { -change }
}

/// Every figure of every variant but the first, judged ones first; none when there are too few blocks.
/// Judged as in a check by `judge`.
pub(super) fn all(info: &ComparisonInfo, blocks: &Blocks<'_>, judge: Option<&Judge>) -> Vec<Figure> {
    let rounds: Vec<&ComparedRound> = blocks.complete.values().flatten().copied().collect();
    let kinds: Vec<Kind> = kinds(info, &rounds)
        .into_iter()
        .filter(|kind| {
            let counting: Vec<_> = rounds.iter().filter(|round| kind.counts(round)).collect();
            !counting.is_empty() && counting.iter().all(|round| comparable(kind, round).is_some())
        })
        .collect();
    let others = 1..info.variants.len();
    let judged = kinds.iter().filter(|kind| kind.judged).count() * others.len();
    let part = 1.0 - (1.0 - JUDGED_CONFIDENCE) / judged.max(1) as f64;
    let mut figures: Vec<Figure> = others
        .flat_map(|variant| kinds.iter().map(move |kind| (variant, kind)))
        .filter_map(|(variant, kind)| {
            let confidence = if kind.judged { part } else { JUDGED_CONFIDENCE };
            let mut figure = set_against_first(kind, variant, info, blocks, confidence)?;
            figure.finding.variant.clone_from(&info.variants[variant].name);
            Some(figure)
        })
        .collect();
    for figure in &mut figures {
        figure.finding.failed = info.fail_if_worse.is_some_and(|limit| figure.is_worse_by(limit));
    }
    if let Some(gate) = &info.gate {
        for figure in figures.iter_mut().filter(|figure| figure.finding.judged) {
            match judge {
                Some(judge) => pass_or_fail(figure, judge, gate.threshold),
                None => figure.finding.verdict = FigureVerdict::Undecided,
            }
        }
    }
    figures.sort_by_key(|figure| !figure.finding.judged);
    figures
}

/// The value of a figure as it is compared: its logarithm, but the share of errors as it is.
fn comparable(kind: &Kind, round: &ComparedRound) -> Option<f64> {
    let value = (kind.value)(round)?;
    if kind.figure == Metric::Errors {
        Some(value)
    } else {
        (value > 0.0).then(|| value.ln())
    }
}

fn set_against_first(
    kind: &Kind,
    variant: usize,
    info: &ComparisonInfo,
    blocks: &Blocks<'_>,
    confidence: f64,
) -> Option<Figure> {
    let is_share = kind.figure == Metric::Errors;
    let back = |value: f64| if is_share { value } else { value.exp() };
    let change = |difference| change(kind.figure, difference);
    let mut sums = (0.0, 0.0);
    let mut seen = Vec::new();
    let counting = |(_, rounds): &(&u32, &Vec<&ComparedRound>)| rounds.iter().all(|round| kind.counts(round));
    for (&block, rounds) in blocks.complete.iter().filter(counting) {
        let (first, other) = (comparable(kind, rounds[0])?, comparable(kind, rounds[variant])?);
        sums = (sums.0 + first, sums.1 + other);
        seen.push(Block {
            difference: other - first,
            forward: runs_forward(info, block),
        });
    }
    let estimate = Estimate::of(&seen)?;
    let margin = estimate.margin(confidence);
    let mean = |sum: f64| back(sum / seen.len() as f64);
    let mut finding = FigureFinding {
        figure: kind.figure,
        unit: match kind.figure {
            Metric::LoadLine => blocks
                .complete
                .values()
                .flatten()
                .map(|round| round.load_line_unit)
                .next()
                .unwrap_or_else(|| kind.figure.unit()),
            figure => figure.unit(),
        },
        variant: String::new(),
        judged: kind.judged,
        lower_is_better: kind.figure.lower_is_better(),
        baseline: mean(sums.0),
        value: mean(sums.1),
        change: change(estimate.difference),
        change_low: change(estimate.difference - margin),
        change_high: change(estimate.difference + margin),
        detectable: change(estimate.detectable(confidence)),
        verdict: FigureVerdict::Unjudged,
        failed: false,
        block_changes: seen.iter().map(|block| change(block.difference)).collect(),
    };
    let negligible = if is_share { NEGLIGIBLE_ERRORS } else { NEGLIGIBLE };
    finding.detectable = finding.detectable.max(negligible);
    if kind.judged {
        finding.verdict = figure_verdict(&finding, negligible);
    }
    let may_be_higher = |variant: usize| {
        blocks
            .complete
            .values()
            .any(|rounds| rounds[variant].open_ended.is_some())
    };
    let is_known = kind.figure != Metric::LoadLine
        || holds_for_any_above(finding.verdict, may_be_higher(0), may_be_higher(variant));
    is_known.then(|| Figure {
        finding,
        estimate,
        decides: kind.figure == deciding(info),
    })
}

/// What a difference is as a change: a share, from a difference of logarithms. Shares of errors are compared as they are.
pub(super) fn change(figure: Metric, difference: f64) -> f64 {
    if figure == Metric::Errors {
        difference
    } else {
        difference.exp_m1()
    }
}

/// A loss of the threshold in the units of an estimate: 5 % more CPU, 5 % less throughput. Of errors none gets through.
pub(crate) fn too_much(figure: Metric, threshold: f64) -> f64 {
    match (figure, figure.lower_is_better()) {
        (Metric::Errors, _) => NEGLIGIBLE_ERRORS,
        (_, true) => threshold.ln_1p(),
        (_, false) => -(-threshold).ln_1p(),
    }
}

/// A loss in the units of an estimate as a share. All that can be lost of throughput is all of it.
pub(crate) fn loss_share(figure: Metric, loss: f64) -> f64 {
    if figure.lower_is_better() {
        change(figure, loss)
    } else {
        -change(figure, -loss)
    }
}

/// Sets a judged figure against the threshold of a check. Its interval becomes the one that holds over all looks.
fn pass_or_fail(figure: &mut Figure, judge: &Judge, threshold: f64) {
    let Figure {
        finding,
        estimate,
        decides,
    } = figure;
    let role = if *decides { Role::Decides } else { Role::Watched };
    let (least, most) = judge.bounds(estimate, role, finding.lower_is_better);
    let is_errors = finding.figure == Metric::Errors;
    let too_much = too_much(finding.figure, threshold);
    let [low, high] = if finding.lower_is_better {
        [least, most]
    } else {
        [-most, -least]
    };
    finding.change_low = change(finding.figure, low);
    finding.change_high = change(finding.figure, high);
    let negligible = if is_errors { NEGLIGIBLE_ERRORS } else { NEGLIGIBLE };
    finding.verdict = if most < 0.0 && finding.change.abs() >= negligible {
        FigureVerdict::Better
    } else if most < too_much {
        FigureVerdict::Held
    } else if least > 0.0 && finding.change.abs() >= negligible {
        FigureVerdict::Worse
    } else {
        FigureVerdict::Undecided
    };
    finding.failed = finding.verdict == FigureVerdict::Worse;
}

/// Whether a verdict on load lines stands however much higher than what was found those of the first variant, or of the other, are.
const fn holds_for_any_above(verdict: FigureVerdict, first: bool, other: bool) -> bool {
    match (first, other) {
        (false, false) => true,
        (true, false) => matches!(verdict, FigureVerdict::Worse),
        (false, true) => matches!(verdict, FigureVerdict::Better),
        (true, true) => false,
    }
}

/// Says so where lines that are used may be higher.
pub(super) fn open_ended(blocks: &Blocks<'_>) -> Option<Notice> {
    let used = || blocks.complete.values().flatten();
    let mut open = used().filter_map(|round| round.open_ended);
    let ended_because = open.next()?;
    Some(Notice::LoadLinesOpenEnded {
        rounds: 1 + open.count(),
        used: used().count(),
        ended_because,
    })
}

fn figure_verdict(figure: &FigureFinding, negligible: f64) -> FigureVerdict {
    let ends = [figure.change_low, figure.change_high].map(|end| for_the_worse(figure, end));
    if figure.change.abs() < negligible {
        FigureVerdict::NoDifference
    } else if ends.iter().all(|&end| end > 0.0) {
        FigureVerdict::Worse
    } else if ends.iter().all(|&end| end < 0.0) {
        FigureVerdict::Better
    } else {
        FigureVerdict::NoDifference
    }
}

/// Whether the rounds began to be judged too early: their second half costs clearly less than their first.
pub(super) fn warming_up(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Option<Notice> {
    let warm = |round: &&ComparedRound| round.block >= info.unused_blocks && round.unused_because.is_none();
    let used = rounds.iter().filter(warm);
    let mut halves: Vec<f64> = used.filter_map(|round| round.halves).collect();
    halves.sort_by(f64::total_cmp);
    let median = *halves.get(halves.len() / 2)?;
    (median < 1.0 - WARMING_UP).then_some(Notice::WarmingUp { fell: 1.0 - median })
}
