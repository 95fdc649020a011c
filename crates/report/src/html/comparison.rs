//! The page of a comparison.

use super::Paged;
use super::document::{
    Block, Cell, ChartName, Document, Fact, Heading, Outcome, badge, cards, chart, fact, figures as column, section,
    table, text, unseen, verdicts,
};
use super::parts::{Known, headline, next, responses};
use crate::figures;
use crate::words;
use plimsoll_findings::{Comparison, FigureFinding, FigureVerdict, RoundFinding};

const CHANGES: [FigureVerdict; 4] = [
    FigureVerdict::Better,
    FigureVerdict::Worse,
    FigureVerdict::NoDifference,
    FigureVerdict::Unjudged,
];

const CHECKED: [FigureVerdict; 5] = [
    FigureVerdict::Better,
    FigureVerdict::Worse,
    FigureVerdict::Held,
    FigureVerdict::Undecided,
    FigureVerdict::Unjudged,
];

impl Paged for Comparison {
    fn document(&self) -> Document {
        let known = Known {
            command: words::command(self),
            name: &self.name,
            target: &self.target,
            started_at: &self.started_at,
            duration_s: self.duration_s,
            version: &self.version,
            format: &self.format,
            host: words::host_or_nothing(self.host.as_ref()),
            notices: &self.notices,
        };
        let mut content = Vec::new();
        content.extend(changes(self));
        content.extend(responses(&self.responses));
        content.extend(rounds(self));
        content.push(known.setting(None));
        let (_, title) = words::compare_verdict(self.verdict);
        let of_figures: &[FigureVerdict] = match self.gate {
            None => &CHANGES,
            Some(_) => &CHECKED,
        };
        Document {
            verdicts: verdicts(of_figures, words::figure_verdict),
            ..known.document(title, outcome(self), content)
        }
    }
}

fn outcome(comparison: &Comparison) -> Outcome {
    let variants = comparison.variants.iter();
    let mut facts: Vec<Fact> = variants
        .map(|variant| fact(&variant.name, Cell::code(variant.what.as_str(), None)))
        .collect();
    facts.push(fact("Load", comparison.load.as_str()));
    facts.extend(words::threshold(comparison).map(|text| fact("Threshold", words::sentence(&text))));
    if let Some(prediction) = &comparison.prediction {
        facts.push(fact("Predicted", words::sentence(&words::prediction(prediction))));
        facts.extend(words::outcome(prediction).map(|text| fact("Proven", text)));
    }
    Outcome {
        verdict: badge(words::compare_verdict(comparison.verdict)),
        note: None,
        heading: heading(comparison),
        facts,
        next: next(&words::compare_next_step(comparison.next_step)),
    }
}

/// A name of a variant stays as it is written.
fn heading(comparison: &Comparison) -> Heading {
    let text = words::compare_headline(&comparison.headline);
    let mut names = comparison.variants.iter().map(|variant| &variant.name);
    match names.any(|name| text.starts_with(name.as_str())) {
        true => Heading::Sentence { text },
        false => headline(&text),
    }
}

fn changes(comparison: &Comparison) -> Option<Block> {
    if comparison.figures.is_empty() {
        return None;
    }
    let first = comparison
        .variants
        .first()
        .map_or("the first variant", |first| &first.name);
    let several = comparison.variants.len() > 2;
    let mut columns = vec![unseen("verdict"), text("metric")];
    columns.extend(several.then(|| text("of")));
    columns.extend(words::CHANGE_HEADS.map(column));
    let row = |figure: &FigureFinding| {
        let mut cells = vec![
            Cell::badge(words::figure_verdict(figure.verdict)),
            words::metric(figure.figure).into(),
        ];
        cells.extend(several.then(|| Cell::from(figure.variant.as_str())));
        cells.extend(words::change(figure).map(Cell::Text));
        cells
    };
    let rows = comparison.figures.iter().map(row).collect();
    Some(section(
        "changes",
        "What changed",
        words::changes(first, &words::intervals(comparison)),
        vec![chart(ChartName::Changes), cards("What changed", columns, rows)],
    ))
}

fn rounds(comparison: &Comparison) -> Option<Block> {
    if comparison.rounds.is_empty() {
        return None;
    }
    let ms = |value| Cell::Text(figures::known(value, figures::duration_ms));
    let row = |round: &RoundFinding| -> Vec<Cell> {
        vec![
            figures::count(u64::from(round.round) + 1).into(),
            round.variant.as_str().into(),
            figures::known(round.cpu_us_per_request, figures::duration_us).into(),
            ms(round.p50_ms),
            ms(round.p99_ms),
            figures::known(round.throughput_per_s, figures::rate).into(),
            figures::known(round.error_share, figures::share).into(),
            words::use_of(round).into(),
        ]
    };
    let mut columns = vec![text("round"), text("variant")];
    columns.extend(["CPU per request", "p50", "p99", "completed", "errors"].map(column));
    columns.push(text("use"));
    let rows = comparison.rounds.iter().map(row).collect();
    Some(section(
        "rounds",
        "Rounds",
        "Each is a run of its own with the service started anew, in the order in which they were run.",
        vec![table("Rounds", columns, rows)],
    ))
}
