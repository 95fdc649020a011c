//! The page of a sweep.

use super::Paged;
use super::document::{
    Block, Cell, ChartName, Document, Outcome, badge, chart, fact, figures as column, section, table, text,
};
use super::parts::{Known, headline, next, responses};
use crate::words;
use plimsoll_findings::{ScalePoint, Scaling};

impl Paged for Scaling {
    fn document(&self) -> Document {
        let known = Known {
            command: "scale",
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
        content.extend(sizes(self));
        content.extend(responses(&self.responses));
        content.push(known.setting(None));
        let title = format!("throughput by {}", self.sizes_of);
        known.document(&title, outcome(self), content)
    }
}

fn outcome(scaling: &Scaling) -> Outcome {
    let mut facts = vec![fact("Load", scaling.load.as_str())];
    if let Some(law) = &scaling.law {
        facts.push(fact("Fit", words::sentence(words::tells(law.tells))));
        let parameters = words::parameters(law, &scaling.sizes_of).into_iter();
        facts.extend(parameters.map(|(name, value)| fact(&words::capitalised(name), value)));
    }
    Outcome {
        verdict: badge(words::scale_verdict(scaling.verdict)),
        note: None,
        heading: headline(&words::scale_headline(&scaling.headline)),
        facts,
        next: next(&words::scale_next_step(scaling.next_step)),
    }
}

fn sizes(scaling: &Scaling) -> Option<Block> {
    if scaling.points.is_empty() {
        return None;
    }
    let title = format!("Throughput by {}", scaling.sizes_of);
    let [_, heads @ ..] = words::POINT_HEADS;
    let mut columns = vec![text(&scaling.sizes_of)];
    columns.extend(heads.map(column));
    let row = |point: &ScalePoint| words::point(point).map(Cell::Text).into();
    let rows = scaling.points.iter().map(row).collect();
    Some(section(
        "scaling",
        &title,
        words::law(scaling.confidence),
        vec![chart(ChartName::Scaling), table(&title, columns, rows)],
    ))
}
