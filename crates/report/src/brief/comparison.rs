//! A comparison in brief.

use super::{Brief, text};
use crate::terminal::Written;
use crate::words;
use plimsoll_findings::Comparison;

pub(crate) fn comparison(comparison: &Comparison, written: Written<'_>) -> String {
    let (_, word) = words::compare_verdict(comparison.verdict);
    let headline = words::compare_headline(&comparison.headline);
    let mut brief = Brief::new(word, &comparison.name, &headline, written);
    let prediction = comparison.prediction.as_ref();
    for (name, fact) in [
        ("next", Some(words::compare_next_step(comparison.next_step))),
        ("threshold", words::threshold(comparison)),
        ("predicted", prediction.map(words::prediction)),
        ("proven", prediction.and_then(words::outcome)),
    ] {
        if let Some(fact) = fact {
            brief.fact(name, &fact);
        }
    }
    for variant in &comparison.variants {
        brief.fact(&text(&variant.name), &variant.what);
    }
    brief.fact("load", &comparison.load);
    brief.fact("rounds", &words::rounds(comparison));
    if !comparison.figures.is_empty() {
        brief.title("Figures");
    }
    for figure in &comparison.figures {
        let (_, word) = words::figure_verdict(figure.verdict);
        let [first, other, change, interval, _] = words::change(figure);
        let metric = words::metric(figure.figure);
        brief.block(&format!(
            "- {word}: {metric} of {}: {first} → {other}, {change} ({interval})\n",
            text(&figure.variant)
        ));
    }
    brief.notices(&comparison.notices);
    brief.finish()
}
