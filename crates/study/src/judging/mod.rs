//! A published case set beside what was measured here: which of its effects are here as well.
//!
//! What is compared are ratios and bounds. The times of another machine and another day say nothing of this one.

mod conclusion;
mod values;
mod verdict;

use crate::language::{Bound, Direction, Effect, MeasurementKind, Study};
use plimsoll_findings::{
    CompareVerdict, Comparison, EffectBecause, EffectFinding, EffectVerdict, Findings, MeasuredBy, MeasurementFinding,
    MeasurementHeadline, Notice, PublishedDirection, PublishedFinding, ResponsesFinding, ScaleVerdict, Scaling,
    SizeFinding, StudyFindings, StudyHeadline, StudyVerdict, Verdict,
};
use plimsoll_measure::run_directory::{Ended, ProgramFigures, StudyInfo};
use plimsoll_series::responses_of_run;
use values::{Ratio, ratio};

/// What a measurement of a study left.
#[derive(Debug, Clone)]
pub enum MeasuredPart {
    /// A comparison.
    Compared(Box<Comparison>),
    /// A sweep of sizes.
    Scaled(Box<Scaling>),
    /// A run, or a search of the load line.
    Ran(Box<Findings>),
    /// A program of the study.
    Printed(ProgramFigures),
    /// It could not be made: why, one sentence.
    Failed(String),
}

/// Whether effects can be read off a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    Invalid,
    Interrupted,
    Failed,
}

impl MeasuredPart {
    fn state(&self) -> State {
        match self {
            Self::Compared(comparison) => match comparison.verdict {
                CompareVerdict::Invalid => State::Invalid,
                CompareVerdict::Interrupted => State::Interrupted,
                CompareVerdict::Failed => State::Failed,
                _ => State::Usable,
            },
            Self::Scaled(scaling) => match scaling.verdict {
                ScaleVerdict::Fitted => State::Usable,
                ScaleVerdict::Invalid => State::Invalid,
                ScaleVerdict::Interrupted => State::Interrupted,
                ScaleVerdict::Failed => State::Failed,
            },
            Self::Ran(findings) => match findings.verdict {
                _ if findings.is_torn() => State::Interrupted,
                // Objectives are not what is asked here.
                Verdict::Passed | Verdict::Breached => State::Usable,
                Verdict::Unjudged if findings.totals.throughput_per_s > Some(0.0) => State::Usable,
                Verdict::Invalid => State::Invalid,
                Verdict::Interrupted => State::Interrupted,
                Verdict::Unjudged | Verdict::Failed => State::Failed,
            },
            Self::Printed(_) => State::Usable,
            Self::Failed(_) => State::Failed,
        }
    }

    fn headline(&self) -> MeasurementHeadline {
        match self {
            Self::Compared(comparison) => MeasurementHeadline::Compared {
                headline: comparison.headline.clone(),
            },
            Self::Scaled(scaling) => MeasurementHeadline::Scaled {
                headline: scaling.headline.clone(),
            },
            Self::Ran(findings) => MeasurementHeadline::Ran {
                headline: Box::new(findings.headline.clone()),
            },
            Self::Printed(printed) => MeasurementHeadline::Printed {
                figures: printed.figures.keys().cloned().collect(),
            },
            Self::Failed(why) => MeasurementHeadline::Failed { why: why.clone() },
        }
    }

    fn responses(&self) -> Vec<ResponsesFinding> {
        match self {
            Self::Compared(comparison) => comparison.responses.clone(),
            Self::Scaled(scaling) => scaling.responses.clone(),
            Self::Ran(findings) => vec![responses_of_run(findings)],
            Self::Printed(_) | Self::Failed(_) => Vec::new(),
        }
    }

    fn notices(&self) -> &[Notice] {
        match self {
            Self::Compared(comparison) => &comparison.notices,
            Self::Scaled(scaling) => &scaling.notices,
            Self::Ran(findings) => &findings.notices,
            Self::Printed(_) | Self::Failed(_) => &[],
        }
    }
}

/// The measurements that have ended, by the names that the study gives them.
type Parts<'a> = &'a [(String, MeasuredPart)];

fn part<'a>(parts: Parts<'a>, name: &str) -> Option<&'a MeasuredPart> {
    parts.iter().find(|(known, _)| known == name).map(|(_, part)| part)
}

/// What the measurements of a study come to. `parts` are those of `info`, in its order.
#[must_use]
pub fn judge(study: &Study, info: &StudyInfo, parts: Parts<'_>) -> StudyFindings {
    let effects: Vec<EffectFinding> = study.effects.iter().map(|effect| judged(effect, parts)).collect();
    let mut findings = StudyFindings {
        format: "plimsoll.study-findings/2".to_owned(),
        name: study.name.clone(),
        title: study.title.clone(),
        question: study.question.clone(),
        size: study.size.as_ref().map(|size| SizeFinding {
            of: size.of.clone(),
            here: size.chosen,
            asked: size.default,
        }),
        source: study.source.clone(),
        started_at: info.started_at.clone(),
        duration_s: info.duration_s,
        version: info.version.clone(),
        host: info.host.clone(),
        verdict: whole(info, parts, &effects),
        // What it is follows from the rest.
        headline: StudyHeadline {
            code: StudyVerdict::Failed,
            reproduced: 0,
            judged: 0,
            besides: Vec::new(),
        },
        differs: study.differs.clone(),
        effects,
        measurements: measurements(study, info, parts),
        notices: notices(parts),
    };
    findings.headline = conclusion::headline(&findings);
    findings
}

fn judged(effect: &Effect, parts: Parts<'_>) -> EffectFinding {
    let ratio = ratio(effect, parts);
    let bound = effect.published.as_ref().map(|published| published.bound);
    let (verdict, because) = match (&ratio, bound) {
        (None, _) => (EffectVerdict::NotMeasured, not_measured(effect, parts)),
        (Some(_), None) => (EffectVerdict::Shown, EffectBecause::NothingPublished),
        (Some(ratio), Some(bound)) => verdict::of(ratio, bound),
    };
    EffectFinding {
        name: effect.name.clone(),
        verdict,
        because,
        rule: bound.map(verdict::rule),
        published: effect.published.as_ref().map(|published| PublishedFinding {
            what: published.what.clone(),
            ..of_bound(published.bound)
        }),
        share_of_published: match (&ratio, bound) {
            (Some(ratio), Some(Bound::Ratio { ratio: published, .. })) => ratio.share_of(published),
            _ => None,
        },
        here: ratio.map(Ratio::into_finding),
    }
}

fn of_bound(bound: Bound) -> PublishedFinding {
    let nothing = PublishedFinding {
        what: String::new(),
        from: None,
        to: None,
        ratio: None,
        direction: None,
        at_least: None,
        at_most: None,
    };
    match bound {
        Bound::Ratio { figures, ratio, .. } => PublishedFinding {
            from: figures.map(|[from, _]| from),
            to: figures.map(|[_, to]| to),
            ratio: Some(ratio),
            ..nothing
        },
        Bound::Same { .. } => PublishedFinding {
            ratio: Some(1.0),
            ..nothing
        },
        Bound::Direction(direction) => PublishedFinding {
            direction: Some(match direction {
                Direction::More => PublishedDirection::More,
                Direction::Less => PublishedDirection::Less,
            }),
            ..nothing
        },
        Bound::AtLeast(least) => PublishedFinding {
            at_least: Some(least),
            ..nothing
        },
        Bound::AtMost(most) => PublishedFinding {
            at_most: Some(most),
            ..nothing
        },
    }
}

/// Why an effect was not measured.
fn not_measured(effect: &Effect, parts: Parts<'_>) -> EffectBecause {
    let against = effect.against.as_ref().map(|value| &value.measurement);
    for name in [Some(&effect.here.measurement), against].into_iter().flatten() {
        let measurement = name.clone();
        return match part(parts, name).map(MeasuredPart::state) {
            Some(State::Usable) => continue,
            Some(State::Invalid) => EffectBecause::GeneratorLate { measurement },
            Some(State::Interrupted) => EffectBecause::Stopped { measurement },
            Some(State::Failed) => EffectBecause::NotMeasured { measurement },
            None => EffectBecause::NotBegun { measurement },
        };
    }
    EffectBecause::NoSuchFigure
}

fn measured_by(study: &Study, name: &str) -> MeasuredBy {
    match study.measurement(name).map(|measurement| &measurement.kind) {
        Some(MeasurementKind::Compare { .. }) => MeasuredBy::Compare,
        Some(MeasurementKind::Scale { .. }) => MeasuredBy::Scale,
        Some(MeasurementKind::Capacity { .. }) => MeasuredBy::Capacity,
        Some(MeasurementKind::Run { .. }) => MeasuredBy::Run,
        Some(MeasurementKind::Command { .. }) | None => MeasuredBy::Command,
    }
}

fn whole(info: &StudyInfo, parts: Parts<'_>, effects: &[EffectFinding]) -> StudyVerdict {
    let is = |state| parts.iter().any(|(_, part)| part.state() == state);
    if !matches!(info.ended, Some(Ended::Complete | Ended::Failed(_))) || is(State::Interrupted) {
        return StudyVerdict::Interrupted;
    }
    let count = |verdict| effects.iter().filter(|effect| effect.verdict == verdict).count();
    if matches!(info.ended, Some(Ended::Failed(_))) || count(EffectVerdict::NotMeasured) > 0 {
        return if is(State::Invalid) && !is(State::Failed) {
            StudyVerdict::Invalid
        } else {
            StudyVerdict::Failed
        };
    }
    let judged = effects.len() - count(EffectVerdict::Shown);
    match count(EffectVerdict::Reproduced) {
        _ if judged == 0 => StudyVerdict::Shown,
        all if all == judged => StudyVerdict::Reproduced,
        0 if count(EffectVerdict::Weaker) == 0 && count(EffectVerdict::Untold) > 0 => StudyVerdict::Untold,
        0 if count(EffectVerdict::Weaker) == 0 => StudyVerdict::NotReproduced,
        _ => StudyVerdict::Partly,
    }
}

fn measurements(study: &Study, info: &StudyInfo, parts: Parts<'_>) -> Vec<MeasurementFinding> {
    let places = info.parts.iter().zip(parts);
    places
        .map(|(place, (name, part))| MeasurementFinding {
            name: name.clone(),
            kind: measured_by(study, name),
            directory: place.directory.clone(),
            headline: part.headline(),
            responses: part.responses(),
        })
        .collect()
}

/// What one measurement says, others say as well.
fn notices(parts: Parts<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for notice in parts.iter().flat_map(|(_, part)| part.notices()) {
        if !notices.iter().any(|known| known.is_same(notice)) {
            notices.push(notice.clone());
        }
    }
    notices
}

#[cfg(test)]
mod tests;
