//! What was predicted of a fixed service, beside what the fix gave.

use plimsoll_findings::{FigureFinding, Metric, PredictionFinding};
use plimsoll_measure::run_directory::{ComparisonInfo, Prediction};

/// The least gain, as a share, that an error can be a share of.
const GAIN_MIN: f64 = 0.01;

/// How many times as many requests the same CPU is enough for, where CPU per request changes so: the factor, and the ends of
/// its interval. What costs more is the lower end.
pub(crate) fn more_requests(cpu: &FigureFinding) -> [f64; 3] {
    [cpu.change, cpu.change_high, cpu.change_low].map(|change| 1.0 / (1.0 + change))
}

/// `None` where nothing was predicted.
pub(super) fn outcome(info: &ComparisonInfo, figures: &[&FigureFinding]) -> Option<PredictionFinding> {
    let Prediction {
        diagnosis,
        cause,
        factor,
        low: predicted_low,
        high: predicted_high,
        at_least,
    } = info.prediction.clone()?;
    let named = |name| figures.iter().find(|figure| figure.figure == name);
    let measured = named(Metric::LoadLine)
        .map(|line| [line.change, line.change_low, line.change_high].map(|change| 1.0 + change))
        .or_else(|| named(Metric::CpuPerRequest).map(|cpu| more_requests(cpu)));
    let [proven, low, high] = match measured {
        Some(factors) => factors.map(Some),
        None => [None; 3],
    };
    // Both are intervals: what was predicted held where they meet.
    let held = predicted_low.zip(low).zip(high).map(|((least, low), high)| {
        let reaches = high >= least;
        let exceeds = predicted_high.is_some_and(|most| low > most);
        reaches && (at_least || !exceeds)
    });
    let gain = proven.map(|proven| proven - 1.0).filter(|gain| *gain >= GAIN_MIN);
    Some(PredictionFinding {
        diagnosis,
        cause,
        predicted: factor,
        predicted_low,
        predicted_high,
        at_least,
        held,
        proven,
        proven_low: low,
        proven_high: high,
        error: gain.map(|gain| (factor - 1.0 - gain) / gain),
    })
}
