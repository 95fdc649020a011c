//! Why the service stops where it stops, for a terminal: the first cause in the first lines, then all of them.

use super::page::{Page, Paint, mark, plain, span};
use super::table::{Side, Table};
use super::{LABEL, fact, label, section};
use crate::figures;
use crate::words::{self, Tone};
use plimsoll_findings::{Cause, Diagnosis, Findings, Headline, Verdict};

/// What it comes to, in five lines.
pub(super) fn conclusion(page: &mut Page, findings: &Findings, diagnosis: &Diagnosis) {
    let (tone, word) = words::verdict(findings.verdict);
    let lead = [
        mark(tone),
        span(
            Paint::StrongTone(tone),
            format!(" {}  ", words::bound(diagnosis.bound).to_uppercase()),
        ),
    ];
    page.paragraph(&lead, Paint::Strong, &words::why(diagnosis));
    if findings.verdict != Verdict::Passed {
        fact(page, "verdict", word);
    }
    match first(findings, diagnosis) {
        Some(first) => {
            page.paragraph(&[label("first cause")], Paint::Strong, &words::cause(first));
            fact(page, "costs", &words::cause_costs(first));
            if let Some(predicted) = &first.predicted {
                let predicted = words::of_messages(diagnosis.by_message, words::predicted(predicted));
                fact(page, "predicted", &predicted);
            }
        }
        None => fact(page, "causes", &words::no_causes(&findings.headline)),
    }
    page.paragraph(&[label("next")], Paint::Strong, &words::next_step(&findings.next_step));
    if let Some(line) = &findings.load_line {
        fact(page, "measured", &words::load_line(line));
    }
}

/// The cause that the headline names: the first one that explains what runs out first.
fn first<'a>(findings: &Findings, diagnosis: &'a Diagnosis) -> Option<&'a Cause> {
    let Headline::Limit {
        cause: Some(what),
        place,
        ..
    } = &findings.headline
    else {
        return None;
    };
    diagnosis
        .causes
        .iter()
        .find(|cause| cause.what == *what && cause.place == *place)
}

pub(super) fn sections(page: &mut Page, diagnosis: &Diagnosis) {
    causes(page, diagnosis);
    what_ifs(page, diagnosis);
    layers(page, diagnosis);
    breakdown(page, diagnosis);
    runtime(page, diagnosis);
    listing(page, diagnosis);
    passes(page, diagnosis);
}

fn causes(page: &mut Page, diagnosis: &Diagnosis) {
    if diagnosis.causes.is_empty() {
        return;
    }
    section(
        page,
        "Causes",
        " by what they are predicted to give back; never measured",
    );
    for (number, cause) in (1..).zip(&diagnosis.causes) {
        one(page, number, cause);
    }
}

fn one(page: &mut Page, number: usize, cause: &Cause) {
    let lead = [
        plain("  "),
        mark(Tone::Bad),
        span(Paint::Strong, format!(" {number}  {}  ", cause.kind.as_str())),
    ];
    page.paragraph(&lead, Paint::Strong, &words::cause(cause));
    let mut facts = vec![
        ("costs", words::cause_costs(cause)),
        ("evidence", words::evidence(cause)),
    ];
    for (name, predicted) in [("predicted", &cause.predicted), ("whole line", &cause.line_predicted)] {
        if let Some(predicted) = predicted {
            facts.push((
                name,
                words::of_messages(cause.by_message, words::predicted_with_assumption(predicted)),
            ));
        }
    }
    if !cause.other_places.is_empty() {
        let places: Vec<String> = cause.other_places.iter().map(words::place).collect();
        facts.push(("also at", places.join(", ")));
    }
    if let Some(inside) = words::inside(cause) {
        facts.push(("inside", inside));
    }
    if let Some(helper) = &cause.helper {
        facts.push(("through", words::helper(helper)));
    }
    if let Some(caller) = &cause.called_from {
        facts.push(("called", format!("from {}", words::place(caller))));
    }
    if let Some(compiler) = cause.compiled {
        facts.push(("compiled", words::compiled(compiler)));
    }
    facts.push(("remedy", words::remedy(cause)));
    facts.push(("more", words::explained_by(cause.kind)));
    for (name, text) in facts {
        detail(page, name, &text);
    }
}

fn detail(page: &mut Page, name: &str, text: &str) {
    let lead = [span(Paint::Quiet, format!("      {name:<width$}", width = LABEL - 4))];
    page.paragraph(&lead, Paint::Plain, text);
}

fn what_ifs(page: &mut Page, diagnosis: &Diagnosis) {
    if diagnosis.what_if.is_empty() {
        return;
    }
    section(page, "What if", "");
    page.paragraph(&[plain("  ")], Paint::Quiet, &words::what_ifs(diagnosis));
    for what_if in &diagnosis.what_if {
        let (tone, _) = words::compare_verdict(what_if.verdict);
        let lead = [plain("  "), mark(tone), plain(" ")];
        page.paragraph(&lead, Paint::Strong, &words::what_if_title(what_if));
        detail(page, "result", &words::what_if_result(what_if));
        for (name, text) in words::what_if_facts(what_if) {
            detail(page, name, &text);
        }
    }
}

fn layers(page: &mut Page, diagnosis: &Diagnosis) {
    let Some(costs) = &diagnosis.layers else { return };
    section(page, words::LAYERS, words::LAYERS_OF);
    let mut columns = vec![("", Side::Left)];
    columns.extend(words::LAYER_HEADS.map(|head| (head, Side::Right)));
    columns.push((words::LAYER_PLACE_HEAD, Side::Left));
    let mut table = Table::new(&columns).spare(words::LAYER_HEADS_SPARE);
    for layer in words::layers(costs) {
        let mut cells = vec![plain(layer.name)];
        cells.extend(layer.figures.map(plain));
        cells.push(plain(layer.place));
        table.row(cells);
    }
    table.draw(page);
}

fn breakdown(page: &mut Page, diagnosis: &Diagnosis) {
    if diagnosis.breakdown.is_empty() {
        return;
    }
    section(
        page,
        "Where the time went",
        " share of the busy time in the CPU profile",
    );
    let mut table = Table::new(&[("", Side::Left), ("share", Side::Right)]);
    for slice in &diagnosis.breakdown {
        table.row(vec![
            plain(words::spent_on(&slice.what)),
            plain(figures::share(slice.share)),
        ]);
    }
    table.draw(page);
}

fn runtime(page: &mut Page, diagnosis: &Diagnosis) {
    let Some(time) = &diagnosis.runtime else { return };
    section(page, words::RUNTIME, "");
    page.paragraph(&[plain("  ")], Paint::Quiet, &words::runtime_share(time));
    fact(page, "it does", &words::activity_list(time, words::FEW));
    let [whom, share, mostly] = words::CHARGE_HEADS;
    let mut table =
        Table::new(&[(whom, Side::Left), (share, Side::Right), (mostly, Side::Left)]).spare(&[words::CHARGE_HEADS[2]]);
    for row in words::charge_rows(time, words::FEW) {
        table.row(row.map(plain).to_vec());
    }
    table.draw(page);
    page.paragraph(&[plain("  ")], Paint::Quiet, &words::charged(time));
}

/// The costliest function alone, and few of its lines.
fn listing(page: &mut Page, diagnosis: &Diagnosis) {
    let Some(listing) = diagnosis.listings.as_ref().and_then(|all| all.functions.first()) else {
        return;
    };
    section(page, words::LISTING, "");
    let title = format!("{}: {}", words::listing_title(listing), words::listing_costs(listing));
    page.paragraph(&[plain("  ")], Paint::Plain, &title);
    let [ms, line] = words::LISTING_HEADS;
    let mut table = Table::new(&[(ms, Side::Right), (line, Side::Right), ("source", Side::Left)]);
    for row in words::few_listing_rows(listing) {
        table.row(vec![plain(row.ms), span(Paint::Quiet, row.line), plain(row.text)]);
    }
    table.draw(page);
}

fn passes(page: &mut Page, diagnosis: &Diagnosis) {
    let at = format!(
        " all at {}, under the same arrivals",
        figures::known(diagnosis.rate_per_s, figures::rate)
    );
    let at = words::of_messages(diagnosis.by_message, at);
    section(page, "Passes", &at);
    let mut columns = vec![("", Side::Left)];
    columns.extend(words::pass_heads(diagnosis).map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["p50"]);
    for pass in &diagnosis.passes {
        let mut cells = vec![plain(pass.name.as_str())];
        cells.extend(words::pass(pass).map(plain));
        table.row(cells);
    }
    table.draw(page);
}
