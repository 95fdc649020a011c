//! A sweep as text: the peak and the law in the first lines.

use super::page::{Page, Paint, mark, plain, span};
use super::table::{Side, Table};
use super::{Style, Written, fact, label, notices, places, responses, section};
use crate::figures;
use crate::words;
use plimsoll_findings::{LawFinding, Scaling};

/// The sweep as text, ending in a newline.
pub(crate) fn scaling(scaling: &Scaling, style: Style, written: Written<'_>) -> String {
    let mut page = Page::new(style);
    let (tone, word) = words::scale_verdict(scaling.verdict);
    let lead = [
        mark(tone),
        span(Paint::StrongTone(tone), format!(" {}  ", word.to_uppercase())),
    ];
    page.paragraph(&lead, Paint::Strong, &words::scale_headline(&scaling.headline));
    if let Some(law) = &scaling.law {
        fact(&mut page, "told", words::tells(law.tells));
    }
    let next = words::scale_next_step(scaling.next_step);
    page.paragraph(&[label("next")], Paint::Strong, &next);
    page.blank();
    fact(&mut page, "plan", &format!("{} (scale)", scaling.name));
    fact(&mut page, "target", &scaling.target);
    fact(&mut page, "load", &scaling.load);
    let took = figures::length_s(scaling.duration_s);
    fact(&mut page, "run", &format!("{}, rounds took {took}", scaling.started_at));
    points(&mut page, scaling);
    if let Some(law) = &scaling.law {
        parameters(&mut page, scaling, law);
    }
    responses(&mut page, &scaling.responses);
    notices(&mut page, &scaling.notices);
    places(&mut page, written);
    page.finish()
}

fn points(page: &mut Page, scaling: &Scaling) {
    if scaling.points.is_empty() {
        return;
    }
    section(page, "Throughput", " means over the rounds, req/s");
    let mut table = Table::new(&[
        (words::POINT_HEADS[0], Side::Right),
        (words::POINT_HEADS[1], Side::Right),
        (words::POINT_HEADS[2], Side::Right),
        (words::POINT_HEADS[3], Side::Right),
        (words::POINT_HEADS[4], Side::Right),
        (words::POINT_HEADS[5], Side::Right),
    ])
    .spare(&["CPU per request"]);
    for point in &scaling.points {
        table.row(words::point(point).map(plain).to_vec());
    }
    table.draw(page);
}

fn parameters(page: &mut Page, scaling: &Scaling, law: &LawFinding) {
    let confidence = figures::share(scaling.confidence);
    section(
        page,
        "Law",
        &format!(" X(N) = λN / (1 + σ(N−1) + κN(N−1)), intervals of {confidence}"),
    );
    for (name, value) in words::parameters(law, &scaling.sizes_of) {
        fact(page, name, &value);
    }
}
