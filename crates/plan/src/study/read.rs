//! Two documents to a study. Names that one part has for another are followed here, so that a study that was read can be
//! measured and judged without asking again.

use super::document::{
    EffectDocument, FigureDocument, KindWord, MeasurementDocument, PublishedDocument, StudyDocument, ValueDocument,
    VariantDocument,
};
use super::{
    Bound, Effect, Figure, Measurement, MeasurementKind, MeasurementLoad, Published, Service, Study, StudyVariant,
    Value,
};
use crate::error::{PlanError, Source};
use crate::mismatch::{Mismatch, quoted};
use crate::notation::Notation;
use crate::reader::Reader;
use crate::written::{At, Entries, Field, Given, OneOrMany, Place, Written};
use crate::{Rate, Secret, Share, schema, split_command, syntax};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

const ROUNDS: u32 = 6;
const ROUNDS_OF_SEARCHES: u32 = 4;
const ROUNDS_OF_SIZES: u32 = 3;
const LEAST_ROUNDS: u32 = 4;
const LEAST_ROUNDS_OF_SIZES: u32 = 2;
const SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const LEAST_SIZES: usize = 4;
const CONNECTIONS_OF_SIZES: u32 = 64;
const BUDGET: Duration = Duration::from_secs(60);
const STARTING: Duration = Duration::from_millis(900);
const LEAST_SHARE: f64 = 0.5;
const WITHIN: f64 = 0.25;

type Read<T> = Result<T, PlanError>;

/// What was published, by key.
type Figures = Vec<(String, Published)>;

/// A file name and its text.
type File<'a> = (&'a str, &'a str);

pub(super) fn read(name: &str, study: File<'_>, published: File<'_>) -> Read<Study> {
    let no_files = |_: &Path, _: u64| Err(std::io::Error::other("a study contains no files"));
    let source = |(file, text), kind| Source {
        kind,
        keys: schema::keys,
        file,
        text,
    };
    let study = source(study, "study");
    let published = source(published, "published case");
    let published_document = syntax::read_document(published)?;
    let (source, figures) = Reader::new(published, &no_files, None).published(&published_document)?;
    let document = syntax::read_document(study)?;
    Reader::new(study, &no_files, None).study(name, &document, source, &figures)
}

/// The values of a mapping under the keys that they were given.
fn entries<N>(given: Option<&At<Entries<N>>>) -> impl Iterator<Item = (&Written<String>, &N)> {
    given
        .into_iter()
        .flat_map(|at| at.value.0.iter().map(|(key, value)| (key, value)))
}

impl Reader<'_> {
    fn published(&mut self, document: &At<PublishedDocument>) -> Read<(Vec<String>, Figures)> {
        let published = &document.value;
        let source = self.sentences("source", &published.source)?;
        if source.is_empty() {
            return Err(self.error(
                document.place,
                Mismatch::new("no `source`", "a list of where it was published"),
            ));
        }
        let mut figures = Vec::new();
        for (key, figure) in entries(self.section("figures", &published.figures)) {
            let key = self.read_with(key, String::read)?;
            let bound = self.figure(&format!("figures.{key}"), figure)?;
            figures.push((key, bound));
        }
        if figures.is_empty() {
            return Err(self.error(document.place, Mismatch::new("no `figures`", "what was published")));
        }
        Ok((source, figures))
    }

    fn figure(&mut self, key: &str, section: &At<FigureDocument>) -> Read<Published> {
        let figure = &section.value;
        let what = self.required(&format!("{key}.what"), &figure.what, section.place)?;
        let mut number = |name: &str, field| {
            Ok(self
                .field(&format!("{key}.{name}"), field)?
                .map(|n: super::document::Number| n.0))
        };
        let from: Option<f64> = number("from", &figure.from)?;
        let to = number("to", &figure.to)?;
        let ratio = number("ratio", &figure.ratio)?;
        let at_least = number("at_least", &figure.at_least)?;
        let at_most = number("at_most", &figure.at_most)?;
        let direction = self.field(&format!("{key}.direction"), &figure.direction)?;
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
                return Err(self.error(section.place, Mismatch::new("none of them, or several", expected)));
            }
        };
        let key = key.rsplit('.').next().unwrap_or(key).to_owned();
        Ok(Published { key, what, bound })
    }

    fn study(
        &mut self,
        name: &str,
        document: &At<StudyDocument>,
        source: Vec<String>,
        published: &[(String, Published)],
    ) -> Read<Study> {
        let study = &document.value;
        let title = self.required("title", &study.title, document.place)?;
        let question = self.required("question", &study.question, document.place)?;
        let differs = self.sentences("differs", &study.differs)?;
        let starting = self.time("starting", &study.starting)?.unwrap_or(STARTING);
        let prepare = self.words("prepare", &study.prepare)?;
        let beside = self.words("beside", &study.beside)?;
        let mut measurements: Vec<Measurement> = Vec::new();
        for (name, section) in entries(self.section("measurements", &study.measurements)) {
            let name = self.read_with(name, String::read)?;
            let kind = self.measurement(&format!("measurements.{name}"), section, &measurements)?;
            measurements.push(Measurement { name, kind });
        }
        if measurements.is_empty() {
            return Err(self.error(document.place, Mismatch::new("no `measurements`", "at least one")));
        }
        let mut effects = Vec::new();
        for (name, section) in entries(self.section("effects", &study.effects)) {
            let name = self.read_with(name, String::read)?;
            effects.push(self.effect(name, section, &measurements, published)?);
        }
        if effects.is_empty() {
            return Err(self.error(document.place, Mismatch::new("no `effects`", "at least one")));
        }
        let used: HashSet<&str> = effects
            .iter()
            .filter_map(|effect| Some(effect.published.as_ref()?.key.as_str()))
            .collect();
        if let Some((unused, _)) = published.iter().find(|(key, _)| !used.contains(key.as_str())) {
            let found = format!("no effect for the published figure {}", quoted(unused));
            let mismatch = Mismatch::new(found, "an effect for each");
            return Err(self.error_about("effects", mismatch));
        }
        Ok(Study {
            name: name.to_owned(),
            title,
            question,
            source,
            differs,
            starting,
            prepare,
            beside,
            measurements,
            effects,
        })
    }

    fn measurement(
        &mut self,
        key: &str,
        section: &At<MeasurementDocument>,
        before: &[Measurement],
    ) -> Read<MeasurementKind> {
        self.remember(key, section.place);
        let written = &section.value;
        let kind = self.required(&format!("{key}.kind"), &written.kind, section.place)?;
        let rounds: Option<u32> = self.field(&format!("{key}.rounds"), &written.rounds)?;
        let duration = self.time(&format!("{key}.duration"), &written.duration)?;
        let warm_up = self.field(&format!("{key}.warm_up"), &written.warm_up)?;
        let budget = self.time(&format!("{key}.budget"), &written.budget)?.unwrap_or(BUDGET);
        let connections = self.count(&format!("{key}.connections"), &written.connections)?;
        let load = self.offered(key, section, connections, before)?;
        let needs_load = || Mismatch::new("no load", "`rate`, `connections`, or `of_line` and `times`");
        let at_least = |least: u32, rounds: u32| {
            if rounds < least {
                let mismatch = Mismatch::new(quoted(&rounds.to_string()), format!("at least {least} rounds"));
                return Err(self.error_about(&format!("{key}.rounds"), mismatch));
            }
            Ok(rounds)
        };
        Ok(match kind {
            KindWord::Compare => {
                let default = if load.is_some() { ROUNDS } else { ROUNDS_OF_SEARCHES };
                let rounds = at_least(LEAST_ROUNDS, rounds.unwrap_or(default))?;
                if matches!(load, Some(MeasurementLoad::OfLine { .. })) {
                    return Err(self.error_about(key, Mismatch::new("`of_line`", "`rate` or `connections`")));
                }
                MeasurementKind::Compare {
                    variants: self.variants(key, section)?,
                    load,
                    rounds,
                    duration: duration.unwrap_or(Duration::from_secs(4)),
                    warm_up: warm_up.unwrap_or(Duration::from_secs(2)),
                    budget,
                }
            }
            KindWord::Scale => MeasurementKind::Scale {
                rounds: at_least(LEAST_ROUNDS_OF_SIZES, rounds.unwrap_or(ROUNDS_OF_SIZES))?,
                service: self.service(key, section)?,
                sizes: self.sizes(key, section)?,
                size_env: self.field(&format!("{key}.size_env"), &written.size_env)?,
                connections: connections.unwrap_or(CONNECTIONS_OF_SIZES),
                duration: duration.unwrap_or(Duration::from_secs(3)),
                warm_up: warm_up.unwrap_or(Duration::from_secs(1)),
            },
            KindWord::Capacity => MeasurementKind::Capacity {
                service: self.service(key, section)?,
                budget,
            },
            KindWord::Run => MeasurementKind::Run {
                service: self.service(key, section)?,
                load: load.ok_or_else(|| self.error(section.place, needs_load()))?,
                duration: duration.unwrap_or(Duration::from_secs(10)),
                warm_up: warm_up.unwrap_or(Duration::from_secs(2)),
            },
            KindWord::Command => {
                let argv = self.words(&format!("{key}.command"), &written.command)?;
                let missing = || self.error(section.place, Mismatch::new("no `command`", "what is run"));
                MeasurementKind::Command {
                    argv: argv.ok_or_else(missing)?,
                    takes: self
                        .time(&format!("{key}.takes"), &written.takes)?
                        .unwrap_or(Duration::from_secs(10)),
                }
            }
        })
    }

    fn offered(
        &mut self,
        key: &str,
        section: &At<MeasurementDocument>,
        connections: Option<u32>,
        before: &[Measurement],
    ) -> Read<Option<MeasurementLoad>> {
        let written = &section.value;
        let rate: Option<Rate> = self.field(&format!("{key}.rate"), &written.rate)?;
        if rate == Some(Rate::ZERO) {
            return Err(self.error_about(
                &format!("{key}.rate"),
                Mismatch::new("a rate of zero", "a rate above zero"),
            ));
        }
        let of_line: Option<String> = self.field(&format!("{key}.of_line"), &written.of_line)?;
        let times = self.field(&format!("{key}.times"), &written.times)?;
        match (rate, connections, of_line, times) {
            (None, None, None, None) => Ok(None),
            (Some(rate), None, None, None) => Ok(Some(MeasurementLoad::Rate(rate))),
            (None, Some(connections), None, None) => Ok(Some(MeasurementLoad::Connections(connections))),
            (None, None, Some(measurement), Some(times)) => {
                let lines = before
                    .iter()
                    .filter(|m| matches!(m.kind, MeasurementKind::Capacity { .. }));
                let mut names = lines.map(|m| m.name.as_str());
                if !names.clone().any(|name| name == measurement) {
                    let expected = "a measurement above it whose kind is `capacity`";
                    let mismatch = Mismatch::new(quoted(&measurement), expected).nearest(&measurement, &mut names);
                    return Err(self.error_about(&format!("{key}.of_line"), mismatch));
                }
                Ok(Some(MeasurementLoad::OfLine {
                    measurement,
                    times: times.0,
                }))
            }
            _ => {
                let expected = "one of: `rate`, `connections`, `of_line` with `times`";
                Err(self.error(section.place, Mismatch::new("several loads", expected)))
            }
        }
    }

    fn variants(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Vec<StudyVariant>> {
        let written = &section.value;
        let mut variants = Vec::new();
        let key = format!("{key}.variants");
        for (name, at) in entries(self.section(&key, &written.variants)) {
            let name = self.read_with(name, String::read)?;
            let key = format!("{key}.{name}");
            let VariantDocument { plan, env, command } = &at.value;
            let plan = if plan.0.is_some() { plan } else { &written.plan };
            let mut service = self.started(&key, at.place, plan, &written.env)?;
            for (name, value) in self.environment(&key, env)? {
                service.env.retain(|(known, _)| *known != name);
                service.env.push((name, value));
            }
            let command = if command.0.is_some() { command } else { &written.command };
            service.command = self.words(&format!("{key}.command"), command)?;
            variants.push(StudyVariant { name, service });
        }
        if variants.len() < 2 {
            let mismatch = Mismatch::new(format!("{} variants", variants.len()), "at least two `variants`");
            return Err(self.error_about(&key, mismatch));
        }
        Ok(variants)
    }

    fn service(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Service> {
        let written = &section.value;
        let mut service = self.started(key, section.place, &written.plan, &written.env)?;
        service.command = self.words(&format!("{key}.command"), &written.command)?;
        Ok(service)
    }

    fn started(
        &mut self,
        key: &str,
        parent: Option<Place>,
        plan: &Field<String>,
        env: &Given<At<Entries<Written<String>>>>,
    ) -> Read<Service> {
        let plan = self.required(&format!("{key}.plan"), plan, parent)?;
        Ok(Service {
            plan: self.beside_plan(&plan),
            env: self.environment(key, env)?,
            command: None,
        })
    }

    fn environment(&mut self, key: &str, env: &Given<At<Entries<Written<String>>>>) -> Read<Vec<(String, Secret)>> {
        let mut read = Vec::new();
        for (name, value) in entries(self.section(&format!("{key}.env"), env)) {
            let name = self.read_with(name, String::read)?;
            let value = self.written(&format!("{key}.env.{name}"), value)?;
            read.push((name, Secret::new(value)));
        }
        Ok(read)
    }

    fn sizes(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Vec<u32>> {
        let key = format!("{key}.sizes");
        let Some(given) = self.section(&key, &section.value.sizes) else {
            return Ok(SIZES.to_vec());
        };
        let numbered = given.value.iter().enumerate();
        let sizes = numbered.map(|(index, size)| self.written(&format!("{key}[{index}]"), size));
        let mut sizes: Vec<u32> = sizes.collect::<Read<_>>()?;
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.len() < LEAST_SIZES || sizes.first() == Some(&0) {
            let mismatch = Mismatch::new(format!("{} sizes", sizes.len()), "at least four, none of them 0");
            return Err(self.error(given.place, mismatch));
        }
        Ok(sizes)
    }

    fn effect(
        &mut self,
        name: String,
        section: &At<EffectDocument>,
        measurements: &[Measurement],
        published: &[(String, Published)],
    ) -> Read<Effect> {
        let key = format!("effects.{name}");
        self.remember(&key, section.place);
        let written = &section.value;
        let found: Option<String> = self.field(&format!("{key}.published"), &written.published)?;
        let mut figure = match found {
            None => None,
            Some(found) => {
                let known = published.iter().find(|(key, _)| *key == found);
                let unknown = || {
                    let keys = published.iter().map(|(key, _)| key.as_str());
                    let mismatch =
                        Mismatch::new(quoted(&found), "a key of the published figures").nearest(&found, keys);
                    self.error_about(&format!("{key}.published"), mismatch)
                };
                Some(known.ok_or_else(unknown)?.1.clone())
            }
        };
        let Some(here) = self.section(&format!("{key}.here"), &written.here) else {
            return Err(self.error(section.place, Mismatch::new("no `here`", "what it is here")));
        };
        let here = self.value(&format!("{key}.here"), here, measurements)?;
        let against = match self.section(&format!("{key}.against"), &written.against) {
            None => None,
            Some(against) => Some(self.value(&format!("{key}.against"), against, measurements)?),
        };
        let steps = self.count(&format!("{key}.steps"), &written.steps)?.unwrap_or(1);
        let least: Option<Share> = self.field(&format!("{key}.least"), &written.least)?;
        let within: Option<Share> = self.field(&format!("{key}.within"), &written.within)?;
        let of_a_comparison = here.variant.is_some();
        if of_a_comparison && against.is_some() {
            let mismatch = Mismatch::new("`against`", "nothing: a comparison is against its first variant");
            return Err(self.error_about(&format!("{key}.against"), mismatch));
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
            return Err(self.error_about(&format!("{key}.here"), mismatch));
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
        let of: String = self.required(&format!("{key}.of"), &written.of, section.place)?;
        let Some(measurement) = measurements.iter().find(|measurement| measurement.name == of) else {
            let names = measurements.iter().map(|measurement| measurement.name.as_str());
            let mismatch = Mismatch::new(quoted(&of), "the name of a measurement").nearest(&of, names);
            return Err(self.error_about(&format!("{key}.of"), mismatch));
        };
        let name: String = self.required(&format!("{key}.figure"), &written.figure, section.place)?;
        let figure = Figure::of(&measurement.kind, &name).map_err(|known| {
            let expected = format!("one of {}", known.join(", "));
            let mismatch = Mismatch::new(quoted(&name), expected).nearest(&name, known.iter().copied());
            self.error_about(&format!("{key}.figure"), mismatch)
        })?;
        let variant = self.field(&format!("{key}.variant"), &written.variant)?;
        let variant = self.variant(key, section, &measurement.kind, variant)?;
        let size = self.field(&format!("{key}.size"), &written.size)?;
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
            return Err(self.error(section.place, Mismatch::new(found, expected)));
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
                Err(self.error(section.place, Mismatch::new("no `variant`", expected)))
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
                Err(self.error_about(&format!("{key}.variant"), mismatch))
            }
        }
    }

    fn sentences(&mut self, key: &str, given: &Given<At<Vec<Written<String>>>>) -> Read<Vec<String>> {
        let list = self
            .section(key, given)
            .map(|at| at.value.as_slice())
            .unwrap_or_default();
        let numbered = list.iter().enumerate();
        numbered
            .map(|(index, text)| self.written(&format!("{key}[{index}]"), text))
            .collect()
    }

    fn words(&mut self, key: &str, given: &Given<OneOrMany<String>>) -> Read<Option<Vec<Secret>>> {
        match &given.0 {
            None => Ok(None),
            Some(OneOrMany::One(line)) => {
                self.remember(key, line.place);
                let words = self.read_with(line, split_command)?;
                Ok(Some(words.into_iter().map(Secret::new).collect()))
            }
            Some(OneOrMany::Many(words, place)) => {
                self.remember(key, *place);
                let words: Vec<Secret> = words
                    .iter()
                    .map(|word| self.read_with(word, String::read).map(Secret::new))
                    .collect::<Read<_>>()?;
                if words.is_empty() {
                    return Err(self.error(*place, Mismatch::new("no word", "a program and its arguments")));
                }
                Ok(Some(words))
            }
        }
    }

    fn time(&mut self, key: &str, given: &Field<Duration>) -> Read<Option<Duration>> {
        let time = self.field(key, given)?;
        if time == Some(Duration::ZERO) {
            return Err(self.error_about(key, Mismatch::new("a duration of zero", "a duration above zero")));
        }
        Ok(time)
    }

    fn count(&mut self, key: &str, given: &Field<u32>) -> Read<Option<u32>> {
        let count = self.field(key, given)?;
        if count == Some(0) {
            return Err(self.error_about(key, Mismatch::new("`0`", "at least 1")));
        }
        Ok(count)
    }
}
