//! What is looked for in the figures.

use super::{Read, StudyReader};
use crate::language::document::{EffectDocument, ValueDocument};
use crate::language::{Bound, Effect, Figure, Measurement, MeasurementKind, Published, Value};
use plimsoll_plan::notation::{At, Mismatch, Share, quoted};

impl StudyReader<'_> {
    pub(super) fn effect(
        &mut self,
        name: String,
        section: &At<EffectDocument>,
        measurements: &[Measurement],
        published: &[(String, Published)],
    ) -> Read<Effect> {
        let key = format!("effects.{name}");
        self.reader.remember(&key, section.place);
        let written = &section.value;
        let found: Option<String> = self.reader.field(&format!("{key}.published"), &written.published)?;
        let mut figure = match found {
            None => None,
            Some(found) => {
                let known = published.iter().find(|(key, _)| *key == found);
                let unknown = || {
                    let keys = published.iter().map(|(key, _)| key.as_str());
                    let mismatch =
                        Mismatch::new(quoted(&found), "a key of the published figures").nearest(&found, keys);
                    self.reader.error_about(&format!("{key}.published"), mismatch)
                };
                Some(known.ok_or_else(unknown)?.1.clone())
            }
        };
        let Some(here) = self.reader.section(&format!("{key}.here"), &written.here) else {
            return Err(self
                .reader
                .error(section.place, Mismatch::new("no `here`", "what it is here")));
        };
        let here = self.value(&format!("{key}.here"), here, measurements)?;
        let against = match self.reader.section(&format!("{key}.against"), &written.against) {
            None => None,
            Some(against) => Some(self.value(&format!("{key}.against"), against, measurements)?),
        };
        let steps = self.count(&format!("{key}.steps"), &written.steps)?.unwrap_or(1);
        let least: Option<Share> = self.reader.field(&format!("{key}.least"), &written.least)?;
        let within: Option<Share> = self.reader.field(&format!("{key}.within"), &written.within)?;
        let of_a_comparison = here.variant.is_some();
        if of_a_comparison && against.is_some() {
            let mismatch = Mismatch::new("`against`", "nothing: a comparison is against its first variant");
            return Err(self.reader.error_about(&format!("{key}.against"), mismatch));
        }
        let mut is_value = false;
        match figure.as_mut().map(|figure| &mut figure.bound) {
            Some(Bound::Ratio { least_share, .. }) => *least_share = least.map_or(*least_share, Share::value),
            Some(Bound::Same { within: allowed }) => *allowed = within.map_or(*allowed, Share::value),
            Some(Bound::AtLeast(_) | Bound::AtMost(_)) => is_value = true,
            Some(Bound::Direction(_)) | None => {}
        }
        let is_ratio = of_a_comparison || against.is_some();
        if figure.is_some() && is_value == is_ratio {
            let mismatch = if is_value {
                Mismatch::new("a ratio", "a figure, because the published one is a bound of a figure")
            } else {
                Mismatch::new(
                    "a figure without `against`",
                    "a ratio, because the published one is a ratio",
                )
            };
            return Err(self.reader.error_about(&format!("{key}.here"), mismatch));
        }
        Ok(Effect {
            name,
            published: figure,
            here,
            against,
            steps,
        })
    }

    fn value(&mut self, key: &str, section: &At<ValueDocument>, measurements: &[Measurement]) -> Read<Value> {
        let written = &section.value;
        let of: String = self.reader.required(&format!("{key}.of"), &written.of, section.place)?;
        let Some(measurement) = measurements.iter().find(|measurement| measurement.name == of) else {
            let names = measurements.iter().map(|measurement| measurement.name.as_str());
            let mismatch = Mismatch::new(quoted(&of), "the name of a measurement").nearest(&of, names);
            return Err(self.reader.error_about(&format!("{key}.of"), mismatch));
        };
        let name: String = self
            .reader
            .required(&format!("{key}.figure"), &written.figure, section.place)?;
        let figure = Figure::of(&measurement.kind, &name).map_err(|known| {
            let expected = format!("one of {}", known.join(", "));
            let mismatch = Mismatch::new(quoted(&name), expected).nearest(&name, known.iter().copied());
            self.reader.error_about(&format!("{key}.figure"), mismatch)
        })?;
        let variant = self.reader.field(&format!("{key}.variant"), &written.variant)?;
        let variant = self.variant(key, section, &measurement.kind, variant)?;
        let size = self.reader.field(&format!("{key}.size"), &written.size)?;
        let sizes = match &measurement.kind {
            MeasurementKind::Scale { sizes, .. } if figure.needs_size() => sizes.as_slice(),
            _ => &[],
        };
        let fits = match size {
            Some(size) => sizes.contains(&size),
            None => sizes.is_empty(),
        };
        if !fits {
            let found = size.map_or("no `size`".to_owned(), |size| format!("the size {size}"));
            let expected = if sizes.is_empty() {
                "none: this figure is not measured at a size".to_owned()
            } else {
                format!("one of the sizes {sizes:?}")
            };
            return Err(self.reader.error(section.place, Mismatch::new(found, expected)));
        }
        Ok(Value {
            measurement: of,
            figure,
            variant,
            size,
        })
    }

    fn variant(
        &self,
        key: &str,
        section: &At<ValueDocument>,
        kind: &MeasurementKind,
        given: Option<String>,
    ) -> Read<Option<String>> {
        let variants = match kind {
            MeasurementKind::Compare { variants, .. } => variants.as_slice(),
            _ => &[],
        };
        let others: Vec<&str> = variants.iter().skip(1).map(|variant| variant.name.as_str()).collect();
        match given {
            None if others.len() > 1 => {
                let expected = format!("one of {}", others.join(", "));
                Err(self
                    .reader
                    .error(section.place, Mismatch::new("no `variant`", expected)))
            }
            None => Ok(others.first().map(|&only| only.to_owned())),
            Some(given) if others.contains(&given.as_str()) => Ok(Some(given)),
            Some(given) => {
                let expected = if others.is_empty() {
                    "none: only a comparison has variants".to_owned()
                } else {
                    format!("one of {}", others.join(", "))
                };
                let mismatch = Mismatch::new(quoted(&given), expected).nearest(&given, others);
                Err(self.reader.error_about(&format!("{key}.variant"), mismatch))
            }
        }
    }
}
