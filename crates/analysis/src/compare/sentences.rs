//! What a comparison says in words.

use super::findings::{CompareVerdict, Comparison, FigureFinding, FigureVerdict};
use super::{ComparedRound, ComparisonInfo, Ended};

/// A change with its sign: `+12.1 %`.
fn change(share: f64) -> String {
    format!("{:+.1} %", share * 100.0)
}

fn change_of(figure: &FigureFinding) -> String {
    format!(
        "{} {} ({} to {})",
        figure.figure,
        change(figure.change),
        change(figure.change_low),
        change(figure.change_high)
    )
}

fn with(comparison: &Comparison, verdict: FigureVerdict) -> Vec<String> {
    let several = comparison.variants.len() > 2;
    let figures = comparison.figures.iter().filter(|f| f.judged && f.verdict == verdict);
    figures
        .map(|figure| {
            if several {
                format!("{}: {}", figure.variant, change_of(figure))
            } else {
                change_of(figure)
            }
        })
        .collect()
}

/// Who is spoken of: the second variant where there are two.
fn subject(comparison: &Comparison) -> String {
    match comparison.variants.as_slice() {
        [_, second] => second.name.clone(),
        _ => "a variant".to_owned(),
    }
}

pub(super) fn headline(comparison: &Comparison, info: &ComparisonInfo, rounds: &[ComparedRound]) -> String {
    let subject = subject(comparison);
    let worse = with(comparison, FigureVerdict::Worse).join(", ");
    let better = with(comparison, FigureVerdict::Better).join(", ");
    match comparison.verdict {
        CompareVerdict::Better => format!("{subject} is better: {better}"),
        CompareVerdict::Worse => format!("{subject} is worse: {worse}"),
        CompareVerdict::Mixed => format!("{subject} is worse in one thing and better in another: {worse}; {better}"),
        CompareVerdict::NoDifference => no_difference(comparison),
        CompareVerdict::Invalid => {
            let invalid = rounds.iter().filter(|round| round.invalid).count();
            format!(
                "The generator was late in {invalid} of {} rounds, so nothing is said",
                rounds.len()
            )
        }
        CompareVerdict::Interrupted => format!(
            "Stopped after {} of {} rounds; the figures are those of the complete blocks",
            rounds.iter().filter(|round| round.unused_because.is_none()).count(),
            (info.blocks + info.unused_blocks) as usize * info.variants.len()
        ),
        CompareVerdict::Failed => match &info.ended {
            Some(Ended::Failed(why)) => format!("The comparison could not go on: {why}"),
            _ => "Too few rounds could be used for a verdict".to_owned(),
        },
    }
}

/// The bound that the interval gives, for the figure that is named first.
fn no_difference(comparison: &Comparison) -> String {
    let Some(figure) = comparison.figures.first() else {
        return String::new();
    };
    let bound = figure.change_low.abs().max(figure.change_high.abs());
    format!("No difference larger than {:.1} % in {}", bound * 100.0, figure.figure)
}

pub(super) fn next_step(comparison: &Comparison) -> String {
    match comparison.verdict {
        CompareVerdict::Better => "Keep it; `plimsoll capacity` tells what it gains in load.".to_owned(),
        CompareVerdict::Worse => "Look for what the change adds to each request before you keep it.".to_owned(),
        CompareVerdict::Mixed => "Decide which of these figures matters for this service.".to_owned(),
        CompareVerdict::NoDifference => match comparison.figures.first() {
            Some(figure) => format!(
                "A difference of {:.1} % would have been found in 4 of 5 such comparisons; `--rounds {}` finds one of half that size.",
                figure.detectable * 100.0,
                // The error falls with the root of the number.
                4 * comparison.variants.first().map_or(0, |variant| variant.rounds_used)
            ),
            None => String::new(),
        },
        CompareVerdict::Invalid => {
            "Run it again at a lower rate, or give the generator more cores; `plimsoll doctor` checks this machine."
                .to_owned()
        }
        CompareVerdict::Interrupted => "Run it again to its end for a verdict.".to_owned(),
        CompareVerdict::Failed => {
            "See what the service wrote: service.log in the newest run folder of the comparison.".to_owned()
        }
    }
}
