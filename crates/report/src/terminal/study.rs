//! A study as text: what was published beside what is here, and never the one among the other.

use super::page::{Page, Paint, mark, plain, span};
use super::table::{Side, Table};
use super::{Style, Written, fact, failure, label, notices, places, section, verdict_cell};
use crate::figures;
use crate::words;
use plimsoll_findings::StudyFindings;

/// The study as text, ending in a newline.
pub(crate) fn study(study: &StudyFindings, style: Style, written: Written<'_>) -> String {
    let mut page = Page::new(style);
    let (tone, word) = words::study_verdict(study.verdict);
    let lead = [
        mark(tone),
        span(Paint::StrongTone(tone), format!(" {}  ", word.to_uppercase())),
    ];
    page.paragraph(&lead, Paint::Strong, &words::study_headline(&study.headline));
    page.paragraph(&[label("next")], Paint::Strong, words::study_next_step(study.verdict));
    page.blank();
    fact(&mut page, "study", &format!("{}: {}", study.name, study.title));
    fact(&mut page, "question", &study.question);
    if let Some(size) = &study.size {
        fact(&mut page, "size", &words::study_size(size));
    }
    let took = figures::length_s(study.duration_s);
    fact(&mut page, "run", &format!("{}, took {took}", study.started_at));
    effects(&mut page, study);
    section(&mut page, "Published", " elsewhere, on other machines");
    for effect in &study.effects {
        if let Some(published) = &effect.published {
            fact_of(&mut page, &effect.name, &words::published(published));
        }
    }
    for source in &study.source {
        fact(&mut page, "source", source);
    }
    section(&mut page, "Here", &format!(" {}", words::host(&study.host)));
    for effect in &study.effects {
        if let Some(here) = &effect.here {
            fact_of(&mut page, &effect.name, &words::here(here));
        }
    }
    differs(&mut page, study);
    measurements(&mut page, study);
    notices(&mut page, &study.notices);
    places(&mut page, written);
    page.finish()
}

/// A name that may be longer than a label, and what is to be said of it.
fn fact_of(page: &mut Page, name: &str, text: &str) {
    page.paragraph(&[span(Paint::Quiet, format!("  {name}: "))], Paint::Plain, text);
}

fn effects(page: &mut Page, study: &StudyFindings) {
    section(page, "Effects", " as ratios");
    let [published, here, interval, size] = words::EFFECT_HEADS;
    let mut table = Table::new(&[
        ("", Side::Left),
        ("effect", Side::Left),
        (published, Side::Right),
        (here, Side::Right),
        (interval, Side::Right),
        (size, Side::Right),
    ])
    .spare(&["size", "interval"]);
    for effect in &study.effects {
        let (tone, word) = words::effect_verdict(effect.verdict);
        let mut cells = vec![verdict_cell(tone, word), plain(&effect.name)];
        cells.extend(words::effect(effect).map(plain));
        table.row(cells);
    }
    table.draw(page);
    page.blank();
    // Of what is only shown, the table has said it all.
    for effect in study.effects.iter().filter(|effect| !words::is_only_shown(effect)) {
        fact_of(page, &effect.name, &words::effect_why(effect));
    }
}

fn differs(page: &mut Page, study: &StudyFindings) {
    if study.differs.is_empty() {
        return;
    }
    section(page, "What differs", "");
    for sentence in &study.differs {
        page.paragraph(&[plain("  - ")], Paint::Plain, sentence);
    }
}

fn measurements(page: &mut Page, study: &StudyFindings) {
    section(page, "Measured", "");
    for measurement in &study.measurements {
        let directory = measurement
            .directory
            .as_deref()
            .map(|directory| format!(" [{directory}]"));
        let text = format!(
            "{}{}",
            words::measurement_headline(&measurement.headline),
            directory.unwrap_or_default()
        );
        fact_of(
            page,
            &format!("{} ({})", measurement.name, words::measured_by(measurement.kind)),
            &text,
        );
        for responses in &measurement.responses {
            let statuses = words::statuses_together(responses);
            page.paragraph(
                &[plain("    ")],
                Paint::Quiet,
                &format!("{}: {statuses}", words::responses_of(&responses.of)),
            );
            responses
                .errors
                .iter()
                .for_each(|error| failure(page, error, "requests"));
        }
    }
}

/// A study that can be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// What it is called.
    pub name: String,
    /// How long it takes, about, seconds.
    pub takes_s: f64,
    /// What it is about.
    pub title: String,
    /// What it asks.
    pub question: String,
}

/// The studies there are, ending in a newline.
#[must_use]
pub fn studies(listed: &[Listed], style: Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::new(&[("study", Side::Left), ("takes", Side::Right), ("about", Side::Left)]);
    for study in listed {
        table.row(vec![
            span(Paint::Strong, &study.name),
            plain(figures::length_s(study.takes_s)),
            plain(&study.title),
        ]);
    }
    table.draw(&mut page);
    page.blank();
    let all = figures::length_s(listed.iter().map(|study| study.takes_s).sum());
    fact(&mut page, "all of them", &format!("about {all}"));
    page.finish()
}
