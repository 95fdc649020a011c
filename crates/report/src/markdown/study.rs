//! A study as Markdown: the summary of a CI job, and the page in its directory, which leads to those of its measurements.

use super::{came_back, inert, mark, notices};
use crate::figures;
use crate::words;
use plimsoll_findings::{EffectFinding, MeasuredBy, StudyFindings};

/// The study as Markdown, ending in a newline. With `links` its measurements lead to the pages in their directories.
pub(crate) fn study(study: &StudyFindings, links: bool) -> String {
    let (tone, word) = words::study_verdict(study.verdict);
    let mut out = format!(
        "## {} {}: {word}\n\n{}\n\n{}\n\n- **Next:** {}\n",
        mark(tone),
        inert(&study.title),
        inert(&study.question),
        inert(&words::study_headline(&study.headline)),
        inert(words::study_next_step(study.verdict))
    );
    if let Some(size) = &study.size {
        out.push_str(&format!("- **Size:** {}\n", inert(&words::study_size(size))));
    }
    effects(&mut out, study);
    figures_of(&mut out, "Published, elsewhere", study, |effect| {
        effect.published.as_ref().map(words::published)
    });
    out.push('\n');
    for source in &study.source {
        out.push_str(&format!("Source: {}\n", inert(source)));
    }
    figures_of(&mut out, "Measured here", study, |effect| {
        effect.here.as_ref().map(words::here)
    });
    if !study.differs.is_empty() {
        out.push_str("\n### What differs\n\n");
        for sentence in &study.differs {
            out.push_str(&format!("- {}\n", inert(sentence)));
        }
    }
    measurements(&mut out, study, links);
    notices(&mut out, &study.notices);
    out.push_str(&format!(
        "\n<sub>plimsoll {} study {}, {}, took {}, {}</sub>\n",
        inert(&study.version),
        inert(&study.name),
        inert(&study.started_at),
        figures::length_s(study.duration_s),
        inert(&words::host(&study.host))
    ));
    out
}

fn effects(out: &mut String, study: &StudyFindings) {
    out.push_str(&format!(
        "\n### Effects, as ratios\n\n|  | effect | {} | why |\n|---|---|--:|--:|--:|--:|---|\n",
        words::EFFECT_HEADS.join(" | ")
    ));
    for effect in &study.effects {
        let (tone, word) = words::effect_verdict(effect.verdict);
        let cells = words::effect(effect).map(|cell| inert(&cell)).join(" | ");
        out.push_str(&format!(
            "| {} {word} | {} | {cells} | {} |\n",
            mark(tone),
            inert(&effect.name),
            inert(&words::effect_why(effect))
        ));
    }
}

fn figures_of(out: &mut String, title: &str, study: &StudyFindings, of: impl Fn(&EffectFinding) -> Option<String>) {
    out.push_str(&format!("\n### {title}\n\n"));
    for effect in &study.effects {
        if let Some(text) = of(effect) {
            out.push_str(&format!("- **{}:** {}\n", inert(&effect.name), inert(&text)));
        }
    }
}

fn measurements(out: &mut String, study: &StudyFindings, links: bool) {
    out.push_str("\n### Measurements\n\n");
    for measurement in &study.measurements {
        let name = inert(&measurement.name);
        let has_page = measurement.kind != MeasuredBy::Command;
        let name = match &measurement.directory {
            Some(directory) if links && has_page => format!("[{name}]({}/report.html)", inert(directory)),
            _ => name,
        };
        out.push_str(&format!(
            "- **{name}** ({}): {}\n",
            inert(words::measured_by(measurement.kind)),
            inert(&words::measurement_headline(&measurement.headline))
        ));
        for responses in &measurement.responses {
            came_back(out, "  ", responses);
        }
    }
}
