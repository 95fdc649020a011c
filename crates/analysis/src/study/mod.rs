//! A published case set beside what was measured here: which of its effects are here as well.
//!
//! What is compared are ratios and bounds. The times of another machine and another day say nothing of this one.

mod findings;
mod sentences;
mod values;
mod verdict;

pub use findings::{
    EffectFinding, EffectVerdict, HereFinding, MeasurementFinding, PublishedFinding, StudyFindings, StudyVerdict,
};

use crate::compare::{CompareVerdict, Comparison};
use crate::findings::{Findings, Notice, Verdict};
use crate::responses::ResponsesFinding;
use crate::scale::{ScaleVerdict, Scaling};
use crate::sentences::host;
use plimsoll_measure::folder::{Ended, ProgramFigures, StudyInfo};
use plimsoll_plan::{Bound, Direction, Effect, Study};
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

    fn headline(&self) -> String {
        match self {
            Self::Compared(comparison) => comparison.headline.clone(),
            Self::Scaled(scaling) => scaling.headline.clone(),
            Self::Ran(findings) => findings.headline.clone(),
            Self::Printed(printed) => sentences::printed(printed),
            Self::Failed(why) => why.clone(),
        }
    }

    fn responses(&self) -> Vec<ResponsesFinding> {
        match self {
            Self::Compared(comparison) => comparison.responses.clone(),
            Self::Scaled(scaling) => scaling.responses.clone(),
            Self::Ran(findings) => vec![ResponsesFinding::of_run("all", findings)],
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
        format: "plimsoll.study-findings/1".to_owned(),
        name: study.name.clone(),
        title: study.title.clone(),
        question: study.question.clone(),
        source: study.source.clone(),
        started_at: info.started_at.clone(),
        duration_s: info.duration_s,
        version: info.version.clone(),
        host: host(&info.host),
        verdict: whole(info, parts, &effects),
        headline: String::new(),
        next_step: String::new(),
        differs: study.differs.clone(),
        effects,
        measurements: measurements(study, info, parts),
        notices: notices(parts),
    };
    findings.headline = sentences::headline(&findings);
    findings.next_step = sentences::next_step(&findings).to_owned();
    findings
}

fn judged(effect: &Effect, parts: Parts<'_>) -> EffectFinding {
    let ratio = ratio(effect, parts);
    let bound = effect.published.as_ref().map(|published| published.bound);
    let (verdict, because) = match (&ratio, bound) {
        (None, _) => (EffectVerdict::NotMeasured, sentences::not_measured(effect, parts)),
        (Some(_), None) => (EffectVerdict::Shown, "nothing was published of it".to_owned()),
        (Some(ratio), Some(bound)) => verdict::of(ratio, bound),
    };
    EffectFinding {
        name: effect.name.clone(),
        verdict,
        because,
        rule: bound.map(sentences::rule),
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
                Direction::More => "more".to_owned(),
                Direction::Less => "less".to_owned(),
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
            kind: study.measurement(name).map_or("", |m| m.kind.as_str()).to_owned(),
            folder: place.folder.clone(),
            headline: part.headline(),
            responses: part.responses(),
        })
        .collect()
}

/// What one measurement says, others say as well.
fn notices(parts: Parts<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for notice in parts.iter().flat_map(|(_, part)| part.notices()) {
        if !notices.iter().any(|known| known.message == notice.message) {
            notices.push(notice.clone());
        }
    }
    notices
}

#[cfg(test)]
mod tests;
