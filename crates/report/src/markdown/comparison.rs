//! A comparison as Markdown, for the summary of a CI job.

use super::{inert, mark, notices, responses};
use crate::figures;
use crate::words;
use plimsoll_findings::Comparison;

/// The comparison as Markdown, ending in a newline.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let mut out = String::new();
    let (tone, word) = words::compare_verdict(comparison.verdict);
    out.push_str(&format!(
        "## {} {}: {word}\n\n{}\n\n",
        mark(tone),
        inert(&comparison.name),
        inert(&words::compare_headline(&comparison.headline))
    ));
    if comparison.gate.is_some() {
        judged(&mut out, comparison);
        out.push_str(&format!(
            "**Next:** {}\n\n",
            inert(&words::compare_next_step(comparison.next_step))
        ));
        out.push_str("<details><summary>How it was measured</summary>\n\n");
    }
    setting(&mut out, comparison);
    changes(&mut out, comparison);
    responses(&mut out, &comparison.responses);
    if comparison.gate.is_some() {
        out.push_str("\n</details>\n");
    }
    notices(&mut out, &comparison.notices);
    out.push_str(&format!(
        "\n<sub>plimsoll {} {}, {}, rounds took {}, {}</sub>\n",
        inert(&comparison.version),
        words::command(comparison),
        inert(&comparison.started_at),
        figures::length_s(comparison.duration_s),
        inert(&words::host_or_nothing(comparison.host.as_ref()))
    ));
    out
}

/// What was compared, and how.
fn setting(out: &mut String, comparison: &Comparison) {
    for variant in &comparison.variants {
        out.push_str(&format!("- **{}:** {}\n", inert(&variant.name), inert(&variant.what)));
    }
    out.push_str(&format!("- **Load:** {}\n", inert(&comparison.load)));
    out.push_str(&format!("- **Rounds:** {}\n", inert(&words::rounds(comparison))));
    if let Some(threshold) = words::threshold(comparison) {
        out.push_str(&format!("- **Threshold:** {}\n", inert(&threshold)));
    }
    if let Some(prediction) = &comparison.prediction {
        out.push_str(&format!("- **Predicted:** {}\n", inert(&words::prediction(prediction))));
        if let Some(outcome) = words::outcome(prediction) {
            out.push_str(&format!("- **Proven:** {}\n", inert(&outcome)));
        }
    }
    if comparison.gate.is_none() {
        out.push_str(&format!(
            "- **Next:** {}\n",
            inert(&words::compare_next_step(comparison.next_step))
        ));
    }
}

/// What a reader of a pull request looks at: the judged metrics alone.
fn judged(out: &mut String, comparison: &Comparison) {
    let [base, tree] = [0, 1].map(|number| comparison.variants.get(number).map_or("", |variant| &variant.name));
    let [_, _, change, interval, _] = words::CHANGE_HEADS;
    let (base, tree) = (inert(base), inert(tree));
    out.push_str(&format!(
        "|  | metric | {base} | {tree} | {change} | {interval} |\n|---|---|--:|--:|--:|--:|\n"
    ));
    for figure in comparison.figures.iter().filter(|figure| figure.judged) {
        let (tone, word) = words::figure_verdict(figure.verdict);
        let [first, variant, change, interval, _] = words::change(figure);
        out.push_str(&format!(
            "| {} {word} | {} | {} | {} | {change} | {interval} |\n",
            mark(tone),
            inert(words::metric(figure.figure)),
            inert(&first),
            inert(&variant)
        ));
    }
    out.push('\n');
}

fn changes(out: &mut String, comparison: &Comparison) {
    if comparison.figures.is_empty() {
        return;
    }
    out.push_str(&format!(
        "\n### Figures\n\nThe judged intervals {}.\n\n|  | figure | of | {} |\n\
         |---|---|---|--:|--:|--:|--:|--:|\n",
        words::intervals(comparison),
        words::CHANGE_HEADS.join(" | ")
    ));
    for figure in &comparison.figures {
        let (tone, word) = words::figure_verdict(figure.verdict);
        let cells = words::change(figure).map(|cell| inert(&cell)).join(" | ");
        out.push_str(&format!(
            "| {} {word} | {} | {} | {cells} |\n",
            mark(tone),
            inert(words::metric(figure.figure)),
            inert(&figure.variant)
        ));
    }
}
