//! How noisy a machine is, in words.

use super::metric;
use crate::figures::{self, length_s, share};
use plimsoll_findings::{Disturbance, NoiseFindings};

/// What was measured, one sentence without its end.
pub(crate) fn measured(noise: &NoiseFindings) -> String {
    format!(
        "{} against itself: {} of two rounds in {}",
        noise.name,
        figures::counted(noise.blocks.into(), "block"),
        length_s(noise.took_s)
    )
}

/// The least loss that a check sees unless something else is said.
pub(crate) fn sees(noise: &NoiseFindings) -> String {
    match noise.sees.filter(|sees| sees.loss.is_finite()) {
        Some(sees) => format!(
            "`plimsoll check` finds a loss of {} in {}, in nine of ten cases",
            share(sees.loss),
            length_s(sees.within_s)
        ),
        None => "Too few rounds could be used; measure longer with --for".to_owned(),
    }
}

/// How much metrics scatter.
pub(crate) fn scatter(noise: &NoiseFindings) -> String {
    let each = noise
        .scatter
        .iter()
        .map(|of| format!("{} {}", metric(of.figure), share(of.deviation)));
    each.collect::<Vec<_>>().join(", ")
}

/// The time in which a loss is found.
pub(crate) fn within(within_s: Option<f64>) -> String {
    match within_s {
        // A guess of a guess to the second would say more than is known.
        Some(s) if s >= 60.0 => length_s((s / 60.0).ceil() * 60.0),
        Some(s) => length_s(s),
        None => "more than a day".to_owned(),
    }
}

/// What disturbs, and what to do about it.
pub(crate) fn disturbance(of: &Disturbance) -> (String, &'static str) {
    match of {
        Disturbance::Stolen { share: stolen } => (
            format!("the host gave {} of the cores' time to other machines", share(*stolen)),
            "use a machine of its own, or one whose cores are not shared",
        ),
        Disturbance::OtherPrograms { cores, of } => (
            format!("other programs used {} of {of} cores", figures::number(*cores)),
            "run the check when nothing else builds on this machine, alone in its job",
        ),
        Disturbance::GeneratorLate { late, of } => (
            format!("the generator was late in {late} of {of} rounds, so their response times do not count"),
            "lower the rate with -R, or give the generator a core of its own",
        ),
        Disturbance::Drift { share: moved } => (
            format!(
                "CPU per request moved by {} from the first half to the second",
                figures::signed_share(*moved)
            ),
            "fix the clock of the cores (cpupower frequency-set -g performance), or wait until the machine has settled",
        ),
    }
}
