//! What was published.

use super::{Figures, Read, StudyReader, entries};
use crate::language::document::{FigureDocument, PublishedDocument};
use crate::language::{Bound, Published};
use plimsoll_plan::notation::{At, Mismatch, Notation};

const LEAST_SHARE: f64 = 0.5;
const WITHIN: f64 = 0.25;

impl StudyReader<'_> {
    pub(super) fn published(&mut self, document: &At<PublishedDocument>) -> Read<(Vec<String>, Figures)> {
        let published = &document.value;
        let source = self.sentences("source", &published.source)?;
        if source.is_empty() {
            return Err(self.reader.error(
                document.place,
                Mismatch::new("no `source`", "a list of where it was published"),
            ));
        }
        let mut figures = Vec::new();
        for (key, figure) in entries(self.reader.section("figures", &published.figures)) {
            let key = self.reader.read_with(key, String::read)?;
            let bound = self.figure(&format!("figures.{key}"), figure)?;
            figures.push((key, bound));
        }
        if figures.is_empty() {
            return Err(self
                .reader
                .error(document.place, Mismatch::new("no `figures`", "what was published")));
        }
        Ok((source, figures))
    }

    pub(super) fn figure(&mut self, key: &str, section: &At<FigureDocument>) -> Read<Published> {
        let figure = &section.value;
        let what = self
            .reader
            .required(&format!("{key}.what"), &figure.what, section.place)?;
        let mut number = |name: &str, field| {
            Ok(self
                .reader
                .field(&format!("{key}.{name}"), field)?
                .map(|n: crate::language::document::Number| n.0))
        };
        let from: Option<f64> = number("from", &figure.from)?;
        let to = number("to", &figure.to)?;
        let ratio = number("ratio", &figure.ratio)?;
        let at_least = number("at_least", &figure.at_least)?;
        let at_most = number("at_most", &figure.at_most)?;
        let direction = self.reader.field(&format!("{key}.direction"), &figure.direction)?;
        let of_ratio = |figures: Option<[f64; 2]>, ratio: f64| {
            if ratio == 1.0 {
                Bound::Same { within: WITHIN }
            } else {
                Bound::Ratio {
                    figures,
                    ratio,
                    least_share: LEAST_SHARE,
                }
            }
        };
        let bound = match (from, to, ratio, direction, at_least, at_most) {
            (Some(from), Some(to), None, None, None, None) => of_ratio(Some([from, to]), to / from),
            (None, None, Some(ratio), None, None, None) => of_ratio(None, ratio),
            (None, None, None, Some(direction), None, None) => Bound::Direction(direction),
            (None, None, None, None, Some(least), None) => Bound::AtLeast(least),
            (None, None, None, None, None, Some(most)) => Bound::AtMost(most),
            _ => {
                let expected = "one of: `from` and `to`, `ratio`, `direction`, `at_least`, `at_most`";
                return Err(self
                    .reader
                    .error(section.place, Mismatch::new("none of them, or several", expected)));
            }
        };
        let key = key.rsplit('.').next().unwrap_or(key).to_owned();
        Ok(Published { key, what, bound })
    }
}
