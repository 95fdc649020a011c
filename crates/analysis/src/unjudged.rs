//! Why something was not judged, and what to do about it.

use crate::sentences::CPU_HINT;

/// Why an objective, or a whole step, has no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// No tick was seen.
    NothingMeasured,
    /// It ended inside its warm-up of so many ns.
    WarmUp(u64),
    /// It ended before it was decided.
    CutShort,
    /// The generator was the bottleneck.
    Late,
    /// No sample of the service in a judged window.
    NoCpu,
    /// Samples, but no window long enough for a share of CPU.
    ShortWindows,
    /// No response in a judged window.
    NoResponse,
    /// No request with an outcome in a judged window.
    NothingFinished,
    /// No request was due in a judged window.
    NothingScheduled,
    /// The histograms that it would be judged by are lost.
    Lost,
}

impl Unjudged {
    /// A fragment that fits after "was not judged: ".
    pub(crate) fn because(self) -> String {
        match self {
            Self::NothingMeasured => "nothing was measured".to_owned(),
            Self::WarmUp(ns) => format!("the run ended within its warm-up of {} s", ns as f64 / 1e9),
            Self::CutShort => "the run ended before that was decided".to_owned(),
            Self::Late => "the generator was the bottleneck".to_owned(),
            Self::NoCpu => "the CPU of the service could not be sampled".to_owned(),
            Self::ShortWindows => "no judged window was long enough to take a share of CPU".to_owned(),
            Self::NoResponse => "no response came in a judged window".to_owned(),
            Self::NothingFinished => "no request finished in a judged window".to_owned(),
            Self::NothingScheduled => "no request was due in a judged window".to_owned(),
            Self::Lost => "the histograms that it would be judged by are lost".to_owned(),
        }
    }

    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::NothingMeasured | Self::WarmUp(_) | Self::ShortWindows => {
                "run longer than the warm-up, or make the warm-up shorter"
            }
            Self::CutShort => "run it again to its end",
            Self::Late => crate::sentences::GENERATOR_HINT,
            Self::NoCpu => CPU_HINT,
            Self::NoResponse | Self::NothingFinished => "run longer, and check that the service responds in that time",
            Self::NothingScheduled => "run longer, or at a higher rate",
            Self::Lost => "run it again",
        }
    }
}
