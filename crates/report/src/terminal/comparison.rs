//! A comparison as text: the verdict and its figures in the first lines.

use super::page::{Page, Paint, mark, plain, span};
use super::table::{Side, Table};
use super::{Style, Written, fact, label, notices, places, responses, section, verdict_cell};
use crate::figures;
use crate::words::{self, Tone};
use plimsoll_findings::{Comparison, RoundFinding, Unused};

/// The comparison as text, ending in a newline.
pub(crate) fn comparison(comparison: &Comparison, style: Style, written: Written<'_>) -> String {
    let mut page = Page::new(style);
    conclusion(&mut page, comparison);
    subject(&mut page, comparison);
    changes(&mut page, comparison);
    responses(&mut page, &comparison.responses);
    rounds(&mut page, comparison);
    notices(&mut page, &comparison.notices);
    places(&mut page, written);
    page.finish()
}

fn conclusion(page: &mut Page, comparison: &Comparison) {
    let (tone, word) = words::compare_verdict(comparison.verdict);
    let lead = [
        mark(tone),
        span(Paint::StrongTone(tone), format!(" {}  ", word.to_uppercase())),
    ];
    page.paragraph(&lead, Paint::Strong, &words::compare_headline(&comparison.headline));
    if let Some(threshold) = words::threshold(comparison) {
        fact(page, "threshold", &threshold);
    }
    if let Some(prediction) = &comparison.prediction {
        fact(page, "predicted", &words::prediction(prediction));
        if let Some(outcome) = words::outcome(prediction) {
            fact(page, "proven", &outcome);
        }
    }
    let next = words::compare_next_step(comparison.next_step);
    page.paragraph(&[label("next")], Paint::Strong, &next);
}

fn subject(page: &mut Page, comparison: &Comparison) {
    page.blank();
    fact(page, "compared", &comparison.name);
    for variant in &comparison.variants {
        fact(page, &variant.name, &variant.what);
    }
    fact(page, "target", &comparison.target);
    fact(page, "load", &comparison.load);
    fact(page, "rounds", &words::rounds(comparison));
    fact(
        page,
        "run",
        &format!(
            "{}, rounds took {}",
            comparison.started_at,
            figures::length_s(comparison.duration_s)
        ),
    );
}

fn changes(page: &mut Page, comparison: &Comparison) {
    if comparison.figures.is_empty() {
        return;
    }
    let [first, .., seen] = words::CHANGE_HEADS;
    section(
        page,
        "Figures",
        &format!(" the judged intervals {}", words::intervals(comparison)),
    );
    let several = comparison.variants.len() > 2;
    let [_, variant, change, interval, _] = words::CHANGE_HEADS;
    let mut columns = vec![("", Side::Left), ("figure", Side::Left)];
    if several {
        columns.push(("of", Side::Left));
    }
    columns.extend([first, variant, change, interval, seen].map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["detectable", "first", "variant"]);
    for figure in &comparison.figures {
        let (tone, word) = words::figure_verdict(figure.verdict);
        let mut cells = vec![verdict_cell(tone, word), plain(words::metric(figure.figure))];
        if several {
            cells.push(plain(&figure.variant));
        }
        cells.extend(words::change(figure).map(plain));
        table.row(cells);
    }
    table.draw(page);
}

/// Those that find everything cold never are.
fn rounds(page: &mut Page, comparison: &Comparison) {
    let unused: Vec<_> = comparison
        .rounds
        .iter()
        .filter(|round| !round.used && round.unused_because != Some(Unused::Cold))
        .collect();
    if unused.is_empty() {
        return;
    }
    section(page, "Rounds not used", "");
    let name = |round: &RoundFinding| format!("{}, {}", round.round + 1, round.variant);
    let longest = unused.iter().map(|round| name(round).chars().count()).max();
    let width = longest.unwrap_or_default().clamp(13, 30);
    for round in unused {
        let lead = [
            plain("  "),
            mark(Tone::Doubtful),
            plain(format!(" {:<width$} ", name(round))),
        ];
        let because = round.unused_because.as_ref().map(words::unused);
        page.paragraph(&lead, Paint::Plain, &because.unwrap_or_default());
    }
}
