//! What a sweep comes to and what to do next, from its findings.

use plimsoll_findings::{LawFinding, ScaleHeadline, ScaleNextStep, ScaleVerdict, Scaling, Sizes, Tells};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended};

fn greatest(scaling: &Scaling) -> u32 {
    scaling.points.last().map_or(0, |point| point.size)
}

pub(super) fn headline(scaling: &Scaling, info: &ComparisonInfo) -> ScaleHeadline {
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Failed) => match &info.ended {
            Some(Ended::Failed(why)) => ScaleHeadline::CouldNotGoOn { why: why.clone() },
            _ => ScaleHeadline::TooFewSizes,
        },
        (_, ScaleVerdict::Invalid) => ScaleHeadline::GeneratorLate,
        (None, _) => ScaleHeadline::StoppedEarly,
        (Some(law), _) => {
            let sizes = Sizes {
                sizes_of: scaling.sizes_of.clone(),
                greatest: greatest(scaling),
            };
            fitted(law, sizes)
        }
    }
}

/// A peak is named where the points need coherency, without which there is none.
fn fitted(law: &LawFinding, sizes: Sizes) -> ScaleHeadline {
    match (law.tells, law.peak_size, law.peak_per_s) {
        (Tells::Contention, ..) => ScaleHeadline::LevelsOff {
            per_s: ceiling(law),
            sizes,
        },
        (Tells::Either, ..) => ScaleHeadline::MayPeak { sizes },
        (Tells::Neither, ..) => ScaleHeadline::Grows { sizes },
        (Tells::Both | Tells::Coherency, Some(size), Some(per_s)) => ScaleHeadline::Peaks { size, per_s, sizes },
        (Tells::Both | Tells::Coherency, ..) => ScaleHeadline::NoPeak { sizes },
    }
}

/// What throughput levels off towards without coherency.
fn ceiling(law: &LawFinding) -> f64 {
    law.lambda.value / law.sigma.value
}

pub(super) fn next_step(scaling: &Scaling) -> ScaleNextStep {
    let greatest = greatest(scaling);
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Interrupted) => ScaleNextStep::RunToEnd,
        (None, _) => ScaleNextStep::SeeService,
        (Some(law), _) => match law.tells {
            Tells::Both | Tells::Coherency => ScaleNextStep::MovePeak,
            Tells::Contention => ScaleNextStep::RaiseCeiling { per_s: ceiling(law) },
            Tells::Either => ScaleNextStep::TellApart {
                size: greatest.saturating_mul(4),
            },
            Tells::Neither => ScaleNextStep::GoOn { greatest },
        },
    }
}
